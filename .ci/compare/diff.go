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

// prose are the keys whose texts are sentences for people. true: whether there is a text, and how many, is compared all the same.
var prose = map[string]bool{
	"why": false, "text": false, "fix": false, "mend": false, "asks": false, "expects": false, "reason": false, "reasons": false, "remark": false, "note": false, "effect": false,
	"description": false, "claim": false, "truth": false, "trouble": false, "remedy": false, "place": false, "offers": false, "steps": false, "details": false, "facts": false, "none": false,
	"over": true, "stale": true, "rejected": true, "outdated": true, "warnings": true, "errors": true, "mistakes": true, "dangers": true,
}

// difference is one place where two answers differ.
type difference struct {
	kind    string // its path without indexes, and the change: equal for all differences that are alike
	command string
	detail  string // its path and both values
}

// differ compares two answers.
type differ struct {
	text  bool // compares prose, too
	found []difference
}

// addDifference adds a difference. from and to are the classes of the values.
func (d *differ) addDifference(path, from, to, detail string) {
	d.found = append(d.found, difference{kind: path + ": " + from + " → " + to, detail: detail})
}

// compareJSON compares what two commands print. Each may print several values.
func (d *differ) compareJSON(name string, before, after []byte) {
	a, okA := decodeAll(before)
	b, okB := decodeAll(after)
	if !okA || !okB {
		d.compareValue(name+" (not JSON)", name, string(before), string(after))
		return
	}
	if len(a) == 1 && len(b) == 1 {
		d.compareValue(name, name, a[0], b[0])
		return
	}
	d.compareLists(name, name, a, b)
}

// compareValue compares two JSON values. path has no indexes, place names the elements.
func (d *differ) compareValue(path, place string, a, b any) {
	switch a := a.(type) {
	case map[string]any:
		if b, ok := b.(map[string]any); ok {
			d.compareObjects(path, place, a, b)
			return
		}
	case []any:
		if b, ok := b.([]any); ok {
			d.compareLists(path, place, a, b)
			return
		}
	}
	if from, to := encodeJSON(a), encodeJSON(b); hideNow(from) != hideNow(to) || fmt.Sprintf("%T", a) != fmt.Sprintf("%T", b) {
		d.addDifference(path, classOf(a), classOf(b), fmt.Sprintf("%s: %.300s → %.300s", place, from, to))
	}
}

func (d *differ) compareObjects(path, place string, a, b map[string]any) {
	keys := slices.Collect(maps.Keys(a))
	for key := range b {
		if _, both := a[key]; !both {
			keys = append(keys, key)
		}
	}
	slices.Sort(keys)
	for _, key := range keys {
		x, y := a[key], b[key]
		if counts, isProse := prose[key]; isProse && !d.text && isText(x) && isText(y) && !(key == "facts" && strings.HasPrefix(path, "metrics")) {
			if n, m := countTexts(x), countTexts(y); counts && n != m {
				d.addDifference(path+"."+key, fmt.Sprint(n, " texts"), fmt.Sprint(m, " texts"), fmt.Sprintf("%s.%s: %.300s → %.300s", place, key, encodeJSON(x), encodeJSON(y)))
			}
			continue
		}
		d.compareValue(path+"."+key, place+"."+key, x, y)
	}
}

// compareLists compares two lists. Objects are held against the object of the same identity, so that one that is missing is one
// difference.
func (d *differ) compareLists(path, place string, a, b []any) {
	path += "[]"
	x, y := listIdentities(a), listIdentities(b)
	if slices.Contains(x, "") || slices.Contains(y, "") { // no identity
		if len(a) != len(b) {
			d.addDifference(path, classOf(a), classOf(b), fmt.Sprintf("%s: %.300s → %.300s", place, encodeJSON(a), encodeJSON(b)))
			return
		}
		for i := range a {
			d.compareValue(path, fmt.Sprintf("%s[%d]", place, i), a[i], b[i])
		}
		return
	}
	var commonX, commonY []string
	for i, id := range x {
		if k := slices.Index(y, id); k >= 0 {
			commonX = append(commonX, id)
			d.compareValue(path, place+"["+id+"]", a[i], b[k])
		} else {
			d.addDifference(path, summarizeElement(a[i]), "(none)", fmt.Sprintf("%s: only the old build has %.300s", place, encodeJSON(a[i])))
		}
	}
	for i, id := range y {
		if slices.Contains(x, id) {
			commonY = append(commonY, id)
		} else {
			d.addDifference(path, "(none)", summarizeElement(b[i]), fmt.Sprintf("%s: only the new build has %.300s", place, encodeJSON(b[i])))
		}
	}
	if !slices.Equal(commonX, commonY) {
		d.addDifference(path, "order", "another order", fmt.Sprintf("%s: %.300s → %.300s", place, strings.Join(commonX, ", "), strings.Join(commonY, ", ")))
	}
}

// listIdentities returns the identity of each element of a list: a text, or some members of an object. "" is an element without identity.
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
		if times[id]++; id != "" && times[id] > 1 {
			id += fmt.Sprint(" #", times[id])
		}
		ids[i] = strings.TrimPrefix(id, " ")
	}
	return ids
}

// summarizeElement describes an element of a list by its codes.
func summarizeElement(v any) string {
	object, ok := v.(map[string]any)
	if !ok {
		return classOf(v)
	}
	var all []string
	for _, key := range []string{"protocol", "kind", "status", "severity", "rule", "evidence", "potential", "action", "label"} {
		if value, has := object[key]; has {
			all = append(all, key+" "+classOf(value))
		}
	}
	return "{" + strings.Join(all, ", ") + "}"
}

var word = regexp.MustCompile(`^[A-Za-z_-]{0,24}$`)

// classOf returns a value if it is a code, else what kind of value it is.
func classOf(v any) string {
	switch v := v.(type) {
	case nil:
		return "(none)"
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
	case []any:
		return fmt.Sprintf("list of %d", len(v))
	case map[string]any:
		return summarizeElement(v)
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
