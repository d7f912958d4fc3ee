package main

// A terminal for benchmarks, and for tests of faulty terminals: a program on its own pty. It records everything the program writes
// with the time of arrival, and answers terminal queries or none. It draws nothing: text on the screen is found in the output without its
// escape sequences, so tests must look for single words that are written in one piece.
//
// Terminals that read nothing, send nonsense, or notify the user.

import (
	"bytes"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"
	"unsafe"

	"github.com/charmbracelet/x/ansi"
)

// frameBegin and frameEnd mark a frame on a terminal with synchronized output (mode 2026).
var frameBegin, frameEnd = []byte("\x1b[?2026h"), []byte("\x1b[?2026l")

// queryAnswers are the replies of a common terminal to the queries of programs: modes 2026 and 2027, background color, device
// attributes, keyboard protocol, cursor position.
var queryAnswers = []struct{ question, answer []byte }{
	{[]byte("\x1b[?2026$p"), []byte("\x1b[?2026;2$y")},
	{[]byte("\x1b[?2027$p"), []byte("\x1b[?2027;2$y")},
	{[]byte("\x1b]11;?"), []byte("\x1b]11;rgb:0000/0000/0000\x1b\\")},
	{[]byte("\x1b[c"), []byte("\x1b[?62c")},
	{[]byte("\x1b[?u"), []byte("\x1b[?0u")},
	{[]byte("\x1b[6n"), []byte("\x1b[1;1R")},
}

// size is the size of a terminal.
type size struct{ columns, rows uint16 }

func (s size) String() string { return fmt.Sprintf("%dx%d", s.columns, s.rows) }

var small, large = size{80, 24}, size{200, 60}

// read is one read from the terminal: the number of bytes received so far, and the time.
type read struct {
	end int
	at  time.Time
}

// pty is a terminal with a program on it.
type pty struct {
	tb      testing.TB
	cmd     *exec.Cmd
	fd      int
	master  *os.File
	silent  bool
	started time.Time
	modes   syscall.Termios // of the terminal line, before the program started
	name    string          // path of the program's side
	gate    sync.Mutex      // locked while nothing is read
	stopped chan struct{}   // not nil while stopped

	mu    sync.Mutex
	raw   []byte
	reads []read
	fresh chan struct{} // closed when more output has arrived
	over  chan struct{} // closed when no more output can arrive
}

// openPTY starts a program in a directory, on a terminal of this size. A silent terminal queryAnswers no queries.
func openPTY(tb testing.TB, at size, silent bool, dir string, command ...string) *pty {
	tb.Helper()
	t := &pty{tb: tb, silent: silent, fresh: make(chan struct{}), over: make(chan struct{})}
	var err error
	if t.fd, err = syscall.Open("/dev/ptmx", syscall.O_RDWR|syscall.O_NOCTTY|syscall.O_CLOEXEC|syscall.O_NONBLOCK, 0); err != nil {
		tb.Fatalf("no pty: %v", err)
	}
	t.master = os.NewFile(uintptr(t.fd), "/dev/ptmx")
	var unlocked, number int32
	window := [4]uint16{at.rows, at.columns}
	t.control(syscall.TIOCSPTLCK, unsafe.Pointer(&unlocked))
	t.control(syscall.TIOCGPTN, unsafe.Pointer(&number))
	t.control(syscall.TIOCSWINSZ, unsafe.Pointer(&window))
	t.modes = t.lineModes()
	t.name = fmt.Sprintf("/dev/pts/%d", number)
	slave, err := os.OpenFile(t.name, os.O_RDWR|syscall.O_NOCTTY, 0)
	must(tb, err)
	defer slave.Close()

	t.cmd = exec.Command(command[0], command[1:]...)
	t.cmd.Dir = dir
	t.cmd.Env = []string{
		"PATH=" + os.Getenv("PATH"), "HOME=" + tb.TempDir(), "TERM=xterm-256color", "COLORTERM=truecolor", "LANG=C.UTF-8",
		"GOTRACEBACK=all",
	}
	t.cmd.Stdin, t.cmd.Stdout, t.cmd.Stderr = slave, slave, slave
	t.cmd.SysProcAttr = &syscall.SysProcAttr{Setsid: true, Setctty: true}
	t.started = time.Now()
	must(tb, t.cmd.Start())
	go t.listen()
	return t
}

