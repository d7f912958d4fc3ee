package index

// All that happened, as one list: the changes while the dashboard ran, the entries of the agents' logs, and decisions. It is made once
// for each snapshot, in the command that received it.

import (
	"cmp"
	"maps"
	"path"
	"slices"
	"strings"
	"time"

	"gatehouse/model"
	"gatehouse/tui/draw"
)

// topicChanges is the topic of changes and decisions; log entries have their family.
const topicChanges = "changes"

// Moment is one thing that happened: a change, an entry of an agent's log, or a decision.
type Moment struct {
	At       int64 // milliseconds since 1970; an entry without a time has the one of the entry before
	site     *Site // nil where its build is gone
	Node     *model.Node
	Change   *Event          // one of these three is set
	Activity *model.Activity // nil for what was seen
	Decision *model.Decision
}

// momentLimit is how many moments the timeline of all builds has, the newest: some 5 MiB.
const momentLimit = 100_000

// gatherMoments makes the timeline of all builds, the oldest first, and lists what it is about.
func (ix *Index) gatherMoments() {
	changes := make([]Moment, 0, len(ix.Log))
	var last int64
	for i := range ix.Log {
		e := &ix.Log[i]
		last = max(last, e.At.UnixMilli())
		m := Moment{At: last, Change: e, site: ix.Site(e.Where)}
		if m.site != nil {
			m.Node = m.site.Nodes[e.Where.Node].Node
		}
		changes = append(changes, m)
	}
	lists, topics := [][]Moment{changes}, map[string]bool{}
	for _, s := range ix.Sites {
		if len(s.activities) > 0 {
			lists = append(lists, s.activities)
			for family := range s.families {
				topics[family] = true
			}
		}
	}
	for _, p := range ix.Snap.Projects {
		if decisions := ix.decisionMoments(p); len(decisions) > 0 {
			lists = append(lists, decisions)
		}
	}
	ix.Moments = mergeMoments(lists, momentLimit)
	ix.buildStories()
	ix.gatherPulses()
	if len(topics) > 0 {
		topics[topicChanges] = true
	}
	ix.Topics = slices.Sorted(maps.Keys(topics))
}

// decisionMoments lists what was decided in a project, the oldest first.
func (ix *Index) decisionMoments(p *model.Project) []Moment {
	all := make([]Moment, 0, len(p.Decisions))
	for i := range slices.Backward(p.Decisions) {
		d := &p.Decisions[i]
		m := Moment{At: d.At.UnixMilli(), Decision: d, site: ix.Site(Place{Project: p.Root, Build: d.Build})}
		if m.site != nil {
			m.Node = m.site.Nodes[d.Node].Node
		}
		all = append(all, m)
	}
	slices.SortStableFunc(all, func(a, b Moment) int { return cmp.Compare(a.At, b.At) })
	return all
}

// gatherActivities lists the log entries of the build's agents, and their families.
func (s *Site) gatherActivities() {
	if len(s.Build.Activity) == 0 {
		return
	}
	s.activities, s.families = make([]Moment, len(s.Build.Activity)), map[string]bool{}
	var last int64
	for i := range s.activities {
		a := &s.Build.Activity[i]
		if !a.At.IsZero() {
			last = max(last, a.At.UnixMilli())
		}
		s.activities[i] = s.Moment(a)
		s.activities[i].At = last
		s.families[string(a.Family)] = true
	}
}

// Moment returns a log entry as a moment, without a time.
func (s *Site) Moment(a *model.Activity) Moment {
	return Moment{Activity: a, site: s, Node: s.Nodes[a.Node].Node}
}

// mergeMoments merges lists, each with the oldest first, and keeps the newest moments up to a limit. At equal times the order of the
// lists decides.
func mergeMoments(lists [][]Moment, limit int) []Moment {
	var all []Moment
	for _, list := range lists {
		all = append(all, list[max(0, len(list)-limit):]...)
	}
	slices.SortStableFunc(all, func(a, b Moment) int { return cmp.Compare(a.At, b.At) })
	return all[max(0, len(all)-limit):]
}

// Place returns the place of the moment.
func (m *Moment) Place() Place {
	switch {
	case m.Decision != nil:
		return Place{Project: m.Decision.Project, Build: m.Decision.Build, Node: m.Decision.Node}
	case m.Change != nil:
		return m.Change.Where
	case m.Activity == nil:
		return Place{}
	case m.Node == nil:
		return m.site.Place("")
	}
	return m.site.Place(m.Node.ID)
}

// topic returns the topic that the moment is filtered by.
func (m *Moment) topic() string {
	if m.Activity != nil {
		return string(m.Activity.Family)
	}
	return topicChanges
}

