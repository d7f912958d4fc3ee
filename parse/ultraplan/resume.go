// Taking up work that was broken off: continue.md.

package ultraplan

import (
	"strings"
	"time"

	"gatehouse/model"
	"gatehouse/model/line"
)

// What [Reader.Resume] says that resuming would come to.
const (
	resumeOffer    = "offer_resume"  // continue.md says where: take it up, or start fresh
	resumePlan     = "continue_plan" // nothing was broken off: go on with a plan
	resumeComplete = "complete"
)

// maxResumeLines is how much of continue.md is shown.
const maxResumeLines = 200

// Resume returns what taking the build up again would come to. It writes nothing: continue.md stays until its task reports
// ([Recorder.Capture]).
func (r *Reader) Resume(now time.Time) model.Resume {
	c := r.read(now)
	p := model.Resume{Build: r.ID(), Action: resumePlan}
	if n, _ := c.b.Find(c.b.Now); n != nil {
		p.Phase = n.Number
	}
	switch {
	case c.resume != nil:
		p.Action, p.File = resumeOffer, resumeFile
		p.Why = clean("work was broken off: " + c.b.Pause.Reason)
		p.Steps = append(p.Steps, c.resume.steps...)
		if text, err := c.m.Text(resumeFile); err == nil {
			p.Text = shownLines(text)
		}
	case c.facts.Complete:
		p.Action, p.Why = resumeComplete, "all plans have a summary"
	case c.facts.Running != "":
		p.Phase, p.Why = clean(c.facts.Running), clean("nothing was broken off: plan "+c.facts.Running+" is running")
	case c.b.Next != nil:
		p.Phase, p.Why = c.b.Next.Command, clean("nothing was broken off: "+c.b.Next.Command+" comes next ("+c.b.Next.Why+")")
	default:
		p.Why = "nothing was broken off, and no plan is known that comes next"
	}
	return p
}

// shownLines returns the lines of a text, harmless, as many as are worth being shown.
func shownLines(text string) (lines []string) {
	for l := range strings.Lines(strings.TrimPrefix(text, "\uFEFF")) {
		if len(lines) == maxResumeLines {
			return append(lines, "…")
		}
		lines = append(lines, strings.TrimRight(line.Clean(strings.TrimRight(l, "\r\n")), " "))
	}
	return lines
}
