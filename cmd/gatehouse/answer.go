package main

// gatehouse answer: answer an ask of a live agent.

import (
	"errors"
	"fmt"
	"strconv"
	"strings"

	"github.com/spf13/cobra"

	"gatehouse/model"
	"gatehouse/model/line"
	"gatehouse/parse/agents"
	"gatehouse/parse/agents/ask"
)

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
	done, result, err := f.storeAnswer(s, item, answer)
	switch {
	case errors.As(err, new(ask.Misfit)):
		return usageError{fmt.Errorf("%s: %w", item.ID, err)}
	case err != nil:
		return fmt.Errorf("%s: %w", item.ID, err)
	case result == resultAlready && !s.asJSON:
		s.out.printf("%s: answered already; nothing was written\n", item.ID)
		return nil
	case s.asJSON:
		return s.out.printJSON(answeredJSON{statusSchema, result, askToJSON(agents.Ask(done), done.End, nil)})
	}
	return f.sayAnswered(s, askToJSON(agents.Ask(done), done.End, nil), done.End.Answer)
}

// storeAnswer answers an ask of this machine, and returns it with the result.
func (f *answerFlags) storeAnswer(s *env, item *ask.Item, answer ask.Answer) (done *ask.Item, result string, err error) {
	if err := s.checkAnswerer(item); err != nil {
		return nil, "", err
	}
	if f.ifSeen != "" && f.ifSeen != item.Seen() {
		return nil, "", errors.New("something else is asked than was seen; look again: gatehouse asks " + item.ID)
	}
	store, err := s.decidingStore()
	if err != nil {
		return nil, "", err
	}
	done, err = store.Answer(item.ID, answer, ask.ByCommand)
	var taken *ask.Taken
	if f.ifSeen != "" && errors.As(err, &taken) && taken.End.Is(answer, store.User) {
		return done, resultAlready, nil
	}
	return done, resultDone, err
}

// sayAnswered prints an answered ask.
func (f *answerFlags) sayAnswered(s *env, done askJSON, answer *ask.Answer) error {
	if s.asJSON {
		return s.out.printJSON(answeredJSON{statusSchema, resultDone, done})
	}
	said := strings.Join((&ask.Ask{Ask: model.Ask{Questions: done.Questions}}).Said(answer), ", ")
	if said != "" {
		said = " → " + line.Foreign(said)
	}
	s.out.printf("%s %s: %s%s\n", wordOf(done.Kind, answer), done.ID, done.Text, exact(said))
	return nil
}
