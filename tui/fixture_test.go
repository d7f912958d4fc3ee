package tui

import (
	"fmt"
	"time"

	"github.com/charmbracelet/colorprofile"

	"gatehouse/model"
	"gatehouse/tui/draw"
)

// noon is when every test takes place.
var noon = time.Date(2026, 3, 14, 12, 0, 0, 0, time.UTC)

func ago(d time.Duration) time.Time { return noon.Add(-d) }

const day = 24 * time.Hour

// fixedLine is a line of facts that says what it is told to.
type fixedLine struct{ full, compact string }

func (f fixedLine) AppendFull(dst []byte) []byte    { return append(dst, f.full...) }
func (f fixedLine) AppendCompact(dst []byte) []byte { return append(dst, f.compact...) }
func (f fixedLine) Scene() (int, string)            { return 1, "fixed" }

// testOptions are those of a wide terminal with every colour.
func testOptions(theme draw.Theme) Options {
	return Options{
		Clock:     func() time.Time { return noon },
		Theme:     theme,
		Profile:   colorprofile.TrueColor,
		TitlePath: "~/src/shop",
		Empty: Empty{
			LooksFor: []string{".planning/STATE.md", ".planning/ROADMAP.md", ".planning/phases/"},
			Where:    "Searched here and in up to ten directories above.",
			Try:      "gatehouse demo",
			TryWhat:  "a simulated build that moves, in a temporary directory",
		},
	}
}

func plainOptions() Options {
	o := testOptions(draw.ThemeMono)
	o.Profile = colorprofile.Unknown
	return o
}

func plan(number, title string, status model.Status, raw string, age time.Duration) *model.Node {
	dir := ".planning/phases/" + number[:2]
	return &model.Node{
		ID: "plan/" + number, Kind: model.KindPlan, Number: number, Title: title, Status: status, Raw: raw,
		Updated: ago(age),
		Source:  model.Pos{File: dir + "/" + number + "-PLAN.md", Line: 1},
		Artifacts: []model.Artifact{
			{Name: "PLAN", File: dir + "/" + number + "-PLAN.md", Exists: true, Size: 4210, Changed: ago(age + time.Hour)},
			{Name: "SUMMARY", File: dir + "/" + number + "-SUMMARY.md", Exists: status == model.Done, Size: 1890, Changed: ago(age)},
		},
	}
}

func phase(number, title string, status model.Status, raw string, done, total int, age time.Duration, children ...*model.Node) *model.Node {
	return &model.Node{
		ID: "phase/" + number, Kind: model.KindPhase, Number: number, Title: title, Status: status, Raw: raw,
		Count: model.Count{Done: done, Total: total}, Updated: ago(age), Children: children,
		Source: model.Pos{File: ".planning/ROADMAP.md", Line: 20},
	}
}

