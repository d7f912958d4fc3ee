package nearest

import (
	"gatehouse/parse/agents/waiting"
	"gatehouse/parse/disk/peek"
	"gatehouse/parse/doc"
)

const (
	packedLimit = 1 << 20 // bytes of packed references that are read
	tagLimit    = 64      // tags that have a file of their own
)

// TagAtHead returns the tag "v…" on the checked-out commit of dir. It reads references only, so it knows annotated tags
// only if they are packed. It returns "" without such a tag, and if there are several: git decides among them by their
// objects.
func TagAtHead(p Place, dir string) (tag string) {
	repo, ok := waiting.Repository(dir)
	if !ok {
		return ""
	}
	read := func(git, name string) string {
		path := peek.Join(git, name)
		p.Watch.Add(path)
		text, _, _ := peek.ReadFile(path, "", nil, packedLimit)
		return doc.Trim(text)
	}
	packed, head := read(repo.Common, "packed-refs"), read(repo.Git, "HEAD")
	if _, ref, isRef := doc.Cut(head, "ref: "); isRef {
		head = ""
		if !doc.Contains(ref, "..") {
			head = read(repo.Common, ref)
		}
		for name, id := range packedRefs(packed) {
			if name == ref && head == "" {
				head = id
			}
		}
	}
	if !waiting.IsCommit(head) {
		return ""
	}
	tags := map[string]string{} // their commits
	for name, id := range packedRefs(packed) {
		if doc.HasPrefix(name, "refs/tags/v") {
			tags[name[len("refs/tags/"):]] = id
		}
	}
	dir = peek.Join(repo.Common, "refs/tags")
	p.Watch.Add(dir)
	var names []string
	peek.Entries(dir, nil, entryLimit, func(name string) {
		if name[0] == 'v' && len(names) < tagLimit {
			names = append(names, name)
		}
	})
	for _, name := range names {
		tags[name] = read(dir, name)
	}
	for name, id := range tags {
		switch {
		case id != head:
		case tag != "":
			return ""
		default:
			tag = name
		}
	}
	return tag
}

// packedRefs iterates over packed references and their objects; for an annotated tag it gives the commit afterwards.
func packedRefs(packed string) func(yield func(name, id string) bool) {
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
