//go:build linux || darwin || freebsd || netbsd || openbsd

package statusline

import (
	"context"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"testing"
	"time"
)

// repositoryIn creates a repository with one commit in a new directory, with a git configuration in a home of its own.
func repositoryIn(t *testing.T) *gitRepository {
	t.Helper()
	if _, err := exec.LookPath("git"); err != nil {
		t.Skip("no git")
	}
	home := t.TempDir()
	r := &gitRepository{t: t, dir: filepath.Join(home, "repository"), marker: filepath.Join(home, "executed")}
	r.environment = []string{"PATH=" + os.Getenv("PATH"), "HOME=" + home, "GIT_CONFIG_NOSYSTEM=1", "LC_ALL=C"}
	r.config(filepath.Join(home, ".gitconfig"), "[user]\n\tname = a\n\temail = a@example.org\n[init]\n\tdefaultBranch = main\n")
	if err := os.Mkdir(r.dir, 0o755); err != nil {
		t.Fatal(err)
	}
	r.git("init", "-q")
	r.writeText("a.txt", "one\n")
	r.git("add", ".")
	r.git("commit", "-q", "-m", "one")
	return r
}

type gitRepository struct {
	t           *testing.T
	dir         string
	marker      string // a file that every hostile program creates
	environment []string
}

func (r *gitRepository) git(args ...string) {
	r.t.Helper()
	cmd := exec.Command("git", args...)
	cmd.Dir, cmd.Env = r.dir, r.environment
	if report, err := cmd.CombinedOutput(); err != nil {
		r.t.Fatalf("git %q: %v\n%s", args, err, report)
	}
}

func (r *gitRepository) writeText(name, text string) {
	r.t.Helper()
	write(r.t, filepath.Join(r.dir, name), text)
}

// config appends to a file of git's configuration.
func (r *gitRepository) config(path, text string) {
	r.t.Helper()
	f, err := os.OpenFile(path, os.O_APPEND|os.O_CREATE|os.O_WRONLY, 0o644)
	if err != nil {
		r.t.Fatal(err)
	}
	defer f.Close()
	if _, err := f.WriteString(text); err != nil {
		r.t.Fatal(err)
	}
}

// local appends to the repository's own configuration; TOUCH stands for a program that creates the marker.
func (r *gitRepository) local(text string) {
	r.t.Helper()
	r.config(filepath.Join(r.dir, ".git", "config"), strings.ReplaceAll(text, "TOUCH", r.program()))
}

// program returns the path of a program that creates the marker and copies its input.
func (r *gitRepository) program() string {
	r.t.Helper()
	path := filepath.Join(filepath.Dir(r.dir), "hostile")
	write(r.t, path, "#!/bin/sh\necho \"$0 $*\" >>'"+r.marker+"'\ncat 2>/dev/null\n")
	if err := os.Chmod(path, 0o755); err != nil {
		r.t.Fatal(err)
	}
	return path
}

// executed reports whether a hostile program has run, and removes the marker.
func (r *gitRepository) executed() bool {
	err := os.Remove(r.marker)
	return err == nil
}

// ask is readGitStatus for a repository that git can read: it retries in case git was too slow for a moment.
func (r *gitRepository) ask(environment ...string) (status gitStatus, ok bool) {
	for range 50 {
		if status, ok = readGitStatus(r.dir, append(slices.Clone(r.environment), environment...)); ok {
			break
		}
	}
	return status, ok
}

// counts returns the facts of a repository's status: branch, staged, unstaged, untracked, ahead, behind.
func counts(s gitStatus) []any {
	return []any{s.branch, s.staged, s.unstaged, s.untracked, s.ahead, s.behind}
}

func TestParseGitStatus(t *testing.T) {
	const head = "# branch.oid 0123456789abcdef0123456789abcdef01234567\n# branch.head main\n"
	for _, c := range []struct {
		output string
		want   [5]int
		branch string
	}{
		{head, [5]int{}, "main"},
		{head + "# branch.upstream origin/main\n# branch.ab +2 -13\n", [5]int{3: 2, 4: 13}, "main"},
		{head + "# branch.ab +? -?\n", [5]int{}, "main"},
		{head + "# branch.ab +1 -\n", [5]int{}, "main"},
		{head + "1 M. N... 100644 a\n1 .M N... b\n1 MM N... c\n2 R. N... d\te\nu UU N... f\n? g\n? h\n! i\n", [5]int{3, 3, 2}, "main"},
		{"# branch.oid (initial)\n# branch.head (detached)\n? x", [5]int{2: 1}, "(detached)"},
		{head + "? " + strings.Repeat("1 M. ", 2000) + "\n? y\n", [5]int{2: 2}, "main"},
		{"", [5]int{}, ""}, {"\n\n1\n?\nx y\n", [5]int{}, ""},
		{head + "# branch.ab +99999999999999999999 -0\n", [5]int{3: 1000000000}, "main"},
	} {
		s := parseGitStatus(c.output)
		got := [5]int{s.staged, s.unstaged, s.untracked, s.ahead, s.behind}
		if got != c.want || s.branch != c.branch || s.isClean() != (c.want == [5]int{}) {
			t.Errorf("%.200q: %v on %q, want %v on %q", c.output, got, s.branch, c.want, c.branch)
		}
	}
}

