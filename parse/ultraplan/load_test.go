package ultraplan

import (
	"fmt"
	"path/filepath"
	"testing"

	"gatehouse/parse/disk/mirror"
)

// harbours writes a large project: phases with five plans each, and logs of results.
func harbours(tb testing.TB, phases, logs int) string {
	tb.Helper()
	files := map[string]string{".planning/STATE.md": stateText}
	for p := range phases {
		for n := range 5 {
			plan := fmt.Sprintf(".planning/phases/%02d-quay/%02d-%02d", p+1, p+1, n+1)
			files[plan+"-PLAN.md"] = planText
			if p < phases/2 {
				files[plan+"-SUMMARY.md"] = "---\nduration: 3m\ncompleted: 2026-01-26\n---\n"
			}
		}
	}
	for i := range logs {
		name := fmt.Sprintf(".ultraplan/logs/executions/2026-01-%02d/%02d-%02d-task-01-success-%d.yaml", i%28+1, i%phases+1, i%5+1, i+2)
		files[name] = log(fmt.Sprintf("%02d-%02d", i%phases+1, i%5+1), 1, "success", fmt.Sprintf("2026-01-%02dT10:00:00Z", i%28+1),
			"  verification:\n    command: \"go test ./...\"\n    exit_code: 0\n    output_summary: \"ok\"\n  done_criteria_met: true\n  evidence: |\n    It works:\n    - well\n  error: null\n  metadata:\n    duration_ms: 32000\n    attempt: 1\n")
	}
	return project(tb, files)
}

// BenchmarkLoad reads 500 plans in 100 phases and 2,000 logs for the first time: the target is 80 ms.
func BenchmarkLoad(b *testing.B) {
	dir := harbours(b, 100, 2000)
	for b.Loop() {
		build(b, dir)
	}
}

// BenchmarkOneMoreLog reads the same once more when one log has come.
func BenchmarkOneMoreLog(b *testing.B) {
	dir := harbours(b, 100, 2000)
	m := mirror.New(dir, Home, Planning)
	r := Readers(m)[0]
	r.Read(now)
	name := filepath.Join(dir, ".ultraplan", "logs", "executions", "2026-01-26", "01-01-task-01-failure.yaml")
	for b.Loop() {
		put(b, name, log("01-01", 1, "failure", "2026-01-26T12:00:00Z", ""))
		m.Touch(name)
		r.Read(now)
	}
}
