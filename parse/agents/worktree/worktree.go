// Package worktree finds the repository, branch and commit of a directory by reading files, and its changes by running
// git in a way that runs no program of the repository.
package worktree

import (
	"strings"

	"gatehouse/parse/agents/waiting"
	"gatehouse/parse/disk/peek"
)

const packedLimit = 8 << 20 // bytes of all packed references

// Branch returns the branch that is checked out in dir, the short commit if none is, and "" if unknown. The name is as
// hostile as any text of a file.
func Branch(dir string) string {
	r, _ := waiting.Repository(dir)
	head, _ := r.ReadHead()
	return head.Branch + head.Commit
}

// Head returns the commit that is checked out in dir, "" if unknown.
func Head(dir string) (commit string) {
	if r, ok := waiting.Repository(dir); ok {
		commit = r.Commit(readRef)
	}
	return commit
}

// readRef returns the content of a reference's file, "" if it cannot be read.
func readRef(git, name string) string {
	text, _, _ := peek.ReadFile(peek.Join(git, name), "", packedLimit)
	return strings.TrimSpace(text)
}
