package statusline

import (
	"gatehouse/model/line"
	"gatehouse/parse/doc"
)

// describeSession returns the session details that GSD's layout lacks, in display order: name, effort, worktree, pull
// request, cost, and rate limits from 80 % on. now is in seconds since 1970, or 0.
func describeSession(root doc.Value, now int64) (parts []string) {
	const limit = 1e9 // of plausible numbers
	number := func(path ...string) float64 {
		n, _ := root.Get(path...).Number()
		return n
	}
	add := func(before, value, after string) {
		if text := line.AppendForeign(nil, value, line.ShortCols); len(text) > 0 {
			parts = append(parts, before+string(text)+after)
		}
	}
	add("", root.Get("session_name").Text(), "")
	add("", root.Get("effort", "level").Text(), " effort")
	add("worktree ", root.Get("worktree", "name").Text(), "")
	if pr := number("pr", "number"); pr >= 1 && pr < limit {
		add("PR ", doc.Trim("#"+line.Decimal(int(pr))+" "+doc.ReplaceAll(root.Get("pr", "review_state").Text(), "_", " ")), "")
	}
	if cost := number("cost", "total_cost_usd"); cost >= 0.005 && cost < limit {
		cents := int(roundProduct(cost, 100))
		add("$", line.Decimal(cents/100)+"."+line.Decimal(cents/10%10)+line.Decimal(cents%10), "")
	}
	for _, window := range [...]struct{ name, label string }{{"five_hour", "5h "}, {"seven_day", "7d "}} {
		if used := number("rate_limits", window.name, "used_percentage"); used >= 80 && used < limit {
			add(window.label, line.Decimal(int(used)), "%"+untilReset(number("rate_limits", window.name, "resets_at"), now))
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
		return " resets in " + line.Decimal(int(minutes)) + "m"
	}
	return " resets in " + line.Decimal(int(minutes/60)) + "h"
}
