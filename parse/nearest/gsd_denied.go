// Whether the tree denies what STATE.md says: that the milestone is complete.

package nearest

import (
	"gatehouse/model/line"
	"gatehouse/parse/disk/peek"
	"gatehouse/parse/gsd/milestone"
	"gatehouse/parse/gsd/rules"
	"gatehouse/parse/text/scan"
)

// deniedLimit is how many names are looked at in all: a tree prepared with millions must not hold up the prompt.
const deniedLimit = 10_000

// denial looks for what a tree has left to do in the milestone that STATE.md calls complete. The dashboard reads the same out
// of all it knows (see its compareComplete); here the phases that stand in ROADMAP.md only are those that GSD itself finds there.
type denial struct {
	p        *Place
	dir      string     // the project's
	state    string     // STATE.md
	ended    bool       // STATE.md itself ends the milestone, and does not only claim that it is complete: nothing waits in it any more
	counts   bool       // STATE.md says 100 % and no word: it counts as GSD does, for which a phase is over whose plans are executed
	verifies bool       // the project verifies its phases
	asks     string     // the phase that an agent asks about, as WAITING.json writes it
	awaits   rules.Stop // the human that STATE.md says is awaited
	left     int        // how many names may still be looked at
}

// gsdDenied returns what is left to do in the current milestone by the tree in planning, the directory of STATE.md, "" for
// nothing: a phase that has no directory, a plan that no summary closes, a verification that is missing, found gaps or leaves
// things to a human, or a test that a human has not passed. A milestone that the roadmap has closed has nothing left; in the
// phases of others only a human counts whom STATE.md says is awaited there. It is asked where the line says that it is complete,
// which is rare. dir is the project's directory, asks the phase that WAITING.json is about.
func gsdDenied(p *Place, dir, planning, state, asks string, facts *line.GSD) (open string) {
	p.Watch.unsure() // any file of the tree may change it
	roadmap, err := p.read(peek.Join(planning, "ROADMAP.md"), dir)
	if err != nil && !peek.Missing(err) {
		return ""
	}
	scope := milestone.OfReader(milestone.Declared(state), roadmap)
	phases := peek.Join(planning, "phases")
	awaits := rules.StopIn(state, facts)
	if scope.Closed && len(awaits.Said) == 0 || !peek.Inside(phases, dir) {
		return ""
	}
	config, _ := p.read(peek.Join(peek.Join(dir, planningDir), "config.json"), dir)
	d := denial{
		p: p, dir: dir, state: peek.Join(planning, "STATE.md"), ended: rules.EndedBy(state, facts, scope.Version), counts: !rules.SaysComplete(facts.Status),
		verifies: rules.Verifies(config), asks: asks, awaits: awaits, left: deniedLimit,
	}
	all := names(phases, &d.left)
	// What a milestone left that is over is nobody's to do, though GSD may count its phases.
	if !scope.Closed {
		for phase := range scope.Missing(all) {
			if !milestone.Over(phase, roadmap, nil, nil) {
				return "phase " + phase + " has no directory"
			}
		}
	}
	for _, name := range all {
		at, number, open := peek.Join(phases, name), milestone.Number(name), ""
		switch ours := scope.Holds(name); {
		case !ours:
			open = d.beyond(at, number)
		case !scope.Closed:
			open = d.phase(at, number)
		}
		if open != "" && !milestone.Over(number, roadmap, nil, nil) {
			return open
		}
	}
	return ""
}

// planned is a plan of a phase: its directory and name, and the name of the summary that closes it, "" without one.
type planned struct{ dir, name, summary string }

// phase returns what is left to do in a phase by its directory, "" for nothing.
func (d *denial) phase(dir, number string) (open string) {
	files := names(dir, &d.left)
	plans, executed := d.plans(dir, files), false
	for _, plan := range plans {
		if plan.summary == "" && !rules.Superseded(d.status(peek.Join(plan.dir, plan.name))) {
			return "plan " + plan.name + " has no summary"
		}
		executed = executed || plan.summary != ""
	}
	gone := false // its plans were taken away when they were done
	for _, file := range files {
		gone = gone || len(plans) == 0 && milestone.IsSummary(file)
	}
	switch {
	case d.ended && (len(plans) > 0 || gone):
		return ""
	case len(plans) == 0, !executed && !d.counts:
		return "phase " + number + " has no plan"
	}
	return d.judged(dir, number, executed, files, plans)
}

// plans returns the plans of a phase by its directory and the names in it.
func (d *denial) plans(dir string, files []string) (plans []planned) {
	for name, summary := range milestone.Plans(files) {
		plans = append(plans, planned{dir, name, summary})
	}
	nested := peek.Join(dir, "plans")
	for name, summary := range milestone.NestedPlans(names(nested, &d.left)) {
		plans = append(plans, planned{nested, name, summary})
	}
	return plans
}

// beyond returns what is left to do in a phase that the milestone does not hold, "" for nothing: what awaits a human.
func (d *denial) beyond(dir, number string) string {
	goesOn := *d
	goesOn.ended = false
	if len(d.awaits.Said) == 0 || !d.awaited(number, d.plans(dir, names(dir, &d.left))) || goesOn.phase(dir, number) == "" {
		return ""
	}
	return awaitedIn + number
}

const awaitedIn = "STATE.md says that a human is awaited in phase "

