package nearest

import (
	"gatehouse/parse/agents/waiting"
	"gatehouse/parse/disk/peek"
	"gatehouse/parse/doc"
)

const (
	maxHead      = 4 << 10 // bytes of HEAD, which holds one name
	commitDigits = 7       // digits of a commit that are shown
)

// Git is what is checked out in a repository.
type Git struct {
	// Branch is the name of the branch, such as "main", as hostile as any text from a file. If HEAD is on something else, it
	// is the whole name, such as "refs/bisect/bad"; "" if Detached, or if only git can tell because the repository keeps its
	// references in a form of its own (reftable).
	Branch string
	// Detached says that no branch is checked out but a commit, and Commit its first seven hexadecimal digits.
	Detached bool
	Commit   string
}

// FindGit returns what HEAD says in the repository that the directory of p lies in. ok is false without a repository. It
// reads files and never runs git, which could run what the repository configures.
func FindGit(p Place) (g Git, ok bool) {
	r, ok := p.findRepository()
	if !ok {
		return g, false
	}
	path := peek.Join(r.Git, "HEAD")
	text, truncated, err := peek.ReadFile(path, "", p.Buffer, maxHead)
	p.Watch.file(path, err)
	if g, ok = parseHead(text); ok && err == nil && !truncated {
		return g, true
	}
	if up := peek.Parent(r.Tree); up != r.Tree && r.Git == peek.Join(r.Tree, ".git") {
		p.Dir = up // git goes on looking, too
		return FindGit(p)
	}
	return Git{}, false
}

// parseHead reads the text of HEAD. ok is false if git does not write it so.
func parseHead(text string) (g Git, ok bool) {
	text = doc.Trim(text)
	if !doc.HasPrefix(text, "ref:") {
		if ok = isCommit(text); ok {
			g = Git{Detached: true, Commit: text[:commitDigits]}
		}
		return g, ok
	}
	name := doc.Trim(text[len("ref:"):])
	switch {
	case name == "refs/heads/.invalid":
		name = ""
	case doc.HasPrefix(name, "refs/heads/"):
		name = name[len("refs/heads/"):]
	case !doc.HasPrefix(name, "refs/"):
		return g, false
	}
	return Git{Branch: name}, true
}

// isCommit reports whether text is the name of a commit: 40 hexadecimal digits, or 64.
func isCommit(text string) bool {
	for i := range len(text) {
		if c := text[i]; (c < '0' || c > '9') && (c|0x20 < 'a' || c|0x20 > 'f') {
			return false
		}
	}
	return len(text) == 40 || len(text) == 64
}

// WorkTree returns the directory of the nearest .git above the directory of p, even if git can't use that one. ok is false
// without one.
func WorkTree(p Place) (dir string, ok bool) {
	for dir, up := p.Dir, ""; dir != up; dir = peek.Parent(dir) {
		if peek.Exists(peek.Join(dir, ".git")) {
			return dir, true
		}
		up = dir
	}
	return "", false
}

// findRepository returns the repository that the directory of p lies in.
func (p *Place) findRepository() (r waiting.Repo, ok bool) {
	dir, isReal := peek.RealPath(p.Dir)
	if !isReal {
		dir = p.Dir
	}
	r, ok = waiting.Repository(dir)
	for up := ""; p.Watch != nil && dir != up; dir = peek.Parent(dir) {
		p.Watch.Add(peek.Join(dir, ".git"))
		if up = dir; ok && dir == r.Tree {
			break
		}
	}
	return r, ok
}
