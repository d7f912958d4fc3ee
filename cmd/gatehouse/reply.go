package main

// gatehouse reply: send text to the session of a live agent.

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"strings"

	"github.com/spf13/cobra"

	"gatehouse/model"
	"gatehouse/parse/agents"
	"gatehouse/parse/agents/ask"
	"gatehouse/parse/agents/reply"
	"gatehouse/parse/text/shell"
)

// repliedJSON is the document of "gatehouse reply --json".
type repliedJSON struct {
	Schema  int    `json:"schema"`
	Result  string `json:"result"`         // done, or already with --if-seen
	Agent   string `json:"agent"`          // name of the session's client
	Session string `json:"session"`        // the client's own ID
	Turn    string `json:"turn,omitempty"` // ID of the finished turn that was replied to
	Heard   string `json:"heard"`          // how the model hears the words
}

func newReply(s *env) *cobra.Command {
	var ifSeen, text string
	cmd := &cobra.Command{
		Use:   "reply SESSION TEXT",
		Short: "Send words to the session of a live agent",
		Long: `Send words to the session of a live agent, by the ID of the session or of its finished
turn; the beginning of an ID is enough. The words are TEXT or --text; - reads standard
input.

It says how the model hears them: mostly as your own message. If the client takes no
words, nothing is sent and it says why. Only the first reply to a turn is sent. Agents
are refused; automation says --as-agent NAME, and the journal names it.`,
		Example: "  gatehouse reply k7f3q2ma 'Use SQLite.'\n  gatehouse reply 01a2085d - < answer.md",
		Args: func(_ *cobra.Command, args []string) error {
			if words := len(args) - 1; words < 0 || words > 1 || (words == 1) == (text != "") {
				return usageError{errors.New("write a session and one text: gatehouse reply SESSION 'Use SQLite.'")}
			}
			return nil
		},
		ValidArgsFunction: cobra.NoFileCompletions,
		RunE: func(cmd *cobra.Command, args []string) error {
			words := cmp.Or(text, strings.Join(args[1:], ""))
			if err := s.readWords(&words); err != nil {
				return err
			}
			if strings.TrimSpace(words) == "" {
				return usageError{errors.New("the text is empty")}
			}
			out, err := s.sendReply(cmd.Context(), args[0], words, ifSeen)
			switch {
			case err != nil:
				return err
			case s.asJSON:
				return s.out.printJSON(out)
			case out.Result == resultAlready:
				s.out.printf("%s: replied already; nothing was sent\n", out.Turn)
			default:
				s.out.printf("sent to %s %s, which hears it %s\n", out.Agent, out.Session, out.Heard)
			}
			return nil
		},
	}
	s.decidingFlags(cmd)
	yesFlag(cmd, new(bool))
	wordsFlag(cmd, &text, "", "the `words`, instead of TEXT")
	s.jsonFlag(cmd, "print what was sent to whom as JSON")
	cmd.Flags().StringVar(&ifSeen, "if-seen", "", "reply only if the if_seen of asks --json is still this `hash`; repeating it is harmless")
	return cmd
}

// sendReply sends words to the session that a word selects.
func (s *env) sendReply(ctx context.Context, word, words, ifSeen string) (out repliedJSON, err error) {
	if item, err := s.openAsks().Get(word); err == nil {
		switch {
		case item.Kind != model.AskTurn:
			return out, usageError{fmt.Errorf("%s is a %s; gatehouse answer %s answers it", item.ID, item.Kind, item.ID)}
		case item.State != model.AskAnswered:
		case ifSeen != "" && ifSeen == item.Seen() && item.End.Is(ask.Answer{Allow: true, Text: words}, s.openAsks().User):
			return repliedJSON{statusSchema, resultAlready, item.Agent, item.Session, item.ID, ""}, nil
		default:
			return out, fmt.Errorf("%s: %s; to send more: gatehouse reply %s TEXT", item.ID, agents.Ask(item).Fate, shell.Word(item.Session))
		}
	}
	to, err := s.agentSession(word)
	if err != nil {
		return out, err
	}
	turn, doors := to.Open, s.openDoors()
	err = s.refusesReply(to)
	if err == nil {
		doors.Store, err = s.decidingStore()
	}
	if item, _ := s.openAsks().Get(turn); err == nil && ifSeen != "" && (item == nil || item.Seen() != ifSeen) {
		err = errors.New("its turn is not the one that was seen; look again: gatehouse asks")
	}
	if err == nil {
		out = repliedJSON{statusSchema, resultDone, to.Agent, to.ID, turn, doors.Of(to).Hears}
		err = doors.Send(ctx, to, turn, words, ask.ByCommand)
	}
	if err != nil {
		err = fmt.Errorf("%s: %s", to.ID, strings.ReplaceAll(err.Error(), "J goes there", "gatehouse jump "+to.ID+" goes there"))
	}
	return out, err
}

// openDoors returns the ways to sessions.
func (s *env) openDoors() *reply.Doors {
	return &reply.Doors{
		Home: s.user.Home, Env: s.getenv, Environ: s.environ, Claude: s.readConfig().Text(settingReplies),
		Logs: filepath.Join(filepath.Dir(s.agents), "replies"), Store: s.openAsks(),
	}
}

// refusesReply returns why this process may not reply to a session: agents do not prompt themselves in a human's name.
func (s *env) refusesReply(to *ask.Session) error {
	if to.Process.PID > 0 && to.Process == s.processes.Self() { // the demo runs its agent in the process of its dashboard
		return nil
	}
	own := s.openAsks().Refuses(&ask.Ask{Owner: to.Process}, s.processes.Self().PID, s.environ) != nil
	for _, variable := range s.environ { // each client passes the session's ID to its children in a variable of its own
		_, value, _ := strings.Cut(variable, "=")
		own = own || value != "" && value == to.ID
	}
	if own {
		return fmt.Errorf("what %s runs may not reply to it; reply yourself, in another terminal", to.Agent)
	}
	return nil
}
