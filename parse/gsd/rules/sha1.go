// SHA-1 (RFC 3174), which names GSD's session pointers. It protects nothing here. The standard library's comes with the
// self-tests and tables of a certified module, a cost at every prompt for a hash that is asked for once in a blue moon.

package rules

import "math/bits"

// sha1Sum returns the SHA-1 digest of text.
func sha1Sum(text string) (sum [20]byte) {
	const block = 64
	message := append(make([]byte, 0, len(text)+2*block), text...)
	message = append(message, 0x80)
	for len(message)%block != block-8 {
		message = append(message, 0)
	}
	for shift := 56; shift >= 0; shift -= 8 {
		message = append(message, byte(uint64(len(text))*8>>shift))
	}
	h := [5]uint32{0x67452301, 0xEFCDAB89, 0x98BADCFE, 0x10325476, 0xC3D2E1F0}
	for ; len(message) > 0; message = message[block:] {
		sha1Block(&h, message[:block])
	}
	for i, v := range h {
		sum[4*i], sum[4*i+1], sum[4*i+2], sum[4*i+3] = byte(v>>24), byte(v>>16), byte(v>>8), byte(v)
	}
	return sum
}

// sha1Block takes one block of 64 bytes into the state h.
func sha1Block(h *[5]uint32, block []byte) {
	var w [80]uint32
	for i := range w {
		if i < 16 {
			b := block[4*i:]
			w[i] = uint32(b[0])<<24 | uint32(b[1])<<16 | uint32(b[2])<<8 | uint32(b[3])
		} else {
			w[i] = bits.RotateLeft32(w[i-3]^w[i-8]^w[i-14]^w[i-16], 1)
		}
	}
	a, b, c, d, e := h[0], h[1], h[2], h[3], h[4]
	for i := range w {
		var f, k uint32
		switch i / 20 {
		case 0:
			f, k = b&c|^b&d, 0x5A827999
		case 1:
			f, k = b^c^d, 0x6ED9EBA1
		case 2:
			f, k = b&c|b&d|c&d, 0x8F1BBCDC
		default:
			f, k = b^c^d, 0xCA62C1D6
		}
		a, b, c, d, e = bits.RotateLeft32(a, 5)+f+e+k+w[i], a, bits.RotateLeft32(b, 30), c, d
	}
	h[0], h[1], h[2], h[3], h[4] = h[0]+a, h[1]+b, h[2]+c, h[3]+d, h[4]+e
}
