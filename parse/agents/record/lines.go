package record

import (
	"cmp"
	"encoding/json"
	"fmt"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"time"

	"gatehouse/model"
	"gatehouse/parse/doc"
)

// recordLine is a line of a transcript. JSON names are matched without regard to case.
type recordLine struct {
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

// block is a part of a message.
type block struct {
	Type, Text, Name string
	Input            json.RawMessage
}

// IsMachinePrompt matches prompts that Claude Code has written, not a human.
var IsMachinePrompt = regexp.MustCompile(`^\s*(<task-notification>|<local-command|<command-|<system-reminder>|<bash-|Caveat:|Another Claude session sent a message)`).MatchString

// commandPrompt matches a user's own command in the form that Claude Code records.
var commandPrompt = regexp.MustCompile(`^<command-message>.*</command-message>\s*<command-name>(.*)</command-name>(?:\s*<command-args>(.*)</command-args>)?`)

// readLine adds one line.
func (t *transcript) readLine(text string) {
	var e recordLine
	if !decodeJSON(text, &e) || e.IsSidechain {
		return
	}
	switch e.Type {
	case "user", "assistant":
		t.readMessage(&e)
	case "last-prompt": // Claude Code's own note, if the prompt is too far back
		if !IsMachinePrompt(e.LastPrompt) {
			t.Title = cmp.Or(t.Title, oneLine(e.LastPrompt))
		}
	case "api-request": // a retry sends the same again, and writes nothing else
		if e.RequestDigest == "" || e.RequestDigest != t.request {
			t.request, t.attempts = e.RequestDigest, 0
		}
		if t.attempts++; t.attempts == 2 {
			t.retried, _ = time.Parse(time.RFC3339Nano, e.Timestamp)
		}
	case "system":
		if e.Subtype == "turn_duration" {
			t.endTurn(e.Timestamp)
		}
	}
}

// readMessage adds a message of Claude Code to or from the model.
func (t *transcript) readMessage(e *recordLine) {
	var blocks []block
	var text string
	if decodeJSON(string(e.Message.Content), &text); text == "" {
		decodeJSON(string(e.Message.Content), &blocks)
		text = textOf(blocks)
	}
	t.request, t.attempts = "", 0
	t.Dir, t.Branch = cmp.Or(e.Cwd, t.Dir), oneLine(strings.TrimPrefix(e.GitBranch, "HEAD")) // HEAD: no branch
	isResult := func(b block) bool { return b.Type == "tool_result" }
	switch at := e.Timestamp; {
	case e.IsAPIErrorMessage:
		status := strings.TrimSuffix(fmt.Sprint(" ", e.APIErrorStatus), " 0")
		why := oneLine("API error" + status + ": " + strings.TrimPrefix(text, "API Error: "))
		t.setState(model.SessionFailed, at, "error", why)
		t.Why = why
	case e.Message.Model == "<synthetic>" || e.IsCompactSummary:
	case e.Type == "assistant":
		t.readAnswer(e, blocks)
	case e.InterruptedMessageID != "" || strings.HasPrefix(text, "[Request interrupted by user"):
		t.setState(model.SessionInterrupted, at, "", "")
	case slices.ContainsFunc(blocks, isResult):
		t.setState(model.SessionRunning, at, "", "")
	case text == "":
	case e.Origin.Kind == "human":
		t.startTurn(at, commandPrompt.ReplaceAllString(text, "$1 $2"))
	case e.Origin.Kind != "":
		t.startTurn(at, "")
	case !e.IsMeta && !IsMachinePrompt(text):
		t.startTurn(at, text)
	}
}

// readAnswer adds the model's answer.
func (t *transcript) readAnswer(e *recordLine, blocks []block) {
	u := e.Message.Usage
	used := u["input_tokens"] + u["cache_read_input_tokens"] + u["cache_creation_input_tokens"] + u["output_tokens"]
	t.Tokens, t.Model = cmp.Or(used, t.Tokens), cmp.Or(oneLine(e.Message.Model), t.Model)
	t.setState(model.SessionRunning, e.Timestamp, "", "")
	for _, b := range blocks {
		switch b.Type {
		case "text":
			t.addWords(e.Timestamp, b.Text, e.UUID)
		case "tool_use":
			t.addCall(e.Timestamp, b.Name, b.Input)
		}
	}
}

// textOf returns the text of a message.
func textOf(blocks []block) (text string) {
	for _, b := range blocks {
		text += b.Text + "\n"
	}
	return strings.TrimSpace(text)
}

// MainArgument returns the argument that describes a tool's call: its command, else its file, relative to dir if it is
// below it, else its search term. It is "" for other calls.
func MainArgument(in doc.Value, dir string) string {
	text := func(name string) string { return in.Get(name).Text() }
	file := cmp.Or(text("file_path"), text("notebook_path"), text("filepath"))
	if rel, err := filepath.Rel(dir, file); err == nil && filepath.IsAbs(file) && filepath.IsLocal(rel) {
		file = rel
	}
	return cmp.Or(text("command"), text("cmd"), file, text("url"), text("pattern"), text("query"))
}

// summarizeCall returns the main argument of a call, else its message to an agent, else its first text by name.
func summarizeCall(in doc.Value, dir string) string {
	words := cmp.Or(MainArgument(in, dir), doc.FirstText(in.Get("description"), in.Get("prompt"), in.Get("message")))
	first := ""
	for m := range in.Children() {
		if words == "" && m.Text() != "" && (first == "" || m.Key() < first) {
			first = m.Key()
		}
	}
	return cmp.Or(words, in.Get(first).Text())
}
