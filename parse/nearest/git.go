// The branch that is checked out, read from HEAD without starting git. Reading never runs anything that a repository
// configures; asking git could.

package nearest

import (
	"gatehouse/parse/disk/peek"
	"gatehouse/parse/text/scan"
)

const (
	// gitClimbLimit is how many directories are examined for a repository, which git looks for up to the root.
	gitClimbLimit = 100
	// gitFileLimit is how many bytes of HEAD, or of a file .git, are read: each holds one path or name.
	gitFileLimit = 4 << 10
	// commitDigits is how many digits of a commit are shown, as git abbreviates it.
	commitDigits = 7
)

// Git is what is checked out in a repository.
type Git struct {
	// Branch is the name of the branch, such as "main" or "fix/a-b", as hostile as any text from a file; of HEAD on
	// something else than a branch the whole name, such as "refs/bisect/bad"; "" when Detached, or when only git can tell
	// because the repository keeps its references in a form of its own (reftable).
	Branch string
	// Detached says that no branch is checked out but a commit, and Commit its first seven hexadecimal digits.
	Detached bool
	Commit   string
}

// FindGit returns what HEAD of the repository says that the directory of p lies in. ok is false without a repository. Like
// Find it never fails, never waits, runs and writes nothing.
func FindGit(p Place) (g Git, ok bool) {
	_, g, ok = p.findGit()
	return g, ok
}

// WorkTree returns the directory in which the repository begins that the directory of p lies in: the nearest with a .git, even one
// that git can't use as it is. ok is false without one.
func WorkTree(p Place) (dir string, ok bool) {
	dir = p.Dir
	for range gitClimbLimit {
		if peek.Exists(peek.Join(dir, ".git")) {
			return dir, true
		}
		up := peek.Parent(dir)
		if up == dir {
			break
		}
		dir = up
	}
	return "", false
}

func (p *Place) findGit() (dir string, g Git, ok bool) {
	dir = p.Dir
	for range gitClimbLimit {
		if g, ok, ended := p.gitIn(dir); ok || ended {
			return dir, g, ok
		}
		up := peek.Parent(dir)
		if up == dir {
			break
		}
		dir = up
	}
	return "", Git{}, false
}

// gitIn looks for a repository in one directory. ended says that there is one that cannot be read, where git gives up too.
func (p *Place) gitIn(dir string) (g Git, ok, ended bool) {
	repository, kind := p.repository(dir)
	switch kind {
	case noRepository:
		return Git{}, false, false
	case brokenRepository:
		return Git{}, false, true
	}
	g, ok = p.head(repository)
	return g, ok, !ok && kind == linkedRepository
}

// repositoryKind says what stands at .git.
type repositoryKind uint8

const (
	noRepository repositoryKind = iota
	ownRepository
	linkedRepository // a file names its directory: worktrees and submodules
	brokenRepository
)

// repository returns the directory of the repository that belongs to dir, by its .git.
func (p *Place) repository(dir string) (repository string, kind repositoryKind) {
	entry := peek.Join(dir, ".git")
	p.Watch.Add(entry)
	text, truncated, err := peek.ReadFile(entry, "", p.Buffer, gitFileLimit)
	switch {
	case err == peek.ErrNotRegular: // a directory, as a rule
		return entry, ownRepository
	case err != nil:
		return "", noRepository
	}
	const prefix = "gitdir:"
	if truncated || !scan.HasPrefixAt(text, prefix, 0) {
		return "", brokenRepository
	}
	target := text[len(prefix):]
	for target != "" && target[0] == ' ' {
		target = target[1:]
	}
	for n := len(target); n > 0 && (target[n-1] == '\n' || target[n-1] == '\r'); n = len(target) {
		target = target[:n-1]
	}
	if target == "" {
		return "", brokenRepository
	}
	if !absolute(target) {
		target = peek.Join(dir, target) // by the system and not by text: a directory on the way may be a link
	}
	return target, linkedRepository
}

// head returns what HEAD in the directory of a repository says. ok is false when there is none, or when it is not one of
// the forms that git writes.
func (p *Place) head(repository string) (g Git, ok bool) {
	path := peek.Join(repository, "HEAD")
	text, truncated, err := peek.ReadFile(path, "", p.Buffer, gitFileLimit)
	p.Watch.file(path, err)
	if err != nil || truncated {
		return Git{}, false
	}
	text = scan.TrimSpace(text)
	if !scan.HasPrefixAt(text, "ref:", 0) {
		if !commit(text) {
			return Git{}, false
		}
		return Git{Detached: true, Commit: text[:commitDigits]}, true
	}
	name := scan.TrimSpace(text[len("ref:"):])
	switch {
	case !scan.HasPrefixAt(name, "refs/", 0):
		return Git{}, false
	case name == "refs/heads/.invalid":
		return Git{}, true
	case scan.HasPrefixAt(name, "refs/heads/", 0):
		name = name[len("refs/heads/"):]
	}
	return Git{Branch: name}, true
}

// commit reports whether text is the name of a commit: 40 hexadecimal digits, or 64.
func commit(text string) bool {
	for i := range len(text) {
		if c := text[i]; (c < '0' || c > '9') && (c|0x20 < 'a' || c|0x20 > 'f') {
			return false
		}
	}
	return len(text) == 40 || len(text) == 64
}

// absolute reports whether path, which is not empty, begins at a root.
func absolute(path string) bool {
	drive := peek.Separator == `\` && len(path) > 2 && path[1] == ':' && peek.IsSeparator(path[2])
	return drive || peek.IsSeparator(path[0])
}
