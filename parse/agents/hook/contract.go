package hook

import (
	"strings"

	"gatehouse/parse/agents/caller"
	"gatehouse/parse/disk/process"
	"gatehouse/parse/doc"
)

// contract is how one client speaks.
type contract struct {
	name string
	// events are the kinds of events by their names; others are ignored. complete adds details that the shared fields
	// lack.
	events   map[string]*kind
	complete func(in doc.Value, e *event, env func(string) string)
	// encodeReply returns the output that hands words to a session whose turn has finished; nil if hooks of the client can't.
	encodeReply func(words string) []byte
}

var contracts = []contract{claude, codex, opencode, gemini}

// Clients returns the names of the clients that have hooks.
func Clients() (names []string) {
	for _, c := range contracts {
		names = append(names, c.name)
	}
	return names
}

// codex is Codex, observed with version 0.169.0.
//
//   - PermissionRequest runs before the client's own prompt and holds it up. An interruption kills the hook and is reported by Interrupt.
//   - It takes allow or deny and fails for "updatedInput".
//   - Sessions of the daemon run below a server that all sessions share, so their hooks have no terminal and no pane. A dashboard answers
//     these through the app server (package codex).
//   - UserPromptSubmit comes for agents below a session, too, with agent_id.
var codex = contract{name: "codex", complete: completeCodex, events: map[string]*kind{
	"SessionStart": sessionStarted, "UserPromptSubmit": promptSubmitted, "PermissionRequest": askOpened, "PostToolUse": toolFinished,
	"Stop": turnFinished, "Interrupt": interrupted, "SubagentStart": subagentStarted, "SubagentStop": subagentEnded, "SessionEnd": sessionEnded,
}}

func completeCodex(_ doc.Value, e *event, _ func(string) string) {
	e.holds = e.kind == askOpened
}

// gemini is Gemini CLI, observed with version 0.61.0.
//
//   - A hook can stop a call before anyone is asked (BeforeTool). It can't answer the client's own prompt, which comes even after a hook
//     that allows. So its prompts are shown here and answered there.
//   - Notification of the type "ToolPermission" comes when a prompt opens. Esc fires nothing.
//   - After a blocked AfterAgent the next one repeats the old prompt and response.
var gemini = contract{name: "gemini", complete: completeGemini, events: map[string]*kind{
	"SessionStart": sessionStarted, "BeforeAgent": promptSubmitted, "AfterTool": toolFinished, "AfterAgent": turnFinished,
	"Notification": promptShown, "SessionEnd": sessionEnded,
}}

// completeGemini summarizes Gemini's own prompt in one line; without details it uses the message.
func completeGemini(in doc.Value, e *event, _ func(string) string) {
	d := in.Get("details")
	title, about := d.Get("title").Text(), doc.FirstText(d.Get("command"), d.Get("fileName"), d.Get("question"))
	switch {
	case e.kind == promptShown && in.Get("notification_type").Text() != "ToolPermission":
		e.kind = nil
	case e.kind == promptShown && title != "":
		e.text = strings.TrimRight(title+": "+headline(about), ": ")
	}
}

// processAbove returns the client's process above this one.
func (c *contract) processAbove(table process.Table, env func(string) string) (process.ID, bool) {
	return caller.ProcessAbove(c.name, table, env)
}
