package record

import (
	"cmp"
	"encoding/json"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"gatehouse/model"
	"gatehouse/parse/disk/peek"
)

const (
	firstTail = 256 << 10 // bytes at the end of a transcript that are read first
	tailLimit = 2 << 20   // and at most at once; longer lines are skipped
	markSize  = 64        // bytes by which a file is known to be the one that was read before
	stepLimit = 20
)

// transcript is the sum of the lines of a transcript that were read. Its Session has no facts from other files.
type transcript struct {
	Session
	named      string // the user's name for the session
	lastPrompt string // the client's own note of the last prompt
	spoke      bool   // the agent has said something, in this turn or before
	window     int    // tokens of the context window
	request    string // what identifies the last request to the model, as long as it is not answered
	attempts   int    // how often it was sent
}

// happened sets the state, and adds a step if text is not "".
func (t *transcript) happened(state model.SessionState, at, kind, text string) {
	t.State, t.Why = state, ""
	t.Since, _ = time.Parse(time.RFC3339Nano, at)
	if text = oneLine(text); text == "" {
		return
	}
	if len(t.Steps) == stepLimit {
		t.Steps = append(t.Steps[:0], t.Steps[1:]...)
	}
	t.Steps = append(t.Steps, model.Step{At: t.Since, Kind: kind, Text: text})
}

// startTurn begins a turn, by a prompt of a human unless prompt is "".
func (t *transcript) startTurn(at, prompt string) {
	t.happened(model.SessionRunning, at, "prompt", prompt)
	t.Turn, t.Message, t.MessageID = t.Since, "", ""
	t.Title = cmp.Or(oneLine(prompt), t.Title)
}

// say notes words of the agent.
func (t *transcript) say(at, text, id string) {
	if strings.TrimSpace(text) != "" {
		t.Message, t.MessageID, t.spoke = text, id, true
		t.happened(model.SessionRunning, at, "words", text)
	}
}

// call notes the use of a tool.
func (t *transcript) call(at, tool string, input json.RawMessage) {
	t.Tool = oneLine(strings.TrimSuffix(tool+": "+mainArgument(input, t.Dir), ": "))
	t.happened(model.SessionRunning, at, "tool", t.Tool)
}

// endTurn ends a turn that runs.
func (t *transcript) endTurn(at string) {
	if t.State == model.SessionRunning && t.Message != "" {
		t.happened(model.SessionTurn, at, "", "")
	} else if t.State == model.SessionRunning {
		t.happened(model.SessionIdle, at, "", "")
	}
}

// mainArguments are the arguments of calls that say most, the best first.
var mainArguments = []string{"command", "cmd", "file_path", "notebook_path", "url", "description", "pattern", "query", "prompt", "message"}

// mainArgument returns the argument of a call that says most, else its first text by name. Files below dir are relative to it.
func mainArgument(input json.RawMessage, dir string) string {
	var arguments map[string]any
	json.Unmarshal(input, &arguments)
	for _, name := range append(mainArguments[:len(mainArguments):len(mainArguments)], slices.Sorted(maps.Keys(arguments))...) {
		text, _ := arguments[name].(string)
		if rel, err := filepath.Rel(dir, text); err == nil && filepath.IsAbs(text) && filepath.IsLocal(rel) {
			return rel
		} else if text != "" {
			return text
		}
	}
	return ""
}

// tail is a transcript that is followed.
type tail struct {
	transcript
	info   os.FileInfo
	offset int64  // what is before it was read
	mark   string // the bytes before offset
	skips  bool   // the line at offset is left out: its beginning was not read
	round  int    // it was asked for last
}

// follow returns a transcript, nil if it cannot be read. The first call reads the end of the file, later calls read what was appended. A
// file that was truncated or replaced counts as new.
func (r *Reader) follow(path string, read func(t *transcript, line string)) *transcript {
	info, err := os.Lstat(path)
	if err != nil || !info.Mode().IsRegular() {
		return nil
	}
	t := r.tails[path]
	if t == nil || !os.SameFile(t.info, info) || info.Size() < t.offset || !isSame(t.info, info) && !r.advance(t, path, info, read) {
		for _, size := range []int64{firstTail, tailLimit} {
			start := max(0, info.Size()-size)
			t = &tail{offset: start, skips: start > 0}
			if !r.advance(t, path, info, read) {
				return nil
			}
			if start == 0 || t.Title != "" && t.spoke {
				break
			}
		}
	}
	t.round, r.tails[path] = r.round, t
	return &t.transcript
}

// advance reads what was appended to a transcript. It returns false if the file was replaced.
func (r *Reader) advance(t *tail, path string, info os.FileInfo, read func(t *transcript, line string)) bool {
	if info.Size()-t.offset > tailLimit {
		t.offset, t.mark, t.skips = info.Size()-tailLimit, "", true
	}
	start := t.offset - int64(len(t.mark))
	text, err := peek.ReadAt(path, start, r.buffer[:info.Size()-start])
	if err != nil || !strings.HasPrefix(text, t.mark) {
		return false
	}
	rest := text[len(t.mark):]
	for end := strings.IndexByte(rest, '\n'); end >= 0; end = strings.IndexByte(rest, '\n') {
		if !t.skips {
			read(&t.transcript, rest[:end])
		}
		t.skips, rest = false, rest[end+1:]
	}
	if t.skips = t.skips || len(rest) == tailLimit; t.skips {
		rest = ""
	}
	done := text[:len(text)-len(rest)]
	t.info, t.offset, t.mark = info, start+int64(len(done)), strings.Clone(done[max(0, len(done)-markSize):])
	return true
}
