package document

// The inline elements of a line of Markdown: code, emphasis, links. One pass; an unclosed mark is looked for only once.

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"gatehouse/tui/draw"
)

// linkLimit is the longest address that is followed, in bytes.
const linkLimit = 1_000

// scanner reads a line.
type scanner struct {
	look  *draw.Look
	text  string
	at    int
	spans []Span
	plain strings.Builder
	role  Role
	open  string          // the mark that closes the role
	never map[string]bool // marks that nothing closes from here on
}

// inline returns the parts of a line.
func inline(l *draw.Look, text string) []Span {
	if !strings.ContainsAny(text, "\\`*_~[<&:") {
		return []Span{{Text: clean(l, text)}}
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

// flush ends what looks the same.
func (s *scanner) flush() {
	if s.plain.Len() > 0 {
		s.add(s.plain.String(), s.role, "")
		s.plain.Reset()
	}
}

func (s *scanner) add(text string, role Role, link string) {
	if text = clean(s.look, text); text != "" {
		s.spans = append(s.spans, Span{Text: text, Role: role, Link: link})
	}
}

// closes returns the position of the closing mark, -1 without one.
func (s *scanner) closes(mark string, from int) int {
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
	case c == '`' && s.codeSpan(rest), c == '[' && s.link(rest), c == '!' && strings.HasPrefix(rest, "![") && s.picture(),
		c == '<' && s.angle(rest), c == 'h' && s.bare(rest), c == '&' && s.entity(rest):
		return
	case c == '*' || c == '_' || c == '~':
		if s.emphasis(rest) {
			return
		}
	}
	_, size := utf8.DecodeRuneInString(rest)
	s.plain.WriteString(rest[:size])
	s.at += size
}

func (s *scanner) codeSpan(rest string) bool {
	n := len(rest) - len(strings.TrimLeft(rest, "`"))
	end := s.closes(rest[:n], s.at+n)
	if end < 0 {
		s.plain.WriteString(rest[:n])
		s.at += n
		return true
	}
	s.flush()
	s.add(strings.TrimSpace(s.text[s.at+n:end]), Code, "")
	s.at = end + n
	return true
}

// emphasis opens or closes what stands out.
func (s *scanner) emphasis(rest string) bool {
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
	if s.open != "" || !opens || s.closes(mark, s.at+n) < 0 {
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

// link reads [text](address).
func (s *scanner) link(rest string) bool {
	middle := s.closes("](", s.at+1)
	if middle < 0 || strings.ContainsRune(s.text[s.at+1:min(middle, s.at+1+lineLimit)], '[') {
		return false
	}
	end := s.closes(")", middle+2)
	if end < 0 {
		return false
	}
	s.flush()
	text, to := s.text[s.at+1:middle], strings.TrimSpace(s.text[middle+2:end])
	to, _, _ = strings.Cut(to, " ") // a title
	s.linked(text, to)
	s.at = end + 1
	return true
}

// linked adds a text that leads somewhere, and where to: a text says what it likes.
func (s *scanner) linked(text, to string) {
	role := s.role
	if role == Plain {
		role = Link
	}
	address := addressOf(to)
	s.add(strings.Trim(text, "`*_"), role, address)
	if to != "" && to != text && !strings.HasPrefix(to, "#") {
		s.add(" ("+to+")", Quiet, address)
	}
}

// picture reads ![text](address) as a link.
func (s *scanner) picture() bool {
	s.at++
	if s.link(s.text[s.at:]) {
		return true
	}
	s.at--
	return false
}

// angle reads <https://…>, and leaves all other tags as they are.
func (s *scanner) angle(rest string) bool {
	end := s.closes(">", s.at)
	if end < 0 || addressOf(s.text[s.at+1:end]) == "" {
		return false
	}
	s.flush()
	s.linked(s.text[s.at+1:end], s.text[s.at+1:end])
	s.at = end + 1
	return true
}

// bare reads an address that stands for itself.
func (s *scanner) bare(rest string) bool {
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
	s.linked(to, to)
	s.at += len(to)
	return true
}

// entities are the ones that people write instead of a sign that would begin a tag.
var entities = strings.NewReplacer("&lt;", "<", "&gt;", ">", "&amp;", "&", "&quot;", `"`, "&nbsp;", " ", "&#39;", "'")

func (s *scanner) entity(rest string) bool {
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

// addressOf returns an address that may be handed to a terminal, "" for all others: printable ASCII of a scheme that opens a page
// or a letter.
func addressOf(to string) string {
	if len(to) > linkLimit || strings.ContainsFunc(to, func(r rune) bool { return r <= ' ' || r > '~' }) {
		return ""
	}
	for _, scheme := range []string{"https://", "http://", "mailto:"} {
		if strings.HasPrefix(strings.ToLower(to), scheme) && len(to) > len(scheme) {
			return to
		}
	}
	return ""
}

// broken breaks spans into rows of at most some columns.
func broken(l *draw.Look, spans []Span, columns int) [][]Span {
	text := Row{Spans: spans}.Text()
	parts := l.WrapExactly(text, max(columns, 1))
	if len(parts) == 1 {
		return [][]Span{spans}
	}
	rows := make([][]Span, 0, len(parts))
	at := 0
	for _, part := range parts {
		i := strings.Index(text[at:], part)
		if i < 0 { // it was shown in another way than its parts
			rows = append(rows, []Span{{Text: part}})
			continue
		}
		rows = append(rows, between(spans, at+i, at+i+len(part)))
		at += i + len(part)
	}
	return rows
}

// between returns the spans from one offset of their text to another.
func between(spans []Span, from, to int) (part []Span) {
	offset := 0
	for _, s := range spans {
		if start, end := max(from-offset, 0), min(to-offset, len(s.Text)); start < end {
			part = append(part, Span{Text: s.Text[start:end], Role: s.Role, Link: s.Link})
		}
		offset += len(s.Text)
	}
	if part == nil {
		part = []Span{{}}
	}
	return part
}
