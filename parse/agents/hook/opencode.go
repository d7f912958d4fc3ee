package hook

// opencode, observed with version 1.18.33.
//
// It has no hooks that answer, but plugins that see its events and reach its server. Gatehouse's plugin (package setup)
// runs "gatehouse hook opencode" for these events and passes its output to the server. opencode's own prompt stays open
// in parallel; when it is answered the plugin ends the hook.
//
//   - permission.asked: {"id","sessionID","permission","patterns","metadata"}, answered by {"reply":"once"} or
//     {"reply":"reject","message"}
//   - question.asked:
//     {"id","sessionID","questions":[{"question","header","options":[{"label","description"}],"multiple","custom"}]},
//     answered by {"answers":[["label"]]}, one list per question, or refused by {"reject":true}
//   - session.idle: the plugin adds the last words ("text") and keeps the hook until the session continues; a reply is
//     {"prompt":T}
//   - tool.started, made by the plugin: {"sessionID","tool","input"}
//   - "parent" names the session that started the session of the event

import (
	"cmp"
	"slices"
	"strings"

	"gatehouse/model"
	"gatehouse/parse/agents/ask"
	"gatehouse/parse/doc"
)

var opencode = contract{
	name: "opencode", complete: completeOpencode,
	encodeReply: func(words string) []byte { return encodeJSON(map[string]string{"prompt": words}) },
}

// opencodeEvents are the kinds of events, and of those about a session that another one started.
var opencodeEvents = map[string]struct{ own, below *kind }{
	"session.created": {sessionStarted, subagentStarted}, "session.idle": {turnFinished, subagentEnded}, "session.error": {turnFailed, subagentEnded},
	"session.deleted": {sessionEnded, subagentEnded}, "session.status busy": {promptSubmitted, subagentPrompted},
	"session.status retry": {apiRetrying, apiRetrying}, "tool.started": {toolStarted, toolStarted},
	"permission.asked": {askOpened, askOpened}, "question.asked": {askOpened, askOpened},
}

// completeOpencode reads an event of the plugin.
func completeOpencode(in doc.Value, e *event, _ func(string) string) {
	p := in.Get("properties")
	text := func(keys ...string) string { return p.Get(keys...).Text() }
	kinds := opencodeEvents[strings.TrimSpace(in.Get("type").Text()+" "+text("status", "type"))]
	e.kind, e.session, e.dir = kinds.own, cmp.Or(text("sessionID"), text("info", "id")), in.Get("directory").Text()
	e.why = firstLine(text("status", "message") + text("error", "data", "message"))
	if text("error", "name") == "MessageAbortedError" {
		e.kind = interrupted
	}
	if parent := in.Get("parent").Text(); parent != "" {
		e.below = model.Subagent{ID: e.session, Type: "agent", Task: firstLine(text("info", "title"))}
		e.kind, e.session = kinds.below, parent
	}
	switch e.kind {
	case promptSubmitted:
		e.text = in.Get("text").Text()
	case turnFinished:
		e.message = in.Get("text").Text()
	case toolStarted:
		e.tool = newCall(text("tool"), p.Get("input"), e.dir).summaryLine()
	case askOpened:
		if p.Get("permission").Exists() {
			askOpencodePermission(p, e)
		} else {
			askOpencodeQuestions(p, e)
		}
	}
}

// askOpencodePermission fills in a permission. If it has no metadata, the patterns describe it.
func askOpencodePermission(p doc.Value, e *event) {
	c := newCall(p.Get("permission").Text(), p.Get("metadata"), e.dir)
	if e.ask = c.askPermission(); c.in.Len() == 0 {
		var patterns []string
		for v := range p.Get("patterns").Children() {
			patterns = append(patterns, v.Text())
		}
		e.ask.Call.Input = strings.Join(patterns, "\n")
		e.ask.Text = c.tool + ": " + headline(e.ask.Call.Input)
	}
	e.print = func(a *ask.Answer) []byte {
		out := map[string]string{"reply": "once"}
		if !a.Allow {
			out["reply"] = "reject"
			if a.Text != "" {
				out["message"] = a.Text
			}
		}
		return encodeJSON(out)
	}
}

// askOpencodeQuestions fills in questions.
func askOpencodeQuestions(p doc.Value, e *event) {
	if e.ask = questionsOf(p.Get("questions"), ""); e.ask == nil {
		e.kind = nil
	}
	e.print = func(a *ask.Answer) []byte {
		if !a.Allow {
			return encodeJSON(map[string]bool{"reject": true})
		}
		answers := [][]string{}
		for i, q := range slices.Collect(p.Get("questions").Children())[:len(a.Replies)] {
			answers = append(answers, replyWords(q, a.Replies[i]))
		}
		return encodeJSON(map[string][][]string{"answers": answers})
	}
}
