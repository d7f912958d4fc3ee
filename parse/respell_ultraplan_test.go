package parse

import (
	"fmt"
	"maps"
	"math/rand/v2"
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

// TestRespelledUltraplanMeansTheSame writes the logs, the gate of the task at work, the frontmatter of plans and the JSON files of random
// projects in other ways. The answer stays the same, or the file has a problem and the answer is a careful one.
func TestRespelledUltraplanMeansTheSame(t *testing.T) {
	n, careful := 0, 0
	for seed := range max(1, agreeing(t)/10) {
		files := randomtest.RandomUltraplan(rand.New(rand.NewPCG(uint64(seed), 5)))
		dir := t.TempDir()
		want := answerOf(t, dir, "ultraplan", files)
		rng := rand.New(rand.NewPCG(uint64(seed), 6))
		all := ultraplanVariations(files)
		for _, name := range slices.Sorted(maps.Keys(all)) {
			variations := all[name]
			rng.Shuffle(len(variations), func(i, j int) { variations[i], variations[j] = variations[j], variations[i] })
			for _, v := range variations[:min(len(variations), 12)] {
				other := maps.Clone(files)
				other[name] = v.Text
				n++
				got := answerOf(t, dir, "ultraplan", other)
				if got == want {
					continue
				}
				careful++
				if why := uncareful(t, dir, name, files, other); why != "" {
					t.Errorf("seed %d, %s, %s: %s\n%s\n%s\nwant\n%s", seed, name, v.Name, why, v.Text, got, want)
				}
			}
		}
	}
	if n == 0 || careful > n/2 {
		t.Errorf("%d spellings, %d of them not supported", n, careful)
	}
}

// ultraplanVariations returns the variations of the files of a project.
func ultraplanVariations(files map[string]string) map[string][]respelltest.Variation {
	all := map[string][]respelltest.Variation{}
	for name, text := range files {
		switch {
		case strings.HasSuffix(name, ".json"):
			all[name] = respelltest.JSON(text)
		case strings.HasSuffix(name, ".yaml"):
			all[name] = respelltest.YAML(text)
			for _, path := range respelltest.Paths(text) {
				all[name] = append(all[name], respelltest.YAML(text, path...)...)
			}
		case strings.HasSuffix(name, "-PLAN.md"):
			all[name] = respelltest.Frontmatter(text)
		case strings.HasSuffix(name, "STATE.md"):
			all[name] = gateVariations(text)
		}
	}
	return all
}

// gateVariations returns variations of the block current_task of a STATE.md.
func gateVariations(text string) (all []respelltest.Variation) {
	at := strings.Index(text, "\ncurrent_task:\n")
	if at < 0 || strings.Contains(text, "\r") {
		return nil
	}
	at++
	end := at + len("current_task:\n")
	for end < len(text) && strings.HasPrefix(text[end:], "  ") {
		end += strings.IndexByte(text[end:], '\n') + 1
	}
	block := text[at:end]
	variations := respelltest.YAML(block)
	for _, path := range respelltest.Paths(block) {
		variations = append(variations, respelltest.YAML(block, path...)...)
	}
	for _, v := range variations {
		if v.Name != "BOM" && !strings.HasPrefix(v.Text, respelltest.AnchoredKey) {
			all = append(all, respelltest.Variation{Name: v.Name, Text: text[:at] + strings.TrimSuffix(v.Text, "\n") + "\n" + text[end:]})
		}
	}
	return all
}

// uncareful says why another answer to the same project in another spelling is not a careful one, "" if it is: a problem names the file,
// nothing more is done, and what waited still waits, in the prompt too.
func uncareful(t *testing.T, dir, name string, files, other map[string]string) string {
	read := func(files map[string]string) (*model.Build, string) {
		answerOf(t, dir, "ultraplan", files)
		p, err := Open(dir, User{Home: dir})
		must(t, err)
		found, _ := nearest.Find(nearest.Place{Dir: dir, Home: dir, Source: "ultraplan", Alerts: true})
		return buildOf(p.Read(time.Date(2026, 1, 2, 0, 0, 0, 0, time.UTC)).Builds, "ultraplan", ""), found.Waits
	}
	before, waited := read(files)
	after, waits := read(other)
	if after == nil {
		return "there is no build"
	}
	isNamed := false
	for _, p := range after.Problems {
		isNamed = isNamed || filepath.ToSlash(p.File) == name
	}
	switch {
	case !isNamed:
		return fmt.Sprintf("no problem names it; it waited for %q, and waits for %q", waited, waits)
	case waited != "" && waits == "":
		return fmt.Sprintf("%q waits no longer", waited)
	case len(before.Certain()) > 0 && len(after.Certain()) == 0:
		return "nothing waits in the dashboard"
	}
	for _, n := range model.Walk(after.Nodes) {
		if was, _ := before.Find(n.ID); was != nil && n.Status.Closed() && !was.Status.Closed() {
			return n.ID + " is done"
		}
	}
	return ""
}
