// Which files of a phase's directory are plans, and which summary closes which plan, by their names.

package gsd

import (
	"strings"

	"gatehouse/parse/gsd/milestone"
)

// planFile is a plan as its directory shows it.
type planFile struct {
	name    string // "03-02-PLAN.md", or "plans/PLAN-02-api.md" in the nested layout
	id      string // "03-02"; the name without its ending where it bears no number
	summary string // the file that closes it, "" while there is none
}

// pairPlans finds the plans among the files of a phase directory and of its
// plans/ folder, in the order of their names. A loose name counts as well,
// as it does for GSD: any .md with "plan" in it that is no summary.
func pairPlans(phase phaseID, files, nested []string) []planFile {
	var plans []planFile
	have := map[string]bool{}
	for _, name := range files {
		have[name] = true
	}
	for _, name := range nested {
		have["plans/"+name] = true
	}
	for _, name := range files {
		if isRootPlan(name) {
			p := planFile{name: name, id: planID(phase, name)}
			p.summary = rootSummary(name, have)
			plans = append(plans, p)
		}
	}
	for _, name := range nested {
		if milestone.IsNestedPlan(name) {
			p := planFile{name: "plans/" + name, id: nestedID(phase, name)}
			if s := nestedSummary(name, have); s != "" {
				p.summary = "plans/" + s
			}
			plans = append(plans, p)
		}
	}
	return plans
}

func isRootPlan(name string) bool { return milestone.IsPlan(name) }

func isSummary(name string) bool { return milestone.IsSummary(name) }

func rootSummary(plan string, have map[string]bool) string {
	for c := range milestone.Summaries(plan) {
		if have[c] {
			return c
		}
	}
	return ""
}

// nestedSummary returns the summary that closes a plan in plans/: "SUMMARY-01-name.md" of "PLAN-01-name.md".
func nestedSummary(plan string, have map[string]bool) string {
	for c := range milestone.NestedSummaries(plan) {
		if have["plans/"+c] {
			return c
		}
	}
	return ""
}

// middlePlan splits "01-PLAN-02-foundation.md" into "01" and "02".
func middlePlan(name string) (phase, number string, ok bool) {
	phase, rest, ok := strings.Cut(name, "-PLAN-")
	if !ok || digits(rest) == 0 {
		return "", "", false
	}
	return phase, rest[:digits(rest)], true
}

// planID returns what a plan is known by: phase and number, "03-02".
func planID(phase phaseID, name string) string {
	if p, number, ok := middlePlan(name); ok {
		return p + "-" + number
	}
	if rest, ok := strings.CutPrefix(name, phase.text+"-"); ok && digits(rest) > 0 {
		return phase.text + "-" + rest[:planNumberLen(rest)]
	}
	if id, rest, ok := parsePhaseID(name); ok {
		// A number of two segments is phase and plan here, not a
		// milestone-prefixed phase: the plan's own number is the last.
		if n := digits(strings.TrimPrefix(rest, "-")); strings.HasPrefix(rest, "-") && n > 0 {
			return id.text + rest[:1+planNumberLen(rest[1:])]
		}
		if len(id.sort.segments) > 0 {
			return id.text
		}
	}
	stem := name[:len(name)-len(".md")]
	stem = strings.TrimSuffix(stem, "-PLAN")
	return stem
}

// planNumberLen returns the length of a plan's number, "02" or "12a", at the start of s.
func planNumberLen(s string) int {
	n := digits(s)
	if n > 0 && n < len(s) && isLetter(s[n]) && (n+1 == len(s) || !isLetter(s[n+1]) && !isDigit(s[n+1])) {
		n++
	}
	return n
}

func nestedID(phase phaseID, name string) string {
	at := milestone.NestedNumber(name, "PLAN-")
	return phase.text + "-" + name[at:at+digits(name[at:])]
}
