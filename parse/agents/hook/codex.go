package hook

// Codex, tried with version 0.169.0.
//
//   - PermissionRequest runs before the client's own prompt and holds it up; an interruption kills the hook and is told by Interrupt.
//   - It allows or denies, and fails where more is said: "updatedInput" is no part of its contract.
//   - Its hooks run below a server that all sessions of a user share, whose environment is that of the terminal that started it. So a
//     session's pane is not known.
//   - Questions of its plan mode have no hook.

import (
	"gatehouse/parse/agents/ask"
)

var codex = contract{name: "codex", reads: readCodex}

var codexEvents = map[string]what{
	"SessionStart": began, "UserPromptSubmit": prompted, "PermissionRequest": asked, "PostToolUse": ran,
	"Stop": stopped, "Interrupt": interrupted, "SubagentStop": substopped, "SessionEnd": over,
}

func readCodex(input []byte, _ func(string) string) (*event, error) {
	t, e, err := readTold(input, codexEvents)
	if err != nil {
		return nil, err
	}
	switch e.what {
	case asked:
		e.holds = true
		e.ask = permission(t.Tool, t.Input, t.Dir)
		e.prints = func(a *ask.Answer) []byte {
			if !a.Allow {
				return deny(a)
			}
			return decide(decision{Behavior: "allow"})
		}
	case ran:
		e.use, e.elsewhere = useOf(t.Tool, t.Input), &ask.Answer{Allow: true}
	}
	return e, nil
}