func TestReadGitStatus(t *testing.T) {
	r := repositoryIn(t)
	expect := func(what string, want ...any) {
		t.Helper()
		status, ok := r.ask()
		if got := counts(status); !ok || !slices.Equal(got, want) {
			t.Errorf("%s: %v, %v, want %v", what, got, ok, want)
		}
	}
	expect("clean", "main", 0, 0, 0, 0, 0)
	r.writeText("a.txt", "two\n")
	r.writeText("new", "")
	r.writeText("sub/new", "")
	expect("changed", "main", 0, 1, 2, 0, 0)
	r.git("add", "a.txt", "new")
	expect("staged", "main", 2, 0, 1, 0, 0)
	r.git("commit", "-q", "-m", "two")
	r.git("mv", "new", "newer")
	expect("renamed", "main", 1, 0, 1, 0, 0)
	r.git("reset", "-q", "--hard")
	r.git("branch", "upstream")
	r.git("reset", "-q", "--hard", "HEAD~1")
	r.git("branch", "-q", "-u", "upstream")
	r.git("commit", "-q", "--allow-empty", "-m", "other")
	expect("ahead and behind", "main", 0, 0, 1, 1, 1)
	r.git("checkout", "-q", "--detach")
	expect("detached", "(detached)", 0, 0, 1, 0, 0)

	for what, environment := range map[string][]string{
		"no PATH": nil, "relative PATH": {"PATH=.:bin::git"}, "PATH without git": {"PATH=" + t.TempDir()},
	} {
		if _, ok := readGitStatus(r.dir, environment); ok {
			t.Errorf("%s: git was found", what)
		}
	}
	if _, ok := readGitStatus(t.TempDir(), r.environment); ok {
		t.Error("a repository was found")
	}
	if _, ok := readGitStatus(filepath.Join(r.dir, "none"), r.environment); ok {
		t.Error("a missing directory was read")
	}
	// Environment variables of git that point elsewhere are ignored.
	status, ok := r.ask("GIT_DIR=/nowhere", "GIT_WORK_TREE=/", "GIT_INDEX_FILE=/nowhere", "GIT_TRACE="+r.marker)
	if !ok || status.branch != "(detached)" || r.executed() {
		t.Errorf("with GIT_DIR: %v, %v", status.branch, ok)
	}
}

