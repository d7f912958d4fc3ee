package core

import (
	"slices"
)

// End is the reason why the current milestone is over. The zero value means that it is not.
type End struct {
	Reason string
	// IsByWord is true if only the words of STATE.md end it: nothing waits in it, but open work in the tree is not
	// done.
	IsByWord bool
}

// CurrentVersion returns the version of the current milestone as ROADMAP.md writes it.
func (p *Project) CurrentVersion() string {
	if version, _ := parseVersion(p.Scope.Version); version != "" {
		return version
	}
	if p.Scope.Version == "" {
		if m := p.Roadmap.UnderWay(); m != nil && m.State == InProgress {
			return m.Version
		}
	}
	return p.Scope.Version
}

// findOvertaking returns the milestone that work has moved to if the roadmap has shipped the one that STATE.md still names, else nil:
// the one in progress by the roadmap, or the one of the phase that STATE.md is at or an agent asks about.
func (p *Project) findOvertaking() *Milestone {
	version, _ := parseVersion(p.State.Declared)
	if p.Roadmap.stateOf(version) != Shipped {
		return nil
	}
	if other := p.Roadmap.UnderWay(); other.State == InProgress {
		return other
	}
	var references []string
	if p.isWorking() {
		references = append(references, p.State.Line.ActivePhase, p.State.Phase)
	}
	if p.Signal != nil {
		references = append(references, p.Signal.Phase)
	}
	for _, reference := range references {
		id, ok := parsePhaseReference(reference)
		owner := p.Roadmap.ownerOf(id, version)
		if m := p.Roadmap.Find(version); ok && !m.Range.HasPhase(id) && p.isAhead(owner, id, version) { // else numbers may begin again
			return p.Roadmap.Find(owner)
		}
	}
	return nil
}

// isPhaseAhead reports whether a phase is of a milestone that is yet to come. Its directory may have been left by the current one, if
// numbers begin again.
func (p *Project) isPhaseAhead(phase *Phase, current string) bool {
	if m := p.Roadmap.Find(current); m != nil && m.Range.HasPhase(phase.ID) && phase.Dir != "" {
		return false
	}
	return p.isAhead(phase.Version, phase.ID, current)
}

// isAhead reports whether the milestone of a phase comes after the current one: it has not shipped, and its numbers
// follow those of the current one or, if it is planned, its version does.
func (p *Project) isAhead(owner string, id PhaseID, current string) bool {
	if owner == "" || owner == current || p.stateOf(owner) == Shipped {
		return false
	}
	last, ok := p.Roadmap.lastPhase(current)
	return ok && last.Compare(id) < 0 || p.stateOf(owner) == Planned && isLaterVersion(owner, current)
}

// findShipped returns the entry of a version among the milestones that have shipped, nil without one.
func (p *Project) findShipped(version string) *ShippedMilestone {
	for i := range p.Shipped {
		if p.Shipped[i].Version == version && version != "" {
			return &p.Shipped[i]
		}
	}
	return nil
}

// findShippedRange returns the first shipped milestone whose phases a number is among, nil without one.
func (p *Project) findShippedRange(id PhaseID) *ShippedMilestone {
	for i := range p.Shipped {
		if p.Shipped[i].Range.HasPhase(id) {
			return &p.Shipped[i]
		}
	}
	return nil
}

// ShippedOn returns the day that a milestone was shipped, as written by MILESTONES.md, else by ROADMAP.md; "" if neither says.
func (p *Project) ShippedOn(version string) string {
	if m := p.findShipped(version); m != nil && parseSeconds(m.On) != 0 {
		return m.On
	}
	if m := p.Roadmap.Find(version); m != nil {
		return m.On
	}
	return ""
}

// stateOf returns the state of the milestone of a version. STATE.md may call it complete before the roadmap does.
func (p *Project) stateOf(version string) MilestoneState {
	if version != "" && version == p.closed {
		return Shipped
	}
	return p.Roadmap.stateOf(version)
}

// isWorking reports whether STATE.md works in the current milestone: it neither calls it complete nor awaits the next.
func (p *Project) isWorking() bool { return !p.State.AwaitsNext() && !p.State.ClaimsComplete() }

// placePhases finds the milestone of every phase, whether the current one is over, and the past phases.
func (p *Project) placePhases() {
	current := p.CurrentVersion()
	if version := completedVersion(p.State.Line.Status); version != current {
		p.closed = version
	}
	for _, phase := range p.Phases {
		phase.Version = p.Roadmap.ownerOf(phase.ID, current)
	}
	p.End = p.decideEnd(current)
	first, hasFirst := p.firstPhase(current)
	for _, phase := range p.Phases {
		phase.Past = p.pastReason(phase, current, first, hasFirst)
		phase.IsAhead = phase.Past != "" && p.isPhaseAhead(phase, current)
		isAsked := p.Signal != nil && isSamePhase(p.Signal.Phase, phase.ID) || p.HandOff != nil && !p.HandOff.IsOver() && isSamePhase(p.HandOff.Phase, phase.ID)
		if phase.IsAhead && (isAsked || p.isWorking() && p.isAt(phase.ID)) {
			phase.Past, phase.IsAhead = "", false // it is in progress nevertheless
		}
	}
}

