// Package worktree finds the repository, branch and commit of a directory by reading files, and what changed there by running git in a
// way that runs no program of the repository.
package worktree

import (
	"cmp"
	"strings"

	"gatehouse/parse/agents/waiting"
	"gatehouse/parse/disk/peek"
)

const (
	refLimit    = 4 << 10 // bytes of HEAD or of a reference
	packedLimit = 8 << 20 // bytes of all packed references
	shortCommit = 7       // digits of a commit that are shown
)

// Root returns the main working tree of the repository that dir lies in, and the top of the working tree itself: they differ in a
// linked working tree (git worktree add). dir is absolute and clean. ok is false outside of a working tree.
func Root(dir string) (root, tree string, ok bool) {
	r, ok := waiting.FindRepo(dir)
	return r.Root, r.Tree, ok
}

// Branch returns the branch that is checked out in dir, the short commit if none is, and "" if unknown. The name is as
// hostile as any text of a file.
func Branch(dir string) string {
	r, _ := waiting.FindRepo(dir)
	head := readRef(r.Git, "HEAD")
	if ref, symbolic := strings.CutPrefix(head, "ref: "); symbolic && ref != "refs/heads/.invalid" { // the sign of reftable
		return strings.TrimPrefix(ref, "refs/heads/")
	}
	if isCommit(head) {
		return head[:shortCommit]
	}
	return ""
}

// Head returns the commit that is checked out in dir, "" if unknown.
func Head(dir string) string {
	r, _ := waiting.FindRepo(dir)
	head := readRef(r.Git, "HEAD")
	if ref, ok := strings.CutPrefix(head, "ref: "); ok && strings.HasPrefix(ref, "refs/") && !strings.Contains(ref, "..") {
		head = cmp.Or(readRef(r.Common, ref), packedRef(r.Common, ref))
	}
	if !isCommit(head) {
		return ""
	}
	return head
}

// readRef returns what the file of a reference says, "" if it cannot be read.
func readRef(git, name string) string {
	text, truncated, err := peek.ReadFile(peek.Join(git, name), "", nil, refLimit)
	if git == "" || err != nil || truncated {
		return ""
	}
	return strings.TrimSpace(text)
}

// packedRef returns the commit of a packed reference, "" if there is none.
func packedRef(common, name string) string {
	text, _, _ := peek.ReadFile(peek.Join(common, "packed-refs"), "", nil, packedLimit)
	for l := range strings.Lines(text) {
		if commit, ref, ok := strings.Cut(strings.TrimSpace(l), " "); ok && ref == name {
			return commit
		}
	}
	return ""
}

// isCommit reports whether text is the full name of a commit: 40 hexadecimal digits, or 64.
func isCommit(text string) bool {
	other := func(r rune) bool { return (r < '0' || r > '9') && (r < 'a' || r > 'f') }
	return (len(text) == 40 || len(text) == 64) && !strings.ContainsFunc(text, other)
}
