// The version that a repository's tags give what is checked out, as "git describe" finds it, read without starting git.

package nearest

import (
	"gatehouse/parse/agents/waiting"
	"gatehouse/parse/disk/peek"
	"gatehouse/parse/text/scan"
)

const (
	// packedLimit is how much of a file of packed references is read, and tagLimit how many tags are looked at by themselves.
	packedLimit = 1 << 20
	tagLimit    = 256
	// walkLimit is how many commits are gone back, and tagsMet how many tags are compared: git's own number.
	walkLimit = 1000
	tagsMet   = 10
)

// NearestTag returns the tag beginning with "v" that is nearest to the commit checked out where a directory is, "" for none: what "git
// describe --tags --abbrev=0 --match 'v*'" says of it. Nearest is the one with the fewest commits behind it that it does not
// have. Of several tags on one commit an annotated one counts, the newest first, else the first by name.
func NearestTag(p Place, dir string) string {
	p.Buffer = nil // what is read here is needed no longer than this call
	p.Dir = dir
	r, ok := p.findRepository()
	if !ok {
		return ""
	}
	repository, common := r.Git, r.Common
	packed, _, _ := peek.ReadFile(peek.Join(common, "packed-refs"), "", nil, packedLimit)
	p.Watch.Add(peek.Join(common, "packed-refs"))
	head := p.headCommit(repository, common, packed)
	if head == "" {
		return ""
	}
	o := objects{}
	o.in(peek.Join(common, "objects"), 0)
	tags := p.tags(&o, common, packed)
	if len(tags) == 0 {
		return ""
	}
	w := walk{objects: &o, tags: tags, seen: map[string]int{}}
	return w.describe(head)
}

