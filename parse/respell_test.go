package parse

import (
	"encoding/json"
	"fmt"
	"hash/fnv"
	"io/fs"
	"maps"
	"math/rand/v2"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"gatehouse/model"
	"gatehouse/model/line"
	"gatehouse/parse/conformance"
	"gatehouse/parse/formats/core"
	"gatehouse/parse/nearest"
	"gatehouse/parse/randomtest"
	"gatehouse/parse/respelltest"
)

// TestRespelledFilesMeanTheSame rewrites the files of random projects in other spellings.
func TestRespelledFilesMeanTheSame(t *testing.T) {
	for _, p := range append(randomtest.Generators, struct {
		Protocol string
		Files    func(*rand.Rand) map[string]string
	}{"gsd", randomtest.RandomCompleteGSD}) {
		t.Run(p.Protocol, func(t *testing.T) {
			t.Parallel()
			careful, n := 0, 0
			for seed := range agreeing(t) / 8 {
				c, all := checkRespelled(t, p.Protocol, p.Files(rand.New(rand.NewPCG(uint64(seed), 5))))
				careful, n = careful+c, n+all
			}
			if n == 0 || careful > n/2 {
				t.Errorf("%d spellings, %d of them not supported", n, careful)
			}
		})
	}
}

// TestRespelledRowsMeanTheSame does the same for the cases of the conformance rows.
func TestRespelledRowsMeanTheSame(t *testing.T) {
	type row struct {
		Format string
		Files  map[string]string

		State    json.RawMessage // of a loop, with its definition or the definition's path
		LoopJSON json.RawMessage `json:"loop_json"`
		Loop     string
	}
	for _, file := range []string{
		"loop/transitions.jsonl", "loop/resume.jsonl", "loop/validate_state.jsonl",
		"gsd/gsd_trees.jsonl", "gsd/gsd_scope.jsonl", "gsd/gsd_scope_new.jsonl", "formats/formats.jsonl",
	} {
		t.Run(file, func(t *testing.T) {
			t.Parallel()
			protocol, name, n := filepath.Dir(file), filepath.Base(file), 0
			conformance.RowsFrom(t, protocol, name, func(t *testing.T, r row) {
				files := r.Files
				if protocol == "loop" && len(r.State) > 0 {
					files = map[string]string{"x-state.json": string(r.State)}
					if r.Loop != "" && len(r.LoopJSON) == 0 {
						r.LoopJSON = readLoopDefinition(t, r.Loop)
					}
					if len(r.LoopJSON) > 0 && string(r.LoopJSON) != "null" {
						files["loop.json"] = string(r.LoopJSON)
					}
				}
				of := protocol
				if r.Format != "" {
					of = r.Format
				}
				_, all := checkRespelled(t, of, files)
				n += all
			})
			if n == 0 {
				t.Fatal("no file has another spelling")
			}
		})
	}
}

// readLoopDefinition reads a definition that a row names.
func readLoopDefinition(t *testing.T, name string) []byte {
	definition, err := os.ReadFile(filepath.Join(conformance.DirFrom("loop"), "loops", filepath.FromSlash(name)))
	must(t, err)
	return definition
}

// TestRespelledRealProjectsMeanTheSame does the same for real state files.
func TestRespelledRealProjectsMeanTheSame(t *testing.T) {
	outside := conformance.Outside(t, "..")
	templates, err := filepath.Glob(filepath.Join(outside, "real", "loop-state-templates", "*.json"))
	must(t, err)
	n := 0
	for _, file := range templates {
		text, err := os.ReadFile(file)
		must(t, err)
		_, all := checkRespelled(t, "loop", map[string]string{"x-state.json": string(text)})
		n += all
	}
	if n == 0 {
		t.Fatal("no file has another spelling")
	}
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
		checkRespelled(t, "gsd", files)
	})
}

// TestUnsupportedSpellingIsCareful checks spellings that were once misread.
func TestUnsupportedSpellingIsCareful(t *testing.T) {
	conformance.OwnRows(t, "unsupportedspellingiscareful.jsonl", func(t *testing.T, c struct {
		Protocol, File, Old, New string
		Files                    map[string]string
	}) {
		dir := t.TempDir()
		must(t, randomtest.WriteFiles(dir, c.Files))
		want := answerOf(t, dir, c.Protocol)
		put(t, dir, c.File, strings.Replace(c.Files[c.File], c.Old, c.New, 1))
		if got := answerOf(t, dir, c.Protocol); got.text == want.text || want.differs(got, c.File) != "" {
			t.Errorf("%s: %s\n%s\nwas\n%s", c.File, want.differs(got, c.File), got.text, want.text)
		}
	})
}

