package record

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"testing"
	"time"

	"gatehouse/parse/ultraplan/core"
	"gatehouse/parse/ultraplan/fixture"
)

// BenchmarkCapture captures one result in projects of several sizes, which have the daily summaries that captures leave.
// The target is a median of 45 ms with 500 plans and 2,000 logs, without fsync and without Settle 200 ms later. The cost grows with
// the size of the captured plan, not with the number of logs.
func BenchmarkCapture(b *testing.B) {
	for _, size := range []struct{ phases, logs, own int }{{10, 200, 0}, {100, 200, 0}, {100, 2000, 0}, {100, 8000, 0}, {100, 2000, 50}} {
		b.Run(fmt.Sprintf("%d plans, %d logs, %d of the plan", size.phases*5, size.logs, size.own), func(b *testing.B) {
			dir := fixture.Harbours(b, size.phases, size.logs)
			plan := ".planning/phases/03-quay/03-01-PLAN.md"
			fixture.Put(b, filepath.Join(dir, filepath.FromSlash(plan)), fixture.TwoTasks)
			fixture.Must(b, os.Remove(filepath.Join(dir, ".planning/phases/03-quay/03-01-SUMMARY.md")))
			fixture.Put(b, filepath.Join(dir, ".planning/STATE.md"), freshState)
			for i := range size.own {
				file := fmt.Sprintf(".ultraplan/logs/executions/2026-01-%02d/03-01-task-01-failure-%d.yaml", i%28+1, i+2)
				fixture.Put(b, filepath.Join(dir, filepath.FromSlash(file)), fixture.Log("03-01", 1, "failure", fmt.Sprintf("2026-01-02T10:00:%02dZ", i), ""))
			}
			captureOf(b, dir, Report{Text: result(2, "failure", 1), Plan: "03-01"}) // this writes the summaries
			daily := filepath.Join(dir, filepath.FromSlash(core.SummaryFile("2026-01-28")))
			before, err := os.ReadFile(daily)
			fixture.Must(b, err)
			i := 0
			var took []time.Duration
			for b.Loop() {
				i++
				status := []string{"failure", "success"}[i%2]
				start := time.Now()
				c, err := recorder(dir).Capture(context.Background(), Report{Text: result(1, status, 1), Plan: "03-01", Again: i})
				took = append(took, time.Since(start))
				if err != nil {
					b.Fatal(err)
				}
				b.StopTimer() // remove the log and restore the summary, so that the project keeps its size
				fixture.Must(b, os.Remove(filepath.Join(dir, filepath.FromSlash(c.Log))))
				fixture.Must(b, os.WriteFile(daily, before, 0o644))
				b.StartTimer()
			}
			slices.Sort(took)
			b.ReportMetric(float64(took[len(took)/2].Microseconds())/1000, "ms-p50")
			b.ReportMetric(float64(took[0].Microseconds())/1000, "ms-min") // the minimum is least disturbed by other work on the machine
		})
	}
}
