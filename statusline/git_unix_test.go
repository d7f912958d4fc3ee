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

	"github.com/rogpeppe/go-internal/txtar"
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
	must(t, os.Mkdir(r.dir, 0o755))
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
	must(r.t, err)
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
	must(r.t, os.Chmod(path, 0o755))
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

// TestHostileRepositories reads repositories that name a program wherever one can: here it may not run, while a plain "git status" runs
// it, so that the row proves something.
func TestHostileRepositories(t *testing.T) {
	rows, err := txtar.ParseFile(filepath.Join("testdata", "hostile_repositories.txtar"))
	must(t, err)
	for _, row := range rows.Files[1:] {
		isQuiet, isRefused := strings.Contains(row.Name, "quiet"), strings.Contains(row.Name, "refused")
		t.Run(row.Name, func(t *testing.T) {
			t.Parallel()
			r := repositoryIn(t)
			prepare := exec.Command("sh", "-ec", string(rows.Files[0].Data)+string(row.Data))
			prepare.Dir, prepare.Env = r.dir, append(slices.Clone(r.environment), "TOUCH="+r.program())
			if report, err := prepare.CombinedOutput(); err != nil {
				t.Fatalf("%v\n%s", err, report)
			}
			r.executed()
			ask := r.ask
			if isRefused {
				ask = func(...string) (gitStatus, bool) { return readGitStatus(r.dir, r.environment) }
			}
			status, ok := ask()
			if r.executed() {
				t.Error("a program of the repository was run")
			}
			if ok == isRefused || ok && status.branch != "main" {
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
			if ran == isQuiet {
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
			must(t, syscall.Mkfifo(filepath.Join(r.dir, ".git", "index"), 0o644))
		},
		"FIFO for a configuration": func(r *gitRepository) {
			must(t, syscall.Mkfifo(filepath.Join(r.dir, ".git", "fifo"), 0o644))
			r.local("[include]\n\tpath = fifo\n")
		},
		"FIFO for attributes": func(r *gitRepository) {
			must(t, syscall.Mkfifo(filepath.Join(r.dir, ".git", "info", "attributes"), 0o644))
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
	must(t, os.Chmod(filepath.Join(dir, "git"), 0o755))
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
