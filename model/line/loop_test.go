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
