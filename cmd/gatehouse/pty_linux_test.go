package main_test

// A terminal for benchmarks, and for tests of terminals that go wrong: a program on a pty of its own, everything it writes
// with the time it came, and answers to what programs ask a terminal, or none. It draws nothing: what the screen says is
// looked up in the text that is left when the escape sequences are taken out, so what is looked for must be one word,
// written in one piece.

import (
	"bytes"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"slices"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"
	"unsafe"

	"github.com/charmbracelet/x/ansi"
)

// patience is how long a benchmark or a test waits for anything before it fails.
const patience = 2 * time.Minute

// What a frame begins and ends with on a terminal that has synchronised output (mode 2026).
var frameBegin, frameEnd = []byte("\x1b[?2026h"), []byte("\x1b[?2026l")

// answers are what a common terminal says to the questions programs ask: modes 2026 and 2027, background color, device
// attributes, keyboard protocol, cursor position.
var answers = []struct{ question, answer []byte }{
	{[]byte("\x1b[?2026$p"), []byte("\x1b[?2026;2$y")},
	{[]byte("\x1b[?2027$p"), []byte("\x1b[?2027;2$y")},
	{[]byte("\x1b]11;?"), []byte("\x1b]11;rgb:0000/0000/0000\x1b\\")},
	{[]byte("\x1b[c"), []byte("\x1b[?62c")},
	{[]byte("\x1b[?u"), []byte("\x1b[?0u")},
	{[]byte("\x1b[6n"), []byte("\x1b[1;1R")},
}

// size is that of a terminal.
type size struct{ columns, rows uint16 }

func (s size) String() string { return fmt.Sprintf("%dx%d", s.columns, s.rows) }

var small, large = size{80, 24}, size{200, 60}

// read is one read from the terminal: how much had come by then in all, and when.
type read struct {
	end int
	at  time.Time
}

// terminal is a pty with a program on it.
type terminal struct {
	tb      testing.TB
	cmd     *exec.Cmd
	fd      int
	master  *os.File
	silent  bool
	started time.Time
	modes   syscall.Termios // of the line, before the program
	name    string          // of the program's side
	gate    sync.Mutex      // held while nothing is read
	stopped chan struct{}   // not nil then

	mu    sync.Mutex
	raw   []byte
	reads []read
	fresh chan struct{} // closed when more has come
	over  chan struct{} // closed when nothing more can come
}

// openPTY starts a program in a directory, on a terminal of this size. A silent one answers nothing.
func openPTY(tb testing.TB, at size, silent bool, dir string, command ...string) *terminal {
	tb.Helper()
	t := &terminal{tb: tb, silent: silent, fresh: make(chan struct{}), over: make(chan struct{})}
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
	if err != nil {
		tb.Fatal(err)
	}
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
	if err := t.cmd.Start(); err != nil {
		tb.Fatal(err)
	}
	go t.listen()
	return t
}

func (t *terminal) control(request uintptr, argument unsafe.Pointer) {
	t.tb.Helper()
	if _, _, e := syscall.Syscall(syscall.SYS_IOCTL, uintptr(t.fd), request, uintptr(argument)); e != 0 {
		t.tb.Fatalf("ioctl %#x on a pty: %v", request, e)
	}
}

func (t *terminal) lineModes() (modes syscall.Termios) {
	t.control(syscall.TCGETS, unsafe.Pointer(&modes))
	return modes
}

// listen takes in what the program writes, and answers.
func (t *terminal) listen() {
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
			return // EIO: nobody has the other side any more
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
		for _, a := range answers { // a question may have come in two reads
			if bytes.Contains(raw[max(0, before-len(a.question)+1):], a.question) {
				t.master.Write(a.answer)
			}
		}
	}
}

