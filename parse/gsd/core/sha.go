package core

import "math/bits"

// The hashes of the standard library come with the self-tests and tables of a certified module, which every prompt would pay for.
// Nothing is protected here: SHA-1 names GSD's session pointers, SHA-256 finds out whether files have changed.

// padWords returns a text as words, padded to blocks of 16 as both hashes require.
func padWords(text string) (words []uint32) {
	message := append([]byte(text), 0x80)
	for len(message)%64 != 56 {
		message = append(message, 0)
	}
	for ; len(message) > 0; message = message[4:] {
		words = append(words, uint32(message[0])<<24|uint32(message[1])<<16|uint32(message[2])<<8|uint32(message[3]))
	}
	return append(words, uint32(len(text)>>29), uint32(len(text)<<3))
}

// hexDigits returns words as hexadecimal digits, the first byte first.
func hexDigits(words []uint32) string {
	var out []byte
	for _, w := range words {
		for shift := 28; shift >= 0; shift -= 4 {
			out = append(out, "0123456789abcdef"[w>>shift&0xF])
		}
	}
	return string(out)
}

// sha1Sum returns the SHA-1 of a text (RFC 3174) in hexadecimal digits.
func sha1Sum(text string) string {
	h := [5]uint32{0x67452301, 0xEFCDAB89, 0x98BADCFE, 0x10325476, 0xC3D2E1F0}
	for words := padWords(text); len(words) > 0; words = words[16:] {
		var w [80]uint32
		copy(w[:], words[:16])
		a, b, c, d, e := h[0], h[1], h[2], h[3], h[4]
		for i := range w {
			if i >= 16 {
				w[i] = bits.RotateLeft32(w[i-3]^w[i-8]^w[i-14]^w[i-16], 1)
			}
			f := [4]uint32{b&c | ^b&d, b ^ c ^ d, b&c | b&d | c&d, b ^ c ^ d}[i/20]
			k := [4]uint32{0x5A827999, 0x6ED9EBA1, 0x8F1BBCDC, 0xCA62C1D6}[i/20]
			a, b, c, d, e = bits.RotateLeft32(a, 5)+f+e+k+w[i], a, bits.RotateLeft32(b, 30), c, d
		}
		for i, v := range [...]uint32{a, b, c, d, e} {
			h[i] += v
		}
	}
	return hexDigits(h[:])
}

// sha256Sum returns the SHA-256 of a text (FIPS 180-4) in hexadecimal digits.
func sha256Sum(text string) string {
	h := [8]uint32{0x6A09E667, 0xBB67AE85, 0x3C6EF372, 0xA54FF53A, 0x510E527F, 0x9B05688C, 0x1F83D9AB, 0x5BE0CD19}
	for words := padWords(text); len(words) > 0; words = words[16:] {
		var w [64]uint32
		copy(w[:], words[:16])
		v := h
		for i := range w {
			if i >= 16 {
				a, b := w[i-15], w[i-2]
				w[i] = w[i-16] + w[i-7] + (bits.RotateLeft32(a, -7) ^ bits.RotateLeft32(a, -18) ^ a>>3) + (bits.RotateLeft32(b, -17) ^ bits.RotateLeft32(b, -19) ^ b>>10)
			}
			a, e := v[0], v[4]
			t := v[7] + (bits.RotateLeft32(e, -6) ^ bits.RotateLeft32(e, -11) ^ bits.RotateLeft32(e, -25)) + (e&v[5] ^ ^e&v[6]) + sha256Constants[i] + w[i]
			s := (bits.RotateLeft32(a, -2) ^ bits.RotateLeft32(a, -13) ^ bits.RotateLeft32(a, -22)) + (a&v[1] ^ a&v[2] ^ v[1]&v[2])
			v = [8]uint32{t + s, a, v[1], v[2], v[3] + t, e, v[5], v[6]}
		}
		for i := range h {
			h[i] += v[i]
		}
	}
	return hexDigits(h[:])
}

// sha256Constants are the first bits of the fractions of the cube roots of the first 64 primes.
var sha256Constants = [64]uint32{
	0x428A2F98, 0x71374491, 0xB5C0FBCF, 0xE9B5DBA5, 0x3956C25B, 0x59F111F1, 0x923F82A4, 0xAB1C5ED5, 0xD807AA98, 0x12835B01,
	0x243185BE, 0x550C7DC3, 0x72BE5D74, 0x80DEB1FE, 0x9BDC06A7, 0xC19BF174, 0xE49B69C1, 0xEFBE4786, 0x0FC19DC6, 0x240CA1CC,
	0x2DE92C6F, 0x4A7484AA, 0x5CB0A9DC, 0x76F988DA, 0x983E5152, 0xA831C66D, 0xB00327C8, 0xBF597FC7, 0xC6E00BF3, 0xD5A79147,
	0x06CA6351, 0x14292967, 0x27B70A85, 0x2E1B2138, 0x4D2C6DFC, 0x53380D13, 0x650A7354, 0x766A0ABB, 0x81C2C92E, 0x92722C85,
	0xA2BFE8A1, 0xA81A664B, 0xC24B8B70, 0xC76C51A3, 0xD192E819, 0xD6990624, 0xF40E3585, 0x106AA070, 0x19A4C116, 0x1E376C08,
	0x2748774C, 0x34B0BCB5, 0x391C0CB3, 0x4ED8AA4A, 0x5B9CCA4F, 0x682E6FF3, 0x748F82EE, 0x78A5636F, 0x84C87814, 0x8CC70208,
	0x90BEFFFA, 0xA4506CEB, 0xBEF9A3F7, 0xC67178F2,
}
