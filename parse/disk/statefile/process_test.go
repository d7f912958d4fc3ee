//go:build unix

package statefile_test

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"gatehouse/parse/disk/peek"
	. "gatehouse/parse/disk/statefile"
	"gatehouse/parse/disk/statefile/faults"
	"gatehouse/parse/unprivileged"
)

// childVariable makes a run of the test binary a process that writes. Its value says how and to which file.
const childVariable = "GATEHOUSE_STATEFILE_CHILD"

func TestMain(m *testing.M) {
	if args := strings.Fields(os.Getenv(childVariable)); len(args) == 3 {
		n, err := strconv.Atoi(args[2])
		if err == nil {
			err = child(args[0], args[1], n)
		}
		if err != nil {
			fmt.Fprintln(os.Stderr, err)
			os.Exit(1)
		}
		return
	}
	os.Exit(m.Run())
}

// noRaceSleep keeps the race detector from making each process wait a second at its end.
const noRaceSleep = "GORACE=atexit_sleep_ms=0"

// child runs such a process.
func child(do, path string, n int) error {
	s := NewStore(nil)
	target := Target{path, []string{filepath.Dir(path)}}
	switch do {
	case "die": // at the nth step
		s = NewStore(faults.Stepping(func(string) error {
			if n--; n == -1 {
				syscall.Kill(os.Getpid(), syscall.SIGKILL)
				select {}
			}
			return nil
		}))
		_, err := s.Replace(context.Background(), target, increment)
		return err
	case "count": // up, n times, or until it is killed, and print a dot each time
		for i := 0; i != n; i++ {
			if _, err := s.Replace(context.Background(), target, increment); err != nil {
				return err
			}
			os.Stdout.Write([]byte("."))
		}
	case "approve": // as a human would, and print the result
		_, err := s.Replace(context.Background(), target, upper)
		fmt.Println(err)
	}
	return nil
}

// start starts a process that writes.
func start(t *testing.T, do, path string, n int) (cmd *exec.Cmd, out io.Reader) {
	t.Helper()
	self, err := os.Executable()
	must(t, err)
	cmd = exec.Command(self)
	cmd.Env = append(os.Environ(), noRaceSleep, fmt.Sprintf("%s=%s %s %d", childVariable, do, path, n))
	cmd.Stderr = os.Stderr
	out, err = cmd.StdoutPipe()
	must(t, err)
	must(t, cmd.Start())
	return cmd, out
}

// counter is a state that is whole only if all its fields exist and agree.
type counter struct {
	First int
	Pages string // so that it is more than one page of memory
	Last  int
}

func count(n int) string {
	b, err := json.Marshal(counter{n, strings.Repeat(fmt.Sprintf("%8d", n), 1200), n})
	if err != nil {
		panic(err)
	}
	return string(b)
}

// counted returns the number in a state, and an error if the state is not whole.
func counted(content string) (int, error) {
	var c counter
	if err := json.Unmarshal([]byte(content), &c); err != nil {
		return 0, fmt.Errorf("not whole: %w", err)
	}
	if content != count(c.First) {
		return 0, fmt.Errorf("mixed: %d, %d", c.First, c.Last)
	}
	return c.First, nil
}

func increment(content string) (string, error) {
	n, err := counted(content)
	return count(n + 1), err
}

// whole returns the number in the file, which has to be whole.
func (p project) whole() int {
	p.Helper()
	b, err := os.ReadFile(p.file)
	must(p.T, err)
	n, err := counted(string(b))
	must(p.T, err)
	return n
}

// killRounds returns the number of rounds for a test that finds a fault only by chance: few, or the value of GATEHOUSE_KILLS.
func killRounds(t *testing.T, few int) int {
	s := os.Getenv("GATEHOUSE_KILLS")
	if s == "" {
		return few
	}
	n, err := strconv.Atoi(s)
	must(t, err)
	return n
}

