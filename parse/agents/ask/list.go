package ask

// Reading what is asked.

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

// Reader reads asks again and again, and each file once: none of them changes. It is for one goroutine.
type Reader struct {
	store *Store
	asks  map[string]readAsk // by the name of the file
	ends  map[string]*End    // by ID
}

// readAsk is what a file holds: nil where it can't be read, perhaps since it is of a later version.
type readAsk struct {
	*Ask
	later bool
}

// Reader returns a reader that has read nothing yet.
func (s *Store) Reader() *Reader { return &Reader{store: s} }

// List returns the asks that wait, the newest first, and with all those that have ended in the last day, too. Bodies are left out,
// see [Item.Brief]. An error comes beside what could be read; a file that is no ask is left alone, and what a newer gatehouse has asked is
// counted in the error, an [ErrLater].
func (r *Reader) List(all bool) ([]Item, error) {
	asks, ends, told := map[string]readAsk{}, map[string]*End{}, map[string]bool{}
	later := 0
	err := r.each(waiting.Ended, func(dir *os.Root, name string) {
		if id, ok := strings.CutSuffix(name, waiting.End); ok {
			if ends[id] = r.ends[id]; ends[id] == nil {
				ends[id] = endIn(dir, id)
			}
		} else if id, ok := strings.CutSuffix(name, toldEnd); ok {
			told[id] = true
		} else if id, ok := strings.CutSuffix(name, askEnd); ok && all {
			asks[name] = r.ask(dir, name, id)
		}
	})
	err = cmp.Or(err, r.each(waiting.Dir, func(dir *os.Root, name string) {
		if n, ok := waiting.Parse(name); ok {
			asks[name] = r.ask(dir, name, n.ID)
			if asks[name].later && ends[n.ID] == nil {
				later++
			}
		}
	}))
	r.asks, r.ends = asks, ends
	if later > 0 && err == nil {
		err = fmt.Errorf("%d of what is asked can't be read: %w; update this one", later, ErrLater)
	}
	var items []Item
	for name, a := range asks {
		_, waits := waiting.Parse(name)
		if a.Ask == nil || waits && a.name().String() != name {
			continue
		}
		item := Item{Ask: *a.Ask, State: Waiting, End: ends[a.ID], Delivered: told[a.ID], Brief: true}
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

// List returns the asks as [Reader.List] does.
func (s *Store) List(all bool) ([]Item, error) { return s.Reader().List(all) }

// each shows the names in a directory, none where it does not exist.
func (r *Reader) each(dirName string, see func(dir *os.Root, name string)) error {
	dir, err := r.store.enter(dirName, false)
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	if err != nil {
		return err
	}
	defer dir.Close()
	names, err := namesIn(dir)
	for _, name := range names {
		see(dir, name)
	}
	return err
}

// ask returns the ask in a file without its bodies.
func (r *Reader) ask(dir *os.Root, name, id string) readAsk {
	if a, was := r.asks[name]; was {
		return a
	}
	a, err := askIn(dir, name, id)
	if err != nil {
		return readAsk{later: errors.Is(err, ErrLater)}
	}
	a.Plan = ""
	if a.Call != nil {
		a.Call.Input = ""
	}
	for i := range a.Questions {
		for j := range a.Questions[i].Options {
			a.Questions[i].Options[j].Preview = ""
		}
	}
	return readAsk{Ask: a}
}

// askIn reads an ask.
func askIn(dir *os.Root, name, id string) (*Ask, error) {
	text, err := read(dir, name)
	if err != nil {
		return nil, err
	}
	a, err := decode[Ask](text)
	if err == nil && (a.ID != id || !waiting.ValidID(id) || a.Kind != Question && a.Kind != Plan && a.Kind != Permission || a.Kind == Question && len(a.Questions) == 0) {
		err = errors.New("it is not the ask that its name says")
	}
	if err != nil {
		return nil, err
	}
	tidyAsk(&a)
	return &a, nil
}

// endIn reads how an ask has ended, nil where it has not, or where that can't be told now.
func endIn(dir *os.Root, id string) *End {
	text, err := read(dir, id+waiting.End)
	if err != nil {
		return nil
	}
	end, err := decode[End](text)
	if err != nil || end.ID != id || end.State != Answered && end.State != Withdrawn && end.State != Expired || end.State == Answered && end.Answer == nil {
		// Something stands in the place of the end, so nobody can end it any more, and nothing of it can be believed.
		return &End{ID: id, State: Withdrawn, Reason: "the file of its end is damaged"}
	}
	tidyEnd(&end)
	return &end
}

// endOf returns how an ask has ended, nil where it has not, or where that can't be told now.
func (s *Store) endOf(id string) *End {
	dir, err := s.enter(waiting.Ended, false)
	if err != nil {
		return nil
	}
	defer dir.Close()
	return endIn(dir, id)
}

// Get returns one ask with all of its texts, by its ID or by the beginning of one. The error is [ErrNone] or [ErrSeveral], or says
// why it can't be read.
func (s *Store) Get(id string) (*Item, error) {
	for range 2 {
		in, name, whole, err := s.find(strings.ToLower(id))
		if err != nil {
			return nil, err
		}
		item, err := s.item(in, name, whole)
		if errors.Is(err, fs.ErrNotExist) && in == waiting.Dir {
			continue // moved meanwhile
		}
		if err != nil {
			if errors.Is(err, ErrLater) { // somebody waits for its answer
				return nil, fmt.Errorf("%s cannot be read: %w; update this one", id, ErrLater)
			}
			return nil, fmt.Errorf("%s: cannot be read: %w; remove it", filepath.Join(s.dir, in, name), reason(err))
		}
		return item, nil
	}
	return nil, ErrNone
}

// item returns the ask in a file, and what became of it as things are now.
func (s *Store) item(in, name, id string) (*Item, error) {
	dir, err := s.enter(in, false)
	if err != nil {
		return nil, err
	}
	defer dir.Close()
	a, err := askIn(dir, name, id)
	if err != nil {
		return nil, err
	}
	if in == waiting.Dir {
		s.sweepAsk(dir, name)
	}
	item := &Item{Ask: *a, State: Waiting, End: s.endOf(id)}
	if item.End != nil {
		item.State = item.End.State
		_, err := os.Lstat(filepath.Join(s.dir, waiting.Ended, id+toldEnd))
		item.Delivered = err == nil
	}
	return item, nil
}

// find returns the file of an ask, and its whole ID.
func (s *Store) find(id string) (in, name, whole string, err error) {
	if id == "" || len(id) > waiting.IDSize {
		return "", "", "", ErrNone
	}
	err = ErrNone
	see := func(dir, file, its string) {
		switch {
		case !strings.HasPrefix(its, id) || its == whole:
		case whole != "":
			err = ErrSeveral
		default:
			in, name, whole, err = dir, file, its, nil
		}
	}
	r := s.Reader()
	bad := r.each(waiting.Dir, func(_ *os.Root, file string) {
		if n, ok := waiting.Parse(file); ok {
			see(waiting.Dir, file, n.ID)
		}
	})
	bad = cmp.Or(bad, r.each(waiting.Ended, func(_ *os.Root, file string) {
		if its, ok := strings.CutSuffix(file, askEnd); ok {
			see(waiting.Ended, file, its)
		}
	}))
	return in, name, whole, cmp.Or(bad, err)
}

// name returns the name of an ask's file while it waits.
func (a *Ask) name() waiting.Name {
	return waiting.Name{Project: waiting.Key(a.Project), Session: sessionKey(a.Agent, a.Session), ID: a.ID, Held: !a.Kept}
}
