package statusline

import (
	"encoding/hex"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"gatehouse/model/line"
	"gatehouse/parse/conformance"
	"gatehouse/parse/gsd/core"
	"gatehouse/parse/nearest"
)

// project writes a .planning directory with these files and returns its parent directory.
func project(t testing.TB, files map[string]string) string {
	t.Helper()
	dir := t.TempDir()
	for name, text := range files {
		write(t, filepath.Join(dir, ".planning", name), text)
	}
	return dir
}

// write writes a file, and creates its directories.
func write(t testing.TB, path, text string) {
	t.Helper()
	must(t, os.MkdirAll(filepath.Dir(path), 0o755))
	must(t, os.WriteFile(path, []byte(text), 0o644))
}

// at returns a place whose walk ends where it begins, so that nothing outside the test counts.
func at(dir string) nearest.Place { return nearest.Place{Dir: dir, Home: dir} }

func sinkNamed(t testing.TB, name string) Sink {
	t.Helper()
	command, problem := ParseFlags([]string{"--shell", name})
	if problem != "" {
		t.Fatal(problem)
	}
	return command.Sink
}

// shown returns the expected line for the output of the reference implementation, which does not clean: cleaned, and with overlong
// values cut.
func shown(raw, state string) string {
	want := line.Clean(raw)
	g := core.ParseLine(state)
	fields := []string{g.Milestone, g.MilestoneName, g.Status, g.ActivePhase, g.NextAction,
		g.PhaseNumber, g.PhaseTotal, g.PhaseName, strings.Join(g.NextPhases, "/")}
	// The longest first: a short one may be part of a long one.
	slices.SortFunc(fields, func(a, b string) int { return len(b) - len(a) })
	for _, field := range slices.Compact(fields) {
		if field = line.Clean(field); len(field) > line.FieldLimit {
			cut := strings.ToValidUTF8(field[:line.FieldLimit], "") // no half character at the end
			want = strings.ReplaceAll(want, field, cut)
		}
	}
	return want
}

func TestConformanceGSDStatusline(t *testing.T) {
	type row struct{ ID, Cat, Input, Full, Compact string }
	sink := sinkNamed(t, "plain")
	conformance.Rows(t, "gsd_statusline.jsonl", func(t *testing.T, r row) {
		for _, form := range []struct{ name, config, want string }{
			{"full", "", r.Full},
			{"full", `{"statusline": {"state_format": "full"}}`, r.Full},
			{"compact", `{"statusline": {"state_format": "compact"}}`, r.Compact},
		} {
			files := map[string]string{"STATE.md": r.Input}
			if form.config != "" {
				files["config.json"] = form.config
			}
			got := string(ReadLine(at(project(t, files)), Options{Sink: sink}).Text)
			want := shown(form.want, r.Input)
			if want != "" {
				want += "\n"
			}
			if got != want {
				t.Errorf("%s (%s) %s:\n got %q\nwant %q", r.ID, r.Cat, form.name, got, want)
			}
		}
	})
}

// vectorName returns the name of a sink in the vectors.
func vectorName(sink string) string {
	switch sink {
	case "bash":
		return "bash-var"
	case "starship":
		return "defang"
	case "claude":
		return "plain"
	}
	return sink
}

func TestConformanceEscapeVectors(t *testing.T) {
	type row struct {
		Name     string            `json:"name"`
		InputHex string            `json:"input_hex"`
		Expected map[string]string `json:"expected"`
	}
	conformance.Rows(t, "escape_vectors.jsonl", func(t *testing.T, r row) {
		input, err := hex.DecodeString(r.InputHex)
		if err != nil {
			t.Fatal(r.Name, err)
		}
		for i := range sinks {
			want, ok := r.Expected[vectorName(sinks[i].name)]
			if !ok {
				t.Errorf("%s: no expectation for the sink %s", r.Name, sinks[i].name)
				continue
			}
			clean := line.AppendClean(nil, string(input), line.FieldLimit)
			if got := string(sinks[i].escapeText(nil, clean)); got != want {
				t.Errorf("%s for %s:\n got %q\nwant %q", r.Name, sinks[i].name, got, want)
			}
		}
	})
}

// TestConformanceGSDReal reads real projects in place; they are not part of this repository.
func TestConformanceGSDReal(t *testing.T) {
	type row struct{ ID, Dir, Line string }
	root, err := filepath.Abs(conformance.Outside(t, ".."))
	must(t, err)
	sink := sinkNamed(t, "plain")
	conformance.Rows(t, "gsd_real.jsonl", func(t *testing.T, r row) {
		dir := filepath.Join(root, filepath.FromSlash(r.Dir))
		if _, err := os.Stat(filepath.Join(dir, ".planning", "STATE.md")); err != nil {
			t.Errorf("%s: %v", r.ID, err)
			return
		}
		got := strings.TrimSuffix(string(ReadLine(at(dir), Options{Sink: sink, Format: Full, Source: "gsd"}).Text), "\n")
		if want := line.Clean(r.Line); got != want {
			t.Errorf("%s:\n got %q\nwant %q", r.ID, got, want)
		}
	})
	// Every other directory next to them is read without a panic, whatever it holds.
	dirs, err := os.ReadDir(filepath.Join(root, "real"))
	if err != nil || len(dirs) == 0 {
		t.Fatal(len(dirs), err)
	}
	for _, d := range dirs {
		ReadLine(at(filepath.Join(root, "real", d.Name())), Options{})
	}
}

func must(t testing.TB, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}
