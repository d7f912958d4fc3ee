// What is known besides the chunks: versions, scores, readiness, what was changed, what the agents found.

package fctry

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"

	"gatehouse/model"
	"gatehouse/model/line"
	"gatehouse/parse/doc"
	"gatehouse/parse/fctry/rules"
)

const (
	// factLimit is how many characters of one value are kept, and factsLimit how many facts a row has of what it has no
	// place for.
	factLimit  = 600
	factsLimit = 24
)

// fact returns a fact, none where there is nothing to say.
func fact(label, text string) []model.Fact {
	if text == "" {
		return nil
	}
	return []model.Fact{{Label: clipped(label, factLimit), Value: clipped(text, factLimit)}}
}

// clipped returns the beginning of a text, so many characters.
func clipped(text string, limit int) string {
	if len(text) <= limit {
		return text
	}
	for i := range text {
		if limit == 0 {
			return text[:i] + "…"
		}
		limit--
	}
	return text
}

func timeFact(label string, t time.Time) []model.Fact {
	if t.IsZero() {
		return nil
	}
	return fact(label, t.UTC().Format(timeLayout))
}

const timeLayout = "2006-01-02 15:04:05"

// rest returns a fact for each member of an object but those named: what no rule knows is shown as it stands.
func rest(o value, but ...string) (facts []model.Fact) {
	for _, m := range o.members() {
		if slices.Contains(but, m.key) || len(facts) == factsLimit {
			continue
		}
		facts = append(facts, fact(line.Tidy(m.key), m.value.flat())...)
	}
	return facts
}

// flat returns a value as one text: the scalars in it, those of an object behind their keys. What is nested deeper than lists
// in objects is left out.
func (v value) flat() string {
	switch v.kind() {
	case doc.List:
		return strings.Join(v.texts(), ", ")
	case doc.Map:
		var all []string
		for _, m := range v.members() {
			if s := strings.Join(m.value.texts(), ", "); s != "" {
				all = append(all, line.Tidy(m.key)+" "+s)
			}
		}
		return strings.Join(all, "; ")
	case doc.Number:
		return line.Tidy(rules.Number(v.raw()))
	case doc.Bool:
		return v.raw()
	}
	return v.text()
}

// facts fills the metrics of the build.
func (c *collector) facts() {
	top := c.state.top
	add := func(label, text string) { c.b.Metrics = append(c.b.Metrics, fact(label, text)...) }
	add("version", line.Tidy(c.version))
	add("branch", line.Tidy(c.git.Branch+c.git.Commit))
	add("spec", c.specVersion())
	add("spec status", c.spec.status)
	add("command", top.get("currentCommand").text())
	add("step", top.get("workflowStep").text())
	add("section", c.section())
	c.scores()
	c.readiness()
	c.progressFacts()
	c.runFacts()
	c.b.Metrics = append(c.b.Metrics, c.contextFacts()...)
	c.changes()
	if len(c.inbox.items) > 0 {
		add("inbox", c.inboxCount())
	}
	add("upgraded", upgraded(top.get("upgradeApplied")))
	if scan := top.get("scanProgress"); len(scan.members()) > 0 {
		if total, _ := scan.get("total").amount(); total > 0 {
			scanned, _ := scan.get("scanned").amount()
			add("scanned", scanned.Text()+"/"+total.Text()+" sections")
		}
	}
	for _, m := range top.get("agentOutputs").members() {
		summary := m.value.first("summary", "briefingDigest").text()
		if summary == "" {
			summary = m.value.flat()
		}
		add("told by "+line.Tidy(m.key), summary)
	}
	if q := top.get("escalation"); q.kind() == doc.Map {
		add("escalation", q.flat())
	}
	add("verification", top.get("verificationSummary").flat())
	add("next step", c.nextStep)
}

// upgraded says from which version of fctry to which a project was upgraded, or just that it was; "" where it was not.
func upgraded(v value) string {
	from, to := v.get("from").text(), v.get("to").text()
	switch {
	case from != "" && to != "":
		return from + " → " + to
	case !rules.Truthy(v.raw()):
		return ""
	case to != "":
		return "to " + to
	}
	return "yes"
}

// section returns the section that is worked on.
func (c *collector) section() string {
	alias := c.state.top.get("activeSection").text()
	number := c.state.top.get("activeSectionNumber").text()
	if alias == "" {
		return c.spec.name(number)
	}
	name := c.spec.name(alias)
	if number != "" && name == alias {
		name += " (" + number + ")"
	}
	return name
}

// scores adds the scenarios.
func (c *collector) scores() {
	score := c.state.top.get("scenarioScore")
	satisfied, _ := score.get("satisfied").amount()
	if total, ok := score.get("total").amount(); ok && total > 0 {
		c.b.Metrics = append(c.b.Metrics, fact("scenarios", min(satisfied, total).Text()+"/"+total.Text())...)
	}
	for _, m := range rest(score, "satisfied", "total") {
		c.b.Metrics = append(c.b.Metrics, fact("scenarios "+m.Label, m.Value)...)
	}
}

// readiness adds how many sections stand how, first in the words of fctry's display, then by label where one has no place
// in it.
func (c *collector) readiness() {
	summary, sections := c.state.top.get("readinessSummary"), c.state.top.get("sectionReadiness")
	r := rules.ReadReadiness(summary.raw(), sections.raw())
	if total := r.Built + r.Evolved + r.Specced + r.Unspecced; total > 0 {
		text := (r.Built + r.Evolved).Text() + "/" + total.Text() + " built"
		if r.Evolved > 0 {
			text = r.Built.Text() + " built " + r.Evolved.Text() + " evolved"
			if r.Specced > 0 {
				text += " " + r.Specced.Text() + " specced"
			}
			text += " of " + total.Text()
		}
		c.b.Metrics = append(c.b.Metrics, fact("sections", text)...)
	}
	c.sectionsBy(sections)
	for _, m := range rest(summary, "aligned", "ready-to-execute", "satisfied", "spec-ahead", "ready-to-build", "draft") {
		c.b.Metrics = append(c.b.Metrics, fact("sections "+m.Label, m.Value)...)
	}
}

