// The line of an ultraplan project: based on its tree, never on the check marks of its roadmap.

package line

// Ultraplan holds the content of the tree and STATE.md of an ultraplan project. Phase numbers have no leading zeros;
// plan numbers are as in their file names; "" and 0 mean unknown. The zero value gives an empty line.
type Ultraplan struct {
	// Plans is how many plans there are, Done how many of them have a summary: counted in the tree, never read off a bar.
	Plans, Done int

	// Running is the plan that STATE.md or the session names as running, "03-02", RunningPhase its phase, "3", and
	// RunningStatus its activity: "In progress" or "Verifying".
	Running, RunningPhase, RunningStatus string

	Next      string // the first plan without a summary that waits for no other, "03-03", when none is running
	NextPhase string // its phase
	NextWaits bool   // it waits for another plan, as all of them do
	// NextSummary reports whether all tasks of Next are done: its summary is the next step.
	NextSummary bool
	ToPlan      string // the first phase whose plans are not all there, when all plans that are have a summary
	Complete    bool   // all plans have a summary, and no phase is still to be planned

	// Paused reports whether work was interrupted, at PausedPlan, "03-02", of PausedPhase, "3", if known.
	Paused                  bool
	PausedPlan, PausedPhase string

	// Position according to STATE.md: the status, and "Phase: 1 of 5 (Foundation)".
	Status, PhaseNumber, PhaseTotal, PhaseName string
}

// Scene returns which of the four scenes the full form shows, and why.
func (u *Ultraplan) Scene() (n int, why string) {
	switch {
	case u.Paused && !u.Complete:
		return 2, "work was broken off: continue.md is there"
	case u.Running != "":
		return 1, "a plan without a summary is named as running"
	case u.Next != "":
		return 2, "a plan has no summary, and nothing names it as running"
	case u.Complete:
		return 3, "all plans have a summary, and no phase is without plans"
	case u.ToPlan != "":
		return 2, "all plans have a summary, and a phase is without plans"
	case u.Status != "" || u.PhaseNumber != "":
		return 4, "no plan and no next step is known"
	case u.Plans > 0:
		return 4, "only the number of plans is known"
	}
	return 0, "neither the tree nor the file holds anything that the line shows"
}

// Compose adds the full or the compact form to t, in pieces.
func (u *Ultraplan) Compose(t *Text, compact bool) {
	if compact {
		u.composeCompact(t)
	} else {
		u.composeFull(t)
	}
}

func (u *Ultraplan) composeFull(t *Text) {
	if u.Plans > 0 && (u.Done < u.Plans || u.Complete) { // with unplanned phases, the total is unknown
		t.Bar(u.Done*100/u.Plans, true)
	}
	switch scene, _ := u.Scene(); scene {
	case 1:
		t.part(Keep, own("Phase "), value(u.RunningPhase), own(" "), status(u.RunningStatus))
		t.part(RankDetail, value(u.Running))
	case 2, 3:
		u.addStep(t)
	case 4:
		rank := t.statusPart(short(u.Status))
		if u.PhaseNumber != "" {
			t.part(rank, u.position()...)
		}
	}
}

func (u *Ultraplan) composeCompact(t *Text) {
	scene, _ := u.Scene()
	if phase := u.phaseNumber(); phase != "" {
		t.part(RankPlace, own("P"), value(phase))
		t.write(u.ofTotal()...)
	}
	switch scene {
	case 1:
		t.statusPart(short(u.RunningStatus))
	case 2, 3:
		u.addStep(t)
	default:
		t.statusPart(short(u.Status))
	}
}

// phaseNumber returns the number of the phase that the line is about.
func (u *Ultraplan) phaseNumber() string {
	switch {
	case u.Paused && !u.Complete && u.PausedPlan != "":
		return u.PausedPhase
	case u.Running != "":
		return u.RunningPhase
	case u.Next != "":
		return u.NextPhase
	case u.Complete || u.ToPlan == "":
		return u.PhaseNumber
	}
	return u.ToPlan
}

// addStep writes the next step, or that there is none.
func (u *Ultraplan) addStep(t *Text) {
	switch {
	case u.Paused && !u.Complete && u.PausedPlan != "":
		t.part(RankDetail, own(pausedMark).as(Wait), value(u.PausedPlan))
		t.part(Keep, own("next resume"))
	case u.Paused && !u.Complete:
		t.part(Keep, own(pausedMark).as(Wait), own("next resume"))
	case u.Next != "":
		t.part(Keep, own("next "), short(u.Next))
		if u.NextSummary {
			t.write(own("-SUMMARY"))
		}
	case u.Complete:
		t.part(RankStatus, own("complete"))
	default:
		t.part(Keep, own("next plan-phase "), short(u.ToPlan))
	}
}

// pausedMark is the sign before interrupted work.
const pausedMark = "⏸ "

// position returns STATE.md's position: the name of the phase and "(1/5)", or "ph 1/5" without a name.
func (u *Ultraplan) position() []word {
	number := append([]word{value(u.PhaseNumber)}, u.ofTotal()...)
	if u.PhaseName == "" {
		return append([]word{own("ph ")}, number...)
	}
	return append(append([]word{short(u.PhaseName), own(" (")}, number...), own(")"))
}

// ofTotal returns "/5", the number of phases if it is known.
func (u *Ultraplan) ofTotal() []word {
	if u.PhaseTotal == "" {
		return nil
	}
	return []word{own("/"), value(u.PhaseTotal)}
}
