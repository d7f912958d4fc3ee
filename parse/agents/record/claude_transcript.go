package record

import (
	"cmp"
	"encoding/json"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"gatehouse/model"
)

// claudeLine is a line of a transcript of Claude Code. JSON names are matched without regard to case.
type claudeLine struct {
	Type, Subtype, UUID, Timestamp, Cwd, GitBranch               string
	IsSidechain, IsMeta, IsCompactSummary, IsAPIErrorMessage     bool
	APIErrorStatus                                               int
	InterruptedMessageID, CustomTitle, LastPrompt, RequestDigest string
	TotalCostUSD                                                 float64
	Origin                                                       struct{ Kind string }
	Message                                                      struct {
		Model   string
		Content json.RawMessage
		Usage   struct {
			Input   int `json:"input_tokens"`
			Read    int `json:"cache_read_input_tokens"`
			Created int `json:"cache_creation_input_tokens"`
			Output  int `json:"output_tokens"`
		}
	}
}

// claudeBlock is a part of a message.
type claudeBlock struct {
	Type, Text, Name string
	Input            json.RawMessage
}

var (
	// lineTypes are the types of lines that are read, as JSON.
	lineTypes = []string{`"user"`, `"assistant"`, `"system"`, `"api-request"`, `"custom-title"`, `"last-prompt"`, `"cost-state"`}
	// machinePrompts are how prompts begin that the client has written.
	machinePrompts = []string{"<task-notification>", "<local-command", "<command-", "<system-reminder>", "Caveat:"}
	// commandPrompt is a command of the user's own, as the client writes what the user typed.
	commandPrompt = regexp.MustCompile(`^<command-message>.*</command-message>\s*<command-name>(.*)</command-name>(?:\s*<command-args>(.*)</command-args>)?`)
)

// readClaudeLine adds one line to t. Most lines are long and of no interest; they are not decoded.
func readClaudeLine(t *transcript, text string) {
	var l claudeLine
	if !slices.ContainsFunc(lineTypes, func(name string) bool { return strings.Contains(text, name) }) || !decode(text, &l) || l.IsSidechain {
		return
	}
	switch l.Type {
	case "custom-title":
		t.named = oneLine(l.CustomTitle)
	case "last-prompt":
		if !isMachinePrompt(l.LastPrompt) {
			t.lastPrompt = cmp.Or(oneLine(l.LastPrompt), t.lastPrompt)
		}
	case "cost-state":
		t.Cost = l.TotalCostUSD
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
		if t.Branch = oneLine(l.GitBranch); t.Branch == "HEAD" {
			t.Branch = ""
		}
		if filepath.IsAbs(l.Cwd) {
			t.Dir = l.Cwd
		}
		if l.Type == "user" {
			t.readClaudeUser(&l)
		} else {
			t.readClaudeAssistant(&l)
		}
	}
}

// readClaudeUser reads a message to the model: words of a human, results of calls, notes of the client.
func (t *transcript) readClaudeUser(l *claudeLine) {
	text, results := textOf(l)
	switch {
	case l.InterruptedMessageID != "" || strings.HasPrefix(text, "[Request interrupted by user"):
		t.happened(model.SessionInterrupted, l.Timestamp, "", "")
	case results:
		t.happened(model.SessionRunning, l.Timestamp, "", "")
	case l.IsCompactSummary || text == "":
	case l.Origin.Kind != "" && l.Origin.Kind != "human":
		t.startTurn(l.Timestamp, "")
	case l.Origin.Kind == "human":
		t.startTurn(l.Timestamp, commandPrompt.ReplaceAllString(text, "$1 $2"))
	case !l.IsMeta && !isMachinePrompt(text):
		t.startTurn(l.Timestamp, text)
	}
}

// readClaudeAssistant reads what the model answers, and errors of its API.
func (t *transcript) readClaudeAssistant(l *claudeLine) {
	if l.IsAPIErrorMessage {
		text, _ := textOf(l)
		status := strings.TrimSuffix(" "+strconv.Itoa(l.APIErrorStatus), " 0")
		why := oneLine("API error" + status + ": " + strings.TrimPrefix(text, "API Error: "))
		t.happened(model.SessionFailed, l.Timestamp, "error", why)
		t.Why = why
		return
	}
	if l.Message.Model == "<synthetic>" {
		return
	}
	u := l.Message.Usage
	t.Tokens, t.Model = cmp.Or(u.Input+u.Read+u.Created+u.Output, t.Tokens), cmp.Or(oneLine(l.Message.Model), t.Model)
	t.happened(model.SessionRunning, l.Timestamp, "", "")
	for _, b := range blocksOf(l) {
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
	if content := string(l.Message.Content); strings.HasPrefix(content, `"`) {
		all = []claudeBlock{{Type: "text"}}
		decode(content, &all[0].Text)
	} else {
		decode(content, &all)
	}
	return all
}

// textOf returns the text of a message, and whether results of calls are in it.
func textOf(l *claudeLine) (text string, results bool) {
	for _, b := range blocksOf(l) {
		results = results || b.Type == "tool_result"
		text += b.Text + "\n"
	}
	return strings.TrimSpace(text), results
}

// isMachinePrompt reports whether a prompt was written by the client and not by a human.
func isMachinePrompt(text string) bool {
	return slices.ContainsFunc(machinePrompts, func(start string) bool { return strings.HasPrefix(text, start) })
}
