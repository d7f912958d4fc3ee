package line

import (
	"strings"
	"testing"
	"unicode"
	"unicode/utf8"
)

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
		for _, text := range []string{Full(&l), Compact(&l)} {
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
