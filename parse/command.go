package parse

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"strings"
	"time"

	"gatehouse/parse/disk/process"
	"gatehouse/parse/disk/statefile"
)

// commandGrace is how long a command may take to fail. One that runs longer continues on its own: it may work for
// hours.
const commandGrace = 2 * time.Second

// runCommand makes a decision by the command of its format, and calls end with the result. The journal has the command before it is started.
func (op *operation) runCommand(ctx context.Context, file statefile.Target, end func(error) error) error {
	release, err := op.as.store.Hold(ctx, file)
	if err != nil {
		return err
	}
	defer release()
	return end(op.startDecided(ctx, file))
}

// startDecided enters a decision in the journal and starts its command. The file is locked.
func (op *operation) startDecided(ctx context.Context, file statefile.Target) error {
	content, err := op.as.store.Read(file)
	if err != nil {
		return err
	}
	if _, err := op.decideContent(ctx, content, true); err != nil {
		return err
	}
	err = startCommand(ctx, op.p.root, op.decision.Command)
	if exit := (*exec.ExitError)(nil); errors.As(err, &exit) {
		// A command that takes the answer fails, too, if the run ends by it: after a rejection, or if a later step fails.
		if after, readErr := op.as.store.Read(file); readErr == nil && after != content {
			return nil
		}
	}
	return err
}

// startCommand starts a command in a directory, without a terminal and in a session of its own, so that it outlives this process. It
// returns an error if the command can't be started or fails at once.
func startCommand(ctx context.Context, dir string, words []string) error {
	output, err := os.CreateTemp("", "gatehouse-command-*")
	if err != nil {
		return err
	}
	defer output.Close()
	defer os.Remove(output.Name())
	cmd := exec.Command(words[0], words[1:]...)
	cmd.Dir, cmd.Stdout, cmd.Stderr = dir, output, output
	process.Detach(cmd)
	if err := cmd.Start(); err != nil {
		if errors.Is(err, exec.ErrNotFound) {
			return fmt.Errorf("%s is not installed, or not in PATH; run it yourself: %s", words[0], strings.Join(words, " "))
		}
		return err
	}
	ended := make(chan error, 1)
	go func() { ended <- cmd.Wait() }()
	select {
	case err = <-ended:
	case <-time.After(commandGrace):
	case <-ctx.Done():
	}
	if err != nil {
		text := make([]byte, 2000)
		n, _ := output.ReadAt(text, 0)
		return fmt.Errorf("%s: %w: %s", strings.Join(words, " "), err, strings.TrimSpace(string(text[:n])))
	}
	return nil
}
