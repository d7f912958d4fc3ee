package tui

// The rows above the panes: which build this is and how it stands, the counts, and what waits for the user.

import (
	"path"

	"gatehouse/model"
	"gatehouse/model/line"
)

// header draws the rows on top; how many there are depends on the width only.
type header struct {
	index     *index
	site      *site  // whose line is shown; nil while there is none
	titlePath string // stands for the project's name while there is no project
	ended     error  // why nothing new will come any more
	readOnly  bool
	changed   int    // rows the user has not seen as they are
	offer     []hint // how the first thing that waits is answered
	sync      string // the key that brings the state file in line with the tree; "" where that is not offered
}

// headerHeight returns how many rows the header takes.
func headerHeight(k kind) int {
	if k == single {
		return 3
	}
	return 2
}

// Render draws the rows.
func (h *header) Render(l *look, k kind, width int) []string {
	switch k {
	case sidebar:
		return []string{h.compact(l, width), h.waits(l, width, true, false)}
	case double:
		return []string{h.line(l, width, false), h.waits(l, width, false, true)}
	case triple:
		return []string{h.line(l, width, true), h.waits(l, width, false, false)}
	}
	return []string{h.line(l, width, false), h.waits(l, width, false, false), h.marksRow(l, width)}
}

// line is the build's one-liner, and at the right how live it is; with room also the marks.
func (h *header) line(l *look, width int, withMarks bool) string {
	end := l.ribbon(width)
	if withMarks {
		h.drawMarks(&end, width/2)
		end.gap(3)
	}
	h.drawLive(&end, width/3)
	end.gap(1)

	edge := width - end.width
	r := l.ribbon(edge)
	r.gap(1)
	r.addWithin(l.theme.accent+l.theme.strong, h.name(), width/3)
	if facts := h.facts(); facts != nil {
		r.gap(2)
		text, room := line.Shown(facts, false), edge-r.width-2
		if _, w := l.measureExactly(text); w > room {
			text = shorter(l, w, text, line.Shown(facts, true), room)
		}
		r.exactlyWithin("", text, room)
	}
	return r.line() + end.cut()
}

// shorter returns the compact form where the full one, which is w columns wide, would lose too much, and it fits.
func shorter(l *look, w int, full, compact string, room int) string {
	if _, short := l.measureExactly(compact); short <= room && w > room+room/4 {
		return compact
	}
	return full
}

// compactLine returns the compact line of a build, with no sign of ours in what its files say.
func compactLine(b *model.Build) string { return line.Shown(b.Header, true) }

// compact is the sidebar's first row.
func (h *header) compact(l *look, width int) string {
	end := l.ribbon(width)
	h.drawLive(&end, 6)
	edge := width - end.width - 1
	r := l.ribbon(edge + 1)
	r.gap(1)
	text := ""
	if facts := h.facts(); facts != nil {
		text = line.Shown(facts, true)
	}
	_, w := l.measureExactly(text)
	r.addWithin(l.theme.accent+l.theme.strong, h.name(), max(edge-r.width-w-2, 8))
	r.gap(1)
	r.exactlyWithin("", text, edge-r.width)
	return r.line() + end.cut()
}

func (h *header) name() string {
	if h.site == nil {
		return h.titlePath
	}
	return h.site.project.Name
}

func (h *header) facts() line.Facts {
	if h.site == nil || h.site.build == nil || h.site.build.Header == nil {
		return nil
	}
	return h.site.build.Header
}

// drawLive says whether changes are noticed, and how long ago the last one was, in the more words the more room there is.
func (h *header) drawLive(r *ribbon, room int) {
	l, snap, age, live := r.look, h.index.snap, "", "live"
	if h.site != nil && h.site.build != nil && !h.site.build.Freshness.Changed.IsZero() {
		changed := h.site.build.Freshness.Changed
		switch {
		case room < 12: // a sidebar
			age, live = l.age(changed), ""
		case room < 33: // less than 100 columns
			age = l.age(changed)
		default:
			age = l.ago(changed)
		}
	}
	switch {
	case h.ended != nil:
		r.addWithin(l.theme.block, "not live: "+h.ended.Error(), room)
	case snap.Version == 0:
		r.addWithin(l.theme.dim, "reading", room)
	case snap.Watch != "":
		r.addWithin(l.theme.wait, join(" · ", age, snap.Watch), room)
	default:
		r.addWithin(l.theme.dim, join(" · ", age, live), room)
	}
}

// marksRow is the row of counts, ruled off from what is below it.
func (h *header) marksRow(l *look, width int) string {
	r := l.ribbon(width)
	r.gap(1)
	h.drawMarks(&r, width-2)
	r.gap(min(r.width-1, 1)) // none before a rule that stands alone
	r.fill(l.glyphs.horizontal, l.theme.border, width-1)
	return r.line()
}

// mark is one count: a glyph, how many, and the words for it.
type mark struct {
	style style
	glyph string
	n     int
	words string
	badge bool // also shown where there is no room for words
}

