// What STATE.md has to say, counted from the tree and the logs.

package statemd

import (
	"cmp"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"gatehouse/model"
	"gatehouse/parse/disk/mirror"
	"gatehouse/parse/doc"
	"gatehouse/parse/ultraplan/facts"
	"gatehouse/parse/ultraplan/rules"
)

// Figures are the figures of a project. [Differences] compares STATE.md with them.
type Figures struct {
	Phases  []PhaseFigures // by number, without those that are skipped
	Plans   model.Count    // of all phases, with those announced
	IsEvent bool           // the newest result was captured just now, or a task just started: the work is there

	unknownPhases int // announced, with nobody knowing how many plans
	phaseCount    int // how many phase numbers there are, skipped ones included
	tree          []rules.Phase
	road          []rules.RoadmapPhase
	velocity      tally
	finished      []model.Finish // the oldest first

	last    *facts.Log // the newest result, nil without one
	lastDay string
	at      string // key of the plan at work, "" if only STATE.md knows

	HasResume bool
	exists    func(file string) bool
	unlisted  string // a directory that can't be listed: nothing can be counted
}

// PhaseFigures are the figures of the phases of one number.
type PhaseFigures struct {
	Number, Title string
	hasDir        bool
	hasBegun      bool // a plan has a summary or a result
	plans         []*facts.Plan
	Count         model.Count // of its PLAN files
	announced     int         // plans that ROADMAP.md or By Phase announce; 0 is unknown
	velocity      tally
	finished      []model.Finish
}

// total returns how many plans a phase has, announced ones included.
func (p *PhaseFigures) total() int { return max(p.Count.Total, p.announced) }

// isComplete reports whether every plan of a phase is there and has a summary.
func (p *PhaseFigures) isComplete() bool { return p.Count.Total > 0 && p.Count.Done == p.total() }

// tally counts plans and their time.
type tally struct {
	done     int          // plans with a summary
	untimed  int          // those whose time is unknown in whole or in part
	all      model.Millis // all time that is known, of plans at work too
	finished model.Millis // the time of the plans that are done
	earlier  facts.Earlier
}

// plans returns how many plans are done, earlier ones included.
func (t *tally) plans() int { return t.done + t.earlier.Plans }

// isWhole reports whether the time of each plan that is done is known.
func (t *tally) isWhole() bool { return t.untimed <= t.earlier.Untimed }

// total returns the time of all work that is known.
func (t *tally) total() model.Millis { return t.all + t.earlier.Took }

// NewFigures counts a project. last is its newest result; isEvent says that it was captured just now.
func NewFigures(pr *facts.Project, last *facts.Log, isEvent bool) *Figures {
	f := &Figures{road: pr.Roadmap, last: last, IsEvent: isEvent && last != nil, unlisted: pr.Unlisted}
	f.exists = func(file string) bool { _, ok := pr.Mirror.Stat(file); return ok }
	f.HasResume = f.exists(facts.ResumeFile)
	if last != nil {
		f.lastDay, f.at = facts.LogDay(last), facts.PlanKey(last.Plan)
	}
	announced := mirror.Read(pr.Mirror, facts.RoadmapFile, parseAnnounced).Value
	logged := pr.LoggedPlans()
	f.finished = pr.Finished()
	slices.SortStableFunc(f.finished, func(a, b model.Finish) int { return cmp.Compare(a.On, b.On) })
	for _, p := range pr.Phases {
		if p.Dir != "" {
			f.tree = append(f.tree, p.Phase)
		}
		n := len(f.Phases)
		if n == 0 || rules.CompareNumbers(f.Phases[n-1].Number, p.Number) != 0 {
			f.phaseCount++
			if p.Dir == "" && p.Road != nil && p.Road.Skipped {
				continue
			}
			f.Phases = append(f.Phases, PhaseFigures{Number: rules.TrimZeros(p.Number), Title: p.Title, announced: announced[rules.TrimZeros(p.Number)]})
			n++
		}
		one := &f.Phases[n-1]
		one.hasDir = one.hasDir || p.Dir != ""
		if len(p.Plans) > 0 && len(one.plans) == 0 {
			one.Title = p.Title
		}
		one.plans = append(one.plans, p.Plans...)
	}
	earlier := pr.Earlier()
	f.velocity.earlier = earlier[""]
	for i := range f.Phases {
		p := &f.Phases[i]
		p.velocity.earlier = earlier[p.Number]
		for _, s := range p.plans {
			l := logged[s.Key]
			took := l.Took
			summed := s.Summary != nil && s.Summary.Timed && s.Summary.Duration > 0
			if summed {
				took = s.Summary.Duration
			}
			p.Count.Total++
			p.hasBegun = p.hasBegun || s.Done || l.Results > 0
			for _, t := range []*tally{&p.velocity, &f.velocity} {
				t.all += took
				if s.Done {
					t.done++
					t.finished += took
					if took <= 0 || !summed && l.Untimed {
						t.untimed++
					}
				}
			}
			if s.Done {
				p.Count.Done++
			}
		}
		for _, one := range f.finished {
			if slices.ContainsFunc(p.plans, func(s *facts.Plan) bool { return s.Node == one.Plan }) {
				p.finished = append(p.finished, one)
			}
		}
	}
	return f
}

