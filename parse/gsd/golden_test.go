package gsd

import (
	"fmt"
	"strings"
	"testing"

	"gatehouse/model/modeltest"
	"gatehouse/parse/conformance"
	"gatehouse/parse/disk/mirror"
	"gatehouse/parse/nearest"
)

// TestBuilds reads the projects of testdata/builds. The prompt shows the line that STATE.md claims.
func TestBuilds(t *testing.T) {
	conformance.Golden(t, Planning, func(t *testing.T, dir string) func(section string) string {
		m := mirror.New(dir, Planning)
		return func(section string) string {
			m.Touch()
			var text strings.Builder
			for _, r := range Readers(m) {
				if section == "check" {
					for _, p := range r.Check(conformance.GoldenNow) {
						fmt.Fprintln(&text, p.Rule, p)
					}
					continue
				}
				b := r.Read(conformance.GoldenNow)
				text.WriteString(modeltest.Describe(b))
				if found, ok := nearest.Find(nearest.Place{Dir: dir, Home: dir, Source: Protocol}); ok && b.ID == Protocol {
					if prompt, claimed := found.Facts.AppendFull(nil), b.Claimed.AppendFull(nil); string(prompt) != string(claimed) {
						t.Errorf("the prompt says %q, STATE.md claims %q", prompt, claimed)
					}
				}
			}
			return text.String()
		}
	})
}