func (t *pty) control(request uintptr, argument unsafe.Pointer) {
	t.tb.Helper()
	if _, _, e := syscall.Syscall(syscall.SYS_IOCTL, uintptr(t.fd), request, uintptr(argument)); e != 0 {
		t.tb.Fatalf("ioctl %#x on a pty: %v", request, e)
	}
}

func (t *pty) lineModes() (modes syscall.Termios) {
	t.control(syscall.TCGETS, unsafe.Pointer(&modes))
	return modes
}

// listen records what the program writes, and queryAnswers queries.
func (t *pty) listen() {
	defer close(t.over)
	buf := make([]byte, 64<<10)
	for {
		n, err := t.master.Read(buf)
		at := time.Now()
		if errors.Is(err, os.ErrDeadlineExceeded) {
			t.gate.Lock()
			t.gate.Unlock() //lint:ignore SA2001 it is waited for
			continue
		}
		if err != nil {
			return // EIO: no process has the other side open
		}
		t.mu.Lock()
		before := len(t.raw)
		t.raw = append(t.raw, buf[:n]...)
		t.reads = append(t.reads, read{len(t.raw), at})
		raw := t.raw
		close(t.fresh)
		t.fresh = make(chan struct{})
		t.mu.Unlock()
		if t.silent {
			continue
		}
		for _, a := range queryAnswers { // a query may span two reads
			if bytes.Contains(raw[max(0, before-len(a.question)+1):], a.question) {
				t.master.Write(a.answer)
			}
		}
	}
}

// stop makes the terminal stop reading, and keeps the buffer between it and the program full, so that writers
// block: the system frees some space there at any time.
func (t *pty) stop() {
	t.tb.Helper()
	line, err := syscall.Open(t.name, syscall.O_WRONLY|syscall.O_NOCTTY|syscall.O_NONBLOCK|syscall.O_CLOEXEC, 0)
	must(t.tb, err)
	t.gate.Lock()
	t.master.SetReadDeadline(time.Unix(1, 0))
	stopped, full := make(chan struct{}), make(chan struct{})
	t.stopped = stopped
	isFull := sync.OnceFunc(func() { close(full) })
	go func() {
		defer syscall.Close(line)
		nothing, since := make([]byte, 4096), time.Now()
		for {
			n, _ := syscall.Write(line, nothing)
			for more := n; more <= 0 && len(nothing) > 1; { // if a large write does not fit, a small one may
				nothing = nothing[:len(nothing)/8]
				more, _ = syscall.Write(line, nothing)
				n = max(n, more)
			}
			select {
			case <-stopped:
				return
			default:
			}
			if n > 0 {
				since = time.Now()
				nothing = nothing[:cap(nothing)]
				continue
			}
			if time.Since(since) > 20*time.Millisecond {
				isFull()
			}
			time.Sleep(time.Millisecond)
		}
	}()
	<-full
}

// blockOutput moves the selection back and forth until the program blocks on a write to the terminal: the system may free space for a few
// bytes, and one movement may fit there.
func (t *pty) blockOutput() {
	t.tb.Helper()
	writing := fmt.Sprintf("%d ", syscall.SYS_WRITE)
	waits := func() bool {
		return slices.ContainsFunc(t.threads("syscall"), func(call []byte) bool { return strings.HasPrefix(string(call), writing) })
	}
	for i, end := 0, time.Now().Add(waitLimit); time.Now().Before(end); i++ {
		t.press("jk"[i%2 : i%2+1])
		for range 50 {
			if waits() {
				return
			}
			time.Sleep(time.Millisecond)
		}
	}
	t.tb.Fatal("the program does not write")
}

// goOn makes a stopped terminal read again.
func (t *pty) goOn() {
	close(t.stopped)
	t.stopped = nil
	t.master.SetReadDeadline(time.Time{})
	t.gate.Unlock()
}

// mark returns the number of bytes received so far.
func (t *pty) mark() int {
	t.mu.Lock()
	defer t.mu.Unlock()
	return len(t.raw)
}

// since returns the output after a mark, and the number of frames in it.
func (t *pty) since(mark int) (raw []byte, frames int) {
	t.mu.Lock()
	defer t.mu.Unlock()
	raw = bytes.Clone(t.raw[mark:])
	return raw, bytes.Count(raw, frameBegin)
}

// text returns the output after a mark without its escape sequences.
func (t *pty) text(mark int) string {
	raw, _ := t.since(mark)
	return ansi.Strip(string(raw))
}

