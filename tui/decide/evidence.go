package decide

// The evidence in the dialog about a gate: the texts of the deliverables, and the end of the log of the last failure.

import (
	"path"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	tea "charm.land/bubbletea/v2"

	"gatehouse/model"
	"gatehouse/tui/dialog"
	"gatehouse/tui/draw"
)

// evidence is the shown part of the evidence.
type evidence struct {
	texts  map[string]look // of the deliverables and the log, by file
	opened int             // how many deliverables were opened in the pager
	jump   bool            // show the bytes to write from their beginning
	log    string          // the file with the log of the last failure
}

// look is the text of a file, or why there is none.
type look struct{ text, problem string }

// evidenceBytes is the longest shown text of a deliverable.
const evidenceBytes = 128 << 10

// shownDeliverables is the limit of deliverables whose texts are shown.
const shownDeliverables = 16

// existingEvidence returns the deliverables that exist.
func (q *question) existingEvidence() []model.Artifact {
	if q.shown == nil {
		return nil
	}
	return slices.DeleteFunc(slices.Clone(q.shown.Evidence), func(a model.Artifact) bool { return !a.Exists || a.File == "" })
}

// showsEvidence reports whether the gate is judged by its deliverables.
func (q *question) showsEvidence() bool {
	return len(q.existingEvidence()) > 0 && (q.action.Verb == model.VerbApprove || q.action.Verb == model.VerbChanges)
}

// readEvidence returns the command that reads the deliverables.
func (q *question) readEvidence() (cmd tea.Cmd) {
	if !q.showsEvidence() || q.owner.host.Files() == nil {
		return nil
	}
	all := q.existingEvidence()
	for _, a := range all[:min(len(all), shownDeliverables)] {
		cmd = tea.Batch(cmd, q.readFile(a.File))
	}
	return cmd
}

// readLog returns the command that reads the log of the gate's last failure, nil if none is known.
func (q *question) readLog() tea.Cmd {
	t, ok := q.Target()
	if !ok || q.node == nil || q.node.Status != model.Failed || q.owner.host.Files() == nil {
		return nil
	}
	above := t.Site.Nodes[q.at.Node].Above
	for i := len(t.Site.Build.Activity) - 1; i >= 0; i-- {
		a := &t.Site.Build.Activity[i]
		if (a.Node == q.at.Node || a.Node != "" && a.Node == above) && a.Status == model.Failed && a.Source.File != "" {
			q.log = strings.Clone(a.Source.File)
			return q.readFile(q.log)
		}
	}
	return nil
}

// readFile returns the command that reads a file.
func (q *question) readFile(file string) tea.Cmd {
	files, project := q.owner.host.Files(), q.at.Project
	file = strings.Clone(file)
	return Request(func() (string, error) { return files.Text(project, file) }, func(text string, err error) tea.Cmd {
		var x look
		switch {
		case err != nil && text == "":
			x.problem = err.Error()
		case !utf8.ValidString(text) || strings.ContainsRune(text, 0):
			x.problem = "this is no text; o opens it"
		case len(text) > evidenceBytes:
			x.text, x.problem = strings.ToValidUTF8(text[:evidenceBytes], ""), "only its beginning is shown here; o opens the whole"
		case text == "":
			x.problem = "the file is empty"
		default:
			x.text = text
		}
		if q.texts == nil {
			q.texts = map[string]look{}
		}
		q.texts[file] = x
		q.Revise()
		return nil
	})
}

// openEvidence opens the next existing deliverable, and returns to the question afterwards.
func (q *question) openEvidence() tea.Cmd {
	home, all := q.owner.Index.Site(q.at), q.existingEvidence()
	if home == nil {
		return nil
	}
	a := all[q.opened%len(all)]
	q.opened++
	return q.owner.host.Show(home, model.Pos{File: a.File})
}

// documentText lays out the deliverables, nil if there are none.
func (q *question) documentText(l *draw.Look, width int) *dialog.Text {
	if !q.showsEvidence() || q.stage == typing || q.stage == over || q.sent != nil {
		return nil
	}
	b, all := dialog.NewText(width), q.existingEvidence()
	for i, a := range all {
		x, known := q.texts[a.File]
		if !known {
			continue
		}
		title := draw.Foreign(a.Name)
		if len(all) > 1 {
			title += ", " + strconv.Itoa(i+1) + " of " + strconv.Itoa(len(all))
		}
		b.Say(l.Theme.Accent, title)
		if x.problem != "" {
			b.Say(l.Theme.Wait, draw.Foreign(x.problem))
		}
		if x.text != "" {
			b.Document(l, a.File, x.text)
		}
	}
	if b.Len() == 0 {
		return nil
	}
	return b
}

// logLines is how many lines of the end of a log are shown.
const logLines = 5

// hasFailed reports whether the gate has failed.
func (q *question) hasFailed() bool {
	return q.node != nil && q.node.Gate != nil && q.node.Status == model.Failed
}

// addFailures adds why the gate has failed, with the end of the log.
func (p page) addFailures(q *question) {
	if !q.hasFailed() {
		return
	}
	reasons, _ := draw.FailuresOf(q.node)
	if len(reasons) == 0 {
		reasons = []string{draw.OrElse(q.node.Gate.Reason, q.node.Why)}
	}
	p.Failures(reasons)
	text := strings.TrimRight(q.texts[q.log].text, "\n ")
	if text == "" {
		return
	}
	lines := strings.Split(text, "\n")
	p.Heading("The end of " + path.Base(q.log))
	for _, s := range lines[max(0, len(lines)-logLines):] {
		p.Quote(p.Look.Theme.Dim, draw.OrElse(strings.TrimRight(strings.ReplaceAll(s, "\t", "    "), "\r"), " "))
	}
}
