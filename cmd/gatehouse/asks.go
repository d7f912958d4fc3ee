package main

// gatehouse ask, asks and answer: what live agents ask, here and on other machines.

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"os"
	"os/signal"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"syscall"
	"time"

	"github.com/charmbracelet/x/ansi"
	"github.com/spf13/cobra"

	"gatehouse/cmd/gatehouse/remote"
	"gatehouse/model"
	"gatehouse/model/line"
	"gatehouse/parse"
	"gatehouse/parse/agents"
	"gatehouse/parse/agents/ask"
	"gatehouse/parse/agents/pane"
	"gatehouse/parse/disk/process"
	"gatehouse/parse/text/shell"
)

// askFlags are the flags of ask.
type askFlags struct {
	options []string
	multi   bool
	own     bool // free text is an answer even without options
	noOwn   bool // only options are answers
	detach  bool
	id      string
	timeout time.Duration
	dir     string
	quiet   bool
}

// answerJSON is the document of "gatehouse ask --json".
type answerJSON struct {
	Schema int       `json:"schema"`
	ID     string    `json:"id"` // of the ask
	State  ask.State `json:"state"`
	End    *endJSON  `json:"end,omitempty"`
}

func newAskCommand(s *env) *cobra.Command {
	var f askFlags
	cmd := &cobra.Command{
		Use:   "ask QUESTION",
		Short: "Ask a human and wait for the answer",
		Long: `Ask a human and wait for the answer. Print the option that was picked or the human's
own words; --no-text allows only the options. Without options the question is one of yes
or no. The exit code is the answer:

` + exitList("gatehouse ask") + `
If your shell stops commands after some minutes, use --detach: it prints an ID at once.
Wait for the answer with --id ID, more than once if need be. With --timeout 0 that only
checks, and exits 124 if there is no answer yet.`,
		Example: "  gatehouse ask 'Which layout?' --option Grid --option List\n  gatehouse ask 'Deploy now?' --timeout 30m && deploy\n  id=$(gatehouse ask 'Which name?' --text --detach); gatehouse ask --id \"$id\"",
		RunE: func(cmd *cobra.Command, args []string) error {
			timed := cmd.Flags().Changed("timeout")
			if wrong := f.usageProblem(args, timed); wrong != "" {
				return usageError{errors.New(wrong)}
			}
			// If the reader is gone, the store must record that the answer was not delivered before this process ends.
			signal.Ignore(syscall.SIGPIPE)
			if f.id != "" {
				return f.awaitEarlier(cmd.Context(), s, timed)
			}
			a, err := f.newAsk(s, args[0])
			if err != nil {
				return err
			}
			return f.askAndWait(cmd.Context(), s, a)
		},
	}
	fl := cmd.Flags()
	fl.StringArrayVarP(&f.options, "option", "o", nil, "offer an answer, as `label`; repeat it for each")
	fl.BoolVar(&f.multi, "multi", false, "several options may be picked")
	fl.BoolVar(&f.own, "text", false, "ask for own words, even without options")
	fl.BoolVar(&f.noOwn, "no-text", false, "allow only the options, no own words")
	fl.BoolVar(&f.detach, "detach", false, "print an ID and do not wait; --id fetches the answer")
	fl.StringVar(&f.id, "id", "", "wait for the answer to an earlier question, by its `ID`")
	fl.DurationVar(&f.timeout, "timeout", 0, "give up after this `time`, like 90s or 30m; by default never")
	fl.StringVar(&f.dir, "dir", ".", "the question is about the project in this `directory`")
	fl.BoolVarP(&f.quiet, "quiet", "q", false, "do not print what is asked")
	s.jsonFlag(cmd, "print the answer as JSON")
	completeFlag(cmd, "id", s.completeAsks)
	return cmd
}