// when waits until the output after a mark is enough. It returns the times of the first read after the mark, and of the read that
// completed it.
func (t *pty) when(mark int, what string, enough func(raw []byte) bool) (first, at time.Time) {
	t.tb.Helper()
	end := time.After(waitLimit)
	for i := 0; ; {
		t.mu.Lock()
		raw, reads, fresh := t.raw, t.reads, t.fresh
		t.mu.Unlock()
		for ; i < len(reads); i++ {
			if reads[i].end <= mark {
				continue
			}
			if first.IsZero() {
				first = reads[i].at
			}
			if enough(raw[mark:reads[i].end]) {
				return first, reads[i].at
			}
		}
		select {
		case <-fresh:
		case <-t.over:
			t.tb.Fatalf("the program ended before %s: %q", what, tail(raw[mark:]))
		case <-end:
			t.tb.Fatalf("no %s in the output: %q", what, tail(raw[mark:]))
		}
	}
}

func tail(raw []byte) []byte { return raw[max(0, len(raw)-2000):] }

// waitForWords waits until the output after a mark contains the words.
func (t *pty) waitForWords(mark int, words ...string) (first, at time.Time) {
	t.tb.Helper()
	return t.when(mark, strings.Join(words, " and "), func(raw []byte) bool {
		text := ansi.Strip(string(raw))
		return !slices.ContainsFunc(words, func(w string) bool { return !strings.Contains(text, w) })
	})
}

// waitForFrame waits for the end of a frame after a mark.
func (t *pty) waitForFrame(mark int) (first, at time.Time) {
	t.tb.Helper()
	return t.when(mark, "a frame", func(raw []byte) bool { return bytes.Contains(raw, frameEnd) })
}

// settle waits until no output has arrived for a while, and returns the time of the last output.
func (t *pty) settle(quiet time.Duration) (last time.Time) {
	for {
		t.mu.Lock()
		fresh := t.fresh
		if n := len(t.reads); n > 0 {
			last = t.reads[n-1].at
		}
		t.mu.Unlock()
		select {
		case <-fresh:
		case <-t.over:
			return last
		case <-time.After(quiet):
			return last
		}
	}
}

// press types keys and returns the time.
func (t *pty) press(keys string) time.Time {
	t.tb.Helper()
	at := time.Now()
	t.master.SetWriteDeadline(at.Add(waitLimit)) // for a program that reads nothing
	if _, err := t.master.WriteString(keys); err != nil {
		t.tb.Fatal(err)
	}
	return at
}

// signal sends the program a signal and returns the time.
func (t *pty) signal(s syscall.Signal) time.Time {
	t.tb.Helper()
	at := time.Now()
	must(t.tb, t.cmd.Process.Signal(s))
	return at
}

// waitEnd waits for the program to end and returns the time and its exit code.
func (t *pty) waitEnd() (at time.Time, code int) {
	t.tb.Helper()
	watchdog := time.AfterFunc(waitLimit, func() { t.cmd.Process.Kill() })
	err := t.cmd.Wait()
	at = time.Now()
	if !watchdog.Stop() {
		t.tb.Error("the program did not end")
	}
	var exit *exec.ExitError
	if err != nil && !errors.As(err, &exit) {
		t.tb.Error(err)
	}
	<-t.over // now all its output has arrived
	return at, t.cmd.ProcessState.ExitCode()
}

// waitEndStopped waits for the program to end, on a terminal that may not be read. It takes at most
// half as long as other waits.
func (t *pty) waitEndStopped() (code int, err error) {
	ended := make(chan error, 1)
	go func() { ended <- t.cmd.Wait() }()
	select {
	case <-ended:
		return t.cmd.ProcessState.ExitCode(), nil
	case <-time.After(waitLimit / 2):
		t.cmd.Process.Kill()
		<-ended
		return 0, errors.New("the program does not end")
	}
}

// close ends the program in any state, and closes the terminal.
func (t *pty) close() {
	if t.cmd.ProcessState == nil {
		t.cmd.Process.Kill()
		t.cmd.Wait()
	}
	t.hangUp()
}

// hangUp closes the terminal under the program.
func (t *pty) hangUp() {
	t.master.Close()
	if t.stopped != nil {
		t.goOn()
	}
	<-t.over
}

