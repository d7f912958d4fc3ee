// What git itself says about a work tree: the output of "git status --porcelain=v2 --branch", as GSD's status line counts
// it. Reading it is here; running git is not.

package nearest

import "gatehouse/parse/text/scan"

// GitStatus counts what "git status" prints, fed to it in chunks of any size. The zero value is ready.
type GitStatus struct {
	// Branch is the name of the branch, "(detached)" without one, "" when the output does not say.
	Branch string
	// Commit is the first seven digits of the commit, "" where there is none yet.
	Commit string

	Staged    int // entries that differ between HEAD and index
	Unstaged  int // entries that differ between index and work tree, and those with conflicts
	Untracked int // entries that git does not know
	Ahead     int // commits that the upstream branch lacks
	Behind    int // commits that only the upstream branch has

	head [512]byte // how the present line begins: more than any name that is shown
	n    int       // how many bytes of head there are
}

// Clean reports whether nothing differs.
func (s *GitStatus) Clean() bool {
	return s.Staged == 0 && s.Unstaged == 0 && s.Untracked == 0 && s.Ahead == 0 && s.Behind == 0
}

// Feed takes the next part of the output into account.
func (s *GitStatus) Feed(output []byte) {
	for _, c := range output {
		switch {
		case c == '\n':
			s.line(s.head[:s.n])
			s.n = 0
		case s.n < len(s.head):
			s.head[s.n] = c
			s.n++
		}
	}
}

// End takes a last line without a line break into account.
func (s *GitStatus) End() {
	s.line(s.head[:s.n])
	s.n = 0
}

// line counts one line, of which only the beginning is there.
func (s *GitStatus) line(text []byte) {
	if len(text) < 2 {
		return
	}
	switch {
	case text[0] == '#':
		s.header(string(text))
	case text[1] != ' ':
	case text[0] == '1' || text[0] == '2':
		if len(text) < 4 || text[2] != '.' {
			s.Staged++
		}
		if len(text) < 4 || text[3] != '.' {
			s.Unstaged++
		}
	case text[0] == 'u':
		s.Unstaged++
	case text[0] == '?':
		s.Untracked++
	}
}

// header reads one of the lines about the branch.
func (s *GitStatus) header(text string) {
	const head, oid, counts = "# branch.head ", "# branch.oid ", "# branch.ab +"
	switch {
	case scan.HasPrefixAt(text, head, 0):
		s.Branch = scan.TrimSpace(text[len(head):])
	case scan.HasPrefixAt(text, oid, 0):
		if text = scan.TrimSpace(text[len(oid):]); commit(text) {
			s.Commit = text[:commitDigits]
		}
	case scan.HasPrefixAt(text, counts, 0):
		ahead, i := scan.Digits(text, len(counts))
		if ahead == "" || !scan.HasPrefixAt(text, " -", i) {
			return // not counted: the user's configuration may say so
		}
		if behind, _ := scan.Digits(text, i+2); behind != "" {
			s.Ahead, s.Behind = count(ahead), count(behind)
		}
	}
}

// count returns the number that digits spell, at most a billion.
func count(digits string) int {
	n := 0
	for i := 0; i < len(digits) && n < 1e8; i++ {
		n = n*10 + int(digits[i]-'0')
	}
	return n
}
