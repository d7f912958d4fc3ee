// What taking a run up again comes to, in words.

package fctry

import (
	"fmt"
	"strconv"
	"time"

	"gatehouse/model"
	"gatehouse/model/line"
	"gatehouse/parse/fctry/rules"
)

// The actions of [model.Resume] that a run adds to those of a loop.
const (
	resumeOffer   = "offer_resume"
	resumeBlocked = "blocked"
	resumeWaits   = "wait_for_user"
	resumeAnew    = "begin_anew"
	resumeRevise  = "revise"
	resumeOver    = "complete"
	resumeNone    = "no_run"
)

// Resume returns what an executor would offer that finds the run. It writes nothing.
func (r *Reader) Resume(now time.Time) model.Resume { return r.read(now).resumed() }

// screen returns the same for the build itself, nil where nobody needs it: while an agent is at work, or nothing is to be taken up.
func (c *collector) screen() *model.Resume {
	r := &c.line.Facts.Run
	if !r.There || c.last || r.Waiting || r.Running && !r.Stale {
		return nil
	}
	p := c.resumed()
	if p.Offers == nil {
		return nil
	}
	return &p
}

// resumed returns what an executor would offer.
func (c *collector) resumed() model.Resume {
	p := model.Resume{Build: Protocol}
	switch {
	case c.files.Unreadable:
		p.Action, p.Why = model.ResumeError, "state.json can't be read"
		return p
	case !c.run.there || c.last:
		p.Action, p.Why = resumeNone, "no run is under way; /fctry:execute plans one"
		return p
	case c.run.Unread != "" && !c.run.Waits():
		p.Action, p.Why = model.ResumeError, c.unreadWhy()
		return p
	case c.onlyCounted():
		c.resumeCounted(&p)
		return p
	case len(c.nodes) == 0:
		p.Action, p.Why = c.resumeUnlisted()
		return p
	}
	resume := c.resume()
	p.Done, p.Left, p.Changed = c.called(resume.Done), c.called(resume.Left), c.called(resume.Changed)
	if resume.Next >= 0 {
		p.Chunk = chunkName(c.nodes[resume.Next])
	} else {
		p.BlockedOn = causes(resume.BlockedOn)
	}
	p.Started = c.run.object.get("startedAt").time()
	p.Chunks, p.Outdated = c.remaining(resume), c.outdated(resume)
	p.Action, p.Why = c.resumeAction(&p, resume)
	p.Offers = offers(p.Action)
	return p
}

// resume is what would be offered.
func (c *collector) resume() rules.RunResume {
	return c.run.Resume(c.specVersion(), c.line.Facts.Run.Stale)
}

// offers returns what a user may choose from.
func offers(action string) []string {
	if action == resumeOffer || action == resumeBlocked {
		return []string{"resume", "start fresh", "cancel"}
	}
	return nil
}

// resumeCounted fills in what is known of a run of which only a count of chunks is there.
func (c *collector) resumeCounted(p *model.Resume) {
	at := c.run.progress
	next, far := c.goOnAsCounted()
	switch {
	case c.run.Waits():
		p.Action, p.Why = c.resumeWaits()
	case c.run.Status == rules.RunPartial || c.run.Status == rules.RunCompleted:
		p.Action, p.Why = c.resumeUnlisted()
	case c.run.Status != "" && c.run.Status != rules.RunRunning:
		p.Action, p.Why = model.ResumeError, far+"; the run is "+line.Tidy(c.run.Status)+", and only a running one is offered to be resumed"
	case c.allDone():
		p.Action, p.Why = model.OfferComplete, unclosed
	case at.Done == 0:
		p.Action, p.Why = resumeAnew, "no chunk is done, so there is nothing to resume: the run begins anew"
		p.Chunk = fmt.Sprintf("Chunk %d", next)
	default:
		p.Chunk = fmt.Sprintf("Chunk %d", next)
		p.Action, p.Why = resumeOffer, far
	}
	p.Offers = offers(p.Action)
}

// resumeUnlisted says what would be done with a run that lists no chunks, and why.
func (c *collector) resumeUnlisted() (action, why string) {
	switch r := &c.line.Facts.Run; {
	case c.run.Waits():
		return c.resumeWaits()
	case c.run.Status == rules.RunPartial:
		_, why := c.ended()
		return resumeRevise, why
	case r.Disputed():
		return model.ResumeError, c.dispute()
	case c.run.Status == rules.RunCompleted:
		return resumeOver, overWhy
	}
	return model.ResumeError, "the run lists no chunks"
}

// overWhy is what is said of a run that has ended with all.
const overWhy = "the run is completed"

// resumeWaits says what a run waits for.
func (c *collector) resumeWaits() (action, why string) {
	why = "the run waits for you"
	if len(c.b.Waits) > 0 {
		why += ": " + c.b.Waits[0].Text
	}
	return resumeWaits, why
}

