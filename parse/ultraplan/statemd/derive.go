// The fields of STATE.md that follow from the tree and the logs: one list of them (derived), for what is written when a result
// is captured or a human asks for it, for the mark ≠, and for the check. A field that is not in the file is not added.

package statemd

import (
	"fmt"
	"path"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"gatehouse/model"
	"gatehouse/model/line"
	"gatehouse/parse/doc"
	"gatehouse/parse/protocol"
	"gatehouse/parse/ultraplan/facts"
	"gatehouse/parse/ultraplan/rules"
)

// Difference is a field of STATE.md that says otherwise than the tree and the logs.
type Difference struct {
	Field        string // as it is called in the file; "Phase 3" for a row of the table
	Line         int
	Claim, Truth string       // in words
	Spans        []model.Span // what brings it in line; none where only people can
}

// derived are the fields, in the order of the template.
var derived = []func(*comparison){(*comparison).position, (*comparison).activity, (*comparison).progress, (*comparison).completed,
	(*comparison).average, (*comparison).total, (*comparison).phaseRows, (*comparison).recent, (*comparison).trend, (*comparison).resume}

// Differences returns the fields of a STATE.md that say otherwise than the tree and the logs, in the order of the template.
func Differences(text string, is *facts.Standing) []Difference {
	if is.Partial != "" {
		return nil // nothing can be counted
	}
	c := newComparison(text)
	c.is = is
	c.says, _ = facts.ParseState(text) // what it could not read is not there
	if c.says.Conflict > 0 {
		return nil // each side of it claims something else
	}
	for _, compare := range derived {
		compare(c)
	}
	return c.found
}

// Spans returns what brings the fields in line.
func Spans(differences []Difference) (spans []model.Span) {
	for _, d := range differences {
		spans = append(spans, d.Spans...)
	}
	return spans
}

// comparison is a text being held against a standing.
type comparison struct {
	text  string
	lines facts.Lines // of the text
	says  *facts.State
	is    *facts.Standing
	found []Difference
}

func newComparison(text string) *comparison {
	return &comparison{text: text, lines: facts.LinesOf(text)}
}

// value is a field as it stands.
type value struct {
	text string
	line int
	at   int    // its offset
	glue string // what has to stand before another one
}

// section returns the lines where the template has a field: those of its section, and of a position without any heading all, which a
// command of the protocol writes.
func (c *comparison) section(name string) []doc.Line {
	lines, ok := c.lines.Section(sectionOf(name))
	if !ok && sectionOf(name) == facts.PositionTitle && !slices.ContainsFunc(c.lines, func(l doc.Line) bool { return l.Level > 0 }) {
		return c.lines
	}
	return lines
}

// field returns the first field of a name, in the section where the template has it.
func (c *comparison) field(name string) (v value, ok bool) {
	for _, l := range c.section(name) {
		if from, to, ok := facts.FieldValue(l.Text, name); ok {
			v = value{text: l.Text[from:to], line: l.Number, at: l.At + from}
			if from > 0 && l.Text[from-1] != ' ' && l.Text[from-1] != '\t' {
				v.glue = " "
			}
			return v, true
		}
	}
	return v, false
}

// differs notes a field that has to say something else.
func (c *comparison) differs(name string, v value, now, claim, truth string) {
	d := Difference{Field: name, Line: v.line, Claim: claim, Truth: truth}
	if now != v.text {
		d.Spans = []model.Span{{At: v.at, Old: v.text, New: v.glue + now, Label: name}}
	}
	c.found = append(c.found, d)
}

// unset reports whether a value stands for there being none yet: "-", "None", "[X]".
func unset(text string) bool {
	t := strings.Trim(strings.TrimSpace(text), "*_`")
	return strings.Trim(t, "-–— ") == "" || facts.SaysNone(t) || t[0] == '[' && t[len(t)-1] == ']' || strings.EqualFold(t, "TBD")
}

// says puts a field and its value into words.
func says(name, text string) string {
	if unset(text) {
		return "STATE.md leaves “" + name + "” open"
	}
	return "STATE.md says “" + name + ": " + line.Tidy(text) + "”"
}

