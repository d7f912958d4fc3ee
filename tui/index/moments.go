package index

// All events, as one list: the changes while the dashboard ran, the entries of the agents' logs, and decisions. It is made once
// for each snapshot, in the command that received it.

import (
	"cmp"
	"path"
	"slices"
	"strings"
	"time"

	"gatehouse/model"
	"gatehouse/tui/draw"
)

// Moment is one event: a change, an entry of an agent's log, or a decision.
type Moment struct {
	At      int64        // milliseconds since 1970; an entry without a time has the one of the entry before
	Time    time.Time    // zero if unknown
	Where   Place        // without a node it is about the whole build
	Project string       // its name
	What    string       // the subject's name for people
	Text    string       // without the subject
	From    model.Status // of a change; it equals To if only a count or the word changed
	To      model.Status
	Kind    model.Kind // of a change
	Seq     uint64     // numbers the changes of a session from 1; 0 for those that were not observed

	Activity *model.Activity // nil for changes and decisions
	Decision *model.Decision // nil for changes and entries

	Node   *model.Node
	site   *Site        // nil if its build is gone
	status model.Status // of the subject of its row, Unknown if it does not change
	unit   Place        // the subject of its row
}

// IsChange reports whether the moment is a change that was seen in the files.
func (m *Moment) IsChange() bool { return m.Activity == nil && m.Decision == nil }

// momentLimit is the number of moments in the timeline of all builds, the newest: some 5 MiB.
const momentLimit = 20_000

// gatherMoments makes the timeline of all builds, the oldest first.
func (ix *Index) gatherMoments() {
	changes := make([]Moment, 0, len(ix.Log))
	var last int64
	for _, m := range ix.Log {
		last = max(last, m.Time.UnixMilli())
		m.At, m.Text = last, draw.Changed(m.Text)
		changes = append(changes, m.complete(ix.Site(m.Where)))
	}
	lists := [][]Moment{changes}
	for _, s := range ix.Sites {
		lists = append(lists, s.activities)
	}
	for _, p := range ix.Snap.Projects {
		lists = append(lists, ix.decisionMoments(p))
	}
	all := slices.Concat(lists...) // at equal times the order of the lists decides
	slices.SortStableFunc(all, func(a, b Moment) int { return cmp.Compare(a.At, b.At) })
	ix.Moments = all[max(0, len(all)-momentLimit):]
	ix.buildStories()
}

// decisionMoments lists the decisions in a project, the oldest first.
func (ix *Index) decisionMoments(p *model.Project) []Moment {
	all := make([]Moment, 0, len(p.Decisions))
	for i := range slices.Backward(p.Decisions) {
		d, who := &p.Decisions[i], "you"
		if strings.HasPrefix(d.By, "fleet") { // on another machine
			who = d.Who
		}
		m := Moment{At: d.At.UnixMilli(), Time: d.At, Where: Place{Project: p.Root, Build: d.Build, Node: d.Node}, Project: path.Base(p.Root), What: who,
			Text: decisionText(d), Decision: d, To: DecisionStatus(d)}
		all = append(all, m.complete(ix.Site(Place{Project: p.Root, Build: d.Build})))
	}
	slices.SortStableFunc(all, func(a, b Moment) int { return cmp.Compare(a.At, b.At) })
	return all
}

// gatherActivities lists the log entries of the build's agents.
func (s *Site) gatherActivities() {
	all := s.Build.Activity
	if len(all) == 0 {
		return
	}
	s.activities = make([]Moment, 0, min(len(all), momentLimit))
	var last int64
	for i := range all {
		a := &all[i]
		if !a.At.IsZero() {
			last = max(last, a.At.UnixMilli())
		}
		if i >= len(all)-momentLimit {
			m := s.Moment(a)
			m.At = last
			s.activities = append(s.activities, m)
		}
	}
}

// Moment returns a log entry as a moment. At is not set.
func (s *Site) Moment(a *model.Activity) Moment {
	m := Moment{Time: a.At, Where: s.Place(""), What: draw.OrElse(a.Chunk, string(a.Family)), Text: a.Text, Activity: a, To: a.Status}
	title := ""
	if n := s.Nodes[a.Node].Node; n != nil {
		m.Where.Node, m.What, title = n.ID, n.Name(), n.Title
	}
	for _, name := range [...]string{m.What, title} {
		if rest, ok := strings.CutPrefix(a.Text, name+": "); ok && name != "" {
			m.Text = rest
			break
		}
	}
	return m.complete(s)
}

// complete sets the fields that depend on the site, which is nil for a build that is gone.
func (m Moment) complete(s *Site) Moment {
	m.site = s
	if s != nil {
		m.Node, m.Project = s.Nodes[m.Where.Node].Node, s.Project.Called()
	}
	m.unit = m.unitPlace()
	m.status = m.rowStatus()
	return m
}

// Same reports whether a moment of another snapshot is the same event.
func (m *Moment) Same(other *Moment) bool {
	return m.At == other.At && m.Where == other.Where && m.What == other.What && m.Text == other.Text && m.IsChange() == other.IsChange()
}

// Passes reports whether the moment passes a filter.
func (m *Moment) Passes(f *Filter) bool {
	kind, family := "", ""
	if m.Activity != nil {
		kind, family = m.Activity.Kind, string(m.Activity.Family)
	}
	return f.Passes(StandingOf(m.To), m.What, m.Text, m.Project, kind, family)
}
