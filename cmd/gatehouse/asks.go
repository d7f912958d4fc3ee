package main

// gatehouse asks: what live agents ask.

import (
	"errors"
	"strings"

	"github.com/charmbracelet/x/ansi"
	"github.com/spf13/cobra"

	"gatehouse/model"
	"gatehouse/model/line"
	"gatehouse/parse/agents/ask"
)

func newAsks(s *surroundings) *cobra.Command {
	var all, asJSON bool
	var fleet string
	cmd := &cobra.Command{
		Use:   "asks [ID]",
		Short: "Print what live agents ask",
		Long: `Print what live agents ask a human, of all projects, the newest first: questions,
plans and permissions, with the ID that gatehouse answer takes. With --all also what
has ended in the last day, and how. With an ID that one whole: the plan, the call.

With --json: {"schema", "asks": [{"id", "kind", "state", "text", "options", "questions",
"project", "dir", "session", "agent", "pane", "since", "until", "delivered", "end",
"host"}]};
kind is question, plan or permission, state waiting, answered, withdrawn or expired.
Only questions have options: those of the first question stand at the top, all in
questions. With an ID also "plan" or "call".`,
		Args: func(_ *cobra.Command, args []string) error {
			if len(args) > 1 {
				return usageError{errors.New("name one ask, or none for all")}
			}
			return nil
		},
		ValidArgsFunction: s.completeAsks,
		RunE: func(cmd *cobra.Command, args []string) error {
			if fleet != "" {
				return s.printFleetAsks(cmd.Context(), fleet, args, all, asJSON)
			}
			if len(args) == 1 {
				return s.printWhole(args[0], asJSON)
			}
			store := s.store()
			store.Sweep()
			items, err := store.List(all) // what could be read is worth printing whatever the error
			if asJSON {
				return errors.Join(s.printAsksJSON(items, nil), err)
			}
			if len(items) == 0 && err == nil {
				s.out.printf("nobody asks anything\n")
			}
			for i := range items {
				s.printAsk(&items[i])
			}
			return err
		},
	}
	cmd.Flags().BoolVar(&all, "all", false, "also print those that have ended")
	cmd.Flags().BoolVar(&asJSON, "json", false, "print them as JSON")
	s.fleetFlag(cmd, &fleet)
	cmd.Flags().Lookup("fleet").Usage = "what is asked on the machines of this `fleet`; gatehouse fleet list names them"
	return cmd
}

// printAsksJSON prints asks; hosts are those of the fleet that they may be on.
func (s *surroundings) printAsksJSON(items []ask.Item, hosts []*model.Host) error {
	out := []askJSON{}
	for i := range items {
		j := toJSON(&items[i])
		j.Host = hostOf(hosts, j.ID)
		if j.Call != nil && items[i].Brief {
			brief := *j.Call
			j.Call = &brief
		}
		out = append(out, j)
	}
	return s.out.json(asksJSON{statusSchema, out})
}

// printBody prints a text of an agent with its lines, none of which can pass for one of ours.
func (s *surroundings) printBody(text string) {
	const rail = "│ "
	for l := range strings.SplitSeq(strings.TrimSuffix(text, "\n"), "\n") {
		l = line.ForeignBody(l)
		if s.out.width >= leastFold { // here, where each blank counts, and not at words
			l = ansi.Hardwrap(l, s.out.width-line.Width(rail), true)
		}
		for row := range strings.SplitSeq(l, "\n") {
			s.out.printf("%s%s\n", exact(rail), exact(row))
		}
	}
}

// printWhole prints one ask with all of its texts.
func (s *surroundings) printWhole(id string, asJSON bool) error {
	item, err := s.askOf(id)
	if err != nil {
		return err
	}
	if asJSON {
		return s.printAsksJSON([]ask.Item{*item}, nil)
	}
	s.printWholeItem(item)
	return nil
}

// printWholeItem prints an ask for people.
func (s *surroundings) printWholeItem(item *ask.Item) {
	s.printAsk(item)
	body := item.Plan
	if item.Call != nil {
		body = item.Call.Input
		if item.Call.Reason != "" {
			s.out.printf("    %s\n", item.Call.Reason)
		}
	}
	if item.Kind == ask.Plan && body == "" {
		body = "The agent has written no plan."
	}
	if body == "" {
		return
	}
	s.out.printf("\n")
	s.printBody(body)
}
