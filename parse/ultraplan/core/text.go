package core

import (
	"gatehouse/parse/doc"
)

// ContentLines returns the lines of a Markdown text, without code and comments.
func ContentLines(text string) (all []doc.Line) {
	for l := range doc.Lines(text, 0, len(text)) {
		if !l.Code && !l.Comment {
			all = append(all, l)
		}
	}
	return all
}

// FindSection returns the lines below the first heading that begins with a title, in any case, up to the next heading of its level or above:
// "Blockers" finds "Blockers/Concerns".
func FindSection(all []doc.Line, title string) (section []doc.Line, ok bool) {
	for i, l := range all {
		if l.Level == 0 || !HasPrefixFold(l.Title, title) {
			continue
		}
		section = all[i+1:]
		for j, below := range section {
			if below.Level > 0 && below.Level <= l.Level {
				return section[:j], true
			}
		}
		return section, true
	}
	return nil, false
}

// HasPrefixFold reports whether text begins with prefix, in any case of ASCII letters.
func HasPrefixFold(text, prefix string) bool {
	return len(text) >= len(prefix) && EqualFold(text[:len(prefix)], prefix)
}

// EqualFold reports whether two texts are equal in any case of ASCII letters.
func EqualFold(a, b string) bool {
	if len(a) != len(b) {
		return false
	}
	for i := range len(a) {
		if x := a[i] | 0x20; a[i] != b[i] && (x != b[i]|0x20 || x < 'a' || x > 'z') {
			return false
		}
	}
	return true
}

// Field is a line "Key: value", plain, as an item or bold.
type Field struct {
	Name     string // as it is written
	Value    string
	From, To int // offsets of the value in the line
}

// ParseField parses a line as a field.
func ParseField(l string) (f Field, ok bool) {
	to := doc.Index(l, ":")
	if to < 0 {
		return f, false
	}
	from := skipBlanks(l, 0)
	if from < to && doc.Contains("-*+", l[from:from+1]) && skipBlanks(l, from+1) > from+1 {
		from = skipBlanks(l, from+1)
	}
	value := to + 1
	if isBold(l, value, len(l)) {
		value += 2
	}
	if isBold(l, from, to) {
		from += 2
	}
	if to-2 > from && isBold(l, to-2, to) {
		to -= 2
	}
	if to > from && l[to-1] == ' ' { // "Status : done"
		to--
	}
	if from >= to || doc.Contains(l[from:to], "*") {
		return f, false
	}
	f = Field{Name: l[from:to], From: skipBlanks(l, value), To: len(l)}
	for f.To > f.From && doc.Contains(" \t\r", l[f.To-1:f.To]) {
		f.To--
	}
	f.Value = l[f.From:f.To]
	return f, true
}

func isBold(l string, at, end int) bool {
	return at >= 0 && at+2 <= end && (l[at:at+2] == "**" || l[at:at+2] == "__")
}

func skipBlanks(l string, at int) int {
	for at < len(l) && (l[at] == ' ' || l[at] == '\t') {
		at++
	}
	return at
}

// IsNone reports whether a line says that there is nothing: "None", "- None yet.".
func IsNone(text string) bool {
	if item, _, ok := doc.ParseItem(text); ok {
		text = item
	}
	for text != "" && doc.Contains("._*() ", text[:1]) {
		text = text[1:]
	}
	for text != "" && doc.Contains("._*() ", text[len(text)-1:]) {
		text = text[:len(text)-1]
	}
	return EqualFold(text, "none") || EqualFold(text, "none yet") || EqualFold(text, "n/a")
}

// FirstLine returns the first line that is not blank, without its list mark.
func FirstLine(text string) string {
	for l := range doc.Lines(text, 0, len(text)) {
		if t := doc.Trim(l.Text); t != "" {
			if doc.HasPrefix(t, "- ") {
				t = t[2:]
			}
			return t
		}
	}
	return ""
}

// ParseDate returns the date that a text begins with, "2026-01-26", "" without one.
func ParseDate(text string) string {
	text = trimQuotes(text)
	const size = len("2006-01-02")
	if len(text) < size {
		return ""
	}
	if _, ok := doc.ParseSeconds(text[:size]); !ok {
		return ""
	}
	return text[:size]
}

func trimQuotes(text string) string {
	text = doc.Trim(text)
	for text != "" && (text[0] == '"' || text[0] == '\'') {
		text = text[1:]
	}
	for text != "" && doc.Contains("\"'", text[len(text)-1:]) {
		text = text[:len(text)-1]
	}
	return text
}

// maxText limits how much text of a log is kept, in bytes.
const maxText = 400

// ShortenText returns the beginning of a text.
func ShortenText(text string) string {
	if len(text) <= maxText {
		return text
	}
	end := maxText
	for end > 0 && text[end]&0xC0 == 0x80 {
		end--
	}
	return text[:end] + "…"
}

// SameName reports whether two names of tasks have the same words, ignoring blanks.
func SameName(a, b string) bool {
	for {
		a, b = doc.Trim(a), doc.Trim(b)
		if a == "" || b == "" {
			return a == b
		}
		x, y := wordEnd(a), wordEnd(b)
		if a[:x] != b[:y] {
			return false
		}
		a, b = a[x:], b[y:]
	}
}

func wordEnd(text string) (n int) {
	for n < len(text) && !doc.Contains(" \t\r\n", text[n:n+1]) {
		n++
	}
	return n
}
