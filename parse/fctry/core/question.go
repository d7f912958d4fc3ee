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
	questionKeys = [...]string{"text", "question", "prompt", "message"}
	// answerKeys mark an answered question, because many agents leave it in the file. "answers" is not one: it may hold the choices.
	answerKeys = [...]string{"answer", "answered", "answeredAt", "resolved", "resolvedAt"}
)

// Question is a question in any of the forms that agents write: a text, an object with one, or a list of them.
type Question struct {
	Text   string   // [UnreadQuestion] if it has none; "" if nothing is asked, or all is answered
	Blocks []string // IDs and names of the chunks that wait for the answer
}

// ParseQuestion parses a question. The first text of a list counts.
func ParseQuestion(v doc.Value) (q Question) {
	switch {
	case !hasContent(v) || v.Is(doc.Map) && isAnswered(v):
	case v.Is(doc.List):
		for element := range v.Children() {
			one := ParseQuestion(element)
			if q.Blocks = append(q.Blocks, one.Blocks...); q.Text == "" || q.Text == UnreadQuestion && one.Text != "" {
				q.Text = one.Text
			}
		}
	case v.Is(doc.Map):
		q.Text, q.Blocks = UnreadQuestion, appendIDs(nil, v.Get("blockedChunks"))
		for _, key := range questionKeys {
			if text := v.Get(key).Text(); q.Text == UnreadQuestion && line.Tidy(text) != "" {
				q.Text = text
			}
		}
	case v.Is(doc.Bool) || line.Tidy(Text(v)) == "":
		q.Text = UnreadQuestion
	default:
		q.Text = Text(v)
	}
	return q
}

// isAnswered reports whether an object that asks something carries its answer.
func isAnswered(v doc.Value) bool {
	status := v.Get("status").Text()
	return status == "answered" || status == "resolved" ||
		slices.ContainsFunc(answerKeys[:], func(key string) bool { return hasContent(v.Get(key)) })
}
