package fctry

import (
	"regexp"
	"strconv"
	"strings"
	"time"

	"gatehouse/model"
	"gatehouse/model/line"
	"gatehouse/parse/disk/mirror"
	"gatehouse/parse/fctry/core"
	"gatehouse/parse/protocol"
)

// The actions of [model.Resume] for a run.
const (
	resumeOffer   = "offer_resume"
	resumeBlocked = "blocked"
	resumeWaits   = "wait_for_user"
	resumeAnew    = "begin_anew"
	resumeRevise  = "revise"
	resumeOver    = "complete"
	resumeNone    = "no_run"
)

// Resume returns the offer of an executor that finds the run. It writes nothing.
func (r *Reader) Resume(now time.Time) model.Resume { return r.open(now).resume() }

// resumeScreen returns the same for the build, nil while an agent works or if nothing can be resumed.
func (v *view) resumeScreen() *model.Resume {
	f := &v.Facts.Run
	if !v.hasRun() || f.Waiting || f.Running && !f.Stale {
		return nil
	}
	if p := v.resume(); p.Offers != nil {
		return &p
	}
	return nil
}

// resume returns the offer of an executor.
func (v *view) resume() model.Resume {
	p := model.Resume{Build: Protocol}
	switch {
	case v.isUnreadable:
		p.Action, p.Why = model.ResumeError, "state.json can't be read"
	case !v.hasRun():
		p.Action, p.Why = resumeNone, "no run is under way; /fctry:execute plans one"
	case v.run.Unread != "" && !v.run.IsWaiting():
		p.Action, p.Why = model.ResumeError, v.unreadWhy()
	case len(v.nodes) == 0:
		p.Action, p.Why = v.resumeUnlisted(&p)
	default:
		v.listResume(&p)
		p.Action, p.Why = v.resumeListed(&p)
	}
	if p.Action == resumeOffer || p.Action == resumeBlocked {
		p.Offers = []string{"resume", "start fresh", "cancel"}
	}
	return p
}

// resumeUnlisted returns the action for a run that lists no chunks, and the reason.
func (v *view) resumeUnlisted(p *model.Resume) (action, why string) {
	r := v.run
	switch {
	case r.IsWaiting():
		return v.resumeWaits()
	case r.Status == core.Partial:
		return resumeRevise, v.adviseEnded().why
	case v.Facts.Run.Disputed():
		return model.ResumeError, v.disputeText()
	case r.Status == core.Completed:
		return resumeOver, "the run is completed"
	case !r.IsCounted:
		return model.ResumeError, "the run lists no chunks"
	case r.Status != "" && r.Status != core.Running:
		return model.ResumeError, v.countedText() + "; the run is " + line.Tidy(r.Status) + ", and only running ones are offered to be resumed"
	case v.isAllDone():
		return model.OfferComplete, allDoneWhy
	}
	p.Chunk = "Chunk " + strconv.Itoa(r.Progress.Next())
	if r.Progress.Done == 0 {
		return resumeAnew, "no chunk is done, so there is nothing to resume: the run starts over"
	}
	return resumeOffer, v.countedText()
}

// resumeWaits returns the action for a waiting run, and the reason.
func (v *view) resumeWaits() (action, why string) {
	why = "the run waits for you"
	if len(v.b.Waits) > 0 {
		why += ": " + v.b.Waits[0].Text
	}
	return resumeWaits, why
}

// countedText says how far a run is whose chunks are only counted.
func (v *view) countedText() string {
	p := &v.run.Progress
	text := strconv.Itoa(p.Done) + " of " + p.TotalName() + " chunks are done according to chunkProgress, which lists none"
	if p.Done < p.Total {
		text += "; go on with chunk " + strconv.Itoa(p.Next())
	}
	return text
}

// resumePlace returns the place of the chunk to continue with, -1 without one: the first that can begin, because an agent may still work on
// the one that is marked so; that one if nothing else can begin, or if the run is stale.
func (v *view) resumePlace() int {
	if r := v.run; r.Running >= 0 && (v.Facts.Run.Stale || r.Next < 0) {
		return r.Running
	}
	return v.run.Next
}

