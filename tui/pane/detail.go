package pane

// The details of one node: what it is, the reason for its status, its question, its dependencies and its files.

import (
	"slices"
	"strconv"
	"strings"
	"time"

	"gatehouse/model"
	"gatehouse/model/line"
	"gatehouse/tui/draw"
	"gatehouse/tui/index"
)

// kindOf names the kind of what is selected. Out of view the name would change with every move.
func kindOf(s *Scene, front bool) string {
	x, _ := s.Subject()
	switch {
	case !front:
		return "Details"
	case len(x.Run) > 0:
		return "Done"
	case x.Node == nil:
		return "Overview"
	case x.Node.Kind == "":
		return "Details"
	}
	return strings.ToUpper(string(x.Node.Kind[:1])) + string(x.Node.Kind[1:])
}

// detailsPage lays out the page about what is selected.
func detailsPage(_ *textPane, s *Scene, width, _ int) (p page, about index.Place, ok bool) {
	x, ok := s.Subject()
	beside := panesInView{s.InView(WaitsID), s.InView(BlockersID)}
	switch {
	case !ok:
		return p, about, false
	case len(x.Run) > 0:
		p = runPage(s.Look, x.Row, width)
	case x.Node == nil:
		p = overviewPage(s.Look, s.Index, x.Site, width, beside, s.Offers(x.Row))
	default:
		p = detailPage(s.Look, s.Index, x.Site, x.Node, width, beside, s.Offers(x.Row))
	}
	return p, x.Place(), true
}

// detailPage lays out the details of a node, with its possible verbs. A question is no heading if the visible list shows it: it is in
// banner, row and list already.
func detailPage(l *draw.Look, ix *index.Index, s *index.Site, n *model.Node, width int, inView panesInView, offers []draw.Hint) page {
	if n.Session != nil {
		return sessionPage(l, s, n, width, offers)
	}
	p := newPage(l, width)
	if !inView.waits || !slices.ContainsFunc(s.Build.Waits, func(w model.Wait) bool { return w.IsCurrent() && w.Node == n.ID && w.Text == n.Title }) {
		p.Text(l.Theme.Strong, n.Name())
	}
	p.addOutOfReach(s)
	p.addNodeStatus(s, n)
	p.Text(l.Theme.Dim, n.Why)
	reasons, facts := draw.FailuresOf(n)
	p.Failures(reasons)
	if n.Held {
		p.Item(l.Theme.Wait, l.Glyphs.Held, l.Theme.Wait, "last good state: a file of it cannot be read now")
	}
	if n.IsArchived() {
		p.Text(l.Theme.Dim, "belongs to a finished milestone; not counted")
	}
	if n.Count.Total > 0 && n.Gate == nil { // the evidence of a gate shows which of its files exist
		p.Gap()
		p.addProgress(s.Build.Progress, n)
	}
	if n.Gate != nil {
		p.addGate(s, n)
		p.addOffers(offers)
		p.addArtifacts(n)
	} else {
		p.addOffers(offers)
	}
	p.addNodes("Depends on", s, n.DependsOn)
	p.addNodes("Needed by", s, neededBy(s.Build, n))
	p.addNodes("Blocked by", s, n.BlockedBy)
	p.addBlockers(s, slices.DeleteFunc(s.Blockers(), func(b model.Blocker) bool { return b.Node != n.ID }))
	if len(facts) > 0 || n.Wave > 0 {
		p.Heading("Facts")
		var rows []draw.Fact
		if n.Wave > 0 {
			rows = append(rows, draw.Fact{Label: "wave", Value: strconv.Itoa(n.Wave)})
		}
		for _, f := range facts {
			rows = append(rows, draw.Fact{Label: f.Label, Value: f.Value})
		}
		p.Facts(rows...)
	}
	p.addDecisionsAbout(s, n.ID)
	p.addLogged(s, n.ID)
	if n.Gate == nil {
		p.addArtifacts(n)
	}
	p.Problems(problemsOf(s.Build.Problems, n))
	return p
}

// neededBy returns the IDs of the nodes that depend on a node.
func neededBy(b *model.Build, n *model.Node) (ids []string) {
	for _, other := range model.Walk(b.Nodes) {
		if slices.Contains(other.DependsOn, n.ID) {
			ids = append(ids, other.ID)
		}
	}
	return ids
}

