// JSON with bytes that are harmless wherever they are shown: characters that control a terminal or are invisible become
// \u escapes. Parsers read the same document, so file names do not change.

package line

import "unicode/utf8"

// AppendJSON appends a JSON document from another encoder, with its line breaks.
func AppendJSON(dst []byte, document string) []byte {
	for _, r := range document {
		if r == '\n' {
			dst = append(dst, '\n')
		} else {
			dst = appendJSONRune(dst, r)
		}
	}
	return dst
}

// AppendJSONString appends text as a JSON string. Bytes that are no UTF-8, as names of files may hold them, become U+FFFD.
func AppendJSONString(dst []byte, text string) []byte {
	dst = append(dst, '"')
	for _, r := range text {
		if r == '"' || r == '\\' {
			dst = append(dst, '\\')
		}
		dst = appendJSONRune(dst, r)
	}
	return append(dst, '"')
}

// appendJSONRune appends a character, escaped if necessary; as two escapes if it is beyond U+FFFF.
func appendJSONRune(dst []byte, r rune) []byte {
	switch {
	case r < ' ', r >= 0x7F && r < 0xA0, r == 0x2028, r == 0x2029, isUnseen(r):
	default:
		return utf8.AppendRune(dst, r)
	}
	if r > 0xFFFF {
		r -= 0x10000
		return appendEscape(appendEscape(dst, 0xD800+r>>10), 0xDC00+r&0x3FF)
	}
	return appendEscape(dst, r)
}

func appendEscape(dst []byte, unit rune) []byte {
	const digits = "0123456789abcdef"
	return append(dst, '\\', 'u', digits[unit>>12], digits[unit>>8&0xF], digits[unit>>4&0xF], digits[unit&0xF])
}
