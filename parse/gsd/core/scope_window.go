package core

import (
	"gatehouse/parse/doc"
	"gatehouse/parse/text/scan"
)

// currentWindow returns the part of ROADMAP.md that speaks of the current milestone, whether it has a section of its own, and
// whether that is called over: the section, below what stands before all milestones.
func currentWindow(roadmap, version string) (text string, found bool) {
	if version == "" {
		return removeFolded(roadmap), false
	}
	var headings []heading
	for h := range rawHeadings(roadmap) {
		if mentions(h.text, version) {
			headings = append(headings, h)
		}
	}
	if len(headings) == 0 {
		return foldedWindow(roadmap, version)
	}
	chosen := chooseSection(headings)
	tokens := parseHeadings(roadmap)
	end := findSectionEnd(roadmap, tokens, chosen)
	section := roadmap[chosen.start:end]
	text = cutPreamble(roadmap, headings[0].start, hasPhaseHeading(section)) + section
	// A milestone may have a second section, further down, for the details of its phases.
	own := wholeVersion(chosen.text)
	for _, h := range headings {
		if h.start >= end && !isClosed(h.text) && indexFold(squeezeSpace(h.text), "(phase details)") >= 0 && (own == "" || mentionsExactly(h.text, own)) {
			return text + "\n" + roadmap[h.start:findSectionEnd(roadmap, tokens, h)], true
		}
	}
	return text, true
}

// chooseSection returns the heading of the milestone's section, of those that mention it: the first that is not closed, else the first.
func chooseSection(headings []heading) heading {
	for _, h := range headings {
		if !isClosed(h.text) {
			return h
		}
	}
	return headings[0]
}

// foldedWindow is the window of a version that stands in no heading: the preamble, and the folded section whose summary names
// it. Where none does, it is the whole file but for what is folded.
func foldedWindow(roadmap, version string) (text string, found bool) {
	at := findSummary(roadmap, version)
	if at < 0 {
		return removeFolded(roadmap), false
	}
	open := lastIndex(roadmap[:at], "<details")
	if open < 0 {
		return removeFolded(roadmap), false
	}
	end := len(roadmap)
	if i := indexFold(roadmap[open:], "</details>"); i >= 0 {
		end = open + i + len("</details>")
	}
	cut := open
	if i := indexFold(roadmap, "<details"); i >= 0 {
		cut = i
	}
	for h := range rawHeadings(roadmap) {
		if startsMilestone(h) || doc.HasPrefix(h.title, "🔄") {
			cut = min(cut, h.start)
			break
		}
	}
	return removePhaseSections(removeFolded(roadmap[:cut])) + roadmap[open:end], true
}

// findSummary returns the offset of the first <summary> that has the version in it, -1 without one.
func findSummary(roadmap, version string) int {
	for i := 0; ; {
		at := indexFold(roadmap[i:], "<summary")
		if at < 0 {
			return -1
		}
		at += i
		i = at + len("<summary")
		open := doc.Index(roadmap[i:], ">")
		if open < 0 {
			return -1
		}
		text := roadmap[i+open+1:]
		end := doc.Index(text, "<")
		if end >= 0 && hasPrefixFold(text[end:], "</summary>") && indexFold(text[:end], version) >= 0 {
			return at
		}
	}
}

// cutPreamble returns what stands before all milestones, up to the heading at or before limit that is the first of any. Its
// headings of phases, with what is below them, speak of others when the section has phases of its own; its lists stay.
func cutPreamble(roadmap string, limit int, without bool) string {
	for h := range rawHeadings(roadmap) {
		if startsMilestone(h) {
			limit = h.start
			break
		}
	}
	text := removeFolded(roadmap[:limit])
	if without {
		text = removePhaseSections(text)
	}
	return text
}

// startsMilestone reports whether a heading begins a milestone: with a version in it, or a sign at its start.
func startsMilestone(h heading) bool {
	return hasVersion(h.title) || doc.HasPrefix(h.title, "✅") || doc.HasPrefix(h.title, "📋") || doc.HasPrefix(h.title, "🚧")
}

// isClosed reports whether a heading calls its milestone over, and no word or sign of it calls it under way.
func isClosed(heading string) bool {
	over := doc.Contains(heading, "✅") || doc.Contains(heading, "🗄")
	for _, word := range [...]string{"closed", "archived", "abandoned", "shipped", "failed"} {
		over = over || hasWord(heading, word)
	}
	if !over || doc.Contains(heading, "🚧") || doc.Contains(heading, "🔄") {
		return false
	}
	for _, word := range [...]string{"started", "active", "wip"} {
		if hasWord(heading, word) {
			return false
		}
	}
	return indexFold(squeezeSpace(heading), "in progress") < 0
}

// findSectionEnd returns where the section of a heading ends: before the next heading of its level or above that is none of a
// phase and names a milestone; else at the end. A plain heading ("## Phases", "## Backlog") ends nothing.
func findSectionEnd(roadmap string, tokens []token, h heading) int {
	for _, t := range tokens {
		if t.start < h.end || t.level > h.level || isPhaseTitle(t.text) {
			continue
		}
		if hasVersion(t.text) || doc.Contains(t.text, "✅") || doc.Contains(t.text, "📋") || doc.Contains(t.text, "🚧") {
			return t.start
		}
	}
	return len(roadmap)
}

