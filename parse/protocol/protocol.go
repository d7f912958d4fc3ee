// Package protocol holds the shared parts of the readers, checkers and editors of all protocols.
//
//	file ── ReadFile, Source ──► parsed value, its problems with places
//	value ── CheckFields ──────► broken rules of a schema
//	build ── Rows, Artifacts, Stamp, ParseWorked ──► rows with unique IDs, deliverables, ages, history
//	      ── Claim ──► divergences between what a file claims and the tree
//	      ── Check ──► all broken rules, ordered, each once
//	action ── Target, Answer ──► Change: the bytes that a decision replaces; CheckUndo, UndoChange revert it
//
// The meaning of a file belongs to each protocol. The rules that the prompt needs are in the protocol's core and in
// package transition, which have a smaller import closure.
package protocol

import (
	"strconv"
	"strings"

	"gatehouse/model"
	"gatehouse/model/line"
	"gatehouse/parse/protocol/transition"
)

// The codes of refusals as used in [model.Refusal].
const (
	Forbidden        = string(transition.Forbidden)
	SameStatus       = string(transition.SameStatus)
	UnknownStatus    = string(transition.UnknownStatus)
	NoGate           = string(transition.NoGate)
	NotPending       = string(transition.NotPending)
	ReasonRequired   = string(transition.ReasonRequired)
	ReasonTooShort   = string(transition.ReasonTooShort)
	FeedbackRequired = string(transition.FeedbackRequired)
)

// Refuse returns a refusal. Text and fix may quote a file: they are cleaned for the screen.
func Refuse(code transition.Code, text, fix string) *model.Refusal {
	return &model.Refusal{Code: string(code), Text: line.Tidy(text), Fix: line.Tidy(fix)}
}

// RefuseAlready returns the refusal of an action whose result holds already: not an error, and no change needed.
func RefuseAlready(text string) *model.Refusal {
	r := Refuse(transition.SameStatus, text, "")
	r.Already = true
	return r
}

// Sentence describes something in one status, and the possible actions.
type Sentence struct{ Is, Fix string }

// RefuseStatus returns why something is not done because of a status: it is so already, with details, the protocol does not know it, or
// the table leads nowhere from it.
func RefuseStatus(code transition.Code, name, status string, sentences map[string]Sentence, details string, known []string) *model.Refusal {
	stands, isKnown := sentences[status]
	switch {
	case !isKnown:
		last := len(known) - 1
		return Refuse(code, name+" is "+UnknownWord(status), "write "+strings.Join(known[:last], ", ")+" or "+known[last]+" into the file")
	case code == transition.SameStatus:
		return RefuseAlready(name + " " + stands.Is + " already" + details)
	}
	return Refuse(code, name+" "+stands.Is, stands.Fix)
}

// CheckSkipReason returns why a text will not do as the reason of a skip, nil if it will.
func CheckSkipReason(text string) *model.Refusal {
	fix := "give a reason of at least " + strconv.Itoa(transition.MinReason) + " characters"
	switch code := transition.CheckReason(text); code {
	case transition.ReasonRequired:
		return Refuse(code, "a skip needs a reason", fix)
	case transition.ReasonTooShort:
		return Refuse(code, "the reason is too short", fix)
	}
	return nil
}

// Quote puts a word of a file between quotation marks. A word with something that no screen shows is escaped.
func Quote(word string) string {
	if len(word) <= 80 && line.Tidy(word) != word {
		return strconv.QuoteToASCII(word)
	}
	return "“" + word + "”"
}

// Count returns a number with its noun: "1 plan", "2 plans".
func Count(n int, noun string) string {
	if n != 1 {
		noun += "s"
	}
	return strconv.Itoa(n) + " " + noun
}

// UnknownWord describes a status that a protocol does not know, as the end of a sentence.
func UnknownWord(status string) string {
	if status == "" {
		return "without a status"
	}
	return Quote(status) + ", which the protocol does not know"
}

// AddFact adds a line of detail to a node, unless it is empty.
func AddFact(n *model.Node, label, value string) {
	if value = line.Tidy(value); value != "" {
		n.Facts = append(n.Facts, model.Fact{Label: label, Value: value})
	}
}

// Unique returns the texts of a list, each once.
func Unique(all []string) []string {
	seen := make(map[string]bool, len(all))
	var unique []string
	for _, text := range all {
		if !seen[text] {
			seen[text] = true
			unique = append(unique, text)
		}
	}
	return unique
}

// Rows gives the rows of a build unique IDs. Two names that differ only in invisible characters must not become one
// row.
type Rows map[string]int

// ID returns id, or with "#2" and so on after it if it is taken.
func (r Rows) ID(id string) string {
	id = line.Tidy(id)
	for r[id]++; r[id] > 1; r[id]++ {
		id += "#" + strconv.Itoa(r[id])
	}
	return id
}

// Join joins the keys of a path with dots.
func Join(path ...string) string {
	return strings.TrimPrefix(strings.Join(path, "."), ".")
}
