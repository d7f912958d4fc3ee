package rules

import (
	"fmt"
	"strings"
	"testing"
)

// TestQuestion holds what counts as a question, and where its text is found.
func TestQuestion(t *testing.T) {
	for _, c := range []struct{ value, want string }{
		{`"Red?"`, "Red?"}, {`{"text": "Red?"}`, "Red?"}, {`{"question": "Red?", "options": ["a", "b"]}`, "Red?"}, {`{"prompt": "Red?"}`, "Red?"}, {`{"message": "Red?"}`, "Red?"},
		{`{"summary": "Red?"}`, "Red?"}, {`{"text": "", "question": "Red?"}`, "Red?"}, {`{"text": {"text": "Red?"}}`, "Red?"}, {`["Red?", "Blue?"]`, "Red?"}, {`[null, {"prompt": "Red?"}]`, "Red?"},
		{`{"questions": ["Red?"]}`, "Red?"}, {`{"questions": [{"text": "Red?"}]}`, "Red?"}, {`5`, "5"},
		{`{"id": "q1"}`, UnreadQuestion}, {`{"options": ["a"]}`, UnreadQuestion}, {`true`, UnreadQuestion}, {`{"text": true}`, UnreadQuestion}, {`{"text": "", "id": 0}`, UnreadQuestion},
		{strings.Repeat(`[`, 50) + strings.Repeat(`]`, 50), UnreadQuestion},
		{`{"text": "Red?", "answer": "blue"}`, ""}, {`{"text": "Red?", "answeredAt": "2026-02-17T04:12:00Z"}`, ""}, {`{"text": "Red?", "status": "answered"}`, ""}, {`{"id": "q1", "resolved": true}`, ""},
		{`[{"text": "Red?", "answer": "blue"}, {"text": "Blue?"}]`, "Blue?"}, {`[{"text": "Red?", "answer": 1}, null]`, ""}, {`{"questions": [{"text": "Red?", "answered": true}]}`, ""},
		{`{"questions": [{"text": "Red?", "answered": true}, {"id": 2}]}`, UnreadQuestion}, {`{"text": "Red?", "answer": null, "answered": false}`, "Red?"}, {`{"text": "Red?", "answer": " "}`, "Red?"}, {`{"text": "Red?", "answers": ["a", "b"]}`, "Red?"},
		{``, ""}, {`null`, ""}, {`""`, ""}, {`" "`, ""}, {`false`, ""}, {`{}`, ""}, {`[]`, ""}, {`[null, {}]`, ""}, {`{"text": null, "options": []}`, ""},
	} {
		if got := Question(c.value); got != c.want {
			t.Errorf("%s: %q, want %q", c.value, got, c.want)
		}
	}
}

// TestQuestionHolds holds that a question holds up the chunks that it names, in each of its forms.
func TestQuestionHolds(t *testing.T) {
	for _, c := range []struct{ inside, pending string }{
		{`{"text": "Red?", "blockedChunks": [2, "C"]}`, ""}, {`{"question": "Red?", "blockedChunks": [2.0, "C"]}`, ""}, {`{"id": "q", "blockedChunks": ["2", 3]}`, ""},
		{`[{"text": "Red?", "blockedChunks": 2}, {"text": "Blue?", "blockedChunks": [3]}]`, ""}, {`{"questions": [{"text": "Red?", "blockedChunks": [2, 3]}]}`, ""}, {`null`, `{"prompt": "Red?", "blockedChunks": [2, 3]}`},
	} {
		const chunks = `[{"id": 1}, {"id": 2}, {"id": 3, "name": "C"}, {"id": 4}]`
		run, _ := ReadRun(`{"status": "running", "pendingQuestion": `+c.inside+`, "chunks": `+chunks+`}`, Questions{Pending: c.pending})
		if got := fmt.Sprint(run.Chunks[0].Asked, run.Chunks[1].Asked, run.Chunks[2].Asked, run.Chunks[3].Asked); got != "false true true false" || !run.Waits() {
			t.Errorf("%s %s: %s", c.inside, c.pending, got)
		}
	}
}

// TestNumber holds that numbers are as JavaScript writes them.
func TestNumber(t *testing.T) {
	for value, want := range map[string]string{
		"1": "1", "1.0": "1", "1e0": "1", "2.50": "2.5", "1e1": "10", "25e-1": "2.5", "0.5": "0.5", "5E-1": "0.5", "-1": "-1", "-1.0": "-1", "-0": "0", "0.0": "0", "1.5e+3": "1500", "100": "100", "1e-3": "0.001",
		"1e400": "1e400", "12345678901234567890": "12345678901234567890", "1.2345678901234567": "1.2345678901234567", "1e21": "1e21", "1e20": "100000000000000000000", "": "", "x": "x", "-": "-", "1.x": "1.x", "1e999999999999": "1e999999999999", "1e-7": "1e-7",
	} {
		if got := Number(value); got != want {
			t.Errorf("%s: %q, want %q", value, got, want)
		}
	}
}
