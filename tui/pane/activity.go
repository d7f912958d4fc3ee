package pane

// Details of an activity that an agent has logged: its checks and notes, and earlier activities about the same.

import (
	"time"

	"gatehouse/model"
	"gatehouse/tui/draw"
	"gatehouse/tui/index"
)

// activityPage lays out the details of an activity.
func activityPage(l *draw.Look, s *index.Site, a *model.Activity, width int) page {
	p := newPage(l, width)
	th := l.Theme
	m := s.Moment(a)
	p.Text(th.Strong, m.What)
	if a.Alert {
		p.Item(th.Wait, l.Glyphs.Problem, th.Wait, m.Text)
	} else {
		p.Item(th.Status(a.Status), glyphOf(l, a), "", m.Text)
	}
	p.Text(th.Dim, draw.Join(draw.PartJoint, a.Kind, string(a.Family), p.loggedAt(a.At)))
	if len(a.Details) > 0 {
		p.Heading("Noted")
		p.addDetails(a)
	}
	if m.Node != nil {
		p.Heading("About")
		st, sign, word := s.StatusOf(l, m.Node)
		p.Item(st, sign, "", draw.Join(draw.PartJoint, m.Node.Name(), word))
		p.Below(th.Dim, m.Node.Why)
	}
	if a.Node != "" {
		p.addActivitiesAbout("Before that", s, a.Node, a)
	}
	p.Gap()
	p.Facts(draw.Fact{Label: "written in", Value: a.Source.String(), Style: th.Dim})
	return p
}

// glyphOf returns the sign for the status in an activity.
func glyphOf(l *draw.Look, a *model.Activity) string {
	if a.Status == model.Unknown {
		return l.Glyphs.Dot
	}
	return l.Glyphs.Of(a.Status)
}

// addDetails adds the notes of an activity. Long notes are below their labels.
func (p page) addDetails(a *model.Activity) {
	facts := make([]draw.Fact, 0, len(a.Details))
	for i, d := range a.Details {
		if i == draw.ListLimit {
			break
		}
		st := draw.Style("")
		switch s, _ := model.ParseStatus(d.Value); {
		case s == model.Failed || d.Value == "fail":
			st = p.Look.Theme.Block
		case d.Value == "pass":
			st = p.Look.Theme.OK
		}
		facts = append(facts, draw.Fact{Label: d.Label, Value: d.Value, Style: st})
	}
	p.Longest = p.Width / 2
	p.Facts(facts...)
	p.Longest = 0
	if n := len(a.Details) - draw.ListLimit; n > 0 {
		p.More(n)
	}
}

// addActivitiesAbout adds the last activities about a node under a heading, the newest first; before excludes an activity and all later ones.
func (p page) addActivitiesAbout(heading string, s *index.Site, node string, before *model.Activity) {
	last := len(s.Build.Activity) - 1
	at := func(i int) *model.Activity { return &s.Build.Activity[last-i] }
	from := 0
	for before != nil && from <= last && at(from) != before {
		from++
	}
	p.addNewest(heading, last+1, func(i int) bool { return (before == nil || i > from) && at(i).Node == node }, func(i int) { p.addActivity(s, at(i)) })
}

// addActivity adds an activity in short.
func (p page) addActivity(s *index.Site, a *model.Activity) {
	th := p.Look.Theme
	m := s.Moment(a)
	st, glyph := th.Status(a.Status), glyphOf(p.Look, a)
	if a.Alert {
		st, glyph = th.Wait, p.Look.Glyphs.Problem
	}
	p.Item(st, glyph, "", draw.Join(draw.PartJoint, m.Text, p.Look.Ago(a.At)))
}

// loggedAt says when an activity was logged.
func (p page) loggedAt(at time.Time) string {
	if at.IsZero() {
		return "time unknown"
	}
	return p.dateWords(at)
}
