package pane

// How the tree is drawn: one row, and the columns it is made of.

import (
	"path"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/charmbracelet/x/ansi"

	"gatehouse/model"
	"gatehouse/model/line"
	"gatehouse/tui/document"
	"gatehouse/tui/draw"
	"gatehouse/tui/index"
)

// renderRows draws the visible rows, and above them the filter's bar where there is one. A still tree shows no selection.
func (t *Tree) renderRows(l *draw.Look, width, height int, focused bool) []string {
	cols := columnsFor(width, t.Shows)
	lines := make([]string, 0, height)
	if t.barHeight() > 0 && height > 0 {
		bar, _ := t.bar(l, width)
		lines = append(lines, bar)
	}
	for i := t.top; i < len(t.rows) && len(lines) < height; i++ {
		line := l.Ribbon(width)
		t.drawMargin(&line, i, focused)
		t.drawRow(&line, i, cols)
		drawn := line.Line()
		if t.rows[i].Hit && i != t.selected {
			drawn = highlighted(l, drawn, found(drawn, &t.filter, width-cols.width()), -1)
		}
		lines = append(lines, drawn)
	}
	if len(t.rows) == 0 && t.filter.Active() && len(lines) < height {
		line := l.Ribbon(width)
		line.Gap(1)
		line.Add(l.Theme.Dim, "nothing in the build is like this; esc clears the filter")
		lines = append(lines, line.Line())
	}
	return draw.Filled(lines, width, height)
}

// found returns where the words of a filter stand in a line that was drawn, up to a column.
func found(drawn string, f *index.Filter, columns int) (hits []document.Hit) {
	bare := ansi.Truncate(ansi.Strip(drawn), columns, "")
	for _, w := range f.Words() {
		if from, to, ok := index.Match(bare, w, f.Loose); ok && to > from {
			hits = append(hits, document.Hit{From: from, To: to})
		}
	}
	slices.SortFunc(hits, func(a, b document.Hit) int { return a.From - b.From })
	return slices.CompactFunc(hits, func(a, b document.Hit) bool { return b.From < a.To }) // none within another
}

// drawMargin draws the column before the rows: the selection, or that something changed.
func (t *Tree) drawMargin(line *draw.Ribbon, i int, focused bool) {
	l := line.Look
	changed, marked := t.marks[t.rows[i].Place()]
	switch {
	case t.rows[i].Group != "":
	case i == t.selected && !t.Still:
		line.Select(focused)
	case changed:
		line.Sign(l.Theme.Changed, l.Glyphs.Changed)
	case marked && !t.isOpen(t.rows[i]): // a folded row speaks for those below it
		line.Sign(l.Theme.Dim, l.Glyphs.Changed)
	}
}

