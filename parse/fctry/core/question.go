package core

import (
	"slices"

	"gatehouse/model/line"
	"gatehouse/parse/doc"
)

// UnreadQuestion replaces the text of a question without one.
const UnreadQuestion = "asks something that can't be read"

var (
	// questionKeys are the keys of a question's text, the one of the specification first.
	questionKeys = [...]string{"text", "question", "prompt", "message", "summary", "title"}
	// answerKeys mark an answered question, because many agents leave it in the file. "answers" is not one: it may hold the choices.
	answerKeys = [...]string{"answer", "answered", "answeredAt", "resolved", "resolvedAt"}
)

// Question is a question in any of the forms that agents write: a text, an object with one, or a list of them.
type Question struct {
	Text   string   // [UnreadQuestion] if it has none; "" if nothing is asked, or all is answered
	Blocks []string // IDs and names of the chunks that wait for the answer
}

// ParseQuestion parses a question.
func ParseQuestion(v doc.Value) (q Question) {
	if q.addText(v, maxDepth) && q.Text == "" {
		q.Text = UnreadQuestion
	}
	return q
}

// addText adds the question in a value, and reports whether there is one. The first text counts.
func (q *Question) addText(v doc.Value, depth int) (asks bool) {
	switch {
	case !hasContent(v, depth):
		return false
	case depth == 0:
		return true
	case v.Is(doc.List):
		for element := range v.Children() {
			asks = q.addText(element, depth-1) || asks
		}
		return asks
	case v.Is(doc.Map):
		return q.addObject(v, depth)
	}
	if text := Text(v); q.Text == "" && !v.Is(doc.Bool) && line.Tidy(text) != "" {
		q.Text = text
	}
	return true
}

func (q *Question) addObject(v doc.Value, depth int) (asks bool) {
	if isAnswered(v) {
		return false
	}
	for _, key := range questionKeys {
		if q.Text == "" {
			q.addText(v.Get(key), depth-1)
		}
	}
	hadText, list := q.Text != "", v.Get("questions")
	asks = q.addText(list, depth-1) || hadText || !hasContent(list, depth-1)
	if asks {
		q.Blocks = appendIDs(q.Blocks, v.Get("blockedChunks"))
	}
	return asks
}

// isAnswered reports whether an object that asks something carries its answer.
func isAnswered(v doc.Value) bool {
	status := v.Get("status").Text()
	return status == "answered" || status == "resolved" ||
		slices.ContainsFunc(answerKeys[:], func(key string) bool { return hasContent(v.Get(key), maxDepth) })
}
