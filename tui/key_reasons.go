package tui

// The reasons why keys do not work now.

import "gatehouse/tui/pane"

// need is something that a key needs, and the reason why the key does not work without it.
type need struct {
	met func(d *dashboard) bool
	why string
}

// needs returns the function that says why a key does not work: the first need that is not met, "" if all are.
func needs(all ...need) func(*dashboard) string {
	return func(d *dashboard) string {
		for _, n := range all {
			if !n.met(d) {
				return n.why
			}
		}
		return ""
	}
}

// ofSubject is a need that the selection meets.
func ofSubject(met func(s pane.Subject) bool, why string) need {
	return need{func(d *dashboard) bool {
		s, ok := d.selectedSubject()
		return ok && met(s)
	}, why}
}

var (
	needBuild  = need{func(d *dashboard) bool { return !d.index.Empty() }, "there is no build here"}
	needTree   = need{func(d *dashboard) bool { return d.focus == pane.TreeID }, "only on a row of the tree"}
	needNoHits = need{func(d *dashboard) bool { return !d.tree.Filter().Active() }, "nothing folds while a filter is on; esc clears it"}
	needHit    = need{func(d *dashboard) bool { return !d.tree.Filter().Active() || d.tree.Hits > 0 }, "nothing was found"}
	needStop   = need{func(d *dashboard) bool { return d.tree.Filter().Active() || len(d.index.Stops) > 0 }, "nothing waits for you, has failed or is blocked"}
	needChange = need{func(d *dashboard) bool { return d.seen.Count > 0 }, "nothing has changed since you looked"}
	needPanes  = need{func(d *dashboard) bool { return d.layout.zoom || d.screen.split }, "the pane has the whole screen already"}
	needRoom   = need{func(d *dashboard) bool {
		return !d.layout.zoom && (d.screen.kind > single || d.screen.body.Height >= belowFrom)
	}, "there is no room for a preview"}
	needChild = need{func(d *dashboard) bool {
		r, ok := d.tree.At()
		return ok && len(r.Children()) > 0
	}, "there is nothing below this row"}
	needFile      = ofSubject(func(s pane.Subject) bool { return s.Source.File != "" }, "no file is known for this row")
	needFiles     = ofSubject(func(s pane.Subject) bool { return len(s.Files()) > 0 }, "this row has no files")
	needMoreFiles = ofSubject(func(s pane.Subject) bool { return len(s.Files()) > 1 }, "this row has no other file")
)

func (d *dashboard) whyNoEnter() string {
	if never := d.panes[d.focus].Enter().Never; never != "" {
		return never
	}
	return needs(needBuild)(d)
}

func (d *dashboard) whyNoBack() string {
	if d.filteredPane().Filter().Active() || d.layout.zoom || d.focus != pane.TreeID {
		return ""
	}
	return "this is the first screen; " + d.keyOf("quit") + " quits"
}

func (d *dashboard) whyNotRaw() string {
	return needs(needBuild, needFile, need{func(d *dashboard) bool { return d.inView(pane.FileID) && d.file.Markdown() }, "no Markdown is in view; " + d.keyOf("file") + " shows the file"})(d)
}

func (d *dashboard) whyNoCopy() string {
	if d.focus == pane.FileID {
		return needs(needBuild, needFile)(d)
	}
	return needs(needBuild)(d)
}