// activity: the newest result is the last activity, unless the file names something later. On the day of that result other
// words stand for something that was done since; only those of results are known to be older.
func (c *comparison) activity() {
	v, ok := c.field("Last activity")
	if !ok || c.is.Last == nil {
		return
	}
	if now := Activity(c.is.Last); v.text != now && (c.is.Event || c.activeBefore(v.text)) {
		c.differs("Last activity", v, now, says("Last activity", v.text), "the newest log is “"+now+"”")
	}
}

// activeBefore reports whether what a "Last activity" says was before the newest result.
func (c *comparison) activeBefore(text string) bool {
	if text == Activity(c.is.Last) {
		return false
	}
	if on := facts.Date(text); on != c.is.On && on != "" {
		return on < c.is.On
	}
	return unset(text) || resultWords.MatchString(text)
}

// outrun reports whether a plan that is still open has a result that is newer than anything STATE.md says of itself.
func (c *comparison) outrun(plan *facts.Plan) bool {
	v, ok := c.field("Last activity")
	return ok && plan != nil && !plan.Done && c.activeBefore(v.text)
}

var resultWords = regexp.MustCompile(`^(?:\d{4}-\d{2}-\d{2} - )?(?:Completed Task|Failed:|Blocked:) `)

// Activity returns what "Last activity" says of a result.
func Activity(l *facts.Log) string {
	word := map[string]string{model.OutcomeSuccess: "Completed ", model.OutcomeFailure: "Failed: ", model.OutcomeBlocked: "Blocked: "}[l.Status]
	return facts.LogDay(l) + " - " + word + Plain(l.Name)
}

// progress: the plans of the tree with a summary.
func (c *comparison) progress() {
	s, n := c.says, c.is.Plans
	percent := s.HasPercent && s.Percent != n.Floor()
	plans := s.Plans.Total > 0 && s.Plans != n
	if !percent && !plans || n.Total == 0 && s.Percent == 0 && s.Plans.Done == 0 {
		return
	}
	d := Difference{Field: "Progress", Line: s.ProgressLine, Claim: progressClaim(s), Truth: "there is no plan in the tree"}
	if n.Total > 0 {
		d.Truth = fmt.Sprintf("the tree says %d %%: %d of %s with a summary", n.Floor(), n.Done, protocol.Count(n.Total, "plan"))
	}
	d.Spans, _ = setProgress(c.section("Progress"), n.Done, n.Total)
	c.found = append(c.found, d)
}

func progressClaim(s *facts.State) string {
	switch {
	case s.HasPercent && s.Plans.Total > 0:
		return fmt.Sprintf("STATE.md says %d %% (%s plans)", s.Percent, s.Plans)
	case s.HasPercent:
		return fmt.Sprintf("STATE.md says %d %%", s.Percent)
	}
	return "STATE.md says " + s.Plans.String() + " plans"
}

func (c *comparison) completed() {
	const name = "Total plans completed"
	v, ok := c.field(name)
	if n, err := strconv.Atoi(v.text); !ok || err == nil && n == c.is.Plans.Done || err != nil && (!unset(v.text) || c.is.Plans.Done == 0) {
		return
	}
	c.differs(name, v, strconv.Itoa(c.is.Plans.Done), says(name, v.text), "the tree has "+protocol.Count(c.is.Plans.Done, "plan")+" with a summary")
}

func (c *comparison) average() {
	c.duration("Average duration", c.is.Took.Average, true, inWords, "its plans took %s on average")
}

func (c *comparison) total() {
	c.duration("Total execution time", c.is.Took.Total, c.is.Took.Whole, nil, "summaries and logs add up to %s")
}

// hoursForm is a duration in hours alone, as the template has it: it stays in hours.
var hoursForm = regexp.MustCompile(`^[\d.]+ hours?$`)

// duration holds a duration of all plans against what summaries and logs say. What nothing is known of is left alone, and so is
// one in other words, and, where a time is missing, one that says more: it may be from before anything was logged.
func (c *comparison) duration(name string, took model.Millis, known bool, write func(model.Millis) string, truth string) {
	v, ok := c.field(name)
	if !ok || took <= 0 || c.near(v.text, took, known) {
		return
	}
	if write == nil {
		if write = minutes; hoursForm.MatchString(v.text) {
			write = hours
		}
	}
	c.differs(name, v, write(took), says(name, v.text), fmt.Sprintf(truth, minutes(took)))
}

