// Results that were refused: kept beside the logs for people, and counted nowhere.

package facts

import (
	"path"
	"slices"
	"time"

	"gatehouse/parse/disk/mirror"
	"gatehouse/parse/protocol"
	"gatehouse/parse/text/yamldoc"
)

// Rejected is a result that was refused.
type Rejected struct {
	File, Plan, Task string // Task is "" where it is not known
	At               time.Time
	Behind           int // how many results of its day had been logged
	Reasons          []string
	Answered         bool // its task has reported since; where that is not known, no task of its plan is open any more
}

func parseRejected(text string) (*Rejected, error) {
	d, err := yamldoc.Parse(text, 1, "rejected_at", "plan_id", "task_index", "behind", "reasons")
	r := &Rejected{At: protocol.ParseTime(d.String("rejected_at")), Plan: d.String("plan_id"), Task: d.String("task_index")}
	r.Behind, _ = d.Int("behind")
	for _, why := range d.Strings("reasons") {
		r.Reasons = append(r.Reasons, Shorten(why))
	}
	return r, err
}

// Rejected returns the results that were refused, by their files.
func (pr *Project) Rejected() (all []Rejected) {
	for _, d := range pr.List(RejectedDir) {
		if !d.Dir || Date(d.Name) != d.Name {
			continue
		}
		for _, file := range pr.LogsIn(path.Join(RejectedDir, d.Name)) {
			v := mirror.Read(pr.Mirror, file, parseRejected).Value
			if v == nil {
				v = &Rejected{Reasons: []string{"what is kept of it can't be read"}}
			}
			r := *v
			r.File = file
			r.Answered = r.Task == "" && pr.over(r.Plan)
			for _, l := range pr.Logs {
				r.Answered = r.Answered || (l.At.After(r.At) || l.At.Equal(r.At) && l.Sequence > r.Behind) && PlanKey(l.Plan) == PlanKey(r.Plan) && l.Task == r.Task
			}
			all = append(all, r)
		}
	}
	return all
}

// over reports whether no task of a plan is open: whichever one was refused, nothing is missing.
func (pr *Project) over(plan string) bool {
	s := pr.Plans[PlanKey(plan)]
	return s != nil && (s.Done || len(s.Tasks) > 0 && !slices.ContainsFunc(s.Tasks, func(t *Task) bool { return !t.Status.Closed() }))
}
