package ask

// Bounding and cleaning: what agents and files say becomes fit to be shown and to be kept.

import (
	"strings"

	"gatehouse/model/line"
)

// The bounds. A text that is decided upon is never cut: an ask that exceeds them is refused, and a file that does is cut on
// reading, where somebody else has made it.
const (
	wordLimit  = 1 << 10 // bytes of a label, a name, a path
	textLimit  = 8 << 10 // of a question, a description
	bodyLimit  = 2 << 20 // of a plan, a call, a text of one's own: a plan of 1 MB is whole
	mostParts  = 64      // questions of an ask, options of a question, dangers of a call, marks
	mostLabels = 1 << 10 // options of all questions
)

// tidy cleans an ask that is to be made. It fails with [ErrLong] where a text would have to be cut.
func tidy(a *Ask) error {
	options := 0
	for i := range a.Questions {
		q := &a.Questions[i]
		options += len(q.Options)
		if len(q.Options) > mostParts || len(q.Text) > textLimit {
			return ErrLong
		}
		for j := range q.Options {
			if o := &q.Options[j]; len(o.Label) > wordLimit || len(o.Description) > textLimit {
				return ErrLong
			}
		}
	}
	if len(a.Questions) > mostParts || options > mostLabels || bodiesExceed(a) {
		return ErrLong
	}
	tidyAsk(a)
	if bodiesExceed(a) { // what is hidden takes more room once it is shown
		return ErrLong
	}
	return nil
}

// bodiesExceed reports whether a plan, a call or a preview is too long.
func bodiesExceed(a *Ask) bool {
	for _, q := range a.Questions {
		for _, o := range q.Options {
			if len(o.Preview) > bodyLimit {
				return true
			}
		}
	}
	return len(a.Plan) > bodyLimit || a.Call != nil && len(a.Call.Input) > bodyLimit
}

// tidyAsk cleans an ask and cuts what is too long.
func tidyAsk(a *Ask) {
	if a.Text == "" && len(a.Questions) > 0 {
		a.Text = a.Questions[0].Text
	}
	a.Text = one(a.Text, textLimit)
	a.Questions = a.Questions[:min(len(a.Questions), mostParts)]
	for i := range a.Questions {
		q := &a.Questions[i]
		q.Text, q.Header = one(q.Text, textLimit), one(q.Header, wordLimit)
		q.Options = q.Options[:min(len(q.Options), mostParts)]
		for j := range q.Options {
			o := &q.Options[j]
			o.Label, o.Description, o.Preview = one(o.Label, wordLimit), one(o.Description, textLimit), body(lineFeeds(o.Preview))
		}
	}
	a.Plan = body(lineFeeds(a.Plan))
	if c := a.Call; c != nil {
		c.Tool, c.Input, c.Reason = one(c.Tool, wordLimit), body(c.Input), one(c.Reason, textLimit)
		c.Dangers = c.Dangers[:min(len(c.Dangers), mostParts)]
		for i := range c.Dangers {
			c.Dangers[i].Part, c.Dangers[i].Why = one(c.Dangers[i].Part, textLimit), one(c.Dangers[i].Why, wordLimit)
		}
	}
	a.File, a.Agent, a.Session, a.Subagent = one(a.File, textLimit), one(a.Agent, wordLimit), one(a.Session, wordLimit), one(a.Subagent, wordLimit)
	a.Pane = a.Pane.Valid()
	if len(a.Marks) > mostParts {
		a.Marks = nil
	}
}

// tidyEnd cleans an end.
func tidyEnd(e *End) {
	e.Who, e.By, e.Reason = one(e.Who, wordLimit), one(e.By, wordLimit), one(e.Reason, textLimit)
	if e.Answer == nil {
		return
	}
	e.Answer.Text = many(e.Answer.Text, bodyLimit)
	e.Answer.Replies = e.Answer.Replies[:min(len(e.Answer.Replies), mostParts)]
	for i := range e.Answer.Replies {
		e.Answer.Replies[i].Text = many(e.Answer.Replies[i].Text, bodyLimit)
	}
}

// one returns a text clean, on one line, and no longer than a limit in bytes.
func one(text string, limit int) string {
	if len(text) <= limit {
		return line.Clean(text)
	}
	return string(line.AppendClean(nil, text[:limit], limit))
}

// body returns a text that is decided upon with its lines, and with all that it hides named; see [line.Reveal].
func body(text string) string {
	text = text[:min(len(text), bodyLimit)]
	var b strings.Builder
	b.Grow(len(text))
	for l := range strings.Lines(text) {
		content, ended := strings.CutSuffix(l, "\n")
		b.WriteString(line.Reveal(content))
		if ended {
			b.WriteByte('\n')
		}
	}
	return b.String()
}

// lineFeeds returns a text whose lines end as ours do: to people who read it, and to Markdown, it is all the same. To a shell it is not.
func lineFeeds(text string) string { return strings.ReplaceAll(text, "\r\n", "\n") }

// many returns a text clean with its lines, and no longer than a limit in bytes. Tabs become four blanks.
func many(text string, limit int) string {
	text = text[:min(len(text), limit)]
	var b strings.Builder
	b.Grow(len(text))
	for l := range strings.Lines(text) {
		content := strings.TrimRight(l, "\r\n")
		b.WriteString(line.Clean(strings.ReplaceAll(content, "\t", "    ")))
		if len(content) < len(l) {
			b.WriteByte('\n')
		}
	}
	return b.String()
}
