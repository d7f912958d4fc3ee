package nearest

import (
	"os"
	"path/filepath"
	"testing"

	"gatehouse/parse/conformance"
)

// BenchmarkLoop finds the state of a loop of three phases with its definition, and makes its line.
func BenchmarkLoop(b *testing.B) {
	root := b.TempDir()
	sample, err := os.ReadFile(filepath.Join(conformance.Dir(), "loops", "sample-loop.json"))
	if err != nil {
		b.Fatal(err)
	}
	for name, text := range map[string]string{
		"small/x-state.json": loopText("active", `"A": {"status": "complete"}, "B": {"status": "pending"}, "C": {"status": "pending"}`, `"a-gate": {"status": "pending"}, "b-gate": {"status": "pending"}`),
		"small/loop.json":    definition, "sample/sample-state.json": `{"loop": "sample-loop", "status": "active", "phases": {"FRAME": {"status": "active"}}, "gates": {}}`,
		"sample/loop.json": string(sample),
	} {
		path := filepath.Join(root, filepath.FromSlash(name))
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			b.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
			b.Fatal(err)
		}
	}
	for _, name := range []string{"small", "sample"} {
		b.Run(name, func(b *testing.B) {
			buffer, line := make([]byte, 64<<10), make([]byte, 0, 256)
			b.ReportAllocs()
			for b.Loop() {
				found, ok := Find(Place{Dir: filepath.Join(root, name), Home: root, Source: "loop", Buffer: buffer})
				if !ok || found.With == "" {
					b.Fatal("no loop")
				}
				line = found.Facts.AppendFull(line[:0])
			}
		})
	}
}