// StartTask moves the work to a plan in which a task has just started.
func (f *Figures) StartTask(plan string) { f.at, f.IsEvent, f.last = facts.PlanKey(plan), true, nil }

// find returns the phase of a number, nil without one.
func (f *Figures) find(number string) *PhaseFigures {
	for i := range f.Phases {
		if number != "" && rules.CompareNumbers(f.Phases[i].Number, number) == 0 {
			return &f.Phases[i]
		}
	}
	return nil
}

// atWork returns the plan at work and its phase, nil if the tree does not have it.
func (f *Figures) atWork() (*PhaseFigures, *facts.Plan) {
	for i := range f.Phases {
		for _, s := range f.Phases[i].plans {
			if f.at != "" && s.Key == f.at {
				return &f.Phases[i], s
			}
		}
	}
	return nil, nil
}

// announce adds what STATE.md announces: the plans of the table By Phase, and the phases of "of M". A row that claims more done plans
// than there are announces nothing.
func (f *Figures) announce(rows []phaseRow, says *rules.State) {
	f.Phases = slices.Clone(f.Phases)
	f.Plans, f.unknownPhases = model.Count{}, 0
	elsewhere := 0 // phases of the table that the tree does not have
	for _, row := range rows {
		done, total, ok := row.count()
		p := f.find(row.number)
		switch {
		case !ok || p != nil && done > p.Count.Done:
		case p != nil:
			p.announced = max(p.announced, total)
		case done < total:
			f.Plans.Total += total
			elsewhere++
		}
	}
	highest := "0"
	for i := range f.Phases {
		p := &f.Phases[i]
		f.Plans.Done += p.Count.Done
		f.Plans.Total += p.total()
		if p.total() == 0 && !p.isCheckedOff(f.road) {
			f.unknownPhases++
		}
		highest, _, _ = strings.Cut(p.Number, ".")
	}
	if n, _ := strconv.Atoi(says.PhaseTotal); f.Plans.Total > 0 && n > f.phaseCount+elsewhere && rules.CompareNumbers(says.PhaseTotal, highest) > 0 {
		f.unknownPhases += min(n, rules.PhaseLimit) - f.phaseCount - elsewhere
	}
}

// isCheckedOff reports whether a phase without any file is checked off in the roadmap: it was put away with an earlier milestone.
func (p *PhaseFigures) isCheckedOff(road []rules.RoadmapPhase) bool {
	return !p.hasDir && slices.ContainsFunc(road, func(r rules.RoadmapPhase) bool { return r.Checked && rules.CompareNumbers(r.Number, p.Number) == 0 })
}

var (
	phaseMention = regexp.MustCompile(`^(?:#+|[-*] \[.\])[ *~]*Phase (\d+(?:\.\d+)*)\b`)
	plansMention = regexp.MustCompile(`(?i)^[-* ]*\*{0,2}plans\*{0,2}:?\*{0,2}:?\s*(?:\d+\s*/\s*)?(\d{1,4})\b|\((?:\d+\s*/\s*)?(\d{1,4}) plans?\)`)
	planMention  = regexp.MustCompile(`^\s*[-*] \[.\] [*` + "`" + `]*(\d+(?:\.\d+)*)-(\d+(?:\.\d+)*)`)
	rowNumber    = regexp.MustCompile(`^(?:Phase )?(\d+(?:\.\d+)*)`)
	countCell    = regexp.MustCompile(`^(\d{1,6})\s*/\s*(\d{1,6})$`)
)

// parseAnnounced returns how many plans ROADMAP.md announces by phase: by "**Plans**: 3 plans", by its list of plans, by its table.
func parseAnnounced(text string) (map[string]int, error) {
	announced, listed, at := map[string]int{}, map[string]map[string]bool{}, ""
	add := func(phase, digits string) {
		n, _ := strconv.Atoi(digits)
		announced[phase] = max(announced[phase], n)
	}
	for l := range doc.Lines(text, 0, len(text)) {
		if l.Code || l.Comment {
			continue
		}
		if m := phaseMention.FindStringSubmatch(l.Text); m != nil {
			at = rules.TrimZeros(m[1])
		} else if l.Level > 0 {
			at = ""
		}
		if cells := doc.SplitCells(l.Text); len(cells) > 1 {
			m := rowNumber.FindStringSubmatch(cells[0])
			for _, c := range cells[1:] {
				if n := countCell.FindStringSubmatch(c); n != nil && m != nil && !slices.ContainsFunc(cells, func(c string) bool { return strings.EqualFold(c, "skipped") }) {
					add(rules.TrimZeros(m[1]), n[2])
				}
			}
		} else if m := planMention.FindStringSubmatch(l.Text); m != nil {
			phase := rules.TrimZeros(m[1])
			if listed[phase] == nil {
				listed[phase] = map[string]bool{}
			}
			listed[phase][rules.TrimZeros(m[2])] = true
			announced[phase] = max(announced[phase], len(listed[phase]))
		} else if m := plansMention.FindStringSubmatch(l.Text); m != nil && at != "" {
			add(at, m[1]+m[2])
		}
	}
	return announced, nil
}
