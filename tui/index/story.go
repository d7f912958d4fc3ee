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
	order   int    // the number of the moment that determines the row's time
}

// The limits of the story.
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
		if m.Change != nil && (isContainer(m.Change.Kind) && parts[partOf{m.Change.Where, m.At}] || m.isUninteresting()) {
			continue
		}
		if k, ok := open[m.unit]; ok && rows[k].continuesWith(m) {
			rows[k].add(i, m)
			continue
		}
		open[m.unit] = len(rows)
		row := Story{Head: i}
		row.add(i, m)
		rows = append(rows, row)
	}
	for _, k := range open { // finished in the meantime, without a moment for it
		s := &rows[k]
		if n := ix.unitNode(s); n != nil && s.Status == model.Active && n.Status.Closed() {
			s.Status = n.Status
		}
	}
	for i := range rows {
		ix.wordStory(&rows[i])
	}
	rows = ix.dropEchoes(rows)
	slices.SortStableFunc(rows, func(a, b Story) int { return a.order - b.order })
	ix.Stories = rows
}

// dropEchoes drops a question that another row of the project asks at about the same time.
func (ix *Index) dropEchoes(rows []Story) []Story {
	type question struct{ project, text string }
	asked := make(map[question]int64)
	return slices.DeleteFunc(rows, func(s Story) bool {
		if s.Status != model.Waiting {
			return false
		}
		m := &ix.Moments[s.Head]
		q := question{m.Where.Project, strings.TrimPrefix(draw.OrElse(strings.TrimPrefix(s.Text, asksWord), s.Subject), asksWord)}
		if s.Text == "asked" {
			q.text = s.Subject
		}
		was, again := asked[q]
		asked[q] = s.At
		return again && s.At-was < afterEnd.Milliseconds()
	})
}

// asksWord precedes a question.
const asksWord = "asks: "

// unitNode returns the node of a row, nil if it is gone.
func (ix *Index) unitNode(s *Story) *model.Node {
	m := &ix.Moments[s.Head]
	if m.site == nil {
		return nil
	}
	return m.site.Nodes[m.unit.Node].Node
}

