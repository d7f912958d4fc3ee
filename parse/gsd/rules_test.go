package gsd

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"gatehouse/model"
	"gatehouse/parse/nearest"
)

// account returns the facts of dashboard and prompt about a project, one per line.
func account(t *testing.T, dir string) string {
	t.Helper()
	var s strings.Builder
	r := readers(t, dir)[0]
	b := r.Read(now)
	b.Reckon(now)
	fmt.Fprintf(&s, "build %s, phases %v, plans %v\nheader %s\n", b.Status, b.Progress.Phases, b.Progress.Plans, b.Header.AppendFull(nil))
	if b.Next != nil {
		fmt.Fprintf(&s, "next %s\n", b.Next.Command)
	}
	for _, n := range model.Walk(b.Nodes) {
		fmt.Fprintf(&s, "%s %s: %s\n", n.ID, n.Status, n.Why)
	}
	for _, w := range b.Certain() {
		fmt.Fprintf(&s, "waits %s: %s\n", w.Place, w.Text)
	}
	for _, w := range b.Expired {
		fmt.Fprintf(&s, "past %s: %s\n", w.Place, w.Text)
	}
	for _, x := range b.Blocking() {
		fmt.Fprintf(&s, "blocked by %s\n", x.Text)
	}
	for _, d := range b.Divergences {
		fmt.Fprintf(&s, "claims %s; %s\n", d.Claim, d.Truth)
	}
	for _, f := range append(b.Notes, b.Metrics...) {
		fmt.Fprintf(&s, "%s: %s\n", f.Label, f.Value)
	}
	for _, d := range b.Debts() {
		fmt.Fprintf(&s, "debt %s %s, %d items in %d waits\n", d.Milestone, d.Phase, d.Items, len(d.Waits))
	}
	for _, p := range r.Check(now) {
		fmt.Fprintf(&s, "problem %s\n", p)
	}
	if found, ok := nearest.Find(nearest.Place{Dir: dir, Home: dir, Alerts: true}); ok {
		fmt.Fprintf(&s, "prompt waits %q, denied %q\n", found.Waits, found.Denied)
	}
	return s.String()
}

