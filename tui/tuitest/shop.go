// Package tuitest holds hand-made builds for tests, all at one fixed time.
package tuitest

import (
	"time"

	"gatehouse/model"
	"gatehouse/model/line"
)

// Noon is the time of every test.
var Noon = time.Date(2026, 3, 14, 12, 0, 0, 0, time.UTC)

func Ago(d time.Duration) time.Time { return Noon.Add(-d) }

const Day = 24 * time.Hour

// FixedLine is a line with given texts.
type FixedLine struct{ Full, Compact string }

func (f FixedLine) Scene() (int, string) { return 1, "fixed" }

func (f FixedLine) Compose(t *line.Text, compact bool) {
	t.Begin(line.Keep)
	if compact {
		t.Add(line.Plain, f.Compact)
	} else {
		t.Add(line.Plain, f.Full)
	}
}

func plan(number, title string, status model.Status, raw string, age time.Duration) *model.Node {
	dir := ".planning/phases/" + number[:2]
	return &model.Node{
		ID: "plan/" + number, Kind: model.KindPlan, Number: number, Title: title, Status: status, Raw: raw,
		Updated: Ago(age), Since: Ago(age),
		Source: model.Pos{File: dir + "/" + number + "-PLAN.md", Line: 1},
		Artifacts: []model.Artifact{
			{Name: "PLAN", File: dir + "/" + number + "-PLAN.md", Exists: true, Size: 4210, Changed: Ago(age + time.Hour)},
			{Name: "SUMMARY", File: dir + "/" + number + "-SUMMARY.md", Exists: status == model.Done, Size: 1890, Changed: Ago(age)},
		},
	}
}

func Phase(number, title string, status model.Status, raw string, done, total int, age time.Duration, children ...*model.Node) *model.Node {
	return &model.Node{
		ID: "phase/" + number, Kind: model.KindPhase, Number: number, Title: title, Status: status, Raw: raw,
		Count: model.Count{Done: done, Total: total}, Updated: Ago(age), Since: Ago(age), Children: children,
		Source: model.Pos{File: ".planning/ROADMAP.md", Line: 20},
	}
}

