// What a run has asked its user, in the shapes that are found in the field.

package rules

import (
	"gatehouse/model/line"
	"gatehouse/parse/text/scan"
)

// UnreadQuestion stands for the text of a question that has none.
const UnreadQuestion = "asks something that can't be read"

// questionKeys are where the text of a question stands, the one of the document first, and questionDepth how deep lists and
// objects may stand in each other.
var questionKeys = [...]string{"text", "question", "prompt", "message", "summary", "title", "questions"}

const questionDepth = 6

// answerKeys are where a question says that it has been answered: who answers often leaves it where it stands. "answers" is none of
// them, for it may be what can be chosen.
var answerKeys = [...]string{"answer", "answered", "answeredAt", "resolved", "resolvedAt"}

// answered reports whether an object that asks something carries its answer.
func answered(value string) bool {
	for _, key := range answerKeys {
		if member, _ := scan.JSONValue(value, key); says(member, questionDepth) {
			return true
		}
	}
	member, _ := scan.JSONValue(value, "status")
	status, _ := scan.JSONText(member)
	return status == "answered" || status == "resolved"
}

// Question returns what a value asks, UnreadQuestion where it says something and no text is found in it, and "" where it says
// nothing, or has been answered. It is a text, an object with one, or a list of such.
func Question(value string) string {
	if text := questionText(value, questionDepth); text != "" {
		return text
	}
	if says(value, questionDepth) && !allAnswered(value, questionDepth) {
		return UnreadQuestion
	}
	return ""
}

func questionText(value string, depth int) string {
	switch {
	case value == "" || depth == 0 || value == "true":
		return ""
	case value[0] == '[':
		for a := (scan.JSONArray{Rest: value}); ; {
			element, ok := a.Next()
			if !ok {
				return ""
			}
			if text := questionText(element, depth-1); text != "" {
				return text
			}
		}
	case value[0] != '{':
		if text := Scalar(value); line.Tidy(text) != "" {
			return text
		}
		return ""
	case answered(value):
		return ""
	}
	for _, key := range questionKeys {
		member, _ := scan.JSONValue(value, key)
		if text := questionText(member, depth-1); text != "" {
			return text
		}
	}
	return ""
}

// allAnswered reports whether everything in a value that says anything carries its answer.
func allAnswered(value string, depth int) bool {
	switch {
	case depth == 0 || value == "":
		return false
	case value[0] == '{':
		if answered(value) {
			return true
		}
		list, _ := scan.JSONValue(value, "questions")
		return says(list, depth-1) && allAnswered(list, depth-1)
	case value[0] == '[':
		for a := (scan.JSONArray{Rest: value}); ; {
			element, ok := a.Next()
			if !ok {
				return true
			}
			if says(element, depth-1) && !allAnswered(element, depth-1) {
				return false
			}
		}
	}
	return false
}

// says reports whether a value says anything: a text that is not blank, a number, true, or a list or an object with one of them.
func says(value string, depth int) bool {
	switch {
	case value == "" || value == "null" || value == "false":
		return false
	case depth == 0:
		return true
	case value[0] == '[':
		for a := (scan.JSONArray{Rest: value}); ; {
			element, ok := a.Next()
			if !ok || says(element, depth-1) {
				return ok
			}
		}
	case value[0] == '{':
		for m := (scan.JSONMembers{Rest: value}); ; {
			_, member, ok := m.Next()
			if !ok || says(member, depth-1) {
				return ok
			}
		}
	}
	text, isText := scan.JSONText(value)
	return !isText || scan.TrimSpace(text) != ""
}

// Asking returns the first of several values that asks something, -1 for none.
func Asking(values ...string) int {
	for i, value := range values {
		if Question(value) != "" {
			return i
		}
	}
	return -1
}

// holdsOf appends the IDs and names of the chunks that a question holds up: those that it names, or each of its list.
func holdsOf(list []string, question string, depth int) []string {
	if question == "" || depth == 0 {
		return list
	}
	if question[0] == '[' {
		for a := (scan.JSONArray{Rest: question}); len(list) < needsLimit; {
			element, ok := a.Next()
			if !ok {
				break
			}
			list = holdsOf(list, element, depth-1)
		}
		return list
	}
	if question[0] != '{' || answered(question) {
		return list
	}
	fields := [2]scan.JSONField{{Path: []string{"blockedChunks"}}, {Path: []string{"questions"}}}
	scan.JSONFields(question, fields[:])
	return holdsOf(appendNeeds(list, fields[0].Value), fields[1].Value, depth-1)
}
