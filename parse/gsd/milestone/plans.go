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

// Summaries yields the names of the summaries of which any closes a plan: its own name with SUMMARY for the first PLAN, in any
// case, or with -SUMMARY behind; "3-01-SUMMARY.md" of "3-PLAN-01-name.md"; and that of the numbers alone of
// "68-01-name-PLAN.md".
func Summaries(plan string) func(yield func(string) bool) {
	return func(yield func(string) bool) {
		for name := range closers(plan) {
			if IsSummary(name) && name != plan && !yield(name) {
				return
			}
		}
	}
}

// closers yields the names that would close a plan, of which some may be no summaries.
func closers(plan string) func(yield func(string) bool) {
	return func(yield func(string) bool) {
		stem := plan[:len(plan)-len(".md")]
		const mark, between = "plan", "-plan-"
		if i := indexFold(stem, mark); i >= 0 && !yield(plan[:i]+"SUMMARY"+plan[i+len(mark):]) {
			return
		}
		if !yield(stem + "-SUMMARY.md") {
			return
		}
		if phase, end := scan.Digits(stem, 0); phase != "" && hasPrefixFold(stem[end:], between) {
			if number, _ := scan.Digits(stem, end+len(between)); number != "" && !yield(phase+"-"+number+"-SUMMARY.md") {
				return
			}
		}
		if id := numbers(stem); id != "" {
			yield(id + "-SUMMARY.md")
		}
	}
}

// numbers returns the first two parts of a plan's name that are the numbers of a phase and a plan: "68-01", "3A-02.1". A bare
// digit is none, nor is a year the number of a plan.
func numbers(stem string) string {
	if hasSuffixFold(stem, "-plan") {
		stem = stem[:len(stem)-len("-plan")]
	}
	phase := ""
	for i := 0; i < len(stem); {
		end := i
		for end < len(stem) && stem[end] != '-' {
			end++
		}
		if part := stem[i:end]; part != "" {
			switch {
			case phase != "":
				if isNumber(part, 2) {
					return phase + "-" + part
				}
				return ""
			case isNumber(part, len(part)):
				phase = part
			}
		}
		i = end + 1
	}
	return ""
}

// isNumber reports whether a part of a name is a number: two digits, and up to as many as most, with a letter behind or not, or
// one with a letter; and decimals.
func isNumber(part string, most int) bool {
	digits, end := scan.Digits(part, 0)
	letter := isLetter(at(part, end))
	if letter {
		end++
	}
	if len(digits) == 0 || len(digits) == 1 && !letter || len(digits) > max(most, 1) {
		return false
	}
	return decimals(part, end) == len(part)
}

// Plans yields the plans among the names of a phase's directory, each with the summary that closes it, "" without one.
func Plans(names []string) func(yield func(plan, summary string) bool) {
	return pairs(names, IsPlan, Summaries)
}

// pairs yields the names that are plans, each with the first of its summaries that is among the names, "" without one.
func pairs(names []string, isPlan func(string) bool, summaries func(string) func(func(string) bool)) func(yield func(plan, summary string) bool) {
	return func(yield func(string, string) bool) {
		have := make(map[string]bool, len(names))
		for _, name := range names {
			have[name] = true
		}
		for _, name := range names {
			if !isPlan(name) {
				continue
			}
			closed := ""
			for summary := range summaries(name) {
				if have[summary] {
					closed = summary
					break
				}
			}
			if !yield(name, closed) {
				return
			}
		}
	}
}

func hasSuffix(s, suffix string) bool {
	return len(s) >= len(suffix) && s[len(s)-len(suffix):] == suffix
}

func hasSuffixFold(s, suffix string) bool {
	return len(s) >= len(suffix) && equalFold(s[len(s)-len(suffix):], suffix)
}
