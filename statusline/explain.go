package statusline

import (
	"gatehouse/model/line"
	"gatehouse/parse/disk/peek"
	"gatehouse/parse/nearest"
)

// AppendExplanation appends an explanation to dst, in lines for a human: the source file of a line, its scene with the
// reason, its waits, and refused files. dir is the start of the walk up. File names are cleaned like everything from
// outside.
func (l *Line) AppendExplanation(dst []byte, dir string) []byte {
	add := func(label, text string) {
		dst = line.AppendForeign(append(dst, label...), text, 2*peek.PathLimit)
		dst = append(dst, '\n')
	}
	for i := range l.Found {
		found := &l.Found[i]
		if l.OK {
			explainBuild(add, found)
		} else {
			add("found:   ", "nothing upwards from "+dir)
		}
		if n := found.Agents; n.Asks+n.Turns > 0 {
			add("agents:  ", line.Decimal(n.Asks)+" asks and "+line.Decimal(n.Turns)+" finished turns; gatehouse asks lists them")
		}
		if found.Reason != nil {
			add("refused: ", found.Refused+" "+found.Reason.Error())
		}
	}
	return dst
}

// explainBuild adds the explanation of a build.
func explainBuild(add func(label, text string), found *nearest.Found) {
	add("found:   ", found.Protocol)
	add("file:    ", found.Path)
	if found.With != "" {
		add("with:    ", found.With)
	}
	scene, why := found.Facts.Scene()
	add("scene:   ", sceneNames[scene]+", "+why)
	if found.Waits != "" {
		add("waits:   ", found.Waits+", by "+found.WaitsPath)
	}
	for _, w := range found.Beside {
		add("waits:   ", w.What+", by "+w.Name+", beside it")
	}
	if found.Denied != "" {
		add("denied:  ", found.Denied)
	}
}

// sceneNames are the scenes with their numbers; 0 is a line without text.
var sceneNames = [...]string{"nothing to show", "1 active", "2 idle, next step known", "3 complete", "4 fallback"}
