package tui

import (
	"testing"

	"gatehouse/model"
	"gatehouse/tui/index"
	"gatehouse/tui/tuitest"
)

// TestTheLogGrowsUnderTheSelection: new entries move nothing while the user has scrolled back in the timeline.
func TestTheLogGrowsUnderTheSelection(t *testing.T) {
	u := atKeyboard(t, tuitest.Reader(), 80, 24)
	u.press("6", "k", "k").isOn("context checkpointed")
	snap := tuitest.Reader()
	snap.Version = 2
	b := snap.Projects[0].Builds[0]
	b.Activity = append(b.Activity, model.Activity{At: tuitest.Noon, Family: model.FamilyChunks, Kind: "chunk-started", Node: "chunk/12", Text: "chunk started"})
	u.gets(snapshotMsg{index: index.New(snap, u.d.index)})
	u.isOn("context checkpointed").sees("12 Icons", "not following")
}

func TestSeesTheNumbers(t *testing.T) {
	u := atKeyboard(t, tuitest.Measured(), 120, 60)
	u.press("8").sees("11 of 18 plans", "2 without a date", "1.0 a day of work, on 9 days", "75%   9 of 12 succeeded", "retries        3", "median").press("G").sees("As the build itself has it")
	unknown := tuitest.Plans(42)
	b := unknown.Projects[0].Builds[0]
	b.Progress.Known, b.History.Forecast = false, &model.Forecast{Left: 14, None: "nobody knows how much is left"}
	atKeyboard(t, unknown, 120, 60).press("8").sees("28 plans done", "none: nobody knows").seesNo("of 42").seesNo("14 plans").seesNo("planned today")
	atKeyboard(t, tuitest.Shop(), 120, 60).press("8").sees("nothing is measured here")
	atKeyboard(t, tuitest.Reader(), 120, 60).press("8").sees("context isolation", "subagent")
}
