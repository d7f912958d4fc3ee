package protocol

import (
	"strings"
	"time"

	"gatehouse/model"
)

// MaxFact limits the characters of a fact: files may be hostile.
const MaxFact = 600

// Facts are lines of detail of a node or a build.
type Facts []model.Fact

// Add adds a fact with its beginning, unless the text is empty.
func (f *Facts) Add(label, text string) {
	if text != "" {
		*f = append(*f, model.Fact{Label: Clip(label, MaxFact), Value: Clip(text, MaxFact)})
	}
}

// AddTime adds a time in UTC, unless it is zero.
func (f *Facts) AddTime(label string, t time.Time) {
	if !t.IsZero() {
		f.Add(label, t.UTC().Format(time.DateTime))
	}
}

// Clip returns the beginning of a text, at most limit characters of it.
func Clip(text string, limit int) string {
	if len(text) <= limit {
		return text
	}
	for i := range text {
		if limit == 0 {
			return text[:i] + "…"
		}
		limit--
	}
	return text
}

// MaxListed is how many names [ListNames] lists.
const MaxListed = 8

// ListNames joins names, and says how many more there are.
func ListNames(all []string) string {
	if n := len(all) - MaxListed; n > 0 {
		return strings.Join(all[:MaxListed], ", ") + " and " + Count(n, "other")
	}
	return strings.Join(all, ", ")
}
