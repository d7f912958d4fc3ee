package core

import (
	"slices"

	"gatehouse/model/line"
	"gatehouse/parse/doc"
)

// The words of "Status:".
const (
	StatusReadyToPlan = "Ready to plan"
	StatusPlanning    = "Planning"
	StatusInProgress  = "In progress"
	StatusVerifying   = "Verifying"
	StatusComplete    = "Complete"
)

// StatusWords are the words of "Status:", in the order in which a phase has them.
var StatusWords = []string{StatusReadyToPlan, StatusPlanning, StatusInProgress, StatusVerifying, StatusComplete}

// The beginnings of section titles. A section of fields continues below headings of a lower level; a list ends at any heading.
const (
	PositionTitle   = "Current Position"
	MetricsTitle    = "Performance Metrics"
	BlockersTitle   = "Blockers"
	ContinuityTitle = "Session Continuity"
	DecisionsTitle  = "Decisions"
)

// sectionOf returns the template's title for the section of a heading, "" for other headings.
func sectionOf(heading string) string {
	for _, title := range [...]string{PositionTitle, MetricsTitle, BlockersTitle, ContinuityTitle, DecisionsTitle} {
		if HasPrefixFold(heading, title) {
			return title
		}
	}
	return ""
}

// Limits for the contents of a file that are kept.
const (
	maxBlockers = 200
	maxItems    = 500
	// MaxFailures is how many failures of a task are kept.
	MaxFailures = 20
)

// Problem is a part of a file that can't be read.
type Problem struct {
	Line      int
	Text, Fix string
}

// Fact is a label with a value.
type Fact struct{ Label, Value string }

// State is a STATE.md. Missing values are "" and 0. Its progress is never used, because the tree decides.
type State struct {
	Text                         string
	Phase, PhaseTotal, PhaseName string // "Phase: 7 of 8 (CLI Commands)"
	Plan                         string // "2" of "Plan: 2 of 4", or "16-02"
	PlanTotal                    int    // 4 of "Plan: 2 of 4", 0 without one
	Status                       string // as it is written, see [ParseStatus]
	PhaseLine                    int

	Activity, ActiveOn string
	StoppedAt          string
	Blockers           []Blocker
	Phases             []PhaseRow // of the table By Phase
	PhaseRule          *doc.Line  // the line below the head of a table with the template's columns, nil without one

	Gate      *Gate      // of the current task, nil without one
	Decisions []Decision // about the gates of tasks, in the order of the file
	Conflict  int        // line of an unresolved merge conflict
	Problems  []Problem
}

// Blocker is an open item of the blockers.
type Blocker struct {
	Text  string
	Phase string // of the prefix "[Phase 2]: "
	Line  int
}

// PhaseRow is a row of the table By Phase.
type PhaseRow struct {
	Number      string // of its phase, "3" of "3", "03. Lamp" or "Phase 3"; "" for none
	Done, Total int    // of the cell "2/3"
	HasCount    bool
	Cells       []string
	Line        doc.Line
	IsTemplate  bool // it is in the first table with the template's columns
}

// Decision is a human's decision about the gate of a task, or the last status of a gate that another task's gate has replaced.
type Decision struct {
	List           string // SkippedKey, RetriedKey or EarlierKey
	Task           string // as it is written, see [ParseTaskKey]
	Reason, By, At string
	After          int    // number of results that the task had, 0 if not given
	Status         string // of an earlier gate, see [GateStatus], with its attempts
	Attempt, Max   int
	Line           int
}

// seconds returns the time of the decision in seconds since 1970, 0 if it is unknown.
func (d *Decision) seconds() int64 {
	at, _ := doc.ParseSeconds(trimQuotes(d.At))
	return at
}

// ParseStatus returns the protocol's word for a status, or the status itself if there is none. Agents write "in_progress", "COMPLETE",
// "Complete - text". "Ready for execution" is neither planning nor progress.
func ParseStatus(status string) string {
	has := func(part string) bool { return line.ContainsFold(status, part) }
	switch {
	case has("incomplet"), has("not complet"), has("not done"):
		return status
	case has("verif"):
		return StatusVerifying
	case has("complet"), has("done"):
		return StatusComplete
	case has("ready") && has("plan"):
		return StatusReadyToPlan
	case has("ready"):
		return status
	case has("in progress"), has("in_progress"), has("execut"):
		return StatusInProgress
	case has("planning"):
		return StatusPlanning
	}
	return status
}