// judged returns what keeps a phase open that has no open plan: what its verifications and its tests say. Where none was
// executed, since others took their places, nothing is there to verify.
func (d *denial) judged(dir, number string, executed bool, files []string, plans []planned) string {
	left, open := "", false // what is left to an agent, which a file that only counts does not deny
	leave := func(what string) {
		if open = true; left == "" && !d.counts {
			left = what
		}
	}
	verification, human := rules.Verification(files), ""
	status, asks := "", false
	if verification != "" {
		text := d.text(peek.Join(dir, verification))
		status, asks = string([]byte(rules.Status(text))), rules.AsksHuman(text) // the buffer is used again
	}
	switch {
	case !executed && !asks:
		leave("") // but for a human who is awaited
	case status == "" && asks && !outdated(peek.Join(dir, verification), plans):
		human = verification
		leave(verification + " is to be looked at again")
	case status == "":
		if d.verifies {
			leave("phase " + number + " is not verified")
		}
	case rules.Word(status) == rules.GapsFound:
		return verification + " found gaps"
	case outdated(peek.Join(dir, verification), plans):
		leave(verification + " is older than the work")
	case asks:
		human = verification
		leave(verification + " is to be looked at again")
	case !rules.Verified(status):
		leave(verification + " has not passed")
	}
	for _, file := range files {
		if human == "" && file != verification && rules.IsVerification(file) && rules.AsksHuman(d.text(peek.Join(dir, file))) && !outdated(peek.Join(dir, file), plans) {
			human = file
		}
	}
	for _, file := range files {
		if !rules.IsUAT(file) {
			continue
		}
		path := peek.Join(dir, file)
		text, _, err := peek.ReadFile(path, d.dir, d.p.Buffer, peek.Limit)
		if err != nil {
			continue
		}
		switch tests := rules.Tests(text, func() bool { return d.mended(path, plans) }); tests {
		case rules.TestsPassed:
			human = "" // they answer what the verification asks
		case rules.TestsPending, rules.TestsFailed:
			return file + " has a test " + tests.String()
		case rules.TestsBlocked, rules.TestsUnknown:
			leave(file + " has a test " + tests.String())
		}
	}
	switch {
	case human != "":
		return human + " asks for a human"
	case d.asks != "" && milestone.Same(d.asks, number):
		return "an agent asks about phase " + number
	case open && d.awaited(number, plans):
		return awaitedIn + number
	}
	return left
}

// mended reports whether a plan that closes gaps was executed since a UAT was written.
func (d *denial) mended(uat string, plans []planned) bool {
	tested, nanos, _ := peek.Modified(uat)
	for _, plan := range plans {
		if plan.summary == "" {
			continue
		}
		at, n, ok := peek.Modified(peek.Join(plan.dir, plan.summary))
		if ok && (at > tested || at == tested && n >= nanos) && rules.ClosesGaps(d.value(peek.Join(plan.dir, plan.name), "gap_closure")) {
			return true
		}
	}
	return false
}

// awaited reports whether STATE.md says that a human is awaited in a phase, and nothing that was finished since says otherwise.
func (d *denial) awaited(number string, plans []planned) bool {
	for _, said := range d.awaits.Said {
		phase, plan := rules.PlanIn(said)
		if plan == "" {
			phase = d.awaits.Phase
		}
		if !milestone.Same(phase, number) {
			continue
		}
		past := false
		for _, p := range plans {
			past = past || plan != "" && (p.name == plan+"-PLAN.md" || scan.HasPrefixAt(p.name, plan+"-", 0)) && d.wentPast(p)
		}
		if !past {
			return true
		}
	}
	return false
}

// wentPast reports whether a plan was finished after STATE.md said that a human is awaited in it, or another took its place.
func (d *denial) wentPast(p planned) bool {
	if rules.Superseded(d.status(peek.Join(p.dir, p.name))) {
		return true
	}
	if p.summary == "" {
		return false
	}
	summary := peek.Join(p.dir, p.summary)
	status := d.status(summary)
	return rules.WentPast(status, moment(d.value(summary, "completed"), summary), moment(d.awaits.Written, d.state))
}

func moment(said, path string) (m rules.Moment) {
	m.Said, _ = scan.Seconds(scan.Unquote(said))
	m.File, _, _ = peek.Modified(path)
	return m
}

// outdated reports whether a summary of a phase is newer than its verification, which an agent has to do again then.
func outdated(verification string, plans []planned) bool {
	verified, _, _ := peek.Modified(verification)
	for _, plan := range plans {
		if plan.summary == "" {
			continue
		}
		if at, _, ok := peek.Modified(peek.Join(plan.dir, plan.summary)); ok && rules.Newer(at, verified) {
			return true
		}
	}
	return false
}

// status returns the status in a file's frontmatter as it is written, "" where it has none.
func (d *denial) status(path string) string { return d.value(path, "status") }

// value returns a value of a file's frontmatter as it is written, "" where it has none.
func (d *denial) value(path, key string) string {
	return string([]byte(rules.Value(d.text(path), key))) // the buffer is used again
}

// text returns the text of a file until the next is read, "" where it can't be.
func (d *denial) text(path string) string {
	text, _, err := peek.ReadFile(path, d.dir, d.p.Buffer, peek.Limit)
	if err != nil {
		return ""
	}
	return scan.WithoutMark(text)
}

// names returns the names in a directory, as many as are left to look at.
func names(dir string, left *int) (all []string) {
	peek.Entries(dir, nil, min(*left, 1000), func(name string) {
		*left--
		if name != "." && name != ".." {
			all = append(all, string([]byte(name)))
		}
	})
	return all
}
