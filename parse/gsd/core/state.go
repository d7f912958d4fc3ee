package core

import (
	"gatehouse/model/line"
	"gatehouse/parse/doc"
)

// State is a STATE.md: a claim about the project's position.
type State struct {
	Raw  line.GSD // as the prompt reads it, byte order mark and all
	Line line.GSD // the same without the byte order mark

	Declared    string // the version of the milestone as GSD's tools read it
	Phase       string // current_phase, else "Phase: N" of the body
	Plan        string // current_plan
	LastUpdated string
	Status      Statement
	BodyStatus  Statement
	BodyPlan    Statement
	StoppedAt   Statement
	PausedAt    Statement
	LastSession string
	ResumeFile  string // "" for none
	Progress    map[string]int
	PercentLine int
	Blockers    []StateBlocker
	Decisions   []string
	CoreValue   string
	Focus       string
	Metrics     []Metric
	Shipped     []ShippedMilestone // milestones that it calls shipped
}

// Statement is a text of a file with its line.
type Statement struct {
	Text string
	Line int
}

// StateBlocker is an item of the blockers.
type StateBlocker struct {
	Text      string
	Phase     string // of the prefix "[Phase 2]: …"
	Line      int
	IsConcern bool // under "Blockers/Concerns" of GSD's template, not under "Blockers"
}

// Metric is a figure of the section "Performance Metrics".
type Metric struct{ Label, Value string }

const (
	maxDecisions     = 50
	maxStateBlockers = 500
	maxStateMetrics  = 50
)

var progressKeys = [...]string{"total_phases", "completed_phases", "total_plans", "completed_plans", "percent"}

// ParseState parses a STATE.md.
func ParseState(text string) (*State, error) {
	d, err := ParseDocument(text, "status", "current_phase", "current_plan", "last_updated", "stopped_at", "paused_at", "progress")
	s := &State{
		Raw: ParseLine(text), Declared: DeclaredVersion(text), Phase: d.Field("current_phase"), Plan: d.Field("current_plan"),
		LastUpdated: d.firstText(d.Front.Root(), "last_updated", "last_activity"), Progress: map[string]int{}, PercentLine: d.Line("progress", "percent"),
		Status: Statement{d.Field("status"), d.Line("status")}, StoppedAt: Statement{d.Field("stopped_at"), d.Line("stopped_at")}, PausedAt: Statement{d.Field("paused_at"), d.Line("paused_at")},
	}
	if s.Line = s.Raw; doc.HasPrefix(text, doc.ByteOrderMark) {
		s.Line = ParseLine(text[len(doc.ByteOrderMark):])
	}
	for _, key := range progressKeys {
		value := cutSuffix(d.Field("progress", key), "%")
		if n := doc.CountDigits(value); n > 0 && n == len(value) {
			s.Progress[key] = parseNumber(value)
		}
	}
	s.parseBody(&d)
	return s, err
}

// parseBody parses the sections below the frontmatter. The first of several fields with one name counts, as for the line.
func (s *State) parseBody(d *Document) {
	section, level := "", 0
	for l := range d.Lines() {
		if l.Code || l.Comment {
			continue
		}
		if l.Level > 0 {
			if name := stateSection(l.Title); name != "" {
				section, level = name, l.Level
			} else if l.Level <= level {
				section, level = "", 0
			}
			continue
		}
		if m, ok := parseShippedLine(l.Text); ok && len(s.Shipped) < maxMilestones {
			s.Shipped = append(s.Shipped, m)
		}
		item, indent, isItem := doc.ParseItem(l.Text)
		switch {
		case isItem && (section == "blockers" || section == "concerns"):
			s.addBlocker(item, section == "concerns", l.Number)
			continue
		case isItem && section == "decisions" && indent == 0 && len(s.Decisions) < maxDecisions && !SaysNothing(doc.StripMarks(item)):
			s.Decisions = append(s.Decisions, doc.StripMarks(item))
			continue
		case section == "metrics":
			s.addMetric(l.Text)
		}
		if key, value, ok := parseBodyField(l.Text); ok && (!isItem || section == "position") {
			s.addField(key, Statement{value, l.Number})
		}
	}
}

// stateSection returns the name of a section that is read, "" for other headings.
func stateSection(title string) string {
	switch title = doc.Lower(title); {
	case doc.HasPrefix(title, "blockers") && doc.Contains(title, "concern"):
		return "concerns"
	case doc.HasPrefix(title, "blockers"):
		return "blockers"
	case title == "current position":
		return "position"
	case hasAnyPrefix(title, "decisions", "key decisions"):
		return "decisions"
	case doc.HasPrefix(title, "performance metrics"):
		return "metrics"
	}
	return ""
}

func (s *State) addField(key string, value Statement) {
	set := func(to *Statement) {
		if to.Text == "" {
			*to = value
		}
	}
	switch key {
	case "Phase":
		if id, _, ok := ParsePhaseID(value.Text); ok && s.Phase == "" {
			s.Phase = id.Text
		}
	case "Stopped at":
		set(&s.StoppedAt)
	case "Status":
		set(&s.BodyStatus)
		if s.Status.Line == 0 {
			s.Status.Line = value.Line
		}
	case "Plan":
		set(&s.BodyPlan)
	case "Core value":
		s.CoreValue = firstVisible(s.CoreValue, value.Text)
	case "Current focus":
		s.Focus = firstVisible(s.Focus, value.Text)
	case "Last session":
		if s.LastSession == "" {
			s.LastSession, _, _ = doc.Cut(value.Text, " ")
		}
	case "Resume file":
		if s.ResumeFile == "" && !SaysNothing(value.Text) {
			s.ResumeFile = trim(value.Text, "`")
		}
	}
}

