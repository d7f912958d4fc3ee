// What zlib has compressed (RFC 1950, 1951), as the objects of a repository are, without a package that the prompt would pay for.

package nearest

const (
	longestCode  = 15
	literalCodes = 288
	endOfBlock   = 256
)

// inflate appends to dst what the zlib stream at the start of src says, until it ends or dst is full: it never grows. ok is false
// where the stream is broken, or breaks off before either.
func inflate(src string, dst []byte) (out []byte, ok bool) {
	const deflate, dictionary = 8, 0x20
	if len(src) < 2 || src[0]&0xf != deflate || src[1]&dictionary != 0 || (int(src[0])<<8|int(src[1]))%31 != 0 {
		return dst, false
	}
	f := inflater{src: src[2:], out: dst}
	for last := false; !last && !f.bad && len(f.out) < cap(f.out); {
		last = f.bits(1) == 1
		switch f.bits(2) {
		case 0:
			f.stored()
		case 1:
			f.fixed()
		case 2:
			f.dynamic()
		default:
			f.bad = true
		}
	}
	return f.out, !f.bad
}

type inflater struct {
	src  string
	at   int
	held uint32 // bits that were read and not used, the next one lowest
	n    int    // how many
	out  []byte
	bad  bool
}

// bits returns the next so many bits, at most 13.
func (f *inflater) bits(n int) int {
	for f.n < n {
		if f.at == len(f.src) {
			f.bad = true
			return 0
		}
		f.held |= uint32(f.src[f.at]) << f.n
		f.at, f.n = f.at+1, f.n+8
	}
	value := f.held & (1<<n - 1)
	f.held, f.n = f.held>>n, f.n-n
	return int(value)
}

// stored copies a block that is not compressed.
func (f *inflater) stored() {
	f.held, f.n = 0, 0
	if len(f.src)-f.at < 4 {
		f.bad = true
		return
	}
	length := int(f.src[f.at]) | int(f.src[f.at+1])<<8
	check := int(f.src[f.at+2]) | int(f.src[f.at+3])<<8
	f.at += 4
	if check != ^length&0xffff {
		f.bad = true
		return
	}
	room := min(length, cap(f.out)-len(f.out))
	if room > len(f.src)-f.at {
		f.bad = true
		return
	}
	f.out = append(f.out, f.src[f.at:f.at+room]...)
	f.at += room
}

// code is a Huffman code: how many symbols have codes of each length, and the symbols by their codes.
type code struct {
	count  [longestCode + 1]uint16
	symbol [literalCodes]uint16
}

// newCode makes a code from the length of the code of each symbol. ok is false where there are more than fit.
func newCode(lengths []uint8) (c code, ok bool) {
	for _, n := range lengths {
		c.count[n]++
	}
	left := 1
	for n := 1; n <= longestCode; n++ {
		if left = left<<1 - int(c.count[n]); left < 0 {
			return c, false
		}
	}
	var at [longestCode + 1]uint16
	for n := 1; n < longestCode; n++ {
		at[n+1] = at[n] + c.count[n]
	}
	for symbol, n := range lengths {
		if n != 0 {
			c.symbol[at[n]] = uint16(symbol)
			at[n]++
		}
	}
	return c, true
}

// next reads the next symbol.
func (f *inflater) next(c *code) int {
	value, first, at := 0, 0, 0
	for n := 1; n <= longestCode && !f.bad; n++ {
		value |= f.bits(1)
		count := int(c.count[n])
		if value-count < first {
			return int(c.symbol[at+value-first])
		}
		at, first = at+count, (first+count)<<1
		value <<= 1
	}
	f.bad = true
	return endOfBlock
}

func (f *inflater) fixed() {
	var lengths [literalCodes]uint8
	for i := range lengths {
		switch {
		case i < 144:
			lengths[i] = 8
		case i < 256:
			lengths[i] = 9
		case i < 280:
			lengths[i] = 7
		default:
			lengths[i] = 8
		}
	}
	literals, _ := newCode(lengths[:])
	for i := range lengths[:30] {
		lengths[i] = 5
	}
	distances, _ := newCode(lengths[:30])
	f.compressed(&literals, &distances)
}

// lengthOrder is the order in which the lengths of the codes for lengths stand.
var lengthOrder = [19]uint8{16, 17, 18, 0, 8, 7, 9, 6, 10, 5, 11, 4, 12, 3, 13, 2, 14, 1, 15}

func (f *inflater) dynamic() {
	literals, distances, coded := f.bits(5)+257, f.bits(5)+1, f.bits(4)+4
	var lengths [320]uint8
	for i := range coded {
		lengths[lengthOrder[i]] = uint8(f.bits(3))
	}
	c, ok := newCode(lengths[:19])
	if !ok || f.bad || literals > literalCodes-2 {
		f.bad = true
		return
	}
	lengths = [320]uint8{}
	for i := 0; i < literals+distances; {
		symbol := f.next(&c)
		value, times := uint8(0), 1
		switch {
		case f.bad:
			return
		case symbol < 16:
			value = uint8(symbol)
		case symbol == 16 && i > 0:
			value, times = lengths[i-1], 3+f.bits(2)
		case symbol == 17:
			times = 3 + f.bits(3)
		case symbol == 18:
			times = 11 + f.bits(7)
		default:
			times = len(lengths)
		}
		if i+times > literals+distances {
			f.bad = true
			return
		}
		for ; times > 0; times-- {
			lengths[i] = value
			i++
		}
	}
	l, first := newCode(lengths[:literals])
	d, second := newCode(lengths[literals : literals+distances])
	if f.bad = f.bad || !first || !second; !f.bad {
		f.compressed(&l, &d)
	}
}

// What the symbols for lengths and distances begin with, and how many bits follow.
var (
	lengthFrom   = [29]uint16{3, 4, 5, 6, 7, 8, 9, 10, 11, 13, 15, 17, 19, 23, 27, 31, 35, 43, 51, 59, 67, 83, 99, 115, 131, 163, 195, 227, 258}
	lengthBits   = [29]uint8{0, 0, 0, 0, 0, 0, 0, 0, 1, 1, 1, 1, 2, 2, 2, 2, 3, 3, 3, 3, 4, 4, 4, 4, 5, 5, 5, 5, 0}
	distanceFrom = [30]uint16{1, 2, 3, 4, 5, 7, 9, 13, 17, 25, 33, 49, 65, 97, 129, 193, 257, 385, 513, 769, 1025, 1537, 2049, 3073, 4097, 6145, 8193, 12289, 16385, 24577}
)

// compressed reads a block by its codes.
func (f *inflater) compressed(literals, distances *code) {
	for !f.bad && len(f.out) < cap(f.out) {
		symbol := f.next(literals)
		switch {
		case f.bad || symbol == endOfBlock:
			return
		case symbol < endOfBlock:
			f.out = append(f.out, byte(symbol))
			continue
		}
		if symbol -= endOfBlock + 1; symbol >= len(lengthFrom) {
			f.bad = true
			return
		}
		length := int(lengthFrom[symbol]) + f.bits(int(lengthBits[symbol]))
		symbol = f.next(distances)
		if f.bad || symbol >= len(distanceFrom) {
			f.bad = true
			return
		}
		distance := int(distanceFrom[symbol]) + f.bits(max(symbol/2-1, 0))
		if f.bad = f.bad || distance > len(f.out); f.bad {
			return
		}
		for ; length > 0 && len(f.out) < cap(f.out); length-- {
			f.out = append(f.out, f.out[len(f.out)-distance])
		}
	}
}
