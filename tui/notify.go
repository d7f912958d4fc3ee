package tui

// Notifying a user who looks elsewhere of new waits, once each. The window's title shows them all the time.
//
//	snapshot ─► notices ─ Notifier.Tell ─► those not announced yet ─┬─► bell, OSC 9
//	                                                                 └─ Notifier.Run ─► the user's own command

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"

	tea "charm.land/bubbletea/v2"
	"github.com/charmbracelet/x/ansi"

	"gatehouse/model"
	"gatehouse/model/line"
	"gatehouse/tui/decide"
	"gatehouse/tui/draw"
	"gatehouse/tui/index"
)

// Notify is a way to notify the user.
type Notify string

// The ways to notify. The window's title always counts the waits.
const (
	NotifyBell Notify = "bell" // the terminal's bell; most terminals mark the tab
	NotifyOSC9 Notify = "osc9" // a desktop notification by OSC 9, and the bell
	NotifyOff  Notify = "off"
)

// NotifyWays returns the ways to notify.
func NotifyWays() []string {
	return []string{string(NotifyBell), string(NotifyOSC9), string(NotifyOff)}
}

// ParseNotify returns the way with a name, or an error that lists the names.
func ParseNotify(name string) (Notify, error) {
	if slices.Contains(NotifyWays(), name) {
		return Notify(name), nil
	}
	return "", fmt.Errorf("no way to notify %q: choose bell, osc9 or off", name)
}

const (
	// noteLimit is the longest notification, in bytes.
	noteLimit = 200
	// mostNotices is the limit of notices at one time. The last one counts the rest.
	mostNotices = 5
)

// newNotices returns the notices for overwritten decisions and new waits. The gate of an overwritten decision gets no second notice.
func newNotices(ix *index.Index) (all []model.Notice) {
	lost := map[index.Place]bool{}
	for _, l := range ix.Losses {
		lost[l.Site.Place(l.Node)] = true
		all = append(all, model.Notice{
			Key: strings.Join([]string{"overwritten", l.Project, l.ID}, "\x00"), Kind: "overwritten", Text: l.Name + " was " + l.Verb.Words().Past + ", and is not any more",
			Project: l.Site.Where, Root: l.Project, ID: l.Node, Since: l.At,
		})
	}
	for _, w := range ix.Began {
		if !lost[w.At()] {
			all = append(all, noticeOf(w))
		}
	}
	if more := len(all) - mostNotices; more > 0 {
		all = all[:mostNotices]
		all[mostNotices-1].More = more
	}
	for i := range all {
		n := &all[i]
		for _, text := range []*string{&n.Text, &n.Project, &n.Root, &n.Place, &n.Agent, &n.ID} {
			*text = line.Clean(*text)
		}
	}
	return all
}

func noticeOf(w index.Waiting) model.Notice {
	n := model.Notice{Kind: "gate", Text: w.Text, Project: w.Site.Where, Root: w.Site.Project.Root, Place: w.Place, ID: w.Node, Since: w.Since}
	since := draw.If(!w.Since.IsZero(), w.Since.UTC().Format(time.RFC3339Nano))
	if entry := w.Site.Nodes[w.Node].Node; entry != nil && entry.Gate != nil && entry.Gate.Ask != nil {
		a := entry.Gate.Ask
		n.Kind, n.Agent, n.ID, n.Root = string(a.Kind), a.Agent, a.ID, a.Project
	}
	switch {
	case since == "": // it cannot be distinguished from an earlier wait
	case w.Evidence == model.Asked || w.IsTurn(): // also if it is shown in another pane
		n.Key = strings.Join([]string{w.Node, since}, "\x00")
	default:
		n.Key = strings.Join([]string{w.Site.Project.Root, w.Site.Build.ID, w.Node, w.Text, since}, "\x00")
	}
	return n
}

// notifyUser returns the command that notifies the user of new waits in an index, or nil. While the terminal has the focus they are
// only recorded as known.
func (d *dashboard) notifyUser(ix *index.Index) tea.Cmd {
	all := newNotices(ix)
	looking := d.focused != nil && *d.focused
	switch notifier, ctx := d.opts.Notifier, d.ctx; {
	case len(all) == 0 || looking && notifier == nil:
		return nil
	case notifier == nil:
		return d.callUser(all, 0)
	case looking:
		return func() tea.Msg {
			notifier.Tell(ctx, all)
			return nil
		}
	default:
		nested := 0
		tell := func() (fresh []model.Notice, err error) {
			fresh, nested, err = notifier.Tell(ctx, all)
			return fresh, err
		}
		return decide.Request(tell, func(fresh []model.Notice, err error) tea.Cmd { // those that no dashboard has announced yet
			if len(fresh) == 0 {
				return d.reportOnce(err)
			}
			run := func() (any, error) { return nil, notifier.Run(ctx, fresh) }
			return tea.Batch(d.callUser(fresh, nested), decide.Request(run, func(_ any, err error) tea.Cmd { return d.reportOnce(err) }), d.reportOnce(err))
		})
	}
}

// reportOnce shows an error of the notifier, but not the same one again.
func (d *dashboard) reportOnce(err error) tea.Cmd {
	if err == nil || d.ctx.Err() != nil || err.Error() == d.complained {
		return nil
	}
	d.complained = err.Error()
	return d.Say(draw.Foreign(err.Error()), false)
}

// callUser returns the command that makes the terminal notify the user, or nil.
func (d *dashboard) callUser(all []model.Notice, nested int) tea.Cmd {
	if d.opts.Notify == NotifyOff {
		return nil
	}
	out := ""
	if d.opts.Notify == NotifyOSC9 {
		for i := range all {
			note := "\x1b]9;" + noticeSentence(&all[i]) + "\x1b\\"
			for range nested { // each multiplexer removes one wrapping
				note = ansi.TmuxPassthrough(note)
			}
			out += note
		}
	}
	return tea.Raw(out + "\a")
}

// noticeSentence returns a notice as one line. It does not begin with a number, because OSC 9 with a number has other meanings.
func noticeSentence(n *model.Notice) string {
	what, text := "waits for you: ", draw.Join(draw.PartJoint, n.Project, n.Place, n.Text)
	switch n.Kind {
	case "overwritten":
		what = "overwritten: "
	case string(model.AskTurn):
		what = string(model.SessionTurn) + ": "
	}
	text = draw.Foreign(text)
	if n.More > 0 {
		text += " and " + strconv.Itoa(n.More) + " more"
	}
	if len(text) > noteLimit {
		text = line.Clean(text[:noteLimit])
	}
	return what + text
}
