package core

import (
	"gatehouse/model/line"
	"gatehouse/parse/text/scan"
)

// The functions of this file imitate the regular expressions of GSD's own status line, odd readings included: the line must be the
// same byte for byte.

// ParseLine returns the facts of the line that the text of a STATE.md makes. They are parts of the text.
func ParseLine(text string) (g line.GSD) {
	if block, _, ok := scan.Frontmatter(text); ok {
		parseScalars(block, &g)
		g.NextPhases = parseNextPhases(nil, block)
		parseProgress(block, &g)
	}
	parsePosition(text, &g)
	if g.Status == "" {
		g.Status = parseBodyStatus(text)
	}
	return g
}

// parseScalars reads the top-level keys that the line shows. The last of several equal keys counts; "null", with or
// without quotation marks, takes a value back, while other spellings of YAML's null are ordinary text.
func parseScalars(block string, g *line.GSD) {
	s := scan.Scalars{Block: block}
	for {
		key, value, ok := s.Next()
		if !ok {
			return
		}
		if value == "null" {
			value = ""
		}
		switch key {
		case "status":
			g.Status = value
		case "milestone":
			g.Milestone = value
		case "milestone_name":
			g.MilestoneName = value
		case "active_phase":
			g.ActivePhase = value
		case "next_action":
			g.NextAction = value
		case "state_head":
			g.StateHead = value
		}
	}
}

// parseNextPhases appends the phases that next_phases names in the frontmatter block to list. A flow list anywhere goes before
// a block list anywhere; other values, among them null and a single phase, name none. Items are trimmed and unquoted,
// empty ones left out; quotation marks do not protect a comma.
func parseNextPhases(list []string, block string) []string {
	const key = "next_phases:"
	for at := scan.FindAtLineStart(block, key, 0); at >= 0; at = scan.FindAtLineStart(block, key, at+len(key)) {
		i := scan.SkipSpace(block, at+len(key))
		if i == len(block) || block[i] != '[' {
			continue
		}
		i++
		for end := i; end < len(block); end++ {
			if c := block[end]; c == ',' || c == ']' {
				list = appendItem(list, block[i:end])
				if c == ']' {
					return list
				}
				i = end + 1
			}
		}
		list = list[:0] // never closed, so there is no flow list; nor can there be one further down
		break
	}
	for at := scan.FindAtLineStart(block, key, 0); at >= 0; at = scan.FindAtLineStart(block, key, at+len(key)) {
		if i, ok := skipToNextLine(block, at+len(key)); ok {
			return appendItems(list, block, i)
		}
	}
	return list
}

// appendItems appends the items of the block list that begins at offset i of block. A line is an item when it is blanks, a
// dash and at least one character more; the first other line ends the list. A carriage return by itself ends such a line
// too, but then nothing up to the next line feed counts.
func appendItems(list []string, block string, i int) []string {
	spoiled := false
	for {
		i = scan.SkipBlanks(block, i)
		if i == len(block) || block[i] != '-' {
			return list
		}
		i++
		start := i
		for i < len(block) && block[i] != '\r' && block[i] != '\n' {
			i++
		}
		item := block[start:i]
		if item == "" {
			return list
		}
		cr := i < len(block) && block[i] == '\r'
		if cr {
			i++
		}
		lf := i < len(block) && block[i] == '\n'
		if lf {
			i++
		}
		spoiled = spoiled || cr && !lf
		if !spoiled && scan.LineEnd(item, 0) == len(item) {
			list = appendItem(list, item)
		}
		if lf {
			spoiled = false
		}
	}
}

// appendItem appends one phase to list, trimmed and unquoted, unless nothing is left of it or the line could not show it.
func appendItem(list []string, item string) []string {
	item = scan.Unquote(scan.TrimSpace(item))
	if item == "" || len(list) == line.MaxNextPhases {
		return list
	}
	return append(list, item)
}

