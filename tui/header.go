package tui

// The rows above the panes: which build this is and how it stands, the counts, and what waits for the user.

import (
	"strconv"
	"strings"

	"gatehouse/model"
	"gatehouse/model/line"
	"gatehouse/tui/draw"
	"gatehouse/tui/index"
)

// header draws the rows on top; how many there are depends on the width only.
type header struct {
	index     *index.Index
	site      *index.Site // whose line is shown; nil while there is none
	titlePath string      // stands for the project's name while there is no project
	ended     error       // why nothing new will come any more
	readOnly  bool
	changed   int         // rows the user has not seen as they are
	offer     []draw.Hint // how the first thing that waits is answered
	listed    bool        // a list of all that waits is in view, and says what is asked
	spots     []markSpot  // where the marks stand that were drawn
	left      []mark      // those that had no room when marks were drawn last
	sync      string      // the key that brings the state file in line with the tree; "" where that is not offered
}

// headerHeight returns how many rows the header takes.
func headerHeight(k kind) int {
	if k == single {
		return 3
	}
	return 2
}

// Render draws the rows.
func (h *header) Render(l *draw.Look, k kind, width int) []string {
	switch k {
	case sidebar:
		return []string{h.compact(l, width), h.waits(l, width, true, false)}
	case double: // the marks that have no room in the second row stand in the first
		second := h.waits(l, width, false, true)
		return []string{h.line(l, width, h.left, width-h.lineWidth(l, width)), second}
	case triple:
		return []string{h.line(l, width, h.marks(l), width/2), h.waits(l, width, false, false)}
	}
	return []string{h.line(l, width, nil, 0), h.waits(l, width, false, false), h.marksRow(l, width)}
}

// lineWidth returns how much of its row the build's one-liner takes, with how live it is.
func (h *header) lineWidth(l *draw.Look, width int) int {
	live := l.Ribbon(width)
	h.drawLive(&live, width/3)
	text := 0
	if facts := h.facts(); facts != nil {
		_, text = l.MeasureExactly(line.Shown(facts, false))
	}
	return live.Width + min(l.Width(h.name()), width/3) + text + 8 // and blanks
}

// line is the build's one-liner, and at the right how live it is; before that such marks as have room.
func (h *header) line(l *draw.Look, width int, marks []mark, room int) string {
	end := l.Ribbon(width)
	from := len(h.spots)
	if len(marks) > 0 {
		h.drawMarks(&end, marks, room, width)
		end.Gap(min(end.Width, 3))
	}
	h.drawLive(&end, width/3)
	end.Gap(1)

	edge := width - end.Width
	h.placeSpots(from, 0, edge)
	r := l.Ribbon(edge)
	r.Gap(1)
	r.AddWithin(l.Theme.Accent+l.Theme.Strong, h.name(), width/3)
	if facts := h.facts(); facts != nil {
		r.Gap(2)
		room := edge - r.Width - 2
		drawFacts(&r, fitting(l, facts, room), room)
	}
	return r.Line() + end.Cut()
}

// drawFacts writes the line of a build, with its bar as all other bars are.
func drawFacts(r *draw.Ribbon, text string, room int) {
	const full, none = "█", "░"
	from, to := strings.IndexByte(text, '['), strings.IndexByte(text, ']')
	if from >= 0 && to > from {
		cells := text[from+1 : to]
		done := strings.Count(cells, full)
		if n := done + strings.Count(cells, none); n > 0 && n*len(full) == len(cells) && from+n <= room {
			before := text[:from]
			r.Exactly("", before)
			r.Bar(done, n, n)
			room -= r.Look.Width(before) + n
			text = text[to+1:]
		}
	}
	r.ExactlyWithin("", text, room)
}

// fitting returns the fullest form of facts that fits: without what its numbers are of, and without the bar, which says what its number
// does. Where none does, the first of these is to be cut, or the compact one, where that would lose too much.
func fitting(l *draw.Look, facts line.Facts, room int) string {
	for _, without := range [...][]line.Rank{nil, {line.RankLabel}, {line.RankLabel, line.RankBar}} {
		text := line.Shown(facts, false, without...)
		if _, w := l.MeasureExactly(text); w <= room {
			return text
		}
	}
	full, compact := line.Shown(facts, false, line.RankLabel), line.Shown(facts, true)
	_, w := l.MeasureExactly(full)
	if _, short := l.MeasureExactly(compact); short <= room && w > room+room/4 {
		return compact
	}
	return full
}

