package parse

import (
	"fmt"
	"hash/fnv"
	"io/fs"
	"maps"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"gatehouse/model"
	"gatehouse/parse/conformance"
	"gatehouse/parse/nearest"
	"gatehouse/parse/randomtest"
	"gatehouse/parse/respelltest"
)

// TestRespelledGSDMeansTheSame writes the frontmatter and the JSON files of GSD's projects in other ways: rows, real projects, and
// random ones.
func TestRespelledGSDMeansTheSame(t *testing.T) {
	most := agreeing(t) / 20 // spellings of a project
	for _, file := range []string{"gsd_trees.jsonl", "gsd_scope.jsonl", "gsd_scope_new.jsonl"} {
		t.Run(file, func(t *testing.T) {
			t.Parallel()
			conformance.RowsFrom(t, "gsd", file, func(t *testing.T, row struct{ Files map[string]string }) {
				checkRespelledGSD(t, row.Files, most)
			})
		})
	}
	t.Run("random", func(t *testing.T) {
		t.Parallel()
		for seed := range agreeing(t) / 8 {
			for i, files := range []func(*rand.Rand) map[string]string{randomtest.RandomGSD, randomtest.RandomCompleteGSD} {
				t.Run(fmt.Sprint(i, "/", seed), func(t *testing.T) { checkRespelledGSD(t, files(rand.New(rand.NewPCG(uint64(seed), 5))), most) })
			}
		}
	})
	t.Run("real", func(t *testing.T) {
		outside := conformance.Outside(t, "..")
		conformance.Rows(t, "gsd_real.jsonl", func(t *testing.T, row struct{ Dir string }) {
			root, files := filepath.Join(outside, row.Dir), map[string]string{}
			must(t, filepath.WalkDir(filepath.Join(root, ".planning"), func(path string, d fs.DirEntry, err error) error {
				if err != nil || !d.Type().IsRegular() {
					return err
				}
				text, err := os.ReadFile(path)
				name, _ := filepath.Rel(root, path)
				files[filepath.ToSlash(name)] = string(text)
				return err
			}))
			checkRespelledGSD(t, files, most)
		})
	})
}

// checkRespelledGSD writes files of a project in other ways, a sample of at most so many. Either the answer stays the same; or a
// problem says so, nothing else is called done and no wait is lost.
func checkRespelledGSD(t *testing.T, files map[string]string, most int) {
	t.Helper()
	dir := t.TempDir()
	must(t, randomtest.WriteFiles(dir, files))
	seed := fnv.New64()
	names := slices.Sorted(maps.Keys(files))
	for _, name := range names {
		fmt.Fprint(seed, name, files[name])
		setTime(t, filepath.Join(dir, name))
	}
	rng := rand.New(rand.NewPCG(seed.Sum64(), 1))
	rng.Shuffle(len(names), func(i, j int) { names[i], names[j] = names[j], names[i] })
	var want *gsdAnswer
	for n, idle := 0, 0; n < most && idle < len(names); {
		name := names[(n+idle)%len(names)]
		all := respellGSD(name, files[name], rng)
		if len(all) == 0 {
			idle++
			continue
		}
		if want == nil {
			want = newGSDAnswer(t, dir)
		}
		v := all[rng.IntN(len(all))]
		n++
		file := filepath.Join(dir, name)
		must(t, os.WriteFile(file, []byte(v.Text), 0o644))
		setTime(t, file)
		if got := newGSDAnswer(t, dir); got.text != want.text {
			careful, free := got, want
			if want.problems[name] {
				careful, free = want, got // the file is better now
			}
			if missing := free.missing(careful, name); missing != "" && !(want.problems[name] && got.problems[name]) {
				t.Errorf("%s, %s: %s\n%s\nwas\n%s\n--- written\n%.3000s", name, v.Name, missing, got.text, want.text, v.Text)
			}
		}
		must(t, os.WriteFile(file, []byte(files[name]), 0o644))
		setTime(t, file)
	}
}

// setTime gives all files one time: nothing follows from times.
func setTime(t *testing.T, file string) {
	at := time.Date(2026, 1, 2, 0, 0, 0, 0, time.UTC)
	must(t, os.Chtimes(file, at, at))
}