// headCommit returns the commit that is checked out, "" when that cannot be told.
func (p *Place) headCommit(repository, common, packed string) string {
	text, _, err := peek.ReadFile(peek.Join(repository, "HEAD"), "", nil, 4<<10)
	p.Watch.Add(peek.Join(repository, "HEAD"))
	if text = scan.TrimSpace(text); err != nil || waiting.IsCommit(text) {
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
	if text, _, err := peek.ReadFile(peek.Join(common, ref), "", nil, 4<<10); err == nil {
		if text = scan.TrimSpace(text); waiting.IsCommit(text) {
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

// tag is a tag on a commit.
type tag struct {
	name      string
	annotated bool
	id        string // what it names: the commit, or the object of the tag
}

// before reports whether a tag names a commit rather than another one on it.
func (t tag) before(other tag, o *objects) bool {
	if t.annotated != other.annotated {
		return t.annotated
	}
	if t.annotated {
		if at, than := o.made(t.id), o.made(other.id); at != than {
			return at > than
		}
	}
	return t.name < other.name
}

// made returns when an annotated tag was made.
func (o *objects) made(id string) int64 {
	_, text, _ := o.head(id)
	return timeOf(text, "tagger ")
}

// tags returns the tag of each commit that has some. One in a file of its own goes before a packed one of that name.
func (p *Place) tags(o *objects, common, packed string) map[string]tag {
	tags, loose := map[string]tag{}, map[string]bool{}
	add := func(name, id, peeled string) {
		t := tag{name: name, id: id, annotated: peeled != "" && peeled != id}
		if peeled == "" {
			kind, text, _ := o.head(id)
			if t.annotated, peeled = kind == kindTag, id; t.annotated {
				peeled = field(text, "object ")
			}
		}
		if known, there := tags[peeled]; !there || t.before(known, o) {
			tags[peeled] = t
		}
	}
	dir := peek.Join(common, "refs/tags")
	p.Watch.Add(dir)
	var names []string
	peek.Entries(dir, nil, entryLimit, func(name string) {
		if name[0] == 'v' && len(names) < tagLimit {
			names = append(names, string([]byte(name)))
		}
	})
	for _, name := range names {
		text, _, err := peek.ReadFile(peek.Join(dir, name), "", nil, 4<<10)
		if id := scan.TrimSpace(text); err == nil && waiting.IsCommit(id) {
			loose[name] = true
			add(name, id, "")
		}
	}
	whole := scan.Index(packed[:scan.LineEnd(packed, 0)], " fully-peeled") >= 0
	packedRefs(packed, func(name, id, peeled string) {
		if !scan.HasPrefixAt(name, tagPrefix, 0) || loose[name[len(tagPrefix)-1:]] {
			return
		}
		if peeled == "" && whole {
			peeled = id // a commit
		}
		add(name[len(tagPrefix)-1:], id, peeled)
	})
	return tags
}

// packedRefs calls yield with each packed reference: its name, what it names and, for an annotated tag, the commit behind.
func packedRefs(packed string, yield func(name, id, peeled string)) {
	for i := 0; i < len(packed); {
		id, name, next := packedLine(packed, i)
		i = next
		if !waiting.IsCommit(id) || name == "" {
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

// walk goes back from a commit, the newest commits first.
type walk struct {
	objects *objects
	tags    map[string]tag
	commits []walked
	seen    map[string]int // place of each commit that was come to
	met     []metTag
}

// walked is a commit that was come to.
type walked struct {
	id     string
	at     int64
	text   string
	within uint // of which tags that were met it is part, a bit for each
	passed bool
}

// metTag is a tag that was met on the way.
type metTag struct {
	name  string
	depth int // how many commits were passed that it does not have
}

// describe returns the tag nearest to a commit.
func (w *walk) describe(head string) string {
	w.add(head, 0)
	for n := 0; n < walkLimit; n++ {
		i := w.newest()
		if i < 0 {
			break
		}
		c := &w.commits[i]
		c.passed = true
		if t, ok := w.tags[c.id]; ok {
			if n == 0 {
				return t.name
			}
			if len(w.met) == tagsMet {
				break
			}
			c.within |= 1 << len(w.met)
			w.met = append(w.met, metTag{t.name, n})
		}
		for k := range w.met {
			if c.within>>k&1 == 0 {
				w.met[k].depth++
			}
		}
		w.parents(c.text, c.within)
		if best := w.best(); best >= 0 && w.all(best) {
			break // the others can only fall behind
		}
	}
	if best := w.best(); best >= 0 {
		return w.met[best].name
	}
	return ""
}

// add comes to a commit, which is part of some of the tags that were met.
func (w *walk) add(id string, within uint) {
	i, there := w.seen[id]
	if !there {
		kind, text, ok := w.objects.head(id)
		if (!ok || kind != kindCommit) && len(w.commits) > 0 { // beyond what a shallow repository has
			return
		}
		i = len(w.commits)
		w.seen[id] = i
		w.commits = append(w.commits, walked{id: id, text: text, at: timeOf(text, "committer ")})
	}
	w.commits[i].within |= within
}

// parents comes to the parents of a commit.
func (w *walk) parents(text string, within uint) {
	const parent = "parent "
	for i := 0; i < len(text); {
		end := scan.LineEnd(text, i)
		row := text[i:end]
		if row == "" || scan.HasPrefixAt(row, "author ", 0) {
			return
		}
		if scan.HasPrefixAt(row, parent, 0) {
			w.add(row[len(parent):], within)
		}
		i = end + scan.TerminatorLen(text[end:])
	}
}

// newest returns the newest commit that has not been passed, of equal ones that which was come to first; -1 for none.
func (w *walk) newest() int {
	found := -1
	for i := range w.commits {
		if c := &w.commits[i]; !c.passed && (found < 0 || c.at > w.commits[found].at) {
			found = i
		}
	}
	return found
}

// best returns the nearest of the tags that were met, of equal ones the first; -1 for none.
func (w *walk) best() int {
	found := -1
	for k := range w.met {
		if found < 0 || w.met[k].depth < w.met[found].depth {
			found = k
		}
	}
	return found
}

// all reports whether all that is still to be passed is part of a tag.
func (w *walk) all(k int) bool {
	for i := range w.commits {
		if c := &w.commits[i]; !c.passed && c.within>>k&1 == 0 {
			return false
		}
	}
	return true
}

// field returns what stands behind a word at the start of a line of an object's head.
func field(text, word string) string {
	for i := 0; i < len(text); {
		end := scan.LineEnd(text, i)
		if end == i {
			return "" // the message follows
		}
		if scan.HasPrefixAt(text[i:end], word, 0) {
			return text[i+len(word) : end]
		}
		i = end + scan.TerminatorLen(text[end:])
	}
	return ""
}

// timeOf returns the time in a line of an object's head: "committer A <a@b> 1772366400 +0100".
func timeOf(text, word string) (seconds int64) {
	who := field(text, word)
	at := len(who)
	for at > 0 && who[at-1] != '>' {
		at--
	}
	digits, _ := scan.Digits(who, scan.SkipBlanks(who, at))
	for _, c := range []byte(digits) {
		if seconds < 1<<55 {
			seconds = seconds*10 + int64(c-'0')
		}
	}
	return seconds
}
