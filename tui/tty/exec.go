package tty

// Giving the terminal to another program for a while: an editor, a pager, the shell. The framework does not read or
// draw during that time, so the loss of the terminal is detected here.

import (
	"context"
	"errors"
	"os"
	"os/exec"
	"time"

	"github.com/charmbracelet/x/term"
)

const (
	// lookAfter is how often a lent terminal is checked.
	lookAfter = 250 * time.Millisecond
	// endLimit is how long a program may take to end after its terminal is gone. Editors need less to save their text in a file.
	endLimit = 250 * time.Millisecond
)

// Exec runs a program in the terminal, and returns when it has ended. When ctx ends first, or the terminal goes away, the program gets
// a hang-up signal, and is left alone if it stays.
func (t *Terminal) Exec(ctx context.Context, cmd *exec.Cmd) error {
	if !t.output.waitEmpty(takeLimit) {
		return errors.New("the terminal is stopped")
	}
	if t.keys != nil {
		cmd.Stdin = t.keys
	}
	if t.screen != nil {
		cmd.Stdout = t.screen
	}
	cmd.Stderr = os.Stderr
	t.markLent(false)
	defer t.takeBack()
	defer ignoreQuit()()
	if err := cmd.Start(); err != nil {
		return err
	}
	ended := make(chan error, 1)
	go func() { ended <- cmd.Wait() }()
	look := time.NewTicker(lookAfter)
	defer look.Stop()
	for {
		select {
		case err := <-ended:
			return err
		case <-look.C:
			t.checkGone()
			continue
		case <-ctx.Done():
		}
		hangUp(cmd.Process)
		select {
		case err := <-ended:
			return err
		case <-time.After(endLimit):
			return ctx.Err()
		}
	}
}

// markLent records whether another program, or the shell, has the terminal.
func (t *Terminal) markLent(shell bool) {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.elsewhere, t.suspended = true, shell
}

// takeBack records that the terminal is ours again, checks whether it is gone, and signals that its size may have changed.
func (t *Terminal) takeBack() {
	t.mu.Lock()
	t.elsewhere, t.suspended = false, false
	t.mu.Unlock()
	t.checkGone()
	notifyOn(t.resized)
}

// checkGone detects that the terminal is gone: it no longer answers requests about itself.
func (t *Terminal) checkGone() {
	if t.keys == nil {
		return
	}
	if _, err := term.GetState(t.keys.Fd()); err != nil {
		t.markGone()
	}
}
