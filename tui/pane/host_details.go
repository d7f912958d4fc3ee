package pane

// The machine that a project is on, if it is another one.

import (
	"time"

	"gatehouse/model"
	"gatehouse/tui/draw"
	"gatehouse/tui/index"
)

// addOutOfReach says at the top that the shown state is old, and that nothing can be decided about it.
func (p page) addOutOfReach(s *index.Site) {
	if !s.Project.OutOfReach() {
		return
	}
	th, h := p.Look.Theme, s.Project.Host
	p.Item(th.Wait, p.Look.Glyphs.Problem, th.Wait, h.Name+" is "+h.Why)
	then := "then"
	if !h.AsOf.IsZero() {
		then = p.Look.Ago(h.AsOf)
	}
	p.Below("", "This was so "+then+"; nothing can be decided until it is back.")
}

// addHost adds the age of the known state of a project on another machine, and the clock of its times.
func (p page) addHost(h *model.Host) {
	if h == nil {
		return
	}
	asOf := ""
	if h.Live() { // otherwise it is already at the top
		asOf = "now"
	}
	clock := ""
	if ahead := time.Duration(h.ClockAhead) * time.Second; ahead != 0 {
		clock = "off by " + ahead.Abs().String() + ": all times here are corrected"
	}
	p.Heading("Host: " + h.Name)
	p.Facts(
		draw.Fact{Label: "fleet", Value: h.Fleet},
		draw.Fact{Label: "as of", Value: asOf},
		draw.Fact{Label: "its clock", Value: clock},
	)
}