// checkRestored fails the benchmark if the terminal is not as the program found it: the main screen, with a cursor, without
// mouse reports or bracketed paste, and with the previous keyboard and line modes.
func (t *pty) checkRestored() {
	t.tb.Helper()
	raw, _ := t.since(0)
	for mode, wanted := range map[string]byte{"1049": 'l', "25": 'h', "1000": 'l', "1002": 'l', "1003": 'l', "1006": 'l', "2004": 'l', "1004": 'l', "2027": 'l'} {
		last := -1
		var is byte
		for _, set := range []byte("hl") {
			if i := bytes.LastIndex(raw, []byte("\x1b[?"+mode+string(set))); i > last {
				last, is = i, set
			}
		}
		if last >= 0 && is != wanted {
			t.tb.Errorf("the terminal is not restored: mode %s ends with %c", mode, is)
		}
	}
	if modes := t.lineModes(); modes != t.modes {
		t.tb.Errorf("the line is not restored: %+v, was %+v", modes, t.modes)
	}
}

// built returns the program, which is built once for all tests.
func built(t *testing.T) string {
	t.Helper()
	if testing.Short() {
		t.Skip("a program on a terminal takes seconds")
	}
	dir, err := builtPrograms()
	must(t, err)
	return filepath.Join(dir, "gatehouse")
}

func TestTerminalReadsNothing(t *testing.T) {
	bin := built(t)
	signals := func(all ...syscall.Signal) func(*pty) {
		return func(w *pty) {
			for _, s := range all {
				w.signal(s)
			}
		}
	}
	keys := func(keys string) func(*pty) { return func(w *pty) { w.press(keys) } }
	for _, c := range []struct {
		name string
		end  func(*pty)
		code int
	}{
		{"q", keys("q"), 0},
		{"ctrl+c", keys("\x03"), 0},
		{"SIGTERM", signals(syscall.SIGTERM), 128 + int(syscall.SIGTERM)},
		{"SIGINT", signals(syscall.SIGINT), 128 + int(syscall.SIGINT)},
		{"SIGHUP", signals(syscall.SIGHUP), 128 + int(syscall.SIGHUP)},
		{"SIGTERM twice", signals(syscall.SIGTERM, syscall.SIGTERM), 128 + int(syscall.SIGTERM)},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			w := openDrawn(t, large, tenRows(t), bin)
			defer w.close()
			w.stop()
			w.blockOutput()
			c.end(w)
			code, err := w.waitEndStopped()
			must(t, err)
			if code != c.code {
				t.Errorf("exit code %d, want %d", code, c.code)
			}
			if modes := w.lineModes(); modes != w.modes {
				t.Errorf("the line is not restored: %+v, was %+v", modes, w.modes)
			}
			w.goOn()
		})
	}
}

// TestTerminalReadsAgain checks that keys worked while the terminal was stopped, and that their effect is drawn.
func TestTerminalReadsAgain(t *testing.T) {
	t.Parallel()
	w := openDrawn(t, large, tenRows(t), built(t))
	defer w.close()
	w.stop()
	w.blockOutput()
	w.press(strings.Repeat("?q", 100) + "?")
	mark := w.mark()
	w.goOn()
	w.waitForWords(mark, "signs") // in the help
	w.press("\x03")
	if _, code := w.waitEnd(); code != 0 {
		t.Errorf("exit code %d", code)
	}
	w.checkRestored()
}

// waitForWord waits for a word. With much output this is cheaper than [pty.waitForWords].
func (t *pty) waitForWord(mark int, word string) {
	t.tb.Helper()
	t.when(mark, word, func(raw []byte) bool { return bytes.Contains(raw, []byte(word)) })
}

// waitInputRead waits until the program has read its input.
func (t *pty) waitInputRead() {
	t.tb.Helper()
	line, err := os.OpenFile(t.name, os.O_RDWR|syscall.O_NOCTTY, 0)
	must(t.tb, err)
	defer line.Close()
	left := int32(-1)
	for end := time.Now().Add(waitLimit); left != 0 && time.Now().Before(end); time.Sleep(time.Millisecond) {
		syscall.Syscall(syscall.SYS_IOCTL, line.Fd(), syscall.TIOCINQ, uintptr(unsafe.Pointer(&left)))
	}
	if left != 0 {
		t.tb.Fatalf("the program does not read: %d bytes wait", left)
	}
}