// near reports whether a text is left as it is beside a duration: it says the same in its own unit, rounded down or to the nearest, or
// nothing that can be compared, or more than is known where not all is.
func (c *comparison) near(text string, took model.Millis, known bool) bool {
	if unset(text) {
		return false
	}
	is, ok := facts.ParseDuration(text)
	if !ok {
		return true
	}
	if !known && is > took {
		return true
	}
	if strings.HasPrefix(strings.TrimSpace(text), "~") { // and says so
		return is > took-60_000 && is < took+60_000
	}
	unit := unitOf(text)
	down := took / unit * unit
	return is == down && (is > 0 || took < 1000) || is == (took+unit/2)/unit*unit && is > 0
}

var lastUnit = regexp.MustCompile(`(?i)\d(?:\.(\d+))?\s*(ms|mil|[hms])[a-z]*\W*$`)

// unitOf returns what a duration is written to: a minute in "2h 10m" and "2h", a tenth of an hour in "0.5 hours" and "2 hours".
func unitOf(text string) model.Millis {
	m := lastUnit.FindStringSubmatch(text)
	if m == nil {
		return 1
	}
	unit := map[string]model.Millis{"h": 3_600_000, "m": 60_000, "s": 1000}[strings.ToLower(m[2])]
	switch {
	case m[1] != "" || unit < 3_600_000:
	case hoursForm.MatchString(text):
		return unit / 10
	default:
		return 60_000
	}
	for range m[1] {
		unit /= 10
	}
	return max(1, unit)
}

// recent: how long the last plans took, the first one first.
func (c *comparison) recent() {
	const name = "Last 5 plans"
	v, ok := c.field(name)
	if !ok || len(c.is.Recent) == 0 {
		return
	}
	var now []string
	for _, d := range c.is.Recent {
		now = append(now, minutes(d))
	}
	if !unset(v.text) {
		said := strings.Split(v.text, ",")
		same := len(said) == len(now)
		for i, one := range said {
			if _, ok := facts.ParseDuration(one); !ok {
				return // plans, and not how long they took
			}
			same = same && c.near(one, c.is.Recent[i], true)
		}
		if same {
			return
		}
	}
	c.differs(name, v, strings.Join(now, ", "), says(name, v.text), "the last plans took "+strings.Join(now, ", "))
}

// trend: of the last five plans, "-" while fewer are done. Other words than the protocol's are people's.
func (c *comparison) trend() {
	const name = "Trend"
	v, ok := c.field(name)
	few := c.is.Plans.Done < model.TrendWindow
	if !ok || c.is.Trend == model.TrendUnknown && !few { // of some nobody knows how long they took
		return
	}
	word := v.text
	if strings.EqualFold(word, "Degrading") { // GSD's
		word = string(model.TrendDeclining)
	}
	known := slices.ContainsFunc([]model.Trend{model.TrendImproving, model.TrendStable, model.TrendDeclining}, func(t model.Trend) bool { return strings.EqualFold(word, string(t)) })
	switch {
	case !unset(v.text) && !known, known && strings.EqualFold(word, string(c.is.Trend)), few && unset(v.text):
		return
	case few:
		c.differs(name, v, string(model.TrendUnknown), says(name, v.text), "a trend takes "+strconv.Itoa(model.TrendWindow)+" plans, with "+strconv.Itoa(c.is.Plans.Done)+" done so far")
		return
	}
	c.differs(name, v, string(c.is.Trend), says(name, v.text), "the last "+strconv.Itoa(len(c.is.Recent))+" plans make it “"+string(c.is.Trend)+"”")
}

// resume: continue.md where it is there, else no file that is not there.
func (c *comparison) resume() {
	const name = "Resume file"
	v, ok := c.field(name)
	if !ok {
		return
	}
	file := path.Clean(strings.TrimPrefix(strings.Trim(v.text, "`"), "./"))
	switch {
	case c.is.Resume && unset(v.text):
		c.differs(name, v, facts.ResumeFile, says(name, v.text), "work was broken off: "+facts.ResumeFile+" is there")
	case unset(v.text) || strings.ContainsAny(file, " \t") || !strings.Contains(file, ".") || path.IsAbs(file) || strings.HasPrefix(file, ".."):
	case file == facts.ResumeFile && !c.is.Resume || file != facts.ResumeFile && c.is.Exists != nil && !c.is.Exists(file):
		c.differs(name, v, "None", says(name, v.text), "there is no such file")
	}
}