// respellGSD returns a file in other spellings: those of a value, or of the whole.
func respellGSD(name, text string, rng *rand.Rand) []respelltest.Variation {
	if strings.HasSuffix(name, ".json") {
		return respelltest.JSON(text)
	}
	if !strings.HasSuffix(name, ".md") || strings.Contains(name, "-phases/") || strings.Contains(text, "\r") { // nobody mends an archive
		return nil
	}
	whole := []respelltest.Variation{{Name: "CRLF", Text: strings.ReplaceAll(text, "\n", "\r\n")}, {Name: "BOM", Text: respelltest.BOM + text}}
	inner, _, ok := strings.Cut(strings.TrimPrefix(text, "---\n"), "\n---\n")
	if !ok || !strings.HasPrefix(text, "---\n") {
		return whole
	}
	paths := append(respelltest.Paths(inner), nil, nil)
	if path := paths[rng.IntN(len(paths))]; path != nil {
		return respelltest.Frontmatter(text, path...)
	}
	return append(whole, respelltest.Frontmatter(text)...)
}

// gsdAnswer is what prompt and dashboard say of a project.
type gsdAnswer struct {
	text     string
	done     []string        // what is called done
	waits    []string        // the phases in which something waits
	problems map[string]bool // by file
}

func newGSDAnswer(t *testing.T, dir string) *gsdAnswer {
	t.Helper()
	a := &gsdAnswer{problems: map[string]bool{}}
	var b strings.Builder
	all, _ := nearest.FindAll(nearest.Place{Dir: dir, Home: dir, Alerts: true})
	for _, found := range all {
		if found.Facts == nil || found.Protocol != "gsd" {
			continue
		}
		text := string(found.Facts.AppendFull(nil))
		fmt.Fprintf(&b, "%s %q %q\n", text, found.Waits, found.Denied)
		if strings.Contains(text, "milestone complete") && found.Denied == "" {
			a.done = append(a.done, "the prompt")
		}
		if found.Waits != "" {
			a.waits = append(a.waits, "the prompt")
		}
	}
	p, err := Open(dir, User{Home: dir})
	must(t, err)
	at := time.Date(2026, 2, 2, 0, 0, 0, 0, time.UTC)
	for _, build := range p.Read(at).Builds {
		if build.Protocol != "gsd" {
			continue
		}
		fmt.Fprintf(&b, "%s %s %s %+v\n%s\n", build.ID, build.Status, build.Now, build.Progress, build.Header.AppendFull(nil))
		if build.Next != nil {
			fmt.Fprintf(&b, "next %s %s\n", build.Next.Command, build.Next.Node)
		}
		if build.Pause != nil {
			fmt.Fprintf(&b, "paused %s\n", build.Pause.Reason)
		}
		if build.Status == model.Done {
			a.done = append(a.done, build.ID)
		}
		for _, n := range model.Walk(build.Nodes) {
			fmt.Fprintf(&b, "%s %s %s\n", n.ID, n.Status, n.Word())
			if n.Status.Closed() {
				a.done = append(a.done, build.ID+" "+n.ID)
			}
		}
		for _, w := range build.Certain() {
			fmt.Fprintf(&b, "waits %s %s %s\n", w.Node, w.Evidence, w.Text)
			place := w.Place
			if w.Evidence == model.Checkpoint {
				place = "STATE.md" // which awaits a human in one place at a time
			}
			a.waits = append(a.waits, build.ID+" "+place)
		}
		fmt.Fprintln(&b, len(build.Blockers), len(build.Divergences), len(build.Expired))
	}
	for _, problem := range p.Check(at) {
		a.problems[problem.File] = true
	}
	a.text = b.String()
	return a
}

// missing says what a careful answer would have that the other has not, "" if it is careful.
func (a *gsdAnswer) missing(other *gsdAnswer, file string) string {
	for _, one := range other.done {
		if !slices.Contains(a.done, one) {
			return one + " is done now"
		}
	}
	for _, one := range a.waits {
		if !slices.Contains(other.waits, one) {
			return "nothing waits any more in " + one
		}
	}
	if !other.problems[file] {
		return "no problem on the file"
	}
	return ""
}