// usageProblem returns the problem of the command line, "" for none.
func (f *askFlags) usageProblem(args []string, timed bool) string {
	switch {
	case f.id != "" && (len(args) > 0 || f.detach):
		return "--id: the question was asked already; leave out the question and --detach"
	case f.id == "" && (len(args) == 0 || strings.TrimSpace(args[0]) == ""):
		return "the question is missing; gatehouse ask 'Which layout?' --option Grid --option List"
	case len(args) > 1:
		return fmt.Sprintf("%q: one question at a time; put it in quotes", args[1])
	case f.timeout < 0, timed && f.timeout == 0 && f.id == "":
		return "--timeout: write a time like 90s or 30m; to fetch the answer later use --detach"
	}
	return ""
}

// newAsk returns the question that the flags describe.
func (f *askFlags) newAsk(s *env, question string) (ask.Ask, error) {
	dir, err := workingDir(f.dir)
	if err != nil {
		return ask.Ask{}, err
	}
	q := ask.Queried{Text: question, Multi: f.multi, Own: !f.noOwn}
	a := ask.Ask{Ask: model.Ask{Kind: ask.Question, Text: question, Dir: dir, Project: s.projectOf(dir), Agent: "script"}, Kept: f.detach, Window: s.ownPane()}
	if by := s.recognizeCaller(); by.IsAgent() {
		a.Agent, a.Session, a.Marks, a.Owner = by.Client, by.Session, by.Marks, by.Process
	}
	if f.timeout > 0 {
		a.Until = s.now().Add(f.timeout)
	}
	if f.own && f.noOwn || f.multi && len(f.options) == 0 {
		return a, usageError{errors.New("--text and --no-text exclude each other, and --multi needs --option")}
	}
	labels := f.options
	if len(labels) == 0 && !f.own {
		labels = []string{model.OptionYes, model.OptionNo}
	}
	for i, label := range labels {
		if strings.TrimSpace(label) == "" || slices.Contains(labels[:i], label) {
			return a, usageError{fmt.Errorf("--option %q: it is empty or given twice", label)}
		}
		q.Options = append(q.Options, ask.Option{Label: label})
	}
	a.Questions = []ask.Queried{q}
	return a, nil
}

// askAndWait asks, and waits unless the question is detached.
func (f *askFlags) askAndWait(ctx context.Context, s *env, a ask.Ask) error {
	asked, err := s.openAsks().Ask(a)
	if err != nil {
		return err
	}
	defer asked.Close()
	if f.detach {
		if s.asJSON {
			return s.out.printJSON(answerJSON{Schema: remote.Schema, ID: asked.Ask.ID, State: ask.Waiting})
		}
		s.out.printf("%s\n", asked.Ask.ID)
		return nil
	}
	if !f.quiet {
		deadline := ""
		if f.timeout > 0 {
			deadline = fmt.Sprintf(" (%s left, then it expires)", f.timeout)
		}
		s.complain("asked %s: %s%s; answer it with: gatehouse answer %s", asked.Ask.ID, asked.Ask.Text, deadline, asked.Ask.ID)
	}
	return s.untilSignal(ctx, func(ctx context.Context) error {
		end, err := asked.Await(ctx, f.ownerGone(s, &asked.Ask))
		if err != nil || end.State == ask.Withdrawn && ctx.Err() != nil { // on a signal, the exit code names it
			return err
		}
		return f.reportEnd(s, &asked.Ask, end)
	})
}

// ownerGone returns a function that describes why the asking agent is gone, "" while it runs: its shell may outlive it.
func (f *askFlags) ownerGone(s *env, a *ask.Ask) func() string {
	return func() string {
		if a.Owner != (process.ID{}) && process.LifeOf(s.processes, a.Owner) == process.Gone {
			return a.Agent + " is gone"
		}
		return ""
	}
}

