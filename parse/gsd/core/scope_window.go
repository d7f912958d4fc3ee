package core

import (
	"gatehouse/parse/doc"
)

// outline is a ROADMAP.md with its headings, as GSD's regular expressions find them.
type outline struct {
	text     string
	headings []heading
}

// heading is a heading of level 1 to 6.
type heading struct {
	start, end int // the line
	level      int
	title      string
	isFenced   bool // in fenced code
}

func newOutline(text string) outline {
	o := outline{text: text}
	for l := range doc.Lines(text, 0, len(text)) {
		if level, title := parseHeading(l.Text); level > 0 {
			o.headings = append(o.headings, heading{l.At, l.At + len(l.Text), level, title, l.Code})
		}
	}
	return o
}

// parseHeading returns the level and the title of a heading, 0 for other lines.
func parseHeading(line string) (level int, title string) {
	for byteAt(line, level) == '#' {
		level++
	}
	if level > 6 || spaceLen(line[level:]) == 0 {
		return 0, ""
	}
	return level, trimSpace(line[level:])
}

// canStart reports whether a heading may begin the section of a milestone: level 1 to 3, not of a phase.
func (h *heading) canStart() bool { return h.level <= 3 && !isPhaseTitle(h.title) }

// startsMilestone reports whether a heading begins a milestone: with a version in it, or a sign at its start.
func (h *heading) startsMilestone() bool {
	return h.canStart() && (hasVersion(h.title) || hasAnyPrefix(h.title, "✅", "📋", "🚧"))
}

// isClosed reports whether a heading calls its milestone over, and no word or sign of it calls it under way.
func (h *heading) isClosed() bool {
	all := splitWords(h.title)
	isOver := containsAny(h.title, "✅", "🗄") || all.hasAny(closedPhrases)
	return isOver && !containsAny(h.title, "🚧", "🔄") && !all.hasAny(startedPhrases)
}

// currentWindow returns the part of ROADMAP.md about the current milestone: the text before all milestones, and its own
// section. It reports whether there is such a section; without one the window is the whole file, except folded parts.
func currentWindow(roadmap, version string) (text string, found bool) {
	o := newOutline(roadmap)
	named := o.headingsNaming(version)
	if len(named) == 0 {
		return o.foldedWindow(version)
	}
	chosen := chooseSection(named)
	end := o.sectionEnd(chosen)
	limit, hasPhases := named[0].start, false
	for _, h := range o.headings {
		if h.startsMilestone() {
			limit = min(limit, h.start)
		}
		hasPhases = hasPhases || h.start >= chosen.start && h.start < end && h.level >= 2 && h.level <= 4 && isPhaseTitle(h.title)
	}
	text = removeFolded(roadmap[:limit])
	if hasPhases {
		text = removePhaseSections(text)
	}
	text += roadmap[chosen.start:end]
	// A milestone may have a second section, further down, for the details of its phases.
	for _, h := range named {
		if h.start >= end && !h.isClosed() && indexFold(h.title, "(phase details)") >= 0 && equalFold(wholeVersion(h.title), wholeVersion(chosen.title)) {
			return text + "\n" + roadmap[h.start:o.sectionEnd(h)], true
		}
	}
	return text, true
}

// headingsNaming returns the headings that name a version and may begin its section.
func (o *outline) headingsNaming(version string) (named []heading) {
	for _, h := range o.headings {
		if h.canStart() && hasVersionIn(h.title, version) {
			named = append(named, h)
		}
	}
	return named
}

// chooseSection returns the first heading that is not closed, else the first.
func chooseSection(named []heading) heading {
	for _, h := range named {
		if !h.isClosed() {
			return h
		}
	}
	return named[0]
}

// sectionEnd returns the end of the section of a heading: before the next heading of its level or above that is not of a phase and
// names a milestone. A plain heading ("## Phases", "## Backlog") ends nothing.
func (o *outline) sectionEnd(of heading) int {
	for _, h := range o.headings {
		if h.start > of.start && !h.isFenced && h.level <= of.level && !isPhaseTitle(h.title) && (hasVersion(h.title) || containsAny(h.title, "✅", "📋", "🚧")) {
			return h.start
		}
	}
	return len(o.text)
}

// foldedWindow is the window of a version without a heading: the text before all milestones, and the folded section
// whose summary names the version.
func (o *outline) foldedWindow(version string) (text string, found bool) {
	for at := 0; version != ""; at++ {
		i := indexFold(o.text[at:], "<summary")
		if i < 0 {
			break
		}
		at += i
		_, summary, _ := doc.Cut(o.text[at:], ">")
		summary, rest, _ := doc.Cut(summary, "<")
		open := doc.LastIndex(o.text[:at], "<details")
		if open < 0 || !hasPrefixFold(rest, "/summary>") || indexFold(summary, version) < 0 {
			continue
		}
		block, first := o.text[open:], indexFold(o.text, "<details")
		if end := indexFold(block, "</details>"); end >= 0 {
			block = block[:end+len("</details>")]
		}
		for _, h := range o.headings {
			if h.startsMilestone() || h.canStart() && doc.HasPrefix(h.title, "🔄") {
				first = min(first, h.start)
			}
		}
		return removePhaseSections(removeFolded(o.text[:first])) + block, true
	}
	return removeFolded(o.text), false
}

// removeFolded returns a text without its folded sections. Only the bare tag folds: <details open> stays.
func removeFolded(text string) string {
	const tag, endTag = "<details>", "</details>"
	kept := ""
	for {
		open := indexFold(text, tag)
		end := indexFold(text[max(open, 0):], endTag)
		if open < 0 || end < 0 {
			return kept + text
		}
		kept, text = kept+text[:open], text[open+end+len(endTag):]
	}
}

// removePhaseSections returns a text without headings of phases and everything below them, up to the next heading.
func removePhaseSections(text string) string {
	kept, at, isPhase := "", 0, false
	o := newOutline(text)
	for _, h := range append(o.headings, heading{start: len(text)}) {
		if !isPhase {
			kept += text[at:h.start]
		}
		at, isPhase = h.start, h.level >= 2 && h.level <= 4 && parsePhaseHeading(h.title) != ""
	}
	return kept
}