// addStatus adds the sign and the word of a status, its age, and the file's own word if that differs.
func (p page) addStatus(st draw.Style, sign, word, since, raw string) {
	r := p.Look.Ribbon(p.Width)
	r.Sign(st, sign)
	r.Gap(1)
	r.Add(st, word)
	if since != "" {
		r.Gap(1)
		r.Add(p.Look.Theme.Dim, since)
	}
	if raw != "" && !strings.EqualFold(raw, word) {
		r.Gap(3)
		r.Add(p.Look.Theme.Dim, "in the file: "+raw)
	}
	p.Add(&r)
}

// addNodeStatus adds the status of a node.
func (p page) addNodeStatus(s *index.Site, n *model.Node) {
	st, sign, word := s.StatusOf(p.Look, n)
	since := p.Look.For(n.Since, n.SinceFile)
	switch {
	case n.IsUpcoming():
		since = ""
	case n.IsStale():
		since = p.Look.For(n.StaleSince(), false)
	}
	p.addStatus(st, sign, word, since, n.Raw)
}

// addProgress adds a bar with its numbers. The build decides how percentages are rounded.
func (p page) addProgress(of model.Progress, n *model.Node) {
	c, done := shareOf(n), " done"
	if n.Plans.Total > 0 {
		done = " plans"
	}
	p.addShare(c, of.Share(c), min(20, p.Width-20), 3, doneOf(c)+done)
	if n.Plans.Total > 0 {
		p.Text(p.Look.Theme.Dim, strconv.Itoa(n.Count.Done)+" of "+draw.Counted(n.Count.Total, "phase")+" closed")
	}
}

// addGate adds the question of a gate and the effect of the answer.
func (p page) addGate(s *index.Site, n *model.Node) {
	th, g := p.Look.Theme, n.Gate
	if g.Overwritten != nil {
		p.Heading("Overwritten")
		p.Text(th.Wait, overwrittenIn(p.Look, g.Overwritten))
		p.Below(th.Dim, "Nothing is written again by itself: decide once more if you still mean it.")
	}
	if warning := n.NotByYou(); warning != "" {
		p.Item(th.Wait, p.Look.Glyphs.Differs, th.Wait, warning)
		p.Below(th.Dim, "The state file says so, and the journal has no decision that made it so.")
	}
	if r := g.Request; r != nil {
		p.Heading("Changes asked")
		p.QuoteLines(r.Text)
		p.Text(th.Dim, draw.Join(draw.PartJoint, r.Who, p.Look.Ago(r.At)))
	}
	asks := g.Asks
	if asks == n.Title { // the title shows it
		asks = ""
	}
	if asks != "" || len(g.Options) > 0 {
		p.Heading(askHeading(n))
		p.Quote("", asks)
	}
	for _, o := range g.Options {
		p.Item(th.Dim, p.Look.Glyphs.Dot, "", o)
	}
	p.Gap()
	since, opens := "", draw.ApprovalOf(g)
	if n.Since.IsZero() && !n.IsUpcoming() { // otherwise its status says it
		w := s.WaitOf(n.ID)
		since = p.Look.For(w.Since, w.SinceFile)
	}
	if g.Ask != nil { // always answered by a human
		opens = ""
		p.Text(p.Look.Theme.Wait, p.Look.Deadline(g.Ask.Until, g.Ask.Then))
	}
	p.Facts(
		draw.Fact{Label: "expects", Value: g.Expects},
		draw.Fact{Label: "passed by", Value: opens},
		draw.Fact{Label: "reason", Value: g.Reason},
		draw.Fact{Label: "waiting", Value: since},
		draw.Fact{Label: "awaited", Value: draw.If(!g.Awaited.IsZero(), "by gatehouse wait, "+p.Look.Age(g.Awaited))},
	)
	p.addNodes("Then starts", s, g.Opens)
}

// askHeading heads what a gate asks.
func askHeading(n *model.Node) string {
	switch {
	case n.IsTurn():
		return "Last words"
	case n.IsUpcoming():
		return "Not yet"
	case n.Status.Closed():
		return "Asked"
	case n.Gate.Approval == model.ApprovalAuto: // a check decides
		return "Checks"
	}
	return "Asks you"
}

// overwrittenIn says in a sentence which decision was overwritten.
func overwrittenIn(l *draw.Look, d *model.Decision) string {
	return draw.Join(" ", d.Who, d.Verb.Words().Past+" it "+l.Ago(d.At)+", and the file says", line.Name(d.Was), "again")
}

