// The version that a repository's tags give what is checked out, read without starting git.

package nearest

import (
	"gatehouse/parse/disk/peek"
	"gatehouse/parse/text/scan"
)

const (
	// packedLimit is how much of a file of packed references is read, and tagLimit how many tags are looked at by themselves.
	packedLimit = 1 << 20
	tagLimit    = 256
)

// TagAtHead returns the tag beginning with "v" that names the commit checked out in a directory, "" for none: what "git
// describe" would say of it. A commit behind the last tag has none here, since telling that needs the history; nor has one
// whose annotated tag is not packed. Of several tags the last one by name counts.
func TagAtHead(p Place, dir string) string {
	p.Buffer = nil // what is read here is needed no longer than this call
	repository, ok := p.repositoryIn(dir)
	if !ok {
		return ""
	}
	common := repository
	if text, _, err := peek.ReadFile(peek.Join(repository, "commondir"), "", nil, gitFileLimit); err == nil {
		if common = scan.TrimSpace(text); !absolute(common) {
			common = peek.Join(repository, common)
		}
	}
	packed, _, _ := peek.ReadFile(peek.Join(common, "packed-refs"), "", nil, packedLimit)
	p.Watch.Add(peek.Join(common, "packed-refs"))
	head := p.headCommit(repository, common, packed)
	if head == "" {
		return ""
	}
	return later(packedTag(packed, head), p.looseTag(common, head))
}

func later(a, b string) string {
	if a > b {
		return a
	}
	return b
}

// headCommit returns the commit that is checked out, "" when that cannot be told.
func (p *Place) headCommit(repository, common, packed string) string {
	text, _, err := peek.ReadFile(peek.Join(repository, "HEAD"), "", nil, gitFileLimit)
	p.Watch.Add(peek.Join(repository, "HEAD"))
	if text = scan.TrimSpace(text); err != nil || commit(text) {
		return text
	}
	if !scan.HasPrefixAt(text, "ref:", 0) {
		return ""
	}
	ref := scan.TrimSpace(text[len("ref:"):])
	if !scan.HasPrefixAt(ref, "refs/", 0) || scan.Index(ref, "..") >= 0 {
		return ""
	}
	p.Watch.Add(peek.Join(common, ref))
	if text, _, err := peek.ReadFile(peek.Join(common, ref), "", nil, gitFileLimit); err == nil {
		if text = scan.TrimSpace(text); commit(text) {
			return text
		}
		return ""
	}
	found := ""
	packedRefs(packed, func(name, id, _ string) {
		if name == ref {
			found = id
		}
	})
	return found
}

const tagPrefix = "refs/tags/v"

// packedTag returns the last of the packed tags that name a commit, directly or through an annotated tag.
func packedTag(packed, head string) (tag string) {
	packedRefs(packed, func(name, id, peeled string) {
		if scan.HasPrefixAt(name, tagPrefix, 0) && (id == head || peeled == head) {
			tag = later(tag, name[len(tagPrefix)-1:])
		}
	})
	return tag
}

// packedRefs calls yield with each packed reference: its name, what it names and, for an annotated tag, the commit behind.
func packedRefs(packed string, yield func(name, id, peeled string)) {
	for i := 0; i < len(packed); {
		id, name, next := packedLine(packed, i)
		i = next
		if !commit(id) || name == "" {
			continue
		}
		peeled := ""
		if i < len(packed) && packed[i] == '^' {
			peeled, _, i = packedLine(packed, i+1)
		}
		yield(name, id, peeled)
	}
}

// packedLine splits the line at offset i into an ID and a name.
func packedLine(packed string, i int) (id, name string, next int) {
	end := scan.LineEnd(packed, i)
	text := packed[i:end]
	next = end + 1
	if end == len(packed) {
		next = end
	}
	for at := range len(text) {
		if text[at] == ' ' {
			return text[:at], text[at+1:], next
		}
	}
	return text, "", next
}

// looseTag returns the last of the tags in files of their own that name a commit.
func (p *Place) looseTag(common, head string) (tag string) {
	tags := peek.Join(common, "refs/tags")
	p.Watch.Add(tags)
	var names []string
	peek.Entries(tags, nil, entryLimit, func(name string) {
		if name[0] == 'v' && len(names) < tagLimit {
			names = append(names, string([]byte(name)))
		}
	})
	for _, name := range names {
		text, _, err := peek.ReadFile(peek.Join(tags, name), "", nil, gitFileLimit)
		if err == nil && scan.TrimSpace(text) == head {
			tag = later(tag, name)
		}
	}
	return tag
}
