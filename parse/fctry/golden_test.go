package fctry

import (
	"fmt"
	"strings"
	"testing"

	"gatehouse/model/modeltest"
	"gatehouse/parse/conformance"
	"gatehouse/parse/disk/mirror"
)

// TestBuilds reads the projects of testdata/builds.
func TestBuilds(t *testing.T) {
	conformance.Golden(t, ".", func(t *testing.T, dir string) func(section string) string {
		m := mirror.New(dir, Home)
		return func(section string) string {
			m.Touch()
			var text strings.Builder
			r := Readers(m)[0]
			if section == "check" {
				for _, p := range r.Check(conformance.GoldenNow) {
					fmt.Fprintln(&text, p.Rule, p)
				}
				return text.String()
			}
			text.WriteString(modeltest.Describe(r.Read(conformance.GoldenNow)))
			p := r.Resume(conformance.GoldenNow)
			fmt.Fprintln(&text, "resume:", p.Action, p.Chunk, p.Why)
			return text.String()
		}
	})
}
