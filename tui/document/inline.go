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
	if !strings.ContainsAny(text, "\\`*_~[<&:") {
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

// step reads one mark or one character.
func (s *scanner) step() {
	rest := s.text[s.at:]
	switch c := rest[0]; {
	case c == '\\' && len(rest) > 1 && strings.IndexByte("\\`*_{}[]()#+-.!~|<>&:", rest[1]) >= 0:
		s.plain.WriteByte(rest[1])
		s.at += 2
		return
	case c == '`' && s.readCode(rest), c == '[' && s.readLink(rest), c == '!' && strings.HasPrefix(rest, "![") && s.readPicture(),
		c == '<' && s.readAngle(rest), c == 'h' && s.readAddress(rest), c == '&' && s.readEntity(rest):
		return
	case c == '*' || c == '_' || c == '~':
		if s.readEmphasis(rest) {
			return
		}
	}
	_, size := utf8.DecodeRuneInString(rest)
	s.plain.WriteString(rest[:size])
	s.at += size
}

func (s *scanner) readCode(rest string) bool {
	n := len(rest) - len(strings.TrimLeft(rest, "`"))
	end := s.findMark(rest[:n], s.at+n)
	if end < 0 {
		s.plain.WriteString(rest[:n])
		s.at += n
		return true
	}
	s.flush()
	s.add(strings.TrimSpace(s.text[s.at+n:end]), Code)
	s.at = end + n
	return true
}

// readEmphasis opens or closes emphasis.
func (s *scanner) readEmphasis(rest string) bool {
	n := len(rest) - len(strings.TrimLeft(rest, rest[:1]))
	if n > 2 || rest[0] == '~' && n != 2 {
		s.plain.WriteString(rest[:n])
		s.at += n
		return true
	}
	mark := rest[:n]
	after, _ := utf8.DecodeRuneInString(rest[n:])
	if s.open == mark && (mark[0] != '_' || !unicode.IsLetter(after) && !unicode.IsDigit(after)) {
		s.flush()
		s.open, s.role = "", Plain
		s.at += n
		return true
	}
	before, _ := utf8.DecodeLastRuneInString(s.text[:s.at])
	opens := n < len(rest) && rest[n] != ' ' && (s.at == 0 || !unicode.IsLetter(before) && !unicode.IsDigit(before))
	if s.open != "" || !opens || s.findMark(mark, s.at+n) < 0 {
		s.plain.WriteString(mark)
		s.at += n
		return true
	}
	s.flush()
	s.open = mark
	switch {
	case mark == "~~":
		s.role = Quiet
	case n == 2:
		s.role = Strong
	default:
		s.role = Emphasis
	}
	s.at += n
	return true
}

// readLink reads [text](address).
func (s *scanner) readLink(rest string) bool {
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
	s.addLink(text, to)
	s.at = end + 1
	return true
}

// addLink adds a link's text and its address: the text alone could claim any target.
func (s *scanner) addLink(text, to string) {
	role := s.role
	if role == Plain {
		role = Link
	}
	s.add(strings.Trim(text, "`*_"), role)
	if to != "" && to != text && !strings.HasPrefix(to, "#") {
		s.add(" ("+to+")", Quiet)
	}
}

// readPicture reads ![text](address) as a link.
func (s *scanner) readPicture() bool {
	s.at++
	if s.readLink(s.text[s.at:]) {
		return true
	}
	s.at--
	return false
}

// readAngle reads <https://…>, and leaves all other tags as they are.
func (s *scanner) readAngle(rest string) bool {
	end := s.findMark(">", s.at)
	if end < 0 || !isAddress(s.text[s.at+1:end]) {
		return false
	}
	s.flush()
	s.addLink(s.text[s.at+1:end], s.text[s.at+1:end])
	s.at = end + 1
	return true
}

// readAddress reads an address without link syntax.
func (s *scanner) readAddress(rest string) bool {
	if !strings.HasPrefix(rest, "http://") && !strings.HasPrefix(rest, "https://") {
		return false
	}
	if before, _ := utf8.DecodeLastRuneInString(s.text[:s.at]); s.at > 0 && (unicode.IsLetter(before) || unicode.IsDigit(before)) {
		return false
	}
	end := strings.IndexFunc(rest, func(r rune) bool { return r <= ' ' || r > '~' || strings.ContainsRune("<>\"`|*", r) })
	if end < 0 {
		end = len(rest)
	}
	to := strings.TrimRight(rest[:end], ".,;:!?)]'")
	s.flush()
	s.addLink(to, to)
	s.at += len(to)
	return true
}

// entities are the entities that people use for signs that would begin a tag.
var entities = strings.NewReplacer("&lt;", "<", "&gt;", ">", "&amp;", "&", "&quot;", `"`, "&nbsp;", " ", "&#39;", "'")

func (s *scanner) readEntity(rest string) bool {
	end := strings.IndexByte(rest[:min(len(rest), 8)], ';')
	if end < 0 {
		return false
	}
	text := entities.Replace(rest[:end+1])
	if text == rest[:end+1] {
		return false
	}
	s.plain.WriteString(text)
	s.at += end + 1
	return true
}

// isAddress reports whether a text is the address of a page or of a mailbox.
func isAddress(text string) bool {
	for _, scheme := range []string{"https://", "http://", "mailto:"} {
		if strings.HasPrefix(strings.ToLower(text), scheme) {
			return !strings.ContainsFunc(text, unicode.IsSpace)
		}
	}
	return false
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
