package gsd

import (
	"encoding/json"
	"fmt"
	"os"
	"path"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"
	"unicode"

	"gatehouse/model"
	"gatehouse/model/line"
	"gatehouse/model/modeltest"
	"gatehouse/parse/conformance"
	"gatehouse/parse/disk/mirror"
	"gatehouse/parse/gsd/core"
	"gatehouse/parse/nearest"
)

// now is the tests' clock.
var now = time.Date(2026, 3, 1, 12, 0, 0, 0, time.UTC)

// treeProgress is the report of GSD's own tool for a tree.
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
			nodes[phaseKey(n.Number)] = n
		}
		for _, want := range row.Roadmap {
			n := nodes[phaseKey(want.Number)]
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

// scopeRow is a tree with the current milestone as GSD's own tool reports it, its actual waits, and other assertions.
type scopeRow struct {
	Files    map[string]string
	Progress struct {
		Phases         []json.RawMessage // in our own rows the names of the phases' directories
		TotalPlans     int               `json:"total_plans"`
		TotalSummaries int               `json:"total_summaries"`
		Percent        *int              // nil if GSD can't name the milestone's phases
	}
	Waits   []scopeWait
	Falsely []scopeWait `json:"false_waits"`
	Current *bool       `json:"handoff_current"`
	Also    map[string]json.RawMessage
}

type scopeWait struct{ Phase, Kind string }

// tree writes the files of a row, all with one time, so that times decide nothing.
func (row *scopeRow) tree(t *testing.T) (dir string) {
	dir = t.TempDir()
	for name, text := range row.Files {
		file := filepath.Join(dir, name)
		write(t, file, text)
		must(t, os.Chtimes(file, now, now))
	}
	return dir
}

// TestConformanceGSDScope compares phases, counts and waits with those of GSD's own tool. In our own rows they follow from its rules.
func TestConformanceGSDScope(t *testing.T) { conformance.Rows(t, "gsd_scope.jsonl", checkScope) }

func TestConformanceGSDScopeNew(t *testing.T) { conformance.Rows(t, "gsd_scope_new.jsonl", checkScope) }

func TestConformanceGSDScopeOwn(t *testing.T) {
	conformance.OwnRows(t, "gsd_scope_own.jsonl", checkScope)
}

func checkScope(t *testing.T, row scopeRow) {
	dir := row.tree(t)
	c := readers(t, dir)[0].read(now)
	var got, want []string
	for _, raw := range row.Progress.Phases {
		var p struct {
			Number, Status   string
			Plans, Summaries int
		}
		name := ""
		if json.Unmarshal(raw, &name) != nil {
			must(t, json.Unmarshal(raw, &p))
			name = fmt.Sprint(p.Number, " ", p.Status, " ", model.Count{Done: p.Summaries, Total: p.Plans})
		}
		want = append(want, name)
	}
	isOurs := len(want) > 0 && row.Progress.Phases[0][0] == '"'
	for _, p := range c.Counted {
		if p.Dir == "" {
			continue // only in the roadmap, which GSD's tool leaves out
		}
		name := path.Base(p.Dir)
		if !isOurs {
			done, total := p.CountPlans()
			name = fmt.Sprint(toolNumber(name), " ", p.Word, " ", model.Count{Done: done, Total: total})
		}
		got = append(got, name)
	}
	slices.Sort(got)
	slices.Sort(want)
	if row.Progress.Phases != nil && !slices.Equal(got, want) {
		t.Errorf("the current milestone has the phases\n%q, want\n%q", got, want)
	}
	plans := c.b.Progress.Plans
	if want := (model.Count{Done: row.Progress.TotalSummaries, Total: row.Progress.TotalPlans}); plans != want {
		t.Errorf("%v plans, want %v", plans, want)
	}
	if want := row.Progress.Percent; want != nil && plans.Round() != *want {
		t.Errorf("%d %% of the plans, want %d %%", plans.Round(), *want)
	}
	row.checkWaits(t, c.b)
	for name, value := range row.Also {
		checkAlso(t, dir, c.b, name, value)
	}
}

// checkAlso checks one assertion of "also".
func checkAlso(t *testing.T, dir string, b *model.Build, name string, value json.RawMessage) {
	t.Helper()
	parse := func(to any) {
		t.Helper()
		must(t, json.Unmarshal(value, to))
	}
	phases := map[string]*model.Node{}
	for _, n := range b.OfKind(model.KindPhase) {
		if number := plainNumber(n.Number); !n.IsArchived() || phases[number] == nil {
			phases[number] = n
		}
	}
	next := ""
	if b.Next != nil {
		command, number, _ := strings.Cut(b.Next.Command, " ")
		next = command + " " + plainNumber(number)
	}
	header, prompt := line.Full(b.Header), ""
	if found, ok := nearest.Find(nearest.Place{Dir: dir, Home: dir, Source: "gsd"}); ok {
		prompt = line.Full(found.Facts)
	}
	switch name {
	case "phase_shown", "phase_hidden":
		var numbers []string
		parse(&numbers)
		for _, number := range numbers {
			if (phases[number] != nil) != (name == "phase_shown") {
				t.Errorf("%s %s: %v", name, number, phases[number])
			}
		}
	case "phase_title", "phase_status":
		var want map[string]any
		parse(&want)
		for number, expected := range want {
			n := phases[number]
			if n == nil {
				t.Errorf("phase %s is not shown", number)
			} else if title, ok := expected.(string); ok && !strings.HasPrefix(n.Title, title) {
				t.Errorf("phase %s is called %q, want %q", number, n.Title, title)
			} else if statuses, ok := expected.([]any); ok && !slices.Contains(statuses, any(n.Status.String())) {
				t.Errorf("phase %s is %s, want one of %v", number, n.Status, statuses)
			}
		}
	case "next_any", "next_not", "status_any", "status_not":
		var values []string
		parse(&values)
		is := next
		if strings.HasPrefix(name, "status") {
			is = b.Status.String()
		}
		if slices.Contains(values, is) != strings.HasSuffix(name, "_any") {
			t.Errorf("%q, %s %q", is, name, values)
		}
	case "paused", "one_set":
		var want bool
		parse(&want)
		if is := b.Pause != nil; name == "paused" && is != want {
			t.Errorf("paused: %v, want %v", is, want)
		}
		if pr := b.Progress; name == "one_set" && (pr.Closed.Total != pr.Phases.Total || pr.Closed.Done > pr.Phases.Done) {
			t.Errorf("%v closed and %v executed", pr.Closed, pr.Phases)
		}
	case "line_not", "prompt", "prompt_not":
		var text string
		var texts []string
		if json.Unmarshal(value, &text) == nil {
			texts = []string{text}
		} else {
			parse(&texts)
		}
		is := prompt
		if name == "line_not" {
			is = header
		}
		for _, text := range texts {
			if name == "prompt" && is != text || name != "prompt" && strings.Contains(is, text) {
				t.Errorf("the line is %q, %s %q", is, name, text)
			}
		}
	default:
		t.Errorf("unknown assertion %q", name)
	}
}

// plainNumber returns a phase number without leading zeros.
func plainNumber(number string) string {
	plain := strings.TrimLeft(number, "0")
	if plain == "" || plain[0] == '.' {
		plain = "0" + plain
	}
	return plain
}

// checkWaits compares the waits of a build with those of the row.
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

// is reports whether this is the listed wait.
func (w scopeWait) is(listed model.Wait) bool {
	kinds := map[string][]model.Evidence{
		"verification": {model.Verified, model.Tested}, "uat": {model.Verified, model.Tested}, "checkpoint": {model.Checkpoint, model.Outstanding},
		"handoff": {model.HandedOff}, "waiting": {model.Signalled},
	}
	if !slices.Contains(kinds[w.Kind], listed.Evidence) {
		return false
	}
	number := func(s string) string { return plainNumber(strings.TrimPrefix(s, "Phase ")) }
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

// toolNumber is a directory's number as GSD's tool prints it: without a letter, or the whole name if it has no number.
func toolNumber(dir string) string {
	if number := leadingNumber.FindString(dir); number != "" {
		return number
	}
	return dir
}

// TestConformanceReal reads real projects. They are never copied, so they exist only if the rows are read from outside the project.
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
		if got := line.Full(b.Claimed); got != row.Line {
			t.Errorf("line %q, want %q", got, row.Line)
		}
		for _, p := range b.Problems {
			if p.Severity == model.Error {
				t.Errorf("a problem that is ours: %s", p)
			}
		}
	})
}

// checkProgress compares the model with the report of GSD's own tool.
func checkProgress(t *testing.T, b *model.Build, want treeProgress) {
	t.Helper()
	var got []*model.Node
	for _, n := range b.OfKind(model.KindPhase) {
		// GSD's tool lists directories; phases that only the roadmap has are added.
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
		if !strings.EqualFold(strings.Join(strings.FieldsFunc(n.Title, isSign), " "), strings.Join(strings.FieldsFunc(w.Name, isSign), " ")) {
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

// agrees reports whether a canonical status fits GSD's words. Executed is never done: it was not verified. With gaps found, it has
// failed.
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
	must(t, os.MkdirAll(filepath.Dir(path), 0o755))
	must(t, os.WriteFile(path, []byte(text), 0o644))
}

var leadingNumber = regexp.MustCompile(`^\d+(\.\d+)*`)

func isSign(r rune) bool { return !unicode.IsLetter(r) && !unicode.IsDigit(r) }

// phaseKey makes phase numbers comparable.
func phaseKey(number string) string {
	id, _, _ := core.ParsePhaseID(number)
	return id.Key
}

func must(t testing.TB, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}
