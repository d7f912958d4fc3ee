package hook

import (
	"cmp"
	"encoding/json"
	"errors"
	"slices"
	"strings"

	"gatehouse/model"
	"gatehouse/parse/agents/ask"
	"gatehouse/parse/doc"
)

// kind is a kind of event: the state of the session after it, "" if that stays, and why open asks end with it, "" if they stay. Events
// without meaning here have none.
type kind struct {
	state model.SessionState
	ends  string
}

var (
	sessionStarted   = &kind{model.SessionIdle, ""} // also after /clear, /compact and on resume
	promptSubmitted  = &kind{model.SessionRunning, "the agent was given a new prompt"}
	toolStarted      = &kind{model.SessionRunning, ""} // of clients that report it
	askOpened        = &kind{model.SessionRunning, ""}
	toolFinished     = &kind{model.SessionRunning, ask.ReasonTerminal}
	turnFinished     = &kind{model.SessionIdle, "the agent's turn has ended"}
	turnFailed       = &kind{model.SessionFailed, "the agent's turn has ended"} // with an error of the API
	apiRetrying      = &kind{model.SessionRetrying, ""}
	interrupted      = &kind{model.SessionInterrupted, "the turn was interrupted"}
	subagentStarted  = &kind{"", ""}
	subagentPrompted = &kind{"", ""}
	subagentEnded    = &kind{"", "the agent below it has ended"}
	promptShown      = &kind{model.SessionWaiting, ""} // the client's own prompt waits for the user
	sessionEnded     = &kind{"", "the agent's session has ended"}
)

// event is a client's report in the terms of the store.
type event struct {
	kind       *kind
	session    string
	dir        string
	below      model.Subagent // the agent below the session that it is about
	text       string         // of a prompt, or from the client's own prompt
	message    string         // the last words, whole
	why        string         // the error of the API
	model      string
	transcript string
	tool       string // the call in one line
	resumed    bool   // of sessionStarted: the session continues earlier work
	background bool   // of turnFinished: agents of the session still run, so the next turn starts by itself
	ask        *ask.Ask
	use        string                     // of toolFinished: the Use of the asks that it settles
	holds      bool                       // the client waits for the hook before it continues, so a dashboard has to be open
	print      func(a *ask.Answer) []byte // returns the client's form of an answer, nil for nothing
}

// questionsOf returns the ask of the questions of Claude Code or opencode, nil without any.
func questionsOf(list doc.Value, use string) *ask.Ask {
	a := &ask.Ask{Ask: model.Ask{Kind: ask.Question}, Use: use}
	for v := range list.Children() {
		text := func(key string) string { return v.Get(key).Text() }
		isMulti := v.Get("multiSelect").Raw()+v.Get("multiple").Raw() == "true"
		q := ask.Queried{Text: text("question"), Header: text("header"), Multi: isMulti, Own: v.Get("custom").Raw() != "false"}
		for o := range v.Get("options").Children() {
			q.Options = append(q.Options, ask.Option{Label: o.Get("label").Text(), Description: o.Get("description").Text(), Preview: o.Get("preview").Text()})
		}
		a.Questions = append(a.Questions, q)
	}
	if len(a.Questions) == 0 {
		return nil
	}
	a.Text = a.Questions[0].Text
	return a
}

// replyWords returns the reply to a question: the client's own labels, because the store cleans the labels of the ask,
// and the user's words. Claude Code ("multiSelect") joins labels, so a label with a comma needs quotes.
func replyWords(q doc.Value, r ask.Reply) []string {
	words, options := []string{}, slices.Collect(q.Get("options").Children())
	for _, pick := range r.Picks {
		label := options[pick].Get("label").Text()
		if q.Get("multiSelect").Raw() == "true" && strings.Contains(label, ",") {
			label = doc.QuoteJSON(label)
		}
		words = append(words, label)
	}
	if r.Text != "" {
		words = append(words, r.Text)
	}
	return words
}

// parseEvent reads an event. Claude Code and Codex share the names of their fields; complete adds
// client-specific details.
func (c contract) parseEvent(input []byte, env func(string) string) (*event, error) {
	tree, fault := doc.ParseJSON(string(input))
	in := tree.Root()
	if fault != nil || !in.Is(doc.Map) {
		return nil, errors.New("not the JSON of a hook")
	}
	text := func(key string) string { return in.Get(key).Text() }
	e := &event{
		kind: c.events[text("hook_event_name")], session: text("session_id"), dir: text("cwd"),
		below: model.Subagent{ID: text("agent_id"), Type: text("agent_type")}, text: text("prompt"), message: text("last_assistant_message"),
		why: text("error"), model: text("model"), transcript: text("transcript_path"), resumed: text("source") == "compact",
	}
	call := newCall(text("tool_name"), in.Get("tool_input"), e.dir)
	switch e.kind {
	case askOpened:
		e.ask = call.askPermission()
		e.print = func(a *ask.Answer) []byte { return encodeDecision(a, nil) }
	case toolFinished:
		e.use = call.useKey()
	case promptShown:
		e.text = text("message")
	}
	if e.holds = c.blocks; c.complete != nil {
		c.complete(in, e, env)
	}
	if e.kind == askOpened {
		e.text = e.ask.Text
	}
	return e, nil
}

// encodeDecision returns the output of a permission hook. If the answer allows the call, input takes the place of its input.
func encodeDecision(a *ask.Answer, input json.RawMessage) []byte {
	type decision struct {
		Behavior string          `json:"behavior"`
		Input    json.RawMessage `json:"updatedInput,omitempty"`
		Message  string          `json:"message,omitempty"`
	}
	type specific struct {
		Event    string   `json:"hookEventName"`
		Decision decision `json:"decision"`
	}
	d := decision{Behavior: "allow", Input: input}
	if !a.Allow {
		d = decision{Behavior: "deny", Message: cmp.Or(strings.TrimRight(a.Text, " \t\n"), "The user said no.")}
	}
	return encodeJSON(map[string]specific{"hookSpecificOutput": {"PermissionRequest", d}})
}

// encodeJSON returns a value as JSON on one line, nil if it can't be encoded.
func encodeJSON(v any) []byte {
	text, err := json.Marshal(v)
	if err != nil {
		return nil
	}
	return append(text, '\n')
}

// firstLine returns the beginning of the first line of a text that is not blank.
func firstLine(text string) string {
	first, _, _ := strings.Cut(strings.TrimSpace(text), "\n")
	first = strings.TrimSpace(first)
	return first[:min(len(first), 500)]
}

// headline returns the first line of a text with a mark if there are more: a name must not hide the text below it.
func headline(text string) string {
	l := firstLine(text)
	if l != "" && l != strings.TrimSpace(text) {
		l += " …"
	}
	return l
}