// shopBuild is a build with everything in it that the dashboard has a way to show.
func shopBuild() *model.Build {
	executing := plan("04.5-02", "Refunds through the ledger", model.Active, "", 6*time.Minute)
	executing.Wave = 2
	executing.DependsOn = []string{"plan/04.5-01"}
	executing.Why = "its PLAN.md has tasks left and there is no summary yet"
	executing.Children = []*model.Node{
		{ID: "task/04.5-02/1", Kind: model.KindTask, Number: "1", Title: "Write the refund table", Status: model.Done},
		{ID: "task/04.5-02/2", Kind: model.KindTask, Number: "2", Title: "Book a refund against an order", Status: model.Active},
		{ID: "task/04.5-02/3", Kind: model.KindTask, Number: "3", Title: "Check the receipt e-mail by eye", Status: model.Pending,
			Gate: &model.Gate{Approval: model.ApprovalHuman, Asks: "Send yourself a receipt and read it", Potential: true}},
	}
	later := plan("04.5-03", "Partial refunds", model.Pending, "", 3*day)
	later.Wave = 3
	later.DependsOn = []string{"plan/04.5-02", "plan/04.5-01"}

	halted := plan("05-02", "Search index rebuild", model.Failed, "halted", 2*time.Hour)
	halted.Why = "its summary says status: halted"
	halted.Facts = []model.Fact{{Label: "halted by", Value: "the index does not fit into the memory of the small machines, see 05-02-SUMMARY.md"}}
	blocked := plan("05-03", "Search page", model.Blocked, "", 2*time.Hour)
	blocked.BlockedBy = []string{"plan/05-02"}
	blocked.DependsOn = []string{"plan/05-02"}
	blocked.Why = "plan 05-02, which it depends on, was halted"

	gate := &model.Node{
		ID: "gate/03/uat/3", Kind: model.KindGate, Number: "3", Title: "Cart survives a reload", Status: model.Waiting, Raw: "pending",
		Updated: ago(14 * time.Minute), Why: "03-UAT.md has a test without a result",
		Gate: &model.Gate{Approval: model.ApprovalHuman, Required: true,
			Asks:    "Put two things into the cart, reload the page, and look whether both are still there.",
			Expects: "both things with their amounts, and the same total", Options: []string{"pass", "issue", "skip"},
			Opens: []string{"phase/04.5"}},
		Source: model.Pos{File: ".planning/phases/03-cart/03-UAT.md", Line: 41, Col: 1},
	}
	verify := &model.Node{
		ID: "gate/02/verification", Kind: model.KindGate, Title: "Verification of the catalogue", Status: model.Waiting, Raw: "human_needed",
		Updated: ago(3 * time.Hour), Why: "02-VERIFICATION.md says status: human_needed",
		Gate:   &model.Gate{Approval: model.ApprovalHuman, Asks: "Look at the product pages on a phone: do pictures load, can one zoom?"},
		Source: model.Pos{File: ".planning/phases/02-catalogue/02-VERIFICATION.md", Line: 6},
	}
	broken := plan("06-01", "Stock levels \x1b[31mred\x1b]0;title\x07\r\n✓ 06-02 faked row", model.Unknown, "??", 5*day)
	broken.Held = true

	milestone := &model.Node{
		ID: "milestone/v2.0", Kind: model.KindMilestone, Number: "v2.0", Title: "Checkout", Status: model.Waiting,
		Count: model.Count{Done: 2, Total: 9}, Updated: ago(6 * time.Minute),
		Children: []*model.Node{
			phase("01", "Foundation", model.Done, "Complete", 3, 3, 12*day,
				plan("01-01", "Skeleton", model.Done, "", 13*day), plan("01-02", "Accounts", model.Done, "", 12*day), plan("01-03", "CI", model.Done, "", 12*day)),
			phase("02", "Catalogue", model.Waiting, "Needs Review", 2, 2, 3*time.Hour,
				plan("02-01", "Products and prices", model.Done, "", 2*day), plan("02-02", "Pictures", model.Done, "", day), verify),
			phase("03", "Cart – Körbe für alle 日本", model.Waiting, "Executed", 2, 2, 14*time.Minute,
				plan("03-01", "Add and remove", model.Done, "", 9*time.Hour), plan("03-02", "Totals and tax", model.Done, "", 5*time.Hour), gate),
			phase("04", "Payment", model.Done, "Complete", 2, 2, 2*day),
			phase("04.5", "Refunds", model.Active, "In Progress", 1, 3, 6*time.Minute,
				plan("04.5-01", "Ledger", model.Done, "", time.Hour), executing, later),
			phase("05", "Search", model.Blocked, "Executing", 1, 3, 2*time.Hour,
				plan("05-01", "Index", model.Done, "", day), halted, blocked),
			phase("06", "Stock", model.Pending, "Planned", 0, 2, 5*day, broken, plan("06-02", "Suppliers", model.Pending, "", 5*day)),
			phase("07", "A phase with a title so long that it can be shown in full on no screen that people own, not even on a wide one", model.Pending, "Not Started", 0, 0, 9*day),
			phase("08", "Launch", model.Pending, "Not Started", 0, 0, 9*day),
		},
	}
	archived := &model.Node{
		ID: "milestone/v1.0", Kind: model.KindMilestone, Number: "v1.0", Title: "First light", Status: model.Done, Archived: true,
		Count: model.Count{Done: 5, Total: 5}, Updated: ago(60 * day),
		Children: []*model.Node{{ID: "phase/v1.0/01", Kind: model.KindPhase, Number: "01", Title: "Prototype", Status: model.Done, Archived: true}},
	}
	quick := &model.Node{
		ID: "group/quick", Kind: model.KindGroup, Title: "Quick tasks", Status: model.Active, Count: model.Count{Done: 1, Total: 2},
		Children: []*model.Node{
			{ID: "quick/1", Kind: model.KindTask, Title: "Fix the footer", Status: model.Done, Updated: ago(4 * day)},
			{ID: "quick/2", Kind: model.KindTask, Title: "Rename the repository", Status: model.Active, Updated: ago(2 * day)},
		},
	}
	waits := []model.Wait{
		{Node: "gate/02/verification", Text: "Look at the product pages on a phone: do pictures load, can one zoom?", Place: "Phase 02",
			Evidence: model.Verified, Since: ago(3 * time.Hour), Source: verify.Source},
		{Node: "gate/03/uat/3", Text: "Cart survives a reload", Place: "Phase 03", Evidence: model.Tested, Since: ago(14 * time.Minute), Source: gate.Source},
		{Node: "task/04.5-02/3", Text: "Send yourself a receipt and read it", Place: "Plan 04.5-02", Evidence: model.Checkpoint, Potential: true},
	}
	model.SortWaits(waits)
	return &model.Build{
		ID: "gsd", Protocol: "gsd", Title: "v2.0 Checkout", Dir: ".planning", File: ".planning/STATE.md",
		Status: model.Waiting, Raw: "executing", Why: "two phases wait for a human",
		Nodes:    []*model.Node{milestone, quick, archived},
		Progress: model.Progress{Known: true, Percent: 61, Phases: model.Count{Done: 4, Total: 9}, Plans: model.Count{Done: 11, Total: 18}, Closed: model.Count{Done: 2, Total: 9}},
		Now:      "plan/04.5-02",
		Next:     &model.Next{Command: "execute-phase 4.5", Why: "2 of 3 plans have no summary", Node: "phase/04.5", Derived: true},
		Waits:    waits,
		Blockers: []model.Blocker{{Text: "No sandbox key for the payment provider", Owner: "human_action", Node: "plan/05-03", Since: ago(2 * day), Source: model.Pos{File: ".planning/STATE.md", Line: 61}},
			{Text: "The courier's sandbox is slow on Mondays", Concern: true, Source: model.Pos{File: ".planning/STATE.md", Line: 66}}},
		Divergences: []model.Divergence{{Claim: "STATE.md says 100 %: milestone complete", Truth: "7 of 9 phases are open",
			Source: model.Pos{File: ".planning/STATE.md", Line: 12}}},
		Problems: []model.Problem{
			{Pos: model.Pos{File: ".planning/phases/06/06-01-PLAN.md", Line: 4, Col: 7}, Severity: model.Error, Text: "the frontmatter is not closed",
				Fix: "end it with a line of three dashes"},
			{Pos: model.Pos{File: ".planning/ROADMAP.md", Line: 33}, Severity: model.Warning, Text: "phase 04.5 has no goal"},
		},
		Freshness: model.Freshness{Changed: ago(6 * time.Minute), Claimed: ago(5 * time.Hour), Held: 1},
		Claimed:   fixedLine{"v2.0 Checkout [██████████] 100% · milestone complete", "v2.0 · complete"},
		Header:    fixedLine{"v2.0 Checkout [██████░░░░] 61% · Phase 4.5 executing", "v2.0 · P4.5/9 · executing"},
	}
}

