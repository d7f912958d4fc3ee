// Waiters: a file for each running "gatehouse wait" process, next to the journal, for as long as it runs.

package journal

import (
	"crypto/rand"
	"encoding/json"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"time"

	"gatehouse/parse/disk/peek"
	"gatehouse/parse/disk/process"
	"gatehouse/parse/disk/statefile"
)

// Waiter is a process that waits for a gate to be decided.
type Waiter struct {
	process.ID
	Build string    `json:"build"`
	Node  string    `json:"node"`
	Since time.Time `json:"since"`
}

// waiterLimit is how many bytes of a waiter's file are read; it has a few hundred.
const waiterLimit = 64 << 10

// waitersEnd is the suffix of the directory of waiters, whose name begins like that of the journal.
const waitersEnd = ".waiting"

// Waiting returns the directory of the waiters, whether it exists or not.
func (l *Log) Waiting() string { return strings.TrimSuffix(l.File(), ".jsonl") + waitersEnd }

// signalEnd is the suffix of the file next to the journal that is written when a wait begins or ends: watchers of the
// journal directory look again then.
const signalEnd = ".waited"

// FileOf returns the journal that a file next to it belongs to, or the path itself.
func FileOf(path string) string {
	if name, ok := strings.CutSuffix(path, signalEnd); ok {
		return name + ".jsonl"
	}
	return path
}

// signalWaiters writes that file. If it can't, the change is noticed a little later.
func (l *Log) signalWaiters(now time.Time) {
	dir, err := l.system.Open(peek.Resolve(l.dir))
	if err != nil {
		return
	}
	defer dir.Close()
	if f, err := dir.OpenFile(strings.TrimSuffix(l.name, ".jsonl")+signalEnd, os.O_WRONLY|os.O_CREATE|os.O_TRUNC, 0o600); err == nil {
		f.Write([]byte(now.Format(time.RFC3339Nano) + "\n"))
		f.Close()
	}
}

// Wait announces that this process waits for a gate, until the returned function is called or the process ends. If the
// announcement fails, the wait continues unannounced.
func (l *Log) Wait(build, node string, since time.Time) (left func()) {
	w := Waiter{ID: l.system.Self(), Build: build, Node: node, Since: since}
	text, err := json.Marshal(w)
	file := filepath.Join(l.Waiting(), strconv.Itoa(w.PID)+"-"+rand.Text()[:6])
	if l.dir == "" || err != nil || os.MkdirAll(l.Waiting(), 0o700) != nil || os.WriteFile(file, text, 0o600) != nil {
		return func() {}
	}
	l.signalWaiters(since)
	return func() {
		os.Remove(file)
		l.signalWaiters(time.Now())
	}
}

// Waiters returns the current waiters, and removes the files of dead ones.
func (l *Log) Waiters() (all []Waiter) {
	if l.dir == "" {
		return nil
	}
	if info, err := os.Lstat(l.Waiting()); err != nil || statefile.Trusted(info) != nil { // usually there is none
		return nil
	}
	entries, _ := os.ReadDir(l.Waiting())
	for _, e := range entries {
		if !e.Type().IsRegular() {
			continue // not one of our files
		}
		file := filepath.Join(l.Waiting(), e.Name())
		text, _, err := peek.ReadFile(file, "", waiterLimit)
		var w Waiter
		if err != nil || json.Unmarshal([]byte(text), &w) != nil {
			continue // just gone, or just being written
		}
		if process.LifeOf(l.system, w.ID) == process.Gone {
			os.Remove(file)
			continue
		}
		all = append(all, w)
	}
	return all
}
