package hook

// Claude Code, observed with version 2.1.330.
//
//   - PermissionRequest runs in parallel with the client's own prompt, and the first answer wins. For a subagent it runs before
//     that prompt and delays it. Without a terminal (claude -p) there is no other prompt.
//   - To allow a question or a plan its input must come back ("updatedInput"), a question's with "answers": question →
//     labels, joined by ", ", labels with a comma in JSON quotes. Allowed without it, a plan's prompt stays open.
//   - A plan is in tool_input ("plan") once the client has written its file ("planFilePath").
//   - The hook gets no event when the client's own prompt is answered. PostToolUse comes when the call is done, which
//     can take long, and never for a refused call. An interruption ends the hook with SIGTERM.
//   - ~/.claude/sessions/PID.json has the status of the session; "waiting" while a prompt is open. Esc fires no hook.
//   - Stop has the last words and the background tasks. Blocked by {"decision":"block","reason":T} the turn continues
//     with T.
//   - UserPromptSubmit comes for prompts of the client itself, too: <task-notification>.

import (
	"encoding/json"
	"slices"
	"strings"

	"gatehouse/model"
	"gatehouse/parse/agents/ask"
	"gatehouse/parse/doc"
)

// claudeAttended is a variable that Claude Code sets for everything it runs, "0" without a terminal.
const claudeAttended = "CLAUDE_CODE_SESSION_ATTENDED"

// Tools of Claude Code that are asks themselves.
const (
	claudeQuestion = "AskUserQuestion"
	claudePlan     = "ExitPlanMode"
)

var claude = contract{name: "claude", complete: completeClaude, events: hookEvents}

// claudePrompts are the notifications about an open prompt. Other types report that something is done, has begun or is idle.
var claudePrompts = map[string]bool{
	"permission_prompt": true, "worker_permission_prompt": true, "elicitation_dialog": true, "elicitation_url_dialog": true, "agent_needs_input": true,
}

// completeClaude adds the details specific to Claude Code.
func completeClaude(in doc.Value, e *event, env func(string) string) {
	isHeadless, tool := env(claudeAttended) == "0", in.Get("tool_name").Text()
	switch {
	case e.kind == askOpened:
		e.holds = e.below.ID != "" || isHeadless
		if tool == claudeQuestion {
			askClaudeQuestions(in.Get("tool_input"), e)
		} else if tool == claudePlan {
			askClaudePlan(in.Get("tool_input"), e)
		}
	case e.kind == toolFinished && (tool == claudePlan || tool == claudeQuestion):
		e.use = tool
	case e.kind == turnFinished:
		for b := range in.Get("background_tasks").Children() {
			status := b.Get("status").Text()
			isAgent := b.Get("type").Text() == "subagent" || b.Get("type").Text() == "workflow"
			e.background = e.background || isAgent && (status == "" || status == "running" || status == "pending")
		}
	case e.kind == promptShown:
		if !claudePrompts[in.Get("notification_type").Text()] {
			e.kind = nil
		}
	}
}

// askClaudePlan fills in the approval of a plan, which may not be written yet.
func askClaudePlan(in doc.Value, e *event) {
	e.ask = &ask.Ask{Ask: model.Ask{Kind: ask.Plan, Text: "approve the plan", Plan: in.Get("plan").Text(), File: in.Get("planFilePath").Text()}, Use: claudePlan}
	if h := firstLine(strings.TrimLeft(e.ask.Plan, "# \n")); h != "" {
		e.ask.Text += ": " + h
	}
	e.print = func(a *ask.Answer) []byte { return encodeDecision(a, json.RawMessage(in.Raw())) }
}

// askClaudeQuestions fills in an AskUserQuestion. The client sees to it that no two of its questions have the same text.
func askClaudeQuestions(in doc.Value, e *event) {
	if e.ask = questionsOf(in.Get("questions"), claudeQuestion); e.ask == nil {
		e.kind = nil
	}
	e.print = func(a *ask.Answer) []byte {
		answers := map[string]string{}
		for i, q := range slices.Collect(in.Get("questions").Children())[:len(a.Replies)] {
			answers[q.Get("question").Text()] = strings.Join(replyWords(q, a.Replies[i]), ", ")
		}
		input := map[string]any{}
		for m := range in.Children() {
			input[m.Key()] = json.RawMessage(m.Raw())
		}
		input["answers"] = answers
		return encodeDecision(a, encodeJSON(input))
	}
}
