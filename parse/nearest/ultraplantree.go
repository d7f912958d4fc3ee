// The tree of an ultraplan project by its names, and the facts of the line that follow from it
// (protocols/ultraplan-state.md "Deriving State from Filesystem"; notes on loops §1.7).

package nearest

import (
	"gatehouse/model/flow"
	"gatehouse/model/line"
	"gatehouse/parse/text/scan"
)

// UltraplanPhase is a phase with the plans that its directory shows. Directories may share a number; all are shown.
type UltraplanPhase struct {
	Dir          string // name of the directory, "02.5-tasks-api"
	Number, Slug string // "02.5", "tasks-api"
	Plans        []UltraplanPlan
}

// UltraplanPlan is a plan by its file.
type UltraplanPlan struct {
	ID   string // "02.5-01"
	Done bool   // its summary is there
}

// RoadmapPhase is a phase that ROADMAP.md names.
type RoadmapPhase struct {
	Number, Name string
	Checked      bool // its box is checked off
	Skipped      bool // it says that it is left out
	Line         int  // where it is first named, from 1
}

// UltraplanDir splits the name of a phase's directory, "NN-slug"; a number need not have two digits and may be dotted. ok
// is false for other names.
func UltraplanDir(name string) (number, slug string, ok bool) {
	number, i := dotted(name, 0)
	if number == "" || i+1 >= len(name) || name[i] != '-' {
		return "", "", false
	}
	return number, name[i+1:], true
}

// UltraplanFile returns the plan that a file of a phase's directory is, "03-02" of "03-02-PLAN.md", or sums up,
// "03-02-SUMMARY.md". ok is false for other names.
func UltraplanFile(name string) (id string, summary, ok bool) {
	phase, i := dotted(name, 0)
	if phase == "" || i == len(name) || name[i] != '-' {
		return "", false, false
	}
	plan, end := dotted(name, i+1)
	if plan == "" {
		return "", false, false
	}
	switch name[end:] {
	case "-PLAN.md":
		return name[:end], false, true
	case "-SUMMARY.md":
		return name[:end], true, true
	}
	return "", false, false
}

// SplitPlan splits the number of a plan into those of its phase and its own: "02.5-01" into "02.5" and "01".
func SplitPlan(id string) (phase, plan string) {
	for i := len(id) - 1; i >= 0; i-- {
		if id[i] == '-' {
			return id[:i], id[i+1:]
		}
	}
	return "", id
}

// CompareNumbers orders dotted numbers part by part, leading zeros left aside: 2, 02.5, 3, 10.
func CompareNumbers(a, b string) int {
	for i, j := 0, 0; ; {
		x, iEnd := scan.Digits(a, i)
		y, jEnd := scan.Digits(b, j)
		x, y = TrimZeros(x), TrimZeros(y)
		switch {
		case len(x) != len(y):
			return len(x) - len(y)
		case x < y:
			return -1
		case x > y:
			return 1
		}
		i, j = iEnd+1, jEnd+1
		switch {
		case i >= len(a) && j >= len(b):
			return 0
		case i >= len(a):
			return -1
		case j >= len(b):
			return 1
		}
	}
}

// TrimZeros returns a number without leading zeros: "3" of "03", "2.5" of "02.5", "0" of "00".
func TrimZeros(number string) string {
	for len(number) > 1 && number[0] == '0' && number[1] >= '0' && number[1] <= '9' {
		number = number[1:]
	}
	return number
}

// SamePlan reports whether two numbers of plans mean the same, "3-1" and "03-01"; one without a phase is of the phase
// given.
func SamePlan(a, b, phase string) bool {
	pa, na := SplitPlan(a)
	pb, nb := SplitPlan(b)
	if pa == "" {
		pa = phase
	}
	if pb == "" {
		pb = phase
	}
	return CompareNumbers(na, nb) == 0 && CompareNumbers(pa, pb) == 0
}

// less is the order of phases: by number, of equal numbers by slug.
func (p *UltraplanPhase) less(q *UltraplanPhase) bool {
	c := CompareNumbers(p.Number, q.Number)
	return c < 0 || c == 0 && p.Slug < q.Slug
}

// NewUltraplanPhase returns the phase in a directory of that name with the files given; ok is false when the name is none
// of a phase's. A summary without its plan is no plan; it is returned beside.
func NewUltraplanPhase(dir string, files []string) (p UltraplanPhase, orphans []string, ok bool) {
	p.Dir = dir
	if p.Number, p.Slug, ok = UltraplanDir(dir); !ok {
		return p, nil, false
	}
	for _, name := range files {
		if id, summary, ok := UltraplanFile(name); ok && !summary {
			p.Plans = append(p.Plans, UltraplanPlan{ID: id})
		}
	}
	sortBy(p.Plans, func(a, b *UltraplanPlan) bool { return lessPlan(a.ID, b.ID) })
	for _, name := range files {
		id, summary, ok := UltraplanFile(name)
		if !ok || !summary {
			continue
		}
		if plan := findPlan(p.Plans, id); plan != nil {
			plan.Done = true
		} else {
			orphans = append(orphans, id)
		}
	}
	sortBy(orphans, func(a, b *string) bool { return lessPlan(*a, *b) })
	return p, orphans, true
}

// findPlan returns the plan of a number among sorted ones, nil when it is not there.
func findPlan(plans []UltraplanPlan, id string) *UltraplanPlan {
	low, high := 0, len(plans)
	for low < high {
		if mid := (low + high) / 2; lessPlan(plans[mid].ID, id) {
			low = mid + 1
		} else {
			high = mid
		}
	}
	if low < len(plans) && plans[low].ID == id {
		return &plans[low]
	}
	return nil
}