// goOnAsCounted returns the chunk to go on with by a count of chunks alone, and says how far that is.
func (c *collector) goOnAsCounted() (next int, far string) {
	at := c.run.progress
	far = fmt.Sprintf("%d of %s chunks are done, by chunkProgress, which lists none", at.Done, at.Of())
	if next = at.Current; next == 0 {
		next = min(at.Done+at.Failed+1, at.Total)
	}
	if at.Done < at.Total {
		far += "; go on with chunk " + strconv.Itoa(next)
	}
	return next, far
}

// saidToBeWorkedOn is what is said of a chunk that an agent is at work on, as far as anybody knows.
const saidToBeWorkedOn = " says that it is worked on: let its agent finish, or go on with it once nobody is at work"

// called returns chunks as people call them.
func (c *collector) called(places []int) []string {
	var all []string
	for _, i := range places {
		all = append(all, chunkName(c.nodes[i]))
	}
	return all
}

// remaining returns the chunks that are still to be done, with what they need.
func (c *collector) remaining(r rules.RunResume) (all []model.ResumeChunk) {
	for _, i := range r.Left {
		n := c.nodes[i]
		chunk := model.ResumeChunk{Chunk: chunkName(n), Status: n.Status, Ready: n.Status == model.Pending && len(c.graph.WaitsFor(i)) == 0}
		for _, need := range c.run.Chunks[i].Needs {
			x := model.ResumeNeed{Chunk: line.Tidy(need)}
			if j, ok := c.places[need]; ok {
				x.Chunk, x.Done = chunkName(c.nodes[j]), c.nodes[j].Status.Closed()
			}
			chunk.Needs = append(chunk.Needs, x)
		}
		all = append(all, chunk)
	}
	return all
}

// outdated returns the chunks that were built against another version of the spec, with what has changed since.
func (c *collector) outdated(r rules.RunResume) (all []model.ResumeChanged) {
	for _, i := range r.Changed {
		o := c.run.chunks[i]
		sections := o.get("sections").texts()
		x := model.ResumeChanged{Chunk: chunkName(c.nodes[i]), Built: line.Tidy(c.run.Chunks[i].SpecVersion), Now: c.specVersion(), Covers: c.spec.names(sections)}
		for k, s := range sections {
			if c.changelog().after(s, o.get("completedAt").time()) {
				x.Sections = append(x.Sections, x.Covers[k])
			}
		}
		all = append(all, x)
	}
	return all
}

// resumeAction says what would be done, and why.
func (c *collector) resumeAction(p *model.Resume, resume rules.RunResume) (action, why string) {
	far := fmt.Sprintf("%d of %d chunks are done", len(p.Done), c.stood.Total)
	busy := c.stood.Running
	switch {
	case c.run.Waits():
		return c.resumeWaits()
	case c.run.Status == rules.RunCompleted && len(p.Left) == 0 && c.stood.Total == len(c.nodes):
		return resumeOver, overWhy
	case c.run.Status == rules.RunPartial:
		_, why := c.ended()
		return resumeRevise, far + "; " + why
	case c.line.Facts.Run.Disputed():
		return model.ResumeError, c.dispute()
	case c.run.Status == "" && !c.run.GoesOn():
		return model.ResumeError, far + ", and the run has no status: only a running one is offered to be resumed"
	case !c.run.GoesOn():
		return model.ResumeError, far + ", and the run is " + line.Tidy(c.run.Status) + ": only a running one is offered to be resumed"
	case !resume.Offered && c.stuck():
		_, why := c.unstick()
		return resumeAnew, "no chunk is done, so there is nothing to resume; " + why
	case !resume.Offered:
		return resumeAnew, "no chunk is done, so there is nothing to resume: the run begins anew"
	case c.allListedDone():
		return resumeOffer, far + "; " + unlisted
	case len(p.Left) == 0:
		return model.OfferComplete, unclosed
	case busy >= 0 && c.line.Facts.Run.Stale:
		why := far + "; go on with " + p.Chunk + ", which was being worked on when the run stopped " + model.Ago(c.now.Sub(c.lastSign()))
		if ready := c.stood.Next; ready >= 0 {
			why += "; " + chunkName(c.nodes[ready]) + " can begin, too"
		}
		return resumeOffer, why
	case busy >= 0 && resume.Next == busy:
		return resumeOffer, far + "; " + p.Chunk + saidToBeWorkedOn
	case busy >= 0:
		return resumeOffer, far + "; " + chunkName(c.nodes[busy]) + " says that it is worked on, and the next that can begin is " + p.Chunk
	case resume.Next >= 0:
		return resumeOffer, far + "; the next that can begin is " + p.Chunk
	}
	_, why = c.unstick()
	return resumeBlocked, far + "; " + why
}
