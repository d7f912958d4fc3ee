package index

// The timeline as a story: each row sums up consecutive events about one subject, and shows the outcome. It is made together with the
// moments.

import (
	"cmp"
	"slices"
	"strconv"
	"strings"
	"time"

	"gatehouse/model"
	"gatehouse/tui/draw"
)

// Story is one row of the timeline: it sums up moments with the same subject.
type Story struct {
	At      int64 // of its last moment
	Moments []int // their numbers in [Index.Moments], the oldest first; at least one
	Head    int   // the moment with the outcome
	Status  model.Status
	Subject string
	Text    string // the outcome
}

// The limits of a story.
const (
	afterEnd = 90 * time.Second // after the end, moments still join the row
	longest  = 24 * time.Hour   // between two moments of one story
)

// buildStories makes the story of the moments.
func (ix *Index) buildStories() {
	parts := ix.changedParts()
	open := make(map[Place]int) // rows that the next moment of the same subject may join
	var rows []Story
	for i := range ix.Moments {
		m := &ix.Moments[i]
		if m.IsChange() && (isContainer(m.Kind) && parts[partOf{m.Where, m.At}] || m.isUninteresting()) {
			continue
		}
		k, ok := open[m.unit]
		if ok && rows[k].repeats(m) {
			continue
		}
		if !ok || !rows[k].continuesWith(m) {
			k = len(rows)
			open[m.unit] = k
			rows = append(rows, Story{Head: i})
		}
		rows[k].add(i, m)
	}
	for i := range rows {
		ix.wordStory(&rows[i])
	}
	slices.SortStableFunc(rows, func(a, b Story) int { return a.Order() - b.Order() })
	ix.Stories = rows
}

// isUninteresting reports whether a change needs no row: a check, a task or a deliverable that came or went, a wait behind another one.
func (m *Moment) isUninteresting() bool {
	n := m.Node
	isAsk := strings.HasPrefix(m.Where.Node, askPrefix)
	switch {
	case m.Kind == "":
		return m.Where.Build == model.AgentsBuild
	case n == nil || m.Text == removed:
		return !isAsk && m.To != model.Waiting && (m.Kind == model.KindGate || m.Kind == model.KindTask || m.Kind == model.KindSkill || m.Kind == model.KindDeliverable)
	case n.Gate != nil && n.Gate.Approval == model.ApprovalAuto:
		return m.To != model.Waiting
	}
	return m.To == model.Waiting && m.site.isBehind(n)
}

// partOf is a place at a time.
type partOf struct {
	at   Place
	time int64
}

// changedParts returns the parents of changed nodes, with the times of the changes.
func (ix *Index) changedParts() map[partOf]bool {
	changed := make(map[partOf]bool)
	for i := range ix.Moments {
		m := &ix.Moments[i]
		if !m.IsChange() || m.site == nil {
			continue
		}
		for id := m.Where.Node; id != ""; {
			id = m.site.Nodes[id].Above
			changed[partOf{m.site.Place(id), m.At}] = true
		}
	}
	return changed
}

// isContainer reports whether nodes of a kind only sum up their parts.
func isContainer(k model.Kind) bool {
	return k == model.KindMilestone || k == model.KindPhase || k == model.KindGroup || k == model.KindSession || k == ""
}

// askPrefix begins the IDs of asks in the tree of live agents.
const askPrefix = "ask/"

// unitPlace returns the place of the row's subject: for a task its plan, for an ask the same place in every build.
func (m *Moment) unitPlace() Place {
	if d := m.Decision; d != nil && d.Verb == model.VerbAnswer {
		return Place{Project: d.Project, Node: d.Node}
	}
	at := m.Where
	if id, ok := strings.CutPrefix(at.Node, askPrefix); ok {
		return Place{Project: at.Project, Node: id}
	}
	if m.site == nil {
		return at
	}
	if n := m.Node; n != nil && n.Kind == model.KindDeliverable && len(n.Artifacts) == 1 { // a phase and its gate may name the same file
		at.Node = "file:" + n.Artifacts[0].File
		return at
	}
	for {
		e := m.site.Nodes[at.Node]
		if e.Node == nil || e.Above == "" || !belongsAbove(e.Node, m.site.Nodes[e.Above].Node) {
			return at
		}
		at.Node = e.Above
	}
}

