package line

import (
	"fmt"
	"strings"
	"testing"
	"unicode"
	"unicode/utf8"
)

func ExampleLoop_AppendFull() {
	l := Loop{ID: "sample-loop", Status: "active", Step: LoopWorking, Phase: "BUILD", Place: 3, Done: 2, Total: 10, Counted: true}
	fmt.Printf("%s\n%s\n", l.AppendFull(nil), l.AppendCompact(nil))
	// Output:
	// sample-loop [██░░░░░░░░] 20% · Phase BUILD active
	// sample-loop · P3/10 · active
}

func TestLoopScenes(t *testing.T) {
	at := func(step LoopStep) Loop {
		return Loop{ID: "s", Status: "active", Step: step, Phase: "BUILD", Place: 3, Done: 2, Total: 10, Counted: true}
	}
	with := func(l Loop, change func(l *Loop)) Loop {
		change(&l)
		return l
	}
	const bar = "s [██░░░░░░░░] 20%"
	long := strings.Repeat("x", 50)
	cut := strings.Repeat("x", 39) + Ellipsis
	for _, c := range []struct {
		l             Loop
		scene         int
		full, compact string
	}{
		{Loop{}, 0, "", ""},
		{at(LoopWorking), 1, bar + " · Phase BUILD active", "s · P3/10 · active"},
		{with(at(LoopWorking), func(l *Loop) { l.ID = "" }), 1, "[██░░░░░░░░] 20% · Phase BUILD active", "P3/10 · active"},
		{with(at(LoopWorking), func(l *Loop) { l.Done, l.Total = 29, 30 }), 1, "s [█████████░] 96% · Phase BUILD active", "s · P3/30 · active"},
		{with(at(LoopWorking), func(l *Loop) { l.GatesPending = 4 }), 1, bar + " · Phase BUILD active · ◆ 4 gates pending", "s · P3/10 · active · ◆ 4 gates pending"},
		{with(at(LoopWorking), func(l *Loop) { l.GatesPending = 1 }), 1, bar + " · Phase BUILD active · ◆ 1 gate pending", "s · P3/10 · active · ◆ 1 gate pending"},
		{with(at(LoopWorking), func(l *Loop) { l.GatesPending, l.GatesFailed = 12, 1 }), 1,
			bar + " · Phase BUILD active · ◆ 1 gate failed, 12 gates pending", "s · P3/10 · active · ◆ 1 gate failed, 12 gates pending"},
		{with(at(LoopWorking), func(l *Loop) { l.Older = "a-gate" }), 1, bar + " · Phase BUILD active · ◆ approve a-gate", "s · P3/10 · active · ◆ approve a-gate"},
		{with(at(LoopWorking), func(l *Loop) { l.Older, l.OlderFailed, l.OlderMore = "a-gate", true, 2 }), 1,
			bar + " · Phase BUILD active · ◆ retry a-gate +2", "s · P3/10 · active · ◆ retry a-gate +2"},
		{with(at(LoopAtGate), func(l *Loop) { l.Gate = "frame-gate" }), 2, bar + " · next approve frame-gate", "s · next approve frame-gate"},
		{with(at(LoopAtGate), func(l *Loop) { l.Gate, l.GateFailed = "frame-gate", true }), 2, bar + " · next retry frame-gate", "s · next retry frame-gate"},
		{with(at(LoopAtGate), func(l *Loop) { l.Gate, l.Older = "b", "a" }), 2, bar + " · next approve b · ◆ approve a", "s · next approve b · ◆ approve a"},
		{at(LoopBetween), 2, bar + " · next BUILD", "s · next BUILD"},
		{with(at(LoopToResume), func(l *Loop) { l.Older = "a" }), 2, bar + " · next resume · ◆ approve a", "s · next resume · ◆ approve a"},
		{with(at(LoopAtEnd), func(l *Loop) { l.Done = 10 }), 2, "s [██████████] 100% · next complete", "s · next complete"},
		{at(LoopComplete), 3, "s · loop complete", "s · complete"},
		{Loop{Step: LoopComplete}, 3, "loop complete", "complete"},
		{with(at(LoopStuck), func(l *Loop) { l.PhaseWord = "failed" }), 4, bar + " · Phase BUILD failed", "s · P3/10 · failed"},
		{with(at(LoopHalted), func(l *Loop) { l.Status = "paused" }), 4, "s · paused · BUILD", "s · P3/10 · paused"},
		{with(at(LoopHalted), func(l *Loop) { l.Status = "failed" }), 4, "s · failed · BUILD", "s · P3/10 · failed"},
		{with(at(LoopHalted), func(l *Loop) { l.Status = "on fire" }), 4, "s · on fire · BUILD", "s · P3/10 · on fire"},
		{with(at(LoopHalted), func(l *Loop) { l.Counted = false }), 4, "s · active · BUILD", "s · P3/10 · active"},
		{Loop{ID: "s", Phase: "BUILD"}, 4, "s · BUILD", "s"},
		{Loop{ID: "s", Phase: "BUILD", Place: 1, Total: 2}, 4, "s · BUILD", "s · P1/2"},
		{Loop{Unreadable: "x-state.json"}, 4, "x-state.json can't be read", "x-state.json can't be read"},
		{Loop{Status: "paused", Phase: "gone"}, 4, "paused · gone", "paused"},
		{with(at(LoopWorking), func(l *Loop) { l.ID, l.Phase = long, long }), 1,
			cut + " [██░░░░░░░░] 20% · Phase " + cut + " active", cut + " · P3/10 · active"},
		{with(at(LoopAtGate), func(l *Loop) { l.Gate = long }), 2, bar + " · next approve " + cut, "s · next approve " + cut},
		{with(at(LoopWorking), func(l *Loop) { l.ID, l.Phase = "a\x1b[2Jb", "日\u202e\n本" }), 1,
			"a\ufffd[2Jb [██░░░░░░░░] 20% · Phase 日 本 active", "a\ufffd[2Jb · P3/10 · active"},
	} {
		if n, why := c.l.Scene(); n != c.scene || why == "" {
			t.Errorf("%+v: scene %d, %q, want %d", c.l, n, why, c.scene)
		}
		if got := string(c.l.AppendFull([]byte(">"))); got != ">"+c.full {
			t.Errorf("%+v: full\n %q, want\n %q", c.l, got, c.full)
		}
		if got := string(c.l.AppendCompact([]byte(">"))); got != ">"+c.compact {
			t.Errorf("%+v: compact\n %q, want\n %q", c.l, got, c.compact)
		}
	}
}

