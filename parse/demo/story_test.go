package demo_test

import (
	"context"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"gatehouse/model"
	"gatehouse/parse"
	"gatehouse/parse/demo"
)

// at plays the demo up to a moment and reads GSD's build as the dashboard does.
func at(t *testing.T, m demo.Mark) *model.Build {
	t.Helper()
	return both(t, m)[0]
}

// both is at for GSD's build and the loop.
func both(t *testing.T, m demo.Mark) []*model.Build {
	t.Helper()
	now := time.Date(2026, 6, 14, 9, 30, 0, 0, time.UTC)
	home := t.TempDir()
	dir := filepath.Join(home, demo.Name)
	b, err := demo.New(dir, demo.Options{
		Now:   func() time.Time { return now },
		Sleep: func(ctx context.Context, d time.Duration) error { now = now.Add(d); return ctx.Err() },
		Until: m,
	})
	if err != nil {
		t.Fatal(err)
	}
	if err := b.Run(t.Context()); err != nil {
		t.Fatal(err)
	}
	p, err := parse.Open(dir, parse.User{Home: home})
	if err != nil {
		t.Fatal(err)
	}
	builds := p.Read(now).Builds
	if len(builds) != 2 {
		t.Fatalf("%d builds, want 2", len(builds))
	}
	slices.SortFunc(builds, func(a, b *model.Build) int { return strings.Compare(a.Protocol, b.Protocol) })
	for _, b := range builds {
		if len(b.Problems) > 0 {
			t.Errorf("problems in the demo's files: %v", b.Problems)
		}
	}
	return builds
}

// status returns the status of the node of a kind and number.
func status(t *testing.T, b *model.Build, kind model.Kind, number string) model.Status {
	t.Helper()
	for _, n := range b.OfKind(kind) {
		if n.Number == number {
			return n.Status
		}
	}
	t.Fatalf("no %s %s", kind, number)
	return model.Unknown
}

func want(t *testing.T, b *model.Build, kind model.Kind, number string, s model.Status) {
	t.Helper()
	if got := status(t, b, kind, number); got != s {
		t.Errorf("%s %s is %s, want %s", kind, number, got, s)
	}
}

// What the story is about must be what the dashboard's readers see in its
// files.

func TestStart(t *testing.T) {
	b := at(t, demo.MarkStart)
	want(t, b, model.KindPhase, "04", model.Done)
	want(t, b, model.KindPhase, "05", model.Done)
	want(t, b, model.KindPhase, "05.5", model.Active)
	want(t, b, model.KindPlan, "05.5-01", model.Done)
	want(t, b, model.KindPlan, "05.5-02", model.Active)
	want(t, b, model.KindPhase, "06", model.Pending)
	want(t, b, model.KindPhase, "07", model.Pending)
	if len(b.Certain()) > 0 || len(b.Blockers) > 0 || len(b.Divergences) > 0 {
		t.Errorf("waits %v, blockers %v, divergences %v; want none yet", b.Certain(), b.Blockers, b.Divergences)
	}
	archived := false
	for _, n := range model.Walk(b.Nodes) {
		archived = archived || n.IsArchived()
	}
	if !archived {
		t.Error("no archived milestone")
	}
}

func TestReview(t *testing.T) {
	b := at(t, demo.MarkReview)
	want(t, b, model.KindPhase, "05.5", model.Waiting)
	if len(b.Certain()) == 0 {
		t.Error("nothing waits for a human")
	}
	if len(b.Lags) == 0 {
		t.Error("STATE.md agrees with the tree; it should lag behind")
	}
}

func TestQuestion(t *testing.T) {
	b := at(t, demo.MarkQuestion)
	if waits := b.Certain(); len(waits) < 2 || waits[0].Evidence != model.Signalled {
		t.Errorf("waits %+v, want the question before the test", waits)
	}
	want(t, b, model.KindPlan, "06-04", model.Blocked)
	if len(b.Blockers) == 0 || len(b.Lags) == 0 {
		t.Errorf("blockers %v, claims that lag behind %v; want some of each", b.Blockers, b.Lags)
	}
}

func TestFailed(t *testing.T) {
	b := at(t, demo.MarkFailed)
	want(t, b, model.KindPhase, "06", model.Failed)
	want(t, b, model.KindPhase, "05.5", model.Done)
	if n, _ := b.Find("plan/06-02"); n != nil && !n.Status.Closed() {
		t.Errorf("the superseded plan is %s", n.Status)
	}
}

func TestPaused(t *testing.T) {
	if b := at(t, demo.MarkPaused); b.Pause == nil {
		t.Error("the build is not paused")
	}
}

func TestClaimed(t *testing.T) {
	b := at(t, demo.MarkClaimed)
	want(t, b, model.KindPhase, "08", model.Waiting)
	if b.Status == model.Done {
		t.Error("the build counts as done while a test waits")
	}
	if !slices.ContainsFunc(b.Certain(), func(w model.Wait) bool { return w.Evidence == model.Tested }) {
		t.Errorf("waits %+v, want the test", b.Certain())
	}
	if len(b.Divergences) == 0 {
		t.Error("the false claim is not marked")
	}
}

func TestFinished(t *testing.T) {
	b := at(t, demo.MarkFinished)
	for _, ph := range b.OfKind(model.KindPhase) {
		if ph.Status != model.Done {
			t.Errorf("phase %s is %s", ph.Number, ph.Status)
		}
	}
	if b.Progress.Percent != 100 || len(b.Certain()) > 0 || len(b.Blockers) > 0 || len(b.Divergences) > 0 {
		t.Errorf("%d %%, waits %v, blockers %v, divergences %v", b.Progress.Percent, b.Certain(), b.Blockers, b.Divergences)
	}
}
