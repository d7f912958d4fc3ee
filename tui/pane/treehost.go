package pane

// The column of hosts in the tree: on which machine a build is, where a fleet is looked at.

import (
	"slices"

	"gatehouse/model/line"
	"gatehouse/tui/draw"
	"gatehouse/tui/index"
)

// machines are those that the builds of the tree are on. Without a fleet there are none, and no column.
type machines struct {
	names []string // in the order of the alphabet, this machine behind all others
	name  int      // width of the longest name of a build
	host  int      // and of a host
}

// thisMachine is what this machine is called beside others.
const thisMachine = "here"

// hostName calls the machine that a build is on.
func hostName(s *index.Site) string { return draw.OrElse(s.Host(), thisMachine) }

// hostTexts is what a search finds the row of a build by, besides its name.
func hostTexts(s *index.Site) string {
	if s.Project.Host == nil {
		return ""
	}
	return s.Host() + " " + s.Project.Host.Word()
}

// machinesOf returns the machines of an index.
func machinesOf(ix *index.Index) (m machines) {
	if len(ix.Snap.Hosts) == 0 {
		return m
	}
	seen := make(map[string]bool)
	for _, s := range ix.Sites {
		m.name, m.host = max(m.name, line.Width(s.Name)), max(m.host, line.Width(s.Host()))
		if name := s.Host(); name != "" && !seen[name] {
			seen[name] = true
			m.names = append(m.names, name)
		}
	}
	slices.Sort(m.names)
	if slices.ContainsFunc(ix.Sites, func(s *index.Site) bool { return s.Host() == "" }) {
		m.names = append(m.names, thisMachine)
	}
	return m
}

// hostRoom returns the width of the column, of what a row has for name and host.
func (m *machines) hostRoom(room int) int { return min(m.host, longestTopic, room/3) }

// nameRoom returns how much of that a name has: all, where there is no column; else what column and percent leave.
func (m *machines) nameRoom(room int) int {
	if m.host == 0 {
		return room
	}
	const percent = 7
	room -= m.hostRoom(room) + 2
	return max(room-percent, room/2)
}

// draw writes the host behind a name, below those of the other rows.
func (m *machines) draw(r *draw.Ribbon, s *index.Site, edge int) {
	if m.host == 0 {
		return
	}
	const begin = 5 // of a name: behind the margin, the fold and the sign
	room := edge - begin
	r.To(begin + min(m.name, m.nameRoom(room)) + 2)
	end := r.Width + m.hostRoom(room)
	r.AddWithin(r.Look.Theme.Dim, s.Host(), m.hostRoom(room))
	r.To(end)
}
