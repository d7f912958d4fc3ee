package main

import (
	"os"
	"path/filepath"
	"strconv"
	"syscall"
	"testing"
	"unsafe"
)

// openTerminal returns the two ends of a new pseudo terminal.
func openTerminal(t *testing.T) (master, slave *os.File) {
	t.Helper()
	master, err := os.OpenFile("/dev/ptmx", os.O_RDWR|syscall.O_NOCTTY, 0)
	if err != nil {
		t.Skip("no pseudo terminals here:", err)
	}
	t.Cleanup(func() { master.Close() })
	var number, unlock int32
	for request, value := range map[uintptr]*int32{syscall.TIOCSPTLCK: &unlock, syscall.TIOCGPTN: &number} {
		if _, _, errno := syscall.Syscall(syscall.SYS_IOCTL, master.Fd(), request, uintptr(unsafe.Pointer(value))); errno != 0 {
			t.Skip("no pseudo terminals here:", errno)
		}
	}
	slave, err = os.OpenFile("/dev/pts/"+strconv.Itoa(int(number)), os.O_RDWR|syscall.O_NOCTTY, 0)
	if err != nil {
		t.Skip("no pseudo terminals here:", err)
	}
	t.Cleanup(func() { slave.Close() })
	return master, slave
}

// TestAgentTerminal runs the layout at a terminal: the line appears at once, and text that was typed ahead stays for the next reader.
func TestAgentTerminal(t *testing.T) {
	master, slave := openTerminal(t)
	if _, err := master.WriteString("{\"model\": {\"display_name\": \"typed\"}}\n"); err != nil {
		t.Fatal(err)
	}
	dir := project(t, agentState)
	if got := runAgent(t, build(t, "."), dir, slave, "--color", "never"); got != "Claude │ v1 N · executing │ "+filepath.Base(dir) {
		t.Errorf("%q", got)
	}
	buf := make([]byte, 100)
	if n, err := slave.Read(buf); err != nil || string(buf[:1]) != "{" {
		t.Errorf("what was typed is gone: %q, %v", buf[:n], err)
	}
}