// spellings returns how many other spellings of a project are tried: a sample of all.
func spellings(t *testing.T) int { return max(1, agreeing(t)/20) }

// checkRespelled rewrites files of a project in other spellings, one at a time, and returns how many spellings it tried and how many of
// them are unsupported. Either the answer stays the same, or a problem names the file, nothing more counts as done and all waits
// remain. JSON of loops and of fctry is supported in every spelling.
func checkRespelled(t *testing.T, protocol string, files map[string]string) (careful, n int) {
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
	write := func(name, text string) {
		file := filepath.Join(dir, name)
		must(t, os.WriteFile(file, []byte(text), 0o644))
		setTime(t, file)
	}
	var want *answer
	for idle := 0; n < spellings(t) && idle < len(names); {
		name := names[(n+idle)%len(names)]
		all := respell(protocol, name, files[name], rng)
		if len(all) == 0 {
			idle++
			continue
		}
		if want == nil {
			want = answerOf(t, dir, protocol)
		}
		v := all[rng.IntN(len(all))]
		n++
		write(name, v.Text)
		if got := answerOf(t, dir, protocol); got.text != want.text {
			careful++
			if why := want.differs(got, name); why != "" || protocol == "loop" || protocol == "fctry" {
				t.Errorf("%s, %s: %s\n%s\nwas\n%s\n--- written\n%.3000s", name, v.Name, why, got.text, want.text, v.Text)
			}
		}
		write(name, files[name])
	}
	return careful, n
}

// setTime gives all files the same time, so that times decide nothing.
func setTime(t *testing.T, file string) {
	at := time.Date(2026, 1, 2, 0, 0, 0, 0, time.UTC)
	must(t, os.Chtimes(file, at, at))
}

// orderedObjects are the paths of the objects whose members have a significant order.
var orderedObjects = map[string][]string{"loop": {"phases", "gates"}, "kiro": {"", "step_results"}, "taskmaster": {"", "step_results"}}

// commentLine is a line of YAML that is a comment.
var commentLine = regexp.MustCompile(`(?m)^[ \t]*#.*\n`)

// respell returns a file in other spellings, of the whole file or of one of its values. Archived files have none: a problem in one
// would not be reported.
func respell(protocol, name, text string, rng *rand.Rand) []respelltest.Variation {
	switch isFormat := isFormat(protocol); {
	case strings.HasSuffix(name, ".json"):
		return respelltest.JSON(text, orderedObjects[protocol]...)
	case strings.HasSuffix(name, ".yaml") && isFormat && commentLine.MatchString(text), strings.HasSuffix(name, "/"):
		return nil // the other spellings have no comments, which may hold titles
	case strings.HasSuffix(name, ".yaml"):
		return respelltest.YAML(text, randomPath(text, rng)...)
	case strings.Contains(name, "-phases/") || strings.Contains(text, "\r"):
		return nil
	case protocol == "ultraplan" && strings.HasSuffix(name, "STATE.md"):
		return gateVariations(text, rng)
	case protocol == "ultraplan" && strings.HasSuffix(name, "-PLAN.md"):
		return respelltest.Frontmatter(text)
	case isFormat && strings.HasSuffix(name, "tasks.md"):
		bullets := strings.NewReplacer("\n- [", "\n* [", "\n  - [", "\n  + [").Replace("\n" + text)[1:]
		blanks := strings.NewReplacer("[x] ", "[X]  ", "\n", " \n").Replace(text)
		return append(wholeFile(text), respelltest.Variation{Name: "bullets", Text: bullets}, respelltest.Variation{Name: "blanks", Text: blanks})
	case protocol != "gsd" || !strings.HasSuffix(name, ".md"):
		return nil
	}
	if inner, _, ok := strings.Cut(strings.TrimPrefix(text, "---\n"), "\n---\n"); ok && strings.HasPrefix(text, "---\n") {
		if path := randomPath(inner, rng); path != nil {
			return respelltest.Frontmatter(text, path...)
		}
	}
	return append(wholeFile(text), respelltest.Frontmatter(text)...)
}

// wholeFile returns the spellings that any text file may have.
func wholeFile(text string) []respelltest.Variation {
	return []respelltest.Variation{{Name: "CRLF", Text: strings.ReplaceAll(text, "\n", "\r\n")}, {Name: "BOM", Text: respelltest.BOM + text}}
}

// isFormat reports whether a protocol is one of the read-only formats.
func isFormat(protocol string) bool {
	return slices.ContainsFunc(core.Formats, func(f core.Format) bool { return f.Name == protocol })
}

