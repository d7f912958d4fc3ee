// What the session at work says to the line.

package rules

import (
	"slices"

	"gatehouse/model/line"
	"gatehouse/parse/text/scan"
)

// SessionPlans returns the plans that the text of a current-session.json names as running: those of its tasks that are in
// progress, each of the session's plan unless it names one itself.
func SessionPlans(text string) []string {
	fields := [...]scan.JSONField{{Path: []string{"plan_id"}}, {Path: []string{"tasks"}}}
	if text == "" || !scan.JSONFields(text, fields[:]) {
		return nil
	}
	plan, _ := scan.JSONText(fields[0].Value)
	var plans []string
	tasks := scan.JSONArray{Rest: fields[1].Value}
	for task, ok := tasks.Next(); ok; task, ok = tasks.Next() {
		if status, _ := scan.JSONValue(task, "status"); !scan.JSONStringIs(status, "in_progress") {
			continue
		}
		own, of := scan.JSONTextAt(task, "plan_id"), plan
		if own != "" {
			of = own
		}
		if of != "" && !slices.Contains(plans, of) {
			plans = append(plans, of)
		}
	}
	return plans
}

// SessionStuck says which task of an open plan has failed as often as it may, by the text of a current-session.json, "" for none: a
// capture notes there how often. What STATE.md has a gate of is told by that.
func SessionStuck(text string, phases []Phase, s *State) string {
	fields := [...]scan.JSONField{{Path: []string{"plan_id"}}, {Path: []string{"tasks"}}}
	if text == "" || !scan.JSONFields(text, fields[:]) {
		return ""
	}
	plan, _ := scan.JSONText(fields[0].Value)
	tasks := scan.JSONArray{Rest: fields[1].Value}
	for task, ok := tasks.Next(); ok; task, ok = tasks.Next() {
		if status, _ := scan.JSONValue(task, "status"); !scan.JSONStringIs(status, "failure") {
			continue
		}
		attempts, _ := scan.JSONValue(task, "attempts")
		number, ok := scan.JSONNumber(attempts)
		if !ok || number < MaxAttempts {
			continue
		}
		n := int(min(number, 1<<20))
		name, of := scan.JSONTextAt(task, "task_name"), plan
		if own := scan.JSONTextAt(task, "plan_id"); own != "" {
			of = own
		}
		if name == "" || !openPlan(phases, of) || s.Task.Gate != "" && name == s.Task.Name && SamePlan(of, s.Task.Plan, s.Task.Phase) {
			continue
		}
		return name + " " + Failed(line.Decimal(n))
	}
	return ""
}

// openPlan reports whether the tree has a plan, and no summary of it.
func openPlan(phases []Phase, id string) bool {
	for i := range phases {
		for _, plan := range phases[i].Plans {
			if SamePlan(plan.ID, id, "") {
				return !plan.Done
			}
		}
	}
	return false
}
