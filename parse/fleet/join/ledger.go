package join

// The memory of requests: which were taken, from whom, and what became of each, also over the end of the process.

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"time"

	"gatehouse/model"
	"gatehouse/parse/disk/process"
	"gatehouse/parse/disk/statefile"
	"gatehouse/parse/fleet/wire"
)

const (
	// keptFor is how long it is known what became of a request: as long as dashboards ask.
	keptFor = 8 * 24 * time.Hour
	// ledgerLimit is as much of a file as is read.
	ledgerLimit = 1 << 20
)

// Ledger keeps requests in a directory, a folder for each day. A request is two files, each of which appears whole and once:
// whoever makes the first has taken the request, and what the second says is what became of it.
//
//	2026-03-14/0195….begin   {"id","user","hash","by","at","action"}
//	2026-03-14/0195….end     the answer
//
// Several processes may use one directory.
type Ledger struct {
	dir string
	now func() time.Time
}

// NewLedger returns the ledger in a directory, absolute, which need not be there yet.
func NewLedger(dir string, now func() time.Time) *Ledger {
	return &Ledger{dir: dir, now: now}
}

// Taken is a request that was taken.
type Taken struct {
	ID     string       `json:"id"`
	User   string       `json:"user"`
	Hash   string       `json:"hash"` // of its bytes
	By     process.ID   `json:"by"`   // that took it
	At     time.Time    `json:"at"`
	Action model.Action `json:"action"`
	Ask    string       `json:"ask,omitempty"` // of an answer
	// Withdrawn says that it was asked what had become of it before it came: it is not done any more.
	Withdrawn bool `json:"withdrawn,omitempty"`
}

// Take takes a request, and returns nil where that is the first time; else what was taken under this ID before.
func (l *Ledger) Take(t Taken) (*Taken, error) {
	data, err := json.Marshal(t)
	if err != nil {
		return nil, err
	}
	file, err := l.file(t.ID, "begin")
	if err != nil {
		return nil, err
	}
	err = statefile.CreateOwn(file, data)
	if errors.Is(err, fs.ErrExist) {
		return l.Taken(t.ID)
	}
	return nil, l.fault(err)
}

// Taken returns what was taken under an ID, nil for nothing.
func (l *Ledger) Taken(id string) (*Taken, error) {
	var t Taken
	ok, err := l.read(id, "begin", &t)
	if !ok || err != nil {
		return nil, err
	}
	if t.ID != id { // a file that somebody else put there
		return nil, l.fault(errors.New("a request in it is another than it is called"))
	}
	return &t, nil
}

// End notes what became of a request. What was noted first stays, and is returned.
func (l *Ledger) End(id string, answer *wire.Reply) (*wire.Reply, error) {
	data, err := json.Marshal(answer)
	if err != nil {
		return nil, err
	}
	file, err := l.file(id, "end")
	if err != nil {
		return nil, err
	}
	if err = statefile.CreateOwn(file, data); errors.Is(err, fs.ErrExist) {
		return l.Ended(id)
	}
	return answer, l.fault(err)
}

// Ended returns what became of a request, nil where that is not known yet.
func (l *Ledger) Ended(id string) (*wire.Reply, error) {
	var r wire.Reply
	ok, err := l.read(id, "end", &r)
	if !ok || err != nil {
		return nil, err
	}
	return &r, nil
}

// file returns the path of a request's file. The ID says the day, so that nobody has to look for it.
func (l *Ledger) file(id, end string) (string, error) {
	if l.dir == "" {
		return "", errors.New("there is no place for requests from elsewhere; set HOME or XDG_STATE_HOME")
	}
	at, err := wire.IDTime(id)
	if err != nil {
		return "", err
	}
	return filepath.Join(l.dir, at.UTC().Format(time.DateOnly), id+"."+end), nil
}

func (l *Ledger) read(id, end string, v any) (ok bool, err error) {
	file, err := l.file(id, end)
	if err != nil {
		return false, err
	}
	f, err := os.Open(file)
	if errors.Is(err, fs.ErrNotExist) {
		return false, nil
	}
	if err != nil {
		return false, l.fault(err)
	}
	defer f.Close()
	data, err := io.ReadAll(io.LimitReader(f, ledgerLimit))
	if err == nil {
		err = json.Unmarshal(data, v)
	}
	return err == nil, l.fault(err)
}

// Clear removes what is too long ago for anybody to ask. A host does so when it starts, and every [refreshEvery].
func (l *Ledger) Clear() {
	days, _ := os.ReadDir(l.dir) // none: nothing to remove
	for _, d := range days {
		if day, err := time.Parse(time.DateOnly, d.Name()); err == nil && d.IsDir() && l.now().Sub(day) > keptFor+24*time.Hour { // the day's last are as old as that
			os.RemoveAll(filepath.Join(l.dir, d.Name()))
		}
	}
}

func (l *Ledger) fault(err error) error {
	if err == nil {
		return nil
	}
	return fmt.Errorf("%s: what was asked from elsewhere can't be noted: %w; nothing is decided from elsewhere before that is mended", l.dir, err)
}
