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
	Root   string // its main working tree, which all linked working trees share: agents in them belong to the same project
	Tree   string // the top of this working tree
	Git    string // the git directory of this working tree
	Common string // the git directory that all working trees share
}

// Repository returns the repository that dir lies in, by at most two files per directory and without git. dir is absolute and clean. ok is
// false outside of a repository, and in one that git could not use. A submodule is a repository of its own. A working tree that is linked
// to a bare repository is its own root.
func Repository(dir string) (r Repo, ok bool) {
	for range climbLimit {
		entry := peek.Join(dir, ".git")
		git, err := readPath(entry, "gitdir: ", dir)
		if err == peek.ErrNotRegular && peek.Exists(peek.Join(entry, "HEAD")) {
			git, err = entry, nil
		}
		if up := peek.Parent(dir); err != nil && up != dir {
			dir = up
			continue
		}
		r = Repo{Root: dir, Tree: dir, Git: git, Common: git}
		common, err := readPath(peek.Join(git, "commondir"), "", git)
		if err == nil {
			r.Common = common
			if real, ok := peek.RealPath(common); ok {
				r.Common = real
			}
			if root := peek.Parent(r.Common); peek.Join(root, ".git") == r.Common {
				r.Root = root
			}
		}
		if (err == nil || peek.Missing(err)) && peek.Exists(peek.Join(git, "HEAD")) && peek.Exists(peek.Join(r.Common, "HEAD")) {
			return r, true
		}
		break
	}
	return Repo{}, false
}

// readPath returns the absolute path in the first line of a small file, without a prefix.
func readPath(file, prefix, dir string) (path string, err error) {
	text, _, err := peek.ReadFile(file, "", nil, linkLimit)
	for i := range len(text) {
		if text[i] == '\n' || text[i] == '\r' {
			text = text[:i]
			break
		}
	}
	if err != nil || len(text) <= len(prefix) || text[:len(prefix)] != prefix {
		return "", err
	}
	return peek.Absolute(text[len(prefix):], dir), nil
}
