package parse

import (
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"gatehouse/model"
	"gatehouse/parse/nearest"
	"gatehouse/parse/randomtest"
	"gatehouse/parse/respelltest"
)

// respelled are the protocols whose files must mean the same in every spelling. order returns the objects of a file whose members
// have an order that matters, "" being the document.
var respelled = []struct {
	protocol string
	files    func(rng *rand.Rand) map[string]string
	order    func(file string, files map[string]string) []string
}{
	{"loop", randomtest.RandomLoop, func(string, map[string]string) []string { return []string{"phases", "gates"} }},
}

// TestRespelledFilesMeanTheSame writes each JSON file of random projects in other ways: what waits, what is done, progress, the next
// step and the line stay the same. A spelling is either supported, or a problem that leads to the careful answer; JSON has none of
// the second kind.
func TestRespelledFilesMeanTheSame(t *testing.T) {
	for _, p := range respelled {
		t.Run(p.protocol, func(t *testing.T) {
			dir, n := t.TempDir(), 0
			for seed := range agreeing(t) / 2 {
				files := p.files(rand.New(rand.NewPCG(uint64(seed), 4)))
				want := ""
				for name, text := range files {
					for _, v := range respelltest.JSON(text, p.order(name, files)...) {
						if want == "" {
							want = answerOf(t, dir, p.protocol, files)
						}
						files[name] = v.Text
						if got := answerOf(t, dir, p.protocol, files); got != want {
							t.Errorf("seed %d, %s, %s:\n%s\nwant\n%s", seed, name, v.Name, got, want)
						}
						n++
					}
					files[name] = text
				}
			}
			if n == 0 {
				t.Fatal("nothing was written in another way")
			}
		})
	}
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
