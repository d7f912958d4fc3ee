package tui

import (
	"testing"
	"time"

	"gatehouse/model"
	"gatehouse/tui/tuitest"
)

const verification = ".planning/phases/05/05-VERIFICATION.md"

// atFile returns a user at the file pane, on a phase that failed its verification, and the files, which may be changed.
func atFile(t *testing.T, text string) (user, shelf) {
	snap := tuitest.Shop()
	var phase *model.Node
	for _, n := range model.Walk(snap.Projects[0].Builds[0].Nodes) {
		if n.Kind == model.KindPhase && n.Number == "05" {
			phase = n
		}
	}
	phase.Source = model.Pos{}
	phase.Decides = model.Pos{File: verification, Line: 3}
	phase.Artifacts = []model.Artifact{{Name: "PLAN", File: ".planning/phases/05/05-02-PLAN.md", Exists: true}, {Name: "SUMMARY", File: "gone.md"}}
	on := shelf{"/src/shop/" + verification: text, "/src/shop/.planning/phases/05/05-02-PLAN.md": "---\nplan: 02\n---\n"}
	opts := plainOptions()
	opts.Files = on
	now := tuitest.Noon
	opts.Clock = func() time.Time { now = now.Add(5 * time.Second); return now }
	u := facing(t, opts, snap, 120, 40)
	d := u.d
	d.tree.GoTo(d.index.Sites[0].Place(phase.ID))
	u.presses("3")
	return u, on
}

// presses presses keys and loads the files they request.
func (u user) presses(keys ...string) user {
	u.d.enterKeys(keys...)
	return u
}

func TestReadsTheEvidenceRenderedAndRaw(t *testing.T) {
	u, _ := atFile(t, "# Verdict\n\n- [ ] **two** of `three`\n")
	u.sees("3 05-VERIFICATION.md:3 1/2", "▌[ ] two of three").seesNo("**two**")
	u.presses("r").sees("1 # Verdict", "▌3 - [ ] **two** of `three`").presses("r").seesNo("**two**")
	u.presses("]").sees("05-02-PLAN.md", "2/2", "plan: 02").presses("]").sees("Verdict").presses("[").sees("plan: 02")
	u.presses("1", "j", "k", "3").sees("Verdict") // to another row and back: its evidence again
	if at := u.d.file.Pos(); at.File != verification || at.Line != 3 {
		t.Errorf("%v is shown", at)
	}
}

func TestTheFilePaneShowsNoEscapeSequences(t *testing.T) {
	evil := "# \x1b[2J\x1b]0;title\x07a\n[x](https://a\x1b]8;;b) \x1b[31m\n|a\x1b[H|b|\n|-|-|\n|\r\x0b|\u202ec|\n```\n\x1bc\n```\n"
	for _, key := range []string{"r", "r", "z"} {
		u, _ := atFile(t, evil)
		u.presses(key)
		checkFrame(t, u.d.renderFrame(), 120, 40)
		u.seesNo("\x07", "\x1b")
	}
}
