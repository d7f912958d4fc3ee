// The logs below .ultraplan/logs: one file for each result, the summaries of days (ultraplan-results.md "Result
// Persistence"; notes on loops §1.9). There may be thousands; each is read once and then only when it changes.

package ultraplan

import (
	"errors"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"time"

	"gatehouse/model"
	"gatehouse/parse/brief"
	"gatehouse/parse/mirror"
	"gatehouse/parse/yamldoc"
)

// logged is what the log of a result says.
type logged struct {
	at      time.Time
	plan    string // "03-01"
	task    string // number, "2"
	name    string
	status  string
	err     string
	output  string
	files   int
	took    model.Millis
	timed   bool
	attempt int
}

// maxLogText is how much of a text of a log is kept, in bytes.
const maxLogText = 400

func parseLog(text string) (*logged, error) {
	if l, ok := plainLog(text); ok {
		return l, nil
	}
	d, err := yamldoc.Parse(strings.TrimPrefix(text, "\uFEFF"), 1)
	var e *yamldoc.Error
	if errors.As(err, &e) {
		return nil, &mirror.Fault{Line: e.Line, Text: "this is not YAML: " + e.Text}
	}
	r := d.Doc("result")
	l := &logged{
		at: parseTime(d.String("logged_at")), plan: strings.Clone(d.String("plan_id")), task: brief.TrimZeros(strings.Clone(d.String("task_index"))),
		name: strings.Clone(r.String("task_name")), status: strings.Clone(r.String("status")),
		err: short(r.String("error")), output: short(r.Doc("verification").String("output_summary")), files: len(r.Strings("files_modified")),
	}
	l.metadata(r.Doc("metadata").String("duration_ms"), r.Doc("metadata").String("attempt"))
	return l, nil
}

// metadata takes the numbers of a result, as far as they are some.
func (l *logged) metadata(took, attempt string) {
	if n, err := strconv.ParseInt(took, 10, 64); err == nil && n >= 0 {
		l.took, l.timed = model.Millis(n), true
	}
	if n, err := strconv.Atoi(attempt); err == nil && n >= 1 && n <= maxAttempt {
		l.attempt = n
	}
}

// short returns the beginning of a text, as a copy.
func short(s string) string {
	if len(s) > maxLogText {
		s = strings.ToValidUTF8(s[:maxLogText], "") + "…"
	}
	return strings.Clone(s)
}

// plainLog reads a log in the form that nearly all have, without the YAML library, which takes ten times as long: plain or
// simply quoted values, lists of such, texts in blocks. ok is false for any other text, down to the last character.
func plainLog(text string) (l *logged, ok bool) {
	l = &logged{}
	var took, attempt string
	var seen []string    // a key that is there twice is for the library
	section := ""        // the block at two blanks below result: "verification", "metadata"
	skipping := -1       // the indentation of a key whose text follows in a block
	files, top := -1, "" // the indentation of files_modified while its items follow; the block at the margin
	for len(text) > 0 {
		raw, rest, _ := strings.Cut(text, "\n")
		text = rest
		s := strings.TrimRight(raw, " \r")
		t := strings.TrimLeft(s, " ")
		indent := len(s) - len(t)
		switch {
		case t == "":
			continue
		case skipping >= 0 && indent > skipping:
			continue
		case t[0] == '#':
			continue
		}
		skipping = -1
		if item, isItem := strings.CutPrefix(t, "- "); isItem && files >= 0 && indent >= files {
			if _, ok := plainValue(item); !ok {
				return nil, false
			}
			l.files++
			continue
		}
		files = -1
		key, value, found := strings.Cut(t, ":")
		if !found || value != "" && value[0] != ' ' || !plainWord(key) {
			return nil, false
		}
		value = strings.TrimLeft(value, " ")
		switch {
		case indent == 0:
			top, section = key, ""
		case indent == 2 && top == "result":
			section = ""
		case indent == 4 && section != "":
		default:
			return nil, false
		}
		at := key
		if indent > 0 {
			at = top + "." + section + "." + key
		}
		if slices.Contains(seen, at) {
			return nil, false
		}
		seen = append(seen, at)
		if value == "|" || value == "|-" || value == ">" || value == ">-" {
			if key != "evidence" {
				return nil, false // a text that is shown
			}
			skipping = indent
			continue
		}
		if value == "" {
			switch {
			case indent == 0 && key == "result":
			case indent == 2 && key == "files_modified":
				files = indent
			case indent == 2:
				section = key
			default:
				return nil, false
			}
			continue
		}
		if value == "[]" && key == "files_modified" {
			continue
		}
		v, isPlain := plainValue(value)
		if !isPlain {
			return nil, false
		}
		switch section + "." + key {
		case ".logged_at":
			l.at = parseTime(v)
		case ".plan_id":
			l.plan = strings.Clone(v)
		case ".task_index":
			l.task = brief.TrimZeros(strings.Clone(v))
		case ".status":
			l.status = strings.Clone(v)
		case ".task_name":
			l.name = strings.Clone(v)
		case ".error":
			l.err = short(v)
		case "verification.output_summary":
			l.output = short(v)
		case "metadata.duration_ms":
			took = v
		case "metadata.attempt":
			attempt = v
		}
	}
	l.metadata(took, attempt)
	return l, l.status != "" && l.plan != ""
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
	for i := range len(value) {
		if value[i] < ' ' || value[i] == 0x7F {
			return "", false
		}
	}
	return value, true
}

// logName takes the name of a log apart, "03-01-task-02-success-2.yaml": for one whose head does not say it.
var logName = regexp.MustCompile(`^(\d+(?:\.\d+)*-\d+(?:\.\d+)*)-task-(\d+(?:\.\d+)*)-([a-z_]+)(?:-\d+)?\.ya?ml$`)

// named fills in what the name of the file says and the log itself does not.
func (l *logged) named(file string) {
	m := logName.FindStringSubmatch(file)
	if m == nil {
		return
	}
	if l.plan == "" {
		l.plan = m[1]
	}
	if l.task == "" {
		l.task = brief.TrimZeros(m[2])
	}
	if l.status == "" {
		l.status = m[3]
	}
}

// parseDaily reads the summary of a day. All of its fields are optional.
func parseDaily(text string) (*Daily, error) {
	d := &Daily{}
	err := decode(text, d)
	return d, err
}
