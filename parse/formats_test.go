package parse

import (
	"encoding/json"
	"fmt"
	"maps"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"gatehouse/model"
	"gatehouse/model/line"
	"gatehouse/parse/conformance"
	"gatehouse/parse/formats/core"
	"gatehouse/parse/nearest"
	"gatehouse/parse/randomtest"
)

// formatRow is a project of a format and its expected display.
type formatRow struct {
	ID, Format string
	Files      map[string]string
	Expect     struct {
		Builds []struct {
			Title         *string
			Current, Next *string
			Progress      *model.Count
			Phases        []struct {
				ID, Title   *string
				Done, Total int
				Status      string
			}
		}
		Waits []struct {
			TextContains string `json:"text_contains"`
			Place        string
		}
	}
}

// formatStatuses maps the status words of rows to statuses.
var formatStatuses = map[string][]model.Status{
	"done": {model.Done, model.Skipped}, "running": {model.Active, model.Retrying, model.Waiting, model.Executed},
	"pending": {model.Pending, model.Unknown}, "blocked": {model.Blocked, model.Failed, model.Waiting},
}

// readFormat returns the builds of a format in a project with these files.
func readFormat(t *testing.T, dir, format string, files map[string]string) (builds []*model.Build) {
	t.Helper()
	must(t, randomtest.WriteFiles(dir, files))
	project, err := Open(dir, User{Home: filepath.Dir(dir)})
	must(t, err)
	read := project.Read(time.Now())
	for _, p := range read.Problems {
		t.Error(p)
	}
	for _, b := range read.Builds {
		if b.Protocol == format {
			builds = append(builds, b)
		}
	}
	return builds
}

func jsonOf(t *testing.T, v any) string {
	t.Helper()
	data, err := json.Marshal(v)
	must(t, err)
	return string(data)
}

// hasFold reports whether a text contains a part that a row names, in any case.
func hasFold(text string, part *string) bool {
	return part == nil || strings.Contains(strings.ToLower(text), strings.ToLower(*part))
}

func TestFormatRows(t *testing.T) {
	conformance.RowsFrom(t, "formats", "formats.jsonl", func(t *testing.T, r formatRow) {
		dir := t.TempDir()
		builds := readFormat(t, dir, r.Format, r.Files)
		if len(builds) != len(r.Expect.Builds) {
			t.Fatalf("%d builds, want %d", len(builds), len(r.Expect.Builds))
		}
		found, _ := nearest.Find(nearest.Place{Dir: dir, Home: filepath.Dir(dir), Source: r.Format})
		for _, b := range builds {
			if b.Selected && line.Shown(found.Facts, false) != line.Shown(b.Header, false) {
				t.Errorf("the prompt shows %q, the dashboard %q", line.Shown(found.Facts, false), line.Shown(b.Header, false))
			}
		}
		var waits []model.Wait
		for i, want := range r.Expect.Builds {
			b := builds[i]
			waits = append(waits, b.Certain()...)
			whole := *b
			whole.Nodes = nil
			if !hasFold(jsonOf(t, whole), want.Title) {
				t.Errorf("title %q, want %q", b.Title, *want.Title)
			}
			if !hasFold(jsonOf(t, whole), want.Next) || !hasFold(jsonOf(t, b), want.Current) {
				t.Errorf("next %+v, now %q", b.Next, b.Now)
			}
			if want.Progress != nil && b.Progress.Tasks != *want.Progress {
				t.Errorf("progress %v, want %v", b.Progress.Tasks, *want.Progress)
			}
			phases := b.OfKind(model.KindPhase)
			if len(phases) != len(want.Phases) {
				t.Fatalf("%d phases, want %d", len(phases), len(want.Phases))
			}
			for j, w := range want.Phases {
				p := phases[j]
				if got := (model.Count{Done: w.Done, Total: w.Total}); p.Progress.Tasks != got || !slices.Contains(formatStatuses[w.Status], p.Status) {
					t.Errorf("phase %s: %v, %v; want %v, %s", p.Name(), p.Progress.Tasks, p.Status, got, w.Status)
				}
				if !hasFold(p.ID+" "+p.Number+" "+p.Title, w.ID) || !hasFold(p.Title, w.Title) {
					t.Errorf("phase %q %q", p.Number, p.Title)
				}
			}
		}
		if len(waits) != len(r.Expect.Waits) {
			t.Errorf("%d waits, want %d: %+v", len(waits), len(r.Expect.Waits), waits)
		}
		for _, want := range r.Expect.Waits {
			if !slices.ContainsFunc(waits, func(w model.Wait) bool {
				return hasFold(w.Text, &want.TextContains) && (hasFold(jsonOf(t, w), &want.Place) || slices.ContainsFunc(builds, func(b *model.Build) bool { return strings.HasSuffix(b.ID, ":"+want.Place) }))
			}) {
				t.Errorf("no wait %q at %s: %+v", want.TextContains, want.Place, waits)
			}
		}
	})
}

// formatMutation changes a text. If it only removes or damages, nothing more may count as done afterwards.
type formatMutation struct {
	name  string
	harms bool
	apply func(rng *rand.Rand, text string) string
}

