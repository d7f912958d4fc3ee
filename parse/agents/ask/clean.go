package ask

import (
	"regexp"
	"strings"

	"gatehouse/model/line"
)

// The limits in bytes. [Store.Ask] refuses longer texts, because a decision needs the whole text. Files of other
// programs are cut.
const (
	wordLimit = 1 << 10 // bytes of a label, a name, a path
	textLimit = 8 << 10 // of a question, a description
	bodyLimit = 2 << 20 // of a plan, a call, a text of one's own: a plan of 1 MB is whole
	diffLimit = 1 << 20 // of a diff, which is left out beyond
	maxParts  = 64      // questions of an ask, options of a question, dangers of a call, marks
	maxLabels = 1 << 10 // options of all questions
)

// cleanAsk cleans an ask and cuts its texts. It reports whether everything that a decision is about is still there.
func cleanAsk(a *Ask) (whole bool) {
	var c cleaner
	if a.Text == "" && len(a.Questions) > 0 {
		a.Text = a.Questions[0].Text
	}
	cleanTexts(textLimit, &a.Text, &a.File)
	cleanTexts(wordLimit, &a.Agent, &a.Session, &a.Subagent, &a.Then)
	c.cleanBodies(&a.Plan, &a.Message)
	a.Questions = a.Questions[:c.countParts(len(a.Questions))]
	options := 0
	for i := range a.Questions {
		q := &a.Questions[i]
		c.cleanShort(textLimit, &q.Text)
		cleanTexts(wordLimit, &q.Header)
		options += len(q.Options)
		q.Options = append([]Option{}, q.Options[:c.countParts(len(q.Options))]...) // [] in JSON, never null
		for j := range q.Options {
			o := &q.Options[j]
			c.cleanShort(wordLimit, &o.Label)
			c.cleanShort(textLimit, &o.Description)
			c.cleanBodies(&o.Preview)
		}
	}
	if call := a.Call; call != nil {
		cleanTexts(wordLimit, &call.Tool)
		cleanTexts(textLimit, &call.Reason)
		c.revealText(&call.Input)
		(&cleaner{}).revealText(&call.Diff)
		if len(call.Diff) > diffLimit { // Input has it all; a part of a diff would mislead
			call.Diff = ""
		}
		call.Dangers = call.Dangers[:min(len(call.Dangers), maxParts)]
		for i := range call.Dangers {
			cleanTexts(textLimit, &call.Dangers[i].Part, &call.Dangers[i].Why)
		}
	}
	a.Pane = a.Pane.Valid()
	if len(a.Marks) > maxParts {
		a.Marks = nil
	}
	return !c.cut && options <= maxLabels
}

// cleaner cleans the subject of a decision, and records whether it cut something.
type cleaner struct{ cut bool }

func (c *cleaner) countParts(n int) int {
	c.cut = c.cut || n > maxParts
	return min(n, maxParts)
}

func (c *cleaner) cleanShort(limit int, text *string) {
	c.cut = c.cut || len(*text) > limit
	cleanTexts(limit, text)
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

// cleanLines returns a text of clean lines. Tabs become four spaces.
func cleanLines(text string) string {
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
	cleanTexts(textLimit/16, &question)
	return question
}
