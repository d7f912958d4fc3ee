package hook

import "gatehouse/parse/doc"

// contract is how one client speaks.
type contract struct {
	name string
	// events are the kinds of events by their names; others are ignored. complete adds details that the shared fields
	// lack.
	events   map[string]*kind
	complete func(in doc.Value, e *event, env func(string) string)
	blocks   bool // its hooks hold up its own prompt
	// encodeReply returns the output that hands words to a session whose turn has finished; nil if hooks of the client don't.
	encodeReply func(words string) []byte
}

var contracts = []contract{claude, codex, opencode}

// hookEvents are the events of Claude Code and Codex, which give them the same names.
var hookEvents = map[string]*kind{
	"SessionStart": sessionStarted, "UserPromptSubmit": promptSubmitted, "PermissionRequest": askOpened, "PostToolUse": toolFinished,
	"PostToolUseFailure": toolFinished, "Stop": turnFinished, "StopFailure": turnFailed, "Interrupt": interrupted, "Notification": promptShown,
	"SubagentStart": subagentStarted, "SubagentStop": subagentEnded, "SessionEnd": sessionEnded,
}

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
var codex = contract{name: "codex", blocks: true, events: hookEvents}