var formatMutations = []formatMutation{
	{"a line is gone", false, func(rng *rand.Rand, text string) string {
		lines := strings.SplitAfter(text, "\n")
		i := pick(rng, lines)
		return strings.Join(slices.Delete(lines, i, i+1), "")
	}},
	{"the end is missing", false, func(rng *rand.Rand, text string) string { return text[:rng.IntN(len(text)+1)] }},
	{"a byte is another", false, func(rng *rand.Rand, text string) string {
		i := rng.IntN(len(text))
		return text[:i] + string([]byte{byte(rng.IntN(256))}) + text[i+1:]
	}},
	{"a status is unknown", true, func(rng *rand.Rand, text string) string {
		return replaceOne(rng, text, []string{"done", "completed", "in-progress", "pending", "review"}, "zzz")
	}},
	{"a box has another mark", true, func(rng *rand.Rand, text string) string {
		return replaceOne(rng, text, []string{"[x]", "[X]", "[ ]"}, []string{"[?]", "[!]", "[]", "[~]", "[ ]"}[rng.IntN(5)])
	}},
	{"a fence is opened", true, func(rng *rand.Rand, text string) string {
		lines := strings.SplitAfter(text, "\n")
		i := pick(rng, lines)
		return strings.Join(lines[:i], "") + "```\n" + strings.Join(lines[i:], "")
	}},
	{"a comment is opened", true, func(rng *rand.Rand, text string) string {
		lines := strings.SplitAfter(text, "\n")
		i := pick(rng, lines)
		return strings.Join(lines[:i], "") + "<!-- \n" + strings.Join(lines[i:], "")
	}},
	{"the file is empty", true, func(*rand.Rand, string) string { return "" }},
	{"it is binary", true, func(rng *rand.Rand, text string) string { return text[:len(text)/2] + "\x00\xff" + text[len(text)/2:] }},
}

func pick(rng *rand.Rand, lines []string) int { return rng.IntN(len(lines)) }

// replaceOne replaces one occurrence of one of the words.
func replaceOne(rng *rand.Rand, text string, words []string, by string) string {
	word := words[rng.IntN(len(words))]
	n := strings.Count(text, word)
	if n == 0 {
		return text
	}
	at := -1
	for range rng.IntN(n) + 1 {
		at += 1 + strings.Index(text[at+1:], word)
	}
	return text[:at] + by + text[at+len(word):]
}

// TestMutatedFormats damages the files of the rows: nothing panics, prompt and dashboard agree, and a build that only lost something is
// not complete unless it was before.
func TestMutatedFormats(t *testing.T) {
	var rows []formatRow
	conformance.RowsFrom(t, "formats", "formats.jsonl", func(_ *testing.T, r formatRow) { rows = append(rows, r) })
	for _, format := range core.Formats {
		t.Run(format.Name, func(t *testing.T) {
			t.Parallel()
			of := slices.DeleteFunc(slices.Clone(rows), func(r formatRow) bool { return r.Format != format.Name || len(r.Expect.Builds) == 0 })
			intact := make([][]*model.Build, len(of))
			for i, r := range of {
				intact[i] = readFormat(t, filepath.Join(t.TempDir(), "p"), r.Format, r.Files)
			}
			rng, top := rand.New(rand.NewPCG(1, 2)), t.TempDir()
			for n := range agreeing(t) / 2 {
				i := rng.IntN(len(of))
				r := of[i]
				names := slices.Sorted(maps.Keys(r.Files))
				names = slices.DeleteFunc(names, func(name string) bool { return r.Files[name] == "" })
				name, m := names[rng.IntN(len(names))], formatMutations[rng.IntN(len(formatMutations))]
				files := maps.Clone(r.Files)
				files[name] = m.apply(rng, files[name])
				dir := filepath.Join(top, strconv.Itoa(n), "p")
				checkMutated(t, fmt.Sprintf("%s, %s: %s", r.ID, name, m.name), dir, r.Format, intact[i], files, m.harms)
				must(t, os.RemoveAll(dir))
			}
		})
	}
}

// checkMutated writes damaged files of a project and compares the answer with the builds before the damage.
func checkMutated(t *testing.T, what, dir, format string, before []*model.Build, files map[string]string, harms bool) {
	t.Helper()
	after := readFormat(t, dir, format, files)
	for _, b := range after {
		i := slices.IndexFunc(before, func(old *model.Build) bool { return old.ID == b.ID })
		if i < 0 || !harms {
			continue
		}
		if old := before[i]; b.Status == model.Done && old.Status != model.Done || b.Progress.Tasks.Done > old.Progress.Tasks.Done {
			t.Errorf("%s: %s was %v with %v and is %v with %v\n%s", what, b.ID, old.Status, old.Progress.Tasks, b.Status, b.Progress.Tasks, contents(files))
		}
	}
	found, ok := nearest.Find(nearest.Place{Dir: dir, Home: filepath.Dir(dir), Source: format, Alerts: true})
	if ok != (len(after) > 0) {
		t.Errorf("%s: the prompt finds %v, the dashboard %d builds", what, ok, len(after))
	}
	if !ok {
		return
	}
	text := line.Shown(found.Facts, false)
	if !slices.ContainsFunc(after, func(b *model.Build) bool {
		return line.Shown(b.Header, false) == text && (found.Waits == "" || slices.ContainsFunc(b.Waits, func(w model.Wait) bool { return w.Text == line.Tidy(found.Waits) }))
	}) {
		t.Errorf("%s: the prompt shows %q (%s), which no build has\n%s", what, text, found.Waits, contents(files))
	}
}
