//go:build unix

package peek

import (
	"os"
	"path/filepath"
	"testing"
	"time"
)

// TestRealPathOfReplacedFile reads the real path of a file while other files are continually renamed over it.
func TestRealPathOfReplacedFile(t *testing.T) {
	dir, err := filepath.EvalSymlinks(t.TempDir())
	must(t, err)
	path, next := filepath.Join(dir, "state.json"), filepath.Join(dir, "next")
	odd := filepath.Join(dir, "odd (deleted)")
	for _, name := range []string{path, odd} {
		must(t, os.WriteFile(name, nil, 0o600))
	}
	stop, stopped := make(chan struct{}), make(chan struct{})
	go func() {
		defer close(stopped)
		for {
			select {
			case <-stop:
				return
			default:
				os.WriteFile(next, nil, 0o600)
				os.Rename(next, path)
			}
		}
	}()
	for end := time.Now().Add(300 * time.Millisecond); time.Now().Before(end); {
		if real, ok := RealPath(path); real != path || !ok {
			t.Fatalf("%q, %v", real, ok)
		}
		if real, ok := RealPath(odd); real != odd || !ok {
			t.Fatalf("%q, %v", real, ok)
		}
	}
	close(stop)
	<-stopped
}
