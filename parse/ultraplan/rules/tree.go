// The tree of an ultraplan project, by the names of its directories and files alone.

package rules

import (
	"cmp"
	"slices"
)

// Phase is a phase with the plans that its directory shows. Directories may share a number; all are shown.
type Phase struct {
	Dir          string // name of the directory, "02.5-tasks-api"
	Number, Slug string // "02.5", "tasks-api"
	Plans        []Plan
}

// Plan is a plan by its file.
type Plan struct {
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

// PhaseDir splits the name of a phase's directory, "NN-slug"; a number need not have two digits and may be dotted. ok
// is false for other names.
func PhaseDir(name string) (number, slug string, ok bool) {
	number, i := dotted(name, 0)
	if number == "" || i+1 >= len(name) || name[i] != '-' {
		return "", "", false
	}
	return number, name[i+1:], true
}

// PlanFile returns the plan that a file of a phase's directory is, "03-02" of "03-02-PLAN.md", or sums up,
// "03-02-SUMMARY.md". ok is false for other names.
func PlanFile(name string) (id string, summary, ok bool) {
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

// NewPhase returns the phase in a directory of that name with the files given; ok is false when the name is none
// of a phase's. A summary without its plan is no plan; it is returned beside.
func NewPhase(dir string, files []string) (p Phase, orphans []string, ok bool) {
	p.Dir = dir
	if p.Number, p.Slug, ok = PhaseDir(dir); !ok {
		return p, nil, false
	}
	for _, name := range files {
		if id, summary, ok := PlanFile(name); ok && !summary {
			p.Plans = append(p.Plans, Plan{ID: id})
		}
	}
	slices.SortStableFunc(p.Plans, func(a, b Plan) int { return planByID(a, b.ID) })
	for _, name := range files {
		id, summary, ok := PlanFile(name)
		if !ok || !summary {
			continue
		}
		if i, found := slices.BinarySearchFunc(p.Plans, id, planByID); found {
			p.Plans[i].Done = true
		} else {
			orphans = append(orphans, id)
		}
	}
	slices.SortStableFunc(orphans, comparePlans)
	return p, orphans, true
}

// SortPhases puts phases into their order: by number, of equal numbers by slug.
func SortPhases(phases []Phase) {
	slices.SortStableFunc(phases, func(a, b Phase) int {
		return cmp.Or(CompareNumbers(a.Number, b.Number), cmp.Compare(a.Slug, b.Slug))
	})
}

func planByID(p Plan, id string) int { return comparePlans(p.ID, id) }
