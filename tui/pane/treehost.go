package pane

// The column of hosts in the tree of a fleet.

import (
	"gatehouse/model/line"
	"gatehouse/tui/index"
)

// hostTexts is the text of a build's host that a search matches.
func hostTexts(s *index.Site) string {
	if s.Project.Host == nil {
		return ""
	}
	return s.Host() + " " + s.Project.Host.Word()
}

// longestHost bounds the column.
const longestHost = 24

// hostWidth returns the width of the longest host name; 0 without a fleet, which has no such column.
func hostWidth(ix *index.Index) (width int) {
	if len(ix.Snap.Hosts) == 0 {
		return 0
	}
	for _, s := range ix.Sites {
		width = max(width, line.Width(s.Host()))
	}
	return min(width, longestHost)
}
