package tui

// How the tree is drawn: one row, and the columns it is made of.

import (
	"path"
	"strings"
	"time"

	"gatehouse/model"
)

// columns are the widths of the columns right of the titles; 0 leaves one out.
type columns struct{ word, bar, percent, age int }

// columnsFor chooses what fits beside titles that can still be read.
func columnsFor(width int) columns {
	switch {
	case width < 50:
		return columns{word: 10, percent: 4}
	case width < 58:
		return columns{word: 12, percent: 4, age: 3}
	case width < 68:
		return columns{word: 12, bar: 5, percent: 4, age: 3}
	default:
		return columns{word: 14, bar: 10, percent: 4, age: 4}
	}
}

// width returns the columns taken altogether, with a blank before each and one behind the last.
func (c columns) width() int {
	w := 1
	for _, column := range [...]int{c.word, c.bar, c.percent, c.age} {
		if column > 0 {
			w += column + 1
		}
	}
	return w
}

// Render draws the visible rows, and above them the filter's bar where there is one. A still tree shows no selection.
func (t *tree) Render(l *look, width, height int, focused bool) []string {
	cols := columnsFor(width)
	lines := make([]string, 0, height)
	if t.barHeight() > 0 && height > 0 {
		bar, _ := t.bar(l, width)
		lines = append(lines, bar)
	}
	for i := t.top; i < len(t.rows) && len(lines) < height; i++ {
		line := l.ribbon(width)
		t.drawMargin(&line, i, focused)
		t.drawRow(&line, i, cols)
		lines = append(lines, line.line())
	}
	if len(t.rows) == 0 && t.filter.active() && len(lines) < height {
		line := l.ribbon(width)
		line.gap(1)
		line.add(l.theme.dim, "nothing in the build is like this; esc clears the filter")
		lines = append(lines, line.line())
	}
	return filled(lines, width, height)
}

// drawMargin draws the column before the rows: the selection, or that something changed. Only this column tells the
// selection, so that moving it costs two cells of output and not two rows.
func (t *tree) drawMargin(line *ribbon, i int, focused bool) {
	l := line.look
	changed, marked := t.marks[t.rows[i].place()]
	switch {
	case i == t.selected && !t.still:
		line.sign(l.theme.marker(focused), l.glyphs.marker)
	case changed:
		line.sign(l.theme.changed, l.glyphs.changed)
	case marked && !t.isOpen(t.rows[i]): // a folded row speaks for those below it
		line.sign(l.theme.dim, l.glyphs.changed)
	}
}

// filled adds blank lines up to a height.
func filled(lines []string, width, height int) []string {
	blank := strings.Repeat(" ", max(width, 0))
	for len(lines) < height {
		lines = append(lines, blank)
	}
	return lines
}

func (t *tree) drawRow(line *ribbon, i int, cols columns) {
	l, r := line.look, t.rows[i]
	below := len(r.children()) > 0
	if t.filter.active() { // only what it lets pass
		below = i+1 < len(t.rows) && t.rows[i+1].depth > r.depth
	}
	line.to(1 + 2*max(r.depth-1, 0))
	switch {
	case !below:
		line.gap(1)
	case t.isOpen(r):
		line.sign(l.theme.dim, l.glyphs.open)
	default:
		line.sign(l.theme.dim, l.glyphs.folded)
	}
	line.gap(1)
	edge := line.room - cols.width() // where the titles end
	if r.node == nil {
		drawSite(line, r.site, cols, edge, len(t.index.sites) > 1, t.remarks[r.place()])
	} else {
		drawNode(line, r.site, r.node, cols, edge, t.remarks[r.place()])
	}
}

