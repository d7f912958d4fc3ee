package ultraplan

import (
	"errors"
	"fmt"
	"maps"
	"os"
	"strings"
	"testing"

	"github.com/rogpeppe/go-internal/txtar"

	"gatehouse/model"
	"gatehouse/model/modeltest"
	"gatehouse/parse/conformance"
	"gatehouse/parse/disk/mirror"
	"gatehouse/parse/nearest"
	"gatehouse/parse/protocol"
	"gatehouse/parse/protocol/protocoltest"
	"gatehouse/parse/ultraplan/core"
	"gatehouse/parse/ultraplan/fixture"
)

const (
	goldenState = ".planning/STATE.md"
	tankGate    = "task/03-lamp/03-01/1/gate"
)

// TestBuilds runs the cases of testdata/builds.txtar: what the dashboard and the prompt show of a project, and what decisions write. A case
// begins with "= NAME", and says which project of package fixture its files change; "want" is what is shown. "decide" names decisions,
// about the first task's gate of 03-01 or the row after ":".
func TestBuilds(t *testing.T) {
	const file = "testdata/builds.txtar"
	archive, err := txtar.ParseFile(file)
	fixture.Must(t, err)
	var files map[string]string
	name, verbs := "", ""
	for i := range archive.Files {
		f := &archive.Files[i]
		switch {
		case strings.HasPrefix(f.Name, "= "):
			name, verbs, files = f.Name, "", nil
			for l := range strings.Lines(string(f.Data)) {
				switch word, rest, _ := strings.Cut(strings.TrimSpace(l), " "); word {
				case "base":
					files = map[string]func(map[string]string) map[string]string{"lamp": fixture.Lamp, "lantern": fixture.Lantern, "empty": maps.Clone[map[string]string]}[rest](map[string]string{})
				case "without":
					delete(files, rest)
				case "decide":
					verbs = rest
				}
			}
		case f.Name != "want":
			files[f.Name] = string(f.Data)
		default:
			got := describe(t, files, verbs, strings.HasPrefix(name, "= c"))
			if name == "= a project" { // in full
				got = modeltest.Describe(build(t, fixture.Project(t, files))) + got
			}
			if *conformance.Update {
				f.Data = []byte(got)
			} else if want := string(f.Data); got != want {
				old, now := fixture.Changed(want, got)
				t.Errorf("%s\n- %s\n+ %s", name, strings.Join(old, "- "), strings.Join(now, "+ "))
			}
		}
	}
	if *conformance.Update {
		fixture.Must(t, os.WriteFile(file, txtar.Format(archive), 0o644))
	}
}

// describe describes a project and the decisions about it. isChecked says that the problems of its plans are of interest.
func describe(t *testing.T, files map[string]string, verbs string, isChecked bool) string {
	dir := fixture.Project(t, files)
	m := mirror.New(dir, Home, core.Planning)
	r := readerOf(t, dir)
	text := modeltest.DescribeBriefly(r.Read(fixture.Now), fixture.Now)
	if found, _ := nearest.Find(nearest.Place{Dir: dir, Home: dir, Alerts: true}); found.Waits != "" {
		text += "the prompt waits: " + found.Waits + "\n"
	}
	p := r.Resume(fixture.Now)
	text += fmt.Sprintf("resume: %s %s %q: %s\n", p.Action, p.Phase, p.Steps, p.Why)
	for l := range strings.Lines(modeltest.DescribeProblems(r.Check(fixture.Now))) {
		isKnown := strings.Contains(l, "-PLAN.md") && !isChecked || strings.Contains(text, l)
		if !isKnown && !strings.Contains(l, "ultraplan-truth") && !strings.Contains(l, "ultraplan-position") && !strings.Contains(l, "ultraplan-gate:") {
			text += "check " + l
		}
	}
	for verb := range strings.FieldsSeq(verbs) {
		verb, node, _ := strings.Cut(verb, ":")
		a := model.Action{Verb: model.Verb(verb), Node: node, Text: "the funnel is not needed"}
		if node == "" && verb != "sync" {
			a.Node = tankGate
		}
		if text, ok := map[string]string{"skip-silently": "", "skip-briefly": "ten chars."}[verb]; ok {
			a.Verb, a.Text = model.VerbSkip, text
		}
		state, _ := m.Text(goldenState)
		text += verb + " " + node + ": " + describeDecision(t, files, r, a, state)
	}
	return text
}

// describeDecision describes a decision, the lines that it changes, and what is shown afterwards.
func describeDecision(t *testing.T, files map[string]string, r *Reader, a model.Action, state string) string {
	change, err := protocoltest.Decide(r, protocol.Request{Action: a, Content: state, Now: fixture.Now, Who: "ada"})
	if refused := (*model.Refusal)(nil); errors.As(err, &refused) {
		return fmt.Sprintf("%s %v (already %t)\n", refused.Code, refused, refused.Already)
	}
	fixture.Must(t, err)
	text := fmt.Sprintf("%s, wants %q, confirm %q, warns %q\n", change.Effect, change.Wants, change.Confirm, change.Warnings)
	after := maps.Clone(files)
	after[goldenState] = fixture.Applied(t, state, change.Spans)
	old, now := fixture.Changed(state, after[goldenState])
	for i, lines := range [][]string{old, now} {
		for _, l := range lines {
			text += fmt.Sprintf("  %c %s\n", "-+"[i], strings.TrimRight(l, "\r\n"))
		}
	}
	dir := fixture.Project(t, after)
	b := build(t, dir)
	if a.Verb == model.VerbSync {
		_, err := protocoltest.Decide(readerOf(t, dir), protocol.Request{Action: a, Content: after[goldenState], Now: fixture.Now})
		text += fmt.Sprintf("  again: %v\n", err)
	}
	text += fmt.Sprintf("  then %d wait, %d differ", len(b.Certain()), len(b.Divergences))
	if n, _ := b.Find("task/03-lamp/03-01/1"); n != nil {
		text += fmt.Sprintf(", the task is %s %q", n.Status, n.Raw)
	}
	return text + "\n"
}
