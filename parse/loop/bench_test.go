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

// newLoop writes a definition and the state it begins with into a directory.
func newLoop(t testing.TB, definition []byte) string {
	t.Helper()
	text, file, _, err := Generate(definition, noon)
	must(t, err)
	dir := t.TempDir()
	write(t, filepath.Join(dir, file), text)
	write(t, filepath.Join(dir, "loop.json"), string(definition))
	return dir
}

// huge is a definition of many phases, with a gate behind each.
func huge(n int) []byte {
	var phases, gates []string
	for i := range n {
		phases = append(phases, fmt.Sprintf(`{"name": "PHASE-%d", "skills": ["a", "b"], "required": true}`, i))
		gates = append(gates, fmt.Sprintf(`{"id": "gate-%d", "name": "Gate", "afterPhase": "PHASE-%d", "required": true, "approvalType": "human", "deliverables": ["D%d.md"]}`, i, i, i))
	}
	return []byte(`{"id": "huge-loop", "version": "1", "phases": [` + strings.Join(phases, ",") + `], "gates": [` + strings.Join(gates, ",") + `]}`)
}

func TestTwoThousandPhases(t *testing.T) {
	dir := newLoop(t, huge(2000))
	start := time.Now()
	r := Readers(mirror.New(dir), "", nil)[0]
	b := r.Read(noon)
	if len(b.Nodes) != 4000 || len(b.Problems) > 0 {
		t.Errorf("%d rows, %v", len(b.Nodes), b.Problems)
	}
	if took := time.Since(start); took > 3*time.Second {
		t.Errorf("it took %v", took)
	}
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
