package pane

// The machine that a project is on, if it is another one.

import (
	"strings"
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
	p.Heading("Host: " + h.Name)
	p.Facts(
		draw.Fact{Label: "fleet", Value: h.Fleet},
		draw.Fact{Label: "as of", Value: asOf},
		draw.Fact{Label: "its clock", Value: clockOf(h)},
	)
}

// clockOf describes the error of a host's clock, "" if it has none.
func clockOf(h *model.Host) string {
	ahead := time.Duration(h.ClockAhead) * time.Second
	by := ahead.Abs().String()
	if strings.HasSuffix(by, "m0s") { // and not 10s
		by = strings.TrimSuffix(by, "0s")
	}
	switch {
	case ahead > 0:
		return by + " ahead: all times here are corrected"
	case ahead < 0:
		return by + " behind: all times here are corrected"
	}
	return ""
}