// awaitEarlier waits for the answer to an earlier question.
func (f *askFlags) awaitEarlier(ctx context.Context, s *env, timed bool) error {
	item, err := s.askOf(f.id)
	switch {
	case err != nil:
		return err
	case item.Kind == model.AskTurn:
		return usageError{fmt.Errorf("%s: a finished turn asks nothing; gatehouse asks %s prints it", item.ID, item.ID)}
	case item.State != ask.Waiting:
		return f.reportEnd(s, &item.Ask, item.End)
	case timed && f.timeout == 0:
		return f.reportEnd(s, &item.Ask, nil)
	}
	return s.runWithin(ctx, f.timeout, func(ctx context.Context) error {
		end, err := s.openAsks().AwaitKept(ctx, &item.Ask)
		if errors.Is(err, errTimeout) {
			end, err = nil, nil
		}
		if err != nil {
			return err
		}
		return f.reportEnd(s, &item.Ask, end)
	})
}

// reportEnd prints how an ask has ended and returns its exit code. A nil end means that it still waits.
func (f *askFlags) reportEnd(s *env, a *ask.Ask, end *ask.End) error {
	state, text, code := ask.Waiting, string(ask.Waiting), verdictCode(exitTimeout)
	if end != nil {
		state, text = end.State, ""
	}
	switch state {
	case ask.Withdrawn:
		text, code = end.Reason, exitOver
	case ask.Expired:
		s.complain("%s: not answered in time", a.ID)
	case ask.Answered:
		text, code = strings.Join(a.Said(end.Answer), "\n"), exitChanges
		if r := end.Answer.Replies; end.Answer.Allow && (!model.IsYesNo(a.Questions) || len(r) == 1 && slices.Equal(r[0].Picks, []int{0})) {
			code = exitDone
		}
	}
	if s.openAsks().IsUnrecorded(&ask.Item{Ask: *a, End: end}) {
		s.complain("≠ %s: answered, not by you: no journal has the answer", a.ID)
	}
	var err error
	if s.asJSON {
		err = s.out.printJSON(answerJSON{remote.Schema, a.ID, state, endToJSON(a.Kind, a.Questions, end)})
	} else if text != "" {
		err = s.printText(text)
	}
	err = cmp.Or(err, s.out.Flush())
	if err == nil && state == ask.Answered && (f.id == "" || a.Kept) { // otherwise the asker still waits for the answer
		err = s.openAsks().Delivered(a.ID)
	}
	return cmp.Or(err, codeError(code))
}

// completeAsks completes the IDs of open asks.
func (s *env) completeAsks(_ *cobra.Command, args []string, _ string) ([]string, cobra.ShellCompDirective) {
	var ids []string
	if items, err := s.openAsks().List(false); err == nil && len(args) == 0 {
		for _, item := range items {
			ids = append(ids, cobra.CompletionWithDesc(item.ID, item.Text))
		}
	}
	return ids, cobra.ShellCompDirectiveNoFileComp
}

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
		asks = append(asks, askToJSON(a, nil))
	}
	return asks, snapshot.Err
}

// localAsk returns an ask of this machine.
func (s *env) localAsk(snapshot *agents.Snapshot, item *ask.Item) askJSON {
	a := snapshot.Ask(item)
	a.Unattributed = s.openAsks().IsUnrecorded(item)
	j := askToJSON(a, item.End)
	j.IfSeen = item.Seen()
	return j
}