// parseProgress reads percent and the two counts from the first progress block that has a line. Of each the first number
// counts; only its leading digits do, and a sign or a quotation mark before them makes it none.
func parseProgress(block string, g *line.GSD) {
	const key = "progress:"
	for at := scan.FindAtLineStart(block, key, 0); at >= 0; at = scan.FindAtLineStart(block, key, at+len(key)) {
		i, ok := skipToNextLine(block, at+len(key))
		if !ok {
			continue
		}
		if lines := cutProgressLines(block[i:]); lines != "" {
			g.CompletedPhases = findProgressDigits(lines, "completed_phases:")
			g.TotalPhases = findProgressDigits(lines, "total_phases:")
			g.Percent = findProgressDigits(lines, "percent:")
			return
		}
	}
}

// cutProgressLines returns the consecutive lines at the start of s of the form blanks, word, colon and at least one
// character: a comment, an empty line, a key without a value or one at the margin ends them.
func cutProgressLines(s string) string {
	end := 0
	for {
		i := scan.SkipBlanks(s, end)
		word := scan.Word(s, i)
		if i == end || word == i || word == len(s) || s[word] != ':' {
			return s[:end]
		}
		i = scan.LineEnd(s, word+1)
		if i == word+1 {
			return s[:end]
		}
		if i < len(s) && s[i] == '\r' {
			i++
		}
		if i < len(s) && s[i] == '\n' {
			i++
		}
		end = i
	}
}

// findProgressDigits returns the digits behind the first line of the progress block that has key and, after white space that
// may reach into the next line, a digit; "" when there is none.
func findProgressDigits(lines, key string) string {
	for start := 0; start < len(lines); {
		i := scan.SkipBlanks(lines, start)
		if i > start && scan.HasPrefixAt(lines, key, i) {
			if digits, _ := scan.Digits(lines, scan.SkipSpace(lines, i+len(key))); digits != "" {
				return digits
			}
		}
		start = scan.LineEnd(lines, i)
		start += scan.TerminatorLen(lines[start:])
	}
	return ""
}

// parsePosition reads the first line anywhere in the file, frontmatter and archives included, that begins with "Phase:"
// and goes on with a number, "of", a number and perhaps a name in parentheses. White space between them may be line
// breaks; the name may span lines and ends at the first closing parenthesis.
func parsePosition(text string, g *line.GSD) {
	const key = "Phase:"
	for at := scan.FindAtLineStart(text, key, 0); at >= 0; at = scan.FindAtLineStart(text, key, at+len(key)) {
		number, i := scan.Digits(text, scan.SkipSpace(text, at+len(key)))
		of := scan.SkipSpace(text, i)
		if number == "" || of == i || !scan.HasPrefixAt(text, "of", of) {
			continue
		}
		start := scan.SkipSpace(text, of+2)
		total, end := scan.Digits(text, start)
		if start == of+2 || total == "" {
			continue
		}
		g.PhaseNumber, g.PhaseTotal = number, total
		open := scan.SkipSpace(text, end)
		if open == end || open == len(text) || text[open] != '(' {
			return
		}
		for i := open + 1; i < len(text); i++ {
			if text[i] == ')' {
				g.PhaseName = text[open+1 : i]
				return
			}
		}
		return
	}
}

// parseBodyStatus returns the status that the first line beginning with "Status:" stands for, "" when it is none of those
// known. White space after the colon may be line breaks, so the value may stand further down.
func parseBodyStatus(text string) string {
	const key = "Status:"
	for at := scan.FindAtLineStart(text, key, 0); at >= 0; at = scan.FindAtLineStart(text, key, at+len(key)) {
		value, ok := scan.RestOfLine(text, at+len(key))
		switch {
		case !ok:
			continue
		case line.ContainsFold(value, "ready to plan"), line.ContainsFold(value, "planning"):
			return "planning"
		case line.ContainsFold(value, "execut"):
			return "executing"
		case line.ContainsFold(value, "complet"), line.ContainsFold(value, "archived"):
			return "complete"
		}
		return ""
	}
	return ""
}

// skipToNextLine returns the offset behind the last line feed of the white space at offset i of s; ok is false when there is
// none in it.
func skipToNextLine(s string, i int) (next int, ok bool) {
	for end := scan.SkipSpace(s, i); end > i; end-- {
		if s[end-1] == '\n' {
			return end, true
		}
	}
	return 0, false
}
