package record

import (
	"cmp"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"time"

	"gatehouse/model"
	"gatehouse/parse/agents/ask"
	"gatehouse/parse/disk/peek"
	"gatehouse/parse/doc"
)

const (
	firstTail = 256 << 10 // bytes at the end of a transcript that are read first
	tailLimit = 2 << 20   // and at most at once later; longer lines are skipped
)

// transcript is the sum of the lines of a transcript that were read. Its Session has no facts from other files.
type transcript struct {
	ask.Session
	request  string    // identifies the last request to the model until it is answered
	attempts int       // how often that request was sent
	retried  time.Time // when it was sent for the second time

	info   os.FileInfo // when it was read last
	offset int64       // of the first line that was not read
	skips  bool        // the beginning of that line was left out, so the line is skipped
	round  int         // of the last call for it
}

// followTranscript returns a transcript, nil if it cannot be read. The first call reads the end of the file, later calls read the lines that were
// appended. A file that was truncated or replaced counts as new.
func (r *Reader) followTranscript(path string) *transcript {
	info, err := os.Lstat(path)
	if err != nil || !info.Mode().IsRegular() {
		return nil
	}
	t, limit := r.tails[path], int64(tailLimit)
	if t == nil || !os.SameFile(t.info, info) || info.Size() < t.info.Size() {
		t, limit = &transcript{}, firstTail
	}
	if start := info.Size() - limit; start > t.offset {
		t.offset, t.skips = start, true
	}
	if t.info == nil || info.Size() > t.info.Size() {
		rest, err := peek.ReadAt(path, t.offset, r.buffer[:info.Size()-t.offset])
		if err != nil {
			return nil
		}
		for end := strings.IndexByte(rest, '\n'); end >= 0; end = strings.IndexByte(rest, '\n') {
			if !t.skips {
				t.readLine(rest[:end])
			}
			t.skips, rest, t.offset = false, rest[end+1:], t.offset+int64(end+1)
		}
	}
	t.info, t.round, r.tails[path] = info, r.round, t
	return t
}

// setState sets the state, and adds a step unless text is empty.
func (t *transcript) setState(state model.SessionState, at, kind, text string) {
	t.State, t.Why = state, ""
	t.Since, _ = time.Parse(time.RFC3339Nano, at)
	if text = oneLine(text); text != "" {
		t.AddStep(kind, text, t.Since)
	}
}

// startTurn begins a turn, by a prompt of a human unless prompt is empty.
func (t *transcript) startTurn(at, prompt string) {
	t.setState(model.SessionRunning, at, "prompt", prompt)
	t.Turn, t.Message, t.MessageID = t.Since, "", ""
	t.Title = cmp.Or(oneLine(prompt), t.Title)
}

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
		switch {
		case e.Subtype != "turn_duration" || t.State != model.SessionRunning:
		case t.Message != "":
			t.setState(model.SessionTurn, e.Timestamp, "", "")
		default:
			t.setState(model.SessionIdle, e.Timestamp, "", "")
		}
	}
}

// readMessage adds a message of Claude Code to or from the model.
func (t *transcript) readMessage(e *recordLine) {
	var blocks []block
	var text string
	if decodeJSON(string(e.Message.Content), &text); text == "" {
		decodeJSON(string(e.Message.Content), &blocks)
		for _, b := range blocks {
			text += b.Text + "\n"
		}
		text = strings.TrimSpace(text)
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
		switch {
		case b.Type == "text" && strings.TrimSpace(b.Text) != "":
			t.Message, t.MessageID = b.Text, e.UUID
			t.setState(model.SessionRunning, e.Timestamp, "words", b.Text)
		case b.Type == "tool_use":
			input, _ := doc.ParseJSON(string(b.Input))
			t.Tool = oneLine(strings.TrimSuffix(b.Name+": "+summarizeCall(input.Root(), t.Dir), ": "))
			t.setState(model.SessionRunning, e.Timestamp, "tool", t.Tool)
		}
	}
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
