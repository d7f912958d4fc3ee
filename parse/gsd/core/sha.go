package core

import "math/bits"

// The hashes of the standard library come with the self-tests and tables of a certified module, which every prompt would pay for.
// Nothing is protected here: SHA-1 names GSD's session pointers, SHA-256 finds out whether files have changed.

// padMessage returns a text padded to blocks of 64 bytes, as both hashes want it.
func padMessage(text string) []byte {
	const block = 64
	message := append(make([]byte, 0, len(text)+2*block), text...)
	message = append(message, 0x80)
	for len(message)%block != block-8 {
		message = append(message, 0)
	}
	for shift := 56; shift >= 0; shift -= 8 {
		message = append(message, byte(uint64(len(text))*8>>shift))
	}
	return message
}

// hexDigits returns words as hexadecimal digits, the first byte first.
func hexDigits(words []uint32) string {
	const digits = "0123456789abcdef"
	out := make([]byte, 0, 8*len(words))
	for _, w := range words {
		for shift := 28; shift >= 0; shift -= 4 {
			out = append(out, digits[w>>shift&0xF])
		}
	}
	return string(out)
}

// sha1Sum returns the SHA-1 of a text (RFC 3174) in hexadecimal digits.
func sha1Sum(text string) string {
	h := [5]uint32{0x67452301, 0xEFCDAB89, 0x98BADCFE, 0x10325476, 0xC3D2E1F0}
	for message := padMessage(text); len(message) > 0; message = message[64:] {
		sha1Block(&h, message[:64])
	}
	return hexDigits(h[:])
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

// SHA256 returns the SHA-256 of a text (FIPS 180-4) in hexadecimal digits.
func SHA256(text string) string {
	k, h := sha256Constants()
	for message := padMessage(text); len(message) > 0; message = message[64:] {
		var w [64]uint32
		for i := range w {
			if i < 16 {
				b := message[4*i:]
				w[i] = uint32(b[0])<<24 | uint32(b[1])<<16 | uint32(b[2])<<8 | uint32(b[3])
				continue
			}
			a, b := w[i-15], w[i-2]
			w[i] = w[i-16] + w[i-7] + (bits.RotateLeft32(a, -7) ^ bits.RotateLeft32(a, -18) ^ a>>3) + (bits.RotateLeft32(b, -17) ^ bits.RotateLeft32(b, -19) ^ b>>10)
		}
		v := h
		for i := range w {
			a, e := v[0], v[4]
			t := v[7] + (bits.RotateLeft32(e, -6) ^ bits.RotateLeft32(e, -11) ^ bits.RotateLeft32(e, -25)) + (e&v[5] ^ ^e&v[6]) + k[i] + w[i]
			s := (bits.RotateLeft32(a, -2) ^ bits.RotateLeft32(a, -13) ^ bits.RotateLeft32(a, -22)) + (a&v[1] ^ a&v[2] ^ v[1]&v[2])
			v = [8]uint32{t + s, a, v[1], v[2], v[3] + t, e, v[5], v[6]}
		}
		for i := range h {
			h[i] += v[i]
		}
	}
	return hexDigits(h[:])
}

// sha256Constants returns the first bits of the fractions of the cube roots of the first 64 primes, and of the square roots of the
// first eight.
func sha256Constants() (k [64]uint32, h [8]uint32) {
	n := 0
	for candidate := uint64(2); n < len(k); candidate++ {
		isPrime := true
		for d := uint64(2); d*d <= candidate; d++ {
			isPrime = isPrime && candidate%d != 0
		}
		if !isPrime {
			continue
		}
		k[n] = fractionOfRoot(candidate, 3)
		if n < len(h) {
			h[n] = fractionOfRoot(candidate, 2)
		}
		n++
	}
	return k, h
}

// fractionOfRoot returns the first 32 bits of the fraction of a root of a number below 512.
func fractionOfRoot(n uint64, power int) uint32 {
	var root uint64 // with 32 bits behind the point
	for bit := uint64(1) << 37; bit > 0; bit >>= 1 {
		if r := root | bit; isAtMost(r, n, power) {
			root = r
		}
	}
	return uint32(root)
}

// isAtMost reports whether r, with 32 bits behind the point, to the power is at most n.
func isAtMost(r, n uint64, power int) bool {
	high, low := bits.Mul64(r, r) // 64 bits behind the point
	if power == 2 {
		return high < n || high == n && low == 0
	}
	// (high·2⁶⁴ + low)·r, with 96 bits behind the point
	top, middle := bits.Mul64(low, r)
	upper, lower := bits.Mul64(high, r)
	lower, carry := bits.Add64(lower, top, 0)
	upper += carry
	return upper == 0 && lower>>32 < n || upper == 0 && lower>>32 == n && lower<<32 == 0 && middle == 0
}
