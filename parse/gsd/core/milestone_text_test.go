package core

import "testing"

// TestShippedForms checks that an entry of MILESTONES.md is found in the forms that agents write, and that nothing else is an entry.
func TestShippedForms(t *testing.T) {
	for text, want := range map[string]string{
		"## v1.0 Old (Shipped: 2026-01-15)\n\n**Phases completed:** 1-4 (9 plans total)\n": "v1.0 1-4 2026-01-15",
		"## Milestone v1.0: Old (Phases 1-4)\n":                                            "v1.0 1-4",
		"## ✅ [v1.0] Old\n":                                                                "v1.0",
		"## Old (v1.0) — Shipped 2026-01-15\n":                                             "v1.0 2026-01-15",
		"## Old [v1.0]\n":                                                                  "v1.0",
		"## Milestone 1 — v1.0\n":                                                          "v1.0",
		"### 3. The old one, v1.0 — shipped\n":                                             "v1.0",

		"- ✅ **v1.0 Old** — Phases 1-4 (shipped 2026-01-15)\n":                             "v1.0 1-4 2026-01-15",
		"- [x] v1.0 Old (shipped)\n":                                                       "v1.0",
		"| Milestone | Phases | Status |\n|---|---|---|\n| v1.0 Old | 1-4 | ✅ Shipped |\n": "v1.0 1-4",
		"## 🚧 v1.1 New\n":               "",
		"## v1.1 New (in progress)\n":   "",
		"- **v1.1 New** — Phases 5-7\n": "",
		"## v1.0 Old (Shipped)\n### Moved to Node v22.1\n- v2.1 of the library was shipped\n": "v1.0",
		"## 2026 in numbers\n## 12.5 % faster\n":                                              "",
	} {
		s, err := ParseMilestones(text)
		must(t, err)
		got := ""
		for _, m := range *s {
			if got += m.Version; m.Range.IsSet {
				got += " " + m.Range.First.Text + "-" + m.Range.Last.Text
			}
			if m.On != "" {
				got += " " + m.On
			}
		}
		if got != want {
			t.Errorf("%q: %q, want %q", text, got, want)
		}
	}
}
