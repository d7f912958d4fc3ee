package waiting

import (
	"gatehouse/parse/disk/peek"
	"gatehouse/parse/doc"
)

const (
	// climbLimit is how many directories are examined for a repository.
	climbLimit = 100
	// nameLimit is how many bytes are read of a file that holds one path or name.
	nameLimit = 4 << 10
	// shortCommit is how many digits of a commit are shown.
	shortCommit = 7
)

// Repo is a git repository as seen from one working tree. All paths are absolute.
type Repo struct {
	Root   string // its main working tree, which all linked working trees share: agents in them belong to the same project
	Tree   string // the top of this working tree
	Git    string // the git directory of this working tree
	Common string // the git directory that all working trees share
}

// Repository returns the repository of dir, by at most two files per directory and without git. dir is absolute and
// clean. ok is false outside of a repository, and in one that git could not use. A submodule is a repository of its
// own. A working tree that is linked to a bare repository is its own root.
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

// Head is the checked-out commit or branch of a working tree, as untrusted as any text of a file.
type Head struct {
	Branch string // "main"; the whole name if HEAD is on something else, "refs/bisect/bad"; "" if only git knows it (reftable)
	Commit string // the first seven digits of a commit that is checked out without a branch
	Name   string // the full name of the reference or commit
}

// ReadHead reads HEAD. ok is false if git does not write it so.
func (r Repo) ReadHead() (h Head, ok bool) {
	text, truncated, err := peek.ReadFile(peek.Join(r.Git, "HEAD"), "", nameLimit)
	if text = doc.Trim(text); err != nil || truncated {
		return h, false
	}
	if !doc.HasPrefix(text, "ref:") {
		if !IsCommit(text) {
			return h, false
		}
		return Head{Commit: text[:shortCommit], Name: text}, true
	}
	h.Name = doc.Trim(text[len("ref:"):])
	switch h.Branch = h.Name; {
	case h.Name == "refs/heads/.invalid": // the sign of reftable
		return Head{}, true
	case doc.HasPrefix(h.Name, "refs/heads/"):
		h.Branch = h.Name[len("refs/heads/"):]
	}
	return h, doc.HasPrefix(h.Name, "refs/")
}

// Commit returns the full name of the checked-out commit, "" if unknown. read returns the trimmed content of a file in a git directory.
func (r Repo) Commit(read func(git, name string) string) string {
	head := read(r.Git, "HEAD")
	if _, ref, isRef := doc.Cut(head, "ref:"); isRef {
		head, ref = "", doc.Trim(ref)
		if !doc.Contains(ref, "..") {
			head = read(r.Common, ref)
		}
		for name, id := range PackedRefs(read(r.Common, "packed-refs")) {
			if name == ref && head == "" {
				head = id
			}
		}
	}
	if !IsCommit(head) {
		return ""
	}
	return head
}

// PackedRefs iterates over packed references and their objects; for an annotated tag it gives the commit afterwards.
func PackedRefs(packed string) func(yield func(name, id string) bool) {
	return func(yield func(name, id string) bool) {
		name := ""
		for line, rest := "", packed; rest != ""; {
			line, rest, _ = doc.Cut(rest, "\n")
			id, after, isRef := doc.Cut(doc.Trim(line), " ")
			if isRef {
				name = after
			} else if id = doc.Trim(line); doc.HasPrefix(id, "^") {
				id = id[1:]
			}
			if !yield(name, id) {
				return
			}
		}
	}
}

// IsCommit reports whether text is the full name of a commit: 40 hexadecimal digits, or 64.
func IsCommit(text string) bool {
	for i := range len(text) {
		if c := text[i]; (c < '0' || c > '9') && (c|0x20 < 'a' || c|0x20 > 'f') {
			return false
		}
	}
	return len(text) == 40 || len(text) == 64
}

// readPath returns the absolute path in the first line of a small file, without a prefix.
func readPath(file, prefix, dir string) (path string, err error) {
	text, _, err := peek.ReadFile(file, "", nameLimit)
	text, _, _ = doc.Cut(text, "\n")
	text, _, _ = doc.Cut(text, "\r")
	if err != nil || len(text) <= len(prefix) || !doc.HasPrefix(text, prefix) {
		return "", err
	}
	return peek.Absolute(text[len(prefix):], dir), nil
}
