// The logs below .ultraplan/logs: one file for each result, the summaries of days. There may be thousands; each is read once
// and then only when it changes.

package facts

import (
	"crypto/sha256"
	"errors"
	"path"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"time"
	"unicode/utf8"

	"gatehouse/model"
	"gatehouse/parse/disk/mirror"
	"gatehouse/parse/doc"
	"gatehouse/parse/protocol"
	"gatehouse/parse/text/yamldoc"
	"gatehouse/parse/ultraplan/rules"
)

// LogDoc is what the log of a result says.
type LogDoc struct {
	At      time.Time
	Plan    string // "03-01"
	Task    string // number, "2"
	Name    string
	Status  string
	Error   string
	Output  string
	Files   int
	Took    model.Millis
	Timed   bool
	Attempt int
	Session string
	Capture string // what tells the capture that wrote it from others, "" for logs of other writers
	// Sequence is which result of its day it was, from 1, and so decides the order of those that were logged within a second;
	// 0 for logs of other writers.
	Sequence int
	Warnings []string // what was to be known when it was captured
	// Lacks says why it is not whole, "" where it is: what was torn off or is none of a result's is never counted.
	Lacks string
	// Mark is the same for files of the same bytes: such are one log, wherever copies of it lie.
	Mark [sha256.Size]byte
}

// maxLogText is how much of a text of a log is kept, in bytes.
const maxLogText = 400

// MaxAttempt is the largest number of an attempt that is believed.
const MaxAttempt = 1 << 20

func ParseLog(text string) (*LogDoc, error) {
	l, err := parseLog(text)
	if l != nil {
		l.Mark = sha256.Sum256([]byte(text))
	}
	return l, err
}

func parseLog(text string) (*LogDoc, error) {
	if l, ok := plainLog(text); ok {
		return l, nil
	}
	d, err := yamldoc.Parse(strings.TrimPrefix(text, "\uFEFF"), 1)
	var e *yamldoc.Error
	if errors.As(err, &e) {
		return nil, &mirror.Fault{Line: e.Line, Text: "this is not YAML: " + e.Text}
	}
	r := d.Doc("result")
	v := r.Doc("verification")
	l := &LogDoc{
		At: protocol.ParseTime(d.String("logged_at")), Plan: d.String("plan_id"), Task: rules.TrimZeros(d.String("task_index")),
		Name: r.String("task_name"), Status: r.String("status"),
		Error: Shorten(r.String("error")), Output: Shorten(v.String("output_summary")), Files: len(r.Strings("files_modified")),
		Session: d.String("session_id"), Capture: d.String("capture_id"),
	}
	l.Sequence, _ = d.Int("sequence")
	for _, w := range d.Strings("warnings") {
		l.Warnings = append(l.Warnings, Shorten(w))
	}
	done, _ := r.Bool("done_criteria_met")
	l.Lacks = lacks(l, r.Has, ExitsZero(v), done)
	if _, err := yamldoc.Strict(strings.TrimPrefix(text, "\uFEFF")); err != nil {
		l.Lacks = "it contradicts itself, or is more than one: " + err.Error()
	}
	l.metadata(r.Doc("metadata").String("duration_ms"), r.Doc("metadata").String("attempt"))
	return l, nil
}

// ExitsZero reports whether a verification has the exit code 0, as a whole number in any of YAML's spellings; one that is too large to
// be read is not.
func ExitsZero(verification yamldoc.Doc) bool {
	n, ok := verification.Int64("exit_code")
	return ok && n == 0
}

// required are the fields that every result has, in the protocol's order.
var required = [...]string{"status", "task_name", "files_modified", "verification", "done_criteria_met", "evidence", "error"}

// lacks says why a log is not whole: what its head or its result has not, or what its success contradicts. A head is written with
// the log: without one it is a result that somebody has put there, and nobody knows when or whether it was captured.
func lacks(l *LogDoc, has func(field string) bool, zero, done bool) string {
	switch {
	case l.At.IsZero():
		return "its logged_at is missing or no time"
	case l.Plan == "":
		return "it has no plan_id"
	case l.Task == "":
		return "it has no task_index"
	}
	for _, field := range required {
		if !has(field) {
			return "its result has no " + field
		}
	}
	switch {
	case l.Name == "":
		return "its result has no task_name"
	case OutcomeStatus(l.Status) == model.Unknown:
		return "its status is “" + Shorten(l.Status) + "”, and none of success, failure and blocked"
	case l.Status != model.OutcomeSuccess:
	case !zero:
		return "it is called a success, and its exit_code is not the number 0"
	case !done:
		return "it is called a success, and done_criteria_met is not true"
	case l.Error != "":
		return "it is called a success, and has an error"
	}
	return ""
}