func TestKilledAtEveryStep(t *testing.T) {
	p := newProject(t, count(0))
	rounds := killRounds(t, 2)
	kills := 0
	for range rounds {
		for n := 0; ; n++ {
			before := p.whole()
			cmd, _ := start(t, "die", p.file, n)
			if cmd.Wait() == nil {
				break
			}
			kills++
			if now := p.whole(); now != before && now != before+1 {
				t.Fatalf("killed at step %d: %d became %d", n, before, now)
			}
			// The next writer does not find the file locked, and removes the leftovers.
			before = p.whole()
			_, err := NewStore(nil).Replace(t.Context(), p.target(), increment)
			must(t, err)
			p.holds(count(before + 1))
		}
	}
	if kills < 15*rounds {
		t.Errorf("only %d processes were killed", kills)
	}
	t.Logf("%d processes killed", kills)
}

func TestProcessesLoseNothing(t *testing.T) {
	const processes, each = 8, 25
	p := newProject(t, count(0))
	var all []*exec.Cmd
	for range processes {
		cmd, _ := start(t, "count", p.file, each)
		all = append(all, cmd)
	}
	for _, cmd := range all {
		must(t, cmd.Wait())
	}
	p.holds(count(processes * each))
}

// TestKilledAmongOthers kills writers while others write. Nothing is lost: the file has every write that they reported, and at most
// one more of each. No writer waits for a dead one.
func TestKilledAmongOthers(t *testing.T) {
	const writers = 4
	rounds := killRounds(t, 20)
	p := newProject(t, count(0))
	reports, kills := make(chan int), 0
	begun := time.Now()
	for range writers {
		go func() {
			for range rounds {
				self, err := os.Executable()
				var out bytes.Buffer
				cmd := exec.Command(self)
				cmd.Env = append(os.Environ(), fmt.Sprintf("%s=count %s -1", childVariable, p.file))
				cmd.Stdout, cmd.Stderr = &out, os.Stderr
				if err == nil {
					err = cmd.Start()
				}
				if err != nil {
					t.Error(err)
					reports <- 0
					continue
				}
				time.Sleep(rand.N(40 * time.Millisecond)) // kill it at a random moment
				_ = cmd.Process.Kill()
				_ = cmd.Wait()
				reports <- out.Len()
			}
		}()
	}
	total := 0
	for range writers * rounds {
		total += <-reports
		kills++
	}
	if n := p.whole(); n < total || n > total+kills {
		t.Errorf("%d writes were reported by %d processes, and the file has %d", total, kills, n)
	}
	s, waited := NewStore(nil), time.Duration(0)
	var pause func(context.Context, time.Duration) error
	pause = s.OnPause(func(ctx context.Context, d time.Duration) error {
		waited += d
		return pause(ctx, d)
	})
	_, err := s.Replace(t.Context(), p.target(), increment)
	must(t, err)
	if waited > 5*time.Second {
		t.Errorf("the next writer waited for %v", waited)
	}
	p.noLitter("all are gone")
	t.Logf("%d kills, %d writes in %v", kills, total, time.Since(begun))
}

func TestSpecialFiles(t *testing.T) {
	p := newProject(t, "")
	must(t, os.Remove(p.file))
	must(t, syscall.Mkfifo(p.file, 0o644))
	ended := time.AfterFunc(time.Minute, func() { panic("it hangs") })
	defer ended.Stop()
	_, err := NewStore(nil).Replace(t.Context(), p.target(), upper)
	p.fails(err, peek.ErrNotRegular)
	_, err = NewStore(nil).Read(Target{"/dev/zero", []string{"/dev"}})
	p.fails(err, peek.ErrNotRegular)
	must(t, os.Remove(p.file))
	must(t, os.WriteFile(p.file, []byte("one"), 0o644))
	must(t, syscall.Mkfifo(p.file+".lock", 0o644))
	_, err = NewStore(nil).Replace(t.Context(), p.target(), upper)
	p.fails(err, ErrBusy, "is not a lock")
	p.holds("one", "x-state.json.lock")
}

// nobody is a user without any rights.
const nobody = unprivileged.UID

