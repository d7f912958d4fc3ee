package waiting

import "gatehouse/parse/disk/peek"

const (
	repositoryClimb = 100     // how many directories are searched for a repository
	gitFileLimit    = 4 << 10 // how many bytes of a file in a repository are read: each holds one path
)

// Repository returns the real path of the main working tree of the repository that dir belongs to. A linked worktree belongs to
// the main working tree; a submodule and a worktree of a bare repository are roots of their own. ok is false outside of
// repositories. Repository runs no program and reads at most two small files.
func Repository(dir string) (root string, ok bool) {
	dir, ok = peek.RealPath(dir)
	for range repositoryClimb {
		git := peek.Join(dir, ".git")
		if !ok || peek.Exists(peek.Join(git, "HEAD")) {
			return dir, ok
		}
		if private, isFile := readPath(git, "gitdir: ", dir); isFile {
			return mainWorkTree(dir, private), true
		}
		up := peek.Parent(dir)
		dir, ok = up, up != dir
	}
	return "", false
}

// mainWorkTree returns the main working tree for a worktree, whose own part of the repository is the directory private.
func mainWorkTree(worktree, private string) string {
	common, ok := readPath(peek.Join(private, "commondir"), "", private)
	if ok {
		common, ok = peek.RealPath(common)
	}
	if root := peek.Parent(common); ok && common == peek.Join(root, ".git") {
		return root
	}
	return worktree
}

// readPath returns the path behind prefix in a file of one line, resolved against dir.
func readPath(file, prefix, dir string) (path string, ok bool) {
	text, truncated, err := peek.ReadFile(file, "", nil, gitFileLimit)
	if err != nil || truncated || len(text) <= len(prefix) || text[:len(prefix)] != prefix {
		return "", false
	}
	path = text[len(prefix):]
	for path != "" && (path[len(path)-1] == '\n' || path[len(path)-1] == '\r') {
		path = path[:len(path)-1]
	}
	if path != "" && !peek.IsAbsolute(path) {
		path = peek.Join(dir, path)
	}
	return path, path != ""
}
