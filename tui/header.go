package tui

// The rows above the panes: the build and its state, the counts, and the banner.

import (
	"path"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"gatehouse/model"
	"gatehouse/model/line"
	"gatehouse/tui/decide"
	"gatehouse/tui/draw"
	"gatehouse/tui/index"
	"gatehouse/tui/pane"
)

// headerSite returns the site that the header is about, or nil.
func (d *dashboard) headerSite() *index.Site {
	at, ok := d.tree.At()
	if !ok && len(d.index.Sites) == 1 { // a filter has no hits
		return d.index.Sites[0]
	}
	return at.Site
}

// headerHeight returns the number of rows of the header.
func headerHeight(k kind) int {
	if k == single {
		return 3
	}
	return 2
}

// drawHeader draws the top rows; their number depends on the kind of screen only.
func (d *dashboard) drawHeader(k kind, width int) []string {
	b, l := d.newBanner(), d.look
	banner := b.Render(l, width)
	switch k {
	case sidebar:
		return []string{d.compactLine(width), banner}
	case single: // the counts have a row of their own, continued by a rule
		r := l.Ribbon(width)
		r.Gap(1)
		d.drawCounts(&r, width-2)
		r.Gap(min(r.Width-1, 1)) // none before a rule that stands alone
		r.Fill(l.Glyphs.Horizontal, l.Theme.Border, width-1)
		return []string{d.buildLine(width, l.Ribbon(width)), banner, r.Line()}
	}
	live, text := l.Ribbon(width), 0
	d.drawLive(&live, width/3)
	if facts := d.buildFacts(); facts != nil {
		_, text = l.MeasureExactly(line.Shown(facts, false))
	}
	line := live.Width + min(l.Width(d.projectName()), width/3) + text + 8 // including blanks
	counts := l.Ribbon(width)
	d.drawCounts(&counts, max(width/2, width-line))
	counts.Gap(min(counts.Width, 3))
	return []string{d.buildLine(width, counts), banner}
}

