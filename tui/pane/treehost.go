package pane

// The column of hosts in the tree of a fleet.

import (
	"slices"

	"gatehouse/model/line"
	"gatehouse/tui/draw"
	"gatehouse/tui/index"
)

// machines are those that the builds of the tree are on. Without a fleet there are none, and no column.
type machines struct {
	names []string // in the order of the alphabet, this machine behind all others
	width int      // of the longest name
}

// thisMachine names this machine among others.
const thisMachine = "here"

// hostName calls the machine that a build is on.
func hostName(s *index.Site) string { return draw.OrElse(s.Host(), thisMachine) }

// hostTexts is the text of a build's host that a search matches.
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
	for _, s := range ix.Sites {
		m.width = max(m.width, line.Width(s.Host()))
		m.names = append(m.names, s.Host())
	}
	slices.Sort(m.names)
	if m.names = slices.Compact(m.names); len(m.names) > 0 && m.names[0] == "" {
		m.names = append(m.names[1:], thisMachine)
	}
	return m
}

// columnWidth returns the width of the column in some room for name and host.
func (m *machines) columnWidth(room int) int { return min(m.width, longestTopic, room/3) }
