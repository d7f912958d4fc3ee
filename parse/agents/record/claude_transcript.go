package record

import (
	"cmp"
	"encoding/json"
	"fmt"
	"regexp"
	"slices"
	"strings"

	"gatehouse/model"
)

// claudeLine is a line of a transcript of Claude Code. JSON names are matched without regard to case.
type claudeLine struct {
	Type, Subtype, UUID, Timestamp, Cwd, GitBranch           string
	IsSidechain, IsMeta, IsCompactSummary, IsAPIErrorMessage bool
	APIErrorStatus                                           int
	InterruptedMessageID, LastPrompt, RequestDigest          string
	Origin                                                   struct{ Kind string }
	Message                                                  struct {
		Model   string
		Content json.RawMessage
		Usage   map[string]int
	}
}

// claudeBlock is a part of a message.
type claudeBlock struct {
	Type, Text, Name string
	Input            json.RawMessage
}

var (
	// tokens are the fields of a usage that add up to the context in use.
	tokens = []string{"input_tokens", "cache_read_input_tokens", "cache_creation_input_tokens", "output_tokens"}
	// machinePrompt matches prompts that the client has written.
	machinePrompt = regexp.MustCompile(`^(<task-notification>|<local-command|<command-|<system-reminder>|Caveat:)`)
	// commandPrompt is a command of the user's own, as the client writes what the user typed.
	commandPrompt = regexp.MustCompile(`^<command-message>.*</command-message>\s*<command-name>(.*)</command-name>(?:\s*<command-args>(.*)</command-args>)?`)
)

// readClaudeLine adds one line to t.
func readClaudeLine(t *transcript, text string) {
	var l claudeLine
	if !decode(text, &l) || l.IsSidechain {
		return
	}
	switch l.Type {
	case "last-prompt": // the client's own note, if the prompt is too far back
		if !machinePrompt.MatchString(l.LastPrompt) {
			t.Title = cmp.Or(t.Title, oneLine(l.LastPrompt))
		}
	case "api-request": // a retry sends the same again, and writes nothing else
		if l.RequestDigest == "" || l.RequestDigest != t.request {
			t.request, t.attempts = l.RequestDigest, 0
		}
		t.attempts++
	case "system":
		if l.Subtype == "turn_duration" {
			t.endTurn(l.Timestamp)
		}
	case "user", "assistant":
		t.request, t.attempts = "", 0
		t.Dir, t.Branch = cmp.Or(l.Cwd, t.Dir), oneLine(l.GitBranch)
		if t.Branch == "HEAD" {
			t.Branch = ""
		}
		read := t.readClaudeAssistant
		if l.Type == "user" {
			read = t.readClaudeUser
		}
		read(&l, blocksOf(&l))
	}
}

// readClaudeUser reads a message to the model: words of a human, results of calls, notes of the client.
func (t *transcript) readClaudeUser(l *claudeLine, blocks []claudeBlock) {
	text := textOf(blocks)
	switch {
	case l.InterruptedMessageID != "" || strings.HasPrefix(text, "[Request interrupted by user"):
		t.happened(model.SessionInterrupted, l.Timestamp, "", "")
	case slices.ContainsFunc(blocks, func(b claudeBlock) bool { return b.Type == "tool_result" }):
		t.happened(model.SessionRunning, l.Timestamp, "", "")
	case l.IsCompactSummary || text == "":
	case l.Origin.Kind == "human":
		t.startTurn(l.Timestamp, commandPrompt.ReplaceAllString(text, "$1 $2"))
	case l.Origin.Kind != "":
		t.startTurn(l.Timestamp, "")
	case !l.IsMeta && !machinePrompt.MatchString(text):
		t.startTurn(l.Timestamp, text)
	}
}

// readClaudeAssistant reads what the model answers, and errors of its API.
func (t *transcript) readClaudeAssistant(l *claudeLine, blocks []claudeBlock) {
	if l.IsAPIErrorMessage {
		why := "API error: "
		if l.APIErrorStatus > 0 {
			why = fmt.Sprintf("API error %d: ", l.APIErrorStatus)
		}
		why = oneLine(why + strings.TrimPrefix(textOf(blocks), "API Error: "))
		t.happened(model.SessionFailed, l.Timestamp, "error", why)
		t.Why = why
		return
	}
	if l.Message.Model == "<synthetic>" {
		return
	}
	used := 0
	for _, name := range tokens {
		used += l.Message.Usage[name]
	}
	t.Tokens, t.Model = cmp.Or(used, t.Tokens), cmp.Or(oneLine(l.Message.Model), t.Model)
	t.happened(model.SessionRunning, l.Timestamp, "", "")
	for _, b := range blocks {
		switch b.Type {
		case "text":
			t.say(l.Timestamp, b.Text, l.UUID)
		case "tool_use":
			t.call(l.Timestamp, b.Name, b.Input)
		}
	}
}

// blocksOf returns the parts of a message, which may be a mere text.
func blocksOf(l *claudeLine) (all []claudeBlock) {
	content, text := string(l.Message.Content), ""
	if strings.HasPrefix(content, `"`) && decode(content, &text) {
		return []claudeBlock{{Type: "text", Text: text}}
	}
	decode(content, &all)
	return all
}

// textOf returns the text of a message.
func textOf(blocks []claudeBlock) (text string) {
	for _, b := range blocks {
		text += b.Text + "\n"
	}
	return strings.TrimSpace(text)
}
