package record

import (
	"cmp"
	"encoding/json"
	"os"
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

// addWords notes words of the agent.
func (t *transcript) addWords(at, text, id string) {
	if strings.TrimSpace(text) != "" {
		t.Message, t.MessageID = text, id
		t.setState(model.SessionRunning, at, "words", text)
	}
}

// addCall notes the use of a tool.
func (t *transcript) addCall(at, tool string, input json.RawMessage) {
	tree, _ := doc.ParseJSON(string(input))
	t.Tool = oneLine(strings.TrimSuffix(tool+": "+summarizeCall(tree.Root(), t.Dir), ": "))
	t.setState(model.SessionRunning, at, "tool", t.Tool)
}

// endTurn ends a turn that runs.
func (t *transcript) endTurn(at string) {
	if t.State == model.SessionRunning && t.Message != "" {
		t.setState(model.SessionTurn, at, "", "")
	} else if t.State == model.SessionRunning {
		t.setState(model.SessionIdle, at, "", "")
	}
}
