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
	for i := range l.Found {
		if n := l.Found[i].Agents; l.OK || n.Asks+n.Turns > 0 {
			dst = appendFound(dst, &l.Found[i])
		}
	}
	return dst
}

func appendFound(dst []byte, found *nearest.Found) []byte {
	protocol, scene, why := "agents", 0, "no build, but agents wait"
	var full, short []byte
	if found.Facts != nil {
		protocol = found.Protocol
		scene, why = found.Facts.Scene()
		full, short = found.Facts.AppendFull(nil), found.Facts.AppendCompact(nil)
	}
	format := "full"
	if found.Compact {
		format = "compact"
	}
	dst = append(dst, `{"protocol":`...)
	dst = line.AppendJSONString(dst, protocol)
	dst = append(dst, `,"scene":`...)
	dst = append(dst, byte('0'+scene))
	dst = append(dst, `,"why":`...)
	dst = line.AppendJSONString(dst, why)
	dst = append(dst, `,"full":`...)
	dst = line.AppendJSONString(dst, string(full))
	dst = append(dst, `,"compact":`...)
	dst = line.AppendJSONString(dst, string(short))
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
