// Commits and tags as a repository stores them, each in a file of its own or packed, read without starting git.

package nearest

import (
	"gatehouse/parse/agents/waiting"
	"gatehouse/parse/disk/peek"
	"gatehouse/parse/text/scan"
)

const (
	// headLimit is how much of a commit or a tag is read: what counts stands in its first lines.
	headLimit = 4 << 10
	// deltaLimit is how large an object may be of which others are told by their differences, and deltaDepth how many such
	// steps are followed: git itself makes 50 at most.
	deltaLimit = 256 << 10
	deltaDepth = 60
	// packsLimit is how many packs are looked into.
	packsLimit = 64
	// sharedDepth is how far repositories may borrow objects from each other, as in git, and sharedLimit of how many.
	sharedDepth = 5
	sharedLimit = 16
	// fanout is the table at the head of an index: how many objects have names up to each first byte.
	fanoutAt, fanoutSize = 8, 4 * 256
)

// The kinds of objects.
const (
	kindCommit = 1
	kindTag    = 4
	kindOffset = 6 // told by its differences from one that stands so many bytes before it
	kindRef    = 7 // or from one that is named
)

// objects are those of a repository.
type objects struct {
	dirs  []string // "objects" of the repository, and of those that it borrows from
	packs []pack
	known bool // the packs have been looked for
}

// in takes in a directory of objects, and those of other repositories that it borrows from (git clone --shared, --reference).
func (o *objects) in(dir string, depth int) {
	if depth > sharedDepth || len(o.dirs) == sharedLimit {
		return
	}
	o.dirs = append(o.dirs, dir)
	text, _, err := peek.ReadFile(peek.Join(dir, "info/alternates"), "", nil, headLimit)
	for i := 0; err == nil && i < len(text); {
		end := scan.LineEnd(text, i)
		other := text[i:end]
		i = end + scan.TerminatorLen(text[end:])
		switch {
		case other == "" || other[0] == '#' || other[0] == '"':
		case peek.IsAbsolute(other):
			o.in(other, depth+1)
		case depth == 0: // as in git: what others borrow from has to be named in full
			o.in(peek.Join(dir, other), depth+1)
		}
	}
}

// pack is a pack of objects and its index.
type pack struct {
	path   string // without its ending
	fanout string
}

// head returns the kind of an object and its beginning. ok is false where it is not there or can't be read.
func (o *objects) head(id string) (kind int, text string, ok bool) {
	if len(id) < 3 {
		return 0, "", false
	}
	for _, dir := range o.dirs {
		if packed, _, err := peek.ReadFile(peek.Join(peek.Join(dir, id[:2]), id[2:]), "", nil, deltaLimit); err == nil {
			plain, _ := inflate(packed, make([]byte, 0, headLimit))
			return looseKind(string(plain))
		}
	}
	raw := bytesOf(id)
	o.find()
	for i := range o.packs {
		p := &o.packs[i]
		if at, there := p.offset(raw); there {
			kind, bytes, ok := o.packed(p, at, headLimit, len(raw), 0)
			return kind, string(bytes), ok
		}
	}
	return 0, "", false
}

// looseKind splits what a file of an object says: "commit 178", a NUL, and the object.
func looseKind(plain string) (kind int, text string, ok bool) {
	end := scan.Index(plain, "\x00")
	switch {
	case end < 0:
	case scan.HasPrefixAt(plain, "commit ", 0):
		return kindCommit, plain[end+1:], true
	case scan.HasPrefixAt(plain, "tag ", 0):
		return kindTag, plain[end+1:], true
	}
	return 0, "", false
}

// find looks for the packs, once.
func (o *objects) find() {
	if o.known {
		return
	}
	o.known = true
	for _, dir := range o.dirs {
		o.findIn(peek.Join(dir, "pack"))
	}
}

func (o *objects) findIn(dir string) {
	var names []string
	peek.Entries(dir, nil, entryLimit, func(name string) {
		const ending = ".idx"
		if n := len(name) - len(ending); n > 0 && name[n:] == ending && len(names) < packsLimit {
			names = append(names, string([]byte(name[:n])))
		}
	})
	for _, name := range names {
		path := peek.Join(dir, name)
		head, err := peek.ReadAt(path+".idx", 0, make([]byte, fanoutAt+fanoutSize))
		if err == nil && len(head) == fanoutAt+fanoutSize && head[:fanoutAt] == "\xfftOc\x00\x00\x00\x02" {
			o.packs = append(o.packs, pack{path, head[fanoutAt:]})
		}
	}
}

// upTo returns how many objects of a pack have names up to a first byte.
func (p *pack) upTo(first int) int { return number(p.fanout, 4*first) }

// number returns the four bytes at an offset as a number.
func number(s string, i int) int {
	return int(s[i])<<24 | int(s[i+1])<<16 | int(s[i+2])<<8 | int(s[i+3])
}