func lessPlan(a, b string) bool {
	pa, na := SplitPlan(a)
	pb, nb := SplitPlan(b)
	c := CompareNumbers(pa, pb)
	if c == 0 {
		c = CompareNumbers(na, nb)
	}
	return c < 0 || c == 0 && a < b
}

// SortUltraplan puts phases into their order.
func SortUltraplan(phases []UltraplanPhase) {
	sortBy(phases, func(a, b *UltraplanPhase) bool { return a.less(b) })
}

// sortBy sorts stably, by merging ever longer runs. Package sort would cost the prompt its import.
func sortBy[T any](list []T, less func(a, b *T) bool) {
	if len(list) < 2 {
		return
	}
	half := len(list) / 2
	sortBy(list[:half], less)
	sortBy(list[half:], less)
	left := append([]T(nil), list[:half]...)
	i, j := 0, half
	for k := 0; i < len(left); k++ {
		if j < len(list) && less(&list[j], &left[i]) {
			list[k] = list[j]
			j++
		} else {
			list[k] = left[i]
			i++
		}
	}
}

// UltraplanFacts returns the facts of the line: of the phases in their order, what STATE.md says, the plans that the
// session names as running, and the phases of the roadmap. The roadmap is only asked for when all plans are done.
func UltraplanFacts(phases []UltraplanPhase, s *UltraplanState, session []string, roadmap func() []RoadmapPhase) line.Ultraplan {
	u := line.Ultraplan{Status: s.Status, PhaseNumber: TrimZeros(s.Phase), PhaseTotal: s.PhaseTotal, PhaseName: s.PhaseName}
	numbers := 0
	for i := range phases {
		if i == 0 || CompareNumbers(phases[i].Number, phases[i-1].Number) != 0 {
			numbers++
		}
		for _, plan := range phases[i].Plans {
			u.Plans++
			if plan.Done {
				u.Done++
			} else if u.Next == "" {
				u.Next, u.NextPhase = plan.ID, TrimZeros(phases[i].Number)
			}
		}
	}
	if known := digits(numbers); u.PhaseTotal != "" && CompareNumbers(known, u.PhaseTotal) > 0 {
		u.PhaseTotal = known // the tree has grown beyond it
	}
	if u.Done < u.Plans {
		running(&u, phases, s, session)
		return u
	}
	u.ToPlan = toPlan(phases, s, roadmap())
	u.Complete = u.Plans > 0 && u.ToPlan == ""
	return u
}

// running finds the plan that is named as running: by the gate of the task at work, by STATE.md's position, by the
// session.
func running(u *line.Ultraplan, phases []UltraplanPhase, s *UltraplanState, session []string) {
	status := UltraplanStatus(s.Status)
	claimed := status == StatusInProgress || status == StatusVerifying
	if !claimed {
		status = StatusInProgress
	}
	name := func(id, phase, status string) {
		if id == "" || u.Running != "" {
			return
		}
		for i := range phases {
			for _, plan := range phases[i].Plans {
				if !plan.Done && SamePlan(plan.ID, id, phase) {
					u.Running, u.RunningPhase, u.RunningStatus = plan.ID, TrimZeros(phases[i].Number), status
					return
				}
			}
		}
	}
	switch s.Task.Gate {
	case flow.TaskExecuting:
		name(s.Task.Plan, s.Task.Phase, status)
	case flow.TaskVerifying, flow.TaskReviewing:
		name(s.Task.Plan, s.Task.Phase, StatusVerifying)
	}
	if claimed {
		name(s.Plan, s.Phase, status)
	}
	for _, id := range session {
		name(id, "", status)
	}
	if u.Running != "" {
		u.Next, u.NextPhase = "", ""
	}
}

// toPlan returns the number of the first phase without plans: of the directories, of the roadmap, and, where there are
// plans at all, of those that STATE.md counts and nobody has seen. A number that has plans in one directory has plans.
func toPlan(phases []UltraplanPhase, s *UltraplanState, roadmap []RoadmapPhase) string {
	first, last := "", "0"
	consider := func(number string) {
		if first == "" || CompareNumbers(number, first) < 0 {
			first = number
		}
	}
	planned := func(number string) bool {
		for i := range phases {
			if len(phases[i].Plans) > 0 && CompareNumbers(phases[i].Number, number) == 0 {
				return true
			}
		}
		return false
	}
	plans := false
	for i := range phases {
		number := phases[i].Number
		plans = plans || len(phases[i].Plans) > 0
		if CompareNumbers(number, last) > 0 {
			last = number
		}
		if !planned(number) {
			consider(number)
		}
	}
	for i := range roadmap {
		number := roadmap[i].Number
		if CompareNumbers(number, last) > 0 {
			last = number
		}
		if !roadmap[i].Skipped && !planned(number) {
			consider(number)
		}
	}
	if first == "" && plans && s.PhaseTotal != "" {
		whole, _ := scan.Digits(last, 0)
		if CompareNumbers(s.PhaseTotal, whole) > 0 {
			first = successor(whole)
		}
	}
	return TrimZeros(first)
}

// successor returns the number after one of digits.
func successor(number string) string {
	out := []byte("0" + number)
	for i := len(out) - 1; i >= 0; i-- {
		if out[i]++; out[i] <= '9' {
			break
		}
		out[i] = '0'
	}
	return TrimZeros(string(out))
}

// digits returns n, which is not negative, in decimal digits.
func digits(n int) string {
	if n < 10 {
		return string(rune('0' + n))
	}
	return digits(n/10) + string(rune('0'+n%10))
}
