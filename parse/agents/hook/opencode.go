package hook

// opencode, tried with version 1.18.33.
//
// It has no hooks that answer, but plugins that see its events and reach its server: a plugin (package setup has its text) hands the event
// on, with the directory, and gives what is printed to the server. The prompt of opencode stays open beside it. Where that is answered the
// plugin ends the hook.
//
//   - permission.asked: {"id","sessionID","permission","patterns","metadata"}, answered by {"reply":"once"} or {"reply":"reject","message"}
//   - question.asked: {"id","sessionID","questions":[{"question","header","options":[{"label","description"}],"multiple","custom"}]}, answered by
//     {"answers":[["label"]]}, a list for each question, or turned down by {"reject":true}

import (
	"cmp"
	"encoding/json"
	"errors"
	"strings"

	"gatehouse/parse/agents/ask"
)

var opencode = contract{name: "opencode", reads: readOpencode}

// opencodeTold is what the plugin hands on.
type opencodeTold struct {
	Type  string `json:"type"`
	Dir   string `json:"directory"`
	Props struct {
		Session    string          `json:"sessionID"`
		Permission string          `json:"permission"`
		Patterns   []string        `json:"patterns"`
		Metadata   json.RawMessage `json:"metadata"`
		Status     struct {
			Type string `json:"type"`
		} `json:"status"`
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
			ID string `json:"id"`
		} `json:"info"`
	} `json:"properties"`
}

func readOpencode(input []byte, _ func(string) string) (*event, error) {
	var t opencodeTold
	if err := json.Unmarshal(input, &t); err != nil {
		return nil, errors.New("it is no JSON of the plugin")
	}
	p := &t.Props
	e := &event{session: cmp.Or(p.Session, p.Info.ID), dir: t.Dir}
	switch t.Type {
	case "session.created":
		e.what = began
	case "session.status":
		if p.Status.Type == "busy" {
			e.what = prompted
		}
	case "session.idle", "session.error":
		e.what = stopped
	case "session.deleted":
		e.what = over
	case "permission.asked":
		opencodePermission(&t, e)
	case "question.asked":
		opencodeQuestion(&t, e)
	}
	return e, nil
}

func opencodePermission(t *opencodeTold, e *event) {
	e.what = asked
	e.ask = permission(t.Props.Permission, t.Props.Metadata, t.Dir)
	if len(object(t.Props.Metadata)) == 0 { // then the patterns say what it is about
		e.ask.Call.Input = strings.Join(t.Props.Patterns, "\n")
		e.ask.Text = t.Props.Permission + ": " + headline(e.ask.Call.Input)
	}
	e.prints = func(a *ask.Answer) []byte {
		if a.Allow {
			return pack(map[string]string{"reply": "once"})
		}
		out := map[string]string{"reply": "reject"}
		if a.Text != "" {
			out["message"] = a.Text
		}
		return pack(out)
	}
}

func opencodeQuestion(t *opencodeTold, e *event) {
	if len(t.Props.Questions) == 0 {
		return
	}
	e.what, e.ask = asked, &ask.Ask{Kind: ask.Question}
	for _, q := range t.Props.Questions {
		queried := ask.Queried{Text: q.Question, Header: q.Header, Multi: q.Multiple, Own: q.Custom == nil || *q.Custom}
		for _, o := range q.Options {
			queried.Options = append(queried.Options, ask.Option{Label: o.Label, Description: o.Description})
		}
		e.ask.Questions = append(e.ask.Questions, queried)
	}
	e.prints = func(a *ask.Answer) []byte {
		if !a.Allow {
			return pack(map[string]bool{"reject": true})
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
		return pack(map[string][][]string{"answers": answers})
	}
}
