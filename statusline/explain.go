package statusline

import (
	"gatehouse/model/line"
	"gatehouse/parse/peek"
)

// AppendExplanation appends to dst, in lines for a human, which file a line came from, which scene it shows and why, which
// form it has, and what was refused on the way. dir is where the walk up began. Names of files are cleaned like everything
// from outside.
func (l *Line) AppendExplanation(dst []byte, dir string, opt Options) []byte {
	if l.OK {
		path := l.Found.Path
		if path == "" {
			path = "none"
		}
		scene, why := l.Found.Facts.Scene()
		dst = appendLine(dst, "found:   ", l.Found.Protocol)
		dst = appendLine(dst, "file:    ", path)
		dst = appendLine(dst, "scene:   ", sceneNames[scene]+", "+why)
		dst = l.appendFormat(dst, opt)
	} else {
		dst = appendLine(dst, "found:   nothing, looked for .planning/STATE.md upwards from ", dir)
	}
	if l.Found.Reason != nil {
		dst = appendLine(dst, "refused: ", l.Found.Refused+" "+l.Found.Reason.Error())
	}
	return dst
}

// appendFormat appends the line that says which form was used and who asked for it.
func (l *Line) appendFormat(dst []byte, opt Options) []byte {
	form, because := "full", "no configuration asks for another"
	if l.Compact {
		form = "compact"
	}
	switch {
	case opt.Format != Configured:
		because = "asked for by --format"
	case l.Found.ConfigPath != "":
		because = "as " + l.Found.ConfigPath + " has it"
	}
	return appendLine(dst, "format:  ", form+", "+because)
}

// sceneNames are the four scenes of product.md §2 with their numbers; 0 is a line without text.
var sceneNames = [...]string{"nothing to show", "1 active", "2 idle, next step known", "3 complete", "4 fallback"}

// appendLine appends a label of our own and text from outside, cleaned, as one line.
func appendLine(dst []byte, label, text string) []byte {
	dst = append(dst, label...)
	dst = line.AppendClean(dst, text, 2*peek.PathLimit)
	return append(dst, '\n')
}