// isUninteresting reports whether a change needs no row: an automatic check, a wait behind another one, a node that came or went
// with its parent.
func (m *Moment) isUninteresting() bool {
	n, gone := m.Node, m.Change.Text == "gone"
	switch {
	case gone:
		return m.Change.Kind == model.KindGate && !strings.HasPrefix(m.Change.Where.Node, askPrefix) || m.Change.Kind == model.KindTask || m.Change.Kind == model.KindSkill || m.Change.Kind == model.KindDeliverable
	case m.Change.Kind == "":
		return m.Change.Where.Build == model.AgentsBuild
	case n == nil && m.Change.Kind == model.KindGate:
		return m.Change.To != model.Waiting
	case n == nil || n.IsExpiredWait():
		return false
	case n.Kind == model.KindGate && n.Gate != nil && n.Gate.Approval == model.ApprovalAuto:
		return m.Change.To != model.Waiting
	}
	return m.Change.To == model.Waiting && n.Status == model.Waiting && n.Gate == nil && len(n.DependsOn) > 0 && m.site.Standing(n) != StandsWaiting
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
		if m.Change == nil || m.site == nil {
			continue
		}
		for id := m.Change.Where.Node; id != ""; {
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
	status := m.eventStatus
	if m.Activity != nil && status == model.Unknown {
		return statusOfKind(m.Activity.Kind)
	}
	if m.Decision == nil && m.isPart() && status.Closed() {
		return model.Active // the plan of a finished task continues
	}
	return status
}

// isPart reports whether a moment is about a part of the row's subject.
func (m *Moment) isPart() bool {
	return m.Node != nil && m.Node.Kind != model.KindDeliverable && !strings.HasPrefix(m.Node.ID, askPrefix) && m.unit.Node != m.Node.ID
}

// statusOfKind reads the protocol's word for an activity: "chunk-completed".
func statusOfKind(kind string) model.Status {
	has := func(word string) bool { return strings.Contains(kind, word) }
	switch {
	case has("interview") && has("completed"): // the work continues
		return model.Active
	case has("interview"):
		return model.Waiting
	case has("completed"):
		return model.Done
	case has("failed"):
		return model.Failed
	case has("retrying"):
		return model.Retrying
	case has("started"):
		return model.Active
	}
	return model.Unknown
}

// DecisionStatus returns the status that a decision leads to.
func DecisionStatus(d *model.Decision) model.Status {
	if d.CheckFailed() {
		return model.Failed
	}
	switch d.Verb {
	case model.VerbApprove, model.VerbSync, model.VerbComplete, model.VerbAnswer, model.VerbAdd:
		return model.Done
	case model.VerbSkip, model.VerbSkipPhase, model.VerbDismiss:
		return model.Skipped
	case model.VerbChanges:
		return model.Waiting
	case model.VerbRetry, model.VerbRetryFailed, model.VerbUndo, model.VerbFresh, model.VerbRestart:
		return model.Retrying
	case model.VerbResume:
		return model.Active
	case model.VerbAbort:
		return model.Failed
	}
	return model.Pending
}

// continuesWith reports whether a moment of the same subject still belongs to a row: until it has ended, and shortly afterwards.
func (s *Story) continuesWith(m *Moment) bool {
	gap := time.Duration(m.At-s.At) * time.Millisecond
	if s.hasEnded() {
		return gap <= afterEnd || gap <= longest && m.Change != nil && m.status == s.Status
	}
	return gap <= longest
}

// StoryKey identifies a row across snapshots.
type StoryKey struct {
	At    Place
	Began int64
}

// KeyOf returns the key of a row.
func (ix *Index) KeyOf(s *Story) StoryKey {
	first := &ix.Moments[s.Moments[0]]
	return StoryKey{first.Where, first.At}
}

// ProjectOf names the project of a row.
func (ix *Index) ProjectOf(s *Story) string { return ix.Moments[s.Head].Project }

// Order returns the number of the moment that determines the row's time.
func (s *Story) Order() int { return s.order }

func (s *Story) hasEnded() bool { return s.Status.Closed() || s.Status == model.Executed }

func (s *Story) add(i int, m *Moment) {
	again := s.hasEnded() && m.Change != nil && m.status == s.Status // a change that repeats a log entry
	s.Moments = append(s.Moments, i)
	if !again {
		s.At, s.order = m.At, i
	}
	if m.status != model.Unknown && !again {
		s.Status, s.Head = m.status, i
	}
}

// wordStory sets the subject and the outcome of a row. A decision is preferred to the change it caused.
func (ix *Index) wordStory(s *Story) {
	for _, i := range s.Moments {
		if m := &ix.Moments[i]; m.Decision != nil {
			s.Head, s.Status = i, m.eventStatus
		}
	}
	head := &ix.Moments[s.Head]
	s.Subject, s.Text = head.What, head.Text
	if head.Decision != nil {
		return
	}
	if head.site != nil && head.isPart() && head.site.Nodes[head.unit.Node].Node != nil {
		s.Subject = head.site.NameOf(head.unit.Node)
	}
	s.Text = ix.outcomeText(s, head)
}

// deciderOf says who decided: the user, or a user on another machine.
func deciderOf(d *model.Decision) string {
	if strings.HasPrefix(d.By, "fleet") {
		return d.Who
	}
	return "you"
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

// outcomeText describes the outcome of a row.
func (ix *Index) outcomeText(s *Story, head *Moment) string {
	part := ""
	if head.isPart() {
		part = head.Node.Name()
	}
	asks := ""
	if n := head.Node; n != nil && n.Gate != nil && n.Status == model.Waiting {
		asks = n.Gate.Asks
	}
	switch {
	case head.Change != nil && head.Node != nil && s.Status == model.Waiting && head.Node.IsExpiredWait():
		return model.PastWord
	case head.Change != nil && head.Change.Text == "gone":
		if strings.HasPrefix(head.Change.Where.Node, askPrefix) {
			return "withdrawn, or answered elsewhere"
		}
		return "removed"
	case s.Status == model.Skipped:
		return s.Status.Word()
	case s.hasEnded():
		return draw.OrElse(ix.resultText(s), draw.OrElse(ownWords(head), s.Status.Word()))
	case s.Status == model.Waiting && head.Change != nil && head.Change.Text == string(model.SessionTurn):
		return head.Change.Text
	case s.Status == model.Waiting && (asks == s.Subject || head.Node != nil && asks == head.Node.Title):
		return "asked"
	case s.Status == model.Waiting && asks != "":
		return asksWord + asks
	case s.Status == model.Waiting && head.Change != nil && strings.HasPrefix(head.Change.Where.Node, askPrefix):
		return "asked"
	case s.Status == model.Waiting && head.Change != nil && head.Node != nil && head.Node.Session == nil && !head.isPart():
		return "waits for you"
	case s.Status == model.Pending && head.Change != nil:
		return "planned"
	}
	for _, i := range slices.Backward(s.Moments) { // a log entry says more than the change to running
		if m := &ix.Moments[i]; m.Activity != nil && (m.status == s.Status || m.status == model.Unknown && s.Status == model.Active) {
			if part == "" && m.isPart() {
				part = m.Node.Name()
			}
			return draw.Join(": ", part, m.Text)
		}
	}
	if head.Change != nil && head.Change.From != head.Change.To || head.Change != nil && head.Change.Seq == 0 {
		word := s.Status.Word()
		if head.Change.Where.Node != "" && strings.HasSuffix(head.Change.Text, string(model.SessionTurn)) {
			word = string(model.SessionTurn)
		}
		return draw.Join(": ", part, word)
	}
	return draw.Join(": ", part, head.Text)
}

// ownWords returns the text of a log entry; "" for a change.
func ownWords(m *Moment) string {
	if m.Activity == nil {
		return ""
	}
	return strings.TrimPrefix(m.Text, "success, ")
}

// resultText sums up finished work: its checks, the failed attempts, and the duration.
func (ix *Index) resultText(s *Story) string {
	checks, took := "", ""
	began, logged, seen := int64(0), 0, 0
	for _, i := range s.Moments {
		m := &ix.Moments[i]
		switch m.status {
		case model.Active:
			if began == 0 {
				began = m.At
			}
		case model.Failed:
			if m.Activity != nil {
				logged++
			} else {
				seen++
			}
		}
		if m.Activity == nil {
			continue
		}
		if of, ok := strings.CutSuffix(m.Activity.Text, " checks passed"); ok {
			checks = of + " checks"
		}
	}
	if span := s.At - began; began > 0 && span >= 1000 {
		took = model.Age(time.Duration(span) * time.Millisecond)
		if span < 60_000 {
			took = strconv.FormatInt(span/1000, 10) + "s"
		}
	}
	if tries := cmp.Or(logged, seen); tries > 0 {
		return draw.Join(", ", checks, "after "+draw.Counted(tries, "failed attempt"), took)
	}
	return draw.Join(", ", checks, took)
}

// Passes reports whether a row passes a filter.
func (ix *Index) Passes(s *Story, f *Filter) bool {
	if s.At < f.after {
		return false
	}
	return slices.ContainsFunc(s.Moments, func(i int) bool { return ix.Moments[i].Passes(f) }) || f.Passes(StandingOf(s.Status), s.Subject, s.Text, ix.Moments[s.Head].Project)
}

// SinceVisit sums up the time since the last visit in one sentence: "7 plans done, 1 failed, 2 questions since 12:40"; "" for nothing.
func (ix *Index) SinceVisit(now time.Time) string {
	summary := ix.Since(ix.Visited)
	if ix.Visited.IsZero() || summary == "" {
		return ""
	}
	at, format := ix.Visited.In(now.Location()), "15:04"
	if now.Sub(at) > 18*time.Hour {
		format = "Jan 02 15:04"
	}
	return summary + " since " + at.Format(format)
}

// Since sums up the time since at in one sentence: "7 plans done, 1 failed, 2 questions"; "" for nothing.
func (ix *Index) Since(at time.Time) string {
	done, failed, asked, from := map[string]int{}, 0, 0, at.UnixMilli()
	for i := range ix.Stories {
		s := &ix.Stories[i]
		if s.At <= from {
			continue
		}
		head := &ix.Moments[s.Head]
		switch {
		case head.Decision != nil:
		case s.Status == model.Failed:
			failed++
		case s.Status == model.Waiting:
			asked++
		case s.hasEnded():
			if n := head.Node; n != nil && (n.Kind == model.KindPlan || n.Kind == model.KindChunk || n.Kind == model.KindPhase || n.Kind == model.KindTask) {
				done[string(n.Kind)]++
			}
		}
	}
	var parts []string
	for _, kind := range [...]model.Kind{model.KindPhase, model.KindPlan, model.KindChunk, model.KindTask} {
		if n := done[string(kind)]; n > 0 {
			parts = append(parts, draw.Counted(n, string(kind))+" done")
		}
	}
	if failed > 0 {
		parts = append(parts, strconv.Itoa(failed)+" failed")
	}
	if asked > 0 {
		parts = append(parts, draw.Counted(asked, "question"))
	}
	return draw.Join(", ", parts...)
}
