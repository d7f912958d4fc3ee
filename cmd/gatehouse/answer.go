package main

// gatehouse answer: answer what a live agent asks.

import (
	"errors"
	"fmt"
	"strconv"
	"strings"

	"github.com/spf13/cobra"

	"gatehouse/parse/agents/ask"
)

// answeredJSON is what "gatehouse answer --json" prints.
type answeredJSON struct {
	Schema int     `json:"schema"`
	Result string  `json:"result"` // done
	Ask    askJSON `json:"ask"`    // as it has ended
}

// answering are the flags of answer.
type answering struct {
	picks  []string
	texts  []string
	allow  bool
	deny   string
	asJSON bool
	fleet  string // on whose machines it is asked, "" for here
}

func newAnswer(s *surroundings) *cobra.Command {
	var f answering
	cmd := &cobra.Command{
		Use:   "answer ID",
		Short: "Answer what a live agent asks",
		Long: `Answer what a live agent asks, by the ID that gatehouse asks prints; its beginning
is enough. A question is answered by a label, or in your own words where it takes some; a
plan or a call is allowed or denied, with what is to be changed. Whatever is asked may be
denied.

Of several questions each is answered: --pick 2=LABEL is for the second one.

The first answer counts, wherever it is given: a second one is refused, and says who was
first. What the asking agent itself runs may not answer.

With --json: {"schema", "result", "ask"}; the result is done.`,
		Example: "  gatehouse answer k7f3q2ma --pick List\n  gatehouse answer k7f3 --pick Search --pick Sort\n  gatehouse answer k7f3 --deny 'Use a list, not a grid.'",
		Args: func(_ *cobra.Command, args []string) error {
			if len(args) != 1 {
				return usageError{errors.New("which ask? gatehouse asks lists them")}
			}
			return nil
		},
		ValidArgsFunction: s.completeAsks,
		RunE: func(cmd *cobra.Command, args []string) error {
			denied := cmd.Flags().Changed("deny")
			ways := 0
			for _, way := range []bool{len(f.picks)+len(f.texts) > 0, f.allow, denied} {
				if way {
					ways++
				}
			}
			if ways != 1 {
				return usageError{errors.New("say one of --pick or --text, --allow, --deny")}
			}
			if f.fleet != "" {
				return f.onFleet(cmd.Context(), s, args[0], denied)
			}
			item, err := s.askOf(args[0])
			if err != nil {
				return err
			}
			answer := ask.Answer{Allow: !denied, Text: f.deny}
			if len(f.picks)+len(f.texts) > 0 && item.State == ask.Waiting {
				if answer.Replies, err = f.replies(&item.Ask); err != nil {
					return usageError{fmt.Errorf("%s: %w", item.ID, err)}
				}
			}
			return f.answer(s, item, answer)
		},
	}
	fl := cmd.Flags()
	fl.StringArrayVar(&f.picks, "pick", nil, "pick an option by its `label`; 2=LABEL is for the second question")
	fl.StringArrayVar(&f.texts, "text", nil, "answer in your own `words`; 2=WORDS is for the second question")
	fl.BoolVar(&f.allow, "allow", false, "allow it, or approve the plan")
	fl.StringVar(&f.deny, "deny", "", "deny it, and say why or what is to be changed; \"\" for no `text`")
	s.fleetFlag(cmd, &f.fleet)
	fl.Lookup("fleet").Usage = "what is asked on a machine of this `fleet`; gatehouse fleet list names them"
	fl.BoolVar(&f.asJSON, "json", false, "print what was answered as JSON")
	complete(cmd, "pick", func(_ *cobra.Command, args []string, _ string) ([]string, cobra.ShellCompDirective) {
		var labels []string
		if len(args) == 1 {
			if item, err := s.store().Get(args[0]); err == nil && len(item.Questions) > 0 {
				for _, o := range item.Questions[0].Options {
					labels = append(labels, cobra.CompletionWithDesc(o.Label, o.Description))
				}
			}
		}
		return labels, cobra.ShellCompDirectiveNoFileComp
	})
	return cmd
}

// replies returns what the flags answer to the questions of an ask.
func (f *answering) replies(a *ask.Ask) ([]ask.Reply, error) {
	if a.Kind != ask.Question {
		return nil, fmt.Errorf("a %s has nothing to pick; say --allow or --deny", a.Kind)
	}
	replies := make([]ask.Reply, len(a.Questions))
	for _, pick := range f.picks {
		q, label, err := which(a, pick)
		if err != nil {
			return nil, err
		}
		i, err := ask.OptionOf(&a.Questions[q], label)
		if err != nil {
			return nil, err
		}
		replies[q].Picks = append(replies[q].Picks, i)
	}
	for _, text := range f.texts {
		q, words, err := which(a, text)
		if err != nil {
			return nil, err
		}
		if replies[q].Text != "" {
			return nil, errors.New("--text: say it once for each question")
		}
		replies[q].Text = words
	}
	answer := ask.Answer{Allow: true, Replies: replies}
	return replies, a.Fits(&answer)
}

// which returns the question that a word is for, and the word without its number. A label of the first question may begin with a number
// and "=", too.
func which(a *ask.Ask, word string) (question int, rest string, err error) {
	number, rest, ok := strings.Cut(word, "=")
	n, bad := strconv.Atoi(number)
	if !ok || bad != nil || len(a.Questions) == 1 && n != 1 {
		return 0, word, nil
	}
	if _, err := ask.OptionOf(&a.Questions[0], word); err == nil {
		return 0, word, nil
	}
	if n < 1 || n > len(a.Questions) {
		return 0, "", fmt.Errorf("%q: there are %d questions", word, len(a.Questions))
	}
	return n - 1, rest, nil
}

// answer answers, and says so.
func (f *answering) answer(s *surroundings, item *ask.Item, answer ask.Answer) error {
	if err := s.refuses(item); err != nil {
		return fmt.Errorf("%s: %w", item.ID, err)
	}
	done, err := s.store().Answer(item.ID, answer, ask.ByCommand)
	var misfit *ask.Misfit
	switch {
	case errors.As(err, &misfit):
		return usageError{fmt.Errorf("%s: %w", item.ID, err)}
	case err != nil:
		return fmt.Errorf("%s: %w", item.ID, err)
	case f.asJSON:
		return s.out.json(answeredJSON{statusSchema, resultDone, toJSON(done)})
	}
	s.sayAnswered(done, done.End.Answer)
	return nil
}

// sayAnswered says what was answered.
func (s *surroundings) sayAnswered(done *ask.Item, answer *ask.Answer) {
	said := wordOf(&done.Ask, answer)
	if words := strings.Join(done.Said(answer), ", "); words != "" {
		s.out.printf("%s %s: %s → %s\n", said, done.ID, done.Text, words)
	} else {
		s.out.printf("%s %s: %s\n", said, done.ID, done.Text)
	}
}
