package core

import (
	"slices"

	"gatehouse/parse/doc"
)

// Status is the state of a plan or a phase. The values equal model.Status, which the prompt does not link.
type Status uint8

// The statuses; see model.Status.
const (
	Unknown  Status = iota
	Pending         // not begun
	Active          // an agent's turn
	Waiting         // a human's turn
	Blocked         // can't continue until something else changes
	Failed          // tried, did not work
	Retrying        // not used by GSD
	Done            // finished and, if the project verifies, verified
	Skipped         // left out on purpose
	Executed        // all work is done but not verified
)

var statusNames = [...]string{"unknown", "pending", "active", "waiting", "blocked", "failed", "retrying", "done", "skipped", "executed"}

func (s Status) String() string { return statusNames[s] }

// IsClosed reports whether nothing is left to do.
func (s Status) IsClosed() bool { return s == Done || s == Skipped }

// The words of GSD for the state of a phase.
const (
	WordPending     = "Pending"      // no plan
	WordPlanned     = "Planned"      // plans, none finished
	WordInProgress  = "In Progress"  // some plans finished
	WordExecuted    = "Executed"     // all plans finished, not verified
	WordNeedsReview = "Needs Review" // all plans finished, a human must verify
	WordComplete    = "Complete"     // all plans finished and verified
)

// derivePlans gives every plan its status: done when a summary closes it, blocked when it was halted or depends on a plan that was.
func (p *Project) derivePlans() {
	p.Plans = map[string]*PlanState{}
	for _, phase := range p.Phases {
		for _, s := range phase.Plans {
			p.Plans[PlanKey(phase.ID, s.ID)] = s
		}
	}
	for _, phase := range p.Phases {
		for _, s := range phase.Plans {
			for _, d := range s.Plan.DependsOn {
				if other := p.Plans[PlanKey(phase.ID, d)]; other != nil && other != s {
					s.DependsOn = append(s.DependsOn, other)
				}
			}
		}
	}
	halted := map[*PlanState][]*PlanState{}
	for _, phase := range p.Phases {
		for _, s := range phase.Plans {
			p.derivePlan(s, halted)
		}
	}
}

func (p *Project) derivePlan(s *PlanState, halted map[*PlanState][]*PlanState) {
	switch {
	case s.Plan.IsSuperseded:
		s.Status, s.Word, s.Why = Skipped, "superseded", "another plan takes its place"
	case s.Summary != nil && s.Summary.IsHalted:
		s.Status, s.Word, s.Why = Blocked, "halted", baseName(s.File.Summary)+" says that it was stopped by design"
	case s.Summary != nil && s.Plan.IsUnread:
		s.Status, s.Why = Unknown, "whether "+baseName(s.File.Name)+" is superseded is unclear"
	case s.Summary != nil && s.Summary.IsUnread:
		s.Status, s.Why = Unknown, "the status of "+baseName(s.File.Summary)+" can't be read"
	case s.Summary != nil && s.Summary.IsBlocked:
		s.Status, s.Word, s.Why = Blocked, "blocked", baseName(s.File.Summary)+" says that it is blocked"
	case s.Summary != nil:
		s.Status, s.Why = Done, baseName(s.File.Summary)+" closes it"
	default:
		s.Status, s.Why = Pending, "it has no summary yet"
		if s.BlockedBy = findHalted(s, halted); len(s.BlockedBy) > 0 {
			s.Status, s.Word, s.Why = Blocked, "blocked", "depends on "+s.BlockedBy[0].ID+", which was halted"
			return
		}
		if open := s.OpenDependencies(); open != "" {
			s.Why += "; depends on " + open
		}
		if l := &p.State.Line; isSamePhase(l.ActivePhase, s.Phase.ID) && isSamePlan(p.State.Plan, s.ID) {
			s.Status, s.Word, s.Why = Active, l.Status, "STATE.md names it as the plan in progress"
		}
	}
}

// findHalted returns the halted plans that the dependencies of a plan lead to, at most eight. Results are kept because chains are
// long; a plan that depends on itself finds nothing new on the way around.
func findHalted(s *PlanState, known map[*PlanState][]*PlanState) (found []*PlanState) {
	if found, ok := known[s]; ok {
		return found
	}
	known[s] = nil
	add := func(d *PlanState) {
		if len(found) < 8 && !slices.Contains(found, d) {
			found = append(found, d)
		}
	}
	for _, d := range s.DependsOn {
		switch {
		case d.Plan.IsSuperseded:
		case d.Summary != nil && d.Summary.IsHalted:
			add(d)
		case !d.IsDone():
			for _, far := range findHalted(d, known) {
				add(far)
			}
		}
	}
	known[s] = found
	return found
}

