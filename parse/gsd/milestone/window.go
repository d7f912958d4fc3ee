package milestone

import "gatehouse/parse/text/scan"

// window returns the part of ROADMAP.md that speaks of the current milestone, whether it has a section of its own, and
// whether that is called over: the section, below what stands before all milestones.
func window(roadmap, version string) (text string, found, over bool) {
	if version == "" {
		return unfolded(roadmap), false, false
	}
	var headings []heading
	for h := range rawHeadings(roadmap) {
		if mentions(h.text, version) {
			headings = append(headings, h)
		}
	}
	if len(headings) == 0 {
		return folded(roadmap, version)
	}
	chosen := sectionOf(headings)
	tokens := tokens(roadmap)
	end := sectionEnd(roadmap, tokens, chosen)
	section := roadmap[chosen.start:end]
	text = preamble(roadmap, headings[0].start, hasPhases(section)) + section
	// A milestone may have a second section, further down, for the details of its phases.
	own := ownVersion(chosen.text)
	for _, h := range headings {
		if h.start >= end && !closed(h.text) && containsFold(squeezed(h.text), "(phase details)") && (own == "" || mentionsExactly(h.text, own)) {
			return text + "\n" + roadmap[h.start:sectionEnd(roadmap, tokens, h)], true, closed(chosen.text)
		}
	}
	return text, true, closed(chosen.text)
}

// sectionOf returns the heading of the milestone's section, of those that mention it: the first that is not closed, else the first.
func sectionOf(headings []heading) heading {
	for _, h := range headings {
		if !closed(h.text) {
			return h
		}
	}
	return headings[0]
}

// folded is the window of a version that stands in no heading: the preamble, and the folded section whose summary names
// it. Where none does, it is the whole file but for what is folded.
func folded(roadmap, version string) (text string, found, over bool) {
	at := summary(roadmap, version)
	if at < 0 {
		return unfolded(roadmap), false, closedInList(roadmap, version)
	}
	open := lastIndex(roadmap[:at], "<details")
	if open < 0 {
		return unfolded(roadmap), false, false
	}
	title := roadmap[at:]
	title = title[:indexFold(title, "</summary>")]
	end := len(roadmap)
	if i := indexFold(roadmap[open:], "</details>"); i >= 0 {
		end = open + i + len("</details>")
	}
	cut := open
	if i := indexFold(roadmap, "<details"); i >= 0 {
		cut = i
	}
	for h := range rawHeadings(roadmap) {
		if ofMilestone(h) || hasPrefix(h.title, "🔄") {
			cut = min(cut, h.start)
			break
		}
	}
	return withoutPhases(unfolded(roadmap[:cut])) + roadmap[open:end], true, closed(title)
}

// closedInList reports whether a line of the list of milestones, "- ✅ **v1.1 Two** — Phases 3-4", calls a version over: it is
// all there is of one whose section was put away.
func closedInList(roadmap, version string) bool {
	for i := 0; i < len(roadmap); {
		end := scan.LineEnd(roadmap, i)
		item := roadmap[scan.SkipBlanks(roadmap[:end], i):end]
		if (hasPrefix(item, "- ") || hasPrefix(item, "* ")) && contains(item, "**") && mentionsExactly(item, version) {
			return closed(item)
		}
		i = end + max(scan.TerminatorLen(roadmap[end:]), 1)
	}
	return false
}

// summary returns the offset of the first <summary> that has the version in it, -1 without one.
func summary(roadmap, version string) int {
	for i := 0; ; {
		at := indexFold(roadmap[i:], "<summary")
		if at < 0 {
			return -1
		}
		at += i
		i = at + len("<summary")
		open := index(roadmap[i:], '>')
		if open < 0 {
			return -1
		}
		text := roadmap[i+open+1:]
		end := index(text, '<')
		if end >= 0 && hasPrefixFold(text[end:], "</summary>") && containsFold(text[:end], version) {
			return at
		}
	}
}

// preamble returns what stands before all milestones, up to the heading at or before limit that is the first of any. Its
// headings of phases, with what is below them, speak of others when the section has phases of its own; its lists stay.
func preamble(roadmap string, limit int, without bool) string {
	for h := range rawHeadings(roadmap) {
		if ofMilestone(h) {
			limit = h.start
			break
		}
	}
	text := unfolded(roadmap[:limit])
	if without {
		text = withoutPhases(text)
	}
	return text
}

// ofMilestone reports whether a heading begins a milestone: with a version in it, or a sign at its start.
func ofMilestone(h heading) bool {
	return hasVersion(h.title) || hasPrefix(h.title, "✅") || hasPrefix(h.title, "📋") || hasPrefix(h.title, "🚧")
}

// closed reports whether a heading calls its milestone over, and no word or sign of it calls it under way.
func closed(heading string) bool {
	over := contains(heading, "✅") || contains(heading, "🗄")
	for _, word := range [...]string{"closed", "archived", "abandoned", "shipped", "failed"} {
		over = over || hasWord(heading, word)
	}
	if !over || contains(heading, "🚧") || contains(heading, "🔄") {
		return false
	}
	for _, word := range [...]string{"started", "active", "wip"} {
		if hasWord(heading, word) {
			return false
		}
	}
	return !containsFold(squeezed(heading), "in progress")
}

// sectionEnd returns where the section of a heading ends: before the next heading of its level or above that is none of a
// phase and names a milestone; else at the end. A plain heading ("## Phases", "## isBacklog") ends nothing.
func sectionEnd(roadmap string, tokens []token, h heading) int {
	for _, t := range tokens {
		if t.start < h.end || t.level > h.level || ofPhase(t.text) {
			continue
		}
		if hasVersion(t.text) || contains(t.text, "✅") || contains(t.text, "📋") || contains(t.text, "🚧") {
			return t.start
		}
	}
	return len(roadmap)
}

// unfolded returns a text without what it folds. Only the bare tag folds: <details open> stays.
func unfolded(text string) string {
	var b []byte
	for {
		open := indexFold(text, "<details>")
		if open < 0 {
			break
		}
		end := indexFold(text[open:], "</details>")
		if end < 0 {
			break
		}
		b = append(b, text[:open]...)
		text = text[open+end+len("</details>"):]
	}
	return string(append(b, text...))
}

// withoutPhases returns a text without headings of phases and all that is below them, up to the next heading.
func withoutPhases(text string) string {
	var b []byte
	drop := false
	for i := 0; i < len(text); {
		end := i + 1
		for end < len(text) && text[end-1] != '\n' {
			end++
		}
		line := text[i:end]
		if hashes, rest := hashes(line); hashes > 0 {
			after := scan.SkipSpace(rest, 0)
			switch {
			case hashes >= 2 && hashes <= 4 && phaseAt(rest[after:]) != "":
				drop = true
			case hashes <= 6 && scan.SpaceLen(rest) > 0:
				drop = false
			}
		}
		if !drop {
			b = append(b, line...)
		}
		i = end
	}
	return string(b)
}

// hasPhases reports whether a text has a heading of a phase.
func hasPhases(text string) bool {
	for i := scan.FindAtLineStart(text, "##", 0); i >= 0; i = scan.FindAtLineStart(text, "##", i+1) {
		if n, rest := hashes(text[i:]); n <= 4 && ofPhase(rest[scan.SkipSpace(rest, 0):]) {
			return true
		}
	}
	return false
}