// TestHostileRepositories puts programs wherever a repository can name one. A plain "git status" must run each of them, so that the row
// proves something, except for those marked quiet, which it never runs. Here none may run.
func TestHostileRepositories(t *testing.T) {
	touchAll := func(r *gitRepository) { // git then compares contents
		old := time.Unix(1_000_000_000, 0)
		if err := os.Chtimes(filepath.Join(r.dir, "a.txt"), old, old); err != nil {
			r.t.Fatal(err)
		}
	}
	filtered := func(config string) func(r *gitRepository) {
		return func(r *gitRepository) {
			r.writeText(".gitattributes", "* filter=evil\n")
			r.local(config)
			touchAll(r)
		}
	}
	partial := func(config string) func(r *gitRepository) {
		return func(r *gitRepository) {
			r.git("config", "core.repositoryFormatVersion", "1")
			r.git("config", "extensions.partialClone", "origin")
			r.local("[remote \"origin\"]\n\tpromisor = true\n\tpartialclonefilter = blob:none\n" + config)
			tree, err := exec.Command("git", "-C", r.dir, "rev-parse", "HEAD^{tree}").Output()
			if err != nil {
				t.Fatal(err)
			}
			name := strings.TrimSpace(string(tree))
			if err := os.Remove(filepath.Join(r.dir, ".git", "objects", name[:2], name[2:])); err != nil {
				t.Fatal(err)
			}
			os.Remove(filepath.Join(r.dir, ".git", "index")) // with it git would not need the tree
		}
	}
	for name, c := range map[string]struct {
		prepare func(r *gitRepository)
		quiet   bool
		refused bool
	}{
		"fsmonitor": {prepare: func(r *gitRepository) { r.local("[core]\n\tfsmonitor = TOUCH\n") }},
		"fsmonitor in include": {prepare: func(r *gitRepository) {
			r.config(filepath.Join(r.dir, ".git", "more"), "[core]\n\tfsmonitor = "+r.program()+"\n")
			r.local("[include]\n\tpath = more\n")
		}},
		"fsmonitor of a worktree": {prepare: func(r *gitRepository) {
			r.local("[core]\n\trepositoryFormatVersion = 1\n[extensions]\n\tworktreeConfig = true\n")
			r.config(filepath.Join(r.dir, ".git", "config.worktree"), "[core]\n\tfsmonitor = "+r.program()+"\n")
		}},
		"hook": {prepare: func(r *gitRepository) {
			r.program()
			if err := os.Symlink("../../../hostile", filepath.Join(r.dir, ".git", "hooks", "post-index-change")); err != nil {
				t.Fatal(err)
			}
			touchAll(r)
		}},
		"hooksPath": {prepare: func(r *gitRepository) {
			if err := os.Rename(r.program(), filepath.Join(filepath.Dir(r.dir), "post-index-change")); err != nil {
				t.Fatal(err)
			}
			r.local("[core]\n\thooksPath = ../\n")
			touchAll(r)
		}},
		"clean filter":          {prepare: filtered("[filter \"evil\"]\n\tclean = TOUCH\n")},
		"process filter":        {prepare: filtered("[filter \"evil\"]\n\tprocess = TOUCH\n")},
		"required filter":       {prepare: filtered("[filter \"evil\"]\n\tclean = TOUCH\n\tprocess = TOUCH\n\trequired = true\n")},
		"filter, several times": {prepare: filtered("[filter \"evil\"]\n\tclean = TOUCH\n[FILTER \"evil\"]\n\tCLEAN = TOUCH\n")},
		"filter in info/attributes": {prepare: func(r *gitRepository) {
			write(t, filepath.Join(r.dir, ".git", "info", "attributes"), "*.txt filter=a.b.c\n")
			r.local("[filter \"a.b.c\"]\n\tclean = TOUCH\n")
			touchAll(r)
		}},
		"filter of the user": {prepare: func(r *gitRepository) {
			r.config(filepath.Join(filepath.Dir(r.dir), ".gitconfig"), "[filter \"evil\"]\n\tclean = "+r.program()+"\n")
			filtered("")(r)
		}},
		"filter in include": {prepare: func(r *gitRepository) {
			r.config(filepath.Join(r.dir, ".git", "more"), "[filter \"evil\"]\n\tclean = "+r.program()+"\n")
			filtered("[includeIf \"gitdir:/\"]\n\tpath = more\n")(r)
		}},
		"filter that cannot be named": {refused: true, prepare: func(r *gitRepository) {
			r.writeText(".gitattributes", "* filter=a=b\n")
			r.local("[filter \"a=b\"]\n\tclean = TOUCH\n")
			touchAll(r)
		}},
		"filter that cannot be named 2": {refused: true, quiet: true, prepare: func(r *gitRepository) {
			r.local("[filter \"" + strings.Repeat("x", 2000) + "\"]\n\tclean = TOUCH\n")
		}},
		"a hundred filters": {refused: true, prepare: func(r *gitRepository) {
			for i := range 100 {
				r.local("[filter \"f" + string(rune('a'+i/10)) + string(rune('a'+i%10)) + "\"]\n\tclean = TOUCH\n")
			}
			filtered("[filter \"evil\"]\n\tclean = TOUCH\n")(r)
		}},
		"partial clone, ssh":   {refused: true, prepare: partial("\turl = ssh://localhost/x\n[core]\n\tsshCommand = TOUCH\n")},
		"partial clone, local": {refused: true, prepare: partial("\turl = .\n\tuploadpack = TOUCH\n")},
		"partial clone, ext":   {refused: true, prepare: partial("\turl = ext::TOUCH x\n[protocol \"ext\"]\n\tallow = always\n")},
		"partial clone, git":   {refused: true, prepare: partial("\turl = git://localhost/x\n[core]\n\tgitProxy = TOUCH\n")},
		"submodule": {prepare: func(r *gitRepository) {
			r.git("-c", "protocol.file.allow=always", "submodule", "--quiet", "add", r.dir, "sub")
			r.git("commit", "-q", "-m", "sub")
			r.config(filepath.Join(r.dir, ".git", "modules", "sub", "config"), "[core]\n\tfsmonitor = "+r.program()+"\n")
		}},
		"alias": {quiet: true, prepare: func(r *gitRepository) { r.local("[alias]\n\tstatus = !TOUCH\n\tconfig = !TOUCH\n") }},
		"pager": {quiet: true, prepare: func(r *gitRepository) {
			r.local("[core]\n\tpager = TOUCH\n[pager]\n\tstatus = TOUCH\n\tconfig = TOUCH\n")
		}},
		"external diff": {quiet: true, prepare: func(r *gitRepository) {
			r.writeText(".gitattributes", "* diff=evil\n")
			r.local("[diff]\n\texternal = TOUCH\n[diff \"evil\"]\n\tcommand = TOUCH\n\ttextconv = TOUCH\n[merge \"evil\"]\n\tdriver = TOUCH\n")
			r.writeText("a.txt", "changed\n")
		}},
		"submodule summary": {quiet: true, prepare: func(r *gitRepository) {
			r.local("[status]\n\tsubmoduleSummary = true\n[core]\n\teditor = TOUCH\n\taskPass = TOUCH\n\talternateRefsCommand = TOUCH\n[gpg]\n\tprogram = TOUCH\n[credential]\n\thelper = TOUCH\n")
		}},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			r := repositoryIn(t)
			c.prepare(r)
			r.executed()
			ask := r.ask
			if c.refused {
				ask = func(...string) (gitStatus, bool) { return readGitStatus(r.dir, r.environment) }
			}
			status, ok := ask()
			if r.executed() {
				t.Error("a program of the repository was run")
			}
			if ok == c.refused || ok && status.branch != "main" {
				t.Errorf("%v, ok %v", counts(status), ok)
			}
			// The same command without precautions.
			within, cancel := context.WithTimeout(t.Context(), time.Minute)
			defer cancel()
			usual := exec.CommandContext(within, "git", "status", "--porcelain=v2", "--branch")
			usual.Dir, usual.Env = r.dir, r.environment
			usual.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
			usual.Cancel = func() error { return syscall.Kill(-usual.Process.Pid, syscall.SIGKILL) }
			ran, ended := false, make(chan error, 1)
			go func() { ended <- usual.Run() }()
			for over := false; !over; {
				select {
				case <-ended:
					over = true
				case <-time.After(5 * time.Millisecond):
				}
				if r.executed() {
					ran = true
					cancel() // some of the programs wait for an answer
				}
			}
			if ran == c.quiet {
				t.Errorf("git as usual runs a program: %v", ran)
			}
		})
	}
}

