package statusline

import (
	"gatehouse/model/line"
	"gatehouse/parse/text/scan"
)

// sessionPartCount is how many parts sessionParts returns at most.
const sessionPartCount = 7

// sessionParts returns what an agent says about its session besides what GSD's layout shows, in the order in which it is shown:
// name, effort, worktree, pull request, cost, and rate limits of which 80 % are used. now is in seconds since 1970, or 0.
func (pg *AgentPage) sessionParts(a *Agent, now int64) (parts [sessionPartCount][]byte, n int) {
	const limit = 1e9 // of numbers that make sense
	text := func(field int) string {
		value, _ := scan.JSONText(a.session[field-fieldName])
		return value
	}
	number := func(field int) float64 {
		value, _ := scan.JSONNumber(a.session[field-fieldName])
		return value
	}
	add := func(before, value, after string) {
		text := append(pg.texts[pg.used:pg.used], before...)
		text = line.AppendForeign(text, value, line.ShortCols)
		if len(text) > len(before) {
			parts[n] = pg.keep(append(text, after...))
			n++
		}
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
	return parts, n
}

// untilReset says in how many minutes, hours or days a rate limit starts again, "" if that is unknown or over.
func untilReset(resets float64, now int64) string {
	const day = 24 * 60
	if !(now > 0 && resets > float64(now) && resets < 1e10) {
		return ""
	}
	switch minutes := int(resets-float64(now)+59) / 60; {
	case minutes < 60:
		return " resets in " + digits(minutes) + "m"
	case minutes < 2*day:
		return " resets in " + digits(minutes/60) + "h"
	default:
		return " resets in " + digits(minutes/day) + "d"
	}
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
