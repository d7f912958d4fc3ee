package ultraplan

import (
	"errors"
	"fmt"
	"maps"
	"strings"
	"testing"

	"gatehouse/model"
	"gatehouse/model/modeltest"
	"gatehouse/parse/conformance"
	"gatehouse/parse/disk/mirror"
	"gatehouse/parse/nearest"
	"gatehouse/parse/protocol"
	"gatehouse/parse/ultraplan/core"
	"gatehouse/parse/ultraplan/fixture"
)

// shown is a project whose build, check results and decisions are compared with testdata/builds.golden.
type shown struct {
	name  string
	files map[string]string
	verbs string // decisions to propose: "skip retry sync"; they target the first task's gate of 03-01, or the row after ":"
}

// with replaces texts one after the other. It panics if one of them is missing.
func with(text string, pairs ...string) string {
	for i := 0; i < len(pairs); i += 2 {
		if !strings.Contains(text, pairs[i]) {
			panic("no " + pairs[i])
		}
		text = strings.Replace(text, pairs[i], pairs[i+1], 1)
	}
	return text
}

const (
	goldenState = ".planning/STATE.md"
	goldenLogs  = ".ultraplan/logs/executions/2026-01-27/"
)

// failures returns the logs of n failures of task 1 of a plan.
func failures(plan string, n int) map[string]string {
	files := map[string]string{}
	for i := range n {
		files[fmt.Sprintf("%s%s-task-01-failure-%d.yaml", goldenLogs, plan, i+1)] = fixture.Log(plan, 1, "failure", fmt.Sprintf("2026-01-27T10:00:0%dZ", i), "")
	}
	return files
}

