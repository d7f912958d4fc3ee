package pane

// Drawing the tree: its columns and its rows.

import (
	"path"
	"strconv"
	"strings"
	"time"

	"gatehouse/model"
	"gatehouse/tui/draw"
	"gatehouse/tui/index"
)

// columns are the widths of the columns to the right of the titles; 0 leaves one out.
type columns struct{ word, bar, percent, age int }

// columnsFor returns the columns that fit next to readable titles.
func columnsFor(width int) columns {
	switch {
	case width < 50:
		return columns{word: 10, percent: 4}
	case width < 68:
		return columns{word: 11, percent: 4, age: 4}
	}
	return columns{word: 11, bar: 10, percent: 4, age: 4}
}

// widthOf returns the width of some columns, with a blank before each.
func widthOf(columns ...int) (w int) {
	for _, column := range columns {
		if column > 0 {
			w += column + 1
		}
	}
	return w
}

// width returns the width of the columns at the right of every row, with a blank after the last. Bar and percent are left of them if the
// name leaves room.
func (c columns) width() int { return widthOf(c.word, c.age) + 1 }

func (c columns) barWidth() int { return widthOf(c.bar, c.percent) }

// Render implements [Pane]. A still tree shows no selection.
func (t *Tree) Render(l *draw.Look, width, height int, focused bool) []string {
	cols := columnsFor(width)
	none := draw.If(t.Filter.Active(), "no row matches; esc clears the filter")
	return t.drawLines(l, width, height, nil, none, func(i int) string {
		line := l.Ribbon(width)
		t.drawMargin(&line, i, focused)
		t.drawRow(&line, i, cols)
		return line.Line()
	})
}

// drawMargin draws the column left of the rows: the selection, or the mark of a change.
func (t *Tree) drawMargin(line *draw.Ribbon, i int, focused bool) {
	l := line.Look
	changed, marked := t.Marks[t.rows[i].Place()]
	switch {
	case i == t.selected && !t.Still:
		line.Select(focused)
	case changed:
		line.Sign(l.Theme.Changed, l.Glyphs.Changed)
	case marked && !t.isOpen(t.rows[i]): // a folded row shows the marks of the rows below it
		line.Sign(l.Theme.Dim, l.Glyphs.Changed)
	}
}

func (t *Tree) drawRow(line *draw.Ribbon, i int, cols columns) {
	l, r := line.Look, t.rows[i]
	below := len(r.Children()) > 0
	if t.Filter.Active() { // only rows that pass the filter
		below = i+1 < len(t.rows) && t.rows[i+1].Depth > r.Depth
	}
	line.To(1 + 2*max(r.Depth-1, 0))
	switch {
	case !below:
		line.Gap(1)
	case t.isOpen(r):
		line.Sign(l.Theme.Dim, l.Glyphs.Open)
	default:
		line.Sign(l.Theme.Dim, l.Glyphs.Folded)
	}
	line.Gap(1)
	var row treeRow
	switch {
	case len(r.Run) > 0:
		row = runRow(l, r)
	case r.Node != nil:
		row = nodeRow(l, r.Site, r.Node)
	case len(t.index.Sites) > 1:
		t.drawProject(line, r.Site, t.Remarks[r.Place()])
		return
	default:
		row = siteRow(l, r.Site)
	}
	if remark := t.Remarks[r.Place()]; remark != "" {
		row.word, row.wordStyle = remark, l.Theme.Accent
	}
	row.draw(line, cols)
}

// treeRow is a row of the tree behind its fold.
type treeRow struct {
	sign          string
	signStyle     draw.Style
	number, title string
	last          string // the title of the last node of a run
	titleStyle    draw.Style
	isHeld        bool        // its last good state is shown
	hints         []string    // forms of a remark after the title, the longest first. No text of a file in them can pass for ours
	share         model.Count // of the bar
	percent       int
	word          string // the status word
	wordStyle     draw.Style
	since         time.Time // from which the age counts, zero if unknown
}

// ageFrom returns the time from which the age of a row counts: since when it is stale, or has its status. The time when a file was
// written or checked out says nothing.
func ageFrom(since time.Time, file bool, stale time.Time) time.Time {
	switch {
	case !stale.IsZero():
		return stale
	case file:
		return time.Time{}
	}
	return since
}

