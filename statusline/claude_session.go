package statusline

import (
	"gatehouse/model/line"
	"gatehouse/parse/text/scan"
)

// sessionParts are the parts of a line about an agent's session: text has all of them with a separator, ends where each ends.
type sessionParts struct {
	text []byte
	ends [7]int
	n    int // how many parts are shown
}

// describeSession returns what an agent says about its session besides what GSD's layout shows, in the order in which it is
// shown: name, effort, worktree, pull request, cost, and rate limits from 80 % on. now is in seconds since 1970, or 0.
func describeSession(a *Agent, memory []byte, now int64) (parts sessionParts) {
	const limit = 1e9 // of numbers that make sense
	parts.text = memory[:0]
	text := func(field int) string {
		value, _ := scan.JSONText(a.session[field-fieldName])
		return value
	}
	number := func(field int) float64 {
		value, _ := scan.JSONNumber(a.session[field-fieldName])
		return value
	}
	add := func(before, value, after string) {
		start := len(parts.text)
		if start > 0 {
			parts.text = append(parts.text, " · "...)
		}
		parts.text = append(parts.text, before...)
		end := len(parts.text)
		if parts.text = line.AppendForeign(parts.text, value, line.ShortCols); len(parts.text) == end {
			parts.text = parts.text[:start]
			return
		}
		parts.text = append(parts.text, after...)
		parts.ends[parts.n] = len(parts.text)
		parts.n++
	}
	add("", text(fieldName), "")
	add("", text(fieldEffort), " effort")
	add("worktree ", text(fieldWorktree), "")
	if pr := number(fieldPR); pr >= 1 && pr < limit {
		add("PR ", scan.TrimSpace("#"+digits(int(pr))+" "+replaceAll(text(fieldReview), "_", " ")), "")
	}
	if cost := number(fieldCost); cost >= 0.005 && cost < limit {
		cents := int(roundProduct(cost, 100))
		add("$", digits(cents/100)+"."+digits(cents/10%10)+digits(cents%10), "")
	}
	for i, name := range [...]string{"5h ", "7d "} {
		if used := number(fieldLimits + 2*i); used >= 80 && used < limit {
			add(name, digits(int(used)), "%"+untilReset(number(fieldLimits+2*i+1), now))
		}
	}
	return parts
}

// untilReset says in how many minutes or hours a rate limit starts again, "" if that is unknown or over.
func untilReset(resets float64, now int64) string {
	minutes := (resets - float64(now) + 59) / 60
	switch {
	case now == 0 || minutes < 1 || minutes > 1e6:
		return ""
	case minutes < 120:
		return " resets in " + digits(int(minutes)) + "m"
	}
	return " resets in " + digits(int(minutes/60)) + "h"
}

// SameStatus reports whether two inputs of an agent differ at most in how long its session has been running.
func SameStatus(a, b string) bool { return withoutTimes(a) == withoutTimes(b) }

// withoutTimes returns an agent's input with the session's running times set to 0.
func withoutTimes(input string) string {
	for _, name := range [...]string{"total_duration_ms", "total_api_duration_ms"} {
		field := [...]scan.JSONField{{Path: []string{"cost", name}}}
		if scan.JSONFields(input, field[:]) && field[0].Value != "" {
			at := field[0].At()
			input = input[:at] + "0" + input[at+len(field[0].Value):]
		}
	}
	return input
}
