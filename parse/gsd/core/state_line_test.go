package core

import (
	"strings"
	"testing"

	"gatehouse/model/line"
)

func TestParseStateIsBounded(t *testing.T) {
	g := ParseLine("---\nnext_phases: [" + strings.Repeat("1,", 100000) + "]\n---\n")
	if len(g.NextPhases) != line.MaxNextPhases {
		t.Errorf("%d phases", len(g.NextPhases))
	}
}
