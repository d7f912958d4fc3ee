package worktree

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"slices"
	"strconv"
	"strings"
	"sync"
	"time"

	"gatehouse/parse/agents/waiting"
)

const (
	outputLimit = 2 << 20          // bytes of git's output that are kept
	gitTimeout  = 10 * time.Second // for one run of git
	emptyTree   = "4b825dc642cb6eb9a060e54bf8d69288fbee4904"
)

// safeArgs and safeEnv keep git from running programs that the repository names, locking, asking and fetching. Filters are switched off
// by [filterArgs].
var (
	safeArgs = []string{
		"--no-pager", "-c", "core.fsmonitor=false", "-c", "core.hooksPath=/dev/null", "-c", "core.quotePath=false",
		"-c", "diff.noprefix=false", "-c", "diff.mnemonicPrefix=false", "-c", "diff.relative=false", "-c", "submodule.recurse=false",
	}
	safeEnv = []string{"GIT_OPTIONAL_LOCKS=0", "GIT_NO_LAZY_FETCH=1", "GIT_ALLOW_PROTOCOL=none", "GIT_TERMINAL_PROMPT=0", "GIT_ASKPASS=", "SSH_ASKPASS="}
)

// Diff returns the changes of the working tree of dir since the commit base, or since HEAD if base is "", as a unified
// diff. It is cut at 2 MiB, with a note at the end.
func Diff(ctx context.Context, dir, base string) (string, error) {
	if r, ok := waiting.Repository(dir); ok {
		dir = r.Tree
	}
	out, err := runDiff(ctx, dir, base)
	if err != nil {
		return "", err
	}
	if len(out) > outputLimit {
		out = append(out[:bytes.LastIndexByte(out[:outputLimit], '\n')+1], "The diff goes on; only its first 2 MiB are shown.\n"...)
	}
	return strings.ToValidUTF8(string(out), "\ufffd"), nil
}

// Count returns how many lines were added and removed in the working tree of dir since the commit base, as [Diff] has them. Binary
// and untracked files do not count. ok is false if git fails.
func Count(ctx context.Context, dir, base string) (added, removed int, ok bool) {
	out, err := runDiff(ctx, dir, base, "--numstat")
	for l := range strings.Lines(string(out)) {
		if f := strings.SplitN(l, "\t", 3); len(f) == 3 {
			plus, _ := strconv.Atoi(f[0]) // "-" for a binary file
			minus, _ := strconv.Atoi(f[1])
			added, removed = added+plus, removed+minus
		}
	}
	return added, removed, err == nil
}

// runDiff runs git diff against base, with all filters switched off.
func runDiff(ctx context.Context, dir, base string, options ...string) ([]byte, error) {
	if base == "" {
		base = "HEAD"
		if _, err := runGit(ctx, dir, "rev-parse", "--verify", "--quiet", "HEAD"); err != nil {
			base = emptyTree // there is no commit yet
		}
	} else if !waiting.IsCommit(base) {
		return nil, fmt.Errorf("%q is not the full name of a commit", base)
	}
	args, err := filterArgs(ctx, dir)
	if err != nil {
		return nil, err
	}
	args = append(args, "diff", "--no-ext-diff", "--no-textconv", "--no-color", "--ignore-submodules=all")
	return runGit(ctx, dir, append(append(args, options...), base, "--")...)
}

// filterArgs returns the arguments that switch off each configured filter: git would run them on changed files. Files that a filter stores
// in another form (git lfs) then differ as a whole.
func filterArgs(ctx context.Context, dir string) (args []string, err error) {
	out, err := runGit(ctx, dir, "config", "-z", "--name-only", "--get-regexp", `^filter\..*\.(clean|process)$`)
	var exit *exec.ExitError
	if errors.As(err, &exit) && exit.ExitCode() == 1 {
		return nil, nil // there are none
	}
	for key := range strings.SplitSeq(strings.TrimSuffix(string(out), "\x00"), "\x00") {
		filter := key[:strings.LastIndexByte(key, '.')+1]
		if strings.ContainsAny(filter, "=\n") {
			return nil, fmt.Errorf("git's filter %q cannot be switched off", filter)
		}
		args = append(args, "-c", filter+"clean=", "-c", filter+"process=", "-c", filter+"required=false")
	}
	return args, err
}

