package decide

// The evidence in the dialog about a gate: the texts of the deliverables one by one, with the changes since the user last looked, and the
// end of the log of the last failure.

import (
	"path"
	"slices"
	"strconv"
	"strings"
	"time"

	tea "charm.land/bubbletea/v2"

	"gatehouse/model"
	"gatehouse/tui/dialog"
	"gatehouse/tui/document"
	"gatehouse/tui/draw"
)

// evidence is the shown part of the evidence.
type evidence struct {
	texts  map[string]look // of the deliverables read so far, by file
	viewed int             // the number of the viewed deliverable, -1 for none: the first is shown below the page
	opened int             // the number of the deliverable opened last, -1 for none
	jump   bool            // show the requested text from its beginning
	log    look            // of the last failure
}

// look is the text of a file, or why there is none.
type look struct {
	now     document.Looked
	changes []document.Change // since the previous text
	problem string
}

// existingEvidence returns the deliverables that exist.
func (q *question) existingEvidence() []model.Artifact {
	if q.shown == nil {
		return nil
	}
	return slices.DeleteFunc(slices.Clone(q.shown.Evidence), func(a model.Artifact) bool { return !a.Exists || a.File == "" })
}

// viewNext shows the next deliverable, and after the last the question again.
func (q *question) viewNext() tea.Cmd {
	if q.viewed++; q.viewed >= len(q.existingEvidence()) {
		q.viewed, q.Sheet.Top = -1, 0
		return nil
	}
	q.jump = true
	return q.readDeliverable(q.existingEvidence()[q.viewed].File, true)
}

// showsEvidence reports whether the gate is judged by its deliverables.
func (q *question) showsEvidence() bool {
	return len(q.existingEvidence()) > 0 && (q.action.Verb == model.VerbApprove || q.action.Verb == model.VerbChanges)
}

// readShown returns the command that reads the shown deliverable.
func (q *question) readShown() tea.Cmd {
	if all := q.existingEvidence(); q.showsEvidence() && q.owner.host.Files() != nil {
		return q.readDeliverable(all[max(min(q.viewed, len(all)-1), 0)].File, q.viewed >= 0)
	}
	return nil
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
			return q.readFile(a.Source.File, func(x look) { q.log = x })
		}
	}
	return nil
}

// readDeliverable returns the command that reads a deliverable; remember means that the user looks at it.
func (q *question) readDeliverable(file string, remember bool) tea.Cmd {
	if q.owner.host.Files() == nil {
		return q.owner.refuse("files cannot be read here")
	}
	return q.readFile(file, func(x look) {
		if x.now.Text != "" && remember {
			q.owner.Looks.Remember(x.now)
		}
		if q.texts == nil {
			q.texts = map[string]look{}
		}
		q.texts[x.now.File] = x
	})
}

// readFile returns the command that reads a file and compares it with the version that the user last looked at.
func (q *question) readFile(file string, take func(look)) tea.Cmd {
	files, project, at := q.owner.host.Files(), q.at.Project, q.owner.host.Now()
	file = strings.Clone(file)
	before := q.owner.Looks.Of(project, file)
	return request(func() (look, error) { return readLook(files, before, project, file, at), nil }, func(x look, _ error) tea.Cmd {
		take(x)
		q.Revise()
		return nil
	})
}

func readLook(files model.Files, before document.Looked, project, file string, at time.Time) (x look) {
	text, err := files.Text(project, file)
	x.now.Project, x.now.File, x.now.At = project, file, at
	switch {
	case err != nil && text == "":
		x.problem = err.Error()
		return x
	case !document.IsText(text):
		x.problem = "this is no text; o opens it"
		return x
	case len(text) > document.LookedBytes:
		x.problem = "only its beginning is shown here; o opens the whole"
	}
	x.now = before.Again(project, file, text, at)
	x.changes = x.now.Changes()
	return x
}

// openEvidence opens the next existing deliverable, and returns to the question afterwards.
func (q *question) openEvidence() tea.Cmd {
	home, all := q.owner.Index.Site(q.at), q.existingEvidence()
	if home == nil {
		return nil
	}
	if q.viewed >= 0 {
		q.opened = q.viewed - 1 // the viewed deliverable
	}
	q.opened = (q.opened + 1) % len(all)
	a := all[q.opened]
	cmds := []tea.Cmd{q.owner.host.Show(home, model.Pos{File: a.File})}
	if n := len(all); n > 1 {
		cmds = append(cmds, q.owner.tell(ofMany(a.Name, q.opened+1, n)+"; o opens the next"))
	}
	if q.owner.host.Files() != nil {
		cmds = append(cmds, q.readDeliverable(a.File, true))
	}
	return tea.Batch(cmds...)
}

// ofMany says "1 of 3".
func ofMany(name string, number, n int) string {
	return draw.Join(", ", name, strconv.Itoa(number)+" of "+strconv.Itoa(n))
}

// documentText lays out the shown deliverable, nil if there is none.
func (q *question) documentText(l *draw.Look, width int) *dialog.Text {
	all := q.existingEvidence()
	if len(all) == 0 || !q.showsEvidence() && q.viewed < 0 || q.stage == typing || q.stage == refused || q.stage == unanswered {
		return nil
	}
	n := max(min(q.viewed, len(all)-1), 0)
	a := all[n]
	x, known := q.texts[a.File]
	if !known {
		return nil
	}
	b := dialog.NewText(width)
	title := a.Name
	if len(all) > 1 {
		title = ofMany(a.Name, n+1, len(all))
	}
	b.Say(dialog.Title, title)
	if x.problem != "" {
		b.Say(dialog.Warning, x.problem)
	}
	switch {
	case x.now.Text == "" && x.problem == "":
		b.Say(dialog.Remark, "the file is empty")
	case x.now.Text == "", x.now.BeforeAt.IsZero():
	case len(x.changes) == 0:
		b.Say(dialog.Remark, "nothing has changed since you looked "+l.Ago(x.now.BeforeAt))
	default:
		b.Say(dialog.Title, "Changed since you looked "+l.Ago(x.now.BeforeAt))
		b.Changes(l, x.changes)
		b.Say(dialog.Title, "All of it")
	}
	if x.now.Text != "" {
		b.Document(l, a.File, x.now.Text, x.changes)
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
	th := p.Look.Theme
	if !q.hasFailed() {
		return
	}
	if reasons, _ := draw.FailuresOf(q.node); len(reasons) > 0 {
		p.Failures(reasons)
	} else {
		p.Failures([]string{draw.OrElse(q.node.Gate.Reason, q.node.Why)})
	}
	text := strings.TrimRight(q.log.now.Text, "\n ")
	if text == "" {
		return
	}
	lines := strings.Split(text, "\n")
	p.Heading("The end of " + path.Base(q.log.now.File))
	for _, s := range lines[max(0, len(lines)-logLines):] {
		p.Quote(th.Dim, draw.OrElse(strings.TrimRight(strings.ReplaceAll(s, "\t", "    "), "\r"), " "))
	}
}