// marks returns what there is to count.
func (h *header) marks(l *look) []mark {
	s, waits := h.index.sums, " wait"
	if s.waits == 1 {
		waits = " waits"
	}
	projects, readOnly := len(h.index.snap.Projects), 0
	if projects == 1 {
		projects = 0
	}
	if h.readOnly {
		readOnly = 1
	}
	all := [...]mark{
		{l.theme.wait, l.glyphs.of(model.Waiting), s.waits, itoa(s.waits) + waits, true},
		{l.theme.dim, l.glyphs.mayWait, s.mayWait, itoa(s.mayWait) + " ahead", false},
		{l.theme.block, l.glyphs.of(model.Blocked), s.blocked, itoa(s.blocked) + " blocked", true},
		{l.theme.wait, l.glyphs.differs, s.divergences, join(", ", h.denied(), h.syncs()), true},
		{l.theme.wait, l.glyphs.held, s.held, "last good state", false},
		{l.theme.dim, l.glyphs.problem, s.problems, counted(s.problems, "problem"), true},
		{l.theme.changed, l.glyphs.changed, h.changed, itoa(h.changed) + " changed", true},
		{l.theme.dim, "", projects, counted(projects, "project"), false},
		{l.theme.dim, "", readOnly, "read only", false},
	}
	some := make([]mark, 0, len(all))
	for _, m := range all {
		if m.n > 0 {
			some = append(some, m)
		}
	}
	return some
}

// drawMarks writes the marks with their words. Where those have no room, the last ones are glyph and number.
func (h *header) drawMarks(r *ribbon, room int) {
	marks := h.marks(r.look)
	width := 0
	for _, m := range marks {
		width += len(m.words) + 4
	}
	for i := len(marks) - 1; i >= 0 && width > room; i-- {
		if marks[i].glyph != "" {
			width -= len(marks[i].words)
			marks[i].words = itoa(marks[i].n)
			width += len(marks[i].words)
		}
	}
	for i, m := range marks {
		if i > 0 {
			r.gap(2)
		}
		r.sign(m.style, m.glyph)
		if m.glyph != "" {
			r.gap(1)
		}
		r.add(m.style, m.words)
	}
}

// drawBadges writes the most important marks as glyph and number.
func (h *header) drawBadges(r *ribbon) {
	for _, m := range h.marks(r.look) {
		if m.badge {
			r.gap(1)
			r.sign(m.style, m.glyph)
			r.add(m.style, itoa(m.n))
		}
	}
	r.gap(1)
}

// syncs says which key brings the state file in line with the tree.
func (h *header) syncs() string {
	if h.sync == "" {
		return ""
	}
	return h.sync + " syncs"
}

// denied names the state file that claims what its tree denies.
func (h *header) denied() string {
	if h.site != nil && h.site.build != nil && len(h.site.build.Divergences) > 0 {
		return path.Base(h.site.build.File)
	}
	for _, s := range h.index.sites {
		if s.build != nil && len(s.build.Divergences) > 0 {
			return path.Base(s.build.File)
		}
	}
	return ""
}

// offerRoom is what a row of what waits takes besides what is asked, with an offer: the label, blanks, two keys with words.
const offerRoom = 40

// drawOffer writes the keys that answer what waits, where that cuts nothing off what is asked.
func (h *header) drawOffer(r *ribbon) {
	if len(h.index.waits) == 0 || r.room-r.width-r.look.width(h.index.waits[0].Text) < offerRoom {
		return
	}
	if len(h.offer) > 0 {
		r.gap(1)
	}
	for _, o := range h.offer {
		r.exactly(r.look.theme.strong, o.key)
		r.gap(1)
		r.add(r.look.theme.dim, o.words)
		r.gap(1)
	}
}

// waits is the row that is always in view: the first thing that waits, and how many others do.
func (h *header) waits(l *look, width int, short, withMarks bool) string {
	end := l.ribbon(width)
	switch others := len(h.index.waits) - 1; {
	case short:
		h.drawBadges(&end)
	case withMarks:
		h.drawMarks(&end, width/2)
		end.gap(1)
		h.drawOffer(&end)
	case others > 0:
		end.add(l.theme.dim, "+"+itoa(others)+" more")
		end.gap(1)
		h.drawOffer(&end)
	default:
		h.drawOffer(&end)
	}
	r := l.ribbon(width - end.width)
	if len(h.index.waits) == 0 {
		if !h.index.empty() {
			r.gap(1)
			r.sign(l.theme.ok, l.glyphs.of(model.Done))
			r.add(l.theme.dim, " nothing waits for you")
		}
		return r.line() + end.cut()
	}
	w := h.index.waits[0]
	where := w.Place
	if len(h.index.snap.Projects) > 1 {
		where = join(" · ", w.site.name, where)
	}
	text, after := style(""), ""
	switch {
	case w.Potential:
		text = l.theme.dim
		r.gap(1)
		r.sign(l.theme.dim, l.glyphs.mayWait)
		r.add(l.theme.dim, " will stop at ")
	case short:
		r.exactly(l.theme.chip, " "+l.glyphs.of(model.Waiting)+" YOU ")
		r.gap(1)
	default:
		r.exactly(l.theme.chip, " "+l.glyphs.of(model.Waiting)+" WAITS FOR YOU ")
		r.gap(2)
		text = l.theme.strong
	}
	// What is asked is not cut for the sake of where and since when; a text that must be cut anyway leaves them room.
	room := r.room - r.width - 2
	full := join(" · ", where, l.ago(w.Since))
	switch wanted := l.width(w.Text) + 2; {
	case short:
	case wanted+l.width(full) <= room, wanted > room && l.width(full) < room/2:
		after = full
	case wanted+l.width(where) <= room:
		after = where
	}
	if after != "" {
		room -= l.width(after) + 2
	}
	r.addWithin(text, w.Text, room)
	if after != "" {
		r.gap(2)
		r.add(l.theme.dim, after)
	}
	return r.line() + end.cut()
}
