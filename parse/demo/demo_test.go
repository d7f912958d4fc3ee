package demo

import (
	"context"
	"encoding/json"
	"errors"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"gatehouse/model"
	"gatehouse/parse"
)

// clock is a fake clock that only moves when somebody sleeps. At every tick it
// lets the test play the user.
type clock struct {
	now  time.Time
	user func() error
}

func (c *clock) options() Options {
	return Options{Once: true, Now: func() time.Time { return c.now }, Sleep: c.sleep}
}

// alone are the options of a build whose projects below the first are not played.
func (c *clock) alone() Options {
	o := c.options()
	o.only = "none"
	return o
}

func (c *clock) sleep(ctx context.Context, d time.Duration) error {
	c.now = c.now.Add(d)
	if c.user != nil {
		if err := c.user(); err != nil {
			return err
		}
	}
	return ctx.Err()
}

func newClock() *clock { return &clock{now: time.Date(2026, 6, 14, 9, 30, 0, 0, time.UTC)} }

func begin(t *testing.T, c *clock, o Options) (*Build, string) {
	t.Helper()
	dir := filepath.Join(t.TempDir(), Name)
	b, err := New(dir, o)
	if err != nil {
		t.Fatal(err)
	}
	return b, dir
}

// projectPlay is one of the projects below the first, as the dashboard has it, with a clock that a test moves.
type projectPlay struct {
	*testing.T
	c       *clock
	b       *Build
	project *parse.Project
	as      *parse.Actions
}

// playProject begins a build and opens one of the projects below its first, the only one that is played.
func playProject(t *testing.T, only string) projectPlay {
	t.Helper()
	p := projectPlay{T: t, c: newClock()}
	o := p.c.options()
	o.only = only
	p.b, _ = begin(t, p.c, o)
	var err error
	if p.project, err = parse.Open(filepath.Join(p.b.dir, only), parse.User{Journal: t.TempDir()}); err != nil {
		t.Fatal(err)
	}
	p.as = parse.NewActions([]*parse.Project{p.project}, "test", func() time.Time { return p.c.now })
	return p
}

// read reads the one build of the project, which is of a protocol.
func (p *projectPlay) read(protocol string) *model.Build {
	p.Helper()
	p.project.Touch()
	all := p.project.Read(p.c.now).Builds
	if len(all) != 1 || all[0].Protocol != protocol {
		p.Fatalf("%+v", all)
	}
	return all[0]
}

func (p *projectPlay) file(name string) string {
	p.Helper()
	text, err := p.b.readFile(name)
	if err != nil {
		p.Fatal(err)
	}
	return text
}

