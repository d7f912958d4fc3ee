// Which gates of a loop wait for somebody: said here, for the line, the dashboard and the plan to resume alike.

package rules

// Waits are the gates of a loop that are still to be decided, each once and as its index in [Loop.Gates], and what else keeps
// the loop from being complete. A loop that is not active has those that it would have if it were: nothing can be decided in
// it as it is, and what is undecided is so all the same.
type Waits struct {
	// Now are the gates that have to be decided before work goes on; [Loop.Resume] asks for the first.
	Now []int
	// Past are required gates that work has gone past, and those besides Now of which nobody knows where they stand. By the
	// letter of the protocol they stop nobody.
	Past []int
	// Beside are gates that are not required and that the work has just come to.
	Beside []int
	// Anywhere are those of a loop without a definition in which phases are left: nobody knows whether the work has come to any.
	Anywhere []int
	// Open is how many phases are not over, those that the state lacks among them.
	Open int
	// Certain says that what is in Now and Past waits whatever becomes of the loop: it is neither paused nor has it failed.
	Certain bool
}

// Waits returns what waits in the loop.
func (l *Loop) Waits() (w Waits) {
	going := *l
	going.Status = Active
	r := going.Resume()
	w.Open = l.open() + len(l.Lacks)
	word := LoopWord(l.Status)
	w.Certain = word != Paused && word != Failed
	before := r.Phase - 1 // the phase that work has left
	if r.Phase < 0 {
		before = len(l.Phases) - 1
	}
	past, begun := before, l.begun(r.Phase)
	if at := l.named(); at >= 0 && !l.counted() { // no phase tells how far the work is: the file's own word does
		past, begun = at-1, l.begun(at)
	}
	working := r.Phase >= 0 && PhaseWord(l.Phases[r.Phase].Status) == Active
	if r.Gate >= 0 {
		w.Now = append(w.Now, r.Gate)
	}
	for i := range l.Gates {
		switch g := &l.Gates[i]; {
		case i == r.Gate:
		case !l.Placed && w.Open == 0 && g.prompts(): // work has come to it, wherever it stands
			w.Past = append(w.Past, i)
		case !l.Placed:
			if g.open() {
				w.Anywhere = append(w.Anywhere, i)
			}
		case g.prompts() && g.After >= 0 && g.After <= before && g.After >= l.behind(before):
			w.Now = append(w.Now, i)
		case g.prompts() && (g.After >= 0 && g.After < past || g.After < 0 && begun):
			w.Past = append(w.Past, i)
		case GateWord(g.Status) == Pending && g.After >= 0 && g.After == before && !working:
			w.Beside = append(w.Beside, i)
		}
	}
	return w
}

// Complete reports whether nothing is left of the loop, whatever it calls itself. Where something of its files can't be read
// nobody knows.
func (w *Waits) Complete(l *Loop) bool { return w.Open == 0 && len(w.Keep()) == 0 && l.Unread == "" }

// Keep returns the gates that keep a loop from being complete, the one to decide first at the head.
func (w *Waits) Keep() []int { return append(append([]int(nil), w.Now...), w.Past...) }

// open returns how many phases are not over.
func (l *Loop) open() (n int) {
	for i := range l.Phases {
		if !l.Phases[i].Finished() {
			n++
		}
	}
	return n
}
