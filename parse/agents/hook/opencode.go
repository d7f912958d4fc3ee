package hook

// opencode, observed with version 1.18.33.
//
// It has no hooks that answer, but plugins that see its events and reach its server. Gatehouse's plugin (package setup) runs "gatehouse hook
// opencode" for these events and hands what it prints to the server. opencode's own prompt stays open beside it; when it is answered the
// plugin ends the hook.
//
//   - permission.asked: {"id","sessionID","permission","patterns","metadata"}, answered by {"reply":"once"} or {"reply":"reject","message"}
//   - question.asked: {"id","sessionID","questions":[{"question","header","options":[{"label","description"}],"multiple","custom"}]}, answered
//     by {"answers":[["label"]]}, one list per question, or refused by {"reject":true}
//   - session.idle: the plugin adds the last words ("text") and keeps the hook until the session goes on; a reply is {"prompt":T}
//   - tool.started, made by the plugin: {"sessionID","tool","input"}
//   - "parent" names the session that started the session of the event

import (
	"cmp"
	"encoding/json"
	"errors"
	"strings"

	"gatehouse/parse/agents/ask"
)

var opencode = contract{
	name: "opencode", parse: parseOpencode,
	encodeReply: func(words string) []byte { return encode(map[string]string{"prompt": words}) },
}

// opencodeEvent is what the plugin hands on.
type opencodeEvent struct {
	Type   string `json:"type"`
	Dir    string `json:"directory"`
	Parent string `json:"parent"`
	Text   string `json:"text"`
	Props  struct {
		Session    string          `json:"sessionID"`
		Permission string          `json:"permission"`
		Patterns   []string        `json:"patterns"`
		Metadata   json.RawMessage `json:"metadata"`
		Tool       json.RawMessage `json:"tool"`
		Input      json.RawMessage `json:"input"`
		Status     struct {
			Type    string `json:"type"`
			Message string `json:"message"`
		} `json:"status"`
		Error struct {
			Name string `json:"name"`
			Data struct {
				Message string `json:"message"`
				Status  int    `json:"statusCode"`
			} `json:"data"`
		} `json:"error"`
		Questions []struct {
			Question string `json:"question"`
			Header   string `json:"header"`
			Multiple bool   `json:"multiple"`
			Custom   *bool  `json:"custom"`
			Options  []struct {
				Label       string `json:"label"`
				Description string `json:"description"`
			} `json:"options"`
		} `json:"questions"`
		Info struct {
			ID    string `json:"id"`
			Title string `json:"title"`
		} `json:"info"`
	} `json:"properties"`
}

// parseOpencode reads an event of the plugin.
func parseOpencode(input []byte, _ func(string) string) (*event, error) {
	var t opencodeEvent
	if err := json.Unmarshal(input, &t); err != nil {
		return nil, errors.New("not the JSON of the plugin")
	}
	p := &t.Props
	e := &event{session: cmp.Or(p.Session, p.Info.ID), dir: t.Dir}
	if t.Parent != "" { // the session of an agent below another session
		e.session, e.subagent = t.Parent, e.session
	}
	switch t.Type {
	case "session.created":
		e.kind = sessionStarted
		if e.subagent != "" {
			e.kind, e.agentType, e.task = subagentStarted, "agent", firstLine(p.Info.Title)
		}
	case "session.status":
		switch p.Status.Type {
		case "busy":
			e.kind, e.text = promptSubmitted, t.Text
		case "retry":
			e.kind, e.why = apiRetrying, firstLine(p.Status.Message)
		}
	case "tool.started":
		var tool string
		json.Unmarshal(p.Tool, &tool)
		e.kind, e.tool = toolStarted, toolLine(tool, p.Input, t.Dir)
	case "session.idle":
		e.kind, e.message = turnFinished, t.Text
	case "session.error":
		e.kind, e.why = turnFailed, firstLine(p.Error.Data.Message)
		if p.Error.Name == "MessageAbortedError" {
			e.kind = interrupted
		}
	case "session.deleted":
		e.kind = sessionEnded
	case "permission.asked":
		opencodePermission(&t, e)
	case "question.asked":
		opencodeQuestion(&t, e)
	}
	if e.subagent != "" && (e.kind == turnFinished || e.kind == sessionEnded || e.kind == turnFailed || e.kind == interrupted) {
		e.kind = subagentEnded
	}
	return e, nil
}

// opencodePermission fills in a permission.
func opencodePermission(t *opencodeEvent, e *event) {
	e.kind = askOpened
	e.ask = permission(t.Props.Permission, t.Props.Metadata, t.Dir)
	if len(object(t.Props.Metadata)) == 0 { // the patterns tell what it is about
		e.ask.Call.Input = strings.Join(t.Props.Patterns, "\n")
		e.ask.Text = t.Props.Permission + ": " + headline(e.ask.Call.Input)
	}
	e.print = func(a *ask.Answer) []byte {
		if a.Allow {
			return encode(map[string]string{"reply": "once"})
		}
		out := map[string]string{"reply": "reject"}
		if a.Text != "" {
			out["message"] = a.Text
		}
		return encode(out)
	}
}

// opencodeQuestion fills in questions.
func opencodeQuestion(t *opencodeEvent, e *event) {
	if len(t.Props.Questions) == 0 {
		return
	}
	e.kind, e.ask = askOpened, &ask.Ask{Kind: ask.Question}
	for _, q := range t.Props.Questions {
		queried := ask.Queried{Text: q.Question, Header: q.Header, Multi: q.Multiple, Own: q.Custom == nil || *q.Custom}
		for _, o := range q.Options {
			queried.Options = append(queried.Options, ask.Option{Label: o.Label, Description: o.Description})
		}
		e.ask.Questions = append(e.ask.Questions, queried)
	}
	e.print = func(a *ask.Answer) []byte {
		if !a.Allow {
			return encode(map[string]bool{"reject": true})
		}
		answers := make([][]string, len(a.Replies))
		for i, r := range a.Replies {
			answers[i] = []string{}
			for _, pick := range r.Picks {
				answers[i] = append(answers[i], t.Props.Questions[i].Options[pick].Label)
			}
			if r.Text != "" {
				answers[i] = append(answers[i], r.Text)
			}
		}
		return encode(map[string][][]string{"answers": answers})
	}
}
