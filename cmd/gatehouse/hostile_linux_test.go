package main

// Nonsensical input from a terminal: impossible sizes, and far more of everything than anyone types. It has no
// effect: the dashboard keeps running, needs no more memory than before, and handles the next key.

import (
	"bytes"
	"os"
	"strings"
	"syscall"
	"testing"
	"time"
	"unsafe"
)

// waitForWord waits for a word. With much output this is cheaper than [pty.waitForWords].
func (t *pty) waitForWord(mark int, word string) {
	t.tb.Helper()
	t.when(mark, word, func(raw []byte) bool { return bytes.Contains(raw, []byte(word)) })
}

// waitInputRead waits until the program has read its input.
func (t *pty) waitInputRead() {
	t.tb.Helper()
	line, err := os.OpenFile(t.name, os.O_RDWR|syscall.O_NOCTTY, 0)
	if err != nil {
		t.tb.Fatal(err)
	}
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