// decideEnd decides whether the whole current milestone is over: ROADMAP.md has shipped it, or STATE.md calls it
// shipped or awaits the next one. The word "complete" in STATE.md is a claim, and not enough. Work on a phase of
// another milestone continues.
func (p *Project) decideEnd(current string) End {
	state := p.Roadmap.stateOf(current)
	switch {
	case state == Shipped && p.worksBeyond(current):
		p.isBeyond = true
		return End{}
	case state == Shipped:
		return End{Reason: "its milestone, " + current + ", is shipped"}
	case p.Overtaken != nil:
	case p.State.AwaitsNext():
		return End{"STATE.md awaits the next milestone", true}
	case p.State.saysOver(current):
		return End{"STATE.md calls its milestone shipped or closed", true}
	}
	return End{}
}

// worksBeyond reports whether STATE.md works on a phase that belongs to no milestone, under the label of one that has shipped.
func (p *Project) worksBeyond(current string) bool {
	if p.State.AwaitsNext() || !isAtWork(p.State.Line.Status) {
		return false
	}
	for _, reference := range [...]string{p.State.Line.ActivePhase, p.State.Phase} {
		phase := p.FindPhase(reference)
		m := p.Roadmap.Find(current)
		if phase != nil && phase.Version == "" && m.Range.IsSet && m.Range.Last.Compare(phase.ID) < 0 && !p.IsInArchive(phase.ID) {
			return true
		}
	}
	return false
}

// shippedVersion returns the version of the shipped milestone that MILESTONES.md puts a phase into; "" if the roadmap knows better,
// because it names the phase in the section of the current milestone or of another one.
func (p *Project) shippedVersion(phase *Phase, current string) string {
	if phase.Version == current && current != "" || !p.isCarriedOver(phase) && !p.Scope.HoldsAll() && p.isInScope(phase) {
		return ""
	}
	if m := p.findShipped(phase.Version); m != nil && m.Version != current {
		return m.Version
	}
	if m := p.findShippedRange(phase.ID); phase.Version == "" && m != nil && m.Version != current {
		return m.Version
	}
	return ""
}

// isInScope reports whether the current milestone names a phase or holds its directory.
func (p *Project) isInScope(phase *Phase) bool {
	return p.Scope.NamesPhase(phase.ID.Text) || phase.Dir != "" && p.Scope.HoldsDir(baseName(phase.Dir))
}

// isCarriedOver reports whether a roadmap without milestones still lists a phase of a shipped one, checked off. Its
// numbers have to continue those of that milestone: if numbering may have restarted, the phase belongs to the current
// milestone.
func (p *Project) isCarriedOver(phase *Phase) bool {
	m := p.findShippedRange(phase.ID)
	if m == nil || len(p.Roadmap.Milestones) > 0 || phase.Road == nil || !phase.Road.IsChecked {
		return false
	}
	for _, r := range p.Roadmap.Phases {
		if r.ID.Compare(m.Range.First) <= 0 {
			return false
		}
	}
	return true
}

// pastNumberReason returns the reason why a number belongs to a shipped phase without other traces, "" if it does not.
func (p *Project) pastNumberReason(reference string) string {
	id, ok := parsePhaseReference(reference)
	if !ok {
		return ""
	}
	current := p.CurrentVersion()
	version := p.Roadmap.ownerOf(id, current)
	if version != current && p.stateOf(version) == Shipped {
		return "it is of " + version + ", which is shipped"
	}
	if m := p.findShippedRange(id); version == "" && m != nil && m.Version != current {
		return "it is of " + m.Version + ", which is shipped"
	}
	for _, a := range p.Archived {
		if a.ID.Key == id.Key {
			return a.Past
		}
	}
	return ""
}

// firstPhase returns the first phase of the current milestone: by the range in the roadmap, else by its section.
func (p *Project) firstPhase(current string) (first PhaseID, ok bool) {
	if m := p.Roadmap.Find(current); m != nil && m.Range.IsSet {
		return m.Range.First, true
	}
	add := func(id PhaseID) {
		if !ok || id.Compare(first) < 0 {
			first, ok = id, true
		}
	}
	for _, r := range p.Roadmap.Phases {
		if r.Milestone == current && current != "" {
			add(r.ID)
		}
	}
	for _, phase := range p.Phases {
		if !ok && !p.Scope.HoldsAll() && p.isInScope(phase) {
			add(phase.ID)
		}
	}
	return first, ok
}

