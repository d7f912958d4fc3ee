// What --json prints: the facts of the line for other programs.

package statusline

import (
	"gatehouse/model/line"
	"gatehouse/parse/nearest"
)

// AppendJSON appends one JSON object a line to dst, one for each build that was found; nothing when there is none. Its
// fields are protocol, the name; scene, 1 active, 2 idle with the next step known, 3 complete, 4 fallback, 0 for a build
// that has nothing to show; why, the reason for the scene; full and compact, the two forms without colours or escaping;
// format, the form that the project's configuration asks for; file, what was read, null when the state follows from its
// absence; and waits, the texts of what waits for somebody, of which all that are certain are listed whether --alerts is
// given or not; and asks, how many questions, plans and permissions of live agents wait in the project. Fields may be added; those here stay.
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
	dst = line.AppendJSONString(dst, found.Protocol)
	dst = append(dst, `,"scene":`...)
	dst = append(dst, byte('0'+scene))
	dst = append(dst, `,"why":`...)
	dst = line.AppendJSONString(dst, why)
	dst = append(dst, `,"full":`...)
	dst = line.AppendJSONString(dst, string(found.Facts.AppendFull(nil)))
	dst = append(dst, `,"compact":`...)
	dst = line.AppendJSONString(dst, string(found.Facts.AppendCompact(nil)))
	dst = append(dst, `,"format":`...)
	dst = line.AppendJSONString(dst, format)
	dst = append(dst, `,"file":`...)
	if found.Path == "" {
		dst = append(dst, "null"...)
	} else {
		dst = line.AppendJSONString(dst, found.Path)
	}
	dst = append(dst, `,"waits":[`...)
	if found.Waits != "" {
		dst = line.AppendJSONString(dst, line.Clean(found.Waits))
	}
	for i, w := range found.Beside {
		if i > 0 || found.Waits != "" {
			dst = append(dst, ',')
		}
		dst = line.AppendJSONString(dst, line.Clean(w.Name+": "+w.What))
	}
	dst = append(dst, `],"asks":`...)
	dst = append(dst, digits(found.Asked)...)
	return append(dst, "}\n"...)
}