// drawSite draws the row of a build. Among several each says in short where it stands.
func drawSite(line *ribbon, s *site, cols columns, edge int, several bool, remark string) {
	l, b := line.look, s.build
	if b == nil {
		line.add(l.theme.dim, s.name)
		line.gap(3)
		line.add(l.theme.dim, noBuild)
		return
	}
	line.sign(l.theme.status(b.Status), l.glyphs.of(b.Status))
	line.gap(1)
	line.addWithin(l.theme.strong, s.name, edge-line.width)
	if b.Freshness.Held > 0 {
		drawHeld(line, edge)
	}
	if room := edge - line.width - 2; several && b.Header != nil && room > 12 {
		line.gap(2)
		line.exactlyWithin(l.theme.dim, compactLine(b), room)
	}
	line.to(edge)
	if remark != "" {
		drawWord(line, l.theme.accent, remark, cols)
	} else {
		drawWord(line, l.theme.status(b.Status), b.Status.String(), cols)
	}
	if b.Progress.Known {
		drawBar(line, model.Count{Done: b.Progress.Percent, Total: 100}, cols)
	}
	drawAge(line, b.Freshness.Changed, cols)
}

// drawNode draws the row of a node. A remark is said instead of its status.
func drawNode(line *ribbon, s *site, n *model.Node, cols columns, edge int, remark string) {
	l := line.look
	glyph, says := l.glyphs.of(n.Status), word(n)
	st := l.theme.status(n.Status)
	wordStyle, title := st, style("")
	switch {
	case n.Archived:
		st, wordStyle, title = l.theme.dim, l.theme.dim, l.theme.dim
	case n.Status.Closed():
		wordStyle, title = l.theme.dim, l.theme.dim
	case mayWait(n):
		glyph, says = l.glyphs.mayWait, "will stop"
		st, wordStyle = l.theme.dim, l.theme.dim
	case n.Kind == model.KindSkill && n.Status == model.Unknown: // no file tells of skills one by one
		glyph, says, st = l.glyphs.dot, "", l.theme.dim
	case n.Kind == model.KindGroup:
		title = l.theme.dim
	case n.Kind == model.KindMilestone, n.Kind == model.KindGate && n.Status == model.Waiting:
		title = l.theme.strong
	}
	request := asksForChanges(n)
	if request {
		says = "changes asked"
		if cols.word < len(says) {
			says = "changes"
		}
	}
	if remark != "" {
		says, wordStyle = remark, l.theme.accent
	}
	line.sign(st, glyph)
	line.gap(1)
	if n.Number != "" {
		line.addWithin(title, n.Number, edge-line.width)
		line.gap(1)
	}
	line.addWithin(title, n.Title, edge-line.width)
	if room := edge - line.width - 3; request && room > 8 {
		line.gap(2)
		line.addWithin(l.theme.dim, n.Gate.Request.Text, room)
	}
	if n.Held {
		drawHeld(line, edge)
	}
	line.to(edge)
	drawWord(line, wordStyle, says, cols)
	switch {
	case n.Kind == model.KindGate && n.Gate != nil:
		drawApproval(line, n, cols)
	case n.Count.Total > 0:
		drawBar(line, n.Count, cols)
	case n.Kind == model.KindDeliverable && len(n.Artifacts) == 1 && n.Artifacts[0].Exists && cols.bar > 0:
		line.gap(1)
		line.add(l.theme.dim, bytesOf(n.Artifacts[0].Size))
	default:
		drawHint(line, s, n, cols)
	}
	drawAge(line, n.Updated, cols)
}

// drawHeld marks a row whose last good state is shown, over the end of its title when that leaves no room.
func drawHeld(line *ribbon, edge int) {
	l := line.look
	if edge-line.width >= 2 {
		line.gap(1)
		line.sign(l.theme.wait, l.glyphs.held)
		line.gap(1)
		line.addWithin(l.theme.wait, "last good state", edge-line.width)
	}
}

func drawWord(line *ribbon, st style, word string, cols columns) {
	line.gap(1)
	end := line.width + cols.word
	line.addWithin(st, word, cols.word)
	line.to(end)
}

