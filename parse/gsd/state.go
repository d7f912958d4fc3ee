// STATE.md: what the file claims, its blockers and where the session stopped. What the line shows is read by package rules;
// here is the rest.

package gsd

import (
	"strconv"
	"strings"
	"time"

	"gatehouse/model/line"
	"gatehouse/parse/doc"
	"gatehouse/parse/gsd/milestone"
	"gatehouse/parse/gsd/rules"
	"gatehouse/parse/protocol"
	"gatehouse/parse/text/yamldoc"
)

// state is what a STATE.md says.
type state struct {
	raw  line.GSD // as statusline reads it, byte order mark and all
	line line.GSD // as it is meant: without a byte order mark

	declared                              string // the version of the milestone, as GSD's tools read it
	current                               string // current_phase, else the body's "Phase: N"
	currentPlan                           string
	updated                               time.Time
	lastUpdated                           string // the same, as written
	stoppedAt                             string
	bodyStatus                            string    // the body's "Status:", as written
	plan                                  string    // its "Plan:"
	session                               time.Time // its "Last session:"
	resume                                string    // its "Resume file:", "" for none
	planLine, stoppedLine, bodyStatusLine int
	pausedAt                              string
	pausedLine                            int
	statusLine                            int
	percentLine                           int
	progress                              map[string]int // total_phases, completed_phases, total_plans, completed_plans, percent
	blockers                              []stateBlocker
	decisions                             []string // of "Decisions", in the order of the file
	shipped                               []shippedMilestone
}

type stateBlocker struct {
	text    string
	phase   string // the phase it is prefixed with, "[Phase 2]: …"
	line    int
	concern bool // stands in the template's "Blockers/Concerns", not in "Blockers"
}

var stateKeys = []string{
	"status", "current_phase", "current_plan", "last_updated", "stopped_at", "paused_at", "progress",
}

var progressKeys = []string{"total_phases", "completed_phases", "total_plans", "completed_plans", "percent"}

func parseState(text string) (*state, error) {
	d, front, err := protocol.ReadDocument(text, stateKeys...)
	s := &state{
		current:     front.String("current_phase"),
		currentPlan: front.String("current_plan"), lastUpdated: front.String("last_updated"),
		stoppedAt: front.String("stopped_at"), stoppedLine: front.Line("stopped_at"),
		pausedAt: front.String("paused_at"), pausedLine: front.Line("paused_at"),
		statusLine: front.Line("status"),
	}
	s.updated = protocol.ParseTime(s.lastUpdated)
	s.declared = milestone.Declared(text)
	s.raw = rules.ParseState(text)
	s.line = s.raw
	if meant, marked := strings.CutPrefix(text, "\uFEFF"); marked {
		s.line = rules.ParseState(meant)
	}
	s.readProgress(front)
	s.readBody(d)
	return s, err
}

func (s *state) readProgress(front yamldoc.Doc) {
	progress := front.Doc("progress")
	s.progress = map[string]int{}
	for _, key := range progressKeys {
		// A percent may be written "59%".
		v := strings.TrimSuffix(strings.TrimSpace(progress.String(key)), "%")
		if n, err := strconv.Atoi(v); err == nil && n >= 0 {
			s.progress[key] = n
		}
	}
	s.percentLine = progress.Line("percent")
}

