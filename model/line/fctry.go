// The line of a fctry project.

package line

// Fctry holds the facts of a fctry project's state that a line needs. Texts are as the files spell them.
type Fctry struct {
	Spec string // version of the spec, "" when no file says

	// Unreadable reports whether state.json exists and can't be read: the fields below are unknown then.
	Unreadable bool
	Run        FctryRun
	Command    string // currentCommand: set when a command begins, and never cleared
	Step       string // workflowStep
	// Fresh reports whether state.json has changed within the last hour: otherwise Command is not trusted to run.
	Fresh bool
	// NextStep is the recommended next command, from the file or derived. Usual reports whether it is the default
	// advice, which carries no information.
	NextStep string
	Usual    bool

	Aligned              Amount // sections that are built as the spec has them
	Satisfied, Scenarios Amount

	Detail fctryDetail
}

// fctryScene is a scene of a fctry line: its number, and the reason for it.
type fctryScene struct {
	number int
	why    string
}

var (
	fctryUnreadable = &fctryScene{4, "state.json can't be read"}
	fctryWaits      = &fctryScene{2, "the run waits for an answer, or is paused"}
	fctryDisputed   = &fctryScene{4, "buildRun.status is completed, and chunks are not"}
	fctryChunk      = &fctryScene{1, "a chunk is worked on"}
	fctryStale      = &fctryScene{2, "a chunk is said to be worked on, and nothing has changed for an hour"}
	fctryOdd        = &fctryScene{4, "buildRun.status is none that is known, and no chunk is worked on"}
	fctryUnread     = &fctryScene{4, "buildRun, or the chunks in it, are there and can't be read"}
	fctryComplete   = &fctryScene{3, "buildRun.status is completed"}
	fctryReady      = &fctryScene{2, "no chunk is worked on, and one has all that it needs"}
	fctryBlocked    = &fctryScene{4, "no chunk is worked on, and none has all that it needs"}
	fctryPartial    = &fctryScene{4, "buildRun.status is partial, or chunks failed and none is left to begin"}
	fctryAllDone    = &fctryScene{4, "all chunks are done, and buildRun.status is not completed"}
	fctryRun        = &fctryScene{4, "there is a run, and its chunks are not known"}
	fctryCommand    = &fctryScene{1, "currentCommand and workflowStep are set, and the file is younger than an hour"}
	fctryNext       = &fctryScene{2, "there is no run, and a next step is known"}
	fctryCounts     = &fctryScene{4, "there is no run, and no next step in particular"}
	fctryIdle       = &fctryScene{4, "nothing runs, and nothing is known of what was built"}
)

func (f *Fctry) sceneOf() *fctryScene {
	r := &f.Run
	switch {
	case f.Unreadable:
		return fctryUnreadable
	case r.There:
		return f.runScene()
	case f.Command != "" && f.Step != "" && f.Fresh:
		return fctryCommand
	case f.NextStep != "" && !f.Usual:
		return fctryNext
	case f.Aligned > 0 || f.Scenarios > 0:
		return fctryCounts
	}
	return fctryIdle
}

func (f *Fctry) runScene() *fctryScene {
	r := &f.Run
	switch {
	case r.Waiting:
		return fctryWaits
	case r.Unread != "":
		return fctryUnread
	case r.Disputed():
		return fctryDisputed
	case r.Status == runPartial:
		return fctryPartial // the run has ended, regardless of its chunks
	case r.Running && r.Stale:
		return fctryStale
	case r.Running:
		return fctryChunk
	case r.Odd:
		return fctryOdd
	case r.Status == runCompleted:
		return fctryComplete
	case r.Ready:
		return fctryReady
	case r.Open > 0:
		return fctryBlocked
	case r.Failed > 0:
		return fctryPartial
	case r.Done > 0 && r.Done >= r.Total:
		return fctryAllDone
	}
	return fctryRun
}

// Scene returns which of the four scenes the full form shows, and why.
func (f *Fctry) Scene() (n int, why string) {
	scene := f.sceneOf()
	return scene.number, scene.why
}

// Asks reports whether the line itself shows the waits.
func (f *Fctry) Asks() bool { return f.sceneOf() == fctryWaits }

