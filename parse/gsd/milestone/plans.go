package milestone

import "gatehouse/parse/text/scan"

// IsPlan reports whether a file of a phase's directory is a plan by its name. As for GSD, any Markdown with "plan" in its
// name is one that is no summary, outline or review.
func IsPlan(name string) bool {
	if !hasSuffixFold(name, ".md") || IsSummary(name) {
		return false
	}
	for _, other := range [...]string{"-outline.md", ".pre-bounce.md", "-plan-review.md"} {
		if hasSuffixFold(name, other) {
			return false
		}
	}
	return containsFold(name, "plan")
}

// IsSummary reports whether a file of a phase's directory is a summary by its name.
func IsSummary(name string) bool { return name == "SUMMARY.md" || hasSuffix(name, "-SUMMARY.md") }

// Summaries yields the names of the summaries of which any closes a plan: its own name with SUMMARY for PLAN, or with it
// behind, "01-02-SUMMARY.md" of "01-PLAN-02-name.md", and that of the number alone of "01-02-name-PLAN.md".
func Summaries(plan string) func(yield func(string) bool) {
	return func(yield func(string) bool) {
		stem := plan[:len(plan)-len(".md")]
		const mark = "PLAN"
		for i := 0; i+len(mark) <= len(plan); i++ {
			if plan[i:i+len(mark)] == mark {
				if !yield(plan[:i] + "SUMMARY" + plan[i+len(mark):]) {
					return
				}
				break
			}
		}
		if !yield(stem + "-SUMMARY.md") {
			return
		}
		for i := 0; i+len("-PLAN-") < len(plan); i++ {
			if number, _ := scan.Digits(plan, i+len("-PLAN-")); plan[i:i+len("-PLAN-")] == "-PLAN-" && number != "" {
				if !yield(plan[:i] + "-" + number + "-SUMMARY.md") {
					return
				}
				break
			}
		}
		_, end := scan.Digits(plan, 0)
		end = decimals(plan, end)
		if number, after := scan.Digits(plan, end+1); end > 0 && at(plan, end) == '-' && number != "" && at(plan, after) == '-' {
			yield(plan[:after] + "-SUMMARY.md")
		}
	}
}

// Open returns the first plan among the names of a phase's directory that no summary closes, "" without one.
func Open(names []string) (plan string) {
	for _, name := range names {
		if IsPlan(name) && !closedBy(name, names) {
			return name
		}
	}
	return ""
}

func closedBy(plan string, names []string) bool {
	for summary := range Summaries(plan) {
		for _, name := range names {
			if name == summary && IsSummary(name) && name != plan {
				return true
			}
		}
	}
	return false
}

func hasSuffix(s, suffix string) bool {
	return len(s) >= len(suffix) && s[len(s)-len(suffix):] == suffix
}

func hasSuffixFold(s, suffix string) bool {
	return len(s) >= len(suffix) && equalFold(s[len(s)-len(suffix):], suffix)
}