// phaseRows: a row for each phase that has begun.
func (c *comparison) phaseRows() {
	head, rows, ok := phaseTable(c.lines)
	if !ok {
		return
	}
	free := -1 // the template's row of dashes
	var missing []*facts.PhaseStanding
	cells := make([][]string, len(rows))
	for k, l := range rows {
		if cells[k] = doc.SplitCells(l.Text); strings.Trim(strings.Join(cells[k], ""), "- ") == "" {
			free = k
		}
	}
	for i := range c.is.Phases {
		p := &c.is.Phases[i]
		found := false
		for k, l := range rows {
			if k != free && rowOf(cells[k], p.Number) {
				c.phaseRow(l, cells[k], p)
				found = true
				break
			}
		}
		if !found && p.Begun {
			missing = append(missing, p)
		}
	}
	for _, p := range missing {
		d := Difference{Field: "Phase " + p.Number, Line: head.Number, Claim: "STATE.md has no row of phase " + p.Number, Truth: p.Count.String() + " of its plans have a summary"}
		row := c.cells(p, []string{p.Number, "", "", ""})
		if free >= 0 {
			d.Spans = replaceCells(rows[free], cells[free], row)
			free = -1
		} else {
			// Behind the last row of a phase before it.
			after := head
			for k, l := range rows {
				if n := rowNumber(cells[k]); n != "" && rules.CompareNumbers(n, p.Number) < 0 || after == head && n == "" && l.At != rows[0].At {
					after = l
				}
			}
			d.Spans = insertLine(c.text, after.At, "| "+strings.Join(row, " | ")+" |")
			d.Spans[0].Label = d.Field
		}
		c.found = append(c.found, d)
	}
}

// phaseRow holds the row of a phase against its plans.
func (c *comparison) phaseRow(l doc.Line, cells []string, p *facts.PhaseStanding) {
	now := c.cells(p, cells)
	if spans := replaceCells(l, cells, now); len(spans) > 0 {
		c.found = append(c.found, Difference{Field: "Phase " + p.Number, Line: l.Number,
			Claim: "STATE.md says of phase " + p.Number + " “" + strings.Join(cells[1:], " | ") + "”", Truth: "tree and logs say “" + strings.Join(now[1:], " | ") + "”", Spans: spans})
	}
}

// cells returns what the cells of a phase's row have to say.
func (c *comparison) cells(p *facts.PhaseStanding, cells []string) []string {
	now := slices.Clone(cells)
	if len(p.Plans) == 0 && len(now[1]) > 0 {
		return now
	}
	if unset(now[1]) || plansCell.MatchString(now[1]) {
		now[1] = p.Count.String()
	}
	set := func(i int, took model.Millis, known bool) {
		switch {
		case took > 0 && !c.near(now[i], took, known):
			now[i] = minutes(took)
		case now[i] == "":
			now[i] = "-"
		}
	}
	more := !unset(now[2]) && !p.Took.Whole && c.near(now[2], p.Took.Total, false) && !c.near(now[2], p.Took.Total, true)
	set(2, p.Took.Total, p.Took.Whole)
	if !more { // the average of what is not known is not known either
		set(3, p.Took.Average, true)
	}
	return now
}

var plansCell = regexp.MustCompile(`^\d+\s*/\s*\d+$`)

// PhaseTotal returns how long a phase has taken by its row of the table; ok is false where it does not say.
func PhaseTotal(text, number string) (took model.Millis, ok bool) {
	_, rows, _ := phaseTable(facts.LinesOf(text))
	for _, l := range rows {
		if cells := doc.SplitCells(l.Text); rowOf(cells, number) {
			return facts.ParseDuration(cells[2])
		}
	}
	return 0, false
}

// TotalTime returns how long all has taken by the velocity; ok is false where it does not say.
func TotalTime(text string) (took model.Millis, ok bool) {
	v, ok := newComparison(text).field("Total execution time")
	if !ok {
		return 0, false
	}
	return facts.ParseDuration(v.text)
}
