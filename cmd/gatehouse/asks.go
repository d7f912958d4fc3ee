package main

// gatehouse asks: list the asks of live agents. Also what all commands about live agents share: finding and printing an ask.

import (
	"cmp"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/charmbracelet/x/ansi"
	"github.com/spf13/cobra"

	"gatehouse/model"
	"gatehouse/model/line"
	"gatehouse/parse"
	"gatehouse/parse/agents"
	"gatehouse/parse/agents/ask"
	"gatehouse/parse/agents/pane"
	"gatehouse/parse/text/shell"
)

// asksJSON is the document of "gatehouse asks --json".
type asksJSON struct {
	Schema int       `json:"schema"`
	Asks   []askJSON `json:"asks"` // in the order of the list
}

// askJSON is an ask as commands print it.
type askJSON struct {
	*model.Ask
	IfSeen  string         `json:"if_seen,omitempty"` // what answer --if-seen takes, on this machine
	Options []model.Option `json:"options,omitempty"` // of the first question
	End     *endJSON       `json:"end,omitempty"`     // how it ended, on this machine
	Host    *model.Host    `json:"host,omitempty"`    // the machine of the agent, with --remote; absent for this one
}

// endJSON is how an ask has ended.
type endJSON struct {
	At     time.Time `json:"at"`               // when
	Who    string    `json:"who,omitempty"`    // login name of the human who answered
	By     string    `json:"by,omitempty"`     // through what: dashboard, command, or the prompt of the client
	Answer string    `json:"answer,omitempty"` // answered, allowed or denied
	Said   []string  `json:"said,omitempty"`   // labels and words
	Reason string    `json:"reason,omitempty"` // of one that was withdrawn
}

func newAsks(s *env) *cobra.Command {
	var all bool
	var fleet string
	cmd := &cobra.Command{
		Use:   "asks [ID]",
		Short: "List what live agents ask",
		Long: `List what live agents ask: questions, plans and permissions with the ID that gatehouse
answer takes, then finished turns. The nearest deadline comes first, then the newest.
With an ID print that one in full: the plan, the call, the agent's last words.`,
		Example:           "  gatehouse asks\n  gatehouse asks k7f3",
		Args:              atMostOneArg("ask"),
		ValidArgsFunction: s.completeAsks,
		RunE: func(cmd *cobra.Command, args []string) error {
			switch {
			case fleet != "":
				return s.printRemoteAsks(cmd.Context(), fleet, args, all)
			case len(args) == 1:
				item, err := s.askOf(args[0])
				if err != nil {
					return err
				}
				return s.printAsks([]askJSON{s.localAsk(s.currentAgents(), item)}, true, nil)
			}
			asks, err := s.localAsks(all) // print what could be read, even with an error
			return s.printAsks(asks, false, err)
		},
	}
	cmd.Flags().BoolVar(&all, "all", false, "also print those that ended in the last day")
	s.jsonFlag(cmd, "print them as JSON")
	s.remoteFlag(cmd, &fleet, "list asks of other machines; with `=NAME` of this remote")
	return cmd
}

// localAsks returns the asks of this machine, including those in a client's own prompt, and with all those that ended in the last day. It
// may return asks and an error.
func (s *env) localAsks(all bool) (asks []askJSON, err error) {
	s.openAsks().Sweep()
	snapshot := s.currentAgents()
	for i := range snapshot.Asks {
		if item := &snapshot.Asks[i]; all || item.State == ask.Waiting {
			asks = append(asks, s.localAsk(snapshot, item))
		}
	}
	for _, a := range snapshot.OwnPrompts() {
		asks = append(asks, askToJSON(a, nil, nil))
	}
	return asks, snapshot.Err
}

// localAsk returns an ask of this machine.
func (s *env) localAsk(snapshot *agents.Snapshot, item *ask.Item) askJSON {
	a := snapshot.Ask(item)
	a.Unattributed = s.openAsks().IsUnrecorded(item)
	j := askToJSON(a, item.End, nil)
	j.IfSeen = item.Seen()
	return j
}

// askToJSON returns an ask of host, nil for this machine. The end is nil if the ask waits or is on another machine.
func askToJSON(a *model.Ask, end *ask.End, host *model.Host) askJSON {
	j := askJSON{Ask: a, End: endToJSON(a.Kind, a.Questions, end), Host: host}
	if len(a.Questions) > 0 {
		j.Options = a.Questions[0].Options
	}
	return j
}

// endToJSON returns how an ask has ended, nil while it waits.
func endToJSON(kind ask.Kind, questions []model.Question, end *ask.End) *endJSON {
	if end == nil {
		return nil
	}
	j := &endJSON{At: end.At, Who: end.Who, By: end.By, Reason: end.Reason}
	if end.Answer != nil {
		j.Answer, j.Said = wordOf(kind, end.Answer), (&ask.Ask{Ask: model.Ask{Questions: questions}}).Said(end.Answer)
	}
	return j
}

// wordOf returns the word for an answer to an ask.
func wordOf(kind ask.Kind, answer *ask.Answer) string {
	switch {
	case !answer.Allow:
		return "denied"
	case kind == ask.Plan || kind == ask.Permission:
		return "allowed"
	}
	return "answered"
}

