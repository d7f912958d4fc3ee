package parse

import (
	"fmt"
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
	"gatehouse/parse/nearest"
	"gatehouse/parse/randomtest"
)

// The prompt and the dashboard must agree on every random project: the prompt's line is the line that the dashboard says the files
// claim, and every wait in the line is a wait in the dashboard.

// TestLineAndDashboardAgree compares the two on odd projects of each protocol.
func TestLineAndDashboardAgree(t *testing.T) {
	n := agreeing(t)
	for i, p := range randomtest.Generators {
		t.Run(p.Protocol, func(t *testing.T) {
			t.Parallel()
			dir, found := t.TempDir(), 0
			for seed := range n {
				at := filepath.Join(dir, strconv.Itoa(seed))
				if agree(t, at, i, uint64(seed)) {
					found++
				}
				must(t, os.RemoveAll(at))
			}
			if found < n/2 {
				t.Errorf("%d of %d projects have a line: the generator makes too little", found, n)
			}
		})
	}
}

// agreeing returns the number of projects to compare: GATEHOUSE_AGREE, or a sample.
func agreeing(t *testing.T) int {
	n := 200
	if s := os.Getenv("GATEHOUSE_AGREE"); s != "" {
		var err error
		if n, err = strconv.Atoi(s); err != nil {
			t.Fatal(err)
		}
	}
	return n
}

func FuzzLineAndDashboardAgree(f *testing.F) {
	for i := range randomtest.Generators {
		f.Add(uint8(i), uint64(1))
	}
	f.Fuzz(func(t *testing.T, protocol uint8, seed uint64) {
		agree(t, filepath.Join(t.TempDir(), "p"), int(protocol)%len(randomtest.Generators), seed)
	})
}

// agree makes a project from a seed, compares the prompt's answer with the dashboard's, and reports whether the prompt has found a
// build.
func agree(t *testing.T, dir string, protocol int, seed uint64) bool {
	t.Helper()
	p := randomtest.Generators[protocol]
	files := p.Files(rand.New(rand.NewPCG(seed, uint64(protocol))))
	must(t, randomtest.WriteFiles(dir, files))
	now := time.Now()
	all, _ := nearest.FindAll(nearest.Place{Dir: dir, Home: dir, Alerts: true, Now: now.Unix})
	project, err := Open(dir, User{Home: dir})
	must(t, err)
	builds := project.Read(now).Builds
	fail := func(format string, args ...any) {
		t.Errorf("%s, seed %d: %s\n%s", p.Protocol, seed, fmt.Sprintf(format, args...), contents(files))
	}
	for _, found := range all {
		if found.Protocol != p.Protocol || found.Facts == nil {
			continue
		}
		text := line.Full(found.Facts)
		file := ""
		if found.Path != "" {
			file, _ = filepath.Rel(dir, found.Path)
		}
		b := buildOf(builds, p.Protocol, filepath.ToSlash(file))
		switch {
		case b == nil && text == "":
		case b == nil:
			fail("the line is %q, and the dashboard has no build of %q", text, file)
		case b.Claimed == nil:
			if text != "" {
				fail("the line is %q, and the dashboard claims nothing", text)
			}
		case line.Full(b.Claimed) != text:
			fail("the line is %q, and claimed %q", text, line.Full(b.Claimed))
		}
		if b != nil {
			for _, missing := range missed(&found, b) {
				fail("the line %q (%s) waits for %s, and the gates are %+v", text, found.Waits, missing, b.Waits)
			}
		}
		return text != ""
	}
	return false
}

// buildOf returns the build of a protocol that was read from a file, or the protocol's only build.
func buildOf(builds []*model.Build, protocol, file string) *model.Build {
	for _, b := range builds {
		if b.Protocol == protocol && (protocol != "loop" || b.File == file) {
			return b
		}
	}
	return nil
}

// missed returns the waits of the line that the build lacks.
func missed(found *nearest.Found, b *model.Build) (missing []string) {
	certain := b.Certain()
	l, ok := found.Facts.(*line.Loop)
	if !ok {
		if found.Waits != "" && len(certain) == 0 {
			return []string{found.Waits}
		}
		if found.Protocol != "ultraplan" {
			return nil
		}
		for _, w := range certain { // the line must show these waits, too, except interrupted work, which its text shows
			if found.Waits == "" && w.Evidence != model.HandedOff {
				missing = append(missing, "nothing, not even "+w.Text)
			}
		}
		return missing
	}
	for _, gate := range []string{l.Gate, l.Older} {
		if gate != "" && !slices.ContainsFunc(certain, func(w model.Wait) bool { return strings.HasPrefix(w.Text, line.Tidy(gate)) }) {
			missing = append(missing, gate)
		}
	}
	if l.Unread != "" && !slices.ContainsFunc(certain, func(w model.Wait) bool { return w.Node == "" && strings.Contains(w.Text, " be read") }) {
		missing = append(missing, l.Unread)
	}
	if n := l.GatesPending + l.GatesFailed + l.OlderMore; len(b.Waits) < n {
		missing = append(missing, fmt.Sprintf("%d gates", n))
	}
	return missing
}

func contents(files map[string]string) string {
	var b strings.Builder
	for name, text := range files {
		fmt.Fprintf(&b, "-- %s --\n%s\n", name, text)
	}
	return b.String()
}

// The line, the status, the next step, the waits and the plan to resume of a fctry run must agree, however odd its files are.

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

// TestLineAndDashboardBothDenyCompletion checks that when GSD's STATE.md claims a complete milestone, the line has its sign for "the tree denies
// it" exactly if the dashboard lists open work.
func TestLineAndDashboardBothDenyCompletion(t *testing.T) {
	t.Parallel()
	denied, n := 0, agreeing(t)
	for seed := range n {
		dir := t.TempDir()
		files := randomtest.RandomCompleteGSD(rand.New(rand.NewPCG(uint64(seed), 7)))
		at := time.Now().Add(-time.Hour)
		must(t, randomtest.WriteFiles(dir, files))
		for name, text := range files {
			if strings.Contains(text, randomtest.OldFile) {
				must(t, os.Chtimes(filepath.Join(dir, name), at, at.Add(-time.Hour)))
			}
		}
		project, err := Open(dir, User{Home: dir})
		must(t, err)
		builds, open := project.Read(time.Now()).Builds, ""
		for _, d := range builds[0].Divergences {
			if strings.Contains(d.Truth, " open: ") || strings.HasPrefix(d.Truth, "ROADMAP.md has shipped it") {
				open = d.Claim + ": " + d.Truth
			}
		}
		all, _ := nearest.FindAll(nearest.Place{Dir: dir, Home: dir, Alerts: true, Now: time.Now().Unix})
		if (open != "") != (all[0].Denied != "") {
			t.Errorf("seed %d: the dashboard has %q, the line %q\n%s", seed, open, all[0].Denied, contents(files))
		}
		if open != "" {
			denied++
		}
	}
	if denied < n/4 || denied > n*3/4 {
		t.Errorf("%d of %d are denied: the projects are all alike", denied, n)
	}
}
