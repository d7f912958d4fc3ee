package gsd

import (
	"fmt"
	"strings"
	"testing"

	"gatehouse/model/line"
	"gatehouse/model/modeltest"
	"gatehouse/parse/conformance"
	"gatehouse/parse/disk/mirror"
	"gatehouse/parse/nearest"
	"gatehouse/parse/protocol/protocoltest"
)

// TestBuilds reads the projects of testdata/builds, and what the prompt says about them: it shows the line that STATE.md claims.
func TestBuilds(t *testing.T) {
	conformance.Golden(t, Planning, func(t *testing.T, dir string) func(section string) string {
		m := mirror.New(dir, Planning)
		return func(section string) string {
			m.Touch()
			if words, isDecision := strings.CutPrefix(section, "decide "); isDecision {
				return protocoltest.Describe(m, Readers(m)[0], conformance.GoldenNow, words)
			}
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
				found, ok := nearest.Find(nearest.Place{Dir: dir, Home: dir, Source: Protocol, Alerts: true, Now: conformance.GoldenNow.Unix})
				if !ok || b.ID != Protocol {
					continue
				}
				prompt, claimed := line.Full(found.Facts), line.Full(b.Claimed)
				if string(prompt) != string(claimed) {
					t.Errorf("the prompt says %q, STATE.md claims %q", prompt, claimed)
				}
				fmt.Fprintf(&text, "prompt: %s, waits %q, denied %q\n", prompt, found.Waits, found.Denied)
			}
			return text.String()
		}
	})
}