// shownBuilds returns the projects of the golden file. A comment describes each group.
func shownBuilds() (all []shown) {
	add := func(name string, files map[string]string, verbs string) { all = append(all, shown{name, files, verbs}) }
	lamp := func(name string, more map[string]string, verbs string) { add(name, fixture.Lamp(more), verbs) }
	lantern := func(name string, more map[string]string, verbs string) {
		files := fixture.Lantern(more)
		if more[core.ResumeFile] == "" {
			delete(files, core.ResumeFile) // no work was interrupted
		}
		add(name, files, verbs)
	}
	lamp("a project", nil, "")
	// The gate of a task.
	lampGate := func(status, more string) map[string]string {
		return map[string]string{goldenState: fixture.StateText + "\n## Current Task\n\n```yaml\ncurrent_task:\n  name: \"Task 1: Fill the tank\"\n  phase: 03-lamp\n  plan: \"03-02\"\n  gate_status: " + status + "\n  gate_step: 2\n  executor_status: success\n  verify_status: running\n  architect_status: pending\n  last_step_at: \"2026-01-26T14:02:30Z\"\n  max_attempts: 3\n" + more + "```\n"}
	}
	since := func(files map[string]string, results ...string) map[string]string {
		for i, status := range results {
			files[fmt.Sprintf("%s03-02-task-01-%s-%d.yaml", goldenLogs, status, i+1)] = fixture.Log("03-02", 1, status, fmt.Sprintf("2026-01-27T10:00:0%dZ", i), "")
		}
		return files
	}
	lamp("at its first step", lampGate("executing", "  attempt: 1\n"), "")
	lamp("again", lampGate("EXECUTING", "  attempt: 2\n  previous_failures:\n    - two tests failed\n    - {attempt: 2, error: again}\n"), "")
	lamp("in review", lampGate("REVIEWING", "  attempt: 1\n"), "")
	lamp("failed, tried again", lampGate("FAILED", "  attempt: 2\n"), "")
	lamp("failed for good", lampGate("REJECTED", "  attempt: 4\n"), "")
	denied := lampGate("APPROVED", "  attempt: 1\n")
	denied[goldenState] = with(denied[goldenState], "verify_status: running", "verify_status: failed")
	lamp("approved, and a step denies it", denied, "")
	lamp("blocked", lampGate("BLOCKED", "  attempt: 1\n"), "")
	lamp("approved", lampGate("APPROVED", "  attempt: 1\n"), "")
	lamp("left out", lampGate("SKIPPED", "  attempt: 1\n"), "")
	lamp("at work, and failures since", since(lampGate("EXECUTING", "  attempt: 1\n"), "failure", "failure", "failure"), "")
	lamp("its second attempt, and a failure since", since(lampGate("EXECUTING", "  attempt: 2\n"), "failure"), "")
	lamp("blocked, and a success since", since(lampGate("BLOCKED", "  attempt: 1\n"), "success"), "")
	lamp("failed for good, and a success since", since(lampGate("FAILED", "  attempt: 4\n"), "success"), "")
	lamp("another word", lampGate("WONDERING", ""), "")
	for _, name := range []string{"Task 1: Stone", "Task 9: Nowhere"} { // the plan is done, so its gate waits for nobody
		for i, gate := range []string{"FAILED\n  attempt: 4", "FAILED", "BLOCKED"} {
			lamp(fmt.Sprintf("a closed plan with the gate of %s, %d", name, i+1), map[string]string{goldenState: with(fixture.StateText, "## Performance", "current_task:\n  name: \""+name+"\"\n  phase: 02-quay\n  plan: \"01\"\n  gate_status: "+gate+"\n\n## Performance")}, "")
		}
	}
	nowhere := "current_task:\n  name: 'Task 9: Nowhere'\n  plan: 09-09\n  gate_status: BLOCKED\n"
	add("a gate without its task", map[string]string{goldenState: nowhere}, "")
	for _, task := range []int{8, 9} { // the gate waits until task 9 has succeeded
		add(fmt.Sprintf("a gate without its task, and a success of task %d", task), map[string]string{goldenState: nowhere, fmt.Sprintf("%s09-09-task-0%d-success.yaml", goldenLogs, task): fixture.Log("09-09", task, "success", "2026-01-26T10:00:00Z", "")}, "")
	}
	for _, c := range [][2]string{{"EXECUTING", "  attempt: 2\n  max_attempts: 3\n"}, {"FAILED", "  attempt: 4\n  max_attempts: 3\n"}, {"FAILED", "  attempt: 2\n"}, {"EXECUTING", ""}, {"VERIFYING", ""}, {"REVIEWING", ""}} {
		lantern("a gate "+c[0]+strings.ReplaceAll(c[1], "\n", ""), map[string]string{goldenState: gateState(c[0], c[1])}, "")
	}
	// Retries, sessions and logs without a gate.
	lamp("retries", map[string]string{core.RetriesFile: `{"task_retries": {"03-02:task-1": {"task_name": "Task 1", "retry_count": 2, "max_retries": 3, "status": "retrying", "current_attempt": 3,
			"failures": [{"attempt": 1, "failure_type": "verification_failed", "error_summary": "2 failed", "suggested_fix": "look"}, {"attempt": "x"}], "last_attempt_at": "2026-01-26T14:32:00Z"},
			"99-99:task-1": {}, "x": null}}`}, "")
	lamp("a task of the session", map[string]string{core.SessionFile: `{"session_id": "s", "plan_id": "03-02", "tasks": [{"task_name": "Task 1: Fill the tank", "status": "in_progress"}]}`}, "")
	lamp("a skipped task", map[string]string{goldenState: fixture.StateText + "\nskipped_tasks:\n  - task: \"03-02:task-1\"\n    reason: \"no funnel\"\n    timestamp: \"2026-01-26T14:40:00Z\"\n"}, "")
	for n := 1; n <= 4; n++ {
		lantern(fmt.Sprintf("failed %d times", n), failures("03-01", n), "")
	}
	// A task that failed for good by other files than STATE.md is skipped or retried by its name.
	third := fixture.Log("03-01", 1, "failure", "2026-01-27T10:00:00Z", "  metadata:\n    duration_ms: 1\n    attempt: 3\n")
	lantern("spent by its log", map[string]string{goldenLogs + "03-01-task-01-failure.yaml": third}, "skip retry")
	lantern("spent by its retries", map[string]string{core.RetriesFile: `{"task_retries": {"03-01:task-1": {"status": "escalated", "retry_count": 3}}}`}, "skip retry")
	session := map[string]string{core.SessionFile: `{"plan_id": "03-01", "tasks": [{"task_name": "Task 1: Fill the tank", "status": "failure", "attempts": 3}]}`}
	lantern("spent by the session", session, "skip retry")
	odd := failures("03-01", 3)
	for i, spelled := range []string{"  status: !!str failure\n", "  status: &f failure\n", "  ? status\n  : failure\n"} {
		name := fmt.Sprintf("%s03-01-task-01-failure-%d.yaml", goldenLogs, i+1)
		odd[name] = with(odd[name], "  status: failure\n", spelled)
	}
	lantern("spent by logs in odd YAML", odd, "skip retry")
	torn := maps.Clone(session)
	torn[goldenLogs+"03-01-task-01-failure.yaml"], torn[goldenLogs+"03-01-task-01-failure-2.yaml"] = "logged_at: \"2026-01", ""
	lantern("torn logs, and the session counts", torn, "skip retry")
	lantern("no status, and a step that failed", map[string]string{goldenState: gateState("", "  verify_status: failed\n  attempt: 4\n")}, "skip retry")
	lantern("a blocked result", map[string]string{goldenLogs + "03-01-task-01-blocked.yaml": fixture.Log("03-01", 1, "blocked", "2026-01-27T10:00:00Z", "")}, "skip retry")
	unnumbered := with(fixture.TwoTasks, "Task 1: Fill", "Fill", "Task 2: Trim", "Trim", "Task 1: Fill", "Fill", "Task 2: Trim", "Trim")
	lantern("a name without a number", map[string]string{".planning/phases/03-lamp/03-01-PLAN.md": unnumbered, goldenState: with(gateState("BLOCKED", "  attempt: 1\n"), "Task 1: Fill", "Fill")}, "skip retry")
	lantern("failures that have overtaken the gate", func() map[string]string {
		files := failures("03-01", 3)
		files[goldenState] = gateState("EXECUTING", "  attempt: 1\n")
		return files
	}(), "skip retry")
	const item = `{task: "03-02:task-2", reason: "agreed, by hand"}`
	for _, list := range []string{
		"", "skipped_tasks: []\n", "```yaml\nskipped_tasks: [] # so far\n```\n", "skipped_tasks:\n", "skipped_tasks: [" + item + "]\n", "skipped_tasks:\n- " + item + "\n",
		"skipped_tasks:\n  \"03-02:task-2\": {reason: x}\n", "skipped_tasks: {a: b}\n",
	} {
		files := failures("03-01", 3)
		files[goldenState] = "# Project State\n\n" + list + "\n## Session Continuity\n\nResume file: None\n"
		lantern("a decision beside "+strings.ReplaceAll(list, "\n", " "), files, "skip")
	}
	for _, entry := range []string{"03-01:task-1", "Task 1: Fill the tank", "1", "Task 1", "Task 1: Another"} { // a decision without a plan applies to the only task with that name
		state := with(gateState("EXECUTING", "  attempt: 1\n"), "Task 1: Fill the tank", "Task 2: Trim the wick") + "\nskipped_tasks:\n  - task: \"" + entry + "\"\n    reason: \"it is not needed\"\n"
		add("a decision about "+entry, map[string]string{goldenState: state, ".planning/phases/03-lamp/03-01-PLAN.md": fixture.TwoTasks}, "")
	}
	// Decisions that are refused, and those about STATE.md as a whole.
	for _, status := range []string{"FAILED", "APPROVED", "SKIPPED", "EXECUTING", "blocked"} {
		lantern("decided: "+status, map[string]string{goldenState: gateState(status, "")}, "skip skip-silently skip-briefly retry approve undo skip:task/03-lamp/03-01/2/gate skip:task/03-lamp/03-01/1")
	}
	lantern("decided: a key twice", map[string]string{goldenState: gateState("FAILED", "  last_step_at: x\n  last_step_at: y\n")}, "retry")
	lantern("decided: with blockers", map[string]string{goldenState: gateState("FAILED", "") + "\n### Blockers/Concerns\n\n- the oil is thin\n- Task 1: Fill the tank: no funnel\n- Task 2: Trim the wick: too short\n- Task 1: Fill the tank: it broke\n"}, "skip retry")
	lantern("an empty STATE.md", map[string]string{goldenState: ""}, "sync")
	lantern("a STATE.md in conflict", map[string]string{goldenState: with(gateState("FAILED", ""), "Status: In progress\n", "<<<<<<< HEAD\nStatus: In progress\n=======\nStatus: Complete\n>>>>>>> other\n")}, "sync retry")
	add("no STATE.md", map[string]string{".planning/phases/03-lamp/03-01-PLAN.md": fixture.TwoTasks}, "sync")
	lantern("a STATE.md that claims too much", map[string]string{goldenState: with(fixture.RestingState, "0% (0/2", "100% (2/2", "░░░░░░░░░░", "██████████", "Ready to plan", "COMPLETE - at last", "completed: 0", "completed: 2", "3 of 4", "3 of 0")}, "sync")
	lantern("a STATE.md with an exact percentage", map[string]string{goldenState: with(fixture.RestingState, "0% (0/2", "50.5% (1/2", "░░░░░░░░░░", "█████░░░░░")}, "sync")
	// Interrupted work, and the resume file that STATE.md names.
	for _, text := range []string{
		"# Continue\n\n## Last executed task\n\nTask 1: Fill\n\n## Partial results\n\nhalf\n\n## Next steps\n\n1. Find a funnel\n2. Pour\n", "it stopped\n", "", "## Last executed task\nTask 1: Fill the tank (03-02)\n",
		"## Last executed task\nTask 1\n## Next steps\n1. fill\x1b[2J it\n- [ ] trim it\n",
	} {
		lamp(fmt.Sprintf("broken off: %q", text), map[string]string{core.ResumeFile: text}, "")
	}
	lamp("broken off, and taken up", map[string]string{core.ResumeFile + ".done": "x"}, "")
	for _, named := range []string{core.ResumeFile, "`.planning/HANDOFF.md`", "None", "None yet", "look at the tank", ".planning/ROADMAP.md", "../x.md"} {
		lamp("the resume file "+named, map[string]string{goldenState: with(fixture.StateText, "Resume file: None", "Resume file: "+named)}, "")
	}
	// Statuses that only STATE.md has, and whole builds.
	planning := with(fixture.StateText, "Phase: 3 of 4 (Lamp)", "Phase: 4 of 4 (Sea)", "In progress", "Planning")
	lamp("a phase that is being planned", map[string]string{goldenState: planning, ".planning/phases/04-sea/04-RESEARCH.md": "x"}, "")
	lantern("a phase that is being planned without files", map[string]string{goldenState: with(fixture.RestingState, "Phase: 3 of 4 (Lamp)", "Phase: 4 of 4 (Sea)", "Status: Ready to plan", "Status: Planning"), ".planning/ROADMAP.md": "- [ ] **Phase 4: Sea** - x\n- [ ] **Phase 5: Fog** - x\n"}, "")
	lamp("a phase that is being verified", map[string]string{goldenState: with(fixture.StateText, "In progress", "Verifying")}, "")
	add("a claim alone", map[string]string{goldenState: "## Current Position\n\nPhase: 1 of 1 (A)\nStatus: COMPLETE\n\nProgress: [##] 100%\n"}, "")
	complete := map[string]string{
		goldenState:                           "## Current Position\n\nPhase: 1 of 1 (A)\nStatus: Complete\n\nProgress: [####################] 100%\n",
		".planning/phases/01-a/01-01-PLAN.md": fixture.PlanText, ".planning/phases/01-a/01-01-SUMMARY.md": "x",
	}
	add("complete", complete, "")
	behind := maps.Clone(complete)
	behind[goldenState] = with(complete[goldenState], "Status: Complete", "Status: In progress")
	add("complete, and STATE.md is behind", behind, "")
	left := maps.Clone(complete)
	left[core.ResumeFile] = "## Last executed task\nTask 1: Fill the tank\n\n## Next step\nfill it\n"
	add("complete, and a file left behind", left, "")
	// The order of plans by dependencies and waves.
	for _, fronts := range [][3]string{
		{"wave: 3", "wave: 2", "wave: 1"}, {"depends_on: [01-02]", "depends_on: [01-01]", "depends_on: [01-02]"}, {"depends_on: [3]", "depends_on: [1]", "depends_on: [2]"},
		{"depends_on: [01-01]", "wave: 1", "wave: 1"}, {"wave: 2", "depends_on: [01-01]\nwave: 1", "wave: 2"},
	} {
		files := map[string]string{goldenState: "# Project State\n"}
		for i, front := range fronts {
			files[fmt.Sprintf(".planning/phases/01-quay/01-0%d-PLAN.md", i+1)] = "---\n" + front + "\n---\n"
		}
		add(fmt.Sprintf("the order of %q", fronts), files, "")
	}
	// Check results for duplicates, and for files that contradict each other.
	for _, c := range [][3]string{
		{mutatedState, "Status: In progress\n", "Status: In progress\nStatus: In progress\n"}, {mutatedState, "## Performance Metrics\n", "## Current Position\n\nPhase: 1 of 2\n\n## Performance Metrics\n"},
		{mutatedState, "## Session Continuity\n", "current_task:\n  name: x\n  gate_status: BLOCKED\n\n## Session Continuity\n"}, {mutatedState, "  attempt: 1\n", "  attempt: 1\n  attempt: 2\n"},
		{mutatedPlan, "<verify>go test</verify>", "<verify></verify>"}, {mutatedSession, unbroken[mutatedSession], "null\n"}, {mutatedSession, unbroken[mutatedSession], "[]\n"},
	} {
		files := maps.Clone(unbroken)
		files[c[0]] = with(files[c[0]], c[1], c[2])
		add(fmt.Sprintf("checked: %q", c[2]), files, "")
	}
	for _, c := range [][3]string{
		{"a box", goldenLogs + "03-01-task-01-success.yaml", fixture.Log("03-01", 1, "success", "2026-01-27T10:00:00Z", "")}, {"a day", goldenLogs + "03-01-task-01-success.yaml", fixture.Log("03-01", 1, "success", "2026-01-25T10:00:00Z", "")},
		{"a session's plan", core.SessionFile, `{"session_id": "s", "plan_id": "09-09", "tasks": []}`}, {"retries", core.RetriesFile, `{"task_retries": {"09-09:task-1": {"status": "retrying"}}}`},
		{"a number twice", ".planning/phases/03-lamp/03-01-PLAN.md", with(fixture.TwoTasks, "<name>Task 2:", "<name>Task 1:")}, {"nothing", "a.go", "package a\n"},
	} {
		lantern("contradicted: "+c[0], map[string]string{c[1]: c[2]}, "")
	}
	return all
}