// belongsAbove reports whether a node shares the row of its parent.
func belongsAbove(n, above *model.Node) bool {
	switch n.Kind {
	case model.KindTask, model.KindSubagent:
		return above.Kind == model.KindPlan || above.Kind == model.KindSession || above.Kind == model.KindTask
	case model.KindGate:
		return n.Gate != nil && n.Gate.Ask == nil && (above.Kind == model.KindPlan || above.Kind == model.KindTask || above.Kind == model.KindChunk)
	}
	return false
}

// rowStatus returns the status of the row's subject after the moment; Unknown if the moment does not change it.
func (m *Moment) rowStatus() model.Status {
	switch {
	case m.Activity != nil && m.To == model.Unknown:
		return statusOfKind(m.Activity.Kind)
	case m.Decision == nil && m.isPart() && m.To.Closed():
		return model.Active // the plan of a finished task continues
	}
	return m.To
}

// statusOfKind reads the protocol's word for an activity: "chunk-completed".
func statusOfKind(kind string) model.Status {
	what, word, _ := strings.Cut(kind, "-")
	switch {
	case word == "started" && what == "interview":
		return model.Waiting
	case word == "started", word == "completed" && what == "interview": // the work continues
		return model.Active
	case word == "completed":
		return model.Done
	case word == "failed":
		return model.Failed
	case word == "retrying":
		return model.Retrying
	}
	return model.Unknown
}

// isPart reports whether a moment is about a part of the row's subject.
func (m *Moment) isPart() bool {
	return m.Node != nil && m.Node.Kind != model.KindDeliverable && !strings.HasPrefix(m.Node.ID, askPrefix) && m.unit.Node != m.Node.ID
}

// decisionStatus are the statuses that decisions lead to; those of other verbs leave something pending.
var decisionStatus = map[model.Verb]model.Status{
	model.VerbApprove: model.Done, model.VerbSync: model.Done, model.VerbComplete: model.Done, model.VerbAnswer: model.Done, model.VerbAdd: model.Done,
	model.VerbSkip: model.Skipped, model.VerbSkipPhase: model.Skipped, model.VerbDismiss: model.Skipped,
	model.VerbRetry: model.Retrying, model.VerbRetryFailed: model.Retrying, model.VerbUndo: model.Retrying, model.VerbFresh: model.Retrying, model.VerbRestart: model.Retrying,
	model.VerbChanges: model.Waiting, model.VerbResume: model.Active, model.VerbAbort: model.Failed,
}

// DecisionStatus returns the status that a decision leads to.
func DecisionStatus(d *model.Decision) model.Status {
	if d.CheckFailed() {
		return model.Failed
	}
	return cmp.Or(decisionStatus[d.Verb], model.Pending)
}

// continuesWith reports whether a moment of the same subject still belongs to a row: until it has ended, and shortly afterwards.
func (s *Story) continuesWith(m *Moment) bool {
	gap := time.Duration(m.At-s.At) * time.Millisecond
	if s.hasEnded() {
		return gap <= afterEnd
	}
	return gap <= longest
}

// repeats reports whether a moment of the same subject is a change to the status that the row has already ended with.
func (s *Story) repeats(m *Moment) bool {
	return s.hasEnded() && m.IsChange() && m.status == s.Status && time.Duration(m.At-s.At)*time.Millisecond <= longest
}

// Order returns the number of the last moment, which determines the row's time.
func (s *Story) Order() int { return s.Moments[len(s.Moments)-1] }

func (s *Story) hasEnded() bool { return s.Status.Closed() || s.Status == model.Executed }

// add adds a moment. A log entry says more than the change to the same status.
func (s *Story) add(i int, m *Moment) {
	s.Moments, s.At = append(s.Moments, i), m.At
	if m.status != model.Unknown && (m.status != s.Status || !m.IsChange()) || m.Activity != nil && !s.hasEnded() {
		s.Head = i
	}
	if m.status != model.Unknown {
		s.Status = m.status
	}
}

