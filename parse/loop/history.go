// What of a loop was done when: its phases, by the times that the state keeps of them.

package loop

import (
	"gatehouse/model"
	"gatehouse/parse/loop/rules"
	"gatehouse/parse/reader"
)

// history lists the phases that are over or have begun. How many there are was known when the state was made of its definition.
func (v *view) history() {
	h := &model.History{TotalSince: reader.Time(v.s.started)}
	for i := range v.loop.Phases {
		x := &v.loop.Phases[i]
		p := &v.s.phases[x.At]
		began := p.startedAt
		if began == "" && i == 0 && (x.Finished() || rules.PhaseWord(p.Status) == rules.Active) {
			began = v.s.started // of the first phase the document leaves it empty
		}
		piece := reader.WorkedFrom(began, p.completed).Phase(v.phaseIDs[i], x.Finished())
		if piece.Done || !piece.Began.IsZero() {
			h.Pieces = append(h.Pieces, piece)
		}
	}
	if len(h.Pieces) > 0 {
		v.b.History = h
	}
}
