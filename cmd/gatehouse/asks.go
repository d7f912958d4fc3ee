package main

// gatehouse asks: what live agents ask.

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
	"gatehouse/parse/disk/peek"
)

func newAsks(s *surroundings) *cobra.Command {
	var all, asJSON bool
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
		Args:              atMostOne("ask"),
		ValidArgsFunction: s.completeAsks,
		RunE: func(cmd *cobra.Command, args []string) error {
			switch {
			case dir != "" && fleet+strings.Join(args, "") != "":
				return usageError{errors.New("--dir: it selects asks of this machine; use it without an ID and --fleet")}
			case fleet != "":
				return s.printFleetAsks(cmd.Context(), fleet, args, all, asJSON)
			case len(args) == 1:
				item, err := s.askOf(args[0])
				if err != nil {
					return err
				}
				return s.printAsks([]shownAsk{shownItem(item)}, true, asJSON, nil)
			}
			asks, err := s.localAsks(all) // print what could be read, whatever the error
			if dir != "" {
				abs, err := workingDir(dir)
				if err != nil {
					return err
				}
				root := s.projectOf(abs)
				asks = slices.DeleteFunc(asks, func(a shownAsk) bool { return !isBelow(a.Project, root) && !isBelow(a.Dir, root) })
			}
			return s.printAsks(asks, false, asJSON, err)
		},
	}
	cmd.Flags().BoolVar(&all, "all", false, "also print those that ended in the last day")
	cmd.Flags().StringVar(&dir, "dir", "", "only asks of the project in this `directory`, or of those below it")
	complete(cmd, "dir", completeDirs)
	cmd.Flags().BoolVar(&asJSON, "json", false, "print them as JSON")
	s.fleetFlag(cmd, &fleet)
	cmd.Flags().Lookup("fleet").Usage = "asks on the machines of this `fleet`; gatehouse fleet list names them"
	return cmd
}

// localAsks returns the asks of this machine, those in a client's own prompt among them, and with all those that ended in the last day. It
// may return some beside an error.
func (s *surroundings) localAsks(all bool) (asks []shownAsk, err error) {
	s.store().Sweep()
	snapshot := s.currentAgents()
	for i := range snapshot.Asks {
		item := &snapshot.Asks[i]
		if !all && item.State != ask.Waiting {
			continue
		}
		shown := shownItem(item)
		if x := snapshot.Find(item.Agent, item.Session); x != nil && item.Kind == ask.Turn {
			shown.Door = x.Door
		}
		asks = append(asks, shown)
	}
	for _, a := range snapshot.OwnPrompts() {
		asks = append(asks, shownAsk{Ask: a})
	}
	return asks, snapshot.Err
}

// isBelow reports whether dir is root or below it.
func isBelow(dir, root string) bool { return dir == root || peek.Inside(dir, root) }

// printAsks prints asks, whole or in short, and returns the error of reading them.
func (s *surroundings) printAsks(asks []shownAsk, whole, asJSON bool, err error) error {
	slices.SortStableFunc(asks, func(a, b shownAsk) int { return model.CompareAsks(a.Ask, b.Ask) })
	if asJSON {
		doc := asksJSON{statusSchema, []askJSON{}}
		for _, a := range asks {
			doc.Asks = append(doc.Asks, a.toJSON())
		}
		return errors.Join(s.out.json(doc), err)
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

// printWhole prints the long text of an ask.
func (s *surroundings) printWhole(a *model.Ask) {
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

// printBody prints a text of an agent line by line, marked so that no line passes for one of Gatehouse's.
func (s *surroundings) printBody(text string) {
	const rail = "│ "
	for l := range strings.SplitSeq(strings.TrimSuffix(text, "\n"), "\n") {
		l = line.ForeignBody(l)
		if s.out.width >= leastFold { // fold here and not at words: every blank counts
			l = ansi.Hardwrap(l, s.out.width-line.Width(rail), true)
		}
		for row := range strings.SplitSeq(l, "\n") {
			s.out.printf("%s%s\n", exact(rail), exact(row))
		}
	}
}
