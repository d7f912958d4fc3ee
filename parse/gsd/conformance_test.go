package gsd

import (
	"fmt"
	"os"
	"path"
	"path/filepath"
	"slices"
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

// treeProgress is what GSD's own tool reports for a tree.
type treeProgress struct {
	Phases []struct {
		Number    string
		Name      string
		Plans     int
		Summaries int
		Status    string
	}
	TotalPlans     int `json:"total_plans"`
	TotalSummaries int `json:"total_summaries"`
	Percent        int
}

func TestConformanceTrees(t *testing.T) {
	type row struct {
		Files    map[string]string
		Progress treeProgress
		Roadmap  []struct {
			Number   string
			Name     string
			Complete bool `json:"roadmap_complete"`
		}
	}
	conformance.Rows(t, "gsd_trees.jsonl", func(t *testing.T, row row) {
		dir := t.TempDir()
		for name, text := range row.Files {
			write(t, filepath.Join(dir, name), text)
		}
		b := readOne(t, dir)
		checkProgress(t, b, row.Progress)

		nodes := map[string]*model.Node{}
		for _, n := range b.OfKind(model.KindPhase) {
			id, _, _ := parsePhaseID(n.Number)
			nodes[id.key] = n
		}
		for _, want := range row.Roadmap {
			id, _, _ := parsePhaseID(want.Number)
			n := nodes[id.key]
			if n == nil {
				t.Errorf("phase %s of the roadmap is not shown", want.Number)
				continue
			}
			if n.Title != want.Name && modeltest.Fact(n, "in the roadmap") != want.Name {
				t.Errorf("phase %s of the roadmap is called %q, want %q", want.Number, n.Title, want.Name)
			}
			word := "not checked off"
			if want.Complete {
				word = "checked off"
			}
			if got := modeltest.Fact(n, "roadmap"); got != word {
				t.Errorf("phase %s is %q in the roadmap, want %q", want.Number, got, word)
			}
		}
	})
}

// scopeRow is a tree with what GSD's own tool says of the current milestone, and what truly waits in it.
type scopeRow struct {
	Files    map[string]string
	Progress treeProgress
	Waits    []scopeWait
	Falsely  []scopeWait `json:"false_waits"`
	Current  *bool       `json:"handoff_current"`
}

type scopeWait struct{ Phase, Kind string }

// tree writes the files of a row, all with one time: nothing follows from times.
func (row *scopeRow) tree(t *testing.T) (dir string) {
	dir = t.TempDir()
	for name, text := range row.Files {
		file := filepath.Join(dir, name)
		write(t, file, text)
		if err := os.Chtimes(file, now, now); err != nil {
			t.Fatal(err)
		}
	}
	return dir
}

// TestConformanceGSDScope holds the phases that count, and the counts, to GSD's own.
func TestConformanceGSDScope(t *testing.T) {
	conformance.Rows(t, "gsd_scope.jsonl", func(t *testing.T, row scopeRow) {
		c := readers(t, row.tree(t))[0].read(now)
		type counted struct {
			number, word string
			plans        model.Count
		}
		var got, want []counted
		for _, p := range c.counted {
			if p.dir == "" {
				continue // stands in the roadmap only, which GSD's tool leaves out
			}
			plans, done := p.live()
			got = append(got, counted{toolNumber(path.Base(p.dir)), p.word, model.Count{Done: done, Total: len(plans)}})
		}
		for _, p := range row.Progress.Phases {
			want = append(want, counted{p.Number, p.Status, model.Count{Done: p.Summaries, Total: p.Plans}})
		}
		order := func(a, b counted) int { return strings.Compare(fmt.Sprint(a), fmt.Sprint(b)) }
		slices.SortFunc(got, order)
		slices.SortFunc(want, order)
		if !slices.Equal(got, want) {
			t.Errorf("the current milestone has the phases\n%v, want\n%v", got, want)
		}
		plans := c.b.Progress.Plans
		if plans != (model.Count{Done: row.Progress.TotalSummaries, Total: row.Progress.TotalPlans}) || plans.Round() != row.Progress.Percent {
			t.Errorf("%v plans, %d %%, want %d of %d, %d %%", plans, plans.Round(), row.Progress.TotalSummaries, row.Progress.TotalPlans, row.Progress.Percent)
		}
	})
}

// TestConformanceGSDScopeWaits holds what waits to what truly does.
func TestConformanceGSDScopeWaits(t *testing.T) {
	conformance.Rows(t, "gsd_scope.jsonl", func(t *testing.T, row scopeRow) {
		row.checkWaits(t, readers(t, row.tree(t))[0].Read(now))
	})
}

// TestConformanceGSDScopeOwn holds counts and waits in forms that no other row has. Their values follow from the rules of
// GSD; phases are named by their directories.
func TestConformanceGSDScopeOwn(t *testing.T) {
	type ownRow struct {
		scopeRow
		Progress struct {
			Phases         []string
			TotalPlans     int `json:"total_plans"`
			TotalSummaries int `json:"total_summaries"`
			Percent        int
		}
	}
	conformance.OwnRows(t, "gsd_scope_own.jsonl", func(t *testing.T, row ownRow) {
		c := readers(t, row.tree(t))[0].read(now)
		var dirs []string
		for _, p := range c.counted {
			if p.dir != "" {
				dirs = append(dirs, path.Base(p.dir))
			}
		}
		slices.Sort(dirs)
		if want := row.Progress; want.Phases != nil && !slices.Equal(dirs, want.Phases) {
			t.Errorf("%q count, want %q", dirs, want.Phases)
		}
		plans := c.b.Progress.Plans
		if want := (model.Count{Done: row.Progress.TotalSummaries, Total: row.Progress.TotalPlans}); plans != want || plans.Round() != row.Progress.Percent {
			t.Errorf("%v plans, %d %%, want %v, %d %%", plans, plans.Round(), want, row.Progress.Percent)
		}
		row.checkWaits(t, c.b)
	})
}

// checkWaits holds what waits in a build to what the row says.
func (row *scopeRow) checkWaits(t *testing.T, b *model.Build) {
	t.Helper()
	for _, w := range row.Waits {
		if !slices.ContainsFunc(b.Certain(), w.is) {
			t.Errorf("%+v is not listed among %s", w, waitTexts(b.Certain()))
		}
	}
	for _, w := range row.Falsely {
		if i := slices.IndexFunc(b.Certain(), w.is); i >= 0 {
			t.Errorf("%+v is listed: %s", w, waitTexts(b.Certain()[i:i+1]))
		}
	}
	if row.Current != nil {
		left := b.Pause != nil && (strings.HasSuffix(b.Pause.Source.File, "HANDOFF.json") || strings.Contains(b.Pause.Source.File, ".continue-here"))
		if left != *row.Current {
			t.Errorf("a hand-over is current: %v, want %v (%+v)", left, *row.Current, b.Pause)
		}
	}
}

// is reports whether a wait that is listed is this one.
func (w scopeWait) is(listed model.Wait) bool {
	kinds := map[string][]model.Evidence{
		"verification": {model.Verified, model.Tested}, "uat": {model.Verified, model.Tested}, "checkpoint": {model.Checkpoint, model.Outstanding},
		"handoff": {model.HandedOff}, "waiting": {model.Signalled},
	}
	if !slices.Contains(kinds[w.Kind], listed.Evidence) {
		return false
	}
	number := func(s string) string { return trimZeros(strings.TrimPrefix(s, "Phase ")) }
	anywhere := (w.Kind == "handoff" || w.Kind == "waiting") && listed.Place == "" || w.Phase == ""
	return anywhere || number(listed.Place) == number(w.Phase)
}

func waitTexts(waits []model.Wait) string {
	s := ""
	for _, w := range waits {
		s += fmt.Sprintf("\n  %s: %s (%s, %s)", w.Place, w.Text, w.Evidence, w.Source)
	}
	return s
}

// toolNumber is a directory's number as GSD's tool prints it: without a letter, and the whole name where there is none.
func toolNumber(dir string) string {
	n := digits(dir)
	if n == 0 {
		return dir
	}
	for n+1 < len(dir) && dir[n] == '.' && isDigit(dir[n+1]) {
		n += 1 + digits(dir[n+1:])
	}
	return dir[:n]
}

// TestConformanceReal reads real projects. They are never copied, so they are
// there only where the rows are read from outside the project.
func TestConformanceReal(t *testing.T) {
	outside := conformance.Outside(t, "..")
	type row struct {
		Dir      string
		Line     string
		Progress treeProgress
	}
	conformance.Rows(t, "gsd_real.jsonl", func(t *testing.T, row row) {
		b := readOne(t, filepath.Join(outside, row.Dir))
		checkProgress(t, b, row.Progress)
		if got := string(b.Claimed.AppendFull(nil)); got != row.Line {
			t.Errorf("line %q, want %q", got, row.Line)
		}
		for _, p := range b.Problems {
			if p.Severity == model.Error {
				t.Errorf("a problem that is ours: %s", p)
			}
		}
	})
}

// checkProgress holds the model against what GSD's own tool reports.
func checkProgress(t *testing.T, b *model.Build, want treeProgress) {
	t.Helper()
	var got []*model.Node
	for _, n := range b.OfKind(model.KindPhase) {
		// GSD's tool lists directories; what only the roadmap knows comes on top.
		if !strings.HasSuffix(n.Source.File, "ROADMAP.md") {
			got = append(got, n)
		}
	}
	byNumber := map[string]*model.Node{}
	for _, n := range got {
		byNumber[n.Number] = n
	}
	if len(got) != len(want.Phases) {
		t.Errorf("%d phases, want %d", len(got), len(want.Phases))
	}
	for _, w := range want.Phases {
		n := byNumber[w.Number]
		if n == nil {
			t.Errorf("no phase %s", w.Number)
			continue
		}
		if slug(n.Title) != slug(w.Name) {
			t.Errorf("phase %s is called %q, want %q", w.Number, n.Title, w.Name)
		}
		if n.Count != (model.Count{Done: w.Summaries, Total: w.Plans}) {
			t.Errorf("phase %s has %+v plans, want %d of %d", w.Number, n.Count, w.Summaries, w.Plans)
		}
		if n.Raw != w.Status {
			t.Errorf("phase %s is %q, want %q", w.Number, n.Raw, w.Status)
		}
		if !agrees(n.Status, w.Status) {
			t.Errorf("phase %s is %s, which does not agree with %q", w.Number, n.Status, w.Status)
		}
	}
	plans := b.Progress.Plans
	if plans != (model.Count{Done: want.TotalSummaries, Total: want.TotalPlans}) {
		t.Errorf("%+v plans, want %d of %d", plans, want.TotalSummaries, want.TotalPlans)
	}
	if plans.Round() != want.Percent {
		t.Errorf("%d %% of the plans, want %d %%", plans.Round(), want.Percent)
	}
	if b.Progress.Known && b.Progress.Percent > want.Percent {
		t.Errorf("the headline says %d %%, more than the share of plans, %d %%", b.Progress.Percent, want.Percent)
	}
}

// agrees says which canonical statuses fit GSD's words. Executed is never done:
// nobody has verified it; with gaps found it has failed.
func agrees(s model.Status, word string) bool {
	switch word {
	case "Pending", "Planned":
		return s == model.Pending
	case "In Progress":
		return s == model.Active || s == model.Blocked
	case "Executed":
		return s == model.Executed || s == model.Failed
	case "Needs Review":
		return s == model.Waiting
	case "Complete":
		return s == model.Done
	}
	return false
}

// readOne reads the only GSD build of a project.
func readOne(t *testing.T, dir string) *model.Build {
	t.Helper()
	readers := readers(t, dir)
	if len(readers) != 1 {
		t.Fatalf("%d GSD builds in %s, want 1", len(readers), dir)
	}
	return readers[0].Read(now)
}

func readers(t *testing.T, dir string) []*Reader {
	t.Helper()
	readers := Readers(mirror.New(dir, Planning))
	if len(readers) == 0 {
		t.Fatalf("no GSD build in %s", dir)
	}
	return readers
}

func write(t *testing.T, path, text string) {
	t.Helper()
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
		t.Fatal(err)
	}
}
