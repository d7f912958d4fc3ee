package ask

import (
	"regexp"
	"strings"

	"gatehouse/model/line"
)

// The limits. [Store.Ask] refuses longer texts, because a decision needs the whole text. Files of other programs are cut.
const (
	lineLimit = 8 << 10 // bytes of a text of one line
	bodyLimit = 2 << 20 // of a plan, a call, a text of one's own: a plan of 1 MB is whole
	diffLimit = 1 << 20 // of a diff, which is left out beyond
	maxParts  = 64      // questions of an ask, options of a question, dangers of a call, marks
)

// cleaner cleans texts, and records whether it cut something.
type cleaner struct{ cut bool }

// cleanAsk cleans an ask and cuts its texts. It reports whether everything that a decision is about is still there.
func cleanAsk(a *Ask) (whole bool) {
	var c, rest cleaner
	if a.Text == "" && len(a.Questions) > 0 {
		a.Text = a.Questions[0].Text
	}
	rest.cleanLines(&a.Text, &a.File, &a.Agent, &a.Session, &a.Subagent, &a.Then)
	c.cleanBodies(&a.Plan, &a.Message)
	a.Questions = a.Questions[:c.countParts(len(a.Questions))]
	for i := range a.Questions {
		q := &a.Questions[i]
		c.cleanLines(&q.Text, &q.Header)
		q.Options = append([]Option{}, q.Options[:c.countParts(len(q.Options))]...) // [] in JSON, never null
		for j := range q.Options {
			o := &q.Options[j]
			c.cleanLines(&o.Label, &o.Description)
			c.cleanBodies(&o.Preview)
		}
	}
	if call := a.Call; call != nil {
		c.revealText(&call.Input)
		rest.cleanLines(&call.Tool, &call.Reason)
		rest.revealText(&call.Diff)
		if len(call.Diff) > diffLimit { // Input has it all; a part of a diff would mislead
			call.Diff = ""
		}
		call.Dangers = call.Dangers[:rest.countParts(len(call.Dangers))]
		for i := range call.Dangers {
			rest.cleanLines(&call.Dangers[i].Part, &call.Dangers[i].Why)
		}
	}
	a.Window = a.Window.Valid()
	if len(a.Marks) > maxParts {
		a.Marks = nil
	}
	return !c.cut
}

func (c *cleaner) countParts(n int) int {
	c.cut = c.cut || n > maxParts
	return min(n, maxParts)
}

// cleanLines makes each text one clean line.
func (c *cleaner) cleanLines(texts ...*string) {
	for _, text := range texts {
		if len(*text) <= lineLimit {
			*text = line.Clean(*text)
		} else {
			*text, c.cut = string(line.AppendClean(nil, (*text)[:lineLimit], lineLimit)), true
		}
	}
}

// cleanBodies cleans texts that no shell runs: their line ends do not matter.
func (c *cleaner) cleanBodies(texts ...*string) {
	for _, text := range texts {
		*text = strings.ReplaceAll(*text, "\r\n", "\n")
		c.revealText(text)
	}
}

// revealText spells out everything in a text that would not show.
func (c *cleaner) revealText(text *string) {
	c.cut = c.cut || len(*text) > bodyLimit
	*text = mapLines(*text, line.Reveal)
	c.cut = c.cut || len(*text) > bodyLimit
}

// cleanEnd cleans an end.
func cleanEnd(e *End) {
	var c cleaner
	if c.cleanLines(&e.Who, &e.By, &e.Reason); e.Answer == nil {
		return
	}
	e.Answer.Text = cleanWords(e.Answer.Text)
	e.Answer.Replies = e.Answer.Replies[:c.countParts(len(e.Answer.Replies))]
	for i := range e.Answer.Replies {
		e.Answer.Replies[i].Text = cleanWords(e.Answer.Replies[i].Text)
	}
}

// mapLines changes each line of a text, which is cut at the limit.
func mapLines(text string, change func(string) string) string {
	lines := strings.Split(text[:min(len(text), bodyLimit)], "\n")
	for i, l := range lines {
		lines[i] = change(l)
	}
	return strings.Join(lines, "\n")
}

// cleanWords returns a human's words as clean lines. Tabs become four spaces.
func cleanWords(text string) string {
	return mapLines(text, func(l string) string {
		return line.Clean(strings.ReplaceAll(strings.TrimRight(l, "\r"), "\t", "    "))
	})
}

// sentence matches a sentence in a line.
var sentence = regexp.MustCompile(`(?:[^.!?]|[.!?]\S)+[.!?]*`)

// LastLine returns the line that summarizes the last words of a turn: the last question in them, else their first line.
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
	question = strings.NewReplacer("**", "", "`", "").Replace(question)
	return line.Clean(question[:min(len(question), 512)])
}