// TestSlowRepositories makes git block forever; git and the processes that it started must be killed in time.
func TestSlowRepositories(t *testing.T) {
	for name, prepare := range map[string]func(r *gitRepository){
		"FIFO for an index": func(r *gitRepository) {
			os.Remove(filepath.Join(r.dir, ".git", "index"))
			if err := syscall.Mkfifo(filepath.Join(r.dir, ".git", "index"), 0o644); err != nil {
				t.Fatal(err)
			}
		},
		"FIFO for a configuration": func(r *gitRepository) {
			if err := syscall.Mkfifo(filepath.Join(r.dir, ".git", "fifo"), 0o644); err != nil {
				t.Fatal(err)
			}
			r.local("[include]\n\tpath = fifo\n")
		},
		"FIFO for attributes": func(r *gitRepository) {
			if err := syscall.Mkfifo(filepath.Join(r.dir, ".git", "info", "attributes"), 0o644); err != nil {
				t.Fatal(err)
			}
			r.writeText("a.txt", "two\n") // of the same size, so that git compares contents
		},
	} {
		r := repositoryIn(t)
		prepare(r)
		start := time.Now()
		_, ok := readGitStatus(r.dir, r.environment)
		if took := time.Since(start); ok || took > time.Minute {
			t.Errorf("%s: %v after %v", name, ok, took)
		}
	}

	// A git that starts another process and never ends.
	dir := t.TempDir()
	write(t, filepath.Join(dir, "git"), "#!/bin/sh\n/bin/sleep 1000 & echo $! >'"+dir+"/pid'; wait\n")
	if err := os.Chmod(filepath.Join(dir, "git"), 0o755); err != nil {
		t.Fatal(err)
	}
	start := time.Now()
	_, ok := readGitStatus(dir, []string{"PATH=" + dir})
	if took := time.Since(start); ok || took > time.Minute {
		t.Errorf("endless git: %v after %v", ok, took)
	}
	// A git that prints forever.
	write(t, filepath.Join(dir, "git"), "#!/bin/sh\nwhile :; do echo '# branch.head x'; done\n")
	start = time.Now()
	_, ok = readGitStatus(dir, []string{"PATH=" + dir})
	if took := time.Since(start); ok || took > time.Minute {
		t.Errorf("talkative git: %v after %v", ok, took)
	}
}
