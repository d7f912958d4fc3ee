package ultraplan

import (
	"path/filepath"
	"testing"

	"gatehouse/parse/disk/mirror"
	"gatehouse/parse/ultraplan/core"
	"gatehouse/parse/ultraplan/fixture"
)

// BenchmarkLoad measures the first read of 500 plans in 100 phases with 2,000 logs. The target is 80 ms.
func BenchmarkLoad(b *testing.B) {
	dir := fixture.Harbours(b, 100, 2000)
	for b.Loop() {
		build(b, dir)
	}
}

// BenchmarkOneMoreLog measures reading the same project again after one log was added.
func BenchmarkOneMoreLog(b *testing.B) {
	dir := fixture.Harbours(b, 100, 2000)
	m := mirror.New(dir, Home, core.Planning)
	r := Readers(m)[0]
	r.Read(fixture.Now)
	name := filepath.Join(dir, ".ultraplan", "logs", "executions", "2026-01-26", "01-01-task-01-failure.yaml")
	for b.Loop() {
		fixture.Put(b, name, fixture.Log("01-01", 1, "failure", "2026-01-26T12:00:00Z", ""))
		m.Touch(name)
		r.Read(fixture.Now)
	}
}
