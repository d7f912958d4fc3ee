// The repository that a directory lies in, read from its files without git.

package waiting

import "gatehouse/parse/disk/peek"

const (
	// climbLimit is how many directories are examined for a repository.
	climbLimit = 100
	// linkLimit is how many bytes are read of a file that holds one path.
	linkLimit = 4 << 10
)

// Repo is a git repository as seen from one working tree. All paths are absolute.
type Repo struct {
	Root   string // its main working tree, which all linked working trees share
	Tree   string // the top of this working tree
	Git    string // the git directory of this working tree
	Common string // the git directory that all working trees share
}

// Repository returns the main working tree of the repository that dir lies in: agents in linked working trees belong to the same
// project. dir is absolute and clean. ok is false outside of a repository, and in one that git could not use.
func Repository(dir string) (root string, ok bool) {
	r, ok := FindRepo(dir)
	return r.Root, ok
}

// FindRepo returns the repository that dir lies in, see [Repository]. A submodule is a repository of its own. A working tree that is
// linked to a bare repository is its own root. It reads at most two files per directory.
func FindRepo(dir string) (r Repo, ok bool) {
	for range climbLimit {
		entry := peek.Join(dir, ".git")
		target, err := readPath(entry)
		switch {
		case err == peek.ErrNotRegular && peek.Exists(peek.Join(entry, "HEAD")):
			return withCommon(Repo{Root: dir, Tree: dir, Git: entry})
		case err == nil:
			const prefix = "gitdir: "
			if len(target) <= len(prefix) || target[:len(prefix)] != prefix {
				return Repo{}, false
			}
			r = Repo{Root: dir, Tree: dir, Git: peek.Absolute(target[len(prefix):], dir)}
			if !peek.Exists(peek.Join(r.Git, "HEAD")) {
				return Repo{}, false
			}
			return withCommon(r)
		}
		up := peek.Parent(dir)
		if up == dir {
			break
		}
		dir = up
	}
	return Repo{}, false
}

// withCommon adds the common git directory of a repository, and its root if this is a linked working tree.
func withCommon(r Repo) (Repo, bool) {
	target, err := readPath(peek.Join(r.Git, "commondir"))
	if err != nil {
		r.Common = r.Git
		return r, peek.Missing(err)
	}
	r.Common = peek.Absolute(target, r.Git)
	if !peek.Exists(peek.Join(r.Common, "HEAD")) {
		return Repo{}, false
	}
	if real, ok := peek.RealPath(r.Common); ok {
		r.Common = real
	}
	if root := peek.Parent(r.Common); peek.Join(root, ".git") == r.Common {
		r.Root = root
	}
	return r, true
}

// readPath returns the first line of a small file.
func readPath(path string) (string, error) {
	text, _, err := peek.ReadFile(path, "", nil, linkLimit)
	for i := range len(text) {
		if text[i] == '\n' || text[i] == '\r' {
			return text[:i], err
		}
	}
	return text, err
}