// OpenDependencies returns the numbers of the dependencies that are not finished, "" for none.
func (s *PlanState) OpenDependencies() (list string) {
	for _, d := range s.DependsOn {
		if !d.IsDone() && !d.Plan.IsSuperseded {
			if list != "" {
				list += ", "
			}
			list += d.ID
		}
	}
	return list
}

func isSamePhase(reference string, id PhaseID) bool {
	other, ok := parsePhaseReference(reference)
	return ok && other.Key == id.Key
}

// isSamePlan reports whether a plan number, "3" or "03-03", belongs to a plan.
func isSamePlan(number, id string) bool {
	last := func(s string) string { return trimZeros(s[doc.LastIndex(s, "-")+1:]) }
	return number != "" && last(number) == last(id) && (doc.LastIndex(number, "-") < 0 || trimZeros(number) == trimZeros(id))
}

// IsDone reports whether a summary closes the plan.
func (s *PlanState) IsDone() bool {
	return s.Summary != nil && !s.Summary.IsBlocked && !s.Summary.IsUnread && !s.Plan.IsUnread
}

// CountPlans returns how many plans of the phase are done and how many there are. Superseded plans do not count.
func (p *Phase) CountPlans() (done, total int) {
	for _, s := range p.Plans {
		if s.Plan.IsSuperseded {
			continue
		}
		total++
		if s.IsDone() {
			done++
		}
	}
	return done, total
}

// IsExecuted reports whether all work of the phase is done, verified or not.
func (p *Phase) IsExecuted() bool {
	done, total := p.CountPlans()
	return p.HasHadPlans && done >= total
}

// HasLostPlans reports whether the phase has no plan, but a summary or a verification that has passed: its plans were removed when they
// were done.
func (p *Phase) HasLostPlans() bool {
	if !p.HasHadPlans && p.Main != nil && p.Main.HasPassed {
		return true
	}
	for _, e := range p.Files {
		if !e.IsDir && IsSummary(e.Name) {
			return !p.HasHadPlans
		}
	}
	return false
}

// HasFile reports whether the phase has a file with a name, or with the name after its number.
func (p *Phase) HasFile(name string) bool {
	for _, e := range p.Files {
		if e.Name == name || len(e.Name) > len(name) && e.Name[len(e.Name)-len(name)-1:] == "-"+name {
			return true
		}
	}
	return false
}

func (p *Phase) setStatus(status Status, word, why string) {
	p.Status, p.Word, p.Why = status, word, why
}

// decideStatus sets a status and the place that it comes from.
func (p *Phase) decideStatus(status Status, why, file string, line int) {
	p.Status, p.Why, p.DecidedBy, p.DecidedLine = status, why, joinPath(p.Dir, file), max(line, 1)
}

// derivePhase gives a phase its status, from the tree alone but for the word "active".
func (p *Project) derivePhase(phase *Phase) {
	done, total := phase.CountPlans()
	isVerified := phase.Main != nil && phase.Main.HasPassed && p.staleReason(phase, phase.Main) == ""
	switch {
	case phase.Road != nil && phase.Road.IsRetired:
		phase.setStatus(Skipped, "retired", "ROADMAP.md strikes it through")
	case phase.Dir == "":
		p.derivePlannedPhase(phase)
	case total == 0 && phase.HasHadPlans:
		phase.setStatus(Pending, WordPending, "all its plans are superseded")
	case phase.HasLostPlans() && isVerified:
		phase.setStatus(Pending, WordPending, "its plans are gone; "+phase.Main.File+" passed")
	case phase.HasLostPlans():
		phase.setStatus(Pending, WordPending, "its plans are gone, a summary is left")
	case total == 0 && (phase.HasFile("CONTEXT.md") || phase.HasFile("RESEARCH.md")):
		phase.setStatus(Pending, WordPending, "prepared, no plan yet")
	case total == 0:
		phase.setStatus(Pending, WordPending, "no plan yet")
	case done == 0 && total == 1:
		phase.setStatus(Pending, WordPlanned, "its plan has no summary")
	case done == 0:
		phase.setStatus(Pending, WordPlanned, "none of "+formatNumber(total)+" plans has a summary")
	case done < total:
		phase.setStatus(Active, WordInProgress, formatNumber(done)+" of "+formatNumber(total)+" plans closed by a summary")
	default:
		p.deriveVerifiedPhase(phase, total)
	}
	p.overlayPhase(phase)
	if phase.Status != Skipped && phase.Past == "" {
		p.overlayHuman(phase)
	}
}

