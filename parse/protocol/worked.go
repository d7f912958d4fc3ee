// The times of work in a SUMMARY.md: GSD and ultraplan write the same forms.

package protocol

import (
	"slices"
	"strings"
	"time"

	"gatehouse/model"
	"gatehouse/parse/doc"
)

// Worked is when a plan was worked on.
type Worked struct {
	Began, Ended time.Time // zero: the summary does not say
	DayOnly      bool      // it names days alone: both are midnight in UTC
	Took         string    // how long, in its own words; "" if it does not say
}

// metricsKey is the key of a mapping that holds these fields in some summaries.
const metricsKey = "metrics"

// endKeys are those that say when it was done.
var endKeys = []string{"completed", "completed_at", "completed_date"}

// ParseWorkTimes reads when a plan was worked on. The frontmatter has it, often only the day; fields of the body
// ("**Started:**", "**Completed:**", "**Duration:**") often have the time. If both have the same value, the time
// counts. field returns a value of the frontmatter at a path of keys.
func ParseWorkTimes(field func(keys ...string) string, body string) (w Worked) {
	first := func(keys ...string) string {
		for _, key := range keys {
			if text := field(key); strings.TrimSpace(text) != "" {
				return text
			}
		}
		for _, key := range keys {
			if text := field(metricsKey, key); strings.TrimSpace(text) != "" {
				return text
			}
		}
		return ""
	}
	text := fieldsOf(body)
	began, ended := stampOf(first("started")), stampOf(first(endKeys...))
	if in := text.ended; ended.at.IsZero() || ended.day && !in.day && in.at.Sub(ended.at).Abs() < 36*time.Hour {
		ended = in
	}
	if began.at.IsZero() || began.day && !text.began.day {
		began = text.began
	}
	w = workedBetween(began, ended)
	if w.Took = first("duration"); w.Took == "" {
		w.Took = text.took
	}
	return w
}

// ParseWorked returns a period of work by its start and end; each may be a time, a day, or "".
func ParseWorked(began, ended string) Worked { return workedBetween(stampOf(began), stampOf(ended)) }

// workedBetween returns a period of work. If the end is a day, the period has days only: a day does not show when work began.
func workedBetween(began, ended stamp) (w Worked) {
	w.Ended, w.DayOnly = ended.at, ended.day
	switch {
	case ended.at.IsZero():
		w.Began, w.DayOnly = began.at, began.day
	case ended.day || !began.day:
		w.Began = began.at
	}
	return w
}

// stamp is a time, or a day.
type stamp struct {
	at  time.Time
	day bool
}

// stampOf reads a time or a day, without a remark in brackets after it.
func stampOf(text string) stamp {
	text, _, _ = strings.Cut(text, "(")
	at := ParseTime(text)
	return stamp{at, len(strings.Trim(strings.TrimSpace(text), `"'`)) == len(time.DateOnly)}
}

// fields are the times in the text of a summary.
type fields struct {
	began, ended stamp
	took         string
}

// fieldsOf reads the fields of a text; the first of each counts.
func fieldsOf(body string) (f fields) {
	if !slices.ContainsFunc([]string{"**Started", "**Completed", "**Executed", "**Duration"}, func(word string) bool { return strings.Contains(body, word) }) {
		return f // nearly always so of long texts, and found out much faster
	}
	for l := range doc.Lines(body, 0, len(body)) {
		text, _, ok := doc.ParseItem(l.Text)
		if !ok {
			text = l.Text
		}
		name, value, ok := doc.ParseField(text)
		if !ok || l.Code || l.Comment {
			continue
		}
		switch {
		case name == "Started" && f.began.at.IsZero():
			f.began = stampOf(value)
		case (name == "Completed" || name == "Executed") && f.ended.at.IsZero():
			f.ended = stampOf(value)
		case name == "Duration" && f.took == "":
			f.took = value
		}
	}
	return f
}

// Lasted returns the time between start and end, 0 if it is unknown.
func (w Worked) Lasted() model.Millis {
	if w.DayOnly || w.Began.IsZero() || !w.Ended.After(w.Began) {
		return 0
	}
	return model.Millis(w.Ended.Sub(w.Began).Milliseconds())
}

// longestPlan is the longest time between start and end that counts as continuous work: a plan that took longer was set aside.
const longestPlan = model.Millis(12 * 60 * 60 * 1000)

// Plan returns a finished plan with its times; took is how long it was worked on, 0 if only the times show it.
func (w Worked) Plan(node, phase string, took model.Millis) model.Piece {
	if lasted := w.Lasted(); took == 0 && lasted <= longestPlan {
		took = lasted
	}
	return model.Piece{Node: node, Phase: phase, Done: true, Began: w.Began, Ended: w.Ended, DayOnly: w.DayOnly, Took: took}
}

// Phase returns something that is worked on from its beginning to its end, with its times.
func (w Worked) Phase(node string, done bool) model.Piece {
	return model.Piece{Node: node, Done: done, Began: w.Began, Ended: w.Ended, DayOnly: w.DayOnly, Took: w.Lasted()}
}