// TestRules checks the conclusions from the files of a project.
func TestRules(t *testing.T) {
	const (
		finished = "---\ngsd_state_version: '1.0'\nmilestone: v1.0\nstatus: completed\nprogress:\n  percent: 100\n---\n"
		running  = "---\ngsd_state_version: '1.0'\nmilestone: v1.0\nstatus: executing\nlast_updated: 2026-02-10T12:00:00Z\n---\n"
		plan     = "---\nphase: 01-lamp\nplan: 01\n---\n# Plan\n"
		digest   = "v1:sha256:915dda3286f1cdfaa366fdc823ba521e92a5652ac2432569ad0380a99d85ba27"
		covered  = "covered_files: [src/a.txt, .planning/phases/01-lamp/01-01-PLAN.md, .planning/phases/01-lamp/01-01-SUMMARY.md]\n"
		report   = "phases/01-lamp/01-VERIFICATION.md"
		denied   = `denied "1 of 1 phase is open: 01 `
		items    = "human_verification:\n  - test: Pull it\n  - test: Push it\n    status: resolved\n  - test: Turn it\n    resolution: done\n  - test: Shake it\n    status: failed\n    resolution: retry\n"
		asks     = `{"status": "waiting", "question": "Keep?", "since": "2026-02-10T12:00:00Z", "phase": "1"}`
	)
	lamp := map[string]string{"STATE.md": finished, "../src/a.txt": "alpha\n", "phases/01-lamp/01-01-PLAN.md": plan, "phases/01-lamp/01-01-SUMMARY.md": "# Summary\n"}
	verified := func(front string) map[string]string {
		return map[string]string{report: "---\n" + front + "---\n"}
	}
	with := func(files map[string]string, pairs ...string) map[string]string {
		for i := 0; i < len(pairs); i += 2 {
			files[pairs[i]] = pairs[i+1]
		}
		return files
	}
	fingerprint := "status: passed\n" + covered + "covered_digest: \"" + digest + "\"\n"
	for name, c := range map[string]struct {
		files map[string]string // in addition to those of a phase with one finished plan; "" removes a file
		says  string            // lines of the account, separated by " | "
		not   string
	}{
		"a fingerprint that holds":      {verified(fingerprint), `phase/01 done | denied ""`, "problem"},
		"whose files are newer":         {with(verified(fingerprint), "phases/01-lamp/01-01-SUMMARY.md", "# Summary\n"), "phase/01 done", ""},
		"a covered file has changed":    {with(verified(fingerprint), "../src/a.txt", "beta\n"), "phase/01 executed: 01-VERIFICATION.md does not match the files that it covers: verify again | " + denied + "executed", ""},
		"a covered file is gone":        {with(verified(fingerprint), "../src/a.txt", ""), "phase/01 executed: 01-VERIFICATION.md covers a file that can't be read | " + denied, ""},
		"a plan came later":             {with(verified(fingerprint), "phases/01-lamp/01-02-PLAN.md", "x", "phases/01-lamp/01-02-SUMMARY.md", "x"), "phase/01 executed: 01-VERIFICATION.md does not cover 01-02-PLAN.md | " + denied, ""},
		"in plans/, too":                {with(verified(fingerprint), "phases/01-lamp/plans/PLAN-02-x.md", "x", "phases/01-lamp/plans/SUMMARY-02-x.md", "x"), "does not cover plans/PLAN-02-x.md | " + denied, ""},
		"a list without a digest":       {verified("status: passed\n" + covered), "phase/01 executed: 01-VERIFICATION.md has only a part of its fingerprint | " + denied, ""},
		"a digest without a list":       {verified("status: passed\ncovered_digest: " + digest + "\n"), "has only a part of its fingerprint", ""},
		"blank keys":                    {verified("status: passed\ncovered_files:\ncovered_digest:\n"), "has only a part of its fingerprint | " + denied, ""},
		"a list that can't be read":     {verified("status: passed\ncovered_files: &a\n  - src/a.txt\n"), "has only a part of its fingerprint | problem .planning/" + report + ":3", ""},
		"gaps outrank a stale one":      {verified("status: gaps_found\ncovered_digest: x\n"), "phase/01 failed: 01-VERIFICATION.md found gaps", ""},
		"a stale one asks nobody":       {verified("status: human_needed\ncovered_digest: x\n" + items), "phase/01 executed: 01-VERIFICATION.md has only a part", "waits Phase"},
		"human items of gaps":           {verified("status: gaps_found\n" + items), "phase/01 failed | waits Phase 01: verify 2 things by hand | 01-VERIFICATION.md/1 waiting | " + denied, ""},
		"settled items of gaps":         {verified("status: gaps_found\nhuman_verification:\n  - test: Push it\n    status: resolved\n"), "phase/01 failed", "waits Phase"},
		"gaps without human items":      {verified("status: gaps_found\ngaps:\n  - truth: It creaks\n"), "phase/01 failed: 01-VERIFICATION.md found 1 gap | plan-phase 01 --gaps", "waits Phase"},
		"items that can't be read":      {verified("status: gaps_found\nhuman_verification: &a\n  - test: Pull it\n"), "waits Phase 01: verify by hand (01-VERIFICATION.md does not say what) | problem .planning/" + report + ":3", ""},
		"a status that can't be read":   {verified("anchored: &a passed\nstatus: *a\n"), "phase/01 waiting | waits Phase 01: verify by hand | problem .planning/" + report + ":3 | " + denied + "needs review", ""},
		"GSD reads another status":      {verified("status: passed # by hand\n"), "phase/01 executed | problem .planning/" + report + ":2: GSD reads status as “passed # by hand” | " + denied + "executed", ""},
		"human items, all settled":      {verified("status: human_needed\nhuman_verification:\n  - test: Push it\n    status: resolved\n"), "phase/01 waiting: answered, verify-work next: all that 01-VERIFICATION.md asks is settled | verify-work 01", "waits Phase"},
		"a blocked summary":             {map[string]string{"phases/01-lamp/01-01-SUMMARY.md": "---\nstatus: Blocked\n---\n"}, "plan/01/01-01-PLAN.md blocked: 01-01-SUMMARY.md says that it is blocked | phase/01 blocked | plans 0/1 | " + denied + "planned", ""},
		"what depends on it":            {map[string]string{"phases/01-lamp/01-01-SUMMARY.md": "---\nstatus: blocked\n---\n", "phases/01-lamp/01-02-PLAN.md": "---\ndepends_on: [01-01]\n---\n"}, "plan/01/01-02-PLAN.md pending: it has no summary yet; depends on 01-01", ""},
		"an unreadable summary":         {map[string]string{"phases/01-lamp/01-01-SUMMARY.md": "---\nstatus: &a complete\n---\n"}, "plan/01/01-01-PLAN.md unknown: the status of 01-01-SUMMARY.md can't be read | plans 0/1 | problem .planning/phases/01-lamp/01-01-SUMMARY.md:2 | " + denied + "planned", ""},
		"phase 0 has plans":             {map[string]string{"phases/00-oil/00-01-PLAN.md": "x"}, "phase/00 pending | phases 1/1", ""},
		"phase 0 is an idea":            {map[string]string{"phases/00-oil/00-CONTEXT.md": "x"}, "group/backlog | phases 1/1", "phase/00 pending"},
		"STATE.md is at phase 0":        {map[string]string{"STATE.md": running + "\nPhase: 0 of 1 (Oil)\n", "phases/00-oil/00-CONTEXT.md": "x"}, "phase/00 pending | phases 1/1", ""},
		"phase 0 waits":                 {map[string]string{"phases/00-oil/00-01-PLAN.md": "x", "phases/00-oil/00-01-SUMMARY.md": "x", "phases/00-oil/00-UAT.md": "## Tests\n### 1. Look\nresult: pending\n"}, `waits Phase 00: Look | build waiting | denied "2 of 2 phases are open: 00`, ""},
		"a question":                    {with(verified("status: human_needed\n"), "STATE.md", running, "WAITING.json", asks), `waits Phase 01: Keep? | prompt waits "Keep?"`, "past"},
		"older than the last activity":  {map[string]string{"STATE.md": strings.Replace(running, "last_updated: 2026-02-10T12:00:00Z", "last_activity: 2026-02-12", 1), "WAITING.json": asks}, "past Phase 01: Keep?", "waits Phase"},
		"a bullet of the position":      {map[string]string{"STATE.md": running + "\n## Current Position\n\n- Phase: 1 of 1\n- Status: Waiting for your review\n"}, "waits Phase 01: Waiting for your review", ""},
		"the milestone awaits approval": {with(verified("status: passed\n"), "STATE.md", running+"\nStatus: All done, awaiting user approval to complete the milestone\n"), "waits : All done, awaiting user approval to complete the milestone | build waiting", ""},
		"no plan yet":                   {map[string]string{"STATE.md": running + "\nPhase: 2 of 2\nPlan: Not started\n", "ROADMAP.md": "- [x] **Phase 1: Lamp**\n- [ ] **Phase 2: Oil**\n"}, "next discuss-phase 02", ""},
		"of a phase that is done":       {with(verified("status: passed\n"), "STATE.md", running, "WAITING.json", asks), `past Phase 01: Keep? | prompt waits ""`, "waits Phase"},
		"older than STATE.md":           {map[string]string{"STATE.md": strings.Replace(running, "12:00", "12:11", 1), "WAITING.json": asks}, `past Phase 01: Keep? | prompt waits ""`, "waits Phase"},
		"within ten minutes":            {map[string]string{"STATE.md": strings.Replace(running, "12:00", "12:09", 1), "WAITING.json": asks}, `waits Phase 01: Keep? | prompt waits "Keep?"`, "past"},
		"without a question":            {map[string]string{"STATE.md": running, "WAITING.json": `{"status": "waiting", "question": null, "options": [], "phase": null}`}, `prompt waits "" | gate/waiting skipped: it has no question`, "waits :"},
		"options alone":                 {map[string]string{"STATE.md": running, "WAITING.json": `{"status": "waiting", "question": null, "options": ["a", "b"]}`}, `waits : the agent asks something | prompt waits "an answer"`, ""},
		"that can't be read":            {map[string]string{"STATE.md": running, "WAITING.json": `{"status": "waiting", "question`}, `waits : an agent asks something, but WAITING.json can't be read | problem .planning/WAITING.json:1`, ""},
		"state.json is wrong":           {map[string]string{"STATE.md": running, "phases/02-rope/02-01-PLAN.md": "x", "state.json": `{"contract": "1.0.0", "phases": [{"number": "2", "status": "complete"}, {"number": "1", "status": "complete"}], "next": {"label": "Go on", "reason": "it is time"}}`}, "claims state.json says phase 2 is complete; its plan has no summary | GSD recommends: Go on: it is time", "phase 1 is"},
		"state.json is of another kind": {map[string]string{"STATE.md": running, "phases/02-rope/02-01-PLAN.md": "x", "state.json": `{"phases": [{"number": "2", "status": "complete"}]}`}, "phase/02 pending", "state.json"},
		"state.json can't be read":      {map[string]string{"STATE.md": running, "state.json": `{"contract`}, "problem .planning/state.json:1", "recommends"},
		"no gaps":                       {map[string]string{"phases/01-lamp/01-UAT.md": "## Tests\n### 1. Look\nresult: pass\n\n## Gaps\n\n[none]\n"}, "phase/01 executed", "blocked | UAT.md: | UAT.md:5"},
		"gaps are open, and resolved":   {map[string]string{"phases/01-lamp/01-UAT.md": "## Tests\n### 1. Look\nresult: issue\n\n## Gaps\n- truth: It creaks\n  status: failed\n- truth: It rusts\n  status: resolved\n"}, "blocked by gap: It creaks | phase/01 failed", "rusts"},
		"gaps that can't be read":       {map[string]string{"phases/01-lamp/01-UAT.md": "## Tests\n### 1. Look\nresult: issue\n\n## Gaps\n- &a\n  truth: It creaks\n  status: resolved\n"}, "phase/01 failed | problem .planning/phases/01-lamp/01-UAT.md:6", ""},
		"STATE.md in another spelling":  {map[string]string{"STATE.md": strings.Replace(running, "status: executing", "\"status\": executing # now", 1)}, "problem .planning/STATE.md:4:11: GSD's status line reads status as “”, not “executing”", ""},
		"a count that GSD does not see": {map[string]string{"STATE.md": strings.Replace(finished, "  percent: 100", "  percent: 100\n  \"total_phases\": 3", 1)}, "problem .planning/STATE.md:7:19: the status line does not see progress.total_phases", ""},
		"figures of STATE.md": {map[string]string{"STATE.md": running + "\n## Performance Metrics\n\n**Velocity:**\n\n- Total plans completed: 3\n- Average duration: [X] min\n- Trend: **Stable**\n\n| Phase | Plans | Total | Avg/Plan |\n|---|---|---|---|\n| - | - | - | - |\n| 1 | 2 | 30 min | - |\n\n" +
			"| Plan | Duration | Tasks | Files |\n|---|---|---|---|\n| Phase 1 P2 | 12 min | 3 tasks | - files |\n\n## Other\n\n- Size: 3\n"},
			"STATE.md total plans completed: 3 | STATE.md trend: Stable | STATE.md phase 1: 2 plans, 30 min, - | STATE.md phase 1 P2: 12 min, 3 tasks, - files", "duration: [X] | size | STATE.md -"},
		"debts of past phases": {map[string]string{"STATE.md": strings.Replace(running, "v1.0", "v1.1", 1), "ROADMAP.md": "- ✅ **v1.0 One** — Phases 1-2\n- 🚧 **v1.1 Two** — Phases 3-3\n\n## v1.1 Two\n- [ ] **Phase 3: C**\n", report: "---\nstatus: human_needed\n" + items + "---\n",
			"phases/02-rope/02-UAT.md": "## Tests\n### 1. Look\nresult: pending\n### 2. Hear\nresult: [pending]\n### 3. Feel\nresult: pass\n", "phases/02-rope/02-UAT-2.md": "## Tests\n### 1. Pull\nresult: pending\n", "milestones/v0.9-phases/00-zero/00-UAT.md": "## Tests\n### 1. Smell\nresult: pending\n"},
			"debt v1.0 01, 2 items in 1 waits | debt v1.0 02, 3 items in 2 waits | debt v0.9 00, 1 items in 1 waits | past Phase 02: Look", "waits Phase"},
	} {
		files := map[string]string{}
		for _, all := range []map[string]string{lamp, c.files} {
			for file, text := range all {
				if files[file] = text; text == "" {
					delete(files, file)
				}
			}
		}
		dir := tree(t, files)
		for file := range files {
			at := now.Add(-time.Hour)
			if file == "phases/01-lamp/01-01-SUMMARY.md" && name == "whose files are newer" {
				at = now
			}
			must(t, os.Chtimes(filepath.Join(dir, Planning, file), at, at))
		}
		got := account(t, dir)
		for i, list := range []string{c.says, c.not} {
			for _, part := range strings.Split(list, " | ") {
				if part != "" && strings.Contains(got, part) != (i == 0) {
					t.Errorf("%s: the account contains %q: %v\n%s", name, part, i == 1, got)
				}
			}
		}
	}
}