func (t *Tree) drawRow(line *draw.Ribbon, i int, cols columns) {
	l, r := line.Look, t.rows[i]
	if r.Group != "" {
		line.To(1)
		line.Add(l.Theme.Dim+l.Theme.Strong, r.Group)
		return
	}
	below := len(r.Children()) > 0
	if t.filter.Active() { // only what it lets pass
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
	edge := line.Room - cols.width() // where the titles end
	if r.Node == nil {
		drawSite(line, r.Site, cols, edge, len(t.index.Sites) > 1, t.remarks[r.Place()])
	} else {
		drawNode(line, r.Site, r.Node, cols, edge, t.remarks[r.Place()])
	}
}

// drawSite draws the row of a build. Among several each says in short where it stands.
func drawSite(line *draw.Ribbon, s *index.Site, cols columns, edge int, several bool, remark string) {
	l, b := line.Look, s.Build
	if b == nil {
		line.Add(l.Theme.Dim, s.Name)
		line.Gap(3)
		line.Add(l.Theme.Dim, noBuild)
		return
	}
	st, glyph := l.StatusOfBuild(b)
	line.Sign(st, glyph)
	line.Gap(1)
	line.AddWithin(l.Theme.Strong, s.Name, edge-line.Width)
	if b.Freshness.Held > 0 {
		drawHeld(line, edge)
	}
	switch room := edge - line.Width - 2; {
	case several && b.Header != nil && room > 12:
		line.Gap(2)
		line.ExactlyWithin(l.Theme.Dim, compactLine(b), room)
	case !several && b.Progress.Known:
		if of := b.Progress.Counted().String() + " " + b.Progress.Of(); len(of) <= room {
			line.Gap(2)
			line.Add(l.Theme.Dim, of)
		}
	}
	line.To(edge)
	if remark != "" {
		drawWord(line, l.Theme.Accent, remark, cols)
	} else {
		drawWord(line, st, b.Word(), cols)
	}
	if b.Progress.Known {
		drawBar(line, model.Count{Done: b.Progress.Percent, Total: 100}, b.Progress.Percent, cols)
	}
	drawAge(line, l.AgeOf(b.Since, b.SinceFile, b.StaleSince), b.Freshness.Changed, cols)
}

// drawNode draws the row of a node. A remark is said instead of its status.
func drawNode(line *draw.Ribbon, s *index.Site, n *model.Node, cols columns, edge int, remark string) {
	l := line.Look
	says := draw.Word(n)
	st, glyph := l.StatusOf(n)
	wordStyle, title := st, draw.Style("")
	switch {
	case n.Archived, n.Past:
		st, wordStyle, title = l.Theme.Dim, l.Theme.Dim, l.Theme.Dim
	case n.Status.Closed():
		wordStyle, title = l.Theme.Dim, l.Theme.Dim
	case index.MayWait(n):
		glyph, says = l.Glyphs.MayWait, "will stop"
		st, wordStyle = l.Theme.Dim, l.Theme.Dim
	case n.Kind == model.KindSkill && n.Status == model.Unknown: // no file tells of skills one by one
		glyph, says, st = l.Glyphs.Dot, "", l.Theme.Dim
	case n.Kind == model.KindGroup:
		title = l.Theme.Dim
	case n.Kind == model.KindMilestone, n.Kind == model.KindGate && n.Status == model.Waiting:
		title = l.Theme.Strong
	}
	request := asksForChanges(n)
	if request {
		says = "changes asked"
		if cols.word < len(says) {
			says = "changes"
		}
	}
	if n.Gate != nil && n.Gate.Overwritten != nil {
		says, wordStyle = "overwritten", l.Theme.Block
	}
	if remark != "" {
		says, wordStyle = remark, l.Theme.Accent
	}
	line.Sign(st, glyph)
	line.Gap(1)
	if n.Number != "" {
		line.AddWithin(title, n.Number, edge-line.Width)
		line.Gap(1)
	}
	line.AddWithin(title, n.Title, edge-line.Width)
	if room := edge - line.Width - 3; request && room > 8 {
		line.Gap(2)
		line.AddWithin(l.Theme.Dim, n.Gate.Request.Text, room)
	}
	if n.Held {
		drawHeld(line, edge)
	}
	titled := line.Width
	if next, _, _ := strings.Cut(n.Why, ":"); n.Answered && remark == "" && titled < line.Room-cols.age-3-l.Width(next) {
		// What is next takes the place of the bar, which is full, and of what the title leaves.
		line.To(min(edge+1, line.Room-cols.age-2-l.Width(next)))
		line.Add(wordStyle, next)
		drawAge(line, l.AgeOf(n.Since, n.SinceFile, n.StaleSince), n.Updated, cols)
		return
	}
	if room := edge - line.Width - 3; cols.bar == 0 && n.Gate == nil && shareOf(n).Total == 0 && room >= leastHint {
		line.Gap(2)
		line.ExactlyWithin(l.Theme.Dim, reason(l, s, n, room), room)
	}
	line.To(edge)
	drawWord(line, wordStyle, says, cols)
	switch {
	case n.Kind == model.KindGate && n.Gate != nil && (n.Attempt < 2 || n.Status.Closed() || cols.bar == 0):
		drawApproval(line, n, cols)
	case shareOf(n).Total > 0:
		drawBar(line, shareOf(n), s.Build.Progress.Share(shareOf(n)), cols)
	case n.Kind == model.KindDeliverable && len(n.Artifacts) == 1 && n.Artifacts[0].Exists && cols.bar > 0:
		line.Gap(1)
		line.Add(l.Theme.Dim, draw.BytesOf(n.Artifacts[0].Size))
	default:
		drawHint(line, s, n, cols)
	}
	drawAge(line, l.AgeOf(n.Since, n.SinceFile, n.StaleSince), n.Updated, cols)
}

// drawHeld marks a row whose last good state is shown, over the end of its title when that leaves no room.
func drawHeld(line *draw.Ribbon, edge int) {
	l := line.Look
	if edge-line.Width >= 2 {
		line.Gap(1)
		line.Sign(l.Theme.Wait, l.Glyphs.Held)
		line.Gap(1)
		line.AddWithin(l.Theme.Wait, "last good state", edge-line.Width)
	}
}

func drawWord(line *draw.Ribbon, st draw.Style, word string, cols columns) {
	if cols.word == 0 {
		return
	}
	line.Gap(1)
	end := line.Width + cols.word
	line.AddWithin(st, word, cols.word)
	line.To(end)
}

// drawBar writes a bar and its percent. What is done has none: a wall of full bars would be the heaviest thing on the screen.
func drawBar(line *draw.Ribbon, c model.Count, percent int, cols columns) {
	if c.Open() <= 0 {
		return // its word says it
	}
	l, st := line.Look, line.Look.Theme.Run
	if cols.bar > 0 {
		line.Gap(1)
		filled, rest := l.Glyphs.Bar(c.Done, c.Total, cols.bar)
		line.Sign(st, filled)
		line.Sign(l.Theme.Dim, rest)
	}
	if cols.percent > 0 {
		line.Gap(1)
		draw.DrawRight(line, l.Theme.Dim, strconv.Itoa(percent)+"%", cols.percent)
	}
}

// shareOf returns what the percentage of a node is of: of a milestone its plans, where there are any.
func shareOf(n *model.Node) model.Count {
	if n.Plans.Total > 0 {
		return n.Plans
	}
	return n.Count
}

// leastHint is the room from which on a title shares its place with why its row is where it is.
const leastHint = 8

func drawHint(line *draw.Ribbon, s *index.Site, n *model.Node, cols columns) {
	if cols.bar > 0 {
		room := cols.bar + 1 + cols.percent
		line.Gap(1)
		line.ExactlyWithin(line.Look.Theme.Dim, reason(line.Look, s, n, room), room)
	}
}

// asksForChanges reports whether somebody has asked for changes before the gate is decided.
func asksForChanges(n *model.Node) bool {
	return n.Gate != nil && n.Gate.Request != nil && !n.Status.Closed()
}

// drawApproval says who opens a gate, and whether the work stops there in any case, where other rows have their bar: in full
// where there is room, else in short, with a "?" where the gate is optional. Of its deliverables it says how many are there.
func drawApproval(line *draw.Ribbon, n *model.Node, cols columns) {
	g := n.Gate
	room := cols.percent + 1
	if cols.bar > 0 {
		room += cols.bar + 1
	}
	if room < len("cond") {
		return
	}
	kind, short := string(g.Approval), string(g.Approval)
	switch g.Approval {
	case model.ApprovalHuman:
		short = "hum"
	case model.ApprovalConditional:
		short = "cond"
	}
	forms := []string{kind, short}
	if !g.Required {
		forms = []string{kind + ", optional", short + ", optional", kind + "?", short + "?"}
	}
	text := forms[len(forms)-1]
	for _, form := range forms {
		if len(form) < room { // with a blank before it
			text = form
			break
		}
	}
	if there := text + " " + n.Count.String(); n.Count.Total > 0 && len(there) < room {
		text = there
	}
	if len(text) < room {
		line.Gap(1)
		room--
	}
	line.AddWithin(line.Look.Theme.Dim, text, room)
}

// drawAge writes since when a row stands as it does; where nobody says, when something of it changed last.
func drawAge(line *draw.Ribbon, since string, changed time.Time, cols columns) {
	if since == "" {
		since = line.Look.AgeSince(changed, false)
	}
	if cols.age > 0 && since != "" {
		line.To(line.Room - cols.age - 1)
		draw.DrawRight(line, line.Look.Theme.Dim, since, cols.age)
	}
}

// reason says in a few signs why an open node is where it is: what keeps it, or its wave and what it comes after; of these
// as much as has room.
func reason(l *draw.Look, s *index.Site, n *model.Node, room int) string {
	if n.Status.Closed() {
		return ""
	}
	if n.Attempt > 1 {
		text := "attempt " + strconv.Itoa(n.Attempt)
		if full := text + " of " + strconv.Itoa(n.Attempts); n.Attempts > 0 && len(full) <= room {
			return full
		}
		return text
	}
	if len(n.BlockedBy) > 0 {
		return "by " + short(s, n.BlockedBy)
	}
	wave, after := "", ""
	if n.Wave > 0 {
		wave = "wave " + strconv.Itoa(n.Wave)
	}
	var open []string
	for _, id := range n.DependsOn {
		if e, ok := s.Nodes[id]; !ok || !e.Node.Status.Closed() {
			open = append(open, id)
		}
	}
	if len(open) > 0 {
		after = l.Glyphs.After + " " + short(s, open)
	}
	if wave == "" {
		return after
	}
	all := strings.TrimSuffix(wave+" "+after, " ")
	if _, w := l.MeasureExactly(all); w <= room || after == "" {
		return all
	}
	return after
}

// short names the first of some nodes by its number, as foreign text, and counts the others.
func short(s *index.Site, ids []string) string {
	name := path.Base(ids[0])
	if e, ok := s.Nodes[ids[0]]; ok && e.Node.Number != "" {
		name = e.Node.Number
	}
	name = draw.Foreign(name)
	if len(ids) > 1 {
		name += " +" + strconv.Itoa(len(ids)-1)
	}
	return name
}

// compactLine returns the compact line of a build, with no sign of ours in what its files say.
func compactLine(b *model.Build) string { return line.Shown(b.Header, true) }
