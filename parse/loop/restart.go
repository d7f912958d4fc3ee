// What a human does to a loop beside its gates and its status: a phase is left out, or the whole is begun anew.

package loop

import (
	"fmt"
	"path"
	"strings"
	"time"

	"gatehouse/model"
	"gatehouse/model/line"
	"gatehouse/parse/loop/rules"
	"gatehouse/parse/reader"
	"gatehouse/parse/text/edit"
)

// skipPhase leaves out a phase that is not required.
func (v *view) skipPhase(q edit.Request) (*edit.Change, error) {
	i := v.phaseOf(q.Node)
	if i < 0 {
		return nil, &model.Refusal{Code: string(rules.NoPhase), Text: line.Tidy(fmt.Sprintf("%s has no phase %q", v.r.file, q.Node))}
	}
	p := &v.loop.Phases[i]
	if code := v.maySkip(p); code != rules.OK {
		return nil, v.refusePhase(p, code)
	}
	proposal := model.Proposal{Name: line.Tidy(p.Name), Warnings: []string{"the protocol has no way back from a skip"}}
	return v.change(q, proposal, word(p.Status), rules.Skipped, []rules.Write{{Path: []string{"phases", p.Name, "status"}, Value: rules.Skipped}, {Path: lastUpdated}})
}

// maySkip says whether a phase may be left out. The protocol asks the state alone; since agents write that, a human is not led past
// what the definition requires.
func (v *view) maySkip(p *rules.Phase) rules.Code {
	code := v.loop.PhaseAction(p.Name, rules.Skipped)
	if code == rules.OK && p.Defined {
		code = rules.PhaseRequired
	}
	return code
}

// phaseOf returns the index of the phase with a row's ID, -1 where there is none.
func (v *view) phaseOf(id string) int {
	for i := range v.loop.Phases {
		if line.Tidy(phaseID(v.loop.Phases[i].Name)) == id {
			return i
		}
	}
	return -1
}

// refusePhase says why a phase is not skipped.
func (v *view) refusePhase(p *rules.Phase, code rules.Code) error {
	r := &model.Refusal{Code: string(code)}
	name := rules.PhaseName(p.Name)
	switch code {
	case rules.LoopNotActive:
		return v.notActive(r)
	case rules.PhaseRequired:
		r.Text, r.Fix = "phase "+name+" is required", "have the agents do it"
	case rules.UnknownStatus:
		r.Text, r.Fix = "phase "+name+" is "+unknownWord(p.Status), "write pending, active, complete or skipped into the file"
	case rules.SameStatus:
		r.Text, r.Already = "phase "+name+" was skipped already", true
	default:
		r.Text, r.Fix = "phase "+name+" is "+word(p.Status), "only what has not begun can be skipped"
	}
	r.Text = line.Tidy(r.Text)
	return r
}

// restart puts the state away and writes a new one in its place, made from the definition.
func (v *view) restart(q edit.Request) (*edit.Change, error) {
	if _, refused := v.loop.LoopAction(rules.Restart); refused != rules.OK {
		return nil, v.refuseLoop(q.Verb, refused)
	}
	if v.d == nil {
		text := "no loop.json of " + v.name() + " was found"
		if v.undefinable != nil {
			text = v.undefinable.file + " can't be read"
		}
		return nil, &model.Refusal{Code: string(rules.Forbidden), Text: line.Tidy(text), Fix: "a new state is made from it; put it beside the state, or name its directory in GATEHOUSE_LOOPS"}
	}
	text, _, _, err := v.d.generate(q.Now)
	if err != nil {
		return nil, &model.Refusal{Code: string(rules.Forbidden), Text: line.Tidy(v.d.file + ": " + err.Error())}
	}
	away := v.awayName(q.Now)
	p := model.Proposal{
		Name: line.Tidy(v.name()), Confirm: loopActions[q.Verb].confirm,
		Effect:   line.Tidy(word(v.loop.Status) + " → a new state, made from " + v.d.file),
		Warnings: []string{line.Tidy("what the state says now is kept in " + path.Base(away)), "what the agents have delivered stays as it is"},
		Releases: []string{line.Tidy("Phase " + v.d.phases[0].Name)},
	}
	return &edit.Change{Proposal: p, Was: v.loop.Status, Is: rules.Active, Spans: []model.Span{{Old: q.Content, New: text, Label: "the whole state"}},
		Keeps: []edit.Copy{{File: away, Content: q.Content}}}, nil
}

// awayName is the name under which the state is put away, by its own time, so that it is the same when a restart that was killed
// is done again. No reader takes such a file for a state.
func (v *view) awayName(now time.Time) string {
	if t := reader.Time(v.s.updated); !t.IsZero() {
		now = t
	}
	return strings.TrimSuffix(v.r.file, ".json") + "-" + now.UTC().Format("20060102T150405Z") + ".json"
}