// sectionsBy adds which sections stand how, where the state says it one by one.
func (c *collector) sectionsBy(sections value) {
	var labels []string
	by := map[string][]string{}
	for _, m := range sections.members() {
		label := m.value.first("readiness").text()
		if label == "" {
			label = m.value.text()
		}
		if label == "" {
			continue
		}
		if by[label] == nil {
			labels = append(labels, label)
		}
		by[label] = append(by[label], c.spec.name(line.Tidy(m.key)))
	}
	slices.Sort(labels)
	for i, label := range labels {
		if i == factsLimit {
			break
		}
		c.b.Metrics = append(c.b.Metrics, fact(label+" sections", fmt.Sprintf("%d: %s", len(by[label]), strings.Join(by[label], ", ")))...)
	}
}

// progressFacts adds what the file itself counts of chunks.
func (c *collector) progressFacts() {
	v := c.state.top.get("chunkProgress")
	if len(rules.ReadChunks(v.get("chunks").raw())) > 0 {
		return // they are listed, and counted there
	}
	if p, ok := rules.ReadProgress(v.raw()); ok {
		text := strconv.Itoa(max(p.Done, p.Current))
		if p.CurrentText != "" {
			text = line.Tidy(p.CurrentText)
		}
		c.b.Metrics = append(c.b.Metrics, fact("chunk progress", text+"/"+line.Tidy(p.Of()))...)
	}
}

// runFacts adds what the run says about itself, and what would be offered after a break.
func (c *collector) runFacts() {
	if !c.run.there {
		return
	}
	o := c.run.object
	add := func(label, text string) { c.b.Metrics = append(c.b.Metrics, fact(label, text)...) }
	add("run", o.first("runId", "id").text())
	add("run status", line.Tidy(c.run.Status))
	c.b.Metrics = append(c.b.Metrics, timeFact("started", o.get("startedAt").time())...)
	plan := o.get("plan")
	add("plan priorities", strings.Join(plan.get("priorities").texts(), ", "))
	for _, m := range rest(plan, "priorities", "chunks", "totalChunks") {
		add("plan "+m.Label, m.Value)
	}
	for _, m := range rest(o, "runId", "id", "status", "startedAt", "plan", "chunks", "pendingQuestion", "lastCheckpoint", "chunkProgress") {
		add(m.Label, m.Value)
	}
	if c.last {
		return
	}
	c.resumeFacts()
	if path := c.graph.CriticalPath(); len(path) > 1 {
		var all []string
		for _, i := range path {
			all = append(all, c.nodes[i].Number)
		}
		add("longest way", fmt.Sprintf("%d chunks one after the other: %s", len(path), listed(all)))
	}
}

// resumeFacts adds what an executor would offer that finds this run.
func (c *collector) resumeFacts() {
	add := func(label, text string) { c.b.Metrics = append(c.b.Metrics, fact(label, text)...) }
	resume := c.resume()
	if len(resume.Changed) > 0 {
		var all []string
		for _, i := range resume.Changed {
			all = append(all, c.nodes[i].Number)
		}
		add("built against another spec", "chunks "+listed(all))
	}
	for _, x := range c.outdated(resume) {
		text := "spec " + x.Built + " → " + x.Now + ": build it anew or keep it"
		if len(x.Sections) > 0 {
			text += "; changed since: " + strings.Join(x.Sections, ", ")
		}
		add("rebuild or keep "+x.Chunk, text)
	}
	if !resume.Offered || len(resume.Left) == 0 {
		return
	}
	from := "nothing can begin: blocked on " + listed(causes(resume.BlockedOn))
	if resume.Next >= 0 {
		from = "go on with " + chunkName(c.nodes[resume.Next])
	}
	var ready []string
	for _, x := range c.remaining(resume) {
		if x.Ready {
			ready = append(ready, x.Chunk)
		}
	}
	add("can begin", listed(ready))
	add("resume", fmt.Sprintf("%s (%d done, %d left), start fresh, or cancel", from, len(resume.Done), len(resume.Left)))
}

// changes adds what was changed outside of any command.
func (c *collector) changes() {
	list := c.state.top.get("untrackedChanges").list()
	if len(list) == 0 {
		return
	}
	c.b.Metrics = append(c.b.Metrics, fact("untracked changes", strconv.Itoa(len(list)))...)
	for i, v := range list {
		if i == factsLimit {
			break
		}
		section := v.get("section").text()
		if section == "" {
			section = v.get("sectionNumber").text()
		}
		text := v.get("file").text()
		if section != "" {
			text += " — " + c.spec.name(section)
		}
		if at := v.get("timestamp").time(); !at.IsZero() {
			text += ", " + at.UTC().Format(timeLayout)
		}
		c.b.Metrics = append(c.b.Metrics, fact("untracked", text)...)
	}
}

func (c *collector) inboxCount() string {
	pending, findings := 0, 0
	for _, x := range c.inbox.items {
		if x.source == "foreman" && x.status == "processed" {
			findings++
		}
		if x.status == "pending" || x.status == "" {
			pending++
		}
	}
	text := fmt.Sprintf("%d items, %d pending", len(c.inbox.items), pending)
	if findings > 0 {
		text += fmt.Sprintf(", %d found overnight", findings)
	}
	return text
}
