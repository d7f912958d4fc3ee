package gsd

import (
	"testing"

	"gatehouse/parse/conformance"
)

// TestMutations checks that each text that breaks a rule is reported, and no other.
func TestMutations(t *testing.T) {
	conformance.Mutations(t, "testdata/mutations.txtar", func(dir string) func() []string {
		return func() (all []string) {
			for _, p := range readers(t, dir)[0].Check(now) {
				all = append(all, p.String())
			}
			return all
		}
	})
}
