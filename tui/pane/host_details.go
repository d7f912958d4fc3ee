package pane

// The machine that a project is on, if it is another one.

import (
	"strings"
	"time"

	"gatehouse/model"
	"gatehouse/tui/draw"
	"gatehouse/tui/index"
)

// addOutOfReach says before all else that what is shown is old, and that nothing can be decided about it.
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

// addHost adds how old what is known of a project elsewhere is, and by whose clock its times are.
func (p page) addHost(h *model.Host) {
	if h == nil {
		return
	}
	asOf := ""
	if h.Live() { // else it has been said before all else
		asOf = "now"
	}
	p.Heading("Host: " + h.Name)
	p.Facts(
		draw.Fact{Label: "fleet", Value: h.Fleet},
		draw.Fact{Label: "as of", Value: asOf},
		draw.Fact{Label: "its clock", Value: clockOf(h)},
	)
}

// clockOf says how the clock of a host differs, "" if it does not.
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
