// What an action would do, as a human is shown it.

package parse

import (
	"cmp"
	"encoding/json"
	"strings"
	"time"

	"gatehouse/model"
	"gatehouse/parse/disk/journal"
	"gatehouse/parse/disk/statefile"
	"gatehouse/parse/protocol"
)

// plan is an action judged by one content of its file: what is asked of it is answered without judging that again.
type plan struct {
	site    *site
	request protocol.Request
	answer  protocol.Answer
}

// plan judges the action by a content of its file.
func (as *Actions) plan(s *site, content string) (*plan, error) {
	r, err := as.request(s, content)
	if err != nil {
		return nil, err
	}
	answer, err := guarded(r.Build, func() (protocol.Answer, error) { return s.about.Judge(content) })
	if err != nil {
		return nil, err
	}
	return &plan{site: s, request: r, answer: answer}, nil
}

// request returns the action with what the protocol needs to say what it changes.
func (as *Actions) request(s *site, content string) (protocol.Request, error) {
	r := protocol.Request{Action: s.action, Content: content, Who: cmp.Or(as.who, s.p.user.Name), Now: s.now}
	if log := as.journal(s.p); r.Verb == model.VerbUndo && log != nil {
		all, err := log.Read()
		all = journal.Prove(all, func(file string) string {
			if file == s.about.File {
				return statefile.Hash(content)
			}
			return ""
		})
		if r.Last = standing(all, target{r.Build, r.Node}); r.Last == nil && err != nil {
			return r, err
		}
	}
	return r, nil
}

// change returns what the action changes in the content.
func (pl *plan) change() (*protocol.Change, error) { return pl.ask(pl.request) }

// keepsStatus reports whether the action leaves the status as it is, and nothing in a file tells of it.
func (pl *plan) keepsStatus() bool {
	r := pl.request
	r.Asking = true
	c, err := pl.ask(r)
	return err == nil && c.Was == c.Is
}

// ask returns what a request changes in the content, which is the plan's own or one that differs in what is typed.
func (pl *plan) ask(r protocol.Request) (*protocol.Change, error) {
	return guarded(r.Build, func() (*protocol.Change, error) { return pl.answer(r) })
}

// proposal returns what the action would do to the content.
func (pl *plan) proposal() (*model.Proposal, error) {
	r := pl.request
	r.Asking = true
	c, err := pl.ask(r)
	if err != nil {
		return nil, err
	}
	// What was shown is known before the text is typed and its kind is chosen, and before somebody says to go on without a deliverable.
	bare := c
	if r.Text != "" || r.Kind != "" || r.RecordFailed {
		r.Text, r.Kind, r.RecordFailed = "", "", false
		if bare, err = pl.ask(r); err != nil {
			return nil, err
		}
	}
	p := pl.finish(c)
	p.Action.Seen, p.Action.Shown = statefile.Hash(r.Content), shownOf(pl.finish(bare))
	if looked := r.Looked; looked != nil {
		p.Differences = model.Differences(looked, p)
	}
	return p, nil
}

// finish returns the proposal of a change, with the values that it writes.
func (pl *plan) finish(c *protocol.Change) *model.Proposal {
	p := c.Proposal
	p.Action, p.File = pl.request.Action, pl.site.about.File
	p.Action.Looked = nil // each would hold the one before
	p.Edits = protocol.ListEdits(p.File, pl.request.Content, c.Spans)
	return &p
}

// shownOf returns the hash of what a human decides upon. What changes by itself is not in it: times that are written, how
// long it has waited, on which line a value stands.
func shownOf(p *model.Proposal) string {
	q := *p
	q.Action, q.Since = model.Action{}, time.Time{}
	q.Edits = nil
	for _, e := range p.Edits {
		if !isTime(e.New) { // within one second there is nothing to write of it, and a second later there is
			q.Edits = append(q.Edits, model.Edit{Label: e.Label, Old: e.Old, New: e.New})
		}
	}
	text, err := json.Marshal(q)
	if err != nil { // a proposal is made of texts, numbers and times
		panic(err)
	}
	return statefile.Hash(string(text))
}

// isTime reports whether a value is a time, or a member or line that was added for one.
func isTime(value string) bool {
	if text, quoted := strings.CutSuffix(value, `"`); quoted {
		value = text[strings.LastIndexByte(text, '"')+1:]
	} else if _, added, ok := strings.Cut(value, ": "); ok {
		value = added
	}
	_, err := time.Parse(time.RFC3339, value)
	return err == nil
}

// lost returns the values that are gone when another writer has written over a proposal that was done.
func lost(p *model.Proposal) []string {
	var labels []string
	for _, e := range p.Edits {
		if e.Label != "" && !isTime(e.New) {
			labels = append(labels, e.Label)
		}
	}
	return labels
}