// printAsks prints asks, complete or short, and returns the error of reading them.
func (s *env) printAsks(asks []askJSON, whole bool, err error) error {
	slices.SortStableFunc(asks, func(a, b askJSON) int { return model.CompareAsks(a.Ask, b.Ask) })
	if s.asJSON {
		return errors.Join(s.out.printJSON(asksJSON{statusSchema, nonNil(asks)}), err)
	}
	if len(asks) == 0 && err == nil {
		s.out.printf("no agent asks anything\n")
	}
	for _, a := range asks {
		s.printAsk(a)
		if whole {
			s.printWhole(a.Ask)
		}
	}
	return err
}

// printAsk prints an ask in a few lines.
func (s *env) printAsk(a askJSON) {
	who := a.Agent
	if a.Subagent != "" {
		who += ", a subagent"
	}
	if a.Pane != "" {
		who += ", " + a.Pane
	}
	s.out.printf("%s  %s  %s (%s, %s, %s)\n", a.ID, a.Kind, a.Text, who, shortPath(a.Project, s.user.Home), model.Age(s.now().Sub(a.Since)))
	detail := func(format string, args ...any) { s.out.printf("    "+format+"\n", args...) }
	if left := a.Deadline(s.now()); left != "" {
		detail("%s", left)
	}
	for i, q := range a.Questions {
		if i > 0 {
			detail("%s", q.Text)
		}
		for n, o := range q.Options {
			detail("%d  %s", n+1, strings.TrimSuffix(o.Label+": "+o.Description, ": "))
		}
		if q.Multi {
			detail("   pick one or several")
		}
		if q.Own {
			detail("   or your own words: --text")
		}
	}
	if a.Call != nil {
		for _, d := range a.Call.Dangers {
			detail("! %s: %s", d.Part, d.Why)
		}
	}
	if err := unanswerableReason(a.Ask); err != nil && (a.State == model.AskWaiting || a.State == model.AskElsewhere) {
		detail("%s", err)
	}
	if a.Fate != "" {
		detail("%s", a.Fate)
	}
	if a.State == model.AskAnswered && !a.Delivered {
		detail("not delivered: the asker has not printed it")
	}
	if a.Host != nil && !a.Host.Live() {
		detail("(%s)", a.Host.Why)
	}
	if a.Unattributed {
		detail("≠ answered, not by you: no journal has the answer")
	}
}

// printWhole prints the long text of an ask.
func (s *env) printWhole(a *model.Ask) {
	body := a.Plan + a.Message // an ask has at most one of them
	if a.Call != nil {
		body = cmp.Or(a.Call.Diff, a.Call.Input)
		if a.Call.Reason != "" {
			s.out.printf("    %s\n", a.Call.Reason)
		}
	}
	if a.Kind == ask.Plan && body == "" {
		body = "The agent has written no plan."
	}
	if body == "" {
		return
	}
	s.out.printf("\n")
	const rail = "│ " // no line of the text passes for one of Gatehouse's
	for l := range strings.SplitSeq(strings.TrimSuffix(body, "\n"), "\n") {
		l = line.ForeignBody(l)
		if s.out.width >= leastFold { // fold here and not at words, to keep every blank
			l = ansi.Hardwrap(l, s.out.width-line.Width(rail), true)
		}
		for row := range strings.SplitSeq(l, "\n") {
			s.out.printf("%s%s\n", exact(rail), exact(row))
		}
	}
}

// unanswerableReason returns why gatehouse answer can't answer an ask, and the command that can; nil if it can.
func unanswerableReason(a *model.Ask) error {
	session := shell.Word(cmp.Or(a.Session, a.ID))
	switch {
	case a.State == model.AskElsewhere:
		return errors.New("waits in its own prompt; gatehouse jump " + session)
	case a.Kind == model.AskTurn && a.Door != nil && a.Door.Shut != "":
		return fmt.Errorf("a finished turn that takes no reply: %s; gatehouse jump %s", a.Door.Shut, session)
	case a.Kind == model.AskTurn:
		return errors.New("a finished turn; use gatehouse reply " + session + " TEXT")
	}
	return nil
}

// openAsks returns the store of asks.
func (s *env) openAsks() *ask.Store {
	return ask.Open(ask.Options{Dir: s.agents, Journal: s.user.Journal, User: s.user.Name, Table: s.processes, Now: s.now})
}

// askOf returns the ask with an ID, or with the only ID that begins with word.
func (s *env) askOf(word string) (*ask.Item, error) {
	item, err := s.openAsks().Get(word)
	if errors.Is(err, ask.ErrNone) || errors.Is(err, ask.ErrSeveral) {
		err = usageError{fmt.Errorf("%q: %w; gatehouse asks lists them", word, err)}
	}
	return item, err
}

// projectOf returns the root of the project that a directory belongs to; see [parse.ProjectRoot].
func (s *env) projectOf(dir string) string { return parse.ProjectRoot(dir, s.user) }

// ownPane returns the terminal pane of this process.
func (s *env) ownPane() pane.Pane {
	info, _ := s.processes.Look(s.processes.Self().PID)
	return pane.Of(s.getenv, info.Terminal)
}

// workingDir returns the absolute path of a directory, which must exist.
func workingDir(dir string) (string, error) {
	abs, err := filepath.Abs(dir)
	if err != nil {
		return "", err
	}
	if info, err := os.Stat(dir); err != nil || !info.IsDir() {
		return "", usageError{fmt.Errorf("%q: no such directory", dir)}
	}
	return abs, nil
}

// realPath returns a path without symbolic links, or the path itself if nothing is there.
func realPath(path string) string {
	if real, err := filepath.EvalSymlinks(path); err == nil {
		return real
	}
	return path
}
