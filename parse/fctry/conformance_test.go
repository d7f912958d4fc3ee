package fctry

import (
	"encoding/json"
	"os"
	"regexp"
	"strings"
	"testing"
	"time"

	"gatehouse/model"
	"gatehouse/model/modeltest"
	"gatehouse/parse/conformance"
	"gatehouse/parse/disk/mirror"
)

// now is the tests' clock.
var now = time.Date(2026, 3, 1, 12, 0, 0, 0, time.UTC)

// projectRow is a project with the original tool's output for it.
type projectRow struct{ conformance.Project }

var sequences = regexp.MustCompile("\x1b\\[[0-9]*m")

// parts returns the output of the original tool, part by part, without colors.
func (r *projectRow) parts() (parts []string) {
	for row := range strings.SplitSeq(sequences.ReplaceAllString(r.Expected, ""), "\n") {
		for part := range strings.SplitSeq(row, " │ ") {
			parts = append(parts, part)
		}
	}
	return parts
}

// Icons that the original tool puts before its parts.
const (
	iconBranch, iconSpec, iconContext, iconChunk, iconScore  = "\U000F062C ", "\U000F0219 ", "\U000F1396 ", "\U000F040A ", "\U000F012C "
	iconReady, iconUntracked, iconUpgrade, iconNext, iconBox = "\U000F0565 ", "\U000F0026 ", "\U000F0737", "\U000F0142 ", "\U000F0353 "
)

var (
	ofAll   = regexp.MustCompile(`(\d+(?:\.\d+)?)(?:\+(\d+))?(?:\(r(\d+)\))?/(\d+)(?: (\d+))?`)
	garbage = []string{"undefined", "NaN", "[object Object]", "null/"}
)

// shown compares one part of the original's output with the model.
func shown(t *testing.T, b *model.Build, part string) {
	t.Helper()
	is := func(label, want string) {
		t.Helper()
		if got := modeltest.Metric(b, label); got != want {
			t.Errorf("%s is %q, the original shows %q", label, got, part)
		}
	}
	has := func(icon string) (rest string, ok bool) { return strings.CutPrefix(part, icon) }
	if branch, ok := has(iconBranch); ok {
		is("branch", branch)
	} else if version, ok := has(iconSpec); ok {
		is("spec", version)
	} else if chunks, ok := has(iconChunk); ok {
		shownChunks(t, b, chunks)
	} else if score, ok := has(iconScore); ok {
		if _, counts, ok := strings.Cut(score, " "); ok {
			is("scenarios", counts)
		} else {
			is("scenarios", "0/"+score)
		}
	} else if ready, ok := has(iconReady); ok {
		_, counts, _ := strings.Cut(ready, " ")
		if got := modeltest.Metric(b, "sections"); !strings.HasPrefix(got, counts) {
			t.Errorf("sections %q, the original shows %q", got, counts)
		}
	} else if n, ok := has(iconUntracked); ok {
		is("untracked changes", n)
	} else if n, ok := has(iconBox); ok {
		if got := modeltest.Metric(b, "inbox"); !strings.Contains(got, n+" found overnight") {
			t.Errorf("inbox %q, the original shows %s findings", got, n)
		}
	} else if part == iconUpgrade {
		if modeltest.Metric(b, "upgraded") == "" {
			t.Error("the upgrade is not in the model")
		}
	} else if next, ok := has(iconNext); ok && b.Status == model.Unknown { // state.json can't be read; the original still gives advice
		if b.Next != nil || modeltest.Metric(b, "next step") != "" {
			t.Errorf("next is %+v where nothing is known", b.Next)
		}
	} else if ok {
		is("next step", next)
		if b.Next == nil || b.Next.Derived && b.Progress.Chunks.Total == 0 && b.Next.Command != next {
			t.Errorf("next is %+v, the original shows %q", b.Next, next)
		}
	}
}

// shownChunks checks the original's output about chunks.
func shownChunks(t *testing.T, b *model.Build, text string) {
	t.Helper()
	_, counts, _ := strings.Cut(text, " ")
	m := ofAll.FindStringSubmatch(counts)
	if m == nil {
		t.Fatalf("no counts in %q", text)
	}
	if m[2] == "" && strings.HasPrefix(modeltest.Metric(b, "chunk progress"), m[1]+"/"+m[4]) {
		return // a count without a list
	}
	if nodes := b.OfKind(model.KindChunk); len(nodes) == 0 {
		t.Errorf("no chunks, and chunk progress %q; the original shows %q", modeltest.Metric(b, "chunk progress"), text)
	}
}

// TestConformanceProjects reads the projects of the rows: each has a build without garbage, whatever its files contain, and the build
// has the content of exact rows.
func TestConformanceProjects(t *testing.T) {
	for _, file := range []string{"fctry_projects.jsonl", "fctry_real.jsonl"} {
		if file == "fctry_real.jsonl" && os.Getenv("GATEHOUSE_CONFORMANCE") == "" {
			continue // no part of this project
		}
		conformance.Rows(t, file, func(t *testing.T, row projectRow) {
			m := mirror.New(row.Write(t), Home)
			readers := Readers(m)
			if len(readers) != 1 {
				t.Fatalf("%d builds", len(readers))
			}
			b := readers[0].Read(now)
			text, err := json.Marshal(b)
			must(t, err)
			for _, bad := range garbage {
				if strings.Contains(string(text), bad) && !strings.Contains(string(row.Files[".fctry/state.json"]), bad) {
					t.Errorf("the model holds %s", bad)
				}
			}
			if p := b.Progress; p.Chunks.Done > p.Chunks.Total || p.Percent < 0 || p.Percent > 100 {
				t.Errorf("progress %+v", p)
			}
			readers[0].Check(now)
			if row.Reproduce != "exact" {
				return
			}
			for i, part := range row.parts() {
				if i == 0 {
					_, version, _ := strings.Cut(strings.TrimPrefix(part, row.Dir), " ")
					if got := modeltest.Metric(b, "version"); version != "" && got != version {
						t.Errorf("version %q, the original shows %q", got, version)
					}
					continue
				}
				shown(t, b, part)
			}
		})
	}
}

// TestConformanceRuns checks that a run's own chunks decide its progress, whatever their shape.
func TestConformanceRuns(t *testing.T) {
	if os.Getenv("GATEHOUSE_CONFORMANCE") == "" {
		t.Skip("the real projects lie outside: set GATEHOUSE_CONFORMANCE to read them")
	}
	conformance.Rows(t, "fctry_real.jsonl", func(t *testing.T, row projectRow) {
		var state struct {
			BuildRun *struct {
				Chunks []struct{ Status string }
				Plan   struct{ Chunks []struct{ Status string } }
			}
		}
		var text string
		if json.Unmarshal(row.Files[".fctry/state.json"], &text) != nil || json.Unmarshal([]byte(text), &state) != nil || state.BuildRun == nil {
			return
		}
		chunks := state.BuildRun.Chunks
		if len(chunks) == 0 {
			chunks = state.BuildRun.Plan.Chunks
		}
		done := 0
		for _, c := range chunks {
			if strings.HasPrefix(c.Status, "completed") {
				done++
			}
		}
		b := Readers(mirror.New(row.Write(t), Home))[0].Read(now)
		if got := b.Progress.Chunks; len(chunks) > 0 && (got.Done != done || got.Total < len(chunks)) {
			t.Errorf("%v, %d of %d are listed", got, done, len(chunks))
		}
	})
}