// wordStory sets the subject and the outcome of a row. A decision is preferred to the change it caused.
func (ix *Index) wordStory(s *Story) {
	for _, i := range s.Moments {
		if m := &ix.Moments[i]; m.Decision != nil {
			s.Head, s.Status = i, m.To
		}
	}
	head := &ix.Moments[s.Head]
	s.Subject, s.Text = head.What, head.Text
	if head.isPart() && head.site.Nodes[head.unit.Node].Node != nil && head.Decision == nil {
		s.Subject, s.Text = head.site.NameOf(head.unit.Node), draw.Join(": ", head.What, head.Text)
	}
	if head.IsChange() {
		s.Text = s.changeText(head)
	}
}

// changeText describes a change that is the outcome of a row.
func (s *Story) changeText(head *Moment) string {
	n, part := head.Node, ""
	if head.isPart() {
		part = head.What
	}
	switch {
	case head.Text == removed && strings.HasPrefix(head.Where.Node, askPrefix):
		return "withdrawn, or answered elsewhere"
	case head.Text == removed:
		return removed
	case n != nil && s.Status == model.Waiting && n.IsExpiredWait():
		return model.PastWord
	case strings.HasSuffix(head.Text, string(model.SessionTurn)) && n != nil:
		return string(model.SessionTurn)
	case s.Status == model.Waiting && n != nil && n.Gate != nil && n.Gate.Asks != "" && n.Gate.Asks != s.Subject && n.Gate.Asks != n.Title:
		return "asks: " + n.Gate.Asks
	case s.Status == model.Waiting && n != nil && n.Session == nil:
		return draw.Join(": ", part, asked)
	case s.Status == model.Pending:
		return "planned"
	case head.From != head.To || head.Seq == 0:
		return draw.Join(": ", part, s.Status.Word())
	}
	return draw.Join(": ", part, head.Text)
}

// decisionText describes a decision: `answered "Teal" to Which color?`, `approved outline-gate`.
func decisionText(d *model.Decision) string {
	text, _, _ := strings.Cut(d.Text, "\n")
	past := d.Words().Past
	if d.Verb != model.VerbAnswer {
		return draw.Join(": ", draw.Join(" ", past, d.Name), text)
	}
	if d.Is != "answered" && d.Is != "replied" { // allowed, denied
		past = d.Is
	}
	if text != "" {
		text = strconv.Quote(draw.Plain(text))
	}
	return draw.Join(draw.ChangeJoint, draw.Join(" ", past, text), d.Name)
}

// Passes reports whether a row passes a filter.
func (ix *Index) Passes(s *Story, f *Filter) bool {
	return slices.ContainsFunc(s.Moments, func(i int) bool { return ix.Moments[i].Passes(f) }) || f.Passes(StandingOf(s.Status), s.Subject, s.Text, ix.Moments[s.Head].Project)
}

// SinceVisit counts the changes since the last visit in one sentence: "7 done, 1 failed, 2 questions since 12:40"; "" for none.
func (ix *Index) SinceVisit(now time.Time) string {
	done, failed, asked := 0, 0, 0
	for i := range ix.Stories {
		s := &ix.Stories[i]
		switch {
		case s.At <= ix.Visited.UnixMilli() || ix.Moments[s.Head].Decision != nil:
		case s.Status == model.Failed:
			failed++
		case s.Status == model.Waiting:
			asked++
		case s.hasEnded():
			done++
		}
	}
	var parts []string
	if done > 0 {
		parts = append(parts, strconv.Itoa(done)+" done")
	}
	if failed > 0 {
		parts = append(parts, strconv.Itoa(failed)+" failed")
	}
	if asked > 0 {
		parts = append(parts, draw.Counted(asked, "question"))
	}
	if ix.Visited.IsZero() || len(parts) == 0 {
		return ""
	}
	at, format := ix.Visited.In(now.Location()), "15:04"
	if now.Sub(at) > 18*time.Hour {
		format = "Jan 02 15:04"
	}
	return strings.Join(parts, ", ") + " since " + at.Format(format)
}