// ParseState parses a STATE.md. All of its parts are optional.
func ParseState(text string) *State {
	s := &State{Text: text}
	section, level, position, loose := PositionTitle, 0, State{}, State{}
	hasPosition, table := false, metricsTable{}
	for l := range doc.Lines(text, 0, len(text)) {
		if s.Conflict == 0 && isConflict(l.Text) {
			s.Conflict = l.Number
		}
		if l.Code || l.Comment {
			continue
		}
		if l.Level > 0 {
			title, isOfFields := sectionOf(l.Title), section == PositionTitle || section == MetricsTitle || section == ContinuityTitle
			if title != "" || l.Level <= level || !isOfFields || level == 0 {
				section, level = title, l.Level
			}
			hasPosition = hasPosition || section == PositionTitle
			continue
		}
		if f, ok := ParseField(l.Text); ok {
			if section == PositionTitle {
				position.setPlace(&f)
			}
			loose.setPlace(&f)
		}
		switch {
		case section == MetricsTitle:
			s.addPhaseRow(&l, &table)
		case section == BlockersTitle:
			s.addBlocker(&l)
		case section == ContinuityTitle:
			if f, ok := ParseField(l.Text); ok && EqualFold(f.Name, "stopped at") && !IsNone(f.Value) {
				s.StoppedAt = f.Value
			}
		case section == DecisionsTitle:
		default:
			s.setActivity(&l)
		}
	}
	if !hasPosition { // a command of the protocol writes the position without its heading
		position = loose
	}
	s.Phase, s.PhaseTotal, s.PhaseName, s.Plan, s.PlanTotal, s.Status = position.Phase, position.PhaseTotal, position.PhaseName, position.Plan, position.PlanTotal, position.Status
	s.readYAML(text)
	return s
}

func isConflict(l string) bool {
	word, _, _ := doc.Cut(l, " ")
	return word == "<<<<<<<" || word == ">>>>>>>"
}

// WhyUnwritable returns why a STATE.md must not be changed, "" if it may be. An empty one is not written yet or was cut off, and in a merge
// conflict it is unknown which side will stay.
func WhyUnwritable(text string) string {
	if doc.Trim(text) == "" {
		return "STATE.md is empty"
	}
	for l := range doc.Lines(text, 0, len(text)) {
		if isConflict(l.Text) {
			return "STATE.md has a merge conflict on line " + line.Decimal(l.Number)
		}
	}
	return ""
}

// setPlace stores a field of the position; the first one with a value counts.
func (s *State) setPlace(f *Field) {
	switch {
	case EqualFold(f.Name, "phase") && s.Phase == "":
		p, _ := SplitPlace(f.Value)
		s.Phase, s.PhaseTotal, s.PhaseName = p.Number, p.Total, p.Name
		if p.Name != "" {
			s.PhaseName = p.Name[1 : len(p.Name)-1]
		}
	case EqualFold(f.Name, "plan") && s.Plan == "":
		if s.Plan = PlanAt(f.Value); s.Plan == "" {
			p, _ := SplitPlace(f.Value)
			s.Plan, s.PlanTotal = p.Number, ParseCount(p.Total)
		}
	case EqualFold(f.Name, "status") && s.Status == "":
		s.Status = f.Value
	}
}

// Place is the value of "Phase:" or "Plan:" split into parts, "7 of 8 (CLI Commands)" or "16 - a word (name) - COMPLETE". Joined, the parts
// are the value.
type Place struct {
	Number    string
	Of, Total string // " of " and "8"; "" without a total
	Before    string // the text between these and the name
	Name      string // with its brackets
	Rest      string
}

// SplitPlace splits the value of a place; ok is false if it does not begin with a number.
func SplitPlace(value string) (p Place, ok bool) {
	p.Number = LeadingNumber(value)
	p.Rest = value[len(p.Number):]
	at := skipBlanks(p.Rest, 0)
	to := at
	if doc.HasPrefix(p.Rest[at:], "/") {
		to = skipBlanks(p.Rest, at+1)
	} else if at > 0 && doc.HasPrefix(p.Rest[at:], "of ") {
		to = skipBlanks(p.Rest, at+len("of "))
	}
	if end := to + doc.CountDigits(p.Rest[to:]); to > at && end > to {
		p.Of, p.Total, p.Rest = p.Rest[:to], p.Rest[to:end], p.Rest[end:]
	}
	if before, name, ok := doc.Cut(p.Rest, "("); ok {
		if name, rest, ok := doc.Cut(name, ")"); ok {
			p.Before, p.Name, p.Rest = before, "("+name+")", rest
		}
	}
	return p, p.Number != ""
}

