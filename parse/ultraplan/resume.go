// Taking up work that was broken off: continue.md.

package ultraplan

import (
	"strings"
	"time"

	"gatehouse/model"
	"gatehouse/model/line"
	"gatehouse/parse/ultraplan/facts"
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
// (package record).
func (r *Reader) Resume(now time.Time) model.Resume {
	c := r.read(now)
	p := model.Resume{Build: r.ID(), Action: resumePlan}
	if n, _ := c.Build.Find(c.Build.Now); n != nil {
		p.Phase = n.Number
	}
	switch {
	case c.Resume != nil:
		p.Action, p.File = resumeOffer, facts.ResumeFile
		p.Why = line.Tidy("work was broken off: " + c.brokenOffAt())
		p.Steps = append(p.Steps, c.Resume.Steps...)
		if text, err := c.Mirror.Text(facts.ResumeFile); err == nil {
			p.Text = shownLines(text)
		}
	case c.Line.Complete:
		p.Action, p.Why = resumeComplete, "all plans have a summary"
	case c.Line.Running != "":
		p.Phase, p.Why = line.Tidy(c.Line.Running), line.Tidy("nothing was broken off: plan "+c.Line.Running+" is running")
	case c.Build.Next != nil:
		p.Phase, p.Why = c.Build.Next.Command, line.Tidy("nothing was broken off: "+c.Build.Next.Command+" comes next ("+c.Build.Next.Why+")")
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