// compact is the sidebar's first row.
func (h *header) compact(l *draw.Look, width int) string {
	end := l.Ribbon(width)
	h.drawLive(&end, 6)
	edge := width - end.Width - 1
	r := l.Ribbon(edge + 1)
	r.Gap(1)
	text := ""
	if facts := h.facts(); facts != nil {
		text = line.Shown(facts, true)
	}
	_, w := l.MeasureExactly(text)
	r.AddWithin(l.Theme.Accent+l.Theme.Strong, h.name(), max(edge-r.Width-w-2, 8))
	r.Gap(1)
	r.ExactlyWithin("", text, edge-r.Width)
	return r.Line() + end.Cut()
}

func (h *header) name() string {
	if h.site == nil {
		return h.titlePath
	}
	return h.site.Project.Called()
}

func (h *header) facts() line.Facts {
	if h.site == nil || h.site.Build == nil || h.site.Build.Header == nil {
		return nil
	}
	return h.site.Build.Header
}

// drawLive says whether changes are noticed, and how long ago the last one was, in the more words the more room there is.
func (h *header) drawLive(r *draw.Ribbon, room int) {
	l, snap, age, live := r.Look, h.index.Snap, "", "live"
	if h.site != nil && h.site.Build != nil && !h.site.Build.Freshness.Changed.IsZero() {
		changed := h.site.Build.Freshness.Changed
		switch {
		case room < 12: // a sidebar
			age, live = l.Age(changed), ""
		case room < 33: // less than 100 columns
			age = l.Age(changed)
		default:
			age = l.Ago(changed)
		}
	}
	switch {
	case h.ended != nil:
		r.AddWithin(l.Theme.Block, "not live: "+h.ended.Error(), room)
	case snap.Version == 0:
		r.AddWithin(l.Theme.Dim, "reading", room)
	case h.site != nil && h.site.Project.OutOfReach():
		r.AddWithin(l.Theme.Wait, draw.Join(draw.PartJoint, age, h.site.Project.Host.Stands(l.Now)), room)
	case snap.Watch != "":
		r.AddWithin(l.Theme.Wait, draw.Join(draw.PartJoint, age, watchShort(snap.Watch)), room)
	default:
		r.AddWithin(l.Theme.Dim, draw.Join(draw.PartJoint, age, live), room)
	}
}

// watchShort is what the header says of how changes are noticed: that it is by polling. Why stands in the overview, and would take
// the room of how far the build is.
func watchShort(watch string) string {
	if how, _, _ := strings.Cut(watch, " "); strings.TrimSuffix(how, ":") == "polling" {
		return "polling"
	}
	return watch
}

// offerRoom is what a row of what waits takes besides what is asked, with an offer: the label, blanks, two keys with words.
const offerRoom = 40

// drawOffer writes the keys that answer what waits, where that cuts nothing off what is asked.
func (h *header) drawOffer(r *draw.Ribbon) {
	if len(h.index.Waits) == 0 || r.Room-r.Width-r.Look.Width(h.index.Waits[0].Text) < offerRoom {
		return
	}
	if len(h.offer) > 0 {
		r.Gap(1)
	}
	h.drawKeys(r)
}

// drawKeys writes the keys that answer the first thing that waits.
func (h *header) drawKeys(r *draw.Ribbon) {
	for _, o := range h.offer {
		r.Exactly(r.Look.Theme.Strong, o.Key)
		r.Gap(1)
		r.Add(r.Look.Theme.Dim, o.Words)
		r.Gap(1)
	}
}

// listedRoom is what the row of what waits takes where a list says what that is: the label, and two keys with words.
const listedRoom = 46

// drawListed says that something waits, and which keys answer it; what is asked stands in the list.
func (h *header) drawListed(r *draw.Ribbon) {
	l := r.Look
	if h.index.Sums.Waits == 0 {
		st, sign, text := l.Theme.OK, l.Glyphs.Of(model.Done), "nothing waits for you now"
		if turns := h.index.Sums.Turns; turns > 0 {
			st, sign, text = l.Theme.Wait, l.Glyphs.Turn, turnCount(turns)
		}
		r.Gap(1)
		r.Sign(st, sign)
		r.Add(l.Theme.Dim, " "+text)
		return
	}
	r.Exactly(l.Theme.Chip, " "+l.Glyphs.Of(model.Waiting)+" WAITS FOR YOU ")
	r.Gap(2)
	h.drawKeys(r)
}

