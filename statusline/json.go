// What --json prints: the facts of the line for other programs.

package statusline

import (
	"gatehouse/model/line"
	"gatehouse/parse/nearest"
)

// AppendJSON appends one JSON object per line to dst, one for each build. Without a build it appends one object with the protocol
// "agents" if live agents wait in the project, else nothing. docs/schema/statusline.json describes the fields; fields may be
// added, and no field goes away.
func (l *Line) AppendJSON(dst []byte) []byte {
	if !l.OK && l.Found[0].Agents.Asks+l.Found[0].Agents.Turns > 0 {
		l.Found[0].Protocol, l.Found[0].Facts = "agents", &line.Told{Reason: "no build, but agents wait"}
		return appendFound(dst, &l.Found[0])
	}
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
	dst = append(dst, digits(found.Agents.Asks)...)
	dst = append(dst, `,"turns":`...)
	dst = append(dst, digits(found.Agents.Turns)...)
	return append(dst, "}\n"...)
}
