package decide

// The part of the dialog about an ask that may be a megabyte: the plan, the call, what an option would look like. It is broken into lines
// once, and drawn line by line as it comes into view. Each line has a rail before it: none passes for one of ours.

import (
	"slices"
	"strings"
	"unicode"

	"gatehouse/model"
	"gatehouse/model/line"
	"gatehouse/tui/document"
	"gatehouse/tui/draw"
)

// markdownLimit is the longest plan that is drawn as Markdown, in bytes. A longer one is read in an editor, if at all.
const markdownLimit = 64 << 10

// askBody is what stands below the head of the page.
type askBody struct {
	of    bodyOf
	lines []bodyLine
	rows  []document.Row // of a plan that is drawn as Markdown, behind the lines
	// marked says that there is another form to read: Markdown for a plan, a diff for a call.
	marked bool
}

// bodyOf is what a body was laid out of.
type bodyOf struct {
	theme     *draw.Styles
	width     int
	ask       *model.Ask
	preview   string
	asWritten bool
}

// bodyLine is a line. There may be half a million of them.
type bodyLine struct {
	text string
	is   bodyRole
}

// bodyRole is what a line is: words of ours, or a text of others.
type bodyRole uint8

const (
	ourTitle bodyRole = iota
	ourRemark
	ourWarning
	quoted
	quotedCode
	quotedHeading
	quotedAdded
	quotedRemoved
)

func (r bodyRole) style(th *draw.Styles) draw.Style {
	return [...]draw.Style{ourTitle: th.Accent, ourRemark: th.Dim, ourWarning: th.Wait, quoted: "", quotedCode: th.Dim, quotedHeading: th.Strong,
		quotedAdded: th.OK, quotedRemoved: th.Block}[r]
}

// Len implements [draw.Rest].
func (b *askBody) Len() int { return len(b.lines) + len(b.rows) }

// Line implements [draw.Rest].
func (b *askBody) Line(l *draw.Look, i int) string {
	r := l.Ribbon(b.of.width)
	if i < len(b.lines) && b.lines[i].is < quoted {
		r.Exactly(b.lines[i].is.style(l.Theme), b.lines[i].text)
		return r.Line()
	}
	r.Sign(l.Theme.Dim, l.Glyphs.GoesOn)
	r.To(2)
	if i < len(b.lines) {
		r.Exactly(b.lines[i].is.style(l.Theme), b.lines[i].text)
	} else {
		b.rows[i-len(b.lines)].Draw(&r, nil, -1)
	}
	return r.Line()
}

// say adds words of ours below an empty line.
func (b *askBody) say(is bodyRole, text string) {
	b.lines = append(b.lines, bodyLine{}, bodyLine{text, is})
}

// quote adds a text of others, line by line; is says what each of them is.
func (b *askBody) quote(l *draw.Look, text string, is func(s string) bodyRole) {
	text = strings.TrimRight(text, "\n")
	b.lines = slices.Grow(b.lines, strings.Count(text, "\n")+1)
	for s := range strings.SplitSeq(text, "\n") {
		role := is(s)
		for _, part := range breakBody(l, line.ForeignBody(s), b.of.width-2) {
			b.lines = append(b.lines, bodyLine{part, role})
		}
	}
}

// diff adds a unified diff. Each row of a broken line has the sign of the line, so that no part of it passes for a line of another kind.
func (b *askBody) diff(l *draw.Look, diff string) {
	diff = strings.TrimRight(diff, "\n")
	b.lines = slices.Grow(b.lines, strings.Count(diff, "\n")+1)
	inHeader := true
	for s := range strings.SplitSeq(diff, "\n") {
		role, sign, next := quoted, "", " "
		inHeader = inHeader && !strings.HasPrefix(s, "@@") || strings.HasPrefix(s, "diff ")
		switch {
		case inHeader && strings.HasPrefix(s, "diff "):
			role = quotedHeading
		case inHeader && (strings.HasPrefix(s, "--- ") || strings.HasPrefix(s, "+++ ")):
			role = quotedHeading
		case strings.HasPrefix(s, "+"):
			role, sign, next = quotedAdded, "+", "+"
		case strings.HasPrefix(s, "-"):
			role, sign, next = quotedRemoved, "-", "-"
		case strings.HasPrefix(s, " "):
			sign = " "
		case strings.HasPrefix(s, "@@"), strings.HasPrefix(s, "\\"):
			role = quotedCode
		}
		for _, part := range breakBody(l, line.ForeignBody(s[len(sign):]), b.of.width-3) {
			b.lines = append(b.lines, bodyLine{sign + part, role})
			sign = next
		}
	}
}

