// Whose turn it is: the plan that runs, what comes next, and what waits for which.

package facts

import (
	"gatehouse/parse/ultraplan/rules"
)

// locate finds out which plan is running and what comes next, as the prompt does.
func (pr *Project) locate() {
	tree := pr.tree()
	var running []string
	if pr.Session != nil {
		running = rules.SessionPlans(pr.Session.Text)
	}
	pr.Line = rules.Line(tree, &pr.State.State, running, func() []rules.RoadmapPhase { return pr.Roadmap })
	rules.Free(&pr.Line, tree, pr.front)
	if pr.Resume != nil {
		rules.Pause(&pr.Line, tree, pr.Resume.Text)
	}
}

// tree returns the phases that have a directory.
func (pr *Project) tree() (tree []rules.Phase) {
	for _, p := range pr.Phases {
		if p.Dir != "" {
			tree = append(tree, p.Phase)
		}
	}
	return tree
}

// front returns what a plan says that it waits for, read where it has not been.
func (pr *Project) front(dir, id string) string {
	for _, p := range pr.Phases {
		for _, s := range p.Plans {
			if p.Dir != dir || s.ID != id {
				continue
			}
			if s.Doc == nil {
				pr.ReadPlan(s)
			}
			return s.Doc.front
		}
	}
	return ""
}

// Before returns the first plan that an open one waits for: one that it depends on or, with ofWave, one of a lower wave of its phase;
// "" for none.
func (pr *Project) Before(s *Plan) (other string, ofWave bool) {
	return rules.Before(pr.tree(), &s.Phase.Phase, s.ID, pr.front)
}