// addOffers adds the keys that decide, in one line.
func (p page) addOffers(offers []draw.Hint) {
	if len(offers) == 0 {
		return
	}
	p.Gap()
	r := p.Look.Ribbon(p.Width)
	for _, o := range offers {
		r.Exactly(p.Look.Theme.Strong, o.Key)
		r.Gap(1)
		r.Add(p.Look.Theme.Dim, o.Words)
		r.Gap(3)
	}
	p.Add(&r)
}

// addNodes adds a list of other nodes by name, each with its status.
func (p page) addNodes(heading string, s *index.Site, ids []string) {
	if len(ids) == 0 {
		return
	}
	p.Heading(heading)
	for _, id := range draw.Limited(p.Page, ids) {
		e, known := s.Nodes[id]
		if !known {
			p.Item(p.Look.Theme.Dim, p.Look.Glyphs.Of(model.Unknown), p.Look.Theme.Dim, draw.Join(draw.PartJoint, id, "not in the tree"))
			continue
		}
		st, sign, word := s.StatusOf(p.Look, e.Node)
		p.Item(st, sign, "", draw.Join(draw.PartJoint, e.Node.Name(), word))
	}
}

// addArtifacts adds the files of a node with size and age, and the place that defines the node. The files of a gate are its evidence.
func (p page) addArtifacts(n *model.Node) {
	heading, all, remarks := "Files", n.Artifacts, map[string]string(nil)
	if n.Gate != nil {
		heading = "Evidence"
		all, remarks = draw.FilesOf(n)
	}
	if len(all) == 0 && n.Source.File == "" {
		return
	}
	if len(all) == 0 {
		p.Heading("Files")
	}
	p.Evidence(heading, all, remarks, n.Gate != nil && !n.IsUpcoming())
	p.Facts(draw.Fact{Label: "written in", Value: n.Source.String(), Style: p.Look.Theme.Dim})
}

// problemsOf returns the problems in the files of a node.
func problemsOf(all []model.Problem, n *model.Node) []model.Problem {
	files := map[string]bool{n.Source.File: true}
	for _, a := range n.Artifacts {
		files[a.File] = true
	}
	delete(files, "")
	var of []model.Problem
	for _, problem := range all {
		if files[problem.File] {
			of = append(of, problem)
		}
	}
	return of
}

// addLogged adds the last activities about a node that its agents have logged, the newest first.
func (p page) addLogged(s *index.Site, node string) {
	th, last := p.Look.Theme, len(s.Build.Activity)-1
	at := func(i int) *model.Activity { return &s.Build.Activity[last-i] }
	p.addNewest("Logged", last+1, func(i int) bool { return at(i).Node == node }, func(i int) {
		a := at(i)
		st, sign := th.Status(a.Status), p.Look.Glyphs.Of(a.Status)
		switch {
		case a.Alert:
			st, sign = th.Wait, p.Look.Glyphs.Problem
		case a.Status == model.Unknown:
			sign = p.Look.Glyphs.Dot
		}
		p.Item(st, sign, "", draw.Join(draw.PartJoint, s.Moment(a).Text, p.Look.Ago(a.At)))
		for _, d := range a.Details[:min(len(a.Details), draw.ListLimit)] {
			p.Below(th.Dim, draw.Join(": ", d.Label, d.Value))
		}
	})
}

// addOutOfReach says at the top that the shown state is old, and that nothing can be decided about it.
func (p page) addOutOfReach(s *index.Site) {
	if !s.Project.OutOfReach() {
		return
	}
	th, h := p.Look.Theme, s.Project.Host
	p.Item(th.Wait, p.Look.Glyphs.Problem, th.Wait, h.Name+" is "+h.Why)
	then := "then"
	if !h.AsOf.IsZero() {
		then = p.Look.Ago(h.AsOf)
	}
	p.Below("", "This was so "+then+"; nothing can be decided until it is back.")
}

// addHost adds the age of the known state of a project on another machine, and the clock of its times.
func (p page) addHost(h *model.Host) {
	if h == nil {
		return
	}
	ahead := time.Duration(h.ClockAhead) * time.Second
	p.Heading("Host: " + h.Name)
	p.Facts(
		draw.Fact{Label: "fleet", Value: h.Fleet},
		draw.Fact{Label: "as of", Value: draw.If(h.Live(), "now")},
		draw.Fact{Label: "its clock", Value: draw.If(ahead != 0, "off by "+ahead.Abs().String()+": all times here are corrected")},
	)
}