// Time returns the time of the moment, zero if unknown.
func (m *Moment) Time() time.Time {
	if m.Decision != nil {
		return m.Decision.At
	}
	if m.Activity != nil {
		return m.Activity.At
	}
	return m.Change.At
}

// What returns the subject's name for people.
func (m *Moment) What() string {
	switch {
	case m.Decision != nil:
		return deciderOf(m.Decision)
	case m.Change != nil:
		return m.Change.What
	case m.Node != nil:
		return m.Node.Name()
	case m.Activity.Chunk != "":
		return m.Activity.Chunk
	}
	return string(m.Activity.Family)
}

// Text describes the moment without naming its subject.
func (m *Moment) Text() string {
	if m.Decision != nil {
		return decisionText(m.Decision)
	}
	if m.Change != nil {
		return draw.Changed(ChangeWords(m.Change.Text))
	}
	text := m.Activity.Text
	for _, name := range [...]string{m.What(), m.rowTitle()} {
		if rest, ok := strings.CutPrefix(text, name+": "); ok && name != "" {
			return rest
		}
	}
	return text
}

// ChangeWords returns a change in plain words: what came up, and what went.
func ChangeWords(text string) string {
	switch {
	case text == "appeared: "+model.Waiting.Word():
		return "asked"
	case text == "gone":
		return "removed"
	}
	if word, ok := strings.CutPrefix(text, "appeared: "); ok {
		return "new: " + word
	}
	return text
}

// Kindly returns the text of a log entry behind its kind and attempt, unless the text says them itself: "chunk retrying, attempt 2: a
// feed was stored twice". Results of tasks and changes have no kind.
func (m *Moment) Kindly() string {
	text := m.Text()
	if m.Activity == nil || m.Activity.Family == model.FamilyResults || m.Activity.Kind == "" {
		return text
	}
	kind := strings.ReplaceAll(m.Activity.Kind, "-", " ")
	if strings.HasPrefix(text, kind) {
		text = strings.TrimPrefix(text[len(kind):], ": ")
	}
	for _, d := range m.Activity.Details {
		if said := "attempt " + d.Value; d.Label == "attempt" && !strings.Contains(text, said) {
			kind += ", " + said
		}
	}
	return draw.Join(": ", kind, text)
}

// rowTitle returns the title of the row, "" if there is none.
func (m *Moment) rowTitle() string {
	if m.Node == nil {
		return ""
	}
	return m.Node.Title
}

// Line returns it in one line.
func (m *Moment) Line() string { return m.What() + ": " + m.Text() }

// Same reports whether a moment of another snapshot is the same.
func (m *Moment) Same(other *Moment) bool {
	switch {
	case m.At != other.At || (m.Activity == nil) != (other.Activity == nil) || (m.Decision == nil) != (other.Decision == nil):
		return false
	case m.Decision != nil:
		return m.Decision.ID == other.Decision.ID
	case m.Activity != nil:
		return m.Activity == other.Activity || m.Activity.Kind == other.Activity.Kind && m.Activity.Text == other.Activity.Text && m.Activity.Node == other.Activity.Node
	}
	return m.Change.Seq == other.Change.Seq && m.Change.Where == other.Change.Where
}

// Passes reports whether a filter is about it.
func (m *Moment) Passes(f *Filter) bool {
	switch {
	case !f.About(m.topic()), m.At < f.after:
		return false
	case m.Decision != nil:
		return f.Passes(StandingOf(DecisionStatus(m.Decision)), m.What(), m.Text(), m.Project())
	case m.Change != nil:
		return f.Passes(StandingOf(m.Change.To), m.Change.What, m.Change.Text, m.Change.project)
	case m.Node != nil:
		return f.Passes(StandingOf(m.Activity.Status), m.Activity.Text, m.Activity.Kind, m.Node.Title, m.Node.Number)
	}
	return f.Passes(StandingOf(m.Activity.Status), m.Activity.Text, m.Activity.Kind, m.Activity.Chunk)
}

// Alarming reports whether the moment is an alert about something that is not done yet.
func (m *Moment) Alarming() bool {
	switch {
	case m.Activity == nil || !m.Activity.Alert:
		return false
	case m.Node != nil:
		return !m.Node.Status.Closed() && !m.Node.IsArchived()
	}
	return !m.site.Build.Status.Closed()
}

// Project returns the name of the project it happened in.
func (m *Moment) Project() string {
	switch {
	case m.site != nil:
		return m.site.Project.Called()
	case m.Change != nil:
		return m.Change.project
	case m.Decision != nil:
		return path.Base(m.Decision.Project)
	}
	return ""
}
