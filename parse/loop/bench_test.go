package loop

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"gatehouse/parse/conformance"
	"gatehouse/parse/disk/mirror"
)

// BenchmarkRead reads a state of ten phases and its definition from disk.
func BenchmarkRead(b *testing.B) {
	content, err := os.ReadFile(filepath.Join(conformance.Dir(), "loops", "sample-loop.json"))
	if err != nil {
		b.Fatal(err)
	}
	dir := newLoop(b, content)
	for b.Loop() {
		only(b, dir, nil).Read(noon)
	}
}

// newLoop writes a definition and its initial state into a new directory.
func newLoop(t testing.TB, definition []byte) string {
	t.Helper()
	text, file, err := Generate(definition, noon)
	must(t, err)
	dir := t.TempDir()
	write(t, filepath.Join(dir, file), text)
	write(t, filepath.Join(dir, "loop.json"), string(definition))
	return dir
}

// huge returns a definition of n phases, with a gate after each.
func huge(n int) []byte {
	var phases, gates []string
	for i := range n {
		phases = append(phases, fmt.Sprintf(`{"name": "PHASE-%d", "skills": ["a", "b"], "required": true}`, i))
		gates = append(gates, fmt.Sprintf(`{"id": "gate-%d", "name": "Gate", "afterPhase": "PHASE-%d", "required": true, "approvalType": "human", "deliverables": ["D%d.md"]}`, i, i, i))
	}
	return []byte(`{"id": "huge-loop", "version": "1", "phases": [` + strings.Join(phases, ",") + `], "gates": [` + strings.Join(gates, ",") + `]}`)
}

// TestTwoThousandPhases checks that reading time grows linearly: four times as many phases must not take sixteen times as long.
func TestTwoThousandPhases(t *testing.T) {
	few, many := newLoop(t, huge(500)), newLoop(t, huge(2000))
	read := func(dir string, phases int) time.Duration {
		start := time.Now()
		b := Readers(mirror.New(dir), "", nil)[0].Read(noon)
		if len(b.Nodes) != 2*phases || len(b.Problems) > 0 {
			t.Fatalf("%d rows, %v", len(b.Nodes), b.Problems)
		}
		return time.Since(start)
	}
	var growth float64
	for range 5 { // other work on the machine may disturb a measurement
		if growth = float64(read(many, 2000)) / float64(read(few, 500)); growth < 10 {
			return
		}
	}
	t.Errorf("four times as many take %.1f times as long", growth)
}

// BenchmarkHuge reads a loop of 2,000 phases again after its state was touched.
func BenchmarkHuge(b *testing.B) {
	dir := newLoop(b, huge(2000))
	m := mirror.New(dir)
	for b.Loop() {
		m.Touch(filepath.Join(dir, "huge-state.json"))
		Readers(m, "", nil)[0].Read(noon)
	}
}
