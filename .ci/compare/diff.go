package main

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"regexp"
	"strings"
	"time"

	"github.com/aymanbagabas/go-udiff"
)

// prose are the keys with sentences for people. true: the number of texts is compared all the same.
var prose = map[string]bool{
	"why": false, "text": false, "fix": false, "mend": false, "asks": false, "expects": false, "reason": false, "reasons": false, "remark": false, "note": false, "effect": false,
	"description": false, "claim": false, "truth": false, "trouble": false, "remedy": false, "place": false, "offers": false, "steps": false, "details": false, "facts": false, "none": false,
	"over": true, "stale": true, "rejected": true, "outdated": true, "warnings": true, "errors": true, "mistakes": true, "dangers": true,
}

// difference is lines that differ between two answers, side by side.
type difference struct {
	kind    string // the command and the first of the lines, without texts and numbers: equal for all differences that are alike
	command string
	detail  string // all of the lines
}

// compareAnswers compares two answers line by line: JSON indented, others as they are. withProse includes sentences.
func compareAnswers(name string, before, after []byte, asJSON, withProse bool) (found []difference) {
	a, okA := indentJSON(name, before, withProse)
	b, okB := indentJSON(name, after, withProse)
	if !asJSON || !okA || !okB {
		a, b = string(before), string(after)
	}
	if a, b = hideNow(a)+"\n", hideNow(b)+"\n"; a == b {
		return nil
	}
	text, err := udiff.ToUnified("", "", a, udiff.Lines(a, b), 0)
	mustSucceed(err)
	for hunk := range strings.SplitSeq(text, "\n@@ ") {
		_, changed, _ := strings.Cut(hunk, "\n")
		if strings.HasPrefix(hunk, "--- ") { // the head of the diff
			continue
		}
		var first, last string // of each answer
		for line := range strings.Lines(changed) {
			switch class := name + " " + line[:1] + classOf(line[1:]); {
			case line[0] == '-' && first == "":
				first = class
			case line[0] == '+' && last == "":
				last = class[len(name):]
			}
		}
		if first == "" {
			first = name
		}
		found = append(found, difference{kind: first + last, detail: fmt.Sprintf("%.600s", strings.ReplaceAll(strings.TrimSpace(changed), "\n", "\n        "))})
	}
	return found
}

var (
	sentence = regexp.MustCompile(`"[^"\\]*[^"\\A-Za-z_-](?:[^"\\]|\\.)*"(,?)$`)
	number   = regexp.MustCompile(`\d+`)
)

// classOf returns a line without its indentation, numbers and texts other than single words.
func classOf(line string) string {
	return number.ReplaceAllString(sentence.ReplaceAllString(strings.Trim(line, " \n"), "text$1"), "0")
}

// indentJSON returns all documents of a text with a value a line; ok is false if something is left.
func indentJSON(name string, text []byte, withProse bool) (indented string, ok bool) {
	var out strings.Builder
	d := json.NewDecoder(bytes.NewReader(text))
	for {
		var v any
		switch err := d.Decode(&v); err {
		case nil:
			if !withProse {
				v = withoutProse(v, strings.HasPrefix(name, "metrics"))
			}
			data, _ := json.MarshalIndent(v, "", "  ")
			out.Write(append(data, '\n'))
		case io.EOF:
			return out.String(), true
		default:
			return "", false
		}
	}
}

// withoutProse returns a value without sentences. The facts of metrics are none.
func withoutProse(v any, ofMetrics bool) any {
	switch v := v.(type) {
	case map[string]any:
		for key, x := range v {
			v[key] = withoutProse(x, ofMetrics)
			if counts, isProse := prose[key]; isProse && !(key == "facts" && ofMetrics) {
				switch x := x.(type) {
				case []any:
					v[key] = len(x)
				case string, nil:
					v[key] = x != nil && x != ""
				default:
					continue
				}
				if !counts {
					delete(v, key)
				}
			}
		}
	case []any:
		for i := range v {
			v[i] = withoutProse(v[i], ofMetrics)
		}
	}
	return v
}

var stamp = regexp.MustCompile(`\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?(Z|[+-]\d\d:\d\d)`)

// hideNow replaces the times of a text that lie within a minute of now: both builds have made them in this run.
func hideNow(text string) string {
	return stamp.ReplaceAllStringFunc(text, func(s string) string {
		if t, err := time.Parse(time.RFC3339Nano, s); err == nil && time.Since(t).Abs() < time.Minute {
			return "NOW"
		}
		return s
	})
}