// derivePlannedPhase is for a phase that is only in the roadmap.
func (p *Project) derivePlannedPhase(phase *Phase) {
	r := phase.Road
	switch {
	case !r.IsChecked && !equalFold(r.Status, "complete"):
		phase.setStatus(Pending, r.Status, "it is only in ROADMAP.md, without a directory")
	case p.IsOfShipped(phase):
		phase.setStatus(Done, "shipped", "ROADMAP.md says so; its directory is gone with the milestone")
	default:
		phase.setStatus(Unknown, "", "ROADMAP.md says it is complete, but nothing of it is on disk")
	}
}

// deriveVerifiedPhase is for a phase whose plans are all finished.
func (p *Project) deriveVerifiedPhase(phase *Phase, plans int) {
	finished := "all " + formatNumber(plans) + " plans have a summary"
	if plans == 1 {
		finished = "its plan has a summary"
	}
	phase.setStatus(Executed, WordExecuted, finished+", no verification yet")
	v := phase.Main
	if v == nil || v.Status == "" {
		if !p.Config.Verifies {
			phase.setStatus(Done, WordExecuted, finished+"; this project does not verify phases (workflow.verifier is false)")
		}
		return
	}
	stale := p.staleReason(phase, v)
	if !v.HasPassed || stale != "" {
		phase.DecidedBy, phase.DecidedLine = joinPath(phase.Dir, v.File), max(v.StatusLine, 1)
	}
	switch {
	case v.Status == GapsFound:
		phase.setStatus(Failed, WordExecuted, v.File+" found gaps")
		if n := len(v.Gaps); n > 0 {
			phase.Why = v.File + " found " + Count(n, "gap")
		}
	case stale != "" && (v.HasPassed || v.Status == HumanNeeded):
		phase.Why = v.File + " " + stale + ": verify again"
	case v.HasPassed:
		phase.setStatus(Done, WordComplete, finished+", verification passed")
	case v.Status == HumanNeeded:
		phase.setStatus(Waiting, WordNeedsReview, "verification asks for a human")
		if uat := phase.AnsweredBy(v); uat != "" { // GSD keeps it in review until its own command has checked the answers
			phase.Why = "answered, verify-work next: all tests of " + uat + " have passed"
		} else if !v.AsksHuman {
			phase.Why = "answered, verify-work next: all that " + v.File + " asks is settled"
		}
	default:
		phase.Why = finished + "; " + v.File + " says “" + v.Status + "”"
	}
}

// overlayPhase adds facts that the counts lack: halted plans, and the phase that a command works on now.
func (p *Project) overlayPhase(phase *Phase) {
	if phase.Status.IsClosed() || phase.Status == Waiting {
		return
	}
	for _, s := range phase.Plans {
		if s.Word == "blocked" {
			phase.Status, phase.Why = Blocked, s.ID+" "+s.Why
			return
		}
	}
	if phase.Status == Pending && phase.Dir != "" && isSamePhase(p.State.Line.ActivePhase, phase.ID) {
		phase.Status, phase.Why = Active, phase.Why+"; STATE.md names it as active"
	}
}

// overlayHuman makes a phase wait while a test or a verification needs a human, and keeps it open while a test has not
// passed, regardless of the status in its files.
func (p *Project) overlayHuman(phase *Phase) {
	for _, u := range phase.UATs {
		if n := u.CountOpen(); n > 0 {
			line := 0
			for i := range u.Tests {
				if line == 0 && u.Tests[i].IsPending() {
					line = u.Tests[i].ResultLine()
				}
			}
			phase.decideStatus(Waiting, Count(n, "test")+" of "+u.File+" for a human to judge", u.File, line)
			return
		}
	}
	for _, v := range phase.Verifications {
		if p.AsksHuman(phase, v) && (v != phase.Main || v.Status == "") {
			why := v.File + " asks for a human"
			if v == phase.Main {
				why += ", in its body alone"
			}
			phase.decideStatus(Waiting, why, v.File, v.StatusLine)
			return
		}
	}
	if phase.IsExecuted() && phase.Status != Waiting && phase.Status != Failed {
		p.overlayResults(phase)
	}
}

