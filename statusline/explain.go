package statusline

import (
	"gatehouse/model/line"
	"gatehouse/parse/disk/peek"
	"gatehouse/parse/nearest"
)

// AppendExplanation appends an explanation to dst, in lines for a human: the source file of a line, its scene with the
// reason, its form, waits, refused files, and how the line is shown. dir is the start of the walk up. File names are
// cleaned like everything from outside.
func (l *Line) AppendExplanation(dst []byte, dir string, c *Command) []byte {
	add := func(label, text string) {
		const width = len("found:   ")
		for label += ":"; len(label) < width; {
			label += " "
		}
		dst = line.AppendForeign(append(dst, label...), text, 2*peek.PathLimit)
		dst = append(dst, '\n')
	}
	for i := range l.Found {
		found := &l.Found[i]
		if l.OK {
			explainBuild(add, found, c)
		} else {
			source := c.Source
			if source == AllSources {
				source = ""
			}
			add("found", "nothing, looked for "+nearest.LooksFor(source)+" upwards from "+dir)
		}
		if n := found.Agents; n.Asks+n.Turns > 0 {
			add("agents", line.Decimal(n.Asks)+" asks and "+line.Decimal(n.Turns)+" finished turns; gatehouse asks lists them")
		}
		if found.Reason != nil {
			add("refused", found.Refused+" "+found.Reason.Error())
		}
	}
	colored, cols := "no, ", "not limited"
	if c.Colored {
		colored = "yes, "
	}
	if c.Cols > 0 {
		cols = line.Decimal(c.Cols)
	}
	add("shell", c.Sink.Name())
	add("colours", colored+c.whyColor)
	add("columns", cols+" by "+c.whyCols)
	return dst
}

// explainBuild adds the explanation of a build.
func explainBuild(add func(label, text string), found *nearest.Found, c *Command) {
	add("found", found.Protocol)
	path := found.Path
	if path == "" {
		path = "none"
	}
	add("file", path)
	if found.With != "" {
		add("with", found.With)
	}
	scene, why := found.Facts.Scene()
	add("scene", sceneNames[scene]+", "+why)
	form, because := "full", "no configuration asks for another"
	if isCompact(found, c.Options) {
		form = "compact"
	}
	if c.Format != Configured {
		because = "asked for by --format"
	} else if found.ConfigPath != "" {
		because = "as " + found.ConfigPath + " has it"
	}
	add("format", form+", "+because)
	switch {
	case found.Waits != "":
		add("waits", found.Waits+", by "+found.WaitsPath)
	case c.Alerts && len(found.Beside) == 0:
		add("waits", "nothing that a file is certain of")
	}
	for _, w := range found.Beside {
		add("waits", w.What+", by "+w.Name+", beside it")
	}
	if found.Denied != "" {
		add("denied", found.Denied)
	}
}

// sceneNames are the scenes with their numbers; 0 is a line without text.
var sceneNames = [...]string{"nothing to show", "1 active", "2 idle, next step known", "3 complete", "4 fallback"}