// readBody reads the sections. Of several fields of one name the first counts,
// as it does for the line.
func (s *state) readBody(d yamldoc.Document) {
	inBlockers, level, concern := false, 0, false
	decided := 0 // level of the heading "Decisions" that the line is below, 0 for none
	for l := range d.Lines() {
		if l.Code || l.Comment {
			continue
		}
		if l.Level > 0 {
			title := strings.ToLower(l.Title)
			if l.Level <= decided {
				decided = 0
			}
			if strings.HasPrefix(title, "decisions") || strings.HasPrefix(title, "key decisions") {
				decided = l.Level
			}
			switch {
			case strings.HasPrefix(title, "blockers"):
				inBlockers, level, concern = true, l.Level, strings.Contains(title, "concern")
			case l.Level <= level:
				inBlockers = false
			}
			continue
		}
		if m, ok := shippedLine(l.Text); ok && len(s.shipped) < maxMilestones {
			s.shipped = append(s.shipped, m)
		}
		if item, _, ok := doc.ParseItem(l.Text); ok && inBlockers {
			s.blocker(item, concern, l.Number)
			continue
		}
		if item, indent, ok := doc.ParseItem(l.Text); ok && decided > 0 && indent == 0 && len(s.decisions) < maxDecisions && !saysNothing(doc.StripMarks(item)) {
			s.decisions = append(s.decisions, doc.StripMarks(item))
			continue
		}
		key, value, ok := strings.Cut(strings.TrimLeft(l.Text, "* "), ":")
		if !ok {
			continue
		}
		value = strings.TrimSpace(strings.TrimLeft(value, "*"))
		switch strings.TrimRight(key, "*") {
		case "Phase":
			if s.current == "" {
				if id, _, isID := parsePhaseID(value); isID {
					s.current = id.text
				}
			}
		case "Stopped at":
			if s.stoppedAt == "" {
				s.stoppedAt, s.stoppedLine = value, l.Number
			}
		case "Status":
			if s.bodyStatus == "" {
				s.bodyStatus, s.bodyStatusLine = value, l.Number
			}
			if s.statusLine == 0 {
				s.statusLine = l.Number
			}
		case "Plan":
			if s.plan == "" {
				s.plan, s.planLine = value, l.Number
			}
		case "Last session":
			if day, _, _ := strings.Cut(value, " "); s.session.IsZero() {
				s.session = protocol.ParseTime(day)
			}
		case "Resume file":
			if s.resume == "" && !saysNothing(value) {
				s.resume = strings.Trim(value, "`")
			}
		}
	}
}

// maxDecisions is how many decisions of a file are kept: it is a digest, the log of all is in PROJECT.md.
const maxDecisions = 50

// maxStateBlockers is how many blockers of a file are kept.
const maxStateBlockers = 500

// blocker takes an item of the blockers' section. "None", and an item that is
// checked or struck through, is none.
func (s *state) blocker(item string, concern bool, lineNo int) {
	box, checked, isBox := doc.ParseCheckBox("- " + item)
	if isBox {
		item = box
	}
	text := doc.StripMarks(item)
	if checked || strings.HasPrefix(item, "~~") || saysNothing(text) || len(s.blockers) == maxStateBlockers {
		return
	}
	b := stateBlocker{text: text, line: lineNo, concern: concern}
	if tag, rest, ok := strings.Cut(strings.TrimPrefix(text, "["), "]"); ok && strings.HasPrefix(text, "[") {
		if id, _, isID := parsePhaseID(strings.TrimPrefix(tag, "Phase ")); isID {
			b.phase, b.text = id.text, strings.TrimLeft(rest, ": ")
		}
	}
	s.blockers = append(s.blockers, b)
}

// saysNothing reports whether a text is one of the ways to say that there is
// nothing: "None yet.", "_N/A_", "None — milestone completed".
func saysNothing(text string) bool {
	s := strings.ToLower(text)
	for _, dash := range []string{" — ", " – ", " - ", ";", ","} {
		s, _, _ = strings.Cut(s, dash)
	}
	switch strings.Trim(s, " *_.()[]!") {
	case "", "-", "—", "none", "none yet", "none at the moment", "none currently", "none known", "no blockers", "no blockers yet", "no open blockers",
		"n/a", "na", "nothing", "nothing yet", "nothing at the moment":
		return true
	}
	return false
}

// paused reports whether the file says that work was laid down, and why.
func (s *state) paused() (reason string, at int, ok bool) {
	if s.pausedAt != "" {
		return s.pausedAt, s.pausedLine, true
	}
	if lower := strings.ToLower(s.line.Status); strings.Contains(lower, "paused") || strings.Contains(lower, "stopped") {
		return s.stoppedAt, s.statusLine, true
	}
	return "", 0, false
}