// buildLine draws the build's line, and on the right the live state, after what is there already.
func (d *dashboard) buildLine(width int, end draw.Ribbon) string {
	l := d.look
	d.drawLive(&end, width/3)
	end.Gap(1)
	edge := width - end.Width
	r := l.Ribbon(edge)
	r.Gap(1)
	r.AddWithin(l.Theme.Accent+l.Theme.Strong, d.projectName(), width/3)
	if facts := d.buildFacts(); facts != nil {
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
func (d *dashboard) compactLine(width int) string {
	l := d.look
	end := l.Ribbon(width)
	for _, c := range d.counts() { // the most important ones, without words
		if c.badge {
			end.Gap(1)
			end.Sign(c.style, c.glyph)
			end.Add(c.style, strconv.Itoa(c.n))
		}
	}
	end.Gap(1)
	edge := width - end.Width
	r := l.Ribbon(edge)
	r.Gap(1)
	text := ""
	if facts := d.buildFacts(); facts != nil {
		text = line.Shown(facts, true)
	}
	_, w := l.MeasureExactly(text)
	r.AddWithin(l.Theme.Accent+l.Theme.Strong, d.projectName(), max(edge-r.Width-w-2, 8))
	r.Gap(1)
	r.ExactlyWithin("", text, edge-r.Width)
	return r.Line() + end.Cut()
}

func (d *dashboard) projectName() string {
	if s := d.headerSite(); s != nil {
		return s.Project.Called()
	}
	return d.opts.TitlePath
}

func (d *dashboard) buildFacts() line.Facts {
	if s := d.headerSite(); s != nil && s.Build != nil && s.Build.Header != nil {
		return s.Build.Header
	}
	return nil
}

// drawLive says whether changes are detected, and how long ago the last one was. Wider rows get more words.
func (d *dashboard) drawLive(r *draw.Ribbon, room int) {
	l, snap, site, age, live := r.Look, d.index.Snap, d.headerSite(), "", "live"
	if site != nil && site.Build != nil && !site.Build.Freshness.Changed.IsZero() {
		changed := site.Build.Freshness.Changed
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
	case d.ended != nil:
		r.AddWithin(l.Theme.Block, "not live: "+d.ended.Error(), room)
	case snap.Version == 0:
		r.AddWithin(l.Theme.Dim, "reading", room)
	case site != nil && site.Project.OutOfReach():
		r.AddWithin(l.Theme.Wait, draw.Join(draw.PartJoint, age, site.Project.Host.Stands(l.Now)), room)
	case snap.Watch != "": // the overview has the reason; here it would take the space of the progress
		watch := snap.Watch
		if strings.HasPrefix(watch, "polling ") || strings.HasPrefix(watch, "polling:") {
			watch = "polling"
		}
		r.AddWithin(l.Theme.Wait, draw.Join(draw.PartJoint, age, watch), room)
	default:
		r.AddWithin(l.Theme.Dim, draw.Join(draw.PartJoint, age, live), room)
	}
}

// The counts in the header: their order, their words, and the shorter forms for narrow rows.

// readOnlyWords say that no key decides anything.
const readOnlyWords = "read only"

// count is one number in the header.
type count struct {
	n     int
	style draw.Style
	glyph string
	words string // with the number
	badge bool   // also shown without words
	spare bool   // shown only if everything fits
	fixed bool   // always shown
}

// counts returns the counts that are not zero, the most important first. The number of projects comes first if there are several,
// because the counts are of all of them.
func (d *dashboard) counts() []count {
	g, t, s := d.look.Glyphs, d.look.Theme, d.index.Sums
	numbered := func(n int, word string) string { return strconv.Itoa(n) + " " + word }
	status := func(n int, style draw.Style, st model.Status) count {
		return count{n: n, style: style, glyph: g.Of(st), words: numbered(n, st.Word()), fixed: true, badge: true}
	}
	projects := len(d.index.Snap.Projects)
	if projects == 1 {
		projects = 0
	}
	readOnly := map[bool]int{true: 1}[d.opts.ReadOnly]
	running := status(s.Running, t.Run, model.Active)
	running.spare, running.fixed, running.badge = true, false, false
	hosts := d.index.Snap.Hosts
	away := len(slices.DeleteFunc(slices.Clone(hosts), (*model.Host).Live))
	return slices.DeleteFunc([]count{
		{n: projects, style: t.Dim, words: draw.Counted(projects, "project")},
		status(s.Waits, t.Wait, model.Waiting),
		{n: s.Turns, style: t.Wait, glyph: g.Turn, words: turnCount(s.Turns), fixed: true, badge: true},
		status(s.Failed, t.Block, model.Failed),
		status(s.Blocked, t.Block, model.Blocked),
		{n: s.Blockers, style: t.Block, glyph: g.Of(model.Blocked), words: draw.Counted(s.Blockers, "blocker")},
		{n: away, style: t.Wait, words: strconv.Itoa(away) + " of " + draw.Counted(len(hosts), "host") + " out of reach"},
		{n: s.OutOfReach, style: t.Dim, glyph: g.Of(model.Waiting), words: numbered(s.OutOfReach, "out of reach")},
		{n: s.WithAgent, style: t.Dim, glyph: g.Of(model.Active), words: numbered(s.WithAgent, "with the agent")},
		{n: s.Old, style: t.Dim, glyph: g.Of(model.Waiting), words: numbered(s.Old, "old")},
		{n: s.Divergences, style: t.Wait, glyph: g.Differs, words: d.differWords(), badge: true},
		{n: d.seen.Count, style: t.Changed, glyph: g.Changed, words: numbered(d.seen.Count, "changed"), badge: true},
		{n: s.Problems, style: t.Dim, glyph: g.Problem, words: draw.Counted(s.Problems, "problem"), badge: true},
		{n: readOnly, style: t.Dim, words: readOnlyWords, fixed: true},
		running,
	}, func(c count) bool { return c.n == 0 })
}

// fitCounts shortens counts until they fit: running work goes first, then the words of the last ones, and the less important counts.
func fitCounts(all []count, room int, narrow bool) []count {
	width := func() (w int) {
		for _, c := range all {
			w += len(c.words) + 4
		}
		return w
	}
	if width() > room {
		all = slices.DeleteFunc(all, func(c count) bool { return c.spare })
	}
	for i := len(all) - 1; i >= 0 && width() > room; i-- {
		if all[i].glyph != "" {
			all[i].words = strconv.Itoa(all[i].n)
		}
	}
	for i := len(all) - 1; i >= 0 && !narrow && width() > room; i-- {
		if !all[i].fixed {
			all = slices.Delete(all, i, i+1)
		}
	}
	return all
}

// drawCounts writes the counts with their words.
func (d *dashboard) drawCounts(r *draw.Ribbon, room int) {
	for i, c := range fitCounts(d.counts(), room, r.Look.Narrow) {
		if i > 0 {
			r.Gap(2)
		}
		r.Sign(c.style, c.glyph)
		if c.glyph != "" {
			r.Gap(1)
		}
		r.Add(c.style, c.words)
	}
}

// turnCount counts finished turns in words.
func turnCount(n int) string { return strconv.Itoa(n) + " " + string(model.SessionTurn) }

// differWords name the state file with wrong claims, and the key that syncs it.
func (d *dashboard) differWords() string {
	words, sites, sync := "", d.index.Sites, ""
	if at, ok := d.tree.At(); ok {
		sites = append([]*index.Site{at.Site}, sites...)
		if at.Site.Build != nil && len(at.Site.Build.Divergences) > 0 {
			sync = pane.KeyOf(d.offersOf(decide.Target{Site: at.Site}), model.VerbSync)
		}
	}
	for _, s := range sites {
		if s.Build != nil && len(s.Build.Divergences) > 0 {
			words = path.Base(s.Build.File)
			break
		}
	}
	if !d.look.Narrow {
		words += " differs"
	}
	if sync != "" {
		words += ", " + sync + " syncs"
	}
	return words
}
