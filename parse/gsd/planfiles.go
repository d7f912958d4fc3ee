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
func pairPlans(phase phaseID, files, nested []string) (plans []planFile) {
	for name, summary := range milestone.Plans(files) {
		plans = append(plans, planFile{name: name, id: planID(phase, name), summary: summary})
	}
	for name, summary := range milestone.NestedPlans(nested) {
		p := planFile{name: "plans/" + name, id: nestedID(phase, name)}
		if summary != "" {
			p.summary = "plans/" + summary
		}
		plans = append(plans, p)
	}
	return plans
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
