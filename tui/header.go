package tui

// The rows above the panes: the build and its state, the counts, and the banner.

import (
	"regexp"
	"strings"
	"unicode/utf8"

	"gatehouse/model/line"
	"gatehouse/tui/draw"
	"gatehouse/tui/index"
)

// header draws the top rows; their number depends on the width only.
type header struct {
	index     *index.Index
	site      *index.Site // the selected site; may be nil
	titlePath string      // shown instead of the project's name while there is no project
	ended     error       // why there will be no more snapshots
	readOnly  bool
	changed   int // rows that changed since the user saw them
	banner    banner
	sync      string // the key that syncs the state file with the tree, or ""
}

// headerHeight returns the number of rows of the header.
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
		return []string{h.compactLine(l, width), h.banner.Render(l, width)}
	case single:
		return []string{h.buildLine(l, width, nil, 0), h.banner.Render(l, width), h.countsRow(l, width)}
	}
	return []string{h.buildLine(l, width, h.counts(l), max(width/2, width-h.lineWidth(l, width))), h.banner.Render(l, width)}
}

// lineWidth returns the width of the build's line, including the live state.
func (h *header) lineWidth(l *draw.Look, width int) int {
	live := l.Ribbon(width)
	h.drawLive(&live, width/3)
	text := 0
	if facts := h.buildFacts(); facts != nil {
		_, text = l.MeasureExactly(line.Shown(facts, false))
	}
	return live.Width + min(l.Width(h.projectName()), width/3) + text + 8 // including blanks
}

// buildLine draws the build's line, and on the right the counts that fit and the live state.
func (h *header) buildLine(l *draw.Look, width int, counts []count, room int) string {
	end := l.Ribbon(width)
	if len(counts) > 0 {
		h.drawCounts(&end, counts, room)
		end.Gap(min(end.Width, 3))
	}
	h.drawLive(&end, width/3)
	end.Gap(1)

	edge := width - end.Width
	r := l.Ribbon(edge)
	r.Gap(1)
	r.AddWithin(l.Theme.Accent+l.Theme.Strong, h.projectName(), width/3)
	if facts := h.buildFacts(); facts != nil {
		r.Gap(2)
		room := edge - r.Width - 2
		drawFacts(&r, fitFacts(l, facts, room), room)
	}
	return r.Line() + end.Cut()
}

// lineBar is the bar in the line of a build, "[██░░]".
var lineBar = regexp.MustCompile(`\[(█*)(░*)\]`)

// drawFacts writes the line of a build with its bar in the style of all other bars. A bar that does not fit as a whole is left out.
func drawFacts(r *draw.Ribbon, text string, room int) {
	if at := lineBar.FindStringSubmatchIndex(text); at != nil {
		before, after := text[:at[0]], text[at[1]:]
		full, empty := utf8.RuneCountInString(text[at[2]:at[3]]), utf8.RuneCountInString(text[at[4]:at[5]])
		_, width := r.Look.MeasureExactly(before)
		if cells := full + empty; width+cells <= room {
			r.Exactly("", before)
			r.Bar(full, cells, cells)
			room -= width + cells
			text = after
		} else {
			text = before + strings.TrimPrefix(after, " ")
		}
	}
	r.ExactlyWithin("", text, room)
}

// fitFacts returns the longest form of the facts that fits: first without labels, then without the bar, which repeats its number. If
// none fits, the form without labels is cut, or the compact form is used if too much would be lost.
func fitFacts(l *draw.Look, facts line.Facts, room int) string {
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

// compactLine is the sidebar's first row.
func (h *header) compactLine(l *draw.Look, width int) string {
	end := l.Ribbon(width)
	h.drawBadges(&end)
	edge := width - end.Width
	r := l.Ribbon(edge)
	r.Gap(1)
	text := ""
	if facts := h.buildFacts(); facts != nil {
		text = line.Shown(facts, true)
	}
	_, w := l.MeasureExactly(text)
	r.AddWithin(l.Theme.Accent+l.Theme.Strong, h.projectName(), max(edge-r.Width-w-2, 8))
	r.Gap(1)
	r.ExactlyWithin("", text, edge-r.Width)
	return r.Line() + end.Cut()
}

func (h *header) projectName() string {
	if h.site == nil {
		return h.titlePath
	}
	return h.site.Project.Called()
}

func (h *header) buildFacts() line.Facts {
	if h.site == nil || h.site.Build == nil || h.site.Build.Header == nil {
		return nil
	}
	return h.site.Build.Header
}

// drawLive says whether changes are detected, and how long ago the last one was. Wider rows get more words.
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

// watchShort returns the header's words for polling. The overview has the reason; here it would take the space of the progress.
func watchShort(watch string) string {
	if how, _, _ := strings.Cut(watch, " "); strings.TrimSuffix(how, ":") == "polling" {
		return "polling"
	}
	return watch
}
