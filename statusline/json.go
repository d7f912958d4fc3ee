// What --json prints: the facts of the line for other programs.

package statusline

import (
	"unicode/utf8"

	"gatehouse/model/line"
	"gatehouse/parse/nearest"
)

// AppendJSON appends one JSON object a line to dst, one for each build that was found; nothing when there is none. Its
// fields are protocol, the name; scene, 1 active, 2 idle with the next step known, 3 complete, 4 fallback, 0 for a build
// that has nothing to show; why, the reason for the scene; full and compact, the two forms without colours or escaping;
// format, the form that the project's configuration asks for; file, what was read, null when the state follows from its
// absence; and waits, the texts of what waits for somebody, of which all that are certain are listed whether --alerts is
// given or not. Fields may be added; those here stay.
func (l *Line) AppendJSON(dst []byte) []byte {
	if !l.OK {
		return dst
	}
	for i := range l.Found {
		dst = appendFound(dst, &l.Found[i])
	}
	return dst
}

func appendFound(dst []byte, found *nearest.Found) []byte {
	scene, why := found.Facts.Scene()
	format := "full"
	if found.Compact {
		format = "compact"
	}
	dst = append(dst, `{"protocol":`...)
	dst = appendJSONString(dst, found.Protocol)
	dst = append(dst, `,"scene":`...)
	dst = append(dst, byte('0'+scene))
	dst = append(dst, `,"why":`...)
	dst = appendJSONString(dst, why)
	dst = append(dst, `,"full":`...)
	dst = appendJSONString(dst, string(found.Facts.AppendFull(nil)))
	dst = append(dst, `,"compact":`...)
	dst = appendJSONString(dst, string(found.Facts.AppendCompact(nil)))
	dst = append(dst, `,"format":`...)
	dst = appendJSONString(dst, format)
	dst = append(dst, `,"file":`...)
	if found.Path == "" {
		dst = append(dst, "null"...)
	} else {
		dst = appendJSONString(dst, found.Path)
	}
	dst = append(dst, `,"waits":[`...)
	if found.Waits != "" {
		dst = appendJSONString(dst, line.Clean(found.Waits))
	}
	return append(dst, "]}\n"...)
}

// appendJSONString appends text as a JSON string. Bytes that are no UTF-8, as names of files may hold them, become U+FFFD.
func appendJSONString(dst []byte, text string) []byte {
	const digits = "0123456789abcdef"
	dst = append(dst, '"')
	for i := 0; i < len(text); {
		r, size := utf8.DecodeRuneInString(text[i:])
		switch {
		case r == '"' || r == '\\':
			dst = append(dst, '\\', byte(r))
		case r < 0x20 || r == 0x7F:
			dst = append(dst, '\\', 'u', '0', '0', digits[r>>4], digits[r&0xF])
		default:
			dst = utf8.AppendRune(dst, r)
		}
		i += size
	}
	return append(dst, '"')
}
