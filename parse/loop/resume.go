// What taking a loop up again comes to, in words: README.md, "Where a loop goes on".

package loop

import (
	"fmt"
	"slices"
	"time"

	"gatehouse/model"
	"gatehouse/model/line"
	"gatehouse/parse/loop/rules"
)

// Resume returns what resuming the loop would come to. It writes nothing.
func (r *Reader) Resume(now time.Time) model.Resume {
	v := r.open(now)
	p := model.Resume{Build: r.ID(), Action: v.resume.Action}
	if v.s.readOnly != "" {
		p.Action, p.Why = rules.ResumeError, line.Tidy("it is read only here: "+v.s.readOnly)
		return p
	}
	status := ""
	if i := v.resume.Phase; i >= 0 {
		p.Phase, status = line.Tidy(v.loop.Phases[i].Name), rules.PhaseWord(v.loop.Phases[i].Status)
	}
	if i := v.resume.Gate; i >= 0 {
		p.Gate = line.Tidy(v.loop.Gates[i].ID)
	}
	for _, i := range v.waiting.Past {
		p.Older = append(p.Older, line.Tidy(v.loop.Gates[i].ID))
	}
	if v.resume.Stale {
		p.Stale = line.Tidy(v.loop.Phase)
	}
	p.Why = v.whyResume(&p, status)
	return p
}

// whyResume says in a sentence why resuming comes to that.
func (v *view) whyResume(p *model.Resume, phase string) string {
	switch p.Action {
	case rules.ContinuePhase:
		if phase == rules.Active {
			return "phase " + p.Phase + " is active: work goes on in it"
		}
		why := "phase " + p.Phase + " is the first that is pending"
		if text, _ := v.unread(); text != "" {
			return why + "; " + line.Tidy(text)
		} else if n := len(v.waiting.Anywhere); n > 0 {
			return fmt.Sprintf("%s; nobody knows whether one of the %d gates that are undecided stands before it: no loop.json says so", why, n)
		}
		return why + ", and no gate before it waits"
	case rules.GatePrompt:
		why := "gate " + p.Gate + " is " + line.Tidy(word(v.loop.Gates[v.resume.Gate].Status)) + " and has to be decided"
		if p.Phase != "" {
			return why + " before phase " + p.Phase + " goes on"
		}
		return why + " before the loop is complete"
	case rules.AskRetryFailedPhase:
		if p.Phase == "" {
			return "the loop has failed; it names no phase to try again"
		}
		return "the loop has failed: somebody has to say whether phase " + p.Phase + " is tried again (gatehouse resume --retry-failed), or the loop begun anew (gatehouse restart)"
	case rules.AskRestart:
		if v.overclaims() {
			why := "the file calls the loop complete, but " + v.unfinished()
			if slices.Contains(v.verbs(), model.VerbResume) {
				why += ": it has to go on first (gatehouse resume)"
			}
			return line.Tidy(why)
		}
		return "the loop is complete: to begin anew, put its state away and make a new one (gatehouse restart)"
	case rules.OfferComplete:
		if len(p.Older) > 0 {
			return "no phase is left: once the gates further back are decided, the loop can be called complete"
		}
		if text, _ := v.unread(); text != "" {
			return "no phase is left; " + line.Tidy(text)
		}
		return "no phase is left and no gate waits: the loop can be called complete"
	}
	if v.resume.Code == rules.NoPhase {
		return "the state has no phases"
	}
	if i := v.resume.Phase; i >= 0 {
		return line.Tidy("phase " + v.loop.Phases[i].Name + " is " + unknownWord(v.loop.Phases[i].Status))
	}
	return line.Tidy("the loop is " + unknownWord(v.loop.Status))
}
