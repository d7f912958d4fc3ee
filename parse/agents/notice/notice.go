// Package notice tells a user once of what waits, however many dashboards are open and however often they are started: what was told of is
// entered in the user's state directory. It also runs the command that users give for it.
//
//	told/KEY    an empty file, made by whoever tells of it: who comes second finds it there
//
// KEY is a hash. A file is kept for a week: an ask waits no longer (parse/agents/ask).
package notice

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"sync"
	"time"

	"gatehouse/model"
)

const (
	keep = 7 * 24 * time.Hour
	// sweepAfter is how many marks are made between two looks for old ones.
	sweepAfter = 200
	// commandLimit is how long a command may take.
	commandLimit = 30 * time.Second
	// valueLimit is the longest value in its environment, in bytes.
	valueLimit = 4 << 10
)

// Notifier implements [model.Notifier].
type Notifier struct {
	// Dir is the directory of the marks, absolute; "" where there is no place for any, and then all is told of.
	Dir string
	// Command is run by the shell for each notice; "" for none. What is told stands in its environment alone, so that no text of others
	// is ever part of a command.
	Command string
	Env     []string
	Now     func() time.Time
	// Nested returns in how many multiplexers the terminal is; nil for none.
	Nested func(ctx context.Context) int

	mu     sync.Mutex
	marked int // since the last look for old ones
}

// Tell implements [model.Notifier].
func (n *Notifier) Tell(ctx context.Context, all []model.Notice) (fresh []model.Notice, nested int, err error) {
	n.mu.Lock()
	defer n.mu.Unlock()
	for _, one := range all {
		first, failed := n.mark(one.Key)
		if first || failed != nil {
			fresh = append(fresh, one)
		}
		if failed != nil && err == nil {
			err = fmt.Errorf("what you are told of can't be entered, and you may be told twice: %w", failed)
		}
	}
	if n.Nested != nil && len(fresh) > 0 {
		nested = n.Nested(ctx)
	}
	return fresh, nested, err
}

// mark enters that something is told of, and reports whether nobody had.
func (n *Notifier) mark(key string) (first bool, err error) {
	if key == "" || n.Dir == "" {
		return true, nil
	}
	if err := os.MkdirAll(n.Dir, 0o700); err != nil {
		return false, err
	}
	dir, err := os.OpenRoot(n.Dir)
	if err != nil {
		return false, err
	}
	defer dir.Close()
	if n.marked%sweepAfter == 0 {
		n.sweep(dir)
	}
	n.marked++
	sum := sha256.Sum256([]byte(key))
	f, err := dir.OpenFile(hex.EncodeToString(sum[:16]), os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o600)
	if errors.Is(err, fs.ErrExist) {
		return false, nil
	}
	if err != nil {
		return false, fmt.Errorf("%s: %w", n.Dir, err)
	}
	return true, f.Close()
}

// sweep removes marks that are old, or far ahead of the clock.
func (n *Notifier) sweep(dir *os.Root) {
	f, err := dir.Open(".")
	if err != nil {
		return
	}
	defer f.Close()
	for {
		names, err := f.Readdirnames(1000)
		for _, name := range names {
			if len(name) != 32 {
				continue // not ours
			}
			if info, err := dir.Lstat(name); err == nil && info.Mode().IsRegular() && n.Now().Sub(info.ModTime()).Abs() > keep {
				dir.Remove(name)
			}
		}
		if err != nil || len(names) == 0 {
			return
		}
	}
}

// Run implements [model.Notifier].
func (n *Notifier) Run(ctx context.Context, fresh []model.Notice) (err error) {
	if n.Command == "" {
		return nil
	}
	for i := range fresh {
		if failed := n.run(ctx, &fresh[i]); failed != nil && err == nil {
			err = fmt.Errorf("your notify command failed: %w", failed)
		}
	}
	return err
}

// run runs the command once. What it prints is not for the terminal, which is the dashboard's.
func (n *Notifier) run(ctx context.Context, one *model.Notice) error {
	ctx, stop := context.WithTimeout(ctx, commandLimit)
	defer stop()
	cmd := shell(ctx, n.Command)
	cmd.Env = append(n.Env[:len(n.Env):len(n.Env)], Facts(one)...)
	cmd.WaitDelay = time.Second // something that it has left running may hold its output
	var said tail
	cmd.Stdout, cmd.Stderr = io.Discard, &said
	err := cmd.Run()
	switch {
	case errors.Is(err, exec.ErrWaitDelay):
		return nil // it has ended well, and left something running
	case ctx.Err() == context.DeadlineExceeded:
		return fmt.Errorf("it took longer than %s", commandLimit)
	case err != nil && said.text != "":
		return fmt.Errorf("%w: %s", err, said.text)
	}
	return err
}

// tail keeps the beginning of what a command says.
type tail struct{ text string }

// Write implements [io.Writer].
func (t *tail) Write(p []byte) (int, error) {
	if room := 200 - len(t.text); room > 0 {
		t.text += string(p[:min(len(p), room)])
	}
	return len(p), nil
}

// Facts returns a notice as variables of an environment.
func Facts(one *model.Notice) []string {
	facts := []string{
		"GATEHOUSE_NOTICE_KIND=" + one.Kind, "GATEHOUSE_NOTICE_TEXT=" + one.Text, "GATEHOUSE_NOTICE_PROJECT=" + one.Project, "GATEHOUSE_NOTICE_ROOT=" + one.Root,
		"GATEHOUSE_NOTICE_PLACE=" + one.Place, "GATEHOUSE_NOTICE_AGENT=" + one.Agent, "GATEHOUSE_NOTICE_ID=" + one.ID, "GATEHOUSE_NOTICE_MORE=" + strconv.Itoa(one.More),
	}
	if !one.Since.IsZero() {
		facts = append(facts, "GATEHOUSE_NOTICE_SINCE="+one.Since.UTC().Format(time.RFC3339))
	}
	for i, f := range facts {
		f = strings.ReplaceAll(f, "\x00", "")
		facts[i] = strings.ToValidUTF8(f[:min(len(f), valueLimit)], "")
	}
	return facts
}

// Path returns the directory of the marks of a user, whose state is kept in state ([gatehouse/parse/agents/waiting.StatePath]); "" where there is none.
func Path(state string) string {
	if state == "" {
		return ""
	}
	return filepath.Join(state, "told")
}
