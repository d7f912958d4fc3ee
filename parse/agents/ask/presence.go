package ask

import (
	"crypto/rand"
	"fmt"
	"io"
	"os"

	"gatehouse/parse/agents/waiting"
)

// Presence marks an open dashboard that shows asks, as long as its process runs. Hooks that hold up their client's own prompt wait only
// while there is one.
type Presence struct {
	*os.File
	remove func()
}

// Attend marks that a dashboard shows asks from now on.
func (s *Store) Attend() (*Presence, error) {
	name := rand.Text() + waiting.Held
	f, err := s.write(dashboardsDir, name, nil, false)
	return &Presence{f, func() { s.remove(dashboardsDir, name) }}, err
}

// Close removes the mark.
func (p *Presence) Close() {
	p.remove()
	p.File.Close()
}

// Attended reports whether a dashboard shows asks.
func (s *Store) Attended() (yes bool) {
	s.eachName(dashboardsDir, func(dir *os.Root, name string) { yes = yes || !isAbandoned(dir, name) })
	return yes
}

// Lease takes a lock of the store for this process, by name. The error says that another process has it, or that the store cannot be
// written. Close releases the lock.
func (s *Store) Lease(name string) (io.Closer, error) {
	dir, err := s.enter("", true)
	if err != nil {
		return nil, err
	}
	defer dir.Close()
	f, err := dir.OpenFile(name+".lock", os.O_CREATE|os.O_RDWR, 0o600)
	if err != nil {
		return nil, s.writeError("", err)
	}
	if lock(f) != nil {
		f.Close()
		return nil, fmt.Errorf("%s: held by another process", name)
	}
	return f, nil
}