// offset returns where in a pack an object stands.
func (p *pack) offset(raw string) (at int64, ok bool) {
	if raw == "" {
		return 0, false
	}
	width, from := len(raw), 0
	if raw[0] > 0 {
		from = p.upTo(int(raw[0]) - 1)
	}
	to, all := p.upTo(int(raw[0])), p.upTo(255)
	const most = 1 << 20 // objects that begin alike: a repository of 256 million
	if from >= to || to > all || to-from > most {
		return 0, false
	}
	const names = fanoutAt + fanoutSize
	list, err := peek.ReadAt(p.path+".idx", int64(names+from*width), make([]byte, (to-from)*width))
	if err != nil || len(list) != (to-from)*width {
		return 0, false
	}
	low, high := 0, to-from
	for low < high {
		if middle := (low + high) / 2; list[middle*width:(middle+1)*width] < raw {
			low = middle + 1
		} else {
			high = middle
		}
	}
	if low == to-from || list[low*width:(low+1)*width] != raw {
		return 0, false
	}
	offsets := int64(names) + int64(all)*int64(width+4) // behind the names and their check sums
	small, err := peek.ReadAt(p.path+".idx", offsets+4*int64(from+low), make([]byte, 4))
	if err != nil || len(small) < 4 {
		return 0, false
	}
	const large = 1 << 31
	n := number(small, 0)
	if n&large == 0 {
		return int64(n), true
	}
	big, err := peek.ReadAt(p.path+".idx", offsets+4*int64(all)+8*int64(n&(large-1)), make([]byte, 8))
	if err != nil || len(big) < 8 {
		return 0, false
	}
	return int64(number(big, 0))<<32 | int64(number(big, 4)), true
}

// packed returns the kind of an object in a pack and at most so many of its bytes.
func (o *objects) packed(p *pack, at int64, limit, width, depth int) (kind int, text []byte, ok bool) {
	for room := 4 << 10; ; room *= 16 {
		entry, err := peek.ReadAt(p.path+".pack", at, make([]byte, room))
		if err != nil || entry == "" {
			return 0, nil, false
		}
		kind, size, i := entryHead(entry)
		base, named := int64(0), ""
		switch {
		case i == 0:
			return 0, nil, false
		case kind == kindOffset:
			var back int64
			back, i = offsetBack(entry, i)
			base = at - back
			ok = i > 0 && back > 0 && base > 0
		case kind == kindRef:
			ok = len(entry) >= i+width
			if ok {
				named, i = entry[i:i+width], i+width
			}
		default:
			ok = kind == kindCommit || kind == kindTag
		}
		delta := kind == kindOffset || kind == kindRef
		if !ok || delta && (size > deltaLimit || depth == deltaDepth) {
			return 0, nil, false
		}
		want := size
		if !delta {
			want = min(size, limit)
		}
		text, ok = inflate(entry[i:], make([]byte, 0, want))
		if whole := ok && len(text) == want; !whole {
			if len(entry) < room || room > deltaLimit {
				return 0, nil, false
			}
			continue // it goes on behind what was read
		}
		if !delta {
			return kind, text, true
		}
		if named != "" {
			if base, ok = p.offset(named); !ok {
				return 0, nil, false
			}
		}
		kind, from, ok := o.packed(p, base, deltaLimit, width, depth+1)
		if !ok {
			return 0, nil, false
		}
		text, ok = applied(string(text), from, limit)
		return kind, text, ok
	}
}

// entryHead reads the kind and the size of an object, and where what follows begins: 0 for none.
func entryHead(entry string) (kind, size, end int) {
	c := entry[0]
	kind, size = int(c>>4&7), int(c&15)
	for i, shift := 1, 4; ; i, shift = i+1, shift+7 {
		if c&0x80 == 0 {
			return kind, size, i
		}
		if i == len(entry) || shift > 32 {
			return 0, 0, 0
		}
		c = entry[i]
		size |= int(c&0x7f) << shift
	}
}

// offsetBack reads how many bytes before an object that stands which it is told from.
func offsetBack(entry string, i int) (back int64, end int) {
	for ; i < len(entry) && back < 1<<50; i++ {
		back = back<<7 | int64(entry[i]&0x7f)
		if entry[i]&0x80 == 0 {
			return back, i + 1
		}
		back++
	}
	return 0, 0
}

// applied returns at most so many bytes of what differences make of an object.
func applied(delta string, base []byte, limit int) (out []byte, ok bool) {
	i := 0
	length := func() (n int) {
		for shift := 0; i < len(delta) && shift < 32; shift += 7 {
			c := delta[i]
			i++
			n |= int(c&0x7f) << shift
			if c&0x80 == 0 {
				break
			}
		}
		return n
	}
	length() // of the base, of which only the beginning may be here
	limit = min(length(), limit)
	out = make([]byte, 0, limit)
	for i < len(delta) && len(out) < limit {
		c := delta[i]
		i++
		if c&0x80 == 0 {
			n := min(int(c), limit-len(out))
			if c == 0 || i+int(c) > len(delta) {
				return nil, false
			}
			out, i = append(out, delta[i:i+n]...), i+int(c)
			continue
		}
		from, n := 0, 0
		for bit := range 7 {
			if c&(1<<bit) == 0 {
				continue
			}
			if i == len(delta) {
				return nil, false
			}
			if bit < 4 {
				from |= int(delta[i]) << (8 * bit)
			} else {
				n |= int(delta[i]) << (8 * (bit - 4))
			}
			i++
		}
		if n == 0 {
			n = 1 << 16
		}
		if n = min(n, limit-len(out)); from+n > len(base) {
			return nil, false
		}
		out = append(out, base[from:from+n]...)
	}
	return out, len(out) == limit
}

// bytesOf returns the bytes that hexadecimal digits spell, "" for what is none.
func bytesOf(id string) string {
	if !waiting.IsCommit(id) {
		return ""
	}
	digit := func(c byte) byte {
		if c <= '9' {
			return c - '0'
		}
		return c | 0x20 - 'a' + 10
	}
	raw := make([]byte, len(id)/2)
	for i := range raw {
		raw[i] = digit(id[2*i])<<4 | digit(id[2*i+1])
	}
	return string(raw)
}
