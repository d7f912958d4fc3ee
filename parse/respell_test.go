package parse

import (
	"encoding/json"
	"fmt"
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

// respelled are the protocols whose files must mean the same in every spelling.
var respelled = map[string]struct {
	files   func(rng *rand.Rand) map[string]string
	ordered []string // paths of the objects whose members have an order that matters
}{
	"loop":  {randomtest.RandomLoop, []string{"phases", "gates"}},
	"fctry": {randomtest.RandomFctry, nil},
}

// TestRespelledFilesMeanTheSame writes each JSON file of random projects in other ways.
func TestRespelledFilesMeanTheSame(t *testing.T) {
	for protocol, p := range respelled {
		t.Run(protocol, func(t *testing.T) {
			n := 0
			for seed := range agreeing(t) / 2 {
				n += checkRespelled(t, fmt.Sprint("seed ", seed), protocol, p.files(rand.New(rand.NewPCG(uint64(seed), 4))))
			}
			if n == 0 {
				t.Fatal("no file has another spelling")
			}
		})
	}
}

// TestRespelledRowsMeanTheSame does the same for the cases of the conformance rows.
func TestRespelledRowsMeanTheSame(t *testing.T) {
	type row struct {
		State    json.RawMessage
		LoopJSON json.RawMessage `json:"loop_json"`
		Loop     string
	}
	for _, file := range []string{"transitions.jsonl", "resume.jsonl", "validate_state.jsonl"} {
		t.Run(file, func(t *testing.T) {
			n := 0
			conformance.RowsFrom(t, "loop", file, func(t *testing.T, r row) {
				files := map[string]string{"x-state.json": string(r.State)}
				if r.Loop != "" && len(r.LoopJSON) == 0 {
					dir := conformance.Dir()
					if os.Getenv("GATEHOUSE_CONFORMANCE") == "" {
						dir = filepath.Join("loop", dir)
					}
					definition, err := os.ReadFile(filepath.Join(dir, "loops", filepath.FromSlash(r.Loop)))
					must(t, err)
					r.LoopJSON = definition
				}
				if len(r.LoopJSON) > 0 && string(r.LoopJSON) != "null" {
					files["loop.json"] = string(r.LoopJSON)
				}
				if len(r.State) > 0 {
					n += checkRespelled(t, "row", "loop", files)
				}
			})
			if n == 0 {
				t.Fatal("no row has a state")
			}
		})
	}
}

// TestRespelledRealLoopsMeanTheSame does the same for real states.
func TestRespelledRealLoopsMeanTheSame(t *testing.T) {
	templates, err := filepath.Glob(conformance.Outside(t, "..", "real", "loop-state-templates", "*.json"))
	must(t, err)
	n := 0
	for _, file := range templates {
		text, err := os.ReadFile(file)
		must(t, err)
		n += checkRespelled(t, filepath.Base(file), "loop", map[string]string{"x-state.json": string(text)})
	}
	if n == 0 {
		t.Fatal("no file has another spelling")
	}
}

// checkRespelled writes each JSON file of a project in other ways and returns how many: what waits, what is done, progress, the next
// step and the line stay the same. A spelling is either supported, or a problem that leads to the careful answer; JSON has none of the
// second kind.
func checkRespelled(t *testing.T, project, protocol string, files map[string]string) (n int) {
	t.Helper()
	dir := t.TempDir()
	want := answerOf(t, dir, protocol, files)
	for name, text := range files {
		for _, v := range respelltest.JSON(text, respelled[protocol].ordered...) {
			files[name] = v.Text
			if got := answerOf(t, dir, protocol, files); got != want {
				t.Errorf("%s, %s, %s:\n%s\nwant\n%s", project, name, v.Name, got, want)
			}
			n++
		}
		files[name] = text
	}
	return n
}

// answerOf returns what prompt and dashboard say of a project, without sentences and places.
func answerOf(t *testing.T, dir, protocol string, files map[string]string) string {
	t.Helper()
	must(t, os.RemoveAll(dir))
	must(t, randomtest.WriteFiles(dir, files))
	at := time.Date(2026, 1, 2, 0, 0, 0, 0, time.UTC)
	for name := range files { // the newest state comes first
		if !strings.HasSuffix(name, "/") {
			must(t, os.Chtimes(filepath.Join(dir, name), at, at))
		}
	}
	var b strings.Builder
	all, _ := nearest.FindAll(nearest.Place{Dir: dir, Home: dir, Alerts: true})
	for _, found := range all {
		if found.Facts != nil {
			fmt.Fprintf(&b, "%s %s %q\n", found.Protocol, found.Facts.AppendFull(nil), found.Waits)
		}
	}
	p, err := Open(dir, User{Home: dir})
	must(t, err)
	for _, build := range p.Read(at).Builds {
		if build.Protocol != protocol {
			continue
		}
		fmt.Fprintf(&b, "%s %s %s %+v %v\n", build.ID, build.Status, build.Now, build.Progress, build.Can)
		if build.Next != nil {
			fmt.Fprintf(&b, "next %s %s\n", build.Next.Command, build.Next.Node)
		}
		for _, n := range model.Walk(build.Nodes) {
			fmt.Fprintf(&b, "%s %s\n", n.ID, n.Status)
		}
		var waits []string
		for _, w := range build.Waits {
			waits = append(waits, fmt.Sprint(w.Node, w.Evidence, w.Standing.Status))
		}
		slices.Sort(waits)
		fmt.Fprintln(&b, waits, len(build.Blockers), len(build.Divergences))
	}
	return b.String()
}
