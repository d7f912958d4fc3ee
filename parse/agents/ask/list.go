package ask

import (
	"cmp"
	"errors"
	"fmt"
	"io/fs"
	"path/filepath"
	"slices"
	"strings"

	"gatehouse/parse/agents/waiting"
	"gatehouse/parse/disk/statefile"
)

// Reader lists asks repeatedly and reads each file once, because files of asks never change. It is for one goroutine.
type Reader struct {
	store *Store
	asks  map[string]cached // by file name
	ends  map[string]*End   // by ID
	whole string            // if set, only asks whose ID begins with it, swept first and with their long texts
}

// cached is the content of a file of an ask, or why it can't be read.
type cached struct {
	*Ask
	err error
}

// Reader returns a new reader.
func (s *Store) Reader() *Reader { return &Reader{store: s} }

// List returns the open asks, newest first, and with all also asks that ended within a day. It omits plans, messages,
// the input and the diff of calls, and previews; [Store.Get] has them. An error may come with a partial result. Other
// files are ignored; files of a newer Gatehouse are counted in the error, an [ErrLater].
func (r *Reader) List(all bool) ([]Item, error) {
	asks, ends := map[string]cached{}, map[string]*End{}
	delivered, held := map[string]bool{}, map[string]bool{}
	err := r.store.eachName(waiting.Dir, func(dir *statefile.Directory, name string) {
		if n, ok := waiting.Parse(name); ok && strings.HasPrefix(n.ID, r.whole) {
			if r.whole != "" {
				r.store.sweepAsk(dir, n)
			}
			asks[name] = r.readCached(dir, name, n.ID)
			held[n.ID] = n.Kind != waiting.Kept && !isAbandoned(dir, name)
		}
	})
	err = cmp.Or(err, r.store.eachName(waiting.Ended, func(dir *statefile.Directory, name string) {
		id, _, _ := strings.Cut(name, ".")
		_, isOpen := held[id]
		if !waiting.ValidID(id) || !strings.HasPrefix(id, r.whole) || !all && !isOpen {
			return
		}
		switch name[len(id):] {
		case waiting.End:
			if ends[id] = r.ends[id]; ends[id] == nil {
				ends[id] = readEnd(dir, id)
			}
		case toldEnd:
			delivered[id] = true
		case askEnd:
			if all {
				asks[name] = r.readCached(dir, name, id)
			}
		}
	}))
	r.asks, r.ends = asks, ends
	later := 0
	var items []Item
	for name, a := range asks {
		n, waits := waiting.Parse(name)
		switch {
		case errors.Is(a.err, ErrLater) && (r.whole != "" || waits && ends[n.ID] == nil):
			later++
			continue
		case a.err != nil && r.whole != "" && !errors.Is(a.err, fs.ErrNotExist): // else it was moved meanwhile
			err = cmp.Or(err, fmt.Errorf("%s: cannot be read: %w; remove it", filepath.Join(r.store.Dir, name), a.err))
			continue
		case a.err != nil || waits && a.fileName() != n:
			continue
		}
		item := Item{Ask: *a.Ask, End: ends[a.ID], Held: held[a.ID]}
		if item.State, item.Delivered = Waiting, delivered[a.ID]; item.End != nil {
			item.State = item.End.State
		}
		if all && (waits || item.End != nil) || waits && item.End == nil {
			items = append(items, item)
		}
	}
	if later > 0 {
		err = cmp.Or(err, fmt.Errorf("%d asks can't be read: %w; update this one", later, ErrLater))
	}
	slices.SortFunc(items, func(a, b Item) int { return cmp.Or(b.Since.Compare(a.Since), cmp.Compare(a.ID, b.ID)) })
	// An ask that is moved between the two listings is in both.
	return slices.CompactFunc(items, func(a, b Item) bool { return a.ID == b.ID }), err
}

// List lists asks once, like [Reader.List].
func (s *Store) List(all bool) ([]Item, error) { return s.Reader().List(all) }

// readCached returns the ask in a file.
func (r *Reader) readCached(dir *statefile.Directory, name, id string) cached {
	if a, known := r.asks[name]; known {
		return a
	}
	a, err := readAsk(dir, name, id)
	if err != nil || r.whole != "" {
		return cached{a, err}
	}
	a.Plan, a.Message = "", ""
	if a.Call != nil {
		a.Call.Input, a.Call.Diff = "", ""
	}
	for _, q := range a.Questions {
		for i := range q.Options {
			q.Options[i].Preview = ""
		}
	}
	return cached{a, nil}
}

// readAsk reads an ask.
func readAsk(dir *statefile.Directory, name, id string) (*Ask, error) {
	a, err := readValue[Ask](dir, name)
	known := a.Kind == Plan || a.Kind == Permission || a.Kind == Turn || a.Kind == Question && len(a.Questions) > 0
	if err == nil && (a.ID != id || !known) {
		err = errors.New("not the ask that its name says")
	}
	a.Fate, a.Door, a.Unattributed = "", nil, false
	cleanAsk(&a)
	return &a, err
}

// readEnd reads how an ask ended, nil if it has not ended or if this can't be read now.
func readEnd(dir *statefile.Directory, id string) *End {
	end, err := readValue[End](dir, id+waiting.End)
	if errors.Is(err, errUnreadable) {
		return nil
	}
	known := end.State == Withdrawn || end.State == Expired || end.State == Answered && end.Answer != nil
	if err != nil || end.ID != id || !known {
		// The name is taken, so the ask can't be ended any more, and the content can't be trusted.
		return &End{ID: id, State: Withdrawn, Reason: "the file of its end is damaged"}
	}
	cleanEnd(&end)
	return &end
}

// endOf returns how an ask ended, like [readEnd].
func (s *Store) endOf(id string) *End {
	dir, err := s.openDir(waiting.Ended, false)
	if err != nil {
		return nil
	}
	defer dir.Close()
	return readEnd(dir, id)
}

// Get returns one complete ask, by its ID or an unambiguous beginning. The error is [ErrNone] or [ErrSeveral], or the
// reason why the ask can't be read.
func (s *Store) Get(id string) (*Item, error) {
	if id == "" {
		return nil, ErrNone
	}
	items, err := (&Reader{store: s, whole: strings.ToLower(id)}).List(true)
	switch len(items) {
	case 0:
		return nil, cmp.Or(err, error(ErrNone))
	case 1:
		return &items[0], nil
	}
	return nil, ErrSeveral
}