// placesOf returns the places of the chunks that satisfy is.
func (v *view) placesOf(is func(*core.Chunk) bool) (places []int) {
	for i := range v.run.Chunks {
		if is(&v.run.Chunks[i]) {
			places = append(places, i)
		}
	}
	return places
}

// outdatedChunks returns the places of the completed chunks that were built against another version of the specification: for each, a human
// decides whether it is rebuilt or kept.
func (v *view) outdatedChunks() []int {
	return v.placesOf(func(c *core.Chunk) bool {
		return c.State.IsOver() && v.Facts.Spec != "" && c.SpecVersion != "" && c.SpecVersion != v.Facts.Spec
	})
}

// listResume lists the chunks.
func (v *view) listResume(p *model.Resume) {
	left := v.placesOf(func(c *core.Chunk) bool { return !c.State.IsOver() })
	p.Done = v.chunkNames(v.placesOf(func(c *core.Chunk) bool { return c.State.IsOver() }))
	p.Left, p.Changed = v.chunkNames(left), v.chunkNames(v.outdatedChunks())
	if at := v.resumePlace(); at >= 0 {
		p.Chunk = v.chunkName(at)
	} else {
		p.BlockedOn = causeNames(v.run.BlockedOn)
	}
	p.Started = timeOf(v.run.Value.Get("startedAt"))
	for _, i := range left {
		n := v.nodes[i]
		chunk := model.ResumeChunk{Chunk: v.chunkName(i), Status: n.Status, Ready: v.isReady(i)}
		for _, id := range v.run.Chunks[i].Needs {
			need := model.ResumeNeed{Chunk: line.Tidy(id)}
			if at := v.run.PlaceOf(id); at >= 0 {
				need.Chunk, need.Done = v.chunkName(at), v.nodes[at].Status.Closed()
			}
			chunk.Needs = append(chunk.Needs, need)
		}
		p.Chunks = append(p.Chunks, chunk)
	}
	changelog := mirror.Read(v.m, changelogFile, parseChangelog).Value
	for _, i := range v.outdatedChunks() {
		c := &v.run.Chunks[i]
		changed := model.ResumeChanged{Chunk: v.chunkName(i), Built: line.Tidy(c.SpecVersion), Now: line.Tidy(v.Facts.Spec), Covers: v.sectionNames(c.Value.Get("sections"))}
		for k, section := range textsOf(c.Value.Get("sections")) {
			if changelog.hasChanged(section, timeOf(c.Value.Get("completedAt"))) {
				changed.Sections = append(changed.Sections, changed.Covers[k])
			}
		}
		p.Outdated = append(p.Outdated, changed)
	}
}

// isReady reports whether a chunk can begin.
func (v *view) isReady(i int) bool {
	return v.nodes[i].Status == model.Pending && len(v.run.Chunks[i].Unmet) == 0
}

