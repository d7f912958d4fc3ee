// Package line turns facts about a build into the one line that the prompt and the head of the dashboard show, and makes
// text from files safe to show at all.
//
// A protocol's facts are a plain struct with the values as its files spell them. Which of the four scenes holds (active;
// idle with a known next step; complete; fallback) is decided on those raw values; each value is cleaned when it is
// written into the line, never before, so that the line says what the reference implementation says (product.md §2).
//
// The package imports unicode/utf8 and nothing else: the prompt binary pays for each import at every prompt.
package line

// Facts is what one protocol's files say about one build, ready to be put into a line.
//
// AppendFull and AppendCompact append the line to dst and return the longer slice; they append nothing where there is
// nothing to say. What they append is valid UTF-8 without line breaks, control or format characters, and still unescaped:
// a shell, tmux or a terminal with colours each need more.
type Facts interface {
	// AppendFull appends the long form.
	AppendFull(dst []byte) []byte
	// AppendCompact appends the short form.
	AppendCompact(dst []byte) []byte
	// Scene returns the number of the scene that the full form shows, 1 active, 2 idle with the next step known,
	// 3 complete, 4 fallback, or 0 where the line is empty, and the reason in words.
	Scene() (n int, why string)
}

// Separator stands between the parts of a line: a space, U+00B7 and a space.
const Separator = " · "

// parts writes the parts of one line with separators between them. A part counts as one even when cleaning leaves nothing
// of it, as it does for the reference implementation, which does not clean.
type parts struct {
	dst []byte
	any bool
}

// begin starts the next part with text.
func (p *parts) begin(text string) {
	if p.any {
		p.dst = append(p.dst, Separator...)
	}
	p.any = true
	p.dst = append(p.dst, text...)
}

// add appends text of our own to the present part.
func (p *parts) add(text string) { p.dst = append(p.dst, text...) }

// field appends a value from a file to the present part, cleaned and capped.
func (p *parts) field(value string) { p.dst = AppendClean(p.dst, value, FieldLimit) }
