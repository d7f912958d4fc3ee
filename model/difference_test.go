package model

import (
	"testing"

	"gatehouse/parse/conformance"
)

func TestDifferences(t *testing.T) {
	conformance.OwnRows(t, "differences.jsonl", func(t *testing.T, r struct {
		Before, Now Proposal
		Difference  Difference
	}) {
		if got := Differences(&r.Before, &r.Now); len(got) != 1 || got[0] != r.Difference {
			t.Errorf("%+v, want %+v", got, r.Difference)
		}
		if got := Differences(&r.Now, &r.Now); len(got) > 0 {
			t.Errorf("%+v between a proposal and itself", got)
		}
	})
}