// drawBar writes a bar and its percent. Colour is for what is under way: a full bar is as dim as an empty one.
func drawBar(line *ribbon, c model.Count, cols columns) {
	l, st := line.look, line.look.theme.run
	if c.Open() <= 0 {
		st = l.theme.dim
	}
	if cols.bar > 0 {
		line.gap(1)
		filled, rest := l.glyphs.bar(c.Done, c.Total, cols.bar)
		line.sign(st, filled)
		line.sign(l.theme.dim, rest)
	}
	line.gap(1)
	drawRight(line, l.theme.dim, itoa(c.Floor())+"%", cols.percent)
}

func drawHint(line *ribbon, s *site, n *model.Node, cols columns) {
	if cols.bar > 0 {
		room := cols.bar + 1 + cols.percent
		line.gap(1)
		line.exactlyWithin(line.look.theme.dim, reason(line.look, s, n, room), room)
	}
}

// asksForChanges reports whether somebody has asked for changes before the gate is decided.
func asksForChanges(n *model.Node) bool {
	return n.Gate != nil && n.Gate.Request != nil && !n.Status.Closed()
}

// drawApproval says who opens a gate, and whether the work stops there in any case, where other rows have their bar: in full
// where there is room, else in short, with a "?" where the gate is optional. Of its deliverables it says how many are there.
func drawApproval(line *ribbon, n *model.Node, cols columns) {
	g := n.Gate
	room := cols.percent + 1
	if cols.bar > 0 {
		room += cols.bar + 1
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
		if len(form) <= room {
			text = form
			break
		}
	}
	if there := text + " " + n.Count.String(); n.Count.Total > 0 && len(there) < room {
		text = there
	}
	if len(text) < room {
		line.gap(1)
		room--
	}
	line.addWithin(line.look.theme.dim, text, room)
}

func drawAge(line *ribbon, at time.Time, cols columns) {
	if cols.age > 0 && !at.IsZero() {
		line.to(line.room - cols.age - 1)
		drawRight(line, line.look.theme.dim, line.look.age(at), cols.age)
	}
}

// drawRight writes a short text so that it ends where its column does.
func drawRight(line *ribbon, st style, text string, column int) {
	line.gap(column - line.look.width(text))
	line.addWithin(st, text, column)
}

// word returns what a row says of its status: the protocol's own word where that says more than ours. It does not where
// it is one of ours; and no file has a word for blocked or for how a milestone stands, both are read off the tree.
func word(n *model.Node) string {
	_, ours := model.ParseStatus(strings.ToLower(n.Raw))
	if n.Raw == "" || ours || n.Status == model.Blocked || n.Kind == model.KindMilestone && !n.Status.Closed() {
		return n.Status.String()
	}
	return n.Raw
}

// reason says in a few signs why an open node is where it is: what keeps it, or its wave and what it comes after; of these
// as much as has room.
func reason(l *look, s *site, n *model.Node, room int) string {
	if n.Status.Closed() {
		return ""
	}
	if len(n.BlockedBy) > 0 {
		return "by " + short(s, n.BlockedBy)
	}
	wave, after := "", ""
	if n.Wave > 0 {
		wave = "wave " + itoa(n.Wave)
	}
	var open []string
	for _, id := range n.DependsOn {
		if e, ok := s.nodes[id]; !ok || !e.node.Status.Closed() {
			open = append(open, id)
		}
	}
	if len(open) > 0 {
		after = l.glyphs.after + " " + short(s, open)
	}
	if wave == "" {
		return after
	}
	all := strings.TrimSuffix(wave+" "+after, " ")
	if _, w := l.measureExactly(all); w <= room || after == "" {
		return all
	}
	return after
}

// short names the first of some nodes by its number, as foreign text, and counts the others.
func short(s *site, ids []string) string {
	name := path.Base(ids[0])
	if e, ok := s.nodes[ids[0]]; ok && e.node.Number != "" {
		name = e.node.Number
	}
	name = foreign(name)
	if len(ids) > 1 {
		name += " +" + itoa(len(ids)-1)
	}
	return name
}
