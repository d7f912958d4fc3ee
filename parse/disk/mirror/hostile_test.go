//go:build unix

package mirror

import (
	"errors"
	"net"
	"os"
	"syscall"
	"testing"
	"time"

	"gatehouse/parse/disk/peek"
)

// soon fails the test if do takes too long. It guards against waiting forever,
// so the limit is generous.
func soon(t *testing.T, what string, do func()) {
	t.Helper()
	done := make(chan struct{})
	go func() { defer close(done); do() }()
	select {
	case <-done:
	case <-time.After(time.Minute):
		t.Fatalf("%s hangs", what)
	}
}

// refuses fails unless the file exists and is not read because of err.
func (p *project) refuses(rel string, err error) {
	p.Helper()
	soon(p.T, rel, func() {
		if r := p.read(rel); !r.Exists || r.Held || r.Value != "" || !errors.Is(r.Err, err) {
			p.Errorf("%s: %+v, want: %v", rel, r, err)
		}
	})
}

func TestNonFilesAreNeverOpened(t *testing.T) {
	p := newProject(t, "dev")
	must(t, syscall.Mkfifo(p.absPath("fifo"), 0o644))
	t.Chdir(p.Root()) // the path of a socket must be short
	socket, err := net.Listen("unix", "s")
	must(t, err)
	defer socket.Close()
	must(t, os.Mkdir(p.absPath("dir"), 0o755))
	p.link("fifo", "link")
	p.link("/dev", "dev")
	p.Touch()
	for _, rel := range []string{"fifo", "s", "link", "dir", "dev/zero", "dev/null"} {
		p.refuses(rel, peek.ErrNotRegular)
		if e, ok := p.Stat(rel); !ok || e.Regular || e.Dir != (rel == "dir") {
			t.Errorf("%s: %+v, %v", rel, e, ok)
		}
	}
}