// TestFreshness checks that the line in the dashboard shows how many commits a real repository is ahead of STATE.md, if the project
// enables that.
func TestFreshness(t *testing.T) {
	const on = `{"statusline": {"show_state_freshness": true}}`
	dir := tree(t, map[string]string{"STATE.md": "x", "config.json": on})
	git := func(input string, args ...string) string {
		t.Helper()
		cmd := exec.Command("git", append([]string{"-C", dir}, args...)...)
		cmd.Stdin, cmd.Env = strings.NewReader(input), append(os.Environ(), "GIT_CONFIG_GLOBAL=/dev/null", "GIT_CONFIG_SYSTEM=/dev/null")
		out, err := cmd.Output()
		if err != nil {
			t.Skipf("git %s: %v", args, err)
		}
		return strings.TrimSpace(string(out))
	}
	commits := ""
	for n := range 26 {
		commits += fmt.Sprintf("commit refs/heads/main\ncommitter A <a@example.org> %d +0000\ndata 1\nx\n", 1_700_000_000+n)
	}
	git("", "-c", "init.defaultBranch=main", "init", "-q")
	git(commits, "fast-import", "--quiet")
	for name, c := range map[string]struct{ at, config, want string }{
		"of 25 commits ago":  {"main~25", on, "executing · state ~25 commits back"},
		"of 20 commits ago":  {"main~20", on, "executing · state ~20 commits back"},
		"of 19 commits ago":  {"main~19", on, "executing"},
		"nobody wants to":    {"main~25", "{}", "executing"},
		"several repository": {"main~25", `{"statusline.show_state_freshness": true, "planning": {"sub_repos": ["a"]}}`, "executing"},
	} {
		write(t, filepath.Join(dir, Planning, "STATE.md"), "---\nstatus: executing\nstate_head: "+git("", "rev-parse", c.at)+"\n---\n")
		write(t, filepath.Join(dir, Planning, "config.json"), c.config)
		b := readOne(t, dir)
		for range 20 { // git may take too long on a busy machine
			if string(b.Header.AppendFull(nil)) == c.want {
				break
			}
			b = readOne(t, dir)
		}
		if header, claimed := string(b.Header.AppendFull(nil)), string(b.Claimed.AppendFull(nil)); header != c.want || claimed != c.want {
			t.Errorf("STATE.md %s: %q, claimed %q, want %q", name, header, claimed, c.want)
		}
	}
}