// pastReason returns why nothing in a phase waits, "" for a phase of the current milestone.
func (p *Project) pastReason(phase *Phase, current string, first PhaseID, hasFirst bool) string {
	version, state := phase.Version, p.stateOf(phase.Version)
	isOther := version != "" && version != current
	before := p.shippedVersion(phase, current)
	switch {
	case isOther && state == Shipped:
		return "it is of " + version + ", which is shipped"
	case p.End.Reason != "" && p.isPhaseAhead(phase, current):
		return ""
	case p.End.Reason != "":
		return p.End.Reason
	case version != "" && version == current && p.Roadmap.stateOf(current) == Shipped: // work continues beyond it
		return "it is of " + version + ", which is shipped"
	case before != "":
		return "it is of " + before + ", which is shipped"
	case version == "" && p.Roadmap.isEarlier(phase.ID) && (p.Scope.HoldsAll() || !p.Scope.NamesPhase(phase.ID.Text)):
		return "it is of an earlier milestone"
	case phase.ID.IsZero() && (p.isAt(phase.ID) || hasFirst && first.number <= 1 || !hasFirst):
		return "" // the phase before the first one
	case version != "" && (version == current || state == InProgress && phase.Dir != "" && p.Scope.HoldsDir(baseName(phase.Dir))):
		return "" // also if the roadmap has another milestone in progress than STATE.md names, and GSD counts its phases
	case hasFirst && phase.ID.Compare(first) < 0:
		return "it is of an earlier milestone than " + current
	case version != "" && current != "" && p.Roadmap.Find(current) != nil:
		return "it is of " + version + ", not of " + current
	case phase.Dir != "" && !p.Scope.HoldsDir(baseName(phase.Dir)) && p.Roadmap.stateOf(current) != Shipped:
		return "it is not among the phases of the current milestone"
	}
	return ""
}

// IsOfShipped reports whether a phase belongs to a milestone that has shipped.
func (p *Project) IsOfShipped(phase *Phase) bool {
	switch r := phase.Road; {
	case r != nil && r.IsFolded:
		return true
	case r != nil && r.IsListed && !r.IsChecked:
		return false
	}
	return p.stateOf(phase.Version) == Shipped
}

// isPutAway reports whether nothing is left to do in a past phase: it is of a milestone that has shipped. If the milestone is over
// only by the word of STATE.md, its plans must be done.
func (p *Project) isPutAway(phase *Phase) bool {
	done, total := phase.CountPlans()
	switch {
	case p.End.IsByWord:
		return phase.IsExecuted() || phase.HasLostPlans() || p.IsOfShipped(phase)
	case p.End.Reason == "":
		return p.stateOf(phase.Version) == Shipped || p.shippedVersion(phase, p.CurrentVersion()) != "" || phase.Road != nil && phase.Road.IsFolded || phase.Version == "" && done == total
	}
	return done == total || !p.isWorking()
}

// inScope returns the phases of a scope: phases with a directory that GSD counts to the milestone, and planned phases
// that the roadmap lists there or that have no milestone. A planned phase that might be open is never dropped.
func (p *Project) inScope(scope *Scope) (in []*Phase) {
	current, isEnded := p.CurrentVersion(), scope == &p.Scope && p.End.Reason != ""
	for _, phase := range p.Phases {
		switch {
		case isEnded && p.isPhaseAhead(phase, current): // the end belongs to another milestone
		case phase.ID.IsZero():
			if scope == &p.Scope && phase.Past == "" {
				in = append(in, phase)
			}
		case phase.Dir != "":
			isListed := scope == &p.Scope && phase.Past == "" && phase.Version == current && current != "" // in a form that GSD does not know
			if isListed || scope.HoldsDir(baseName(phase.Dir)) {
				in = append(in, phase)
			}
		case scope.NamesPhase(phase.ID.Text), (scope.HoldsAll() || phase.Version == "" || phase.Version == scope.Version) && !p.IsOfShipped(phase):
			in = append(in, phase)
		}
	}
	if isEnded && len(in) == 0 { // the scope names the phases of the next one
		for _, phase := range p.Phases {
			if phase.Dir != "" && phase.Version == current {
				in = append(in, phase)
			}
		}
	}
	if scope == &p.Scope && p.isBeyond {
		for _, phase := range p.Phases { // the roadmap names them in no milestone
			if phase.Past == "" && !slices.Contains(in, phase) {
				in = append(in, phase)
			}
		}
	}
	return in
}

// CurrentPhases returns the phases of the current milestone to a reader; if it is over, all that are counted.
func (p *Project) CurrentPhases() (now []*Phase) {
	for _, phase := range p.Ours {
		if phase.Past == "" || p.End.Reason != "" {
			now = append(now, phase)
		}
	}
	return now
}

// HasAllShipped reports whether the roadmap has milestones and all of them are over, the one that STATE.md names among them.
func (p *Project) HasAllShipped() bool {
	if p.State.Line.Milestone != "" && p.Roadmap.stateOf(p.CurrentVersion()) != Shipped || p.isBeyond {
		return false
	}
	hasShipped := false
	for i := range p.Roadmap.Milestones {
		switch p.Roadmap.Milestones[i].State {
		case Shipped:
			hasShipped = true
		case Planned:
		default:
			return false
		}
	}
	return hasShipped
}
