package codex

import (
	"encoding/json"
	"regexp"
	"strings"
	"time"

	"gatehouse/model"
	"gatehouse/parse/agents/ask"
	"gatehouse/parse/agents/danger"
)

// request is a request of the server as an ask.
type request struct {
	ask      ask.Ask
	turn     string                // the turn that asks
	response func(*ask.Answer) any // the result for an answer
}

// wireQuestion is a question of Codex's tool request_user_input.
type wireQuestion struct {
	ID, Header, Question string
	IsOther, IsSecret    bool
	Options              []ask.Option
}

// parseRequest returns the request of a thread; nil if only Codex's own prompt can answer it.
func (l *link) parseRequest(t *thread, m message) *request {
	var p struct {
		TurnID, ItemID, Command, Cwd, Reason string
		Questions                            []wireQuestion
		AutoResolution                       time.Duration `json:"autoResolutionMs"` // in milliseconds
	}
	if json.Unmarshal(m.Params, &p) != nil {
		return nil
	}
	a := ask.Ask{Ask: model.Ask{Kind: ask.Permission, Agent: "codex", Session: t.ID, Dir: t.Dir, Project: l.Project(t.Dir)},
		Marks: map[string]string{"CODEX_THREAD_ID": t.ID}} // Codex sets it in all that the thread runs
	if t.parent != "" {
		a.Session, a.Subagent = t.parent, t.ID
	}
	switch {
	case m.Method == "item/commandExecution/requestApproval" && p.Command != "":
		command := p.Command
		if m := wrapped.FindStringSubmatch(command); m != nil {
			command = m[1] + m[2]
		}
		first, _, more := strings.Cut(command, "\n")
		if more {
			first += " …"
		}
		a.Text = "Bash: " + first
		a.Call = &ask.Call{Tool: "Bash", Input: command, Reason: p.Reason, Dangers: danger.InCommand(command, p.Cwd)}
	case m.Method == "item/fileChange/requestApproval":
		paths := l.changedPaths(t.ID, p.ItemID)
		if len(paths) == 0 {
			return nil
		}
		a.Text = "Edit: " + strings.Join(paths, ", ")
		a.Call = &ask.Call{Tool: "Edit", Input: strings.Join(paths, "\n"), Reason: p.Reason}
		for _, path := range paths {
			a.Call.Dangers = append(a.Call.Dangers, danger.InPath(path, t.Dir)...)
		}
	case m.Method == "item/tool/requestUserInput" && len(p.Questions) > 0:
		a.Kind, a.Text = ask.Question, p.Questions[0].Question
		for _, q := range p.Questions {
			if q.IsSecret {
				return nil
			}
			a.Questions = append(a.Questions, ask.Queried{Text: q.Question, Header: q.Header, Options: q.Options, Own: q.IsOther || len(q.Options) == 0})
		}
		if p.AutoResolution > 0 {
			a.Until = time.Now().Add(p.AutoResolution * time.Millisecond)
		}
		return &request{a, p.TurnID, func(given *ask.Answer) any { return encodeAnswers(p.Questions, given) }}
	default:
		return nil
	}
	return &request{a, p.TurnID, func(given *ask.Answer) any {
		return object{"decision": map[bool]string{true: "accept", false: "decline"}[given.Allow]}
	}}
}

// wrapped matches the shell that Codex puts around a command, if nothing in the command is escaped.
var wrapped = regexp.MustCompile(`^[\w/.-]*sh -l?c (?:'([^']*)'|([\w/.-]+))$`)

// changedPaths returns the files of a change that waits. Only thread/resume returns items that are not done.
func (l *link) changedPaths(thread, item string) (paths []string) {
	type change struct {
		Path string
		Kind struct {
			MovePath string `json:"move_path"`
		}
	}
	type turn struct {
		Items []struct {
			ID      string
			Changes []change
		}
	}
	var last struct{ InitialTurnsPage struct{ Data []turn } }
	l.client.callMethod(l.ctx, "thread/resume",
		object{"threadId": thread, "excludeTurns": true, "initialTurnsPage": object{"limit": 1, "itemsView": "full"}}, &last)
	for _, turn := range last.InitialTurnsPage.Data {
		for _, i := range turn.Items {
			for _, c := range i.Changes {
				if i.ID == item {
					paths = append(paths, c.Path)
					if c.Kind.MovePath != "" {
						paths = append(paths, c.Kind.MovePath)
					}
				}
			}
		}
	}
	return paths
}

// encodeAnswers returns the result for questions. Codex's own prompt marks words of the user as a note, too.
func encodeAnswers(questions []wireQuestion, given *ask.Answer) any {
	all := object{}
	for i, q := range questions {
		said, words := []string{}, given.Text
		if given.Allow {
			words = given.Replies[i].Text
			for _, pick := range given.Replies[i].Picks {
				said = append(said, q.Options[pick].Label)
			}
		}
		if words != "" {
			said = append(said, "user_note: "+words)
		}
		all[q.ID] = object{"answers": said}
	}
	return object{"answers": all}
}
