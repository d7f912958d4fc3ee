package statusline

import (
	"gatehouse/model/line"
	"gatehouse/parse/text/scan"
)

// sessionPartCount is how many parts the line of a session has at most, see sessionParts.
const sessionPartCount = 7

// limitShown is the percentage from which on a rate limit is shown.
const limitShown = 80

// Session is what Claude Code knows about a session besides what GSD's layout shows. Absent values are "" or 0.
type Session struct {
	Name     string       // session_name
	Effort   string       // effort.level
	Worktree string       // worktree.name
	PR       float64      // pr.number
	Review   string       // pr.review_state
	Cost     float64      // cost.total_cost_usd
	Limits   [2]RateLimit // rate_limits.five_hour and seven_day
}

// RateLimit is how much of a rate limit is used in percent, and the time in seconds since 1970 at which it starts again.
type RateLimit struct{ Used, Resets float64 }

// parseSession reads the fields from fieldName on.
func parseSession(fields []scan.JSONField) (s Session) {
	text := func(field int) string {
		value, _ := scan.JSONText(fields[field].Value)
		return value
	}
	number := func(field int) float64 {
		value, _ := scan.JSONNumber(fields[field].Value)
		return value
	}
	s.Name, s.Effort, s.Worktree, s.Review = text(fieldName), text(fieldEffort), text(fieldWorktree), text(fieldReview)
	s.PR, s.Cost = number(fieldPR), number(fieldCost)
	for i := range s.Limits {
		s.Limits[i] = RateLimit{number(fieldLimits + 2*i), number(fieldLimits + 2*i + 1)}
	}
	return s
}

// sessionParts returns the texts for what is known of a session, in the order in which they are shown. now is the time in
// seconds since 1970, or 0.
func (pg *AgentPage) sessionParts(s *Session, now int64) (parts [sessionPartCount][]byte, n int) {
	const limit = 1e9 // of numbers that make sense
	add := func(before, value, after string) {
		text := append(pg.texts[pg.used:pg.used], before...)
		text = line.AppendForeign(text, value, line.ShortCols)
		if len(text) > len(before) {
			parts[n] = pg.keep(append(text, after...))
			n++
		}
	}
	if s.Name != "" {
		add("", s.Name, "")
	}
	if s.Effort != "" {
		add("", s.Effort, " effort")
	}
	if s.Worktree != "" {
		add("worktree ", s.Worktree, "")
	}
	if s.PR >= 1 && s.PR < limit {
		add("PR ", scan.TrimSpace("#"+digits(int(s.PR))+" "+replaceAll(s.Review, "_", " ")), "")
	}
	if s.Cost > 0 && s.Cost < limit {
		if cents := int(roundProduct(s.Cost, 100)); cents > 0 {
			add("$", digits(cents/100)+"."+digits(cents/10%10)+digits(cents%10), "")
		}
	}
	for i, name := range [...]string{"5h ", "7d "} {
		if l := s.Limits[i]; l.Used >= limitShown && l.Used < limit {
			add(name, digits(int(l.Used)), "%"+untilReset(l.Resets, now))
		}
	}
	return parts, n
}

// untilReset says in how many minutes, hours or days a rate limit starts again, "" if that is unknown or over.
func untilReset(resets float64, now int64) string {
	const day = 24 * 60
	if !(now > 0 && resets > float64(now) && resets < 1e18) {
		return ""
	}
	switch minutes := (int(resets) - int(now) + 59) / 60; {
	case minutes < 60:
		return " resets in " + digits(minutes) + "m"
	case minutes < 2*day:
		return " resets in " + digits(minutes/60) + "h"
	default:
		return " resets in " + digits(minutes/day) + "d"
	}
}
