package core

import (
	"cmp"

	"gatehouse/model/line"
	"gatehouse/parse/doc"
)

// The functions of this file imitate the regular expressions of GSD's own status line, odd readings included: the line must be the
// same byte for byte.

// ParseLine returns the facts of the line that the text of a STATE.md makes. They are parts of the text.
func ParseLine(text string) (g line.GSD) {
	if block, _, ok := splitFrontmatter(text); ok {
		parseScalars(block, &g)
		g.NextPhases = parseNextPhases(block)
		parseProgress(block, &g)
	}
	parsePosition(text, &g)
	if g.Status == "" {
		g.Status = parseBodyStatus(text)
	}
	return g
}

// parseScalars reads the top-level keys that the line shows. The last of several equal keys counts. "null", with or without quotation
// marks, removes a value; other spellings of YAML's null are ordinary text.
func parseScalars(block string, g *line.GSD) {
	for key, value := range scalars(block) {
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

// parseNextPhases returns the phases that next_phases names in the frontmatter block. A flow list anywhere goes before a block list
// anywhere; other values, among them null and a single phase, name none. Quotation marks do not protect a comma.
func parseNextPhases(block string) (list []string) {
	const key = "next_phases:"
	for at := range offsetsAfter(block, key) {
		if at = skipSpace(block, at); byteAt(block, at) != '[' {
			continue
		}
		items, _, ok := doc.Cut(block[at+1:], "]")
		for item := ""; ok; {
			item, items, ok = doc.Cut(items, ",")
			if list = appendItem(list, item); !ok {
				return list
			}
		}
	}
	for at := range offsetsAfter(block, key) {
		at, ok := skipToNextLine(block, at)
		if !ok {
			continue
		}
		for rest := block[at:]; ; {
			var item string
			item, rest, _ = doc.Cut(rest, "\n")
			item = item[skipBlanks(item, 0):]
			if !doc.HasPrefix(item, "-") || lineEnd(item, 0) == len("-") {
				return list
			}
			list = appendItem(list, item[1:])
		}
	}
	return list
}

// appendItem appends one phase to list, trimmed and unquoted, unless nothing is left of it or the line could not show it.
func appendItem(list []string, item string) []string {
	item = unquote(trimSpace(item))
	if item == "" || len(list) == line.MaxNextPhases {
		return list
	}
	return append(list, item)
}

// parseProgress reads percent and the two counts from the first progress block that has a line: blanks, key, colon and at least one
// character. Of each the first number counts; only its leading digits do, and a sign or a quotation mark before them makes it none.
func parseProgress(block string, g *line.GSD) {
	for at := range offsetsAfter(block, "progress:") {
		at, ok := skipToNextLine(block, at)
		isFirst := true
		for rest := block[at:]; ok; isFirst = false {
			end := lineEnd(rest, 0)
			key, value, _ := doc.Cut(rest[:end], ":")
			rest = cutPrefix(cutPrefix(rest[end:], "\r"), "\n")
			start := skipBlanks(key, 0)
			if key = key[start:]; start == 0 || key == "" || wordEnd(key, 0) < len(key) || value == "" {
				break
			}
			digits, _ := digitsAt(value, skipSpace(value, 0))
			switch key {
			case "percent":
				g.Percent = cmp.Or(g.Percent, digits)
			case "completed_phases":
				g.CompletedPhases = cmp.Or(g.CompletedPhases, digits)
			case "total_phases":
				g.TotalPhases = cmp.Or(g.TotalPhases, digits)
			}
		}
		if ok && !isFirst {
			return
		}
	}
}

// parsePosition reads the first line anywhere in the file, frontmatter and archives included, that begins with "Phase:"
// followed by a number, "of", a number and perhaps a name in parentheses. White space between them may be line breaks;
// the name may span lines and ends at the first closing parenthesis.
func parsePosition(text string, g *line.GSD) {
	for at := range offsetsAfter(text, "Phase:") {
		number, i := digitsAt(text, skipSpace(text, at))
		of := skipSpace(text, i)
		if number == "" || of == i || !doc.HasPrefix(text[of:], "of") {
			continue
		}
		start := skipSpace(text, of+len("of"))
		total, end := digitsAt(text, start)
		if start == of+len("of") || total == "" {
			continue
		}
		g.PhaseNumber, g.PhaseTotal = number, total
		if open := skipSpace(text, end); open > end && byteAt(text, open) == '(' {
			if name, _, ok := doc.Cut(text[open+1:], ")"); ok {
				g.PhaseName = name
			}
		}
		return
	}
}

// parseBodyStatus returns the status of the first line beginning with "Status:", "" if it is unknown. White space after
// the colon may be line breaks, so the value may be further down.
func parseBodyStatus(text string) string {
	for at := range offsetsAfter(text, "Status:") {
		value, ok := restOfLine(text, at)
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

// skipToNextLine returns the offset after the last line feed of the white space at offset i of s; ok is false without one.
func skipToNextLine(s string, i int) (next int, ok bool) {
	for end := skipSpace(s, i); end > i; end-- {
		if s[end-1] == '\n' {
			return end, true
		}
	}
	return 0, false
}
