// What the session at work says to the line.

package rules

import (
	"slices"

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
