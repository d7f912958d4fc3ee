package statusline

import (
	"path/filepath"
	"strings"
	"testing"

	"gatehouse/model/line"
	"gatehouse/parse/nearest"
)

func TestGitFlags(t *testing.T) {
	for args, want := range map[string]GitMode{"": NoGit, "--git": GitBranch, "--git=dirty": GitDirty, "--git=dirty --git": GitBranch, "-git": GitBranch} {
		if c, problem := ParseFlags(strings.Fields(args)); c.Git != want || problem != "" {
			t.Errorf("%q: %v, %s", args, c.Git, problem)
		}
	}
	for _, args := range []string{"--git=", "--git=yes", "--git dirty"} {
		if _, problem := ParseFlags(strings.Fields(args)); problem == "" {
			t.Errorf("%q is taken", args)
		}
	}
}

// TestGitSegment checks a branch after the line of a build and by itself, in each sink: hostile names are cleaned and escaped like any
// field.
func TestGitSegment(t *testing.T) {
	const state = "---\nmilestone: v1\nmilestone_name: Name\nstatus: executing\n---\n"
	for _, branch := range []string{"main", "$(touch${IFS}x)", "`x`", "a%F{$(x)}", "#(x)#[fg=red]", `\044(x)`, "a!b", "\x1b]0;x\x07", "\u202ex", strings.Repeat("é", 300)} {
		bare := at(project(t, nil))
		write(t, filepath.Join(bare.Dir, ".git", "HEAD"), "ref: refs/heads/"+branch+"\n")
		build := at(project(t, map[string]string{"STATE.md": state}))
		write(t, filepath.Join(build.Dir, ".git", "HEAD"), "ref: refs/heads/"+branch+"\n")
		shown := line.AppendClean(nil, branch, line.FieldLimit)
		for _, sink := range sinks {
			opt := Options{Sink: sink, Git: GitBranch}
			if got, want := string(ReadLine(bare, opt).Text), string(sink.escapeText(nil, shown))+"\n"; got != want {
				t.Errorf("%q alone for %s: %q, want %q", branch, sink.name, got, want)
			}
			want := string(sink.escapeText(nil, append([]byte("v1 Name · executing │ "), shown...))) + "\n"
			if got := string(ReadLine(build, opt).Text); got != want {
				t.Errorf("%q for %s: %q, want %q", branch, sink.name, got, want)
			}
			opt.Git = NoGit
			if got := ReadLine(bare, opt).Text; len(got) > 0 {
				t.Errorf("without --git: %q", got)
			}
		}
	}
}

func TestRepositoryName(t *testing.T) {
	for _, c := range []struct {
		r           repository
		line, agent string
	}{
		{repository{}, "", ""},
		{repository{head: nearest.Git{Branch: "a"}}, "a", "a"},
		{repository{head: nearest.Git{Commit: "0123456"}}, "0123456", "0123456"},
		{repository{head: nearest.Git{Commit: "0123456"}, status: gitStatus{branch: "(detached)", commit: "0123456"}, counted: true}, "0123456", "(detached)"},
		{repository{status: gitStatus{branch: "b", commit: "0123456"}, counted: true}, "b", "b"}, // reftable
		{repository{status: gitStatus{branch: "(detached)", commit: "0123456"}, counted: true}, "0123456", "(detached)"},
	} {
		if got := c.r.branchName(false); got != c.line {
			t.Errorf("%+v: %q, want %q", c.r.head, got, c.line)
		}
		if got := c.r.branchName(true); got != c.agent {
			t.Errorf("%+v for an agent: %q, want %q", c.r.head, got, c.agent)
		}
	}
}

func TestMarks(t *testing.T) {
	r := repository{counted: true, status: gitStatus{branch: "m", staged: 1, unstaged: 20, untracked: 3, ahead: 4, behind: 5}}
	if got, want := legible(r.composeMarks(true)), "<green +1><yellow ~20><red ?3><green ↑4><red ↓5>"; got != want {
		t.Errorf("%s, want %s", got, want)
	}
	r.status = gitStatus{branch: "m"}
	if got := legible(r.composeMarks(true)); got != "<green ✓>" {
		t.Error(got)
	}
	r.counted = false
	if got := r.composeMarks(true); got != "" {
		t.Error(got)
	}
}