// ShopBuild is a build with everything that the dashboard can show.
func ShopBuild() *model.Build {
	executing := plan("04.5-02", "Refunds through the ledger", model.Active, "", 6*time.Minute)
	executing.Wave = 2
	executing.DependsOn = []string{"plan/04.5-01"}
	executing.Why = "its PLAN.md has tasks left and there is no summary yet"
	executing.Children = []*model.Node{
		{ID: "task/04.5-02/1", Kind: model.KindTask, Number: "1", Title: "Write the refund table", Status: model.Done},
		{ID: "task/04.5-02/2", Kind: model.KindTask, Number: "2", Title: "Book a refund against an order", Status: model.Active},
		{ID: "task/04.5-02/3", Kind: model.KindTask, Number: "3", Title: "Check the receipt e-mail by eye", Status: model.Pending,
			Gate: &model.Gate{Approval: model.ApprovalHuman, Asks: "Send yourself a receipt and read it", Upcoming: true}},
	}
	later := plan("04.5-03", "Partial refunds", model.Pending, "", 3*Day)
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
		Updated: Ago(14 * time.Minute), Since: Ago(14 * time.Minute), Why: "03-UAT.md has a test without a result",
		Gate: &model.Gate{Approval: model.ApprovalHuman, Required: true,
			Asks:    "Put two things into the cart, reload the page, and look whether both are still there.",
			Expects: "both things with their amounts, and the same total", Options: []string{"pass", "issue", "skip"},
			Opens: []string{"phase/04.5"}},
		Source: model.Pos{File: ".planning/phases/03-cart/03-UAT.md", Line: 41, Col: 1},
	}
	verify := &model.Node{
		ID: "gate/02/verification", Kind: model.KindGate, Title: "Verification of the catalogue", Status: model.Waiting, Raw: "human_needed",
		Updated: Ago(3 * time.Hour), Since: Ago(3 * time.Hour), SinceFile: true, Why: "02-VERIFICATION.md says status: human_needed",
		Gate:   &model.Gate{Approval: model.ApprovalHuman, Asks: "Look at the product pages on a phone: do pictures load, can one zoom?"},
		Source: model.Pos{File: ".planning/phases/02-catalogue/02-VERIFICATION.md", Line: 6},
	}
	broken := plan("06-01", "Stock levels \x1b[31mred\x1b]0;title\x07\r\n✓ 06-02 faked row", model.Unknown, "??", 5*Day)
	broken.Held = true

	milestone := &model.Node{
		ID: "milestone/v2.0", Kind: model.KindMilestone, Number: "v2.0", Title: "Checkout", Status: model.Waiting,
		Count: model.Count{Done: 2, Total: 9}, Plans: model.Count{Done: 11, Total: 18}, Updated: Ago(6 * time.Minute), Since: Ago(6 * time.Minute),
		Children: []*model.Node{
			Phase("01", "Foundation", model.Done, "Complete", 3, 3, 12*Day,
				plan("01-01", "Skeleton", model.Done, "", 13*Day), plan("01-02", "Accounts", model.Done, "", 12*Day), plan("01-03", "CI", model.Done, "", 12*Day)),
			Phase("02", "Catalogue", model.Waiting, "Needs Review", 2, 2, 3*time.Hour,
				plan("02-01", "Products and prices", model.Done, "", 2*Day), plan("02-02", "Pictures", model.Done, "", Day), verify),
			Phase("03", "Cart – Körbe für alle 日本", model.Waiting, "Executed", 2, 2, 14*time.Minute,
				plan("03-01", "Add and remove", model.Done, "", 9*time.Hour), plan("03-02", "Totals and tax", model.Done, "", 5*time.Hour), gate),
			Phase("04", "Payment", model.Done, "Complete", 2, 2, 2*Day),
			Phase("04.5", "Refunds", model.Active, "In Progress", 1, 3, 6*time.Minute,
				plan("04.5-01", "Ledger", model.Done, "", time.Hour), executing, later),
			Phase("05", "Search", model.Blocked, "Executing", 1, 3, 2*time.Hour,
				plan("05-01", "Index", model.Done, "", Day), halted, blocked),
			Phase("06", "Stock", model.Pending, "Planned", 0, 2, 5*Day, broken, plan("06-02", "Suppliers", model.Pending, "", 5*Day)),
			Phase("07", "A phase with a title so long that it can be shown in full on no screen that people own, not even on a wide one", model.Pending, "Not Started", 0, 0, 9*Day),
			Phase("08", "Launch", model.Pending, "Not Started", 0, 0, 9*Day),
		},
	}
	archived := &model.Node{
		ID: "milestone/v1.0", Kind: model.KindMilestone, Number: "v1.0", Title: "First light", Status: model.Done, Standing: model.Standing{Status: model.Archived},
		Count: model.Count{Done: 5, Total: 5}, Updated: Ago(60 * Day), Since: Ago(60 * Day),
		Children: []*model.Node{{ID: "phase/v1.0/01", Kind: model.KindPhase, Number: "01", Title: "Prototype", Status: model.Done, Standing: model.Standing{Status: model.Archived}}},
	}
	quick := &model.Node{
		ID: "group/quick", Kind: model.KindGroup, Title: "Quick tasks", Status: model.Active, Count: model.Count{Done: 1, Total: 2},
		Children: []*model.Node{
			{ID: "quick/1", Kind: model.KindTask, Title: "Fix the footer", Status: model.Done, Updated: Ago(4 * Day)},
			{ID: "quick/2", Kind: model.KindTask, Title: "Rename the repository", Status: model.Active, Updated: Ago(2 * Day)},
		},
	}
	waits := []model.Wait{
		{Node: "gate/02/verification", Text: "Look at the product pages on a phone: do pictures load, can one zoom?", Place: "Phase 02",
			Evidence: model.Verified, Since: Ago(3 * time.Hour), SinceFile: true, Source: verify.Source},
		{Node: "gate/03/uat/3", Text: "Cart survives a reload", Place: "Phase 03", Evidence: model.Tested, Since: Ago(14 * time.Minute), Source: gate.Source},
		{Node: "task/04.5-02/3", Text: "Send yourself a receipt and read it", Place: "Plan 04.5-02", Evidence: model.Checkpoint, Standing: model.Standing{Status: model.Upcoming}},
	}
	model.SortWaits(waits)
	return &model.Build{
		ID: "gsd", Protocol: "gsd", Title: "v2.0 Checkout", Dir: ".planning", File: ".planning/STATE.md",
		Status: model.Waiting, Raw: "executing", Why: "two phases wait for a human",
		Nodes:    []*model.Node{milestone, quick, archived},
		Progress: model.Progress{Known: true, Percent: 61, Rounded: true, Phases: model.Count{Done: 4, Total: 9}, Plans: model.Count{Done: 11, Total: 18}, Closed: model.Count{Done: 2, Total: 9}},
		Now:      "plan/04.5-02",
		Next:     &model.Next{Command: "execute-phase 4.5", Why: "2 of 3 plans have no summary", Node: "phase/04.5", Derived: true},
		Waits:    waits,
		Blockers: []model.Blocker{{Text: "No sandbox key for the payment provider", Owner: "human_action", Node: "plan/05-03", Since: Ago(2 * Day), Source: model.Pos{File: ".planning/STATE.md", Line: 61}},
			{Text: "The courier's sandbox is slow on Mondays", Concern: true, Source: model.Pos{File: ".planning/STATE.md", Line: 66}}},
		Divergences: []model.Divergence{{Claim: "STATE.md says 100 %: milestone complete", Truth: "7 of 9 phases are open",
			Source: model.Pos{File: ".planning/STATE.md", Line: 12}}},
		Problems: []model.Problem{
			{Pos: model.Pos{File: ".planning/phases/06/06-01-PLAN.md", Line: 4, Col: 7}, Severity: model.Error, Text: "the frontmatter is not closed",
				Fix: "end it with a line of three dashes"},
			{Pos: model.Pos{File: ".planning/ROADMAP.md", Line: 33}, Severity: model.Warning, Text: "phase 04.5 has no goal"},
		},
		Freshness: model.Freshness{Changed: Ago(6 * time.Minute), Claimed: Ago(5 * time.Hour), Held: 1},
		Claimed:   FixedLine{"v2.0 Checkout [██████████] 100% · milestone complete", "v2.0 · complete"},
		Header:    FixedLine{"v2.0 Checkout [██████░░░░] 61% of plans · Phase 4.5 executing", "v2.0 · P4.5/9 · executing"},
	}
}

