package statusline

import (
	"gatehouse/model/line"
	"gatehouse/parse/nearest"
)

// AppendJSON appends one JSON object per line to dst, one for each build. Without a build it appends one object with the protocol
// "agents" if live agents wait in the project, else nothing. docs/schema/statusline.json describes the fields; fields may be
// added, and no field is removed.
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
	full, short := "", ""
	if found.Facts != nil {
		protocol = found.Protocol
		scene, why = found.Facts.Scene()
		full, short = line.Full(found.Facts), line.Compact(found.Facts)
	}
	format := "full"
	if found.Compact {
		format = "compact"
	}
	file := line.AppendJSONString(nil, found.Path)
	if found.Path == "" {
		file = []byte("null")
	}
	add := func(name, text string) { dst = line.AppendJSONString(append(dst, name...), text) }
	add(`{"protocol":`, protocol)
	dst = append(dst, `,"scene":`+line.Decimal(scene)...)
	add(`,"why":`, why)
	add(`,"full":`, full)
	add(`,"compact":`, short)
	add(`,"format":`, format)
	dst = append(append(dst, `,"file":`...), file...)
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
	return append(dst, `],"asks":`+line.Decimal(found.Agents.Asks)+`,"turns":`+line.Decimal(found.Agents.Turns)+"}\n"...)
}