// removeFolded returns a text without what it folds. Only the bare tag folds: <details open> stays.
func removeFolded(text string) string {
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

// removePhaseSections returns a text without headings of phases and all that is below them, up to the next heading.
func removePhaseSections(text string) string {
	var b []byte
	drop := false
	for i := 0; i < len(text); {
		end := i + 1
		for end < len(text) && text[end-1] != '\n' {
			end++
		}
		line := text[i:end]
		if hashes, rest := cutHashes(line); hashes > 0 {
			after := scan.SkipSpace(rest, 0)
			switch {
			case hashes >= 2 && hashes <= 4 && parsePhaseHeading(rest[after:]) != "":
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

// hasPhaseHeading reports whether a text has a heading of a phase.
func hasPhaseHeading(text string) bool {
	for i := scan.FindAtLineStart(text, "##", 0); i >= 0; i = scan.FindAtLineStart(text, "##", i+1) {
		if n, rest := cutHashes(text[i:]); n <= 4 && isPhaseTitle(rest[scan.SkipSpace(rest, 0):]) {
			return true
		}
	}
	return false
}

// heading is a heading as a regular expression finds it: in fences as well.
type heading struct {
	start, end int    // the line, from its first # to its end
	level      int    // 1 to 3
	text       string // the line
	title      string // what is behind the # and blanks
}

// rawHeadings yields the headings of level 1 to 3 that are none of a phase. White space behind the # may go over lines, as
// it does for GSD.
func rawHeadings(text string) func(yield func(heading) bool) {
	return func(yield func(heading) bool) {
		for i := scan.FindAtLineStart(text, "#", 0); i >= 0; {
			level, rest := cutHashes(text[i:])
			space := scan.SkipSpace(rest, 0)
			if level > 3 || space == 0 || space == scan.SpaceLen(rest) && isPhaseTitle(rest[space:]) {
				i = scan.FindAtLineStart(text, "#", i+1)
				continue
			}
			from := i + level + space
			end := len(text)
			if n := doc.Index(text[from:], "\n"); n >= 0 {
				end = from + n
			}
			if !yield(heading{i, end, level, text[i:end], text[from:end]}) {
				return
			}
			i = scan.FindAtLineStart(text, "#", end)
		}
	}
}

// token is a heading outside of fences.
type token struct {
	start, level int
	text         string
}

func parseHeadings(text string) []token {
	var all []token
	for line, start := range unfencedLines(text) {
		i := 0
		for i < 3 && byteAt(line, i) == ' ' {
			i++
		}
		level, rest := cutHashes(line[i:])
		if level == 0 || level > 6 || rest != "" && rest[0] != ' ' && rest[0] != '\t' {
			continue
		}
		all = append(all, token{start, level, scan.TrimSpace(rest)})
	}
	return all
}

// unfencedLines yields the lines outside of fences, and where each begins.
func unfencedLines(text string) func(yield func(string, int) bool) {
	return func(yield func(string, int) bool) {
		var open byte // the sign of the fence that is open
		long := 0
		for start := 0; start <= len(text); {
			end := len(text)
			if n := doc.Index(text[start:], "\n"); n >= 0 {
				end = start + n
			}
			line := text[start:end]
			if n := len(line); n > 0 && line[n-1] == '\r' {
				line = line[:n-1]
			}
			sign, n, info := parseFence(line)
			switch {
			case open == 0 && sign != 0 && !(sign == '`' && doc.Contains(info, "`")):
				open, long = sign, n
			case open == 0:
				if !yield(line, start) {
					return
				}
			case sign == open && n >= long && scan.SkipSpace(info, 0) == len(info):
				open = 0
			}
			start = end + 1
		}
	}
}

// parseFence returns the sign of a fence, ` or ~, how many there are and what is behind them; 0 for a line that is none.
func parseFence(line string) (sign byte, n int, info string) {
	i := 0
	for i < 3 && byteAt(line, i) == ' ' {
		i++
	}
	sign = byteAt(line, i)
	if sign != '`' && sign != '~' {
		return 0, 0, ""
	}
	for byteAt(line, i+n) == sign {
		n++
	}
	if n < 3 {
		return 0, 0, ""
	}
	return sign, n, line[i+n:]
}

// cutHashes returns how many # a text begins with, and the rest.
func cutHashes(text string) (n int, rest string) {
	for byteAt(text, n) == '#' {
		n++
	}
	return n, text[n:]
}

// hasWord reports whether a text has a word, in any case, with an end of a word on both sides.
func hasWord(text, word string) bool {
	for i := 0; i+len(word) <= len(text); i++ {
		if equalFold(text[i:i+len(word)], word) && (i == 0 || !isWord(text[i-1])) && !isWord(byteAt(text, i+len(word))) {
			return true
		}
	}
	return false
}

// squeezeSpace returns a text with one blank for each run of white space.
func squeezeSpace(text string) string {
	var b []byte
	for i := 0; i < len(text); {
		if next := scan.SkipSpace(text, i); next > i {
			b = append(b, ' ')
			i = next
			continue
		}
		b = append(b, text[i])
		i++
	}
	return string(b)
}