// spare returns how much of the row of what waits is left by the first that does, with where and since when.
func (h *header) spare(l *draw.Look, width int) int {
	if len(h.index.Waits) == 0 {
		return width
	}
	w := h.index.Waits[0]
	return width - offerRoom - l.Width(w.Text) - l.Width(w.Place)
}

// waits is the row that is always in view: the first thing that waits, and how many others do.
func (h *header) waits(l *draw.Look, width int, short, withMarks bool) string {
	end := l.Ribbon(width)
	switch others := len(h.index.Waits) - 1; {
	case short:
		h.drawBadges(&end)
	case withMarks && h.listed:
		h.drawMarks(&end, h.marks(l), width-listedRoom, width-listedRoom)
	case withMarks:
		h.drawMarks(&end, h.marks(l), width/2, h.spare(l, width))
		end.Gap(1)
		h.drawOffer(&end)
	case h.listed:
	case others > 0:
		end.Add(l.Theme.Dim, "+"+strconv.Itoa(others)+" more")
		end.Gap(1)
		h.drawOffer(&end)
	default:
		h.drawOffer(&end)
	}
	if short || withMarks {
		h.placeSpots(0, waitsRow, width-end.Width)
	}
	r := l.Ribbon(width - end.Width)
	if len(h.index.Waits) == 0 {
		if !h.index.Empty() {
			r.Gap(1)
			r.Sign(l.Theme.OK, l.Glyphs.Of(model.Done))
			r.Add(l.Theme.Dim, " nothing waits for you")
		}
		return r.Line() + end.Cut()
	}
	if h.listed && !short {
		h.drawListed(&r)
		return r.Line() + end.Cut()
	}
	w := h.index.Waits[0]
	where, project := w.Place, h.index.ProjectName(w.Site)
	if x := w.Site.SessionOf(w.Node); x != nil {
		where = draw.Join(draw.PartJoint, x.Agent, x.Title)
	}
	where = draw.Join(draw.PartJoint, project, where)
	text, after := draw.Style(""), ""
	switch {
	case w.IsWithAgent():
		text = l.Theme.Dim
		r.Gap(1)
		r.Sign(l.Theme.Dim, l.Glyphs.Of(model.Active))
		r.Add(l.Theme.Dim, " with the agent: ")
	case w.OutOfReach(): // and so are all others, or they are old
		text = l.Theme.Dim
		r.Gap(1)
		r.Sign(l.Theme.Dim, l.Glyphs.Of(model.Waiting))
		r.Add(l.Theme.Dim, " out of reach: ")
	case w.IsTurn():
		r.Gap(1)
		r.Sign(l.Theme.Wait, l.Glyphs.Turn)
		r.Add(l.Theme.Wait, " "+string(model.SessionTurn)+": ")
	case w.IsOld(): // and so are all others
		text = l.Theme.Dim
		r.Gap(1)
		r.Sign(l.Theme.Dim, l.Glyphs.Of(model.Waiting))
		r.Add(l.Theme.Dim, " old: ")
	case w.IsUpcoming():
		text = l.Theme.Dim
		r.Gap(1)
		r.Sign(l.Theme.Dim, l.Glyphs.MayWait)
		r.Add(l.Theme.Dim, " "+model.LaterWord+": ")
	case short:
		r.Exactly(l.Theme.Chip, " "+l.Glyphs.Of(model.Waiting)+" YOU ")
		r.Gap(1)
	default:
		r.Exactly(l.Theme.Chip, " "+l.Glyphs.Of(model.Waiting)+" WAITS FOR YOU ")
		r.Gap(2)
		text = l.Theme.Strong
	}
	// What is asked is not cut for the sake of where and since when; a text that must be cut anyway leaves them room.
	room := r.Room - r.Width - 2
	left := l.Deadline(w.Deadline, "")
	full := draw.Join(draw.PartJoint, where, l.Since(w.Since, w.SinceFile), l.Deadline(w.Deadline, w.Then))
	wanted := l.Width(w.Text) + 2
	forms := [...]string{full, draw.Join(draw.PartJoint, where, left), draw.Join(draw.PartJoint, project, left), left}
	for i := range forms {
		if !short && after == "" && (wanted+l.Width(forms[i]) <= room || i == 0 && wanted > room && l.Width(full) < room/2) {
			after = forms[i]
		}
	}
	if after != "" {
		room -= l.Width(after) + 2
	}
	r.AddWithin(text, w.Text, room)
	if after != "" {
		r.Gap(2)
		r.Add(l.Theme.Dim, after)
	}
	return r.Line() + end.Cut()
}