// checkMemory ends the dashboard by a key and checks how much memory it needed.
func (t *pty) checkMemory(mebibytes float64) {
	t.tb.Helper()
	t.waitInputRead()
	peak := t.mebibytes("VmHWM:")
	if peak > mebibytes {
		t.tb.Errorf("it has needed %.0f MiB, at most %.0f are enough", peak, mebibytes)
	}
	t.press("\x03")
	if _, code := t.waitEnd(); code != 0 {
		t.tb.Errorf("exit code %d", code)
	}
	t.checkRestored()
}

func TestImpossibleTerminalSizes(t *testing.T) {
	bin := built(t)
	const most = 250 // the need of the largest screen that is drawn, doubled
	for _, c := range []struct {
		name string
		at   size
		then func(*pty)
	}{
		{"the largest there is", size{65535, 65535}, nil},
		{"wide", size{65535, 24}, nil},
		{"high", size{80, 65535}, nil},
		{"none", size{0, 0}, nil},
		{"grown to the largest", small, func(w *pty) {
			w.control(syscall.TIOCSWINSZ, unsafe.Pointer(&[4]uint16{65535, 65535}))
		}},
		{"reported among the keys", small, func(w *pty) { w.press("\x1b[48;99999;99999;0;0t\x1b[8;99999;99999t") }},
		{"nothing, reported among the keys", small, func(w *pty) { w.press("\x1b[48;0;0;0;0t\x1b[8;0;0t\x1b[48;-1;-1;0;0t") }},
	} {
		t.Run(c.name, func(t *testing.T) {
			w := openPTY(t, c.at, false, tenRows(t).dir, bin)
			defer w.close()
			w.waitForWord(0, landmark)
			if c.then != nil {
				c.then(w)
			}
			mark := w.mark()
			w.press("?")
			w.waitForWord(mark, "signs") // in the help
			w.checkMemory(most)
		})
	}
}

func TestHugeInput(t *testing.T) {
	bin := built(t)
	const most = 60 // three times its need
	for _, c := range []struct {
		name, begin, more, end string
		times                  int
	}{
		{"keys", "", "jk", "", 2000},
		{"keys that do nothing", "", "\x1b", "j", 4000},
		{"keys behind one with alt", "\x1bj", "k", "", 4000},
		{"keys behind what is broken", "\x1b[1\x00", "k", "", 4000},
		{"keys of Windows", "", "\x1b[65;30;97;1;0;65535_", "", 1000},
		{"a text, typed", "/", "moon ", "\x1b\x1bj", 500},
		{"a text, pasted", "/\x1b[200~", "all of it ", "\x1b[201~\x1b\x1bj", 100_000},
		{"a paste without an end", "\x1b[200~", "all of it ", "", 100_000},
		{"marks on a letter", "/a", "\u0301", "\x1b\x1bj", 4000},
		{"a reply without an end", "\x1b]11;rgb:", "ffff", "\x07", 100_000},
		{"a device without an end", "\x1bP", "ffff", "\x1b\\", 100_000},
		{"numbers", "\x1b[", "1;", "m", 100_000},
		{"clicks anywhere", "", "\x1b[<0;99999;4294967297M\x1b[<0;0;0m\x1b[<64;-1;99999999999999999999M\x1b[<35;1;1M", "", 2000},
		{"focus", "", "\x1b[I\x1b[O", "", 4000},
		{"sizes", "", "\x1b[8;500;900t\x1b[48;1;1;0;0t", "", 4000},
		{"bytes", "", "\xff\x9b\x9d\xc3\x00\xf0\x9f", "", 4000},
	} {
		t.Run(c.name, func(t *testing.T) {
			w := openDrawn(t, large, tenRows(t), bin)
			defer w.close()
			w.press(c.begin + strings.Repeat(c.more, c.times) + c.end)
			w.checkMemory(most)
		})
	}
}

// notifiedUser is a user who has dashboards open and is asked things.
type notifiedUser struct {
	*testing.T
	bin, home, log string
}

func newNotifiedUser(t *testing.T) *notifiedUser {
	if testing.Short() {
		t.Skip("dashboards on real terminals take seconds")
	}
	dir, err := os.MkdirTemp("", "gh") // t.TempDir is too long for the path of a socket
	must(t, err)
	t.Cleanup(func() { os.RemoveAll(dir) })
	u := &notifiedUser{t, built(t), dir, filepath.Join(dir, "log")}
	conf := "set -g allow-passthrough on\nset -g bell-action any\n"
	must(t, os.WriteFile(filepath.Join(dir, "conf"), []byte(conf), 0o600))
	return u
}

