package main

import (
	"encoding/json"
	"fmt"
	"maps"
	"regexp"
	"slices"
	"strings"
	"time"
)

// prose are the keys with sentences for people. true: the number of texts is compared all the same.
var prose = map[string]bool{
	"why": false, "text": false, "fix": false, "mend": false, "asks": false, "expects": false, "reason": false, "reasons": false, "remark": false, "note": false, "effect": false,
	"description": false, "claim": false, "truth": false, "trouble": false, "remedy": false, "place": false, "offers": false, "steps": false, "details": false, "facts": false, "none": false,
	"over": true, "stale": true, "rejected": true, "outdated": true, "warnings": true, "errors": true, "mistakes": true, "dangers": true,
}

// difference is one place where two answers differ.
type difference struct {
	kind    string // its path without identities, and the change: equal for all differences that are alike
	command string
	detail  string // its place and both values
}

// leaf is a value that is compared. Objects are leaves, too, so that one that is missing is one difference.
type leaf struct {
	path, class string
	text        string   // of a value that is neither object nor list
	ids         []string // of the elements of a list, in order
	value       any
}

// compareAnswers compares two answers: JSON by its values, others as texts. withProse includes sentences.
func compareAnswers(name string, before, after []byte, asJSON, withProse bool) (found []difference) {
	a, b := map[string]leaf{}, map[string]leaf{}
	valuesA, okA := decodeAll(before)
	valuesB, okB := decodeAll(after)
	if asJSON && okA && okB {
		flatten(name, name, valuesA, withProse, a)
		flatten(name, name, valuesB, withProse, b)
	} else {
		flatten(name, name, string(before), true, a)
		flatten(name, name, string(after), true, b)
	}
	all := maps.Clone(a)
	maps.Copy(all, b)
	missing := ""
	for _, place := range slices.Sorted(maps.Keys(all)) {
		if missing != "" && strings.HasPrefix(place, missing) && strings.ContainsAny(place[len(missing):len(missing)+1], ".[") {
			continue // a part of what one answer lacks
		}
		x, inA := a[place]
		y, inB := b[place]
		detail := fmt.Sprintf("%s: %.300s → %.300s", place, encodeJSON(x.value), encodeJSON(y.value))
		switch {
		case !inA:
			missing = place
			found = append(found, difference{kind: y.path + ": (none) → " + y.class, detail: detail})
		case !inB:
			missing = place
			found = append(found, difference{kind: x.path + ": " + x.class + " → (none)", detail: detail})
		case hideNow(x.text) != hideNow(y.text) || fmt.Sprintf("%T", x.value) != fmt.Sprintf("%T", y.value):
			found = append(found, difference{kind: x.path + ": " + x.class + " → " + y.class, detail: detail})
		case !slices.Equal(common(x.ids, y.ids), common(y.ids, x.ids)):
			found = append(found, difference{kind: x.path + ": another order", detail: fmt.Sprintf("%s: %.300q → %.300q", place, x.ids, y.ids)})
		}
	}
	return found
}

// common returns the elements of a list that another one has, too.
func common(list, other []string) []string {
	return slices.DeleteFunc(slices.Clone(list), func(x string) bool { return !slices.Contains(other, x) })
}

// flatten lists the values of an answer by their places. Places name elements of lists by their identity.
func flatten(path, place string, v any, withProse bool, into map[string]leaf) {
	switch v := v.(type) {
	case nil:
	case map[string]any:
		into[place] = leaf{path: path, class: summarize(v), value: v}
		for key, x := range v {
			if counts, isProse := prose[key]; isProse && !withProse && isText(x) && !(key == "facts" && strings.HasPrefix(path, "metrics")) {
				if !counts {
					continue
				}
				x = fmt.Sprint(countTexts(x), " texts")
			}
			flatten(path+"."+key, place+"."+key, x, withProse, into)
		}
	case []any:
		ids := listIdentities(v)
		into[place] = leaf{path: path, class: "list", ids: ids, value: v}
		for i, x := range v {
			flatten(path+"[]", place+"["+ids[i]+"]", x, withProse, into)
		}
	default:
		into[place] = leaf{path: path, class: classOf(v), text: encodeJSON(v), value: v}
	}
}

// listIdentities returns the identity of each element of a list: a text, some members of an object, or else the index.
func listIdentities(list []any) []string {
	ids, times := make([]string, len(list)), map[string]int{}
	for i, v := range list {
		id, _ := v.(string)
		object, _ := v.(map[string]any)
		for _, keys := range [][]string{{"build", "node", "name"}, {"id"}, {"node"}, {"rule", "file", "line", "col"}, {"label"}, {"build"}, {"protocol", "path"}, {"date"}, {"name"}, {"source"}, {"at"}} {
			for _, key := range keys {
				if value, has := object[key]; has && value != "" {
					id += " " + encodeJSON(value)
				}
			}
			if id != "" {
				break
			}
		}
		if times[id]++; id == "" || times[id] > 1 {
			id += fmt.Sprint(" #", times[id])
		}
		ids[i] = strings.TrimPrefix(id, " ")
	}
	return ids
}

// summarize describes an object by its codes.
func summarize(object map[string]any) string {
	var all []string
	for _, key := range []string{"protocol", "kind", "status", "severity", "rule", "evidence", "potential", "action", "label"} {
		if value, has := object[key]; has {
			all = append(all, key+" "+classOf(value))
		}
	}
	return "{" + strings.Join(all, ", ") + "}"
}

var word = regexp.MustCompile(`^[A-Za-z_-]{0,24}$`)

// classOf returns a value if it is a code, else its kind.
func classOf(v any) string {
	switch v := v.(type) {
	case string:
		if word.MatchString(v) {
			return fmt.Sprintf("%q", v)
		}
		text := "text"
		for _, sign := range []string{"◆", "≠", "⏸", "next approve", "next retry"} {
			if strings.Contains(v, sign) {
				text += " " + sign
			}
		}
		return text
	case float64:
		return "number"
	}
	return fmt.Sprint(v)
}

func encodeJSON(v any) string {
	if s, ok := v.(string); ok {
		return s
	}
	data, _ := json.Marshal(v)
	return string(data)
}

// isText reports whether a value is a text, a list, or missing.
func isText(v any) bool {
	switch v.(type) {
	case nil, string, []any:
		return true
	}
	return false
}

// countTexts returns how many texts a value has.
func countTexts(v any) int {
	switch v := v.(type) {
	case []any:
		return len(v)
	case string:
		return min(1, len(v))
	}
	return 0
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
