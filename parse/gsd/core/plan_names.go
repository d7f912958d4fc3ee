package core

import (
	"slices"

	"gatehouse/parse/doc"
)

// PlanFile is a plan as its directory shows it.
type PlanFile struct {
	Name    string // "03-02-PLAN.md", or "plans/PLAN-02-api.md" in the nested layout
	ID      string // "03-02"; the name without its ending if it has no number
	Summary string // the file that closes the plan, "" without one
}

// PairPlans returns the plans among the files of a phase directory and of its folder plans/, in the order of their names. As for
// GSD, any Markdown file with "plan" in its name is a plan, unless it is a summary, an outline or a review.
func PairPlans(phase PhaseID, files, nested []string) (plans []PlanFile) {
	pair := func(dir string, files []string, isPlan, isSummary func(name string) bool) {
		exists := make(map[string]bool, len(files))
		for _, name := range files {
			exists[name] = isSummary(name)
		}
		for _, name := range files {
			if !isPlan(name) {
				continue
			}
			p := PlanFile{Name: dir + name, ID: planID(phase, name)}
			if at := nestedNumber(name, "PLAN-"); dir != "" {
				p.ID = phase.Text + "-" + name[at:at+doc.CountDigits(name[at:])]
			}
			for _, summary := range summaryNames(name) {
				if exists[summary] && summary != name {
					p.Summary = dir + summary
					break
				}
			}
			plans = append(plans, p)
		}
	}
	pair("", files, IsPlan, IsSummary)
	pair("plans/", nested, IsNestedPlan, isNestedSummary)
	return plans
}

// IsPlan reports whether a file of a phase directory is a plan.
func IsPlan(name string) bool { return mayBePlan(name) && indexFold(name, "plan") >= 0 }

// IsNestedPlan reports whether a file of plans/ is a plan: "PLAN-1….md" or "…-PLAN-1….md".
func IsNestedPlan(name string) bool { return mayBePlan(name) && nestedNumber(name, "PLAN-") >= 0 }

func mayBePlan(name string) bool {
	isDraft := slices.ContainsFunc([]string{"-outline.md", ".pre-bounce.md", "-plan-review.md"}, func(end string) bool { return hasSuffixFold(name, end) })
	return hasSuffixFold(name, ".md") && !IsSummary(name) && !isDraft
}

// IsSummary reports whether a file of a phase directory is a summary.
func IsSummary(name string) bool { return name == "SUMMARY.md" || doc.HasSuffix(name, "-SUMMARY.md") }

func isNestedSummary(name string) bool { return nestedNumber(name, "SUMMARY-") >= 0 }

// nestedNumber returns the offset of the number after a mark at the start of a name or after a "-", -1 without one.
func nestedNumber(name, mark string) int {
	if at := indexFold("-"+name, "-"+mark); at >= 0 && isDigit(byteAt(name, at+len(mark))) {
		return at + len(mark)
	}
	return -1
}

// summaryNames returns the names that close a plan: its own with SUMMARY in place of the first "plan", or with -SUMMARY appended; the
// numbers alone for "68-01-name-PLAN.md", of two digits each.
func summaryNames(plan string) []string {
	stem := plan[:len(plan)-len(".md")]
	i := indexFold(stem, "plan")
	names := []string{plan[:i] + "SUMMARY" + plan[i+len("plan"):], stem + "-SUMMARY.md"}
	if phase, number, ok := splitPlan(stem); ok && doc.CountDigits(number) == 2 && doc.CountDigits(phase.Text) > 1 {
		names = append(names, phase.Text+"-"+number+"-SUMMARY.md")
	}
	return names
}

// planID returns the phase and the number of a plan, "03-02".
func planID(phase PhaseID, name string) string {
	if before, rest, ok := doc.Cut(name, "-PLAN-"); ok && doc.CountDigits(rest) > 0 {
		return before + "-" + rest[:doc.CountDigits(rest)]
	}
	if rest := cutPrefix(name, phase.Text+"-"); rest != name && doc.CountDigits(rest) > 0 {
		return phase.Text + "-" + rest[:planNumberLength(rest)]
	}
	if of, plan, ok := splitPlan(name); ok {
		return of.Text + "-" + plan
	}
	return cutSuffix(name[:len(name)-len(".md")], "-PLAN")
}

// splitPlan parses the phase and the number of a plan at the start of a name: "3-1-api", "03-01-PLAN.md", "02-01-03".
func splitPlan(name string) (phase PhaseID, plan string, ok bool) {
	phase, rest, ok := ParsePhaseID(name)
	if n := planNumberLength(cutPrefix(rest, "-")); ok && n > 0 && rest[0] == '-' {
		return phase, rest[1 : 1+n], true
	}
	if len(phase.segments) == 0 {
		return phase, "", false
	}
	cut := doc.LastIndex(phase.Text, "-") // "03-01" reads like a phase of two numbers; the last one is the plan's
	plan = phase.Text[cut+1:]
	phase, _, ok = ParsePhaseID(phase.Text[:cut])
	return phase, plan, ok
}

// planNumberLength returns the length of a plan's number, "02" or "12a", at the start of s.
func planNumberLength(s string) int {
	n := doc.CountDigits(s)
	if n > 0 && isLetter(byteAt(s, n)) && !isAlphanumeric(byteAt(s, n+1)) {
		n++
	}
	return n
}

// PlanKey makes plan numbers comparable: "3-1", "03-01", "phases/03-x/03-01-PLAN.md" and, within phase 3, "01" and "Plan 01" are the
// same plan.
func PlanKey(phase PhaseID, id string) string {
	id = cutSuffix(cutSuffix(baseName(id), ".md"), "-PLAN")
	if len(id) > len("plan ") && (hasPrefixFold(id, "plan ") || hasPrefixFold(id, "plan-")) {
		id = doc.Trim(id[len("plan "):])
	}
	if n := planNumberLength(id); n > 0 && n == len(id) {
		return phase.Key + "/" + doc.Lower(trimZeros(id))
	}
	if of, plan, ok := splitPlan(id); ok {
		return of.Key + "/" + doc.Lower(trimZeros(plan))
	}
	return id
}

// FindPlanNumber returns the first number of a plan in a sentence, "02-01" in "02-01-PLAN.md: checkpoint reached", and its phase; ""
// without one. A date is not the number of a plan.
func FindPlanNumber(text string) (phase, plan string) {
	for i := 0; i < len(text); i++ {
		if !isDigit(text[i]) || i > 0 && isAlphanumeric(text[i-1]) {
			continue
		}
		phase := leadingPhaseNumber(text[i:])
		end := i + len(phase)
		if byteAt(text, end) != '-' {
			continue
		}
		if len(phase) >= len("2026") {
			for i < len(text) && (text[i] == '-' || isAlphanumeric(text[i])) {
				i++
			}
			continue
		}
		if n := doc.CountDigits(text[end+1:]); n == 2 && !isAlphanumeric(byteAt(text, end+3)) {
			return phase, text[i : end+3]
		}
	}
	return "", ""
}

// leadingPhaseNumber returns the number of a phase that a text begins with, "4.5" of "4.5 of 7 (Name)"; "" without one.
func leadingPhaseNumber(text string) string {
	end := doc.CountDigits(text)
	for end > 0 && (isAlphanumeric(byteAt(text, end)) || byteAt(text, end) == '.' && isAlphanumeric(byteAt(text, end+1))) {
		end++
	}
	return text[:end]
}
