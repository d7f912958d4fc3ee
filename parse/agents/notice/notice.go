// Package notice notifies a user once of each wait, however many dashboards are open and however often they start: a
// mark in the user's state directory records each notification. It also runs the user's own command.
//
//	told/KEY    an empty file, KEY is a hash; kept for a week, because no ask waits longer
package notice

import (
	"cmp"
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
	"runtime"
	"strconv"
	"strings"
	"sync"
	"time"

	"gatehouse/model"
	"gatehouse/parse/disk/process"
)

const (
	keep         = 7 * 24 * time.Hour
	sweepAfter   = 200              // marks between two looks for old ones
	commandLimit = 30 * time.Second // how long a command may take
	valueLimit   = 4 << 10          // longest variable in its environment, in bytes
)

// Notifier implements [model.Notifier].
type Notifier struct {
	// Dir is the directory of the marks, absolute. Without one every notice is fresh.
	Dir string
	// Command is run by the shell for each notice, "" for none. The notice is only in its environment, so that no foreign text ever
	// becomes part of a command.
	Command string
	Env     []string
	Now     func() time.Time
	// InTmux says that the terminal is one of tmux.
	InTmux bool

	mu     sync.Mutex
	marked int // since the last look for old ones
}

// Tell implements [model.Notifier].
func (n *Notifier) Tell(_ context.Context, all []model.Notice) (fresh []model.Notice, nested int, err error) {
	n.mu.Lock()
	defer n.mu.Unlock()
	for _, one := range all {
		failed := n.markNotified(one.Key)
		if !errors.Is(failed, fs.ErrExist) {
			fresh = append(fresh, one)
			err = cmp.Or(err, failed)
		}
	}
	if err != nil {
		err = fmt.Errorf("cannot record that you were told; you may be told twice: %w", err)
	}
	if n.InTmux {
		nested = 1
	}
	return fresh, nested, err
}

// markNotified records that the user was notified of something. The error is [fs.ErrExist] if that was recorded before.
func (n *Notifier) markNotified(key string) error {
	if key == "" || n.Dir == "" {
		return nil
	}
	if err := os.MkdirAll(n.Dir, 0o700); err != nil {
		return err
	}
	if n.marked%sweepAfter == 0 {
		n.sweepMarks()
	}
	n.marked++
	sum := sha256.Sum256([]byte(key))
	f, err := os.OpenFile(filepath.Join(n.Dir, hex.EncodeToString(sum[:16])), os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o600)
	if err != nil {
		return err
	}
	return f.Close()
}

// sweepMarks removes marks that are old, or far ahead of the clock.
func (n *Notifier) sweepMarks() {
	entries, _ := os.ReadDir(n.Dir)
	for _, e := range entries {
		isMark := len(e.Name()) == 32 && e.Type().IsRegular()
		if info, err := e.Info(); isMark && err == nil && n.Now().Sub(info.ModTime()).Abs() > keep {
			os.Remove(filepath.Join(n.Dir, e.Name()))
		}
	}
}

// Run implements [model.Notifier].
func (n *Notifier) Run(ctx context.Context, fresh []model.Notice) (err error) {
	for i := range fresh {
		if n.Command != "" {
			err = cmp.Or(err, n.runCommand(ctx, &fresh[i]))
		}
	}
	return err
}

// runCommand runs the command once. Its output is not for the terminal, which belongs to the dashboard.
func (n *Notifier) runCommand(ctx context.Context, one *model.Notice) error {
	ctx, stop := context.WithTimeout(ctx, commandLimit)
	defer stop()
	cmd := exec.CommandContext(ctx, "/bin/sh", "-c", n.Command)
	if runtime.GOOS == "windows" {
		cmd = exec.CommandContext(ctx, "cmd.exe", "/c", n.Command)
	}
	process.Detach(cmd)
	cmd.Cancel = func() error {
		if group, err := os.FindProcess(-cmd.Process.Pid); err == nil { // Unix signals a whole group by the negative ID of its leader
			group.Kill()
		}
		return cmd.Process.Kill()
	}
	cmd.Env = append(n.Env[:len(n.Env):len(n.Env)], noticeEnv(one)...)
	cmd.WaitDelay = time.Second // a process that the command leaves running may hold its output
	var stderr capped
	cmd.Stdout, cmd.Stderr = io.Discard, &stderr
	err := cmd.Run()
	switch {
	case err == nil, errors.Is(err, exec.ErrWaitDelay):
		return nil
	case ctx.Err() == context.DeadlineExceeded:
		err = fmt.Errorf("it took longer than %s", commandLimit)
	case stderr.text != "":
		err = fmt.Errorf("%w: %s", err, stderr.text)
	}
	return fmt.Errorf("your notify command failed: %w", err)
}

// capped keeps the first 200 bytes that are written to it.
type capped struct{ text string }

// Write implements [io.Writer].
func (c *capped) Write(p []byte) (int, error) {
	c.text += string(p[:min(len(p), 200-len(c.text))])
	return len(p), nil
}

// noticeEnv returns a notice as environment variables.
func noticeEnv(one *model.Notice) (env []string) {
	since := ""
	if !one.Since.IsZero() {
		since = one.Since.UTC().Format(time.RFC3339)
	}
	for _, v := range [][2]string{
		{"GATEHOUSE_NOTICE_KIND", one.Kind}, {"GATEHOUSE_NOTICE_TEXT", one.Text}, {"GATEHOUSE_NOTICE_PROJECT", one.Project},
		{"GATEHOUSE_NOTICE_ROOT", one.Root}, {"GATEHOUSE_NOTICE_PLACE", one.Place}, {"GATEHOUSE_NOTICE_AGENT", one.Agent},
		{"GATEHOUSE_NOTICE_ID", one.ID}, {"GATEHOUSE_NOTICE_MORE", strconv.Itoa(one.More)}, {"GATEHOUSE_NOTICE_SINCE", since},
	} {
		value := strings.ReplaceAll(v[1][:min(len(v[1]), valueLimit)], "\x00", "")
		env = append(env, v[0]+"="+strings.ToValidUTF8(value, ""))
	}
	return env
}
