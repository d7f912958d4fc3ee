//go:build unix

package worktree

import (
	"context"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"gatehouse/parse/agents/waiting"
	"gatehouse/parse/conformance"
)

// run runs git in a directory, as the user of a test.
func run(t *testing.T, dir string, args ...string) string {
	t.Helper()
	cmd := exec.Command("git", append([]string{"-c", "user.name=ann", "-c", "user.email=ann@example.org", "-c", "protocol.file.allow=always"}, args...)...)
	cmd.Dir = dir
	cmd.Env = append(os.Environ(), "GIT_CONFIG_GLOBAL=/dev/null", "GIT_CONFIG_SYSTEM=/dev/null")
	out, err := cmd.CombinedOutput()
	if err != nil {
		t.Fatalf("git %v: %v\n%s", args, err, out)
	}
	return strings.TrimSpace(string(out))
}

func write(t *testing.T, path, text string) {
	t.Helper()
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, []byte(text), 0o755); err != nil {
		t.Fatal(err)
	}
}

// repository makes a repository "shop" with one commit, below a directory of its own.
func repository(t *testing.T) (above, shop string) {
	above, err := filepath.EvalSymlinks(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	shop = filepath.Join(above, "shop")
	write(t, filepath.Join(shop, "cart.go"), "one\ntwo\nthree\n")
	run(t, shop, "init", "-q", "-b", "main")
	run(t, shop, "add", ".")
	run(t, shop, "commit", "-q", "-m", "start")
	return above, shop
}

func TestRepository(t *testing.T) {
	above, shop := repository(t)
	run(t, shop, "worktree", "add", "-q", "-b", "kite", above+"/kite")
	run(t, shop, "worktree", "add", "-q", "-b", "inner", "trees/inner")
	write(t, shop+"/trees/inner/.git", "gitdir: ../../.git/worktrees/inner\n") // as with --relative-paths
	run(t, shop, "submodule", "--quiet", "add", shop, "lib")
	run(t, above, "clone", "-q", "--bare", shop, "bare.git")
	run(t, above+"/bare.git", "worktree", "add", "-q", "-b", "of-bare", above+"/of-bare")
	run(t, above, "clone", "-q", "--bare", shop, "hidden/.git")
	run(t, above+"/hidden/.git", "worktree", "add", "-q", "-b", "of-hidden", above+"/hidden/tree")
	run(t, above, "init", "-q", "--separate-git-dir", above+"/elsewhere", "apart")
	for path, text := range map[string]string{
		"shop/pkg/x/f": "", "shop/empty/.git/x": "", "broken/.git": "gitdir: /nowhere\n", "strange/.git": "hello", "plain/f": "", "kite/deep/f": "",
	} {
		write(t, filepath.Join(above, path), text)
	}
	conformance.OwnRows(t, "root.jsonl", func(t *testing.T, c struct {
		Dir, Root, Tree string
	}) {
		r, ok := waiting.Repository(filepath.Join(above, c.Dir))
		if c.Root == "" && ok || c.Root != "" && (!ok || r.Root != filepath.Join(above, c.Root) || r.Tree != filepath.Join(above, c.Tree)) {
			t.Errorf("%s: %+v, %v", c.Dir, r, ok)
		}
	})
}

func TestBranchAndHead(t *testing.T) {
	above, shop := repository(t)
	commit := run(t, shop, "rev-parse", "HEAD")
	check := func(name, dir, branch, head string) {
		t.Helper()
		if b, h := Branch(dir), Head(dir); b != branch || h != head {
			t.Errorf("%s: %q at %q, want %q at %q", name, b, h, branch, head)
		}
	}
	check("a branch", shop, "main", commit)
	run(t, shop, "worktree", "add", "-q", "-b", "fix/kite", above+"/kite")
	check("a linked working tree", above+"/kite", "fix/kite", commit)
	run(t, shop, "pack-refs", "--all")
	check("packed", shop, "main", commit)
	check("packed and linked", above+"/kite", "fix/kite", commit)
	run(t, shop, "checkout", "-q", "--detach")
	check("detached", shop, commit[:7], commit)
	run(t, above, "init", "-q", "-b", "new", "fresh")
	check("without a commit", above+"/fresh", "new", "")
	write(t, shop+"/.git/HEAD", "ref: refs/heads/.invalid\n")
	check("reftable", shop, "", "")
	write(t, shop+"/.git/HEAD", "ref: refs/../../../secret\n")
	write(t, above+"/secret", commit)
	check("a reference that leads away", shop, "refs/../../../secret", "")
	check("no repository", above, "", "")
}

func TestDiff(t *testing.T) {
	above, shop := repository(t)
	base := run(t, shop, "rev-parse", "HEAD")
	write(t, shop+"/cart.go", "one\n2\nthree\nfour\n")
	run(t, shop, "commit", "-q", "-a", "-m", "more")
	write(t, shop+"/cart.go", "one\n2\nthree\nfour\nfive\n")
	write(t, shop+"/new/cafe.go", "x\n")
	write(t, shop+"/image", "a\x00b")
	run(t, shop, "add", "image")
	for _, c := range []struct {
		base           string
		added, removed int
		has, not       []string
	}{
		{base, 3, 1, []string{"--- a/cart.go\n", "-two\n+2\n", "+five\n", "Binary files"}, nil},
		{"", 1, 0, []string{"+five\n"}, []string{"-two"}},
	} {
		for _, dir := range []string{shop, shop + "/new"} {
			text, err := Diff(context.Background(), dir, c.base)
			if err != nil {
				t.Fatal(err)
			}
			for _, part := range c.has {
				if !strings.Contains(text, part) {
					t.Errorf("%q is not in the diff:\n%s", part, text)
				}
			}
			for _, part := range c.not {
				if strings.Contains(text, part) {
					t.Errorf("%q is in the diff:\n%s", part, text)
				}
			}
			if added, removed, ok := Count(context.Background(), dir, c.base); added != c.added || removed != c.removed || !ok {
				t.Errorf("+%d -%d %v, want +%d -%d", added, removed, ok, c.added, c.removed)
			}
		}
	}
	run(t, above, "init", "-q", "fresh")
	write(t, above+"/fresh/a", "1\n2\n")
	run(t, above+"/fresh", "add", ".")
	if added, _, ok := Count(context.Background(), above+"/fresh", ""); added != 2 || !ok {
		t.Errorf("without a commit: +%d %v", added, ok)
	}
	canceled, cancel := context.WithCancel(context.Background())
	cancel()
	for name, err := range map[string]error{
		"an option as base": second(Diff(context.Background(), shop, "--output=/tmp/x")),
		"no repository":     second(Diff(context.Background(), above, "")),
		"a lost commit":     second(Diff(context.Background(), shop, strings.Repeat("0", 39)+"1")),
		"canceled":          second(Diff(canceled, shop, "")),
	} {
		if err == nil {
			t.Errorf("%s: no error", name)
		}
	}
}

func second(_ string, err error) error { return err }

func TestDiffIsBounded(t *testing.T) {
	_, shop := repository(t)
	write(t, shop+"/cart.go", strings.Repeat("a long line of a generated file\n", 200_000))
	text, err := Diff(context.Background(), shop, "")
	if err != nil || len(text) > outputLimit+100 || !strings.HasSuffix(text, "\nThe diff goes on; only its first 2 MiB are shown.\n") {
		t.Errorf("%d bytes, %v", len(text), err)
	}
}

func TestCounter(t *testing.T) {
	_, shop := repository(t)
	write(t, shop+"/cart.go", "one\n2\nthree\n")
	changed := make(chan bool)
	c := NewCounter(t.Context(), func() { changed <- true })
	if added, removed := c.Lines(shop, "", time.Now()); added+removed != 0 {
		t.Errorf("+%d -%d before git has run", added, removed)
	}
	<-changed
	if added, removed := c.Lines(shop, "", time.Now()); added != 1 || removed != 1 {
		t.Errorf("+%d -%d", added, removed)
	}
}

// TestDiffRunsNothing uses a repository that names programs wherever git accepts them.
func TestDiffRunsNothing(t *testing.T) {
	above, shop := repository(t)
	ran := filepath.Join(above, "ran")
	program := filepath.Join(above, "program")
	write(t, program, "#!/bin/sh\necho \"$0 $*\" >>"+ran+"\ncat\n")
	for _, name := range []string{"core.fsmonitor", "diff.external", "diff.evil.command", "diff.evil.textconv", "filter.evil.clean", "filter.evil.process", "core.pager", "core.sshCommand",
		"core.askPass", "core.editor", "credential.helper", "alias.diff"} {
		run(t, shop, "config", name, program)
	}
	run(t, shop, "config", "filter.evil.required", "true")
	for _, hook := range []string{"post-index-change", "fsmonitor-watchman", "pre-auto-gc"} {
		os.MkdirAll(shop+"/.git/hooks", 0o755)
		os.Symlink(program, shop+"/.git/hooks/"+hook)
	}
	write(t, shop+"/.gitattributes", "* diff=evil filter=evil\n")
	write(t, shop+"/cart.go", "one\nTWO\nthree\n")
	t.Setenv("GIT_EXTERNAL_DIFF", program)
	t.Setenv("GIT_DIR", "/nowhere")
	text, err := Diff(context.Background(), shop, "")
	if err != nil || !strings.Contains(text, "-two\n+TWO\n") {
		t.Errorf("%v:\n%s", err, text)
	}
	if added, removed, ok := Count(context.Background(), shop, ""); added != 1 || removed != 1 || !ok {
		t.Errorf("+%d -%d %v", added, removed, ok)
	}
	time.Sleep(100 * time.Millisecond)
	if what, err := os.ReadFile(ran); err == nil {
		t.Errorf("git ran:\n%s", what)
	}
}