// draw draws the row, and leaves out the parts without room.
func (t treeRow) draw(line *draw.Ribbon, cols columns) {
	l, edge := line.Look, line.Room-cols.width() // the end of the titles
	line.Sign(t.signStyle, t.sign)
	line.Gap(1)
	if t.number != "" {
		line.AddWithin(t.titleStyle, t.number, edge-line.Width)
		line.Gap(1)
	}
	room := edge - line.Width
	if t.last != "" {
		room = (room - 3) / 2
	}
	line.AddWithin(t.titleStyle, t.title, room)
	if t.last != "" {
		line.Exactly(t.titleStyle, "–")
		line.AddWithin(t.titleStyle, t.last, edge-line.Width)
	}
	if t.isHeld && edge-line.Width >= 2 {
		line.Gap(1)
		line.Sign(l.Theme.Wait, l.Glyphs.Held)
		line.Gap(1)
		line.AddWithin(l.Theme.Wait, "last good state", edge-line.Width)
	}
	bar := barAt(line, t.share, cols, edge)
	for _, form := range t.hints {
		if _, w := l.MeasureExactly(form); form != "" && w <= bar-line.Width-3 {
			line.Gap(2)
			line.Exactly(l.Theme.Dim, form)
			break
		}
	}
	if bar < edge {
		line.To(bar)
		if cols.bar > 0 && edge-bar == cols.barWidth() {
			line.Gap(1)
			line.Bar(t.share.Done, t.share.Total, cols.bar)
		}
		if cols.percent > 0 {
			line.Gap(1)
			draw.DrawRight(line, l.Theme.Dim, percentOf(t.percent), cols.percent)
		}
	}
	line.To(edge)
	if cols.word > 0 {
		line.Gap(1)
		line.AddWithin(t.wordStyle, t.word, cols.word)
	}
	if cols.age > 0 && !t.since.IsZero() {
		line.To(line.Room - cols.age - 1)
		draw.DrawRight(line, l.Theme.Dim, l.Age(t.since), cols.age)
	}
}

// nodeRow returns the row of a node.
func nodeRow(l *draw.Look, s *index.Site, n *model.Node) treeRow {
	st, glyph, word := s.StatusOf(l, n)
	wordStyle, title := st, draw.Style("")
	switch {
	case n.IsOver():
		st, wordStyle, title = l.Theme.Dim, l.Theme.Dim, l.Theme.Dim
	case n.Status.Closed():
		wordStyle, title = l.Theme.Dim, l.Theme.Dim
	case n.Kind == model.KindSkill && n.Status == model.Unknown: // files do not mention single skills
		glyph, word, st = l.Glyphs.Dot, "", l.Theme.Dim
	case n.Kind == model.KindGroup:
		title = l.Theme.Dim
		if n.Status == model.Active || n.Status == model.Unknown { // some of its parts are done, and nothing in it runs
			glyph, word, st = l.Glyphs.Dot, "", l.Theme.Dim
		}
	case n.Kind == model.KindMilestone, n.Kind == model.KindGate && n.Status == model.Waiting && (s.Standing(n) == index.StandsWaiting || n.IsUpcoming() || asksForChanges(n)):
		title = l.Theme.Strong
	}
	if asksForChanges(n) {
		word = "changes"
	}
	if n.NotByYou() != "" {
		glyph, st = l.Glyphs.Differs, l.Theme.Wait
	}
	if n.Gate != nil && n.Gate.Overwritten != nil {
		word, wordStyle = "overwritten", l.Theme.Block
	}
	share := shareOf(n)
	if share.Done == 0 && (n.Status != model.Active && n.Status != model.Retrying || n.IsStale()) {
		share = model.Count{} // an empty bar adds nothing
	}
	return treeRow{sign: glyph, signStyle: st, number: n.Number, title: n.Heading(), titleStyle: title, isHeld: n.Held, hints: hintsOf(l, s, n),
		share: share, percent: s.Build.Progress.Share(share), word: word, wordStyle: wordStyle, since: ageFrom(n.Since, n.SinceFile, n.StaleSince())}
}