// metadata takes the numbers of a result, as far as they are some.
func (l *LogDoc) metadata(took, attempt string) {
	if n, err := strconv.ParseInt(took, 10, 64); err == nil && n >= 0 {
		l.Took, l.Timed = model.Millis(n), true
	}
	if n, err := strconv.Atoi(attempt); err == nil && n >= 1 && n <= MaxAttempt {
		l.Attempt = n
	}
}

// Shorten returns the beginning of a text.
func Shorten(s string) string {
	if len(s) > maxLogText {
		s = strings.ToValidUTF8(s[:maxLogText], "") + "…"
	}
	return s
}

// plainLog reads a log in the form that nearly all have, without the YAML library, which takes ten times as long: plain or
// simply quoted values, lists of such, evidence in a block. ok is false for any other text, down to the last character.
func plainLog(text string) (l *LogDoc, ok bool) {
	if !printable(text) {
		return nil, false
	}
	s := logScan{block: -1, items: -1}
	for line := range strings.Lines(text) {
		if !s.line(strings.TrimRight(line, "\r\n")) {
			return nil, false
		}
	}
	s.log.metadata(s.took, s.attempt)
	s.log.Lacks = lacks(&s.log, func(field string) bool { return slices.Contains(s.seen, "result.."+field) }, s.exit == "0", s.done == "true")
	return &s.log, s.log.Status != "" && s.log.Plan != ""
}

// logScan is plainLog on its way through a text.
type logScan struct {
	log           LogDoc
	took, attempt string
	exit, done    string
	top, section  string   // the keys at the margin and below "result" that the line stands under
	block         int      // the indentation of a block of text, -1 outside of one
	items         int      // that of the items of files_modified, noItem before the first, -1 outside of the list
	seen          []string // a key that is there twice is for the library
}

// noItem is an indentation that no item has.
const noItem = 1 << 30

// line takes the next line; false says that it is none of the plain ones.
func (s *logScan) line(line string) bool {
	t := strings.Trim(line, " ")
	indent := len(line) - len(strings.TrimLeft(line, " "))
	switch {
	case t == "":
		return line == "" || s.block < 0
	case s.block >= 0 && indent >= s.block:
		return s.inBlock(indent)
	case t[0] == '#':
		return s.block < 0
	}
	if s.block >= 0 && indent > s.block-2 {
		return false
	}
	s.block = -1
	if item, isItem := strings.CutPrefix(t, "- "); isItem && (indent == s.items || s.items == noItem && (indent == 2 || indent == 4)) {
		v, ok := plainValue(strings.TrimLeft(item, " "))
		s.items = indent
		if s.top == "warnings" {
			s.log.Warnings = append(s.log.Warnings, Shorten(v))
		} else {
			s.log.Files++
		}
		return ok
	}
	s.items = -1
	key, value, found := strings.Cut(t, ":")
	if !found || value != "" && value[0] != ' ' || !plainWord(key) {
		return false
	}
	switch {
	case indent == 0:
		s.top, s.section = "", ""
	case indent == 2 && s.top == "result":
		s.section = ""
	case indent != 4 || s.section == "":
		return false
	}
	at := key
	if indent > 0 {
		at = s.top + "." + s.section + "." + key
	}
	if slices.Contains(s.seen, at) {
		return false
	}
	s.seen = append(s.seen, at)
	return s.value(at, key, indent, strings.TrimLeft(value, " "))
}

// inBlock takes a line of a block, whose first one is indented as far as all others are at least.
func (s *logScan) inBlock(indent int) bool {
	first := !slices.Contains(s.seen, "|")
	if first {
		s.seen = append(s.seen, "|")
	}
	return !first || indent == s.block
}