// askToJSON returns an ask of this machine. The end is nil if the ask waits or is on another machine.
func askToJSON(a *model.Ask, end *ask.End) askJSON {
	j := askJSON{Ask: a, End: endToJSON(a.Kind, a.Questions, end)}
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
		return errors.Join(s.out.printJSON(asksJSON{remote.Schema, nonNil(asks)}), err)
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
	s.out.printf("%s  %s  %s (%s, %s, %s)\n", a.ID, a.Kind, a.Text, who, s.shortPath(a.Project), model.Age(s.now().Sub(a.Since)))
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

// answeredJSON is the document of "gatehouse answer --json".
type answeredJSON struct {
	Schema int     `json:"schema"`
	Result string  `json:"result"` // done, or already with --if-seen
	Ask    askJSON `json:"ask"`    // as it has ended
}

// answerFlags are the flags of answer.
type answerFlags struct {
	picks  []string
	texts  []string
	allow  bool
	deny   string
	ifSeen string // the hash that was seen, "" without one
	remote string // the remote with the ask, "" for this machine
}

func newAnswer(s *env) *cobra.Command {
	var f answerFlags
	cmd := &cobra.Command{
		Use:   "answer ID",
		Short: "Answer what a live agent asks",
		Long: `Answer what a live agent asks, by the ID that gatehouse asks prints, or its beginning.
Answer a question with a label or in your own words. Allow or deny a plan or a call, and
say what to change. You can deny anything.

If there are several questions, answer each: --pick 2=LABEL is for the second one.

The first answer wins; a later one is refused and names who was first. Agents are
refused; automation says --as-agent NAME, and the journal names it.`,
		Example:           "  gatehouse answer k7f3q2ma --pick List\n  gatehouse answer k7f3 --pick Search --pick Sort\n  gatehouse answer k7f3 --deny 'Use a list, not a grid.'",
		Args:              oneAsk,
		ValidArgsFunction: s.completeAsks,
		RunE: func(cmd *cobra.Command, args []string) error {
			for i := range f.texts {
				if err := s.readWords(&f.texts[i]); err != nil {
					return err
				}
			}
			denied := cmd.Flags().Changed("deny")
			if denied && f.deny == "" && len(f.texts) == 1 { // the text is the reason for --deny
				f.deny, f.texts = f.texts[0], nil
			}
			if picked := len(f.picks)+len(f.texts) > 0; (picked != f.allow) == denied || picked && f.allow { // exactly one of --allow, --deny and replies
				return usageError{errors.New("use one of --pick or --text, --allow, --deny")}
			}
			if f.remote != "" && f.ifSeen != "" {
				return usageError{errors.New("--if-seen: it is for asks of this machine; leave out --remote")}
			}
			if f.remote != "" {
				return f.answerRemotely(cmd.Context(), s, args[0], denied)
			}
			item, err := s.askOf(args[0])
			if err != nil {
				return err
			}
			answer, err := f.answerTo(s.currentAgents().Ask(item), denied)
			if err != nil {
				return err
			}
			return f.answerAsk(s, item, answer)
		},
	}
	fl := cmd.Flags()
	fl.StringArrayVar(&f.picks, "pick", nil, "pick an option by its `label`; 2=LABEL is for the second question")
	fl.StringArrayVarP(&f.texts, "text", "m", nil, "answer in your own `words`, or with --deny '' say why; 2=WORDS is for the second question; - reads standard input")
	fl.BoolVar(&f.allow, "allow", false, "allow the call, approve the plan, or say Yes")
	fl.StringVar(&f.deny, "deny", "", "deny it, and say why or what to change; \"\" for no `text`")
	s.decidingFlags(cmd)
	yesFlag(cmd, new(bool))
	s.remoteFlag(cmd, &f.remote, "answer an ask of another machine; with `=NAME` of this remote")
	fl.StringVar(&f.ifSeen, "if-seen", "", "answer only if the if_seen of asks --json is still this `hash`; repeating it is harmless")
	s.jsonFlag(cmd, "print what was answered as JSON")
	completeFlag(cmd, "pick", cobra.NoFileCompletions)
	return cmd
}

// answerTo returns the answer of the flags to an ask. It has no replies if the ask has ended: the store says how.
func (f *answerFlags) answerTo(a *model.Ask, denied bool) (answer ask.Answer, err error) {
	if err := unanswerableReason(a); err != nil {
		return answer, fmt.Errorf("%s: %w", a.ID, err)
	}
	answer = ask.Answer{Allow: !denied, Text: f.deny}
	if denied || a.State != model.AskWaiting && f.ifSeen == "" {
		return answer, nil
	}
	if f.allow {
		if model.IsYesNo(a.Questions) {
			answer.Replies = []ask.Reply{{Picks: []int{0}}}
		}
	} else if answer.Replies, err = f.parseReplies(a.Kind, a.Questions); err != nil {
		return answer, usageError{fmt.Errorf("%s: %w", a.ID, err)}
	}
	return answer, nil
}

// parseReplies returns the replies of --pick and --text to questions.
func (f *answerFlags) parseReplies(kind ask.Kind, questions []model.Question) ([]ask.Reply, error) {
	if kind != ask.Question {
		return nil, fmt.Errorf("a %s has no options; use --allow or --deny", kind)
	}
	replies := make([]ask.Reply, len(questions))
	for _, pick := range f.picks {
		q, label, err := splitQuestion(questions, pick)
		if err != nil {
			return nil, err
		}
		i, err := ask.OptionOf(&questions[q], label)
		if err != nil {
			return nil, err
		}
		replies[q].Picks = append(replies[q].Picks, i)
	}
	for _, text := range f.texts {
		q, words, err := splitQuestion(questions, text)
		if err != nil {
			return nil, err
		}
		if replies[q].Text != "" {
			return nil, errors.New("--text: use it once for each question")
		}
		replies[q].Text = words
	}
	return replies, (&ask.Ask{Ask: model.Ask{Kind: kind, Questions: questions}}).Fits(&ask.Answer{Allow: true, Replies: replies})
}

// splitQuestion returns the index of the question that a flag is for, and the flag without "2=". A label may begin like that, too.
func splitQuestion(questions []model.Question, word string) (question int, rest string, err error) {
	number, rest, ok := strings.Cut(word, "=")
	n, bad := strconv.Atoi(number)
	if !ok || bad != nil || len(questions) == 1 && n != 1 {
		return 0, word, nil
	}
	if _, err := ask.OptionOf(&questions[0], word); err == nil {
		return 0, word, nil
	}
	if n < 1 || n > len(questions) {
		return 0, "", fmt.Errorf("%q: there are %d questions", word, len(questions))
	}
	return n - 1, rest, nil
}

// answerAsk answers an ask of this machine.
func (f *answerFlags) answerAsk(s *env, item *ask.Item, answer ask.Answer) error {
	var store *ask.Store
	err := s.checkAnswerer(item)
	if err == nil && f.ifSeen != "" && f.ifSeen != item.Seen() {
		err = errors.New("something else is asked than was seen; look again: gatehouse asks " + item.ID)
	}
	if err == nil {
		store, err = s.decidingStore()
	}
	if err != nil {
		return fmt.Errorf("%s: %w", item.ID, err)
	}
	done, err := store.Answer(item.ID, answer, ask.ByCommand)
	result := remote.ResultDone
	var taken *ask.Taken
	switch {
	case f.ifSeen != "" && errors.As(err, &taken) && taken.End.Is(answer, store.User):
		result = remote.ResultAlready
	case errors.As(err, new(ask.Misfit)):
		return usageError{fmt.Errorf("%s: %w", item.ID, err)}
	case err != nil:
		return fmt.Errorf("%s: %w", item.ID, err)
	}
	return s.printAnswered(result, askToJSON(agents.Ask(done), done.End), done.End.Answer)
}

// printAnswered prints an answered ask.
func (s *env) printAnswered(result string, done askJSON, answer *ask.Answer) error {
	said := strings.Join((&ask.Ask{Ask: model.Ask{Questions: done.Questions}}).Said(answer), ", ")
	switch {
	case s.asJSON:
		return s.out.printJSON(answeredJSON{remote.Schema, result, done})
	case result == remote.ResultAlready:
		s.out.printf("%s: answered already; nothing was written\n", done.ID)
	case said == "":
		s.out.printf("%s %s: %s\n", wordOf(done.Kind, answer), done.ID, done.Text)
	default:
		s.out.printf("%s %s: %s%s\n", wordOf(done.Kind, answer), done.ID, done.Text, exact(" → "+line.Foreign(said)))
	}
	return nil
}

// asksOn returns the asks on the machines of a remote, with all including ended ones.
func asksOn(snap *model.Snapshot, all bool) (asks []*model.Ask) {
	for _, p := range snap.Projects {
		for _, b := range p.Builds {
			for _, a := range b.Asks() {
				if all || a.State == model.AskWaiting || a.State == model.AskElsewhere {
					asks = append(asks, a)
				}
			}
		}
	}
	return asks
}

// printRemoteAsks prints the asks on the machines of a remote, or the one ask with an ID.
func (s *env) printRemoteAsks(ctx context.Context, name string, args []string, all bool) error {
	return s.seeRemote(ctx, name, func(ctx context.Context, f *remote.View, snap *model.Snapshot) error {
		trouble, asks := s.remoteTrouble(snap.Watch), asksOn(snap, all || len(args) > 0)
		if len(args) > 0 {
			one, err := findRemoteAsk(ctx, f, asks, args[0])
			if err != nil {
				return cmp.Or(trouble, err)
			}
			asks = []*model.Ask{one}
		}
		shown := []askJSON{}
		for _, a := range asks {
			j := askToJSON(a, nil)
			if i := slices.IndexFunc(snap.Hosts, func(h *model.Host) bool { return strings.HasPrefix(a.ID, h.Name+":") }); i >= 0 {
				j.Host = snap.Hosts[i]
			}
			shown = append(shown, j)
		}
		return s.printAsks(shown, len(args) > 0, trouble)
	})
}

// findRemoteAsk returns the complete ask that a word selects, by its ID with or without its host, or the beginning of one: one that waits,
// or by its complete ID one that has ended.
func findRemoteAsk(ctx context.Context, f *remote.View, asks []*model.Ask, word string) (*model.Ask, error) {
	found := slices.DeleteFunc(slices.Clone(asks), func(a *model.Ask) bool {
		_, there, _ := strings.Cut(a.ID, ":")
		return !strings.HasPrefix(a.ID, word) && !strings.HasPrefix(there, word)
	})
	why := ask.ErrSeveral
	switch len(found) {
	case 1:
		return f.Ask(ctx, found[0].ID)
	case 0:
		if ended, err := f.Ask(ctx, word); err == nil {
			return ended, nil
		}
		why = ask.ErrNone
	}
	return nil, usageError{fmt.Errorf("%q: %w; gatehouse asks --remote lists them", word, why)}
}

// answerRemotely answers an ask on a machine of a remote.
func (f *answerFlags) answerRemotely(ctx context.Context, s *env, id string, denied bool) error {
	return s.seeRemote(ctx, f.remote, func(ctx context.Context, view *remote.View, snap *model.Snapshot) error {
		trouble := s.remoteTrouble(snap.Watch)
		a, err := findRemoteAsk(ctx, view, asksOn(snap, true), id)
		switch {
		case err != nil:
			return cmp.Or(trouble, err)
		case a.Fate != "":
			return fmt.Errorf("%s: %s", a.ID, a.Fate)
		}
		answer, err := f.answerTo(a, denied)
		if err != nil {
			return err
		}
		if _, err := s.recognizeDecider(model.HowCommand); err != nil {
			return fmt.Errorf("%s: %w", a.ID, err)
		}
		done, err := foreignAnswerer{view, s}.Answer(ctx, a.ID, answer)
		if err != nil {
			return fmt.Errorf("%s: %w", a.ID, err)
		}
		return s.printAnswered(remote.ResultDone, askToJSON(done, nil), &answer)
	})
}

// foreignAnswerer answers agents on the machines of a remote, except the agent that runs this process: if this machine is a host of the remote
// itself, another process answers there, and can't recognize that agent.
type foreignAnswerer struct {
	model.Answerer
	s *env
}

// Answer implements [model.Answerer].
func (n foreignAnswerer) Answer(ctx context.Context, id string, answer model.Answer) (*model.Ask, error) {
	there := id[strings.LastIndexByte(id, ':')+1:]
	if item, err := n.s.openAsks().Get(there); err == nil && item.ID == there {
		if err := n.s.newAnswerer(n.s.openAsks()).Refuses(&item.Ask); err != nil {
			return nil, err
		}
	}
	if strings.Contains(id, ":") {
		if err := n.s.checkSignable("", there); err != nil {
			return nil, err
		}
	}
	return n.Answerer.Answer(ctx, id, answer)
}
