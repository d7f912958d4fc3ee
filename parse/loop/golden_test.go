package loop

import (
	"errors"
	"fmt"
	"os"
	"strings"
	"testing"

	"github.com/rogpeppe/go-internal/txtar"

	"gatehouse/model"
	"gatehouse/model/modeltest"
	"gatehouse/parse/conformance"
	"gatehouse/parse/protocol"
	"gatehouse/parse/protocol/protocoltest"
)

// TestLoops runs the cases of testdata/loops.txtar: what is shown of a loop, and what decisions about it change. A case begins with "= NAME";
// "want" is what is shown, with all fields if the case says "in full". "decide" names decisions, see [requestOf].
func TestLoops(t *testing.T) {
	const file = "testdata/loops.txtar"
	archive, err := txtar.ParseFile(file)
	must(t, err)
	name, head, files := "", "", map[string]string{}
	for i := range archive.Files {
		f := &archive.Files[i]
		switch {
		case strings.HasPrefix(f.Name, "= "):
			name, head, files = f.Name, string(f.Data), map[string]string{"loop.json": ""}
		case f.Name != "want":
			files[f.Name] = string(f.Data)
		default:
			got := describeLoop(t, files, head)
			if *conformance.Update {
				f.Data = []byte(got)
			} else if want := string(f.Data); got != want {
				t.Errorf("%s\n%s\nwant\n%s", name, got, want)
			}
		}
	}
	if *conformance.Update {
		must(t, os.WriteFile(file, txtar.Format(archive), 0o644))
	}
}

func describeLoop(t *testing.T, files map[string]string, head string) string {
	state := files["kite-state.json"]
	delete(files, "kite-state.json")
	r := kite(t, state, files)
	b := r.Read(noon)
	p := r.Resume(noon)
	text := modeltest.DescribeBriefly(b, noon)
	head, isFull := strings.CutPrefix(head, "in full\n")
	if isFull {
		text = modeltest.Describe(b)
	}
	text += fmt.Sprintf("resume: %s %s %s %q %s: %s\n", p.Action, p.Phase, p.Gate, p.Older, p.Stale, p.Why)
	for l := range strings.Lines(modeltest.DescribeProblems(r.Check(noon))) {
		if !strings.Contains(text, l) && !strings.Contains(l, " loop-truth: ") { // see TestCheckFindsEveryMutation
			text += "check " + l
		}
	}
	for decision := range strings.FieldsSeq(strings.TrimPrefix(head, "decide ")) {
		text += decision + ": " + describeDecision(protocoltest.Decide(r, requestOf(decision, state))) + "\n"
	}
	return text
}

// requestOf parses a decision of a golden case into a request: a verb with options "+asking", "+ahead" or "+record", a text after "=", and
// after ":" another row than the first gate. Blanks are written as "_".
func requestOf(decision, state string) protocol.Request {
	decision, node, _ := strings.Cut(strings.ReplaceAll(decision, "_", " "), ":")
	decision, text, _ := strings.Cut(decision, "=")
	options := strings.Split(decision, "+")
	q := ask(model.Verb(options[0]), state, text)
	if node != "" {
		q.Node = strings.TrimSpace(node)
	}
	for _, option := range options[1:] {
		q.Asking, q.Ahead, q.RecordFailed = q.Asking || option == "asking", q.Ahead || option == "ahead", q.RecordFailed || option == "record"
	}
	return q
}

func describeDecision(c *protocol.Change, err error) string {
	if refused := (*model.Refusal)(nil); errors.As(err, &refused) {
		return fmt.Sprintf("%s %v (already %t)", refused.Code, refused, refused.Already)
	}
	if err != nil {
		return err.Error()
	}
	text := fmt.Sprintf("%s, releases %q, warns %q, checks %q, missing %q, wants %q, confirm %q, waits since %s",
		c.Effect, c.Releases, c.Warnings, c.Checks, c.Missing, c.Wants, c.Confirm, c.Since.Format("15:04"))
	for _, s := range c.Spans {
		text += fmt.Sprintf(", %s: %s → %s", s.Label, s.Old, s.New)
	}
	return text
}