// value takes the value of a key.
func (s *logScan) value(at, key string, indent int, value string) bool {
	switch {
	case at == "result..evidence" && (value == "|" || value == "|-"):
		s.block = indent + 2
		return true
	case at == "result..files_modified":
		if value == "" {
			s.items = noItem
		}
		return value == "" || value == "[]"
	case value == "":
		if indent == 0 {
			if s.top = key; key == "warnings" {
				s.items = noItem
				return true
			}
			return key == "result"
		}
		s.section = key
		return indent == 2
	}
	v, ok := plainValue(value)
	switch l := &s.log; at {
	case "logged_at":
		l.At = protocol.ParseTime(v)
	case "plan_id":
		l.Plan = v
	case "session_id":
		l.Session = v
	case "capture_id":
		l.Capture = v
	case "task_index":
		l.Task = rules.TrimZeros(v)
	case "result..status":
		l.Status = v
	case "sequence":
		s.log.Sequence, _ = strconv.Atoi(v)
	case "result..done_criteria_met":
		s.done, ok = value, value == "true" || value == "false" // other spellings are for the library
	case "result.verification.exit_code":
		s.exit, ok = value, ok && (value == "0" || value[0] >= '1' && value[0] <= '9' || v == "")
	case "result..task_name":
		l.Name = v
	case "result..error":
		l.Error = Shorten(v)
	case "result.verification.output_summary":
		l.Output = Shorten(v)
	case "result.metadata.duration_ms":
		s.took = v
	case "result.metadata.attempt":
		s.attempt = v
	}
	return ok
}

// printable reports whether a text holds only characters that YAML takes for themselves, with LF and CR LF for ends of
// lines.
func printable(text string) bool {
	for i, r := range text {
		switch {
		case r >= ' ' && r <= '~', r == '\n', r == '\r' && i+1 < len(text) && text[i+1] == '\n':
		case r < 0xA0, r == 0x2028, r == 0x2029, r == 0xFEFF, r == utf8.RuneError, r&0xFFFE == 0xFFFE:
			return false
		}
	}
	return true
}

func plainWord(s string) bool {
	for i := range len(s) {
		if c := s[i]; c != '_' && (c < 'a' || c > 'z') {
			return false
		}
	}
	return s != ""
}

// plainValue returns what a value says that is a number or words without signs of YAML, or such text in double quotation
// marks. ok is false for others.
func plainValue(value string) (v string, ok bool) {
	if value[0] == '"' {
		if len(value) < 2 || value[len(value)-1] != '"' || strings.ContainsAny(value[1:len(value)-1], `"\`) {
			return "", false
		}
		return value[1 : len(value)-1], true
	}
	if strings.ContainsAny(value[:1], "!&*-?|>@`%'\"#,[]{}:~=") || strings.Contains(value, ": ") || strings.Contains(value, " #") || value[len(value)-1] == ':' {
		return "", false
	}
	if strings.EqualFold(value, "null") {
		return "", true
	}
	return value, true
}

// logName takes the name of a log apart, "03-01-task-02-success-2.yaml": for one whose head does not say it.
var logName = regexp.MustCompile(`^(\d+(?:\.\d+)*-\d+(?:\.\d+)*)-task-(\d+(?:\.\d+)*)-([a-z_]+)(?:-(\d+))?\.ya?ml$`)

// SplitLogName returns the plan and the task that the name of a log names, as [PlanKey] and without leading zeros; ok is
// false for other names.
func SplitLogName(name string) (plan, task string, ok bool) {
	m := logName.FindStringSubmatch(name)
	if m == nil {
		return "", "", false
	}
	return PlanKey(m[1]), rules.TrimZeros(m[2]), true
}

// unlike returns in what a log contradicts itself or its name, "" in nothing: then nobody knows whose result it is.
func (l *LogDoc) unlike(file string) string {
	if number, _, ok := doc.ParseTaskNumber(l.Name); ok && rules.TrimZeros(number) != l.Task {
		return "it is of task " + l.Task + ", and its task_name is “" + Shorten(l.Name) + "”"
	}
	m := logName.FindStringSubmatch(file)
	switch {
	case m == nil:
	case PlanKey(m[1]) != PlanKey(l.Plan) || rules.TrimZeros(m[2]) != l.Task:
		return "it is of task " + l.Task + " of " + Shorten(l.Plan) + ", and its name says another"
	case OutcomeStatus(m[3]) != model.Unknown && m[3] != l.Status:
		return "its status is “" + Shorten(l.Status) + "”, and its name says " + m[3]
	}
	return ""
}

// logOrdinal splits the name of a log into what it shares with others of its task and status, and which of these it is.
func logOrdinal(file string) (stem string, n int) {
	stem = strings.TrimSuffix(strings.TrimSuffix(file, ".yaml"), ".yml")
	m := logName.FindStringSubmatch(path.Base(file))
	if m == nil || m[4] == "" {
		return stem, 1
	}
	n, _ = strconv.Atoi(m[4])
	return strings.TrimSuffix(stem, "-"+m[4]), n
}