// resumeListed returns the action for a run that lists its chunks, and the reason.
func (v *view) resumeListed(p *model.Resume) (action, why string) {
	r := v.run
	far := ofChunks(len(p.Done), r.Total) + " are done"
	next := v.resumePlace()
	switch {
	case r.IsWaiting():
		return v.resumeWaits()
	case r.Status == core.Completed && len(p.Left) == 0 && r.Total == len(v.nodes):
		return resumeOver, "the run is completed"
	case r.Status == core.Partial:
		return resumeRevise, far + "; " + v.adviseEnded().why
	case v.Facts.Run.Disputed():
		return model.ResumeError, v.disputeText()
	case !r.IsActive() && r.Status == "":
		return model.ResumeError, far + ", and the run has no status: only running ones are offered to be resumed"
	case !r.IsActive():
		return model.ResumeError, far + ", and the run is " + line.Tidy(r.Status) + ": only running ones are offered to be resumed"
	case !v.isOffered() && v.isStalled():
		return resumeAnew, "no chunk is done, so there is nothing to resume; " + v.adviseStalled().why
	case !v.isOffered():
		return resumeAnew, "no chunk is done, so there is nothing to resume: the run starts over"
	case v.isAllListedDone():
		return resumeOffer, far + "; " + unlistedWhy
	case len(p.Left) == 0:
		return model.OfferComplete, allDoneWhy
	case r.Running >= 0 && v.Facts.Run.Stale:
		why = far + "; go on with " + p.Chunk + ", which was being worked on when the run stopped " + model.Ago(v.now.Sub(v.lastSign()))
		if r.Next >= 0 {
			why += "; " + v.chunkName(r.Next) + " can begin, too"
		}
		return resumeOffer, why
	case r.Running >= 0 && next == r.Running:
		return resumeOffer, far + "; " + p.Chunk + busyWhy
	case r.Running >= 0:
		return resumeOffer, far + "; " + v.chunkName(r.Running) + " is marked as being worked on, and the next that can begin is " + p.Chunk
	case next >= 0:
		return resumeOffer, far + "; the next that can begin is " + p.Chunk
	}
	return resumeBlocked, far + "; " + v.adviseStalled().why
}

// addResumeFacts adds an executor's offer to the metrics.
func (v *view) addResumeFacts(f *protocol.Facts) {
	p := model.Resume{}
	v.listResume(&p)
	if outdated := v.outdatedChunks(); len(outdated) > 0 {
		var numbers []string
		for _, i := range outdated {
			numbers = append(numbers, v.nodes[i].Number)
		}
		f.Add("built against another spec", "chunks "+protocol.ListNames(numbers))
	}
	for _, x := range p.Outdated {
		text := "spec " + x.Built + " → " + x.Now + ": rebuild it or keep it"
		if len(x.Sections) > 0 {
			text += "; changed since: " + strings.Join(x.Sections, ", ")
		}
		f.Add("rebuild or keep "+x.Chunk, text)
	}
	if !v.isOffered() || len(p.Left) == 0 {
		return
	}
	from := "go on with " + p.Chunk
	if p.Chunk == "" {
		from = "nothing can begin: blocked on " + protocol.ListNames(p.BlockedOn)
	}
	var ready []string
	for _, chunk := range p.Chunks {
		if chunk.Ready {
			ready = append(ready, chunk.Chunk)
		}
	}
	f.Add("can begin", protocol.ListNames(ready))
	f.Add("resume", from+" ("+strconv.Itoa(len(p.Done))+" done, "+strconv.Itoa(len(p.Left))+" left), start fresh, or cancel")
}

// changelog has the time of the last change of each section, by its alias without "#" and by its number.
type changelog map[string]time.Time

// changedSection matches a section in an entry: `#core-flow` (2.2).
var changedSection = regexp.MustCompile("`#([^`\\s]+)`(?: \\((\\d+(?:\\.\\d+)*)\\))?")

// parseChangelog parses the entries: each is a heading "## {time} — {command}" and lines that name its sections.
func parseChangelog(text string) (changelog, error) {
	changed := changelog{}
	var at time.Time
	for row := range strings.Lines(text) {
		if heading, ok := strings.CutPrefix(row, "## "); ok {
			when, _, _ := strings.Cut(strings.TrimSpace(heading), " ")
			at = protocol.ParseTime(when)
			continue
		}
		for _, match := range changedSection.FindAllStringSubmatch(row, -1) {
			for _, name := range match[1:] {
				if name != "" && at.After(changed[name]) {
					changed[name] = at
				}
			}
		}
	}
	return changed, nil
}

// hasChanged reports whether a section was changed after a known time.
func (l changelog) hasChanged(section string, t time.Time) bool {
	word, _, _ := strings.Cut(strings.TrimPrefix(section, "#"), " ")
	at, ok := l[word]
	return ok && !t.IsZero() && at.After(t)
}
