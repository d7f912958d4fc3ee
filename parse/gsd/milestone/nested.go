package milestone

// Plans in the folder plans/ of a phase: "PLAN-01-name.md", closed by "SUMMARY-01-name.md".

// IsNestedPlan reports whether a file of plans/ is a plan by its name: "PLAN-1….md" or "…-PLAN-1….md", in any case.
func IsNestedPlan(name string) bool {
	return hasSuffixFold(name, ".md") && !hasSuffixFold(name, "-outline.md") && !hasSuffixFold(name, ".pre-bounce.md") && !IsSummary(name) && NestedNumber(name, "PLAN-") >= 0
}

// NestedNumber returns where the number begins behind mark, in any case, at the start of the name or behind a "-"; -1 without it.
func NestedNumber(name, mark string) int {
	for i := 0; i+len(mark) < len(name); i++ {
		if end := i + len(mark); equalFold(name[i:end], mark) && (i == 0 || name[i-1] == '-') && isDigit(name[end]) {
			return end
		}
	}
	return -1
}

// nestedSummaries yields the names of the summaries of which any closes a plan of plans/.
func nestedSummaries(plan string) func(yield func(string) bool) {
	return func(yield func(string) bool) {
		for summary := range closers(plan) {
			if NestedNumber(summary, "SUMMARY-") >= 0 && !yield(summary) {
				return
			}
		}
	}
}

// NestedPlans yields the plans among the names of a folder plans/, each with the summary that closes it, "" without one.
func NestedPlans(names []string) func(yield func(plan, summary string) bool) {
	return pairs(names, IsNestedPlan, nestedSummaries)
}