// asNobody writes a file in a process whose user permissions apply to, and returns its output.
func asNobody(t *testing.T, path string) string {
	t.Helper()
	if os.Getuid() != 0 {
		_, err := NewStore(nil).Replace(t.Context(), Target{path, []string{filepath.Dir(path)}}, upper)
		return fmt.Sprint(err)
	}
	cmd := unprivileged.Command(t)
	cmd.Env = []string{noRaceSleep, childVariable + "=approve " + path + " 0"}
	out, err := cmd.CombinedOutput()
	if err != nil {
		t.Fatalf("as nobody: %v\n%s", err, out)
	}
	return string(bytes.TrimSpace(out))
}

func TestPermissions(t *testing.T) {
	root := os.Getuid() == 0
	const (
		unwritable = "x-state.json: may not be written; check its owner and permissions"
		closed     = "nothing may be written in its directory: permission denied; check the permissions of "
		sticky     = "x-state.json: was not changed, nobody else may replace it in its directory: operation not permitted; have its owner do it, "
		foreign    = "x-state.json: was not changed: it would lose its owner or group; "
	)
	for name, c := range map[string]struct {
		file, dir os.FileMode
		uid, gid  int // of the file
		want      string
		ofRoot    bool // the directory belongs to root, not to nobody
	}{
		"nothing special":                      {0o644, 0o755, nobody, nobody, "<nil>", false},
		"a read-only file":                     {0o444, 0o755, nobody, nobody, unwritable, false},
		"an unreadable file":                   {0o200, 0o755, nobody, nobody, unwritable, false},
		"a read-only directory":                {0o644, 0o555, nobody, nobody, closed, false},
		"another user's file":                  {0o644, 0o755, 0, 0, unwritable, false},
		"a file of the group":                  {0o664, 0o755, 0, nobody, "<nil>", false},
		"another user's file, writable by all": {0o666, 0o755, 0, 0, foreign, false},
		"own file in a sticky directory":       {0o644, 0o777 | os.ModeSticky, nobody, nobody, "<nil>", true},
		"another user's in a sticky directory": {0o664, 0o777 | os.ModeSticky, 0, nobody, sticky, true},
	} {
		t.Run(name, func(t *testing.T) {
			if !root && (c.uid == 0 || c.ofRoot) {
				t.Skip("only root makes a file that belongs to another user")
			}
			dir, err := os.MkdirTemp("/tmp", "statefile-") // other users cannot enter the test's own directory
			must(t, err)
			t.Cleanup(func() { os.RemoveAll(dir) })
			p := project{t, dir, filepath.Join(dir, "x-state.json")}
			must(t, os.WriteFile(p.file, []byte("one"), 0o644))
			must(t, os.Chmod(p.file, c.file))
			if root {
				if !c.ofRoot {
					must(t, os.Chown(dir, nobody, nobody))
				}
				must(t, errors.Join(os.Chown(p.file, c.uid, c.gid), os.Chmod(p.file, c.file)))
			}
			must(t, os.Chmod(dir, c.dir))
			got := asNobody(t, p.file)
			if !strings.Contains(got, c.want) {
				t.Errorf("%s, want %s", got, c.want)
			}
			must(t, os.Chmod(dir, 0o755))
			if info := stat(t, p.file); info.Mode() != c.file {
				t.Errorf("mode %v, want %v", info.Mode(), c.file)
			}
			must(t, os.Chmod(p.file, 0o644))
			if c.want == "<nil>" {
				p.holds("ONE")
			} else {
				p.holds("one")
			}
		})
	}
}

func TestOwnerIsKept(t *testing.T) {
	if os.Getuid() != 0 {
		t.Skip("only root can give a file away")
	}
	p := newProject(t, "one")
	must(t, os.Chown(p.file, nobody, 4242))
	must(t, os.Chmod(p.file, 0o2751))
	before := stat(t, p.file).Mode()
	_, err := NewStore(nil).Replace(t.Context(), p.target(), upper)
	must(t, err)
	if uid, gid := Owner(stat(t, p.file)); uid != nobody || gid != 4242 || stat(t, p.file).Mode() != before {
		t.Errorf("%d, %d, %v, want %d, %d, %v", uid, gid, stat(t, p.file).Mode(), nobody, 4242, before)
	}
	p.holds("ONE")
}