// setActivity stores the last activity, and the line number of the phase.
func (s *State) setActivity(l *doc.Line) {
	f, ok := ParseField(l.Text)
	switch {
	case !ok:
	case EqualFold(f.Name, "phase") && s.PhaseLine == 0:
		s.PhaseLine = l.Number
	case EqualFold(f.Name, "last activity") && s.Activity == "":
		s.Activity, s.ActiveOn = f.Value, ParseDate(f.Value)
	}
}

// planCount returns the counts of the first "n/m plans" or "n / m plans" in a text.
func planCount(text string) (done, total int, ok bool) {
	for i := 0; i < len(text); i++ {
		end := i + doc.CountDigits(text[i:])
		if end == i {
			continue
		}
		if slash := skipBlanks(text, end); doc.HasPrefix(text[slash:], "/") {
			from := skipBlanks(text, slash+1)
			if to := from + doc.CountDigits(text[from:]); to > from && doc.HasPrefix(text[to:], " plan") {
				return ParseCount(text[i:end]), ParseCount(text[from:to]), true
			}
		}
		i = end - 1
	}
	return 0, 0, false
}

// phaseColumns is the head of the table By Phase in the template.
var phaseColumns = [...]string{"Phase", "Plans", "Total", "Avg/Plan"}

// metricsTable is the table that a line of the metrics is in.
type metricsTable struct {
	hasPlans   bool // its rows count the plans of phases
	isTemplate bool // it has the columns of the template
	hasRule    bool // the line below its head was seen
}

// addPhaseRow stores a row of the table By Phase.
func (s *State) addPhaseRow(l *doc.Line, t *metricsTable) {
	cells := doc.SplitCells(l.Text)
	switch {
	case cells == nil:
		*t = metricsTable{}
	case len(cells) < 2:
	case !t.hasRule && doc.IsTableRule(cells):
		if t.hasRule = true; t.isTemplate {
			rule := *l
			s.PhaseRule = &rule
		}
	case EqualFold(cells[0], "Phase"):
		isTemplate := s.PhaseRule == nil && slices.EqualFunc(cells, phaseColumns[:], EqualFold)
		*t = metricsTable{hasPlans: EqualFold(cells[1], "Plans"), isTemplate: isTemplate}
	case t.hasPlans && len(s.Phases) < maxItems:
		name := cells[0]
		if doc.HasPrefix(name, "Phase ") {
			name = name[len("Phase "):]
		}
		row := PhaseRow{Number: LeadingNumber(name), Cells: cells, Line: *l, IsTemplate: t.isTemplate && len(cells) == len(phaseColumns)}
		row.Done, row.Total, row.HasCount = planCount(cells[1] + " plans")
		s.Phases = append(s.Phases, row)
	}
}

func (s *State) addBlocker(l *doc.Line) {
	item, _, isItem := doc.ParseItem(l.Text)
	if box, isChecked, isBox := doc.ParseCheckBox(l.Text); isBox {
		item, isItem = box, !isChecked
	}
	if !isItem || IsNone(item) || doc.HasPrefix(item, "~~") || len(s.Blockers) == maxBlockers {
		return
	}
	b := Blocker{Text: doc.StripMarks(item), Line: l.Number}
	if doc.HasPrefix(b.Text, "[Phase ") {
		if tag, rest, ok := doc.Cut(b.Text[len("[Phase "):], "]"); ok {
			for rest != "" && (rest[0] == ':' || rest[0] == ' ') {
				rest = rest[1:]
			}
			b.Phase, b.Text = tag, rest
		}
	}
	s.Blockers = append(s.Blockers, b)
}

// The keys of the YAML in a STATE.md.
const (
	GateKey    = "current_task"
	SkippedKey = "skipped_tasks"
	RetriedKey = "retried_tasks" // Gatehouse's own
	EarlierKey = "earlier_tasks" // likewise
)

// readYAML reads the gate of the current task, and the lists of decisions.
func (s *State) readYAML(text string) {
	lines := doc.LineCounter{Text: text}
	for _, b := range FindYAML(text, GateKey, SkippedKey, RetriedKey, EarlierKey) {
		for _, p := range b.Problems {
			s.Problems = append(s.Problems, Problem{lines.Line(p.At), b.Key + ": " + p.Text, p.Fix})
		}
		switch {
		case b.Key != GateKey:
			s.Decisions = append(s.Decisions, parseDecisions(&lines, &b)...)
		case s.Gate == nil:
			s.Gate = parseGate(text, &b)
		}
	}
}