func TestLoopWaiting(t *testing.T) {
	for _, c := range []struct {
		l    Loop
		want string
	}{
		{Loop{}, ""}, {Loop{Gate: "g", Older: "o\x1b"}, "approve g, approve o\ufffd"}, {Loop{Gate: "g", GateFailed: true}, "retry g"},
		{Loop{Older: "o", OlderMore: 1}, "approve o +1"}, {Loop{GatesPending: 2}, "2 gates pending"},
		{Loop{Unreadable: "x-state.json"}, "x-state.json can't be read"}, {Loop{Status: "failed", Phase: "B"}, "the loop has failed"}, {Loop{Status: "paused"}, ""},
	} {
		if got := c.l.Waiting(); got != c.want {
			t.Errorf("%+v: %q, want %q", c.l, got, c.want)
		}
	}
}

// TestLoopFit checks what a line that is too long drops first, and that waits have a color of their own.
func TestLoopFit(t *testing.T) {
	l := Loop{ID: "sample-loop", Status: "active", Step: LoopWorking, Phase: "BUILD", Place: 3, Done: 2, Total: 10, Counted: true, GatesPending: 4}
	for _, c := range []struct {
		cols int
		want string
	}{
		{80, "sample-loop [██░░░░░░░░] 20% · Phase BUILD active · ◆ 4 gates pending"},
		{67, "sample-loop 20% · Phase BUILD active · ◆ 4 gates pending"}, {55, "sample-loop · Phase BUILD active · ◆ 4 gates pending"},
		{50, "Phase BUILD active · ◆ 4 gates pending"}, {20, "Phase BUILD active …"},
	} {
		var text Text
		text.Reset(nil)
		Compose(&text, &l, false)
		text.Fit(c.cols)
		if got := string(text.Bytes()); got != c.want {
			t.Errorf("%d columns: %q, want %q", c.cols, got, c.want)
		}
	}
	l.GatesFailed = 1
	for _, c := range []struct {
		l    Loop
		want string // the texts with the roles Wait and Blocked, in order
	}{
		{l, "wait:◆  blocked:1 gate failed wait:, 4 gates pending"}, {Loop{Step: LoopAtGate, Gate: "g"}, "wait:approve g"},
		{Loop{Step: LoopAtGate, Gate: "g", GateFailed: true}, "blocked:retry g"}, {Loop{Status: "paused"}, "wait:paused"},
		{Loop{Status: "failed"}, "blocked:failed"}, {Loop{Step: LoopStuck, PhaseWord: "blocked"}, "blocked:blocked"}, {Loop{Step: LoopComplete}, ""},
	} {
		var text Text
		text.Reset(nil)
		Compose(&text, &c.l, false)
		var roles []string
		for i := range text.Len() {
			switch piece, role := text.Piece(i); role {
			case Wait:
				roles = append(roles, "wait:"+string(piece))
			case Blocked:
				roles = append(roles, "blocked:"+string(piece))
			}
		}
		if got := strings.Join(roles, " "); got != c.want {
			t.Errorf("%+v: %q, want %q", c.l, got, c.want)
		}
	}
}

func FuzzLoop(f *testing.F) {
	f.Add("sample-loop", "active", "BUILD", "failed", "frame-gate", uint8(1), 2, 10)
	f.Add("\x1b]0;x\x07", "\u202e", "a\nb", "\xff", strings.Repeat("日", 300), uint8(5), 0, 0)
	f.Fuzz(func(t *testing.T, id, status, phase, word, gate string, step uint8, done, total int) {
		done, total = max(0, done%1000), max(0, total%1000)
		l := Loop{
			ID: id, Status: status, Step: LoopStep(step) % (LoopComplete + 1), Phase: phase, PhaseWord: word, Place: min(1, total), Done: min(done, total), Total: total,
			Counted: true, Gate: gate, Older: gate, OlderMore: done, GatesPending: done,
		}
		scene, why := l.Scene()
		for _, text := range []string{string(l.AppendFull(nil)), string(l.AppendCompact(nil))} {
			if scene < 0 || scene > 4 || why == "" || !utf8.ValidString(text) || Width(text) > 5*ShortCols {
				t.Fatalf("scene %d, %q, %q", scene, why, text)
			}
			for _, r := range text {
				if unicode.IsControl(r) || unicode.In(r, unicode.Cf, unicode.Zl, unicode.Zp) {
					t.Fatalf("%q holds U+%04X", text, r)
				}
			}
		}
	})
}
