package loop

import (
	"slices"
	"testing"

	"gatehouse/model"
	"gatehouse/parse/protocol"
	"gatehouse/parse/protocol/protocoltest"
)

// TestRestart checks that a restart replaces the state by a generated one and keeps a copy of the old one.
func TestRestart(t *testing.T) {
	for _, status := range []string{"complete", "failed"} {
		before := stateText(status, sewing, [3]string{"passed", "failed", "pending"})
		r := kite(t, before, nil)
		q := ask(model.VerbRestart, before, "")
		c, err := protocoltest.Decide(r, q)
		must(t, err)
		after := edited(t, before, c)
		want, _, err := Generate([]byte(definitionText), noon)
		must(t, err)
		if after != want || len(c.Keeps) != 1 || c.Keeps[0] != (protocol.Copy{File: "kite-state-20260301T103000Z.json", Content: before}) || c.Confirm != "restart" || c.Is != "active" {
			t.Errorf("%+v\n%s", c.Keeps, after)
		}
		if len(r.Read(noon).Can) == 0 || !slices.Contains(r.Read(noon).Can, model.VerbRestart) {
			t.Errorf("offered %v", r.Read(noon).Can)
		}
	}
}
