package document

// The inline elements of a line of Markdown: code, emphasis, links. One pass; the end of an unclosed mark is searched for only once.

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"gatehouse/tui/draw"
)

// scanner reads a line.
type scanner struct {
	look  *draw.Look
	text  string
	at    int
	spans []Span
	plain strings.Builder
	role  Role
	open  string          // the mark that closes the role
	never map[string]bool // marks that nothing closes after this point
}

// parseInline returns the spans of a line.
func parseInline(l *draw.Look, text string) []Span {
	if !strings.ContainsAny(text, "\\`*_~[") {
		return []Span{{Text: cleanText(l, text)}}
	}
	s := &scanner{look: l, text: text, never: map[string]bool{}}
	for s.at < len(s.text) {
		s.step()
	}
	s.flush()
	if len(s.spans) == 0 {
		s.spans = []Span{{}}
	}
	return s.spans
}

// flush ends a span.
func (s *scanner) flush() {
	if s.plain.Len() > 0 {
		s.add(s.plain.String(), s.role)
		s.plain.Reset()
	}
}

func (s *scanner) add(text string, role Role) {
	if text = cleanText(s.look, text); text != "" {
		s.spans = append(s.spans, Span{Text: text, Role: role})
	}
}

// findMark returns the position of the closing mark, -1 without one.
func (s *scanner) findMark(mark string, from int) int {
	if s.never[mark] || from > len(s.text) {
		return -1
	}
	i := strings.Index(s.text[from:], mark)
	if i < 0 {
		s.never[mark] = true
		return -1
	}
	return from + i
}

// take reads some bytes as plain text.
func (s *scanner) take(n int) {
	s.plain.WriteString(s.text[s.at : s.at+n])
	s.at += n
}

// step reads one mark or one character.
func (s *scanner) step() {
	rest := s.text[s.at:]
	switch c := rest[0]; {
	case c == '\\' && len(rest) > 1 && strings.IndexByte("\\`*_{}[]()#+-.!~|<>&:", rest[1]) >= 0:
		s.at++
		s.take(1)
	case c == '`':
		s.readCode(rest)
	case c == '[' && s.readLink():
	case c == '*' || c == '_' || c == '~':
		s.readEmphasis(rest)
	default:
		_, size := utf8.DecodeRuneInString(rest)
		s.take(size)
	}
}

func (s *scanner) readCode(rest string) {
	n := len(rest) - len(strings.TrimLeft(rest, "`"))
	end := s.findMark(rest[:n], s.at+n)
	if end < 0 {
		s.take(n)
		return
	}
	s.flush()
	s.add(strings.TrimSpace(s.text[s.at+n:end]), Code)
	s.at = end + n
}

// emphases are the roles of the marks around a text.
var emphases = map[string]Role{"*": Emphasis, "_": Emphasis, "**": Strong, "__": Strong, "~~": Quiet}

// readEmphasis opens or closes emphasis. Marks inside of words are text.
func (s *scanner) readEmphasis(rest string) {
	n := len(rest) - len(strings.TrimLeft(rest, rest[:1]))
	mark := rest[:n]
	role, known := emphases[mark]
	after, _ := utf8.DecodeRuneInString(rest[n:])
	before, _ := utf8.DecodeLastRuneInString(s.text[:s.at])
	switch {
	case !known:
		s.take(n)
	case s.open == mark && (mark[0] != '_' || !isWordRune(after)):
		s.flush()
		s.open, s.role = "", Plain
		s.at += n
	case s.open != "" || n == len(rest) || rest[n] == ' ' || s.at > 0 && isWordRune(before) || s.findMark(mark, s.at+n) < 0:
		s.take(n)
	default:
		s.flush()
		s.open, s.role = mark, role
		s.at += n
	}
}

func isWordRune(r rune) bool { return unicode.IsLetter(r) || unicode.IsDigit(r) }

// readLink reads [text](address). The address is shown after the text, which alone could claim any target.
func (s *scanner) readLink() bool {
	middle := s.findMark("](", s.at+1)
	if middle < 0 || strings.ContainsRune(s.text[s.at+1:min(middle, s.at+1+lineLimit)], '[') {
		return false
	}
	end := s.findMark(")", middle+2)
	if end < 0 {
		return false
	}
	s.flush()
	text, to := s.text[s.at+1:middle], strings.TrimSpace(s.text[middle+2:end])
	to, _, _ = strings.Cut(to, " ") // a title
	role := s.role
	if role == Plain {
		role = Link
	}
	s.add(strings.Trim(text, "`*_"), role)
	if to != "" && to != text && !strings.HasPrefix(to, "#") {
		s.add(" ("+to+")", Quiet)
	}
	s.at = end + 1
	return true
}

// breakSpans breaks spans into rows of at most some columns.
func breakSpans(l *draw.Look, spans []Span, columns int) [][]Span {
	text := Row{Spans: spans}.Text()
	parts := l.WrapExactly(text, max(columns, 1))
	if len(parts) == 1 {
		return [][]Span{spans}
	}
	rows := make([][]Span, 0, len(parts))
	at := 0
	for _, part := range parts {
		i := strings.Index(text[at:], part)
		if i < 0 { // the displayed form differs from its parts
			rows = append(rows, []Span{{Text: part}})
			continue
		}
		rows = append(rows, cutSpans(spans, at+i, at+i+len(part)))
		at += i + len(part)
	}
	return rows
}

// cutSpans returns the spans between two offsets of their text.
func cutSpans(spans []Span, from, to int) (part []Span) {
	offset := 0
	for _, s := range spans {
		if start, end := max(from-offset, 0), min(to-offset, len(s.Text)); start < end {
			part = append(part, Span{Text: s.Text[start:end], Role: s.Role})
		}
		offset += len(s.Text)
	}
	if part == nil {
		part = []Span{{}}
	}
	return part
}
