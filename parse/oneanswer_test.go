package parse

// The line, the status, the next step, the waits and the plan to resume of a fctry run must agree, however odd its files are.

import (
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
	"gatehouse/parse/randomtest"
)

func TestOddRunsAreConsistent(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	now := time.Now()
	for seed := range agreeing(t) {
		files := randomtest.RandomFctry(rand.New(rand.NewPCG(uint64(seed), 77)))
		at := filepath.Join(dir, strconv.Itoa(seed))
		must(t, randomtest.WriteFiles(at, files))
		if seed%3 == 0 { // no agents are left
			died := now.Add(-30 * time.Hour)
			must(t, os.Chtimes(filepath.Join(at, ".fctry", "state.json"), died, died))
		}
		p, err := Open(at, User{Home: dir})
		must(t, err)
		b := buildOf(p.Read(now).Builds, "fctry", "")
		plans := p.Resumes(now)
		if b == nil || len(plans) != 1 || strings.Contains(files[".fctry/state.json"], `"nextStep": "/`) {
			continue // the file's own next step decides, whatever else is true
		}
		for _, wrong := range answers(line.Full(b.Claimed), b, &plans[0]) {
			t.Errorf("seed %d: %s\nline %q\n%s: %s, next %+v\nplan %s: %s\nwaits %+v\n%s", seed, wrong, line.Full(b.Claimed), b.Status, b.Why, b.Next, plans[0].Action, plans[0].Why, b.Waits, contents(files))
		}
	}
}

// answers returns the contradictions between line, build and plan.
func answers(line string, b *model.Build, plan *model.Resume) (wrong []string) {
	has := func(text string) bool { return strings.Contains(line, text) }
	command := ""
	if b.Next != nil {
		command = b.Next.Command
	}
	stale := slices.ContainsFunc(b.Waits, func(w model.Wait) bool { return strings.HasPrefix(w.Text, "stale: ") })
	for what, is := range map[string]bool{
		"complete in one only":                  has("build complete") != (b.Status == model.Done) || has("build complete") != (plan.Action == "complete"),
		"waiting in one only":                   has("◆") != (b.Status == model.Waiting) || has("◆") != (plan.Action == "wait_for_user"),
		"stale in one only":                     has(" · stale") != stale && !has("says completed"),
		"a next chunk that is not offered":      has("next chunk") && plan.Action != "offer_resume" && plan.Action != "begin_anew",
		"an offer, and another next step":       plan.Action == "offer_resume" && command != "/fctry:execute",
		"an end, and another next step":         plan.Action == "offer_complete" && command != "close the run",
		"blocked, and to be executed":           plan.Action == "blocked" && command == "/fctry:execute",
		"an error, and to be executed":          plan.Action == "error" && command == "/fctry:execute" && !has(" · stale"),
		"of a status that nobody knows, and on": has("run says ") && plan.Action != "error",
	} {
		if is {
			wrong = append(wrong, what)
		}
	}
	return wrong
}
