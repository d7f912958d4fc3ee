package tui

// The reasons why keys do not work now. Each function returns "" if its key works.

import (
	"gatehouse/tui/draw"
	"gatehouse/tui/pane"
)

// whyUnless returns a reason if a condition is not met.
func whyUnless(met bool, why string) string {
	if met {
		return ""
	}
	return why
}

func (d *dashboard) whyNoBuild() string {
	return whyUnless(!d.index.Empty(), "there is no build here")
}

func (d *dashboard) whyNoTree() string {
	return draw.OrElse(d.whyNoBuild(), whyUnless(d.focus == pane.TreeID, "only on a row of the tree"))
}

func (d *dashboard) whyNoChild() string {
	r, ok := d.tree.At()
	return draw.OrElse(d.whyNoTree(), whyUnless(ok && len(r.Children()) > 0, "there is nothing below this row"))
}

func (d *dashboard) whyNoFold() string {
	return draw.OrElse(d.whyNoChild(), whyUnless(!d.tree.Filter().Active(), "nothing folds while a filter is on; esc clears it"))
}

func (d *dashboard) whyNoEnter() string {
	return draw.OrElse(d.panes[d.focus].Enter().Never, d.whyNoBuild())
}

func (d *dashboard) whyNoBack() string {
	isFirst := !d.filteredPane().Filter().Active() && !d.layout.zoom && d.focus == pane.TreeID
	return whyUnless(!isFirst, "this is the first screen; "+d.keyOf("quit")+" quits")
}

func (d *dashboard) whyNoNext() string {
	switch {
	case d.tree.Filter().Active():
		return whyUnless(d.tree.Hits > 0, "nothing was found")
	}
	return whyUnless(len(d.index.Stops) > 0, "nothing waits for you, has failed or is blocked")
}

func (d *dashboard) whyNoneUnseen() string {
	return whyUnless(d.seen.Count > 0, "nothing has changed since you looked")
}

func (d *dashboard) whyNoZoom() string {
	return draw.OrElse(d.whyNoBuild(), whyUnless(d.layout.zoom || d.screen.split, "the pane has the whole screen already"))
}

func (d *dashboard) whyNoPreview() string {
	fits := !d.layout.zoom && (d.screen.kind > single || d.screen.body.Height >= belowFrom)
	return draw.OrElse(d.whyNoBuild(), whyUnless(fits, "there is no room for a preview"))
}

func (d *dashboard) whyNoOtherFile() string {
	s, ok := d.selectedSubject()
	return draw.OrElse(d.whyNoFile(), whyUnless(ok && len(s.Files()) > 1, "this row has no other file"))
}

func (d *dashboard) whyNotRaw() string {
	return draw.OrElse(d.whyNoFile(), whyUnless(d.inView(pane.FileID) && d.file.Markdown(), "no Markdown is in view; "+d.keyOf("file")+" shows the file"))
}

func (d *dashboard) whyNoFile() string {
	s, ok := d.selectedSubject()
	return draw.OrElse(d.whyNoBuild(), whyUnless(ok && s.Source.File != "", "no file is known for this row"))
}

func (d *dashboard) whyNoCopy() string {
	if d.focus == pane.FileID {
		return d.whyNoFile()
	}
	return d.whyNoBuild()
}

func (d *dashboard) whyNoArtifact() string {
	s, ok := d.selectedSubject()
	return draw.OrElse(d.whyNoBuild(), whyUnless(ok && len(s.Files()) > 0, "this row has no files"))
}
