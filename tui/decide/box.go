package decide

// The common part of the dialogs that decide something: about gates and builds (gate.go), and about the asks of live agents (ask.go).

import (
	"errors"
	"slices"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"

	tea "charm.land/bubbletea/v2"

	"gatehouse/model"
	"gatehouse/tui/dialog"
	"gatehouse/tui/draw"
	"gatehouse/tui/index"
	"gatehouse/tui/input"
)

// box is the common part of such a dialog.
type box struct {
	*dialog.Dialog
	owner  *Decisions
	at     index.Place
	where  string // the project, and the build or the machine
	stage  stage
	notice notice
	away   string           // why nothing can be decided there, "" if the host is reachable
	sent   model.Unanswered // the action that may have been done, if the reply is missing
	text   input.Editor     // the reason, the request, the reply
	typed  wanted           // what it is typed for
	slid   bool             // the dialog came by itself, as the next of the queue
}

// stage is the stage of such a dialog.
type stage int

const (
	opening stage = iota // its subject is awaited
	asking               // and on the screen
	typing               // the user types a text
	sending              // the outcome is awaited
	over                 // nothing can be decided now
)

// decider is such a dialog.
type decider interface {
	Dialog
	common() *box
	// leave closes the dialog without an answer.
	leave() tea.Cmd
	// reconsider checks again whether a new snapshot has changed the subject of the dialog.
	reconsider() tea.Cmd
}

// notice is an error or a remark at the top of a dialog.
type notice struct {
	text, next string // what happened, and what to do about it
	calm       bool   // not an error
}

// noticeOf turns an error into a notice: a refusal with its fix, any other error after a sentence.
func noticeOf(err error, sentence, next string) notice {
	var refusal *model.Refusal
	if errors.As(err, &refusal) {
		return notice{text: refusal.Text, next: refusal.Fix}
	}
	return notice{text: sentence + err.Error(), next: next}
}

// newBox returns the common part of a dialog about a target. Its texts outlive the snapshot.
func (d *Decisions) newBox(x dialog.Subject, t Target, where string) box {
	return box{Dialog: dialog.New(d.host, x), owner: d, at: t.Place().Clone(), where: strings.Clone(where)}
}

// openBox puts a dialog on top.
func (d *Decisions) openBox(x decider) {
	d.boxes = append(d.boxes, x)
	d.host.Open(x)
}

func (d *Decisions) isOpen(x decider) bool { return slices.Contains(d.boxes, x) }

func (b *box) common() *box { return b }

// Target returns the gate or build that the dialog is about; ok is false if it is gone.
func (b *box) Target() (Target, bool) { return b.owner.targetAt(b.at) }

// missReply notes that the reply to a decision is missing.
func (b *box) missReply() {
	b.notice = notice{text: capitalize(b.sent.Why()) + ".", next: "y asks again: a decision is applied once. In a shell:"}
}

// guardNew guards the keys of a dialog that came by itself, as soon as it shows something.
func (b *box) guardNew() {
	if b.slid {
		b.slid = false
		b.Change()
	}
}

// sendingChoices are the choices while the outcome is awaited; doing says so.
func (b *box) sendingChoices(button, doing string) []dialog.Choice {
	return []dialog.Choice{{Words: button}, {Row: "quit", Do: b.owner.Quit}, {Rest: true, Do: func() tea.Cmd { return b.owner.tell(doing) }}}
}

// choices are the possible answers of a dialog, the most likely first.
type choices []dialog.Choice

func (c *choices) add(all ...dialog.Choice) { *c = append(*c, all...) }

func (c *choices) addIf(when bool, all ...dialog.Choice) {
	if when {
		c.add(all...)
	}
}

// page is a page about a decision.
type page struct{ *draw.Page }

// addNotice adds the notice of a dialog above everything else.
func (p page) addNotice(b *box) {
	th, n := p.Look.Theme, b.notice
	if b.away != "" {
		p.Item(th.Wait, p.Look.Glyphs.Problem, th.Wait, b.away)
		p.Gap()
	}
	if n.text != "" {
		st, sign := th.Wait, p.Look.Glyphs.Problem
		if n.calm {
			st, sign = th.Dim, p.Look.Glyphs.Dot
		}
		p.Item(st, sign, st, n.text)
		p.Below("", n.next)
	}
	if b.sent != nil {
		p.Below("", b.sent.Command())
	}
}

// waitedFor says how long something has waited.
func waitedFor(age string) string {
	if age == "now" {
		return "began to wait just now"
	}
	return "waits for " + age
}

// wanted is what a text is typed for.
type wanted struct {
	label, remark, button string
	rows                  int // of its field, 0 for a third of the space
	commits               bool
	least                 int    // characters that it needs
	lacks                 string // says that something has to be typed; "" counts the missing characters
	done                  func(text string) tea.Cmd
}

// missing returns how many characters the text still needs.
func (b *box) missing() int { return max(b.typed.least-utf8.RuneCountInString(b.text.Value()), 0) }

// Field implements [dialog.Subject].
func (b *box) Field() *dialog.Field {
	if b.stage != typing {
		return nil
	}
	f := &dialog.Field{Editor: &b.text, Label: b.typed.label, Rows: b.typed.rows, Remark: draw.OrElse(b.typed.remark, draw.If(b.text.Many, "ctrl+j begins a line"))}
	if n := b.missing(); n > 0 && b.typed.lacks == "" {
		f.Remark = draw.Counted(n, "more character")
	}
	if b.text.Full {
		f.Remark = "the rest was left out: at most " + strconv.Itoa(input.TextLimit) + " characters"
	}
	return f
}

// takeText takes in the typed text.
func (b *box) takeText() tea.Cmd {
	if n := b.missing(); n > 0 {
		return b.owner.refuse(draw.OrElse(b.typed.lacks, draw.Counted(n, "more character")+"; esc leaves"))
	}
	b.stage = asking
	return b.typed.done(b.text.Value())
}

// capitalize returns a sentence with a capital letter.
func capitalize(s string) string {
	for i, r := range s {
		return string(unicode.ToUpper(r)) + s[i+len(string(r)):]
	}
	return s
}

// fillName puts a name into a sentence of a verb.
func fillName(sentence, name string) string { return strings.Replace(sentence, "%", name, 1) }

// Result is a message: the reply to a request, and how it is taken in.
type Result struct{ Take func() tea.Cmd }

// Request returns the command that sends a request outside the loop and takes in the reply.
func Request[T any](ask func() (T, error), take func(T, error) tea.Cmd) tea.Cmd {
	return func() tea.Msg {
		reply, err := ask()
		return Result{func() tea.Cmd { return take(reply, err) }}
	}
}