func shop() *model.Snapshot {
	return &model.Snapshot{Version: 1, At: noon, Projects: []*model.Project{
		{Root: "/src/shop", Name: "shop", Builds: []*model.Build{shopBuild()}},
	}}
}

// emptyFolder is a directory without a build.
func emptyFolder() *model.Snapshot {
	return &model.Snapshot{Version: 1, At: noon, Projects: []*model.Project{{Root: "/src/shop", Name: "shop"}}}
}

// forest is a build with n plans in phases of a hundred.
func forest(n int) *model.Snapshot {
	root := &model.Node{ID: "milestone/v1", Kind: model.KindMilestone, Number: "v1", Title: "Forest", Status: model.Active}
	for i := range n {
		if i%100 == 0 {
			root.Children = append(root.Children, phase(fmt.Sprintf("%03d", i/100), "Grove", model.Active, "Executing", 40, 100, time.Hour))
		}
		p := root.Children[len(root.Children)-1]
		p.Children = append(p.Children, plan(fmt.Sprintf("%03d-%02d", i/100, i%100), "A tree of some kind", model.Statuses()[i%9], "", time.Duration(i)*time.Minute))
	}
	return &model.Snapshot{Version: 1, At: noon, Projects: []*model.Project{{Root: "/src/forest", Name: "forest", Builds: []*model.Build{{
		ID: "gsd", Title: "v1 Forest", Status: model.Active, Nodes: []*model.Node{root}, File: "STATE.md",
		Progress: model.Progress{Known: true, Percent: 40}, Freshness: model.Freshness{Changed: noon},
	}}}}}
}
