package milestone

import "testing"

// TestOver: which phases are of a milestone that is over, by the archives and the ranges of ROADMAP.md.
func TestOver(t *testing.T) {
	const roadmap = "- ✅ **v1.0 One** — Phases 1–2 (shipped 2026-01-01)\n- [x] **v1.1 Two** (Phases 3-4.1)\n- 🚧 **v1.2 Three** — Phases 5–6\n- 📋 **v2.0** Phases 8+\n" +
		"<summary>v0.9 Before (Phase 20) — SHIPPED</summary>\n### Phase 30: the API of v3.0\nIn phase 40 v1.0 was shipped\n```\n- ✅ **v7.0** Phases 50-60\n```\n"
	for phase, want := range map[string]bool{
		"1": true, "02": true, "3": true, "4": true, "CK-2": true, "5": false, "06": false, "7": true, "9": false, "20": false, "30": false, "40": false, "55": false,
		"2.1": true, "": false, "x": false, "99999999999999999999999": false, "11": false, "12": false,
	} {
		if got := Over(phase, roadmap, []string{"05-e", "12-l"}, []string{"07-k", "11-k", "12-old"}); got != want {
			t.Errorf("phase %q is over: %v, want %v", phase, got, want)
		}
	}
	for name, want := range map[string]bool{"v1.0-phases": true, "v2.0-beta-phases": true, "pre-v25-phases": true, "v1.0-ROADMAP.md": false, "-phases": false, "old-phases": false} {
		if got := IsArchive(name); got != want {
			t.Errorf("%q is an archive: %v, want %v", name, got, want)
		}
	}
}
