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
		text, _, _ := peek.ReadFile(path, "", packedLimit)
		return doc.Trim(text)
	}
	head := repo.Commit(read)
	if head == "" {
		return ""
	}
	tags := map[string]string{} // their commits
	for name, id := range waiting.PackedRefs(read(repo.Common, "packed-refs")) {
		if doc.HasPrefix(name, "refs/tags/v") {
			tags[name[len("refs/tags/"):]] = id
		}
	}
	dir = peek.Join(repo.Common, "refs/tags")
	var names []string
	peek.Entries(dir, entryLimit, func(name string, _ peek.Type) {
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
