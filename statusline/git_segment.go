// The git segment of a line: the branch, and the changes if requested.

package statusline

import (
	"gatehouse/model/line"
	"gatehouse/parse/nearest"
)

// GitMode is the value of --git.
type GitMode uint8

const (
	// NoGit shows nothing of git.
	NoGit GitMode = iota
	// GitBranch shows the branch, read from HEAD: no program runs.
	GitBranch
	// GitDirty also makes git count changes: see readGitStatus.
	GitDirty
)

// repository holds the facts about the repository of a place; the zero value is none.
type repository struct {
	head    nearest.Git
	found   bool
	status  gitStatus
	counted bool // status is known
}

// askRepository returns the facts that mode shows about the repository of a place.
// environment is the program's, for git.
func askRepository(place nearest.Place, mode GitMode, environment []string) (r repository) {
	if mode == NoGit {
		return r
	}
	if r.head, r.found = nearest.FindGit(place); r.found && mode == GitDirty {
		r.status, r.counted = readGitStatus(place.Dir, environment)
	}
	return r
}

// branchName returns the branch, or the commit if no branch is checked out, not cleaned; "" when neither is known. In an
// agent's line it is "(detached)" if git was asked, as in GSD.
func (r *repository) branchName(agent bool) string {
	switch {
	case agent && r.counted:
		return r.status.branch
	case r.head.Commit != "":
		return r.head.Commit
	case r.head.Branch != "" || !r.counted:
		return r.head.Branch
	case r.status.branch == "(detached)": // only git knows
		return r.status.commit
	}
	return r.status.branch
}

// mark is one count of a git segment.
type mark struct {
	sign  string
	count int
	color string
	role  line.Role
}

// countMarks returns the counts in display order.
func (r *repository) countMarks() [5]mark {
	s := &r.status
	return [...]mark{
		{"+", s.staged, green, line.Accent},
		{"~", s.unstaged, amber, line.Wait},
		{"?", s.untracked, red, line.Wait},
		{"↑", s.ahead, green, line.Accent},
		{"↓", s.behind, red, line.Wait},
	}
}

// clean marks a work tree without changes.
const clean = "✓"

// composeMarks returns the counts that are not 0, or the mark of a clean work tree; "" if they are unknown.
func (r *repository) composeMarks(colored bool) (text string) {
	if !r.counted {
		return ""
	}
	for _, m := range r.countMarks() {
		if m.count > 0 {
			text += paintText(m.color, m.sign+line.Decimal(m.count), colored)
		}
	}
	if r.status.isClean() {
		text = paintText(green, clean, colored)
	}
	return text
}

// addTo adds the segment to t, which is fitted to cols columns, as the line of another build. It is the first to be left
// out if the width is known; on its own it is cut.
func (r *repository) addTo(t *line.Text, cols int) {
	name := line.Foreign(r.branchName(false))
	if name == "" {
		return
	}
	if present := string(t.Bytes()); cols > 0 && present != "" && line.Width(present+line.LineSeparator+name+r.composeMarks(false)) > cols {
		return
	}
	t.Next()
	t.Begin(line.Keep)
	t.Field(line.Plain, name)
	if r.counted {
		for _, m := range r.countMarks() {
			if m.count > 0 {
				t.Add(m.role, m.sign+line.Decimal(m.count))
			}
		}
		if r.status.isClean() {
			t.Add(line.Accent, clean)
		}
	}
	t.Fit(cols)
}
