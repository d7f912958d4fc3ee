package main

// gatehouse asks: list the asks of live agents.

import (
	"cmp"
	"errors"
	"slices"
	"strings"

	"github.com/charmbracelet/x/ansi"
	"github.com/spf13/cobra"

	"gatehouse/model"
	"gatehouse/model/line"
	"gatehouse/parse/agents/ask"
)

func newAsks(s *env) *cobra.Command {
	var all bool
	var dir, fleet string
	cmd := &cobra.Command{
		Use:   "asks [ID]",
		Short: "List what live agents ask",
		Long: `List what live agents ask: questions, plans and permissions with the ID that gatehouse
answer takes, then finished turns. The nearest deadline comes first, then the newest.
With an ID print that one in full: the plan, the call, the agent's last words.

With --json: {"schema", "asks": [...]}, see docs/schema/asks.json. The "state" is waiting,
elsewhere (only the client's own prompt answers it), answered, withdrawn or expired. The
"plan", the "message" of a turn and the "input" of a call are printed with an ID.`,
		Example:           "  gatehouse asks\n  gatehouse asks --dir ~/src\n  gatehouse asks k7f3",
		Args:              atMostOneArg("ask"),
		ValidArgsFunction: s.completeAsks,
		RunE: func(cmd *cobra.Command, args []string) error {
			switch {
			case dir != "" && fleet+strings.Join(args, "") != "":
				return usageError{errors.New("--dir: it selects asks of this machine; use it without an ID and --remote")}
			case fleet != "":
				return s.printRemoteAsks(cmd.Context(), fleet, args, all)
			case len(args) == 1:
				item, err := s.askOf(args[0])
				if err != nil {
					return err
				}
				a := s.currentAgents().Ask(item)
				a.Unattributed = s.openAsks().Unrecorded(*item)[item.ID]
				j := askToJSON(a, item.End, nil)
				j.IfSeen = item.Seen()
				return s.printAsks([]askJSON{j}, true, nil)
			}
			asks, err := s.localAsks(all) // print what could be read, even with an error
			if dir != "" {
				abs, err := workingDir(dir)
				if err != nil {
					return err
				}
				inScope := s.scopeOf([]string{abs}).In(s.currentAgents())
				asks = slices.DeleteFunc(asks, func(a askJSON) bool { return !inScope(a.Project) })
			}
			return s.printAsks(asks, false, err)
		},
	}
	cmd.Flags().BoolVar(&all, "all", false, "also print those that ended in the last day")
	cmd.Flags().StringVar(&dir, "dir", "", "only asks of the project in this `directory`, or of those below it")
	completeFlag(cmd, "dir", completeDirs)
	s.jsonFlag(cmd, "print them as JSON")
	s.remoteFlag(cmd, &fleet, "list asks of other machines; with `=NAME` of this remote")
	return cmd
}

// localAsks returns the asks of this machine, including those in a client's own prompt, and with all those that ended in the last day. It
// may return asks and an error.
func (s *env) localAsks(all bool) (asks []askJSON, err error) {
	s.openAsks().Sweep()
	snapshot := s.currentAgents()
	unrecorded := map[string]bool{}
	if all {
		unrecorded = s.openAsks().Unrecorded(snapshot.Asks...)
	}
	for i := range snapshot.Asks {
		if item := &snapshot.Asks[i]; all || item.State == ask.Waiting {
			a := snapshot.Ask(item)
			a.Unattributed = unrecorded[item.ID]
			j := askToJSON(a, item.End, nil)
			j.IfSeen = item.Seen()
			asks = append(asks, j)
		}
	}
	for _, a := range snapshot.OwnPrompts() {
		asks = append(asks, askToJSON(a, nil, nil))
	}
	return asks, snapshot.Err
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
		if a.Unattributed {
			s.out.printf("    ≠ answered, not by you: no journal has the answer\n")
		}
		if whole {
			s.printWhole(a.Ask)
		}
	}
	return err
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
	if body != "" {
		s.out.printf("\n")
		s.printBody(body)
	}
}

// printBody prints an agent's text line by line, marked so that no line passes for one of Gatehouse's.
func (s *env) printBody(text string) {
	const rail = "│ "
	for l := range strings.SplitSeq(strings.TrimSuffix(text, "\n"), "\n") {
		l = line.ForeignBody(l)
		if s.out.width >= leastFold { // fold here and not at words, to keep every blank
			l = ansi.Hardwrap(l, s.out.width-line.Width(rail), true)
		}
		for row := range strings.SplitSeq(l, "\n") {
			s.out.printf("%s%s\n", exact(rail), exact(row))
		}
	}
}