// runGit runs git in dir and returns its output, cut a little beyond outputLimit. The environment cannot lead git to
// another repository.
func runGit(ctx context.Context, dir string, args ...string) ([]byte, error) {
	ctx, cancel := context.WithTimeout(ctx, gitTimeout)
	defer cancel()
	var out, message limited
	cmd := exec.CommandContext(ctx, "git", slices.Concat(safeArgs, args)...)
	cmd.Dir, cmd.WaitDelay, cmd.Stdout, cmd.Stderr = dir, time.Second, &out, &message
	cmd.Env = append(slices.DeleteFunc(os.Environ(), func(entry string) bool { return strings.HasPrefix(entry, "GIT_") }), safeEnv...)
	if err := cmd.Run(); err != nil && len(out) <= outputLimit {
		first, _, _ := strings.Cut(strings.TrimSpace(string(message)), "\n")
		return nil, fmt.Errorf("git: %s: %w", first, cmp.Or(ctx.Err(), err))
	}
	return out, nil
}

// limited collects output until it is longer than outputLimit; then it fails, which stops git.
type limited []byte

func (l *limited) Write(p []byte) (int, error) {
	if len(*l) > outputLimit {
		return 0, io.ErrShortWrite
	}
	*l = append(*l, p...)
	return len(p), nil
}

// CommitsSince returns how many commits HEAD of a working tree is ahead of a commit, given by at least four digits. ok
// is false if the commit is not an ancestor of HEAD, if dir is not the top of a working tree, or if git fails.
func CommitsSince(ctx context.Context, dir, stamp string) (n int, ok bool) {
	if r, ok := waiting.Repository(dir); !ok || r.Tree != dir {
		return 0, false
	}
	out, err := runGit(ctx, dir, "rev-list", "--left-right", "--count", stamp+"...HEAD", "--")
	if err != nil {
		return 0, false
	}
	missing := 0
	_, err = fmt.Sscan(string(out), &missing, &n)
	return n, err == nil && missing == 0
}

// countInterval is how often the changes of one directory are counted at most.
const countInterval = 10 * time.Second

// tree is a directory and the commit that its changes are counted from.
type tree struct{ dir, base string }

// count is the last count.
type count struct {
	added, removed int
	at             time.Time // when it began
}

// Counter counts the changed lines of working trees in the background, one at a time, and remembers the results.
type Counter struct {
	ctx     context.Context
	changed func()
	one     sync.Mutex // held while git runs
	mu      sync.Mutex
	counts  map[tree]*count
}

// NewCounter returns a counter that works until ctx ends. It calls changed after a result differs.
func NewCounter(ctx context.Context, changed func()) *Counter {
	return &Counter{ctx: ctx, changed: changed, counts: map[tree]*count{}}
}

// Lines returns how many lines were added and removed in a directory since a commit, by the last count, and has them counted again if
// something has happened since.
func (c *Counter) Lines(dir, base string, active time.Time) (added, removed int) {
	c.mu.Lock()
	defer c.mu.Unlock()
	t := tree{dir, base}
	n := c.counts[t]
	if n == nil {
		n = &count{}
		c.counts[t] = n
	}
	if n.at.IsZero() || active.After(n.at) && time.Since(n.at) >= countInterval {
		n.at = time.Now()
		go c.countTree(t, n)
	}
	return n.added, n.removed
}

// countTree counts the changes of a directory.
func (c *Counter) countTree(t tree, n *count) {
	c.one.Lock()
	added, removed, ok := Count(c.ctx, t.dir, t.base)
	c.one.Unlock()
	c.mu.Lock()
	differs := ok && (n.added != added || n.removed != removed)
	if differs {
		n.added, n.removed = added, removed
	}
	c.mu.Unlock()
	if differs {
		c.changed()
	}
}
