// Reading texts as agents write them: documents, durations, times, the four forms of a task's identity.

package facts

import (
	"cmp"
	"encoding/json"
	"errors"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"time"

	"gatehouse/model"
	"gatehouse/parse/disk/mirror"
	"gatehouse/parse/protocol"
	"gatehouse/parse/ultraplan/rules"
)

// decode reads a JSON document into a struct. A value of a wrong type costs that value, and is a minor fault.
func decode(text string, into any) error {
	if len(text) > protocol.SideLimit {
		return &mirror.Fault{Line: 1, Text: "this is more than 1 MiB of JSON, which is not read"}
	}
	text = strings.TrimPrefix(text, "\uFEFF")
	err := json.Unmarshal([]byte(text), into)
	var syntax *json.SyntaxError
	var wrong *json.UnmarshalTypeError
	place := func(offset int64) (no, col int) {
		before := text[:max(0, min(int(offset), len(text)))]
		return 1 + strings.Count(before, "\n"), max(1, len(before)-strings.LastIndexByte(before, '\n')-1)
	}
	switch {
	case err == nil && strings.TrimSpace(text) == "null": // json takes it for nothing to say
		return &mirror.Fault{Line: 1, Text: "the document is null, which it can't be"}
	case errors.As(err, &syntax):
		no, col := place(syntax.Offset)
		return &mirror.Fault{Line: no, Col: col, Text: syntax.Error()}
	case errors.As(err, &wrong):
		no, col := place(wrong.Offset)
		return &mirror.Fault{Line: no, Col: col, Text: cmp.Or(wrong.Field, "the document") + " is " + article(wrong.Value) + ", which it can't be", Minor: wrong.Field != ""}
	case err != nil:
		return &mirror.Fault{Line: 1, Text: err.Error(), Minor: true}
	}
	return nil
}

// article puts the article before what a value of JSON is.
func article(kind string) string {
	if strings.ContainsRune("aeiou", rune(kind[0])) {
		return "an " + kind
	}
	return "a " + kind
}

// FirstLine returns the first line of a text that holds anything, without its list mark.
func FirstLine(text string) string {
	for l := range strings.Lines(text) {
		if l = strings.TrimSpace(l); l != "" {
			return strings.TrimPrefix(l, "- ")
		}
	}
	return ""
}

// Date returns the date that a text begins with, "2026-01-26", "" without one.
func Date(s string) string {
	s = strings.Trim(strings.TrimSpace(s), `"'`)
	if len(s) < len(time.DateOnly) {
		return ""
	}
	if _, err := time.Parse(time.DateOnly, s[:len(time.DateOnly)]); err != nil {
		return ""
	}
	return s[:len(time.DateOnly)]
}

var (
	durationPart = regexp.MustCompile(`(\d+(?:\.\d+)?)\s*(milliseconds?|msecs?|ms|hours?|hrs?|hr|h|minutes?|mins?|min|m|seconds?|secs?|sec|s)\b`)
	durationForm = regexp.MustCompile(`^(?:` + durationPart.String() + `[\s,]*)+$`)
)

// ParseDuration reads a duration in words: "28 minutes", "5h 36m", "~15 minutes", "3m 43s", "212s". ok is false for what
// is none, a range among it: nothing is guessed.
func ParseDuration(s string) (d model.Millis, ok bool) {
	s = strings.ToLower(strings.Trim(strings.TrimSpace(s), `"'`))
	s = strings.TrimSpace(strings.TrimPrefix(s, "~"))
	if len(s) > 64 || !durationForm.MatchString(s) {
		return 0, false
	}
	total := 0.0
	for _, part := range durationPart.FindAllStringSubmatch(s, -1) {
		n, _ := strconv.ParseFloat(part[1], 64)
		switch unit := part[2]; {
		case strings.HasPrefix(unit, "mil") || strings.HasPrefix(unit, "ms"):
			total += n
		case unit[0] == 'h':
			total += n * 3_600_000
		case unit[0] == 'm':
			total += n * 60_000
		default:
			total += n * 1000
		}
	}
	const year = 366 * 24 * 3_600_000
	if total > 100*year {
		return 0, false
	}
	return model.Millis(total + 0.5), true
}

// SameName reports whether two names of tasks are of the same words, however many blanks stand between them.
func SameName(a, b string) bool { return slices.Equal(strings.Fields(a), strings.Fields(b)) }

// TaskKey is the identity of a task, in one form for all that agents write.
type TaskKey struct {
	Plan string // "3-1": numbers without leading zeros; "" where it is not named
	Task string // "2"; "" where it is not named
}

var keyForms = []*regexp.Regexp{
	regexp.MustCompile(`^(\d+(?:\.\d+)*-\d+(?:\.\d+)*)(?::|-)task-(\d+(?:\.\d+)*)`),                  // "03-01:task-3", the log "03-01-task-01-…"
	regexp.MustCompile(`^(\d+(?:\.\d+)*-\d+(?:\.\d+)*)-(\d+(?:\.\d+)*)$`),                            // "06-01-01"
	regexp.MustCompile(`^(\d+(?:\.\d+)*-\d+(?:\.\d+)*)$`), regexp.MustCompile(`^()(\d+(?:\.\d+)*)$`), // a plan; a number in its plan
}

// ParseTaskKey reads the identity of a task in any of its forms; what is none is the zero key.
func ParseTaskKey(s string) TaskKey {
	s = strings.TrimSpace(s)
	for _, form := range keyForms {
		if m := form.FindStringSubmatch(s); m != nil {
			k := TaskKey{Plan: PlanKey(m[1])}
			if len(m) > 2 {
				k.Task = rules.TrimZeros(m[2])
			}
			return k
		}
	}
	return TaskKey{}
}

// PlanKey makes the numbers of plans comparable: "03-01" is "3-1", "02.5-01" is "2.5-1".
func PlanKey(id string) string {
	phase, number := rules.SplitPlan(id)
	if phase == "" {
		return ""
	}
	return rules.TrimZeros(phase) + "-" + rules.TrimZeros(number)
}

// PhaseOf returns the number of the phase of a plan, "03" of "03-01".
func PhaseOf(plan string) string {
	phase, _ := rules.SplitPlan(plan)
	return phase
}
