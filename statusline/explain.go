package statusline

import (
	"gatehouse/model/line"
	"gatehouse/parse/disk/peek"
	"gatehouse/parse/nearest"
)

// AppendExplanation appends to dst, in lines for a human, which file a line came from, which scene it shows and why, which
// form it has, what waits, what was refused on the way, and how the line is shown. dir is where the walk up began. Names of
// files are cleaned like everything from outside.
func (l *Line) AppendExplanation(dst []byte, dir string, c *Command) []byte {
	for i := range l.Found {
		found := &l.Found[i]
		if l.OK {
			path := found.Path
			if path == "" {
				path = "none"
			}
			scene, why := found.Facts.Scene()
			dst = appendLine(dst, "found:   ", found.Protocol)
			dst = appendLine(dst, "file:    ", path)
			if found.With != "" {
				dst = appendLine(dst, "with:    ", found.With)
			}
			dst = appendLine(dst, "scene:   ", sceneNames[scene]+", "+why)
			dst = appendFormat(dst, found, c.Options)
			if c.Alerts || found.Waits != "" {
				dst = appendWaits(dst, found)
			}
			if found.Denied != "" {
				dst = appendLine(dst, "denied:  ", found.Denied)
			}
		} else {
			dst = appendLine(dst, "found:   nothing, looked for "+looksFor(c.Source)+" upwards from ", dir)
		}
		if n := found.Agents; n.Asks+n.Turns > 0 {
			dst = appendLine(dst, "agents:  ", digits(n.Asks)+" asks and "+digits(n.Turns)+" finished turns; gatehouse asks lists them")
		}
		if found.Reason != nil {
			dst = appendLine(dst, "refused: ", found.Refused+" "+found.Reason.Error())
		}
	}
	colored := "no, "
	if c.Colored {
		colored = "yes, "
	}
	dst = appendLine(dst, "shell:   ", c.Sink.Name())
	dst = appendLine(dst, "colours: ", colored+c.whyColor)
	if c.Cols == 0 {
		return appendLine(dst, "columns: ", "not limited by "+c.whyCols)
	}
	return appendLine(dst, "columns: ", digits(c.Cols)+" by "+c.whyCols)
}

// looksFor names the files that a source stands for.
func looksFor(source string) string {
	if source == AllSources {
		source = ""
	}
	return nearest.LooksFor(source)
}

// appendWaits appends the line that says what waits and which file has it.
func appendWaits(dst []byte, found *nearest.Found) []byte {
	switch {
	case found.Waits != "":
		dst = appendLine(dst, "waits:   ", found.Waits+", by "+found.WaitsPath)
	case len(found.Beside) == 0:
		dst = appendLine(dst, "waits:   ", "nothing that a file is certain of")
	}
	for _, w := range found.Beside {
		dst = appendLine(dst, "waits:   ", w.What+", by "+w.Name+", beside it")
	}
	return dst
}

// appendFormat appends the line that says which form was used and who asked for it.
func appendFormat(dst []byte, found *nearest.Found, opt Options) []byte {
	form, because := "full", "no configuration asks for another"
	if compact(found, opt) {
		form = "compact"
	}
	switch {
	case opt.Format != Configured:
		because = "asked for by --format"
	case found.ConfigPath != "":
		because = "as " + found.ConfigPath + " has it"
	}
	return appendLine(dst, "format:  ", form+", "+because)
}

// sceneNames are the four scenes of a GSD line with their numbers; 0 is a line without text.
var sceneNames = [...]string{"nothing to show", "1 active", "2 idle, next step known", "3 complete", "4 fallback"}

// appendLine appends a label of our own and text from outside, as foreign text, as one line.
func appendLine(dst []byte, label, text string) []byte {
	dst = append(dst, label...)
	dst = line.AppendForeign(dst, text, 2*peek.PathLimit)
	return append(dst, '\n')
}

// digits returns n, which is not negative, in decimal digits.
func digits(n int) string {
	if n < 10 {
		return string(rune('0' + n))
	}
	return digits(n/10) + string(rune('0'+n%10))
}
