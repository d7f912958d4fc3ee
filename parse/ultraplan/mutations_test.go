package ultraplan

import (
	"testing"

	"gatehouse/parse/conformance"
	"gatehouse/parse/disk/mirror"
	"gatehouse/parse/ultraplan/core"
	"gatehouse/parse/ultraplan/fixture"
)

// TestMutations checks that each text that breaks a rule is reported, and no other.
func TestMutations(t *testing.T) {
	conformance.Mutations(t, "testdata/mutations.txtar", func(dir string) func() []string {
		return func() (all []string) {
			for _, p := range (&Reader{m: mirror.New(dir, Home, core.Planning)}).Check(fixture.Now) {
				all = append(all, p.String())
			}
			return all
		}
	})
}
