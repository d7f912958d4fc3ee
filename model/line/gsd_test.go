package line

import (
	"strings"
	"testing"
)

func TestGSDNextPhasesAreOneField(t *testing.T) {
	for _, item := range []string{"a", "bcd", "é", "\u200b", strings.Repeat("x", 300)} {
		g := GSD{NextAction: "go", NextPhases: strings.Split(strings.Repeat(item+",", 400), ",")[:400]}
		joined := strings.TrimPrefix(Full(&g), "next go ")
		whole := strings.Repeat(Clean(item)+"/", 400)
		if len(joined) > FieldLimit || len(joined) < FieldLimit-1 || !strings.HasPrefix(whole, joined) {
			t.Errorf("%q: %d bytes, %q", item, len(joined), joined)
		}
	}
}
