package tui

import (
	"context"
	"errors"
	"strings"
	"testing"

	"gatehouse/model"
	"gatehouse/tui/tuitest"
)

// replay is a feed of given snapshots.
type replay struct{ snaps []*model.Snapshot }

var errOver = errors.New("over")

func (r *replay) Next(context.Context, uint64) (*model.Snapshot, error) {
	if len(r.snaps) == 0 {
		return nil, errOver
	}
	snap := r.snaps[0]
	r.snaps = r.snaps[1:]
	return snap, nil
}

// TestPlainPrintsWhatHappensLineByLine: first what waits, then one line of text for each event, none of them twice.
func TestPlainPrintsWhatHappensLineByLine(t *testing.T) {
	var out strings.Builder
	err := Plain(t.Context(), &replay{[]*model.Snapshot{tuitest.Shop(), tuitest.Later(2), tuitest.Later(3)}}, &out, plainOptions())
	if !errors.Is(err, errOver) {
		t.Fatal(err)
	}
	want := `11:46 shop: waiting: Phase 03: Cart survives a reload
09:00 shop: waiting: Phase 02: Look at the product pages on a phone: do pictures load, can one zoom?
12:00 shop: done: Plan 04.5-02 Refunds through the ledger
12:00 shop: running: Plan 04.5-03 Partial refunds
`
	if got := out.String(); got != want {
		t.Errorf("%s\nwant\n%s", got, want)
	}
}