// overlayResults keeps a phase open if a human has run its tests without passing them, or if their results are
// unreadable; the worst result gives the reason.
func (p *Project) overlayResults(phase *Phase) {
	for _, u := range phase.UATs {
		for i := range u.Tests {
			t := &u.Tests[i]
			status, why := Executed, u.File+": “"+t.Result+"” is no result"
			switch {
			case !phase.IsOpenTest(u, t):
				continue
			case t.HasFailed():
				status, why = Failed, u.File+" has an issue: "+t.Name
			case t.Result == ResultBlocked:
				status, why = Blocked, u.File+" could not test: "+t.Name
			}
			if phase.Status == Done || status == Failed || status == Blocked && phase.Status != Blocked {
				phase.decideStatus(status, why, u.File, t.ResultLine())
			}
			if status == Failed {
				return
			}
		}
		if why := u.UnreadableText(); why != "" && phase.Status == Done {
			phase.decideStatus(Executed, why, u.File, u.Unread)
		}
	}
}

// IsOpenTest reports whether a test leaves something to do. An issue is over when its file or all its gaps are resolved. Like a test
// that could not be run, it is over when a later plan has closed the gaps.
func (p *Phase) IsOpenTest(u *UATFile, t *UATTest) bool {
	switch {
	case t.HasPassed(), t.Result == ResultSkipped:
		return false
	case t.HasFailed():
		return !u.IsResolved() && !p.hasClosedGaps(u)
	case t.Result == ResultBlocked:
		return !p.hasClosedGaps(u)
	}
	return true
}

// hasClosedGaps reports whether a plan that closes gaps was finished after a UAT was written.
func (p *Phase) hasClosedGaps(u *UATFile) bool {
	for _, s := range p.Plans {
		if s.Plan.ClosesGaps && s.IsDone() && s.SummaryModified >= u.Modified {
			return true
		}
	}
	return false
}

// AnsweredBy returns the UAT that answers a verification's items for a human, "" without one: a human has passed all
// its tests, which are as many as the verification asks for, and it is not older.
func (p *Phase) AnsweredBy(v *VerificationFile) string {
	for _, u := range p.UATs {
		if !u.IsBroken && u.Unread == 0 && u.AllPassed() && len(u.Tests) >= len(v.Human) && !isOlder(u.Updated, u.Modified, v.Verified, v.Modified) {
			return u.File
		}
	}
	return ""
}

// isOlder reports whether a file is older than another: by the times in both files, else by their modification times.
// Midnight means an unknown time of that day, so it is not before any time of the day.
func isOlder(said string, modified int64, otherSaid string, otherModified int64) bool {
	const day = 24 * 60 * 60
	if at, other := parseSeconds(said), parseSeconds(otherSaid); at != 0 && other != 0 {
		return at < other && (at%day != 0 || at+day <= other)
	}
	return modified+clockSlack < otherModified
}

// applyReverification lets a later verification decide if it has passed, is marked as a repeated one, and is valid.
func (p *Project) applyReverification(phase *Phase) {
	for _, v := range phase.Verifications {
		if v.IsAgain && v.HasPassed && phase.Main != nil && p.staleReason(phase, v) == "" && !isOlder(v.Verified, v.Modified, phase.Main.Verified, phase.Main.Modified) {
			phase.Main = v
		}
	}
}

// isReplaced reports whether a verification that has passed decides in place of another one.
func (p *Project) isReplaced(phase *Phase, v *VerificationFile) bool {
	m := phase.Main
	return m != nil && m != v && m.IsAgain && m.HasPassed && p.staleReason(phase, m) == "" && !isOlder(m.Verified, m.Modified, v.Verified, v.Modified)
}

// AsksHuman reports whether a verification of a phase has items for a human that are still unanswered.
func (p *Project) AsksHuman(phase *Phase, v *VerificationFile) bool {
	return v.AsksHuman && !p.isReplaced(phase, v) && phase.AnsweredBy(v) == "" && p.staleReason(phase, v) == ""
}

// clockSlack is how much newer a file must be to outdate another, in nanoseconds: a checkout gives all files about the same time.
const clockSlack = 60 * 1_000_000_000

// staleReason says why a verification is out of date, "" while it holds. Its fingerprint decides if it has one, else the times.
func (p *Project) staleReason(phase *Phase, v *VerificationFile) string {
	if v.HasFingerprint {
		return p.checkFingerprint(phase, v)
	}
	for _, s := range phase.Plans {
		if s.Summary != nil && s.SummaryModified > v.Modified+clockSlack {
			return "is older than " + baseName(s.File.Summary)
		}
	}
	return ""
}

// IsStale reports whether a verification is out of date.
func (p *Project) IsStale(phase *Phase, v *VerificationFile) bool {
	return p.staleReason(phase, v) != ""
}