// breakBody breaks a line so that none of its blanks is lost: at words below its indentation, and anywhere where there are runs of blanks,
// which could carry off to the right what nobody is to see.
func breakBody(l *draw.Look, s string, columns int) []string {
	if len(s) <= columns {
		return []string{s}
	}
	text := strings.TrimLeft(s, " ")
	indent := s[:len(s)-len(text)]
	if len(indent) > columns/2 || strings.Contains(text, "  ") {
		return l.HardWrapExactly(s, columns)
	}
	parts := l.WrapExactly(text, columns-len(indent))
	for i := range parts {
		parts[i] = indent + parts[i]
	}
	return parts
}

// asIs is what a line is that is nothing else.
func asIs(string) bodyRole { return quoted }

// lay lays the body out for a width, unless it is.
func (x *askBox) lay(l *draw.Look, width int) draw.Rest {
	of := bodyOf{theme: l.Theme, width: width, ask: x.ask, asWritten: x.asWritten}
	if q := x.question(); q != nil && x.cursor >= 0 && x.cursor < len(q.Options) {
		of.preview = q.Options[x.cursor].Preview
	}
	if x.body.of == of {
		return &x.body
	}
	b := askBody{of: of}
	switch a := x.ask; {
	case a == nil:
	case a.Kind == model.AskPlan:
		b.plan(l, a.Plan, "The agent has written no plan.", false)
	case a.Kind == model.AskTurn:
		b.plan(l, draw.OrElse(a.Message, a.Text), "The agent said nothing.", true)
	case of.preview != "":
		b.say(ourTitle, "What it would look like")
		b.quote(l, of.preview, asIs)
	case a.Call != nil:
		if a.Call.Reason != "" {
			b.say(ourRemark, "It says why:")
			b.quote(l, a.Call.Reason, asIs)
		}
		if b.marked = a.Call.Diff != ""; b.marked && !of.asWritten {
			b.say(ourTitle, "What would change")
			b.diff(l, a.Call.Diff)
		} else {
			b.say(ourTitle, "The whole call")
			b.quote(l, a.Call.Input, asIs)
		}
	}
	x.body = b
	return &x.body
}

// plan adds a plan or the last words of an agent, or says that there are none: as Markdown, else as it is written, with its headings
// and code set apart. Unless always is set, Markdown that would hide anything is shown as it is written.
func (b *askBody) plan(l *draw.Look, plan, none string, always bool) {
	if strings.TrimSpace(plan) == "" {
		b.say(ourWarning, none)
		return
	}
	b.lines = append(b.lines, bodyLine{})
	if len(plan) <= markdownLimit {
		plan = strings.TrimRight(plan, "\n")
		rows := document.Markdown(l, plan, b.of.width-2)
		if b.marked = always || showsAll(l, plan, rows); b.marked && !b.of.asWritten {
			b.rows = rows
			return
		}
	}
	code := false
	b.quote(l, plan, func(s string) bodyRole {
		switch {
		case strings.HasPrefix(strings.TrimSpace(s), "```"):
			code = !code
			return quotedCode
		case code:
			return quotedCode
		case strings.HasPrefix(s, "#"):
			return quotedHeading
		}
		return quoted
	})
}

// showsAll reports whether Markdown, as it is laid out, shows all that is to be read in it: an address behind a link, a comment, a star
// that a shell would heed must not be hidden from whoever approves it. What sets headings, lists, tables, code and strong words apart may
// go.
func showsAll(l *draw.Look, text string, rows []document.Row) bool {
	var shown strings.Builder
	for _, r := range rows {
		for _, s := range r.Spans {
			if s.Role != document.Quiet || strings.TrimSpace(s.Text) != l.Glyphs.Bullet {
				shown.WriteString(s.Text)
			}
		}
		shown.WriteByte('\n')
	}
	var written strings.Builder
	for s := range strings.SplitSeq(text, "\n") {
		bare := strings.TrimLeft(s, " >")
		if len(bare) > 1 && (bare[0] == '*' || bare[0] == '+') && bare[1] == ' ' {
			bare = bare[1:]
		}
		written.WriteString(strings.NewReplacer("**", "", "__", "").Replace(line.Clean(bare)))
	}
	return telling(written.String()) == telling(shown.String())
}

// telling returns what of a text can make a difference: letters, digits, and the signs that shells and programs heed.
func telling(text string) string {
	return strings.Map(func(r rune) rune {
		if unicode.IsLetter(r) || unicode.IsDigit(r) || strings.ContainsRune("$&;*_/?!(){}\\'\"%@~<", r) {
			return r
		}
		return -1
	}, text)
}
