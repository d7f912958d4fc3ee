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

// decisive returns the limits of the texts that a decision is about, and that are therefore never cut.
func (a *Ask) decisive() map[*string]int {
	texts := map[*string]int{&a.Plan: bodyLimit, &a.Message: bodyLimit}
	if a.Call != nil {
		texts[&a.Call.Input] = bodyLimit
	}
	for i := range a.Questions {
		q := &a.Questions[i]
		texts[&q.Text] = textLimit
		for j := range q.Options {
			o := &q.Options[j]
			texts[&o.Label], texts[&o.Description], texts[&o.Preview] = wordLimit, textLimit, bodyLimit
		}
	}
	return texts
}

// isLong reports whether cleaning would cut something that a decision is about.
func (a *Ask) isLong() bool {
	options := 0
	for _, q := range a.Questions {
		options += len(q.Options)
		if len(q.Options) > maxParts {
			return true
		}
	}
	for text, limit := range a.decisive() {
		if len(*text) > limit {
			return true
		}
	}
	return len(a.Questions) > maxParts || options > maxLabels
}

// cleanAsk cleans an ask and cuts its texts.
func cleanAsk(a *Ask) {
	if a.Text == "" && len(a.Questions) > 0 {
		a.Text = a.Questions[0].Text
	}
	cleanTexts(textLimit, &a.Text, &a.File)
	cleanTexts(wordLimit, &a.Agent, &a.Session, &a.Subagent, &a.Then)
	a.Questions = a.Questions[:min(len(a.Questions), maxParts)]
	for i := range a.Questions {
		q := &a.Questions[i]
		cleanTexts(textLimit, &q.Text)
		cleanTexts(wordLimit, &q.Header)
		q.Options = append([]Option{}, q.Options[:min(len(q.Options), maxParts)]...) // [] in JSON, never null
		for j := range q.Options {
			o := &q.Options[j]
			cleanTexts(wordLimit, &o.Label)
			cleanTexts(textLimit, &o.Description)
			o.Preview = revealLines(unixLines(o.Preview))
		}
	}
	a.Plan, a.Message = revealLines(unixLines(a.Plan)), revealLines(unixLines(a.Message))
	if c := a.Call; c != nil {
		cleanTexts(wordLimit, &c.Tool)
		cleanTexts(textLimit, &c.Reason)
		c.Input, c.Diff = revealLines(c.Input), revealLines(c.Diff)
		if len(c.Diff) > diffLimit { // Input has it all; a part of a diff would mislead
			c.Diff = ""
		}
		c.Dangers = c.Dangers[:min(len(c.Dangers), maxParts)]
		for i := range c.Dangers {
			cleanTexts(textLimit, &c.Dangers[i].Part, &c.Dangers[i].Why)
		}
	}
	a.Pane = a.Pane.Valid()
	if len(a.Marks) > maxParts {
		a.Marks = nil
	}
}

// cleanEnd cleans an end.
func cleanEnd(e *End) {
	cleanTexts(textLimit, &e.Who, &e.By, &e.Reason)
	if e.Answer == nil {
		return
	}
	e.Answer.Text = cleanLines(e.Answer.Text)
	e.Answer.Replies = e.Answer.Replies[:min(len(e.Answer.Replies), maxParts)]
	for i := range e.Answer.Replies {
		e.Answer.Replies[i].Text = cleanLines(e.Answer.Replies[i].Text)
	}
}

// cleanTexts makes each text one clean line of at most limit bytes.
func cleanTexts(limit int, texts ...*string) {
	for _, text := range texts {
		if len(*text) <= limit {
			*text = line.Clean(*text)
		} else {
			*text = string(line.AppendClean(nil, (*text)[:limit], limit))
		}
	}
}

// mapLines changes each line of a text, which is cut at the limit.
func mapLines(text string, change func(string) string) string {
	text = text[:min(len(text), bodyLimit)]
	var b strings.Builder
	b.Grow(len(text))
	for l := range strings.Lines(text) {
		content, ended := strings.CutSuffix(l, "\n")
		b.WriteString(change(content))
		if ended {
			b.WriteByte('\n')
		}
	}
	return b.String()
}

// revealLines returns a text that is decided upon: its lines, with everything that would not show spelled out.
func revealLines(text string) string { return mapLines(text, line.Reveal) }

// unixLines returns a text with line feeds as line ends. Only for texts that no shell runs: there the difference matters.
func unixLines(text string) string { return strings.ReplaceAll(text, "\r\n", "\n") }

// cleanLines returns a text of clean lines. Tabs become four spaces.
func cleanLines(text string) string {
	return mapLines(text, func(l string) string {
		return line.Clean(strings.ReplaceAll(strings.TrimRight(l, "\r"), "\t", "    "))
	})
}

// sentence matches a sentence in a line.
var sentence = regexp.MustCompile(`(?:[^.!?]|[.!?]\S)+[.!?]*`)

// LastLine returns the line that stands for the last words of a turn: the last question in them, else their first line.
func LastLine(message string) string {
	first, question := "", ""
	for l := range strings.Lines(message) {
		l = strings.TrimSpace(l)
		text := strings.TrimLeft(l, "#*->0123456789. ")
		if first == "" && !strings.HasPrefix(l, "```") {
			first = text
		}
		if !strings.Contains(l, "?") { // most lines, without the cost of the expression
			continue
		}
		for _, s := range sentence.FindAllString(text, -1) {
			if s = strings.TrimSpace(s); strings.HasSuffix(strings.TrimRight(s, "*_`\")"), "?") {
				question = s
			}
		}
	}
	if question == "" {
		question = first
	}
	cleanTexts(textLimit/16, &question)
	return question
}