// stop makes the terminal read nothing any more, and keeps full what is between it and the program, so that whoever writes
// waits: the system makes some room there in its own time.
func (t *terminal) stop() {
	t.tb.Helper()
	line, err := syscall.Open(t.name, syscall.O_WRONLY|syscall.O_NOCTTY|syscall.O_NONBLOCK|syscall.O_CLOEXEC, 0)
	if err != nil {
		t.tb.Fatal(err)
	}
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
			for more := n; more <= 0 && len(nothing) > 1; { // where much does not fit, little may
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

// hold moves the selection to and fro until the program waits for the terminal to take what it writes: the system makes room for a few
// bytes in its own time, and one movement may fit there.
func (t *terminal) hold() {
	t.tb.Helper()
	writing := fmt.Sprintf("%d ", syscall.SYS_WRITE)
	waits := func() bool {
		return slices.ContainsFunc(t.threads("syscall"), func(call []byte) bool { return strings.HasPrefix(string(call), writing) })
	}
	for i, end := 0, time.Now().Add(patience); time.Now().Before(end); i++ {
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

// goOn makes a terminal that was stopped read again.
func (t *terminal) goOn() {
	close(t.stopped)
	t.stopped = nil
	t.master.SetReadDeadline(time.Time{})
	t.gate.Unlock()
}

// mark returns how much has come so far.
func (t *terminal) mark() int {
	t.mu.Lock()
	defer t.mu.Unlock()
	return len(t.raw)
}

// since returns what came after a mark, and how often it was drawn.
func (t *terminal) since(mark int) (raw []byte, frames int) {
	t.mu.Lock()
	defer t.mu.Unlock()
	raw = bytes.Clone(t.raw[mark:])
	return raw, bytes.Count(raw, frameBegin)
}

// text is what came after a mark without its escape sequences.
func (t *terminal) text(mark int) string {
	raw, _ := t.since(mark)
	return ansi.Strip(string(raw))
}

// when waits until what came after a mark is enough, and returns when the read came that made it so, and when the first
// one did.
func (t *terminal) when(mark int, what string, enough func(raw []byte) bool) (first, at time.Time) {
	t.tb.Helper()
	end := time.After(patience)
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
			t.tb.Fatalf("%s did not come: %q", what, tail(raw[mark:]))
		}
	}
}

func tail(raw []byte) []byte { return raw[max(0, len(raw)-2000):] }

// says waits for words.
func (t *terminal) says(mark int, words ...string) (first, at time.Time) {
	t.tb.Helper()
	return t.when(mark, strings.Join(words, " and "), func(raw []byte) bool {
		text := ansi.Strip(string(raw))
		return !slices.ContainsFunc(words, func(w string) bool { return !strings.Contains(text, w) })
	})
}

// draws waits for the end of a frame.
func (t *terminal) draws(mark int) (first, at time.Time) {
	t.tb.Helper()
	return t.when(mark, "a frame", func(raw []byte) bool { return bytes.Contains(raw, frameEnd) })
}

// settle waits until nothing has come for a while, and returns when the last did.
func (t *terminal) settle(quiet time.Duration) (last time.Time) {
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

// press types keys and returns when.
func (t *terminal) press(keys string) time.Time {
	t.tb.Helper()
	at := time.Now()
	t.master.SetWriteDeadline(at.Add(patience)) // a program that reads nothing
	if _, err := t.master.WriteString(keys); err != nil {
		t.tb.Fatal(err)
	}
	return at
}

// signal sends the program a signal and returns when.
func (t *terminal) signal(s syscall.Signal) time.Time {
	t.tb.Helper()
	at := time.Now()
	if err := t.cmd.Process.Signal(s); err != nil {
		t.tb.Fatal(err)
	}
	return at
}

// ended waits for the program to end and returns when it did, and its exit code.
func (t *terminal) ended() (at time.Time, code int) {
	t.tb.Helper()
	watchdog := time.AfterFunc(patience, func() { t.cmd.Process.Kill() })
	err := t.cmd.Wait()
	at = time.Now()
	if !watchdog.Stop() {
		t.tb.Error("the program did not end")
	}
	var exit *exec.ExitError
	if err != nil && !errors.As(err, &exit) {
		t.tb.Error(err)
	}
	<-t.over // all it wrote is there now
	return at, t.cmd.ProcessState.ExitCode()
}

// ends waits for the program to end, on a terminal that does not say so, for it may not be read. It takes no longer than
// half of what such a terminal has held it up for.
func (t *terminal) ends() (code int, err error) {
	ended := make(chan error, 1)
	go func() { ended <- t.cmd.Wait() }()
	select {
	case <-ended:
		return t.cmd.ProcessState.ExitCode(), nil
	case <-time.After(patience / 2):
		t.cmd.Process.Kill()
		<-ended
		return 0, errors.New("the program does not end")
	}
}

// close ends the program, however it is, and the terminal.
func (t *terminal) close() {
	if t.cmd.ProcessState == nil {
		t.cmd.Process.Kill()
		t.cmd.Wait()
	}
	t.hangUp()
}

// hangUp closes the terminal under the program.
func (t *terminal) hangUp() {
	t.master.Close()
	if t.stopped != nil {
		t.goOn()
	}
	<-t.over
}

// restored fails the benchmark when the terminal is not as the program found it: the main screen, with a cursor, without
// mouse reports or bracketed paste, the keyboard as it was, and the line's own modes.
func (t *terminal) restored() {
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
