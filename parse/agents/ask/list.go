package ask

import (
	"cmp"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"gatehouse/parse/agents/waiting"
)

// Reader lists asks repeatedly and reads each file once, because files of asks never change. It is for one goroutine.
type Reader struct {
	store *Store
	asks  map[string]readAsk // by file name
	ends  map[string]*End    // by ID
}

// readAsk is the content of a file, nil if it can't be read.
type readAsk struct {
	*Ask
	later bool // a newer gatehouse wrote it
}

// Reader returns a new reader.
func (s *Store) Reader() *Reader { return &Reader{store: s} }

// List returns the open asks, newest first, and with all also those that ended within a day. Long texts are left out ([Item.Brief]). An
// error comes beside everything that could be read. Files that are no asks are ignored; those of a newer gatehouse are counted in the
// error, an [ErrLater].
func (r *Reader) List(all bool) ([]Item, error) {
	asks, ends, told := map[string]readAsk{}, map[string]*End{}, map[string]bool{}
	later := 0
	err := r.store.eachName(waiting.Ended, func(dir *os.Root, name string) {
		if id, ok := strings.CutSuffix(name, waiting.End); ok {
			if ends[id] = r.ends[id]; ends[id] == nil {
				ends[id] = readEnd(dir, id)
			}
		} else if id, ok := strings.CutSuffix(name, toldEnd); ok {
			told[id] = true
		} else if id, ok := strings.CutSuffix(name, askEnd); ok && all {
			asks[name] = r.read(dir, name, id)
		}
	})
	held := map[string]bool{}
	err = cmp.Or(err, r.store.eachName(waiting.Dir, func(dir *os.Root, name string) {
		if n, ok := waiting.Parse(name); ok {
			asks[name] = r.read(dir, name, n.ID)
			held[n.ID] = n.Kind == waiting.Held || n.Kind == waiting.Turn && !isAbandoned(dir, name)
			if asks[name].later && ends[n.ID] == nil {
				later++
			}
		}
	}))
	r.asks, r.ends = asks, ends
	if later > 0 && err == nil {
		err = fmt.Errorf("%d asks can't be read: %w; update this one", later, ErrLater)
	}
	var items []Item
	for name, a := range asks {
		_, waits := waiting.Parse(name)
		if a.Ask == nil || waits && a.name().String() != name {
			continue
		}
		item := Item{Ask: *a.Ask, State: Waiting, End: ends[a.ID], Delivered: told[a.ID], Held: held[a.ID], Brief: true}
		if item.End != nil {
			item.State = item.End.State
		}
		if all && (waits || item.End != nil) || item.State == Waiting && waits {
			items = append(items, item)
		}
	}
	slices.SortFunc(items, func(a, b Item) int { return cmp.Or(b.Since.Compare(a.Since), cmp.Compare(a.ID, b.ID)) })
	// An ask that is moved between the two listings is in both.
	return slices.CompactFunc(items, func(a, b Item) bool { return a.ID == b.ID }), err
}

// List lists asks once, like [Reader.List].
func (s *Store) List(all bool) ([]Item, error) { return s.Reader().List(all) }

// read returns the ask in a file without its long texts.
func (r *Reader) read(dir *os.Root, name, id string) readAsk {
	if a, known := r.asks[name]; known {
		return a
	}
	a, err := readAskFile(dir, name, id)
	if err != nil {
		return readAsk{later: errors.Is(err, ErrLater)}
	}
	a.Plan, a.Message = "", ""
	if a.Call != nil {
		a.Call.Input, a.Call.Diff = "", ""
	}
	for i := range a.Questions {
		for j := range a.Questions[i].Options {
			a.Questions[i].Options[j].Preview = ""
		}
	}
	return readAsk{Ask: a}
}

