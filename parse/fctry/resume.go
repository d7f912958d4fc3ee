package fctry

import (
	"strconv"
	"time"

	"gatehouse/model"
	"gatehouse/model/line"
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
		return p
	case !v.hasRun():
		p.Action, p.Why = resumeNone, "no run is under way; /fctry:execute plans one"
		return p
	}
	a := v.adviseRun()
	p.Action, p.Why = a.action, a.why
	if v.run.IsCounted {
		p.Chunk = "Chunk " + strconv.Itoa(v.run.Progress.Next())
	} else {
		v.listResume(&p)
	}
	switch p.Action {
	case resumeAnew:
		p.Why = "no chunk is done, so the run starts over; " + p.Why
	case resumeOffer, resumeBlocked:
		p.Offers = []string{"resume", "start fresh", "cancel"}
	}
	return p
}

// resumePlace returns the place of the chunk to continue with, -1 without one: the first that can begin, because an agent may still work on
// the one that is marked so; that one if nothing else can begin, or if the run is stale.
func (v *view) resumePlace() int {
	if r := v.run; r.Running >= 0 && (v.Facts.Run.Stale || r.Next < 0) {
		return r.Running
	}
	return v.run.Next
}

// isOutdated reports whether a completed chunk was built against another version of the specification: a human decides whether it is
// rebuilt or kept.
func (v *view) isOutdated(c *core.Chunk) bool {
	return c.State.IsOver() && v.Facts.Spec != "" && c.SpecVersion != "" && c.SpecVersion != v.Facts.Spec
}

// listResume lists the chunks.
func (v *view) listResume(p *model.Resume) {
	p.Started = timeOf(v.run.Value.Get("startedAt"))
	if at := v.resumePlace(); at >= 0 {
		p.Chunk = v.chunkName(at)
	} else {
		p.BlockedOn = causeNames(v.run.BlockedOn)
	}
	for i := range v.run.Chunks {
		c, n, name := &v.run.Chunks[i], v.nodes[i], v.chunkName(i)
		if v.isOutdated(c) {
			p.Changed = append(p.Changed, name)
			covers := v.sectionNames(c.Value.Get("sections"))
			p.Outdated = append(p.Outdated, model.ResumeChanged{Chunk: name, Built: line.Tidy(c.SpecVersion), Now: line.Tidy(v.Facts.Spec), Covers: covers})
		}
		if c.State.IsOver() {
			p.Done = append(p.Done, name)
			continue
		}
		p.Left = append(p.Left, name)
		chunk := model.ResumeChunk{Chunk: name, Status: n.Status, Ready: n.Status == model.Pending && len(c.Unmet) == 0}
		for _, id := range c.Needs {
			need := model.ResumeNeed{Chunk: line.Tidy(id)}
			if at := v.run.PlaceOf(id); at >= 0 {
				need.Chunk, need.Done = v.chunkName(at), v.nodes[at].Status.Closed()
			}
			chunk.Needs = append(chunk.Needs, need)
		}
		p.Chunks = append(p.Chunks, chunk)
	}
}

// addResumeFacts adds an executor's offer to the metrics.
func (v *view) addResumeFacts(f *protocol.Facts) {
	p := v.resume()
	if len(p.Changed) > 0 {
		f.Add("built against another spec", protocol.ListNames(p.Changed)+": rebuild or keep each")
	}
	if p.Offers != nil {
		f.Add("resume", strconv.Itoa(len(p.Done))+" done, "+strconv.Itoa(len(p.Left))+" left; "+p.Why)
	}
}
