package decide

// The page of the dialog about a gate or a build: errors first, then the question and the evidence. The effect of a yes and the bytes to
// write stay in view.

import (
	"strings"

	"gatehouse/model"
	"gatehouse/tui/dialog"
	"gatehouse/tui/draw"
)

// Content implements [dialog.Subject].
func (q *question) Content(l *draw.Look, width int) dialog.Content {
	p := page{l.Page(width)}
	c := dialog.Content{Title: fillName(q.action.Verb.Words().Title, q.name), Where: q.where, Left: q.owner.leftWords(q.at), Page: p.Page}
	p.addNotice(&q.box)
	p.addDifferences(q)
	if q.shown == nil {
		if q.stage == opening {
			p.Text(l.Theme.Dim, "looking"+l.Glyphs.Ellipsis)
		}
		return c
	}
	p.addQuestion(q)
	if q.stage == over || q.sent != nil || q.stage == typing && q.action.Verb == model.VerbAdd { // nothing will be written, or it is unknown what
		return c
	}
	if q.jump {
		q.Sheet.Top, q.jump = len(p.Lines), false
	}
	if q.bytes {
		p.addEdits(q.shown)
	}
	if b := q.documentText(l, width); b != nil {
		c.Body = b
	}
	c.Foot = q.footLines(l, width)
	return c
}

// addDifferences adds the differences since the user looked.
func (p page) addDifferences(q *question) {
	var facts []draw.Fact
	for _, x := range q.differ {
		facts = append(facts, draw.Fact{Label: x.Label, Value: draw.Becomes(draw.OrElse(x.Was, "nothing"), draw.OrElse(x.Is, "nothing")), Style: p.Look.Theme.Wait})
	}
	p.Facts(facts...)
	if q.shown != nil {
		p.Gap()
	}
}

// addQuestion adds the question and the evidence.
func (p page) addQuestion(q *question) {
	s, th := q.shown, p.Look.Theme
	if missing := q.missingFiles(); len(missing) > 0 {
		p.Item(th.Block, p.Look.Glyphs.Of(model.Failed), th.Block, "Missing: "+strings.Join(missing, ", "))
		p.Below("", "Going on records the failed check: the gate is written as failed, not as passed.")
		p.Gap()
	}
	p.Quote(th.Strong, draw.OrElse(q.askedNow(), s.Asks))
	p.addStanding(q)
	if q.action.Text != "" {
		heading := "Reason"
		switch q.action.Verb {
		case model.VerbChanges:
			heading = "You ask for"
		case model.VerbAdd:
			heading = "Item"
		}
		p.Heading(heading)
		p.QuoteLines(q.action.Text)
	}
	if g := q.node; g != nil && g.Gate != nil && g.Gate.Approval == model.ApprovalAuto && q.action.Verb == model.VerbApprove {
		p.Item(th.Wait, p.Look.Glyphs.Problem, th.Wait, "This gate is opened by a check, not by a human.")
	}
	for _, w := range s.Warnings {
		p.Gap()
		p.Item(th.Wait, p.Look.Glyphs.Problem, th.Wait, w)
	}
	p.addFailures(q)
	if len(s.Evidence) != 1 || !q.showsEvidence() || q.texts[s.Evidence[0].File].text == "" { // otherwise its text follows
		p.Evidence("Evidence", s.Evidence, nil, true)
	}
	if len(s.Checks) > 0 {
		p.Heading("Look at")
		for _, c := range s.Checks {
			p.Item(th.Dim, p.Look.Glyphs.Dot, "", c)
		}
	}
}

// askedNow returns the text of the queue for a failed gate, whose own question only names its checks.
func (q *question) askedNow() string {
	t, ok := q.Target()
	if !ok || !q.hasFailed() {
		return ""
	}
	return t.Site.WaitOf(q.at.Node).Text
}

// addStanding adds in one line who opens the gate, whether it is required, and since when it waits.
func (p page) addStanding(q *question) {
	terms := draw.TermsOf(q.shown.Terms) // from the current file: the snapshot may be older
	if terms == "" && q.node != nil && q.node.Gate != nil {
		terms = draw.ApprovalOf(q.node.Gate)
	}
	since := draw.If(!q.shown.Since.IsZero() && q.action.Verb != model.VerbUndo, waitedFor(p.Look.Age(q.shown.Since)))
	agent := draw.If(q.node != nil && q.node.Gate != nil && !q.node.Gate.Awaited.IsZero(), "an agent waits for the answer")
	p.Text(p.Look.Theme.Dim, draw.Join(draw.PartJoint, terms, since, agent))
}

// footLines returns the lines that stay in view: the steps that begin after a yes, and one line about the bytes to write.
func (q *question) footLines(l *draw.Look, width int) []string {
	p, s := page{l.Page(width)}, q.shown
	if len(q.missingFiles()) == 0 && len(s.Releases) > 0 {
		p.Item(l.Theme.Accent, l.Glyphs.Folded, "", l.Clipped("then starts: "+strings.Join(s.Releases, ", "), width-2))
	}
	effect := s.Effect
	if was, is, both := strings.Cut(effect, " → "); both && was == is {
		effect = "stays " + is
	}
	written := "writes no file; the journal keeps it"
	if n := len(s.Edits); n > 0 {
		written = draw.Join(" ", "writes", draw.Counted(n, "value"), "in", s.Edits[0].Pos.String())
		if !q.bytes {
			written += " (tab shows every byte)"
		}
	}
	r := l.Ribbon(width)
	r.Exactly(l.Theme.Strong, draw.Changed(effect))
	if r.Width > 0 {
		r.Gap(2)
	}
	r.Add(l.Theme.Dim, written)
	p.Add(&r)
	return p.Lines
}

// addEdits adds exactly the bytes to write: the place of each value, its old and its new bytes.
func (p page) addEdits(s *model.Proposal) {
	th := p.Look.Theme
	if len(s.Edits) == 0 {
		return
	}
	p.Heading("Will be written")
	for _, e := range s.Edits {
		p.Text(th.Dim, draw.Join(draw.PartJoint, e.Pos.String(), e.Label))
		if both := draw.Becomes(e.Old, e.New); e.Old != "" && e.New != "" && !strings.Contains(e.Old+e.New, "\n") && p.Look.Width(both) <= p.Width-2 {
			p.Below("", both)
			continue
		}
		p.addChange("-", th.Block, e.Old)
		p.addChange("+", th.OK, e.New)
	}
}

// addChange adds old or new bytes, with a sign before the first line and another before all others. They are foreign text like any
// other: the file's own bytes are a key away, in the pane and in the editor.
func (p page) addChange(sign string, st draw.Style, text string) {
	if text == "" {
		return
	}
	for i, s := range strings.Split(strings.TrimRight(text, "\r\n"), "\n") {
		if i > 0 {
			st, sign = p.Look.Theme.Dim, p.Look.Glyphs.GoesOn
		}
		p.Hanging(st, "  "+sign, 4, "", s)
	}
}