// readAskFile reads an ask.
func readAskFile(dir *os.Root, name, id string) (*Ask, error) {
	text, err := readFile(dir, name)
	if err != nil {
		return nil, err
	}
	a, err := decode[Ask](text)
	known := a.Kind == Plan || a.Kind == Permission || a.Kind == Turn || a.Kind == Question && len(a.Questions) > 0
	if err == nil && (a.ID != id || !waiting.ValidID(id) || !known) {
		err = errors.New("not the ask that its name says")
	}
	if err != nil {
		return nil, err
	}
	cleanAsk(&a)
	return &a, nil
}

// readEnd reads how an ask ended, nil if it has not ended or if this can't be read now.
func readEnd(dir *os.Root, id string) *End {
	text, err := readFile(dir, id+waiting.End)
	if err != nil {
		return nil
	}
	end, err := decode[End](text)
	known := end.State == Withdrawn || end.State == Expired || end.State == Answered && end.Answer != nil
	if err != nil || end.ID != id || !known {
		// The name is taken, so nobody can end the ask any more, and the content can't be trusted.
		return &End{ID: id, State: Withdrawn, Reason: "the file of its end is damaged"}
	}
	cleanEnd(&end)
	return &end
}

// endOf returns how an ask ended, like [readEnd].
func (s *Store) endOf(id string) *End {
	dir, err := s.enter(waiting.Ended, false)
	if err != nil {
		return nil
	}
	defer dir.Close()
	return readEnd(dir, id)
}

// Get returns one ask whole, by its ID or an unambiguous beginning. The error is [ErrNone] or [ErrSeveral], or says why the ask can't be
// read.
func (s *Store) Get(id string) (*Item, error) {
	for range 2 {
		in, name, whole, err := s.find(strings.ToLower(id))
		if err != nil {
			return nil, err
		}
		item, err := s.item(in, name, whole)
		if errors.Is(err, fs.ErrNotExist) && in == waiting.Dir {
			continue // it was moved in between
		}
		if errors.Is(err, ErrLater) {
			return nil, fmt.Errorf("%s cannot be read: %w; update this one", id, ErrLater)
		}
		if err != nil {
			return nil, fmt.Errorf("%s: cannot be read: %w; remove it", filepath.Join(s.dir, in, name), cause(err))
		}
		return item, nil
	}
	return nil, ErrNone
}

// item returns the ask in a file and its state.
func (s *Store) item(in, name, id string) (*Item, error) {
	dir, err := s.enter(in, false)
	if err != nil {
		return nil, err
	}
	defer dir.Close()
	a, err := readAskFile(dir, name, id)
	if err != nil {
		return nil, err
	}
	item := &Item{Ask: *a, State: Waiting}
	if in == waiting.Dir {
		s.sweepAsk(dir, name)
		item.Held = !isAbandoned(dir, name)
	}
	if item.End = s.endOf(id); item.End != nil {
		item.State = item.End.State
		_, err := os.Lstat(filepath.Join(s.dir, waiting.Ended, id+toldEnd))
		item.Delivered = err == nil
	}
	return item, nil
}

// find returns the file of an ask and its whole ID.
func (s *Store) find(prefix string) (in, name, whole string, err error) {
	if prefix == "" || len(prefix) > waiting.IDSize {
		return "", "", "", ErrNone
	}
	err = ErrNone
	match := func(dir, file, id string) {
		switch {
		case !strings.HasPrefix(id, prefix) || id == whole:
		case whole != "":
			err = ErrSeveral
		default:
			in, name, whole, err = dir, file, id, nil
		}
	}
	failed := s.eachName(waiting.Dir, func(_ *os.Root, file string) {
		if n, ok := waiting.Parse(file); ok {
			match(waiting.Dir, file, n.ID)
		}
	})
	failed = cmp.Or(failed, s.eachName(waiting.Ended, func(_ *os.Root, file string) {
		if id, ok := strings.CutSuffix(file, askEnd); ok {
			match(waiting.Ended, file, id)
		}
	}))
	return in, name, whole, cmp.Or(failed, err)
}
