package parse

// The prompt and the dashboard must agree on every random project: the prompt's line is the line that the dashboard says the files
// claim, and every wait in the line is a wait in the dashboard.

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