// randomPath returns the path of a value in YAML, or nil for the whole.
func randomPath(text string, rng *rand.Rand) []string {
	paths := append(respelltest.Paths(text), nil, nil)
	return paths[rng.IntN(len(paths))]
}

// gateVariations returns variations of the block current_task of a STATE.md.
func gateVariations(text string, rng *rand.Rand) (all []respelltest.Variation) {
	const head = "current_task:\n"
	at := strings.Index(text, "\n"+head) + 1
	if at == 0 {
		return nil
	}
	end := at + len(head)
	for end < len(text) && strings.HasPrefix(text[end:], "  ") {
		end += strings.IndexByte(text[end:], '\n') + 1
	}
	block := text[at:end]
	for _, v := range respelltest.YAML(block, randomPath(block, rng)...) {
		if v.Name != "BOM" && !strings.HasPrefix(v.Text, respelltest.AnchoredKey) {
			all = append(all, respelltest.Variation{Name: v.Name, Text: text[:at] + strings.TrimSuffix(v.Text, "\n") + "\n" + text[end:]})
		}
	}
	return all
}

// answer is the result of prompt and dashboard for a project, without places in files.
type answer struct {
	text     string
	done     []string        // all nodes that count as done
	waits    []string        // the places of the waits
	problems map[string]bool // by file
}

// answerOf reads a project.
func answerOf(t *testing.T, dir, protocol string) *answer {
	t.Helper()
	a := &answer{problems: map[string]bool{}}
	var b strings.Builder
	all, _ := nearest.FindAll(nearest.Place{Dir: dir, Home: dir, Alerts: true})
	for _, found := range all {
		if found.Facts == nil || found.Protocol != protocol {
			continue
		}
		text := line.Full(found.Facts)
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
		if build.Protocol == protocol {
			a.add(&b, build)
		}
	}
	for _, problem := range p.Check(at) {
		a.problems[filepath.ToSlash(problem.File)] = true
	}
	a.text = b.String()
	return a
}

// add adds a build.
func (a *answer) add(b *strings.Builder, build *model.Build) {
	isFormat := isFormat(build.Protocol) // only their titles are simple values
	fmt.Fprintf(b, "%s %q %s %s %+v %v\n", build.ID, build.Title, build.Status, build.Now, build.Progress, build.Can)
	fmt.Fprintf(b, "%s\n", line.Full(build.Header))
	if build.Next != nil {
		fmt.Fprintf(b, "next %s %s\n", build.Next.Command, build.Next.Node)
	}
	if build.Pause != nil {
		fmt.Fprintf(b, "paused %s\n", build.Pause.Reason)
	}
	if build.Status == model.Done {
		a.done = append(a.done, build.ID)
	}
	for _, n := range model.Walk(build.Nodes) {
		fmt.Fprintf(b, "%s %s %s %v\n", n.ID, n.Status, n.Word(), n.Count)
		if isFormat {
			fmt.Fprintf(b, "%q\n", n.Title)
		}
		if n.Status.Closed() {
			a.done = append(a.done, build.ID+" "+n.ID)
		}
	}
	var waits []string // their order depends on the times of files
	for _, w := range build.Waits {
		waits = append(waits, fmt.Sprintf("waits %s %s %v %s", w.Node, w.Evidence, w.Standing.Status, w.Text))
	}
	slices.Sort(waits)
	fmt.Fprintf(b, "%s\n%d %d %d\n", strings.Join(waits, "\n"), len(build.Blockers), len(build.Divergences), len(build.Expired))
	for _, w := range build.Certain() {
		place := build.ID
		if w.Evidence == model.Checkpoint {
			place += " STATE.md" // it waits for a human in one place at a time
		} else if build.Protocol == "gsd" { // an unreadable file may wait in place of its gates
			place += " " + w.Place
		}
		a.waits = append(a.waits, place)
	}
}

// differs says why the answer for another spelling of a file is wrong, "" if one of the two is a careful answer to a file with a
// problem.
func (a *answer) differs(other *answer, file string) string {
	switch {
	case a.problems[file] && other.problems[file]:
		return ""
	case a.problems[file]: // the file is readable now
		return other.missing(a, file)
	}
	return a.missing(other, file)
}

// missing says what another answer reports less carefully than this one, "" if nothing.
func (a *answer) missing(careful *answer, file string) string {
	for _, one := range careful.done {
		if !slices.Contains(a.done, one) {
			return one + " is done now"
		}
	}
	for _, one := range a.waits {
		if !slices.Contains(careful.waits, one) {
			return "nothing waits any more in " + one
		}
	}
	if !careful.problems[file] {
		return "no problem on the file"
	}
	return ""
}
