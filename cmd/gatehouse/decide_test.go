//go:build unix

package main

import (
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"gatehouse/parse"
)

// TestDecideDuringConstantWrites decides while an agent writes the file all the time: a decision is made or refused, and no file is broken.
func TestDecideDuringConstantWrites(t *testing.T) {
	t.Parallel()
	if testing.Short() {
		t.Skip("real processes take seconds")
	}
	bin, err := builtPrograms()
	if err != nil {
		t.Fatal(err)
	}
	home := t.TempDir()
	dir := filepath.Join(home, "lamp")
	file := filepath.Join(dir, "lantern-state.json")
	if err := unpack("lantern", dir); err != nil {
		t.Fatal(err)
	}
	read := func() string { text, _ := os.ReadFile(file); return string(text) }
	approve := func() (code int, complaints string) {
		cmd := exec.Command(filepath.Join(bin, "gatehouse"), "approve", "sketch-gate", "--json")
		var errors strings.Builder
		cmd.Dir, cmd.Env, cmd.Stderr = dir, []string{"HOME=" + home, "PATH=" + os.Getenv("PATH")}, &errors
		cmd.Run()
		return cmd.ProcessState.ExitCode(), errors.String()
	}
	state, stop := read(), make(chan struct{})
	var writer sync.WaitGroup
	writer.Go(func() {
		for i := 0; ; i++ {
			select {
			case <-stop:
				return
			case <-time.After(time.Millisecond):
				beat := fmt.Sprintf(`"metrics": {"beat": %s}`, strings.Repeat("1", i%9+1))
				os.WriteFile(file, []byte(strings.Replace(state, `"metrics": {}`, beat, 1)), 0o644)
			}
		}
	})
	for range 4 {
		switch code, complaints := approve(); {
		case code == exitDone:
		case code == exitRefused && strings.Contains(complaints, "another writer"):
		case code == exitRefused && strings.Contains(complaints, "a file that can't be read is never written"):
		case code == exitRefused && strings.Contains(complaints, "the file can't be read now"):
		case code == exitUsage && strings.Contains(complaints, "no gate"): // it read only partial files
		default:
			t.Errorf("exit code %d, %s", code, complaints)
		}
	}
	close(stop)
	writer.Wait()
	if !json.Valid([]byte(read())) {
		t.Errorf("the file is broken: %s", read())
	}
	all, err := parse.AllDecisions(parse.User{Home: home, Journal: filepath.Join(home, ".local", "state", "gatehouse", "journal")})
	if err != nil {
		t.Fatal(err)
	}
	for _, d := range all {
		if d.Interrupted {
			t.Errorf("the result of %+v is unknown", d)
		}
	}
	// Once the writer has stopped, decisions work as usual.
	if code, complaints := approve(); code != exitDone || !strings.Contains(read(), `"passed"`) {
		t.Errorf("exit code %d, %s", code, complaints)
	}
	if e, _ := filepath.Glob(filepath.Join(dir, ".*")); len(e) > 0 {
		t.Errorf("left behind: %q", e)
	}
}