// Outstanding returns [FctryRun.Outstanding], or that waits are unknown because state.json can't be read.
func (f *Fctry) Outstanding() string {
	if f.Unreadable {
		return "state.json can't be read"
	}
	return f.Run.Outstanding()
}

// Compose adds the full or the compact form to t, in pieces.
func (f *Fctry) Compose(t *Text, compact bool) {
	if compact {
		f.composeCompact(t)
	} else {
		f.composeFull(t)
	}
}

func (f *Fctry) composeFull(t *Text) {
	if f.Spec != "" {
		t.part(RankPlace, own("spec "), value(f.Spec))
	}
	if percent, known := f.Run.Percent(); known {
		t.Bar(percent, f.Spec == "")
	}
	scene := f.sceneOf()
	if scene == fctryWaits {
		t.Waits(f.Run.What())
		return
	}
	t.Begin(Keep)
	r := &f.Run
	switch scene {
	case fctryChunk, fctryStale:
		t.write(own("chunk "))
		t.write(r.place()...)
		t.write(r.name()...)
		r.addEffort(t)
	case fctryReady:
		t.write(own("next chunk "))
		t.write(r.place()...)
		t.write(r.name()...)
	case fctryBlocked:
		r.addBlocked(t)
	case fctryAllDone:
		t.write(own("all chunks done, run open"))
	case fctryCommand:
		t.write(short(f.Command), own(" "), short(f.Step))
	case fctryCounts:
		f.addCounts(t, " scenarios")
	default:
		f.addCommon(t, scene)
	}
	r.addMarks(t, scene)
}

func (f *Fctry) composeCompact(t *Text) {
	scene := f.sceneOf()
	r := &f.Run
	if r.There && r.Place > 0 && (scene == fctryWaits || scene == fctryChunk || scene == fctryStale || scene == fctryReady) {
		t.part(RankDetail, own("c"))
		t.write(r.place()...)
	}
	t.Begin(Keep)
	switch scene {
	case fctryWaits:
		t.write(own(waitsMark + "waits").as(Wait))
	case fctryChunk:
		t.write(own("running"))
		r.addEffort(t)
	case fctryStale:
		t.write(own("stale").as(Wait))
		r.addEffort(t)
		return
	case fctryReady:
		t.write(own("next"))
	case fctryBlocked:
		r.addBlocked(t)
	case fctryAllDone:
		t.write(own("run open"))
	case fctryCommand:
		t.write(short(f.Step))
	case fctryCounts:
		f.addCounts(t, "")
	default:
		f.addCommon(t, scene)
	}
	r.addMarks(t, scene)
}

// addCommon writes the scenes that both forms share.
func (f *Fctry) addCommon(t *Text, scene *fctryScene) {
	r := &f.Run
	switch scene {
	case fctryUnreadable:
		t.write(own("state.json can't be read").as(Blocked))
	case fctryOdd:
		t.write(r.oddStatus()...)
	case fctryUnread:
		t.write(own(r.Unread + " can't be read").as(Blocked))
	case fctryComplete:
		t.write(own("build complete"))
	case fctryDisputed:
		t.write(own("says completed, ").as(Wait), count(r.Total-r.Done).as(Wait), own(" not").as(Wait))
	case fctryPartial:
		t.write(own("partial").as(Blocked))
		if r.Failed > 0 {
			t.part(Keep, count(r.Failed).as(Blocked), own(" failed").as(Blocked))
		} else if left := r.Total - r.Done; r.Stated && left > 0 {
			t.part(Keep, count(left).as(Blocked), own(" left").as(Blocked))
		}
	case fctryRun:
		if r.Status == "" {
			t.write(own("run open"))
		} else {
			t.write(own("run "), short(r.Status))
		}
	case fctryNext:
		t.write(own("next "), short(f.NextStep))
	case fctryIdle:
		t.write(own("idle"))
	}
}

// addCounts writes the known counts of sections and scenarios.
func (f *Fctry) addCounts(t *Text, scenarios string) {
	if f.Aligned > 0 {
		t.write(amount(f.Aligned), own(" aligned"))
	}
	if f.Scenarios > 0 {
		if f.Aligned > 0 {
			t.Begin(RankDetail)
		}
		t.write(amount(f.Satisfied), own("/"), amount(f.Scenarios), own(scenarios))
	}
}
