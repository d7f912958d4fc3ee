package tui

import (
	"strings"
	"testing"
	"time"

	"gatehouse/model"
	"gatehouse/tui/index"
	"gatehouse/tui/tuitest"
)

func TestReadsTheLogOfTheAgents(t *testing.T) {
	u := atKeyboard(t, tuitest.Reader(), 80, 24)
	u.press("6").isOn("attempt 2").sees("↻ 5 API", "attempt 2", "A reader opens a feed").seesNo("11:40:00", "▲")
	u.press("enter").sees("2 Activity", "reason", "made canonical", "Before that", "▲ 1/3 checks passed").press("esc").isOn("attempt 2")
	u.press("y").sees("copied: 5 API: ", "(.fctry/state.json:")
	u.press("1", "g", "j", "j", "enter").sees("Logged", "attempt 2: a feed was stored twice")
}

func TestFindsInTheLog(t *testing.T) {
	u := atKeyboard(t, tuitest.Reader(), 80, 24)
	u.press("6", "/").press(strings.Split("verification", "")...).sees("2 of 6", "4/4 checks").seesNo("chunk started") // a search matches what an entry is about
	u.press("enter", "f", "w", "enter").sees("0 of 6", "/verification").seesNo("4/4 checks").press("esc")
	u.press("/", "a", "p", "i").sees("1 of 6").press("enter", "esc").sees("chunk started")
	u.press("6", "f").sees("n noon").press("n", "enter").sees("/since noon").press("f", "n", "enter").seesNo("/since noon")
}

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

func atReader(t *testing.T, width, height int) (user, *readerActor) {
	a := newReaderActor()
	opts := plainOptions()
	opts.Actor = a
	u := facing(t, opts, a.snapshot(1), width, height)
	return u.atTop(), a
}

func TestAddsToTheInbox(t *testing.T) {
	u, a := atReader(t, 80, 24)
	u.d.enterKeys("i")
	u.sees("Add to the inbox", "Item", "tab: type by the text")
	u.d.enterKeys("enter")
	u.sees("1 more character")
	u.d.pasteText("https://example.org")
	u.d.enterKeys("enter")
	u.sees("Item: reference", "y add", "tab another type", `"type": "reference"`)
	u.d.enterKeys("tab")
	u.sees("Item: evolve", `"type": "evolve"`)
	u.d.enterKeys("t", "!", "enter", "y")
	u.sees(`added "an item"`)
	if len(a.done) != 1 || a.done[0].Text != "https://example.org!" || a.done[0].Kind != "evolve" || a.done[0].Build != "fctry" || a.done[0].Node != "" {
		t.Errorf("did %+v", a.done)
	}
	atKeyboard(t, tuitest.Shop(), 80, 24).press("i").sees("read-only: no writer is configured")
	// An agent's question can't be decided here, but a comment on it can be added.
	asking := newReaderActor()
	n, _ := asking.build.Find("chunk/7")
	n.Status, n.Gate = model.Waiting, &model.Gate{Asks: "Which lists?"}
	asking.build.Waits = []model.Wait{{Node: n.ID, Text: "Which lists?", Since: tuitest.Ago(time.Minute)}}
	u.d.showSnapshot(index.New(asking.snapshot(2), u.d.index))
	u.press("esc", "n", "a").sees("is waiting: i adds to the inbox")
}

func TestDismissesAnItem(t *testing.T) {
	u, a := atReader(t, 120, 40)
	u.press("x").sees("select an item of the inbox").press("9").isOn("Mark an article").sees("9 Inbox (3)", "x dismiss")
	u.press("j", "j")
	u.d.enterKeys("x")
	u.sees(`Dismiss "Read aloud"`, "error → dismissed")
	u.d.enterKeys("y")
	u.sees(`dismissed "Read aloud"`).seesNo("u undoes")
	if len(a.done) != 1 || a.done[0].Node != "inbox/c" {
		t.Errorf("did %+v", a.done)
	}
	u.press("j").isOn("How others do search").press("x").sees("select an item of the inbox")
}

func TestFiltersTheInbox(t *testing.T) {
	u, _ := atReader(t, 80, 24)
	u.press("9", "/").press(strings.Split("reference", "")...).press("enter").sees("2 of 5", "How others do search").seesNo("A mascot").press("esc").sees("A mascot")
	u.press("/", "a", "l", "o", "u", "d", "enter").sees("1 of 5").press("enter").sees("2 Task", "Read aloud", "x dismiss").press("9", "esc")
	u.press("f", "d", "enter").sees("2 of 5", "A mascot").press("/", "q", "q", "enter").sees("no item matches").press("esc", "1").sees("✓ 1–4  4 chunks")
}

func TestSyncsAndStartsFresh(t *testing.T) {
	u, a := atReader(t, 120, 40)
	u.sees("≠ state.json differs, S syncs", "S brings the file in line with the tree")
	u.d.enterKeys("S")
	u.sees(`Bring "spec 1.4" in line with the tree`, "5 → 4")
	u.d.enterKeys("y")
	u.sees(`synced "spec 1.4"`)
	snap := a.snapshot(9)
	project, build := *snap.Projects[0], *snap.Projects[0].Builds[0]
	project.Builds = []*model.Build{&build} // read again: the file has the change
	u.d.showSnapshot(index.New(&model.Snapshot{Version: 9, Projects: []*model.Project{&project}}, u.d.index))
	u.d.enterKeys(strings.Fields(": s t a r t space f r enter")...)
	u.sees(`Start "spec 1.4" fresh`, "Type fresh", "4 chunks that are done will be forgotten")
	u.d.enterKeys("enter")
	u.sees("type fresh to go on")
	u.d.enterKeys(strings.Fields("f r e s h enter")...)
	if len(a.done) != 2 || a.done[0].Verb != model.VerbSync || a.done[1].Verb != model.VerbFresh {
		t.Errorf("did %+v", a.done)
	}
	u.reloads(func(b *model.Build) { b.Can = nil })
	u.press("S").sees("there is nothing to sync here")
}