func parseDecisions(lines *doc.LineCounter, list *Block) (all []Decision) {
	for v := range list.Value.Elements() {
		d := Decision{
			List: list.Key, Task: v.Get("task").Scalar(), Reason: v.Get("reason").Scalar(), By: doc.FirstText(v.Get("by"), v.Get("skipped_by")),
			At: v.Get("timestamp").Scalar(), After: ParseCount(v.Get("after").Scalar()),
			Status: GateStatus(v.Get("gate_status").Scalar()), Attempt: ParseCount(v.Get("attempt").Scalar()), Max: ParseCount(v.Get("max_attempts").Scalar()), Line: lines.Line(v.Offset()),
		}
		if d.Task != "" && len(all) < maxItems {
			all = append(all, d)
		}
	}
	return all
}

// Block is a YAML key with its value in a Markdown text, fenced or bare.
type Block struct {
	Key      string
	Value    doc.Value
	At, End  int // offsets of the lines of key and value
	Problems []doc.Problem
}

// FindYAML returns the blocks of some keys in a Markdown text, in the text's order. A key is alone on its line or before a value, in any
// spelling of YAML. The lines below it that are indented, or begin with a dash, are its value. Keys without a map or list are ignored, and so
// are those in comments.
func FindYAML(text string, keys ...string) (blocks []Block) {
	if !mayHaveKey(text) {
		return nil
	}
	open := -1 // index of the block that continues
	end := func(at int) {
		if open < 0 {
			return
		}
		b := &blocks[open]
		open, b.End = -1, at
		tree := doc.ParseYAML(text, b.At, b.End)
		b.Value, b.Problems = tree.Root().Get(b.Key), tree.Problems
		if tree.Root().Is(doc.Unsupported) {
			b.Value = tree.Root()
		}
		if !b.Value.Is(doc.Map) && !b.Value.Is(doc.List) && !b.Value.Is(doc.Unsupported) || b.Value.Is(doc.Map) && b.Value.Len() == 0 {
			blocks = blocks[:len(blocks)-1]
		}
	}
	indent := 0
	for l := range doc.Lines(text, 0, len(text)) {
		trimmed := doc.Trim(l.Text)
		in := 0
		for in < len(l.Text) && l.Text[in] == ' ' {
			in++
		}
		isFence := l.Code && (doc.HasPrefix(trimmed, "```") || doc.HasPrefix(trimmed, "~~~"))
		if open >= 0 && !isFence && !l.Comment && (trimmed == "" || in > indent || l.Text[0] == '\t' || in == indent && (doc.HasPrefix(trimmed, "- ") || trimmed == "-" || doc.HasPrefix(trimmed, ": ") || trimmed[0] == '#' && l.Level == 0)) {
			continue
		}
		end(l.At)
		if isFence || l.Comment || in > 3 {
			continue
		}
		for _, key := range keys {
			if isKey(trimmed, key) {
				open, indent = len(blocks), in
				blocks = append(blocks, Block{Key: key, At: l.At})
				break
			}
		}
	}
	end(len(text))
	return blocks
}

// mayHaveKey reports whether a text can have a key that [FindYAML] looks for, maybe with escapes. All of them are about tasks.
func mayHaveKey(text string) bool {
	for i := range len(text) {
		if c := text[i]; c == '\\' || c == 'k' && i >= 3 && text[i-3:i] == "tas" {
			return true
		}
	}
	return false
}

// isKey reports whether a line begins with a YAML key.
func isKey(l, key string) bool {
	if doc.HasPrefix(l, "{") {
		l = doc.Trim(l[1:])
	}
	isExplicit := doc.HasPrefix(l, "? ")
	if isExplicit {
		l = doc.Trim(l[2:])
	}
	if l != "" && (l[0] == '"' || l[0] == '\'') {
		quote := l[:1]
		word, rest, _ := doc.Cut(l[1:], quote)
		if word != key && doc.ParseYAML(l, 0, len(l)).Root().Get(key).Kind() == doc.Absent {
			return false
		}
		return doc.HasPrefix(doc.Trim(rest), ":") || isExplicit
	}
	if !doc.HasPrefix(l, key) {
		return false
	}
	rest := doc.Trim(l[len(key):])
	return doc.HasPrefix(rest, ":") || isExplicit && rest == ""
}

// IsUltraplan reports whether a .planning directory belongs to ultraplan and not to GSD: .ultraplan is next to it, or its STATE.md has the
// gate of a task, unless its frontmatter names GSD's version. hasHome says whether .ultraplan exists.
func IsUltraplan(text string, hasHome func() bool) bool {
	if f := doc.SplitFrontmatter(text); f.Exists && doc.ParseYAML(text, f.Block, f.BlockEnd).Root().Get("gsd_state_version").Scalar() != "" {
		return false
	}
	return hasHome() || len(FindYAML(text, GateKey)) > 0
}