func Shop() *model.Snapshot {
	return &model.Snapshot{Version: 1, At: Noon, Projects: []*model.Project{
		{Root: "/src/shop", Name: "shop", Builds: []*model.Build{ShopBuild()}},
	}}
}

// EmptyFolder is a directory without a build.
func EmptyFolder() *model.Snapshot {
	return &model.Snapshot{Version: 1, At: Noon, Projects: []*model.Project{{Root: "/src/shop", Name: "shop"}}}
}

// Later is the shop some minutes later: a plan is done, another has begun, a gate is open.
func Later(version uint64) *model.Snapshot {
	snap := Shop()
	snap.Version, snap.At = version, Noon.Add(2*time.Minute)
	refunds := snap.Projects[0].Builds[0].Nodes[0].Children[4]
	refunds.Children[1].Status = model.Done
	refunds.Children[1].Children[1].Status = model.Done
	refunds.Children[2].Status = model.Active
	refunds.Count.Done = 2
	return snap
}

// Shops are two projects: a shop, and one that is more urgent.
func Shops() *model.Snapshot {
	snap := Shop()
	snap.Projects = append([]*model.Project{{Root: "/src/blog", Name: "blog", Builds: []*model.Build{{ID: "gsd", Title: "v1.0", Status: model.Done, File: ".planning/STATE.md"}}}}, snap.Projects...)
	api := &model.Build{ID: "gsd", Title: "v3.0 API", Status: model.Waiting, File: ".planning/STATE.md", Dir: ".planning",
		Nodes: []*model.Node{{ID: "gate/signal", Kind: model.KindGate, Title: "Which version of the protocol?", Status: model.Waiting, Gate: &model.Gate{Approval: model.ApprovalHuman, Asks: "Which?"}}},
		Waits: []model.Wait{{Node: "gate/signal", Text: "Which version of the protocol?", Evidence: model.Signalled, Since: Ago(time.Minute)}},
		Blockers: []model.Blocker{
			{Text: "The certificate has expired", Owner: "external", Since: Ago(9 * Day), Source: model.Pos{File: ".planning/STATE.md", Line: 9}}},
	}
	snap.Projects = append(snap.Projects, &model.Project{Root: "/src/api", Name: "api", Builds: []*model.Build{api}})
	return snap
}
