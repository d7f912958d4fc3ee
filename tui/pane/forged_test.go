package pane

import (
	"fmt"
	"testing"

	"gatehouse/model"
	"gatehouse/tui/index"
	"gatehouse/tui/tuitest"
)

// TestForgedPages checks the beginnings of rows on each page: of a text from a file only the first row may lack the sign of a
// continued row.
func TestForgedPages(t *testing.T) {
	for name, snap := range tuitest.ForgedSnapshots() {
		for _, ascii := range []bool{false, true} {
			for _, width := range []int{36, 88} {
				if ascii && width == 88 {
					continue
				}
				l, ix := plainLook(ascii), index.New(snap, nil)
				scene := &Scene{Look: l, Index: ix, Row: index.Row{Site: ix.Sites[0]}}
				pages := map[string]page{
					"waits": waitsPage(&textPane{opened: true}, scene, width), "blockers": blockersPage(nil, scene, width),
					"decisions": decisionsPage(nil, scene, width), "inbox": inboxPage(&textPane{}, scene, width),
				}
				for _, s := range ix.Sites {
					pages["overview"] = overviewPage(l, ix, s, width, panesInView{}, nil)
					pages["metrics"] = metricsPage(l, s, width, 4)
					for _, n := range model.Walk(s.Build.Nodes) {
						pages["details of "+n.ID] = detailPage(l, ix, s, n, width, panesInView{}, nil)
					}
				}
				for what, p := range pages {
					where := fmt.Sprintf("%s, %s, %d columns, ascii %v", name, what, width, ascii)
					tuitest.NotForgedPage(t, where, p.Lines, ascii)
				}
				if t.Failed() {
					t.FailNow()
				}
			}
		}
	}
}
