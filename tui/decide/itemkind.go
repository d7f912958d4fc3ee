package decide

// What is typed into a question, and the kind that it is to have where there is a choice: an item of the inbox.

import (
	"slices"

	tea "charm.land/bubbletea/v2"

	"gatehouse/model"
)

// label says what is typed.
func (q *question) label() string {
	switch q.action.Verb {
	case model.VerbChanges:
		return "What is to be changed"
	case model.VerbApprove:
		return "Note"
	case model.VerbAdd:
		return "Item"
	}
	return "Reason"
}

// kinds are those to choose from for what is typed, none where there is no choice.
func (q *question) kinds() []string {
	if q.shown == nil {
		return nil
	}
	return q.shown.Kinds
}

// kind is the kind that would be written.
func (q *question) kind() string {
	if all := q.kinds(); q.action.Kind == "" && len(all) > 0 {
		return all[0]
	}
	return q.action.Kind
}

// kindButton goes to the next kind, where there is a choice.
func (q *question) kindButton() []button {
	if len(q.kinds()) < 2 {
		return nil
	}
	return []button{{key: "tab", words: "another type"}}
}

// nextKind goes on to the next kind of what is typed. Where it is on the screen already, what would be written is looked up
// again.
func (q *question) nextKind() tea.Cmd {
	all := slices.Sorted(slices.Values(q.kinds())) // the one that fits best comes first, and changes with the choice
	q.action.Kind = all[(slices.Index(all, q.kind())+1)%len(all)]
	if q.stage == typing {
		return nil
	}
	q.stage, q.notice = proposing, notice{}
	return q.owner.propose(q)
}