// TestBuilds compares what the dashboard and the prompt show of projects, and what decisions write, with the golden file.
func TestBuilds(t *testing.T) {
	var names []string
	texts := map[string]string{}
	for i, c := range shownBuilds() {
		dir := fixture.Project(t, c.files)
		m := mirror.New(dir, Home, core.Planning)
		r := readerOf(t, dir)
		text := modeltest.DescribeBriefly(r.Read(fixture.Now), fixture.Now)
		if i == 0 {
			text = modeltest.Describe(r.Read(fixture.Now))
		}
		if found, _ := nearest.Find(nearest.Place{Dir: dir, Home: dir, Alerts: true}); found.Waits != "" {
			text += "the prompt waits: " + found.Waits + "\n"
		}
		p := r.Resume(fixture.Now)
		text += fmt.Sprintf("resume: %s %s %q: %s\n", p.Action, p.Phase, p.Steps, p.Why)
		for l := range strings.Lines(modeltest.DescribeProblems(r.Check(fixture.Now))) {
			// The fixtures' plans lack most required fields; TestMutations covers the rules for plans.
			isOfPlan := strings.Contains(l, "-PLAN.md") && !strings.HasPrefix(c.name, "c")
			if !strings.Contains(text, l) && !isOfPlan && !strings.Contains(l, "ultraplan-truth") && !strings.Contains(l, "ultraplan-position") && !strings.Contains(l, "ultraplan-gate:") {
				text += "check " + l
			}
		}
		state, _ := m.Text(goldenState)
		for verb := range strings.FieldsSeq(c.verbs) {
			verb, node, _ := strings.Cut(verb, ":")
			a := model.Action{Verb: model.Verb(verb), Node: node, Text: "the funnel is not needed"}
			if node == "" && verb != "sync" {
				a.Node = tankGate
			}
			if text, ok := map[string]string{"skip-silently": "", "skip-briefly": "ten chars."}[verb]; ok {
				a.Verb, a.Text = model.VerbSkip, text
			}
			change, err := r.Edit(protocol.Request{Action: a, Content: state, Now: fixture.Now, Who: "ada"})
			if refused := (*model.Refusal)(nil); errors.As(err, &refused) {
				text += fmt.Sprintf("%s %s: %s %v (already %t)\n", verb, node, refused.Code, refused, refused.Already)
				continue
			}
			fixture.Must(t, err)
			text += fmt.Sprintf("%s: %s, wants %q, confirm %q, warns %q\n", verb, change.Effect, change.Wants, change.Confirm, change.Warnings)
			after := maps.Clone(c.files)
			after[goldenState] = fixture.Applied(t, state, change.Spans)
			old, now := fixture.Changed(state, after[goldenState])
			for i, lines := range [][]string{old, now} {
				for _, l := range lines {
					text += fmt.Sprintf("  %c %s\n", "-+"[i], strings.TrimRight(l, "\r\n"))
				}
			}
			b := build(t, fixture.Project(t, after))
			n, _ := b.Find("task/03-lamp/03-01/1")
			if verb == "sync" {
				_, err := readerOf(t, fixture.Project(t, after)).Edit(protocol.Request{Action: a, Content: after[goldenState], Now: fixture.Now})
				text += fmt.Sprintf("  again: %v\n", err)
			}
			text += fmt.Sprintf("  then %d wait, %d differ", len(b.Certain()), len(b.Divergences))
			if n != nil {
				text += fmt.Sprintf(", the task is %s %q", n.Status, n.Raw)
			}
			text += "\n"
		}
		if texts[c.name] != "" {
			t.Fatalf("%s is there twice", c.name)
		}
		names, texts[c.name] = append(names, c.name), text
	}
	conformance.GoldenTexts(t, "builds.golden", names, texts)
}
