// Package worktree finds the repository, branch and commit of a directory by reading files, and what changed there by running git in a
// way that runs no program of the repository.
package worktree

import (
	"cmp"
	"context"
	"regexp"
	"strings"

	"gatehouse/parse/agents/waiting"
	"gatehouse/parse/disk/peek"
)

const (
	packedLimit = 8 << 20 // bytes of all packed references
	shortCommit = 7       // digits of a commit that are shown
)

// commit matches the full name of a commit.
var commit = regexp.MustCompile(`^([0-9a-f]{40}|[0-9a-f]{64})$`)

// Root returns the main working tree of the repository that dir lies in, and the top of the working tree itself: they differ in a
// linked working tree (git worktree add). dir is absolute and clean. ok is false outside of a working tree.
func Root(dir string) (root, tree string, ok bool) {
	r, ok := waiting.Repository(dir)
	return r.Root, r.Tree, ok
}

// Branch returns the branch that is checked out in dir, the short commit if none is, and "" if unknown. The name is as
// hostile as any text of a file.
func Branch(dir string) string {
	_, head := readHead(dir)
	if ref, symbolic := strings.CutPrefix(head, "ref: "); symbolic && ref != "refs/heads/.invalid" { // the sign of reftable
		return strings.TrimPrefix(ref, "refs/heads/")
	} else if commit.MatchString(head) {
		return head[:shortCommit]
	}
	return ""
}

// Head returns the commit that is checked out in dir, "" if unknown.
func Head(dir string) string {
	r, head := readHead(dir)
	if ref, ok := strings.CutPrefix(head, "ref: "); ok && strings.HasPrefix(ref, "refs/") && !strings.Contains(ref, "..") {
		head = readRef(r.Common, ref)
		for l := range strings.Lines(readRef(r.Common, "packed-refs")) {
			if name, packed, _ := strings.Cut(strings.TrimSpace(l), " "); packed == ref {
				head = cmp.Or(head, name)
			}
		}
	}
	if !commit.MatchString(head) {
		return ""
	}
	return head
}

// readHead returns the repository of a directory and what its HEAD says.
func readHead(dir string) (r waiting.Repo, head string) {
	if r, ok := waiting.Repository(dir); ok {
		return r, readRef(r.Git, "HEAD")
	}
	return r, ""
}

// readRef returns what the file of a reference says, "" if it cannot be read.
func readRef(git, name string) string {
	text, _, _ := peek.ReadFile(peek.Join(git, name), "", nil, packedLimit)
	return strings.TrimSpace(text)
}

// LastTag returns the tag that matches a pattern and is nearest before the commit checked out in dir, as git describes it; "" without one.
func LastTag(ctx context.Context, dir, pattern string) string {
	out, err := runGit(ctx, dir, "describe", "--tags", "--abbrev=0", "--match", pattern)
	if err != nil {
		return ""
	}
	return strings.TrimSpace(string(out))
}
