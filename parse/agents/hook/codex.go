package hook

// Codex, observed with version 0.169.0.
//
//   - PermissionRequest runs before the client's own prompt and holds it up. An interruption kills the hook and is reported by Interrupt.
//   - It takes allow or deny and fails for "updatedInput".
//   - Sessions of the daemon run below a server that all sessions share, so their hooks have no terminal and no pane. A dashboard answers
//     these through the app server (package codex).
//   - UserPromptSubmit comes for agents below a session, too, with agent_id.

import "gatehouse/parse/agents/ask"

var codex = contract{name: "codex", reportsEnd: true, mark: "CODEX_THREAD_ID", parse: parseCodex}

var codexEvents = map[string]kind{
	"SessionStart": sessionStarted, "UserPromptSubmit": promptSubmitted, "PermissionRequest": askOpened, "PostToolUse": toolFinished,
	"Stop": turnFinished, "Interrupt": interrupted, "SubagentStart": subagentStarted, "SubagentStop": subagentEnded, "SessionEnd": sessionEnded,
}

// parseCodex reads an event of Codex.
func parseCodex(input []byte, _ func(string) string) (*event, error) {
	p, e, err := parsePayload(input, codexEvents)
	if err != nil {
		return nil, err
	}
	switch e.kind {
	case askOpened:
		e.holds = true
		e.ask = permission(p.Tool, p.Input, p.Dir)
		e.print = func(a *ask.Answer) []byte {
			if !a.Allow {
				return encodeDenial(a)
			}
			return encodeDecision(decision{Behavior: "allow"})
		}
	case toolFinished:
		e.use, e.elsewhere = useOf(p.Tool, p.Input), &ask.Answer{Allow: true}
	}
	return e, nil
}
