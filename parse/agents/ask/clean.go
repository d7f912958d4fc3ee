package ask

import (
	"regexp"
	"strings"

	"gatehouse/model/line"
)

// The limits in bytes. [Store.Ask] refuses longer texts, because nobody can decide about a part. Files of other programs are cut.
const (
	wordLimit = 1 << 10 // bytes of a label, a name, a path
	textLimit = 8 << 10 // of a question, a description
	bodyLimit = 2 << 20 // of a plan, a call, a text of one's own: a plan of 1 MB is whole
	diffLimit = 1 << 20 // of a diff, which is left out beyond
	maxParts  = 64      // questions of an ask, options of a question, dangers of a call, marks
	maxLabels = 1 << 10 // options of all questions
)

// cleanNew cleans an ask before it is stored. The error is [ErrLong] if a text would have to be cut.
func cleanNew(a *Ask) error {
	options := 0
	for i := range a.Questions {
		q := &a.Questions[i]
		options += len(q.Options)
		if len(q.Options) > maxParts || len(q.Text) > textLimit {
			return ErrLong
		}
		for j := range q.Options {
			if o := &q.Options[j]; len(o.Label) > wordLimit || len(o.Description) > textLimit {
				return ErrLong
			}
		}
	}
	if len(a.Questions) > maxParts || options > maxLabels || bodiesExceed(a) {
		return ErrLong
	}
	cleanAsk(a)
	if bodiesExceed(a) { // revealing hidden characters makes a text longer
		return ErrLong
	}
	return nil
}

// bodiesExceed reports whether a plan, a message, a call or a preview is too long.
func bodiesExceed(a *Ask) bool {
	for _, q := range a.Questions {
		for _, o := range q.Options {
			if len(o.Preview) > bodyLimit {
				return true
			}
		}
	}
	return len(a.Plan) > bodyLimit || len(a.Message) > bodyLimit || a.Call != nil && len(a.Call.Input) > bodyLimit
}

// cleanAsk cleans an ask and cuts its texts.
func cleanAsk(a *Ask) {
	if a.Text == "" && len(a.Questions) > 0 {
		a.Text = a.Questions[0].Text
	}
	a.Text = cleanLine(a.Text, textLimit)
	a.Questions = a.Questions[:min(len(a.Questions), maxParts)]
	for i := range a.Questions {
		q := &a.Questions[i]
		q.Text, q.Header = cleanLine(q.Text, textLimit), cleanLine(q.Header, wordLimit)
		q.Options = q.Options[:min(len(q.Options), maxParts)]
		for j := range q.Options {
			o := &q.Options[j]
			o.Label, o.Description, o.Preview = cleanLine(o.Label, wordLimit), cleanLine(o.Description, textLimit), revealLines(unixLines(o.Preview))
		}
	}
	a.Plan, a.Message = revealLines(unixLines(a.Plan)), revealLines(unixLines(a.Message))
	if c := a.Call; c != nil {
		c.Tool, c.Input, c.Reason = cleanLine(c.Tool, wordLimit), revealLines(c.Input), cleanLine(c.Reason, textLimit)
		if c.Diff = revealLines(c.Diff); len(c.Diff) > diffLimit { // Input has it all; a part of a diff would mislead
			c.Diff = ""
		}
		c.Dangers = c.Dangers[:min(len(c.Dangers), maxParts)]
		for i := range c.Dangers {
			c.Dangers[i].Part, c.Dangers[i].Why = cleanLine(c.Dangers[i].Part, textLimit), cleanLine(c.Dangers[i].Why, wordLimit)
		}
	}
	a.Then = cleanLine(a.Then, wordLimit)
	a.File, a.Agent, a.Session, a.Subagent = cleanLine(a.File, textLimit), cleanLine(a.Agent, wordLimit), cleanLine(a.Session, wordLimit), cleanLine(a.Subagent, wordLimit)
	a.Pane = a.Pane.Valid()
	if len(a.Marks) > maxParts {
		a.Marks = nil
	}
}

// cleanEnd cleans an end.
func cleanEnd(e *End) {
	e.Who, e.By, e.Reason = cleanLine(e.Who, wordLimit), cleanLine(e.By, wordLimit), cleanLine(e.Reason, textLimit)
	if e.Answer == nil {
		return
	}
	e.Answer.Text = cleanLines(e.Answer.Text, bodyLimit)
	e.Answer.Replies = e.Answer.Replies[:min(len(e.Answer.Replies), maxParts)]
	for i := range e.Answer.Replies {
		e.Answer.Replies[i].Text = cleanLines(e.Answer.Replies[i].Text, bodyLimit)
	}
}

// cleanLine returns a text as one clean line of at most limit bytes.
func cleanLine(text string, limit int) string {
	if len(text) <= limit {
		return line.Clean(text)
	}
	return string(line.AppendClean(nil, text[:limit], limit))
}

// revealLines returns a text that is decided upon: its lines, with everything that would not show spelled out; see [line.Reveal].
func revealLines(text string) string {
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

// unixLines returns a text with line feeds as line ends. Only for texts that no shell runs: there the difference matters.
func unixLines(text string) string { return strings.ReplaceAll(text, "\r\n", "\n") }

// cleanLines returns a text of clean lines and at most limit bytes. Tabs become four spaces.
func cleanLines(text string, limit int) string {
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

// sentence matches a sentence in a line.
var sentence = regexp.MustCompile(`(?:[^.!?]|[.!?]\S)+[.!?]*`)

// LastLine returns the line that stands for the last words of a turn: the last question in them, else their first line.
func LastLine(message string) string {
	first, question := "", ""
	for l := range strings.Lines(message) {
		l = strings.TrimSpace(l)
		text := strings.TrimLeft(l, "#*->0123456789. ")
		if first == "" && text != "" && !strings.HasPrefix(l, "```") {
			first = text
		}
		if strings.Contains(l, "?") {
			for _, s := range sentence.FindAllString(text, -1) {
				if s = strings.TrimSpace(s); strings.HasSuffix(strings.TrimRight(s, "*_`\")"), "?") {
					question = s
				}
			}
		}
	}
	if question == "" {
		question = first
	}
	return cleanLine(question, textLimit/16)
}