// nothingWaits is on the screen once the project was read and nothing waits. Waits of the first reading cause no notification.
const nothingWaits = "Looked for"

// dashboard opens a dashboard in nested multiplexers, and waits until it shows the text.
func (u *notifiedUser) dashboard(nested int, how, shows string) *pty {
	u.Helper()
	line := u.bin + " --notify " + how + ` --notify-command 'echo "$GATEHOUSE_NOTICE_KIND $GATEHOUSE_NOTICE_ID $GATEHOUSE_NOTICE_TEXT" >>"$HOME/log"'`
	for i := range nested + 1 {
		file := filepath.Join(u.home, "run"+strconv.Itoa(i))
		must(u, os.WriteFile(file, []byte("exec "+line+"\n"), 0o600))
		if line = "sh " + file; i < nested {
			socket := file + ".socket"
			u.Cleanup(func() { exec.Command("tmux", "-S", socket, "kill-server").Run() })
			line = "env -u TMUX -u TMUX_PANE tmux -u -S " + socket + " -f " + u.home + "/conf new-session '" + line + "'"
		}
	}
	w := openPTY(u, small, false, u.home, "env", "HOME="+u.home, "SHELL=/bin/sh", "sh", "-c", line)
	u.Cleanup(w.close)
	w.waitForWords(0, shows)
	return w
}

// ask makes a script ask something.
func (u *notifiedUser) ask(question string) {
	u.Helper()
	cmd := exec.Command(u.bin, "ask", question, "--text", "--detach")
	cmd.Dir, cmd.Env = u.home, []string{"HOME=" + u.home}
	if out, err := cmd.CombinedOutput(); err != nil {
		u.Fatalf("%v: %s", err, out)
	}
}

// ran waits until the user's command has run for a question, and returns how often it ran.
func (u *notifiedUser) ran(question string) int {
	u.Helper()
	var text []byte
	waitUntil(u.T, "the command for "+question, func() bool {
		text, _ = os.ReadFile(u.log)
		return strings.Contains(string(text), " "+question+"\n")
	})
	return strings.Count(string(text), " "+question+"\n")
}

func TestNotifyThroughMultiplexers(t *testing.T) {
	if _, err := exec.LookPath("tmux"); err != nil {
		t.Skip("tmux is not installed")
	}
	for nested, name := range []string{"none", "tmux"} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			u := newNotifiedUser(t)
			w := u.dashboard(nested, "osc9", nothingWaits)
			mark := w.mark()
			u.ask("Which shade?")
			note := []byte("\x1b]9;waits for you: " + filepath.Base(u.home) + " · script · Which shade?\x1b\\")
			w.when(mark, "a notification", func(raw []byte) bool { return bytes.Contains(raw, note) })
			u.ran("Which shade?")
			w.settle(100 * time.Millisecond)
			raw, _ := w.since(mark)
			if n := bytes.Count(raw, []byte("]9;")); n != 1 {
				t.Errorf("%d notifications: %q", n, raw)
			}
			if bytes.Contains(raw, []byte("tmux;")) {
				t.Errorf("tmux passed its wrapper on: %q", raw)
			}
		})
	}
}

func TestNotifyOncePerAsk(t *testing.T) {
	t.Parallel()
	u := newNotifiedUser(t)
	one, two := u.dashboard(0, "bell", nothingWaits), u.dashboard(0, "osc9", nothingWaits)
	u.ask("Which hook?")
	for _, w := range []*pty{one, two} {
		w.waitForWords(0, "Which hook?")
	}
	u.ran("Which hook?")
	one.press("q")
	one.waitEnd()
	again := u.dashboard(0, "osc9", "Which hook?")
	u.ask("Which cord?") // notifications are in order: once this one arrives, all earlier ones have arrived
	if n := u.ran("Which cord?"); n != 1 {
		t.Errorf("the command ran %d times", n)
	}
	if n := u.ran("Which hook?"); n != 1 {
		t.Errorf("the command ran %d times", n)
	}
	for _, w := range []*pty{two, again} {
		w.waitForWords(0, "Which cord?")
		w.settle(100 * time.Millisecond)
	}
	notifications := func(w *pty) int {
		raw, _ := w.since(0)
		return bytes.Count(raw, []byte("]9;"))
	}
	if n := notifications(two) + notifications(again); n > 2 {
		t.Errorf("%d notifications of two questions", n)
	}
}