// files reads a directory's files by their slash-separated names.
func files(t *testing.T, dir string) map[string]string {
	t.Helper()
	all := make(map[string]string)
	err := fs.WalkDir(os.DirFS(dir), ".", func(name string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		data, err := os.ReadFile(filepath.Join(dir, filepath.FromSlash(name)))
		all[name] = string(data)
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return all
}

// malformed names the files that are not whole.
func malformed(all map[string]string) []string {
	var bad []string
	for name, text := range all {
		switch {
		case strings.HasPrefix(name, nestDir+"/") && !strings.HasSuffix(name, ".md"): // logs and code: taskrun_test.go has them checked
		case strings.HasSuffix(name, ".json"):
			if !json.Valid([]byte(text)) {
				bad = append(bad, name)
			}
		case strings.HasPrefix(text, "---\n"):
			if !strings.Contains(text[4:], "\n---\n") {
				bad = append(bad, name)
			}
		case !strings.HasPrefix(text, "# "):
			bad = append(bad, name)
		}
	}
	slices.Sort(bad)
	return bad
}

func TestEveryStepLeavesWholeFilesButTheTornOnes(t *testing.T) {
	c := newClock()
	b, dir := begin(t, c, c.options())
	if bad := malformed(files(t, dir)); bad != nil {
		t.Fatalf("at the start: not whole: %v", bad)
	}
	torn := map[string]string{
		"STATE.md is seen half written":     ".planning/STATE.md",
		"another plan is seen half written": ".planning/phases/06-diary-pages/06-05-PLAN.md",
	}
	for _, s := range b.w.Script {
		before := files(t, dir)
		if err := b.play(t.Context(), []step{s}); err != nil {
			t.Fatal(err)
		}
		now := files(t, dir)
		if maps.Equal(before, now) {
			t.Errorf("%s: no file changed", s.What)
		}
		var want []string
		if name, ok := torn[s.What]; ok {
			want = []string{name}
			delete(torn, s.What)
		}
		if bad := malformed(now); !slices.Equal(bad, want) {
			t.Errorf("%s: not whole: %v, want %v", s.What, bad, want)
		}
	}
	if len(torn) > 0 {
		t.Errorf("these steps are gone: %v", torn)
	}
	if c := b.w.count(); c.percent() != 100 || len(b.open) > 0 {
		t.Errorf("at the end: %+v, %d questions open; want everything done", c, len(b.open))
	}
}

func TestPaceSuitsSomebodyWatching(t *testing.T) {
	total := time.Duration(0)
	for i, s := range newWorld().Script {
		total += s.After
		if s.Await != "" {
			total += patience
		}
		switch {
		case i == 0 && s.After > 2*time.Second:
			t.Errorf("the first change comes after %v", s.After)
		case s.After > 3*time.Second && s.What != "and taken up again":
			t.Errorf("%s: %v after the row before", s.What, s.After)
		}
	}
	if total < 2*time.Minute || total > 3*time.Minute {
		t.Errorf("a round takes %v, want two to three minutes", total)
	}
}

func TestMarksAreReachedInOrder(t *testing.T) {
	var marks []Mark
	for _, s := range newWorld().Script {
		if s.Mark != "" {
			marks = append(marks, s.Mark)
		}
	}
	want := []Mark{MarkReview, MarkQuestion, MarkFailed, MarkPaused, MarkClaimed, MarkFinished}
	if !slices.Equal(marks, want) {
		t.Errorf("marks %q, want %q", marks, want)
	}
}

func TestUntilStopsAtAMoment(t *testing.T) {
	c := newClock()
	o := c.options()
	o.Until = MarkQuestion
	b, dir := begin(t, c, o)
	if err := b.Run(t.Context()); err != nil {
		t.Fatal(err)
	}
	all := files(t, dir)
	if _, ok := all[".planning/WAITING.json"]; !ok {
		t.Error("no WAITING.json at the question")
	}
	if !strings.Contains(all[".planning/phases/06-diary-pages/06-02-SUMMARY.md"], "\nstatus: halted\n") {
		t.Error("06-02 is not halted at the question")
	}
	if state := all[".planning/STATE.md"]; !strings.Contains(state, "  percent: 33\n") || b.w.count().percent() != 50 {
		t.Errorf("STATE.md does not lag behind the tree, which is at %d %%:\n%s", b.w.count().percent(), state)
	}
}

func TestSameClockSameFiles(t *testing.T) {
	var runs []map[string]string
	for range 2 {
		c := newClock()
		b, dir := begin(t, c, c.options())
		if err := b.Run(t.Context()); err != nil {
			t.Fatal(err)
		}
		all := files(t, dir)
		for name := range all {
			info, err := os.Stat(filepath.Join(dir, filepath.FromSlash(name)))
			if err != nil {
				t.Fatal(err)
			}
			all[name] += info.ModTime().UTC().String()
		}
		runs = append(runs, all)
	}
	if !maps.Equal(runs[0], runs[1]) {
		t.Error("two rounds with the same clock differ")
	}
}

func TestFreshRoundBeginsWhereTheFirstBegan(t *testing.T) {
	c := newClock()
	o := c.options()
	o.Once = false
	b, dir := begin(t, c, o)
	names := func() []string {
		all := files(t, dir)
		delete(all, "guide/OUTLINE.md")                                                                 // the loop goes on: nobody has opened its gate
		maps.DeleteFunc(all, func(name, _ string) bool { return strings.HasPrefix(name, nestDir+"/") }) // nor retried the task that failed
		return slices.Sorted(maps.Keys(all))
	}
	want := names()
	ctx, cancel := context.WithCancel(t.Context())
	first := b.w
	c.user = func() error {
		if b.w != first {
			cancel()
		}
		return nil
	}
	if err := b.Run(ctx); !errors.Is(err, context.Canceled) {
		t.Fatalf("Run: %v, want it to end with its context", err)
	}
	if got := names(); !slices.Equal(got, want) {
		t.Errorf("second round begins with\n%v\nwant\n%v", got, want)
	}
}

func TestNewRefusesAProject(t *testing.T) {
	for _, taken := range []string{".planning", "field-guide-state.json", "guide", "loops/field-guide-loop", "seedwatch", "nestcam"} {
		dir := t.TempDir()
		if err := os.MkdirAll(filepath.Join(dir, taken), 0o755); err != nil {
			t.Fatal(err)
		}
		if _, err := New(dir, Options{}); err == nil || !strings.Contains(err.Error(), filepath.FromSlash(taken)+": already there") {
			t.Errorf("New: %v, want a refusal", err)
		}
		if all := files(t, dir); len(all) > 0 {
			t.Errorf("written all the same: %v", slices.Collect(maps.Keys(all)))
		}
	}
}

func TestNothingIsWrittenOutside(t *testing.T) {
	c := newClock()
	b, dir := begin(t, c, c.options())
	elsewhere := t.TempDir()
	if err := b.Run(t.Context()); err != nil {
		t.Fatal(err)
	}
	entries, err := os.ReadDir(filepath.Dir(dir))
	if err != nil || len(entries) != 1 {
		t.Errorf("beside the demo's directory: %v, %v", entries, err)
	}
	for name := range files(t, dir) {
		top, _, _ := strings.Cut(name, "/")
		if !slices.Contains([]string{".planning", "guide", "loops", feederDir, nestDir, loopState}, top) || strings.Contains(name, ".tmp.") {
			t.Errorf("left behind: %s", name)
		}
	}

	quick := filepath.Join(dir, ".planning", "quick")
	if err := os.RemoveAll(quick); err != nil {
		t.Fatal(err)
	}
	if err := os.Symlink(elsewhere, quick); err != nil {
		t.Skip("no links here:", err)
	}
	if err := b.write("quick/out/x.md", "# x\n"); err == nil {
		t.Error("a link out of the directory was followed")
	}
	if out := files(t, elsewhere); len(out) > 0 {
		t.Errorf("written elsewhere: %v", out)
	}
}
