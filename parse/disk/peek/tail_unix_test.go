//go:build unix

package peek

import (
	"path/filepath"
	"syscall"
	"testing"
	"time"
)

func TestReadTailDoesNotWait(t *testing.T) {
	path := filepath.Join(t.TempDir(), "fifo")
	if err := syscall.Mkfifo(path, 0o644); err != nil {
		t.Fatal(err)
	}
	done := make(chan error)
	go func() {
		_, err := ReadTail(path, make([]byte, 8))
		done <- err
	}()
	select {
	case err := <-done:
		if err != ErrNotRegular {
			t.Error(err)
		}
	case <-time.After(time.Minute):
		t.Fatal("reading a FIFO hangs")
	}
}