// barAt returns the column of a share's bar: of the whole bar, or of its percentage alone if the name leaves no room for more, else the edge.
// Finished work has no bar: a wall of full bars would be the heaviest thing on the screen.
func barAt(line *draw.Ribbon, c model.Count, cols columns, edge int) int {
	if c.Open() <= 0 {
		return edge
	}
	wide, short := edge-cols.barWidth(), edge-widthOf(cols.percent)
	switch {
	case line.Width < wide:
		return wide
	case line.Width < short:
		return short
	}
	return edge
}

// shareOf returns the count behind a node's percentage: of a milestone its plans, if it has any.
func shareOf(n *model.Node) model.Count {
	if n.Plans.Total > 0 {
		return n.Plans
	}
	return n.Count
}

// leastHint is the width that a title needs to share its place with a hint.
const leastHint = 5

// asksForChanges reports whether changes were requested for the gate.
func asksForChanges(n *model.Node) bool {
	return n.Gate != nil && n.Gate.Request != nil && !n.Status.Closed()
}

// hintsOf returns the remarks after the name of a node, the longest form first: a deadline, the size of a file, the
// reason for its status.
func hintsOf(l *draw.Look, s *index.Site, n *model.Node) []string {
	switch {
	case n.Session != nil:
		return sessionHints(l, n.Session)
	case n.IsAnswered():
		next, _, _ := strings.Cut(n.Why, ":")
		return []string{draw.Foreign(next)}
	case asksForChanges(n):
		text := draw.Foreign(n.Gate.Request.Text)
		return []string{text, l.Clipped(text, 24), l.Clipped(text, leastHint+4)}
	case n.Kind == model.KindDeliverable && len(n.Artifacts) == 1 && n.Artifacts[0].Exists:
		return []string{draw.BytesOf(n.Artifacts[0].Size)}
	case n.NotByYou() != "":
		return []string{n.NotByYou(), "not by you"}
	case n.Status.Closed():
		return nil
	case n.Plans.Total > 0 && n.Plans != s.Build.Progress.Plans: // otherwise the row of the build says it
		return []string{doneOf(n.Plans) + " plans"}
	case n.Attempt > 1:
		text := "attempt " + strconv.Itoa(n.Attempt)
		if n.Attempts > 0 {
			return []string{text + " of " + strconv.Itoa(n.Attempts), text}
		}
		return []string{text}
	case n.Gate != nil:
		return gateHints(l, n)
	}
	return reasonsOf(s, n)
}

// gateHints says how a gate differs from most gates: a check may decide it, it is optional, files are missing.
func gateHints(l *draw.Look, n *model.Node) []string {
	if a := n.Gate.Ask; a != nil {
		return []string{l.Deadline(a.Until, a.Then), l.Deadline(a.Until, "")}
	}
	words := map[model.Approval]string{model.ApprovalAuto: "by a check", model.ApprovalConditional: "asks if need be"}[n.Gate.Approval]
	if !n.Gate.Required {
		words = draw.Join(", ", words, "optional")
	}
	if n.Count.Open() > 0 && len(n.Children) == 0 {
		words = draw.Join(", ", words, doneOf(n.Count)+" files")
	}
	return []string{words}
}

// reasonsOf says why a node is still open: its blockers, or the nodes before it.
func reasonsOf(s *index.Site, n *model.Node) []string {
	word, ids := "needs ", n.BlockedBy
	if len(ids) == 0 {
		word = "after "
		for _, id := range n.DependsOn {
			if e, ok := s.Nodes[id]; !ok || !e.Node.Status.Closed() {
				ids = append(ids, id)
			}
		}
	}
	if len(ids) == 0 {
		return nil
	}
	short := path.Base(ids[0])
	if e, ok := s.Nodes[ids[0]]; ok && e.Node.Number != "" {
		short = e.Node.Number
	}
	word += draw.Foreign(short)
	if more := len(ids) - 1; more > 0 {
		word += " and " + strconv.Itoa(more) + " more"
	}
	return []string{word}
}

// doneOf says how much of something is done: "9 of 11".
func doneOf(c model.Count) string { return strconv.Itoa(c.Done) + " of " + strconv.Itoa(c.Total) }

func percentOf(percent int) string { return strconv.Itoa(percent) + "%" }
