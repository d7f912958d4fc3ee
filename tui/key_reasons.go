package tui

// The reasons why keys do not work now. Each function returns "" if its key works.

import (
	"strconv"

	"gatehouse/tui/draw"
	"gatehouse/tui/pane"
)

func (d *dashboard) whyNoBuild() string {
	if d.index.Empty() {
		return "there is no build here"
	}
	return ""
}

func (d *dashboard) whyNoTree() string {
	switch {
	case d.index.Empty():
		return "there is no build here"
	case d.focus != pane.TreeID:
		return "only in the tree"
	}
	return ""
}

func (d *dashboard) whyNoChild() string {
	if why := d.whyNoTree(); why != "" {
		return why
	}
	if r, ok := d.tree.At(); !ok || len(r.Children()) == 0 {
		return "there is nothing below this row"
	}
	return ""
}

func (d *dashboard) whyNoFold() string {
	if why := d.whyNoChild(); why != "" {
		return why
	}
	if d.tree.Filter().Active() {
		return "nothing folds while a filter is on; esc clears it"
	}
	return ""
}

func (d *dashboard) whyNoEnter() string {
	if why := d.panes[d.focus].Enter().Never; why != "" {
		return why
	}
	return d.whyNoBuild()
}

func (d *dashboard) whyNoBack() string {
	if d.activeFinder() == nil && !d.filteredPane().Filter().Active() && !d.layout.zoom && d.focus == pane.TreeID {
		return "this is the first screen; " + d.keyOf("quit") + " quits"
	}
	return ""
}

func (d *dashboard) whyNoNext() string {
	in := d.activeFinder()
	switch {
	case in != nil:
		if in.Hits() == 0 {
			return "nothing was found"
		}
	case d.tree.Filter().Active():
		if d.tree.Hits == 0 {
			return "nothing was found"
		}
	case len(d.index.Stops) == 0:
		return "nothing waits for you, has failed or is blocked"
	}
	return ""
}

func (d *dashboard) whyNoneUnseen() string {
	if d.seen.Count == 0 {
		return "nothing has changed since you looked"
	}
	return ""
}

func (d *dashboard) whyNoZoom() string {
	switch {
	case d.layout.zoom:
		return ""
	case !d.screen.split:
		return "the pane has the whole screen already"
	}
	return d.whyNoBuild()
}

func (d *dashboard) whyNoPreview() string {
	switch {
	case d.layout.zoom:
		return d.keyOf("zoom") + " gives the other panes their room back first"
	case d.screen.kind <= single && d.screen.body.Height < belowFrom:
		return "a preview needs " + strconv.Itoa(doubleFrom) + " columns, or " + strconv.Itoa(belowFrom+headerHeight(d.screen.kind)+1) + " rows"
	}
	return d.whyNoBuild()
}

func (d *dashboard) whyNoOtherFile() string {
	if s, ok := d.selectedSubject(); !ok || len(s.Files()) < 2 {
		return draw.OrElse(d.whyNoFile(), "this row has no other file")
	}
	return ""
}

func (d *dashboard) whyNotRaw() string {
	switch {
	case !d.inView(pane.FileID):
		return draw.OrElse(d.whyNoFile(), "the file is not in view; "+d.keyOf("file")+" shows it")
	case !d.file.Markdown():
		return "the file is shown as it is written"
	}
	return ""
}

func (d *dashboard) whyNoFile() string {
	if s, ok := d.selectedSubject(); ok && s.Source.File == "" {
		return "no file is known for this row"
	}
	return d.whyNoBuild()
}

func (d *dashboard) whyNoCopy() string {
	if d.focus == pane.FileID {
		return d.whyNoFile()
	}
	return d.whyNoBuild()
}

func (d *dashboard) whyNoArtifact() string {
	if s, ok := d.selectedSubject(); ok && len(s.Files()) == 0 {
		return "this row has no files"
	}
	return d.whyNoBuild()
}