// firstVisible returns the first text that is not a placeholder of GSD's template, "[One-liner from …]".
func firstVisible(texts ...string) string {
	for _, text := range texts {
		if isVisible(text) && text[0] != '[' {
			return text
		}
	}
	return ""
}

// addBlocker adds an item of the blockers. "None", and a checked or struck-through item, does not count.
func (s *State) addBlocker(item string, isConcern bool, line int) {
	box, isChecked, isBox := doc.ParseCheckBox("- " + item)
	if isBox {
		item = box
	}
	text := doc.StripMarks(item)
	if isChecked || doc.HasPrefix(item, "~~") || SaysNothing(text) || len(s.Blockers) == maxStateBlockers {
		return
	}
	b := StateBlocker{Text: text, Line: line, IsConcern: isConcern}
	if tag, rest, ok := doc.Cut(text, "]"); ok && text[0] == '[' {
		if id, isID := parsePhaseReference(tag[1:]); isID {
			b.Phase, b.Text = id.Text, trimLeft(rest, ": ")
		}
	}
	s.Blockers = append(s.Blockers, b)
}

// addMetric takes a field of "Performance Metrics".
func (s *State) addMetric(text string) {
	if len(s.Metrics) == maxStateMetrics {
		return
	}
	if key, value, ok := parseBodyField(text); ok && key[0] != '|' && isVisible(value) && !SaysNothing(value) && value[0] != '[' {
		s.Metrics = append(s.Metrics, Metric{doc.Lower(key), doc.StripMarks(value)})
	}
}

// IsPaused reports whether work was paused according to the file, and why.
func (s *State) IsPaused() (reason Statement, ok bool) {
	if s.PausedAt.Text != "" {
		return s.PausedAt, true
	}
	if word := firstWord(s.Line.Status); word == "paused" || word == "stopped" {
		return Statement{s.StoppedAt.Text, s.Status.Line}, true
	}
	return Statement{}, false
}

// IsBlocked reports whether work can't continue according to the file: its status, in frontmatter or body, begins with
// such a word.
func (s *State) IsBlocked() (reason Statement, ok bool) {
	for _, statement := range [...]Statement{s.BodyStatus, {s.Line.Status, s.Status.Line}} {
		if isOneOf(firstWord(statement.Text), "blocked", "error", "failed") {
			return statement, true
		}
	}
	return Statement{}, false
}

// firstWord returns the first word of a status in lower case.
func firstWord(text string) string {
	if all := splitWords(text); len(all) > 0 {
		return all[0]
	}
	return ""
}

// Activity returns the activity of the current phase according to the file: "planning", "executing", "verifying" or "".
func (s *State) Activity() string {
	for _, status := range [...]string{s.BodyStatus.Text, s.Line.Status} {
		for _, word := range [...][2]string{{"planning", "planning"}, {"ready to plan", "planning"}, {"verif", "verifying"}, {"execut", "executing"}, {"in progress", "executing"}} {
			if line.ContainsFold(status, word[0]) {
				return word[1]
			}
		}
	}
	return ""
}

// ClaimsComplete reports whether the file calls the milestone complete. GSD writes "completed" into the frontmatter
// when the body has "Phase 10 complete", which claims nothing about the milestone: the words of the body decide.
func (s *State) ClaimsComplete() bool {
	if scene, _ := s.Line.Scene(); scene == 3 {
		return true
	}
	if s.Line.ActivePhase != "" || !SaysComplete(s.Line.Status) {
		return false
	}
	return s.BodyStatus.Text == "" || line.ContainsFold(s.Line.Status, "milestone") || SaysComplete(s.BodyStatus.Text)
}

// ClaimsEnd reports whether the file calls the milestone complete, shipped or closed.
func (s *State) ClaimsEnd() bool {
	return s.ClaimsComplete() || s.AwaitsNext() || s.saysOver(meantVersion(s.Declared))
}

// AwaitsNext reports whether the file awaits the next milestone.
func (s *State) AwaitsNext() bool {
	return awaitsNextMilestone(s.Line.Status) || awaitsNextMilestone(s.BodyStatus.Text)
}

// saysOver reports whether the file calls its milestone shipped or closed. The body, and the last session's position,
// may be older than a status of ongoing work; and the last session's position has to name the version.
func (s *State) saysOver(version string) bool {
	if saysOver(s.Line.Status, version) {
		return true
	}
	return !isAtWork(s.Line.Status) && (saysOver(s.BodyStatus.Text, version) || version != "" && indexFold(s.StoppedAt.Text, version) >= 0 && saysOver(s.StoppedAt.Text, version))
}

// waitingStatements returns the statements that may announce a wait for a human, the best evidence first.
func (s *State) waitingStatements() []Statement {
	return []Statement{s.BodyStatus, {s.Line.Status, s.Status.Line}, s.BodyPlan, s.StoppedAt}
}

// parseSeconds returns a time as written in seconds since 1970; 0 if it is unknown.
func parseSeconds(text string) int64 {
	s, ok := doc.ParseSeconds(trim(text, "\"' "))
	if !ok {
		return 0
	}
	return s
}

// handOverGrace is how many seconds older than STATE.md a signal may be and still be current: the command that pauses writes the one
// first and the other when it is done.
const handOverGrace = 10 * 60

// isBefore reports whether a time as written is before another one, with the grace. A day without a time is not before
// any time of that day, and an unknown time is before none.
func isBefore(text string, other int64) bool {
	at := parseSeconds(text)
	if at != 0 && len(trim(text, "\"' ")) == len("2026-01-02") {
		at += 24 * 60 * 60
	}
	return at != 0 && other != 0 && at+handOverGrace < other
}
