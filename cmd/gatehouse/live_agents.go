package main

// Sessions of live agents: reading them, gatehouse reply and jump.

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"os/exec"
	"path/filepath"
	"strings"
	"time"

	"github.com/charmbracelet/x/ansi"
	"github.com/spf13/cobra"

	"gatehouse/cmd/gatehouse/remote"
	"gatehouse/model"
	"gatehouse/parse"
	"gatehouse/parse/agents"
	"gatehouse/parse/agents/ask"
	"gatehouse/parse/agents/codex"
	"gatehouse/parse/agents/pane"
	"gatehouse/parse/agents/record"
	"gatehouse/parse/agents/reply"
	"gatehouse/parse/agents/worktree"
	"gatehouse/parse/disk/process"
	"gatehouse/parse/text/shell"
)

// scopeOf returns where live agents are shown for named directories and files, without any for the current directory: below them,
// and in their projects.
func (s *env) scopeOf(dirs []string) (scope parse.AgentScope) {
	if len(dirs) == 0 {
		dirs = []string{"."}
	}
	for _, dir := range dirs {
		if abs, err := filepath.Abs(dir); err == nil {
			scope.Below, scope.Projects = append(scope.Below, realPath(abs)), append(scope.Projects, s.projectOf(abs))
		}
	}
	return scope
}

// agentOptions returns how live agents are read.
func (s *env) agentOptions() agents.Options {
	return agents.Options{
		Store:   s.user.Asks,
		Records: record.NewReader(s.user.Asks, s.user.Home, s.getenv),
		Project: s.projectOf, Branch: worktree.Branch,
		Door: s.openDoors().Of,
	}
}

// countWithin bounds how long a command counts changed lines.
const countWithin = 500 * time.Millisecond

// readAgentsOnce prepares reading live agents for a command that reads them once.
func (s *env) readAgentsOnce() {
	s.user.Agents = func() *agents.Reader {
		o, end := s.agentOptions(), time.Now().Add(countWithin)
		o.Lines = func(dir, base string, _ time.Time) (added, removed int) {
			ctx, stop := context.WithDeadline(context.Background(), end)
			defer stop()
			added, removed, _ = worktree.Count(ctx, dir, base)
			return added, removed
		}
		return agents.NewReader(o)
	}
}

// followAgents prepares reading live agents for a dashboard, until ctx ends. Questions of Codex come from its app server; if asks is true,
// they can be answered here.
func (s *env) followAgents(ctx context.Context, asks bool) {
	changed := make(chan struct{}, 1)
	notify := func() {
		select {
		case changed <- struct{}{}:
		default:
		}
	}
	counter := worktree.NewCounter(ctx, notify)
	bridge := &codex.Bridge{Socket: codex.Socket(s.user.Home, s.getenv), Project: s.projectOf, Changed: notify}
	if asks {
		bridge.Store = s.user.Asks
	}
	go bridge.Run(ctx)
	s.user.AgentsChanged = changed
	s.user.Agents = func() *agents.Reader {
		o := s.agentOptions()
		o.Lines = counter.Lines
		o.More = bridge.Sessions
		return agents.NewReader(o)
	}
}

// currentAgents returns the asks and sessions of live agents. It is safe for concurrent use.
func (s *env) currentAgents() *agents.Snapshot {
	if s.user.Asks == nil {
		return &agents.Snapshot{}
	}
	s.agentLock.Lock()
	defer s.agentLock.Unlock()
	if s.agentReader == nil {
		if s.user.Agents == nil {
			s.readAgentsOnce()
		}
		s.agentReader = s.user.Agents()
		s.agentReader.Lines = nil // neither asks nor dialogs show changed lines
	}
	return s.agentReader.Read()
}

// newAnswerer returns the dashboard's answerer. The store records who answers.
func (s *env) newAnswerer(store *ask.Store) agents.Answerer {
	return agents.Answerer{
		Store: store, Snapshot: s.currentAgents, Changes: worktree.Diff,
		Go: func(ctx context.Context, to pane.Pane) (message, command string) {
			way := s.goTo(ctx, to)
			return way.Said, way.Type
		},
		Refuses: func(a *ask.Ask) error {
			if a.Asker == s.processes.Self() { // this dashboard asks for Codex, or as the demo's agent
				own := *a
				own.Asker, own.Runner, a = process.ID{}, process.ID{}, &own
			}
			return s.checkAnswerer(&ask.Item{Ask: *a})
		},
		Door: s.openDoors().Of,
		Send: func(ctx context.Context, x *ask.Session, words, by string) error {
			if err := s.refusesReply(x); err != nil {
				return err
			}
			doors := s.openDoors()
			doors.Store = store
			return doors.Send(ctx, x, x.Open, words, by)
		},
	}
}

// agentSession returns the session that a word selects: the ID of a session, of its finished turn or of another ask of it, or a prefix of
// one.
func (s *env) agentSession(word string) (*ask.Session, error) {
	item, err := s.askOf(word)
	if err != nil && !errors.Is(err, ask.ErrNone) {
		return nil, err
	}
	snapshot := s.currentAgents()
	for i := range snapshot.Asks { // an ended session is found by its asks
		if a := &snapshot.Asks[i]; item == nil && word != "" && a.Session == word {
			item = a
		}
	}
	if item != nil {
		return snapshot.SessionOf(item), nil
	}
	var found []*ask.Session
	for i := range snapshot.Sessions {
		if x := &snapshot.Sessions[i]; word != "" && strings.HasPrefix(x.ID, word) {
			found = append(found, x)
		}
	}
	if len(found) == 1 {
		return found[0], nil
	}
	return nil, usageError{fmt.Errorf("%q: not the ID of one session, turn or ask, or its beginning; gatehouse status lists sessions", word)}
}

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
			case out.Result == remote.ResultAlready:
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
			return repliedJSON{remote.Schema, remote.ResultAlready, item.Agent, item.Session, item.ID, ""}, nil
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
		out = repliedJSON{remote.Schema, remote.ResultDone, to.Agent, to.ID, turn, doors.Of(to).Hears}
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

// jumpTimeout bounds the terminal's command.
const jumpTimeout = 5 * time.Second

// jumpedJSON is the document of "gatehouse jump --json".
type jumpedJSON struct {
	Schema  int    `json:"schema"`
	There   bool   `json:"there"`             // the pane is in view
	Said    string `json:"said"`              // its place, or why it can't be reached
	Command string `json:"command,omitempty"` // what to type to get there
}

func newJump(s *env) *cobra.Command {
	return s.withJSON(&cobra.Command{
		Use:   "jump ASK|SESSION",
		Short: "Go to the pane of an agent",
		Long: `Go to the pane in which an agent runs, by the ID of an ask or of a session, or its
beginning, in tmux. If that needs a command of yours, as a background session of Claude
Code does, print and copy it. Gatehouse never types into a terminal.`,
		Args:              oneAsk,
		ValidArgsFunction: s.completeAsks,
		RunE: func(cmd *cobra.Command, args []string) error {
			x, err := s.agentSession(args[0])
			if err != nil {
				return err
			}
			way := s.goTo(cmd.Context(), x.Window)
			if s.asJSON {
				err := s.out.printJSON(jumpedJSON{remote.Schema, way.There, way.Said, way.Type})
				if err == nil && !way.There {
					err = refusal{}
				}
				return err
			}
			if way.Type != "" {
				s.out.printf("%s\n", way.Type)
				if s.terminal {
					s.out.WriteString(ansi.SetSystemClipboard(way.Type))
				}
			}
			if !way.There {
				return errors.New(way.Said)
			}
			s.complain("%s", way.Said)
			return nil
		},
	}, "print the way as JSON")
}

// goTo switches to a pane.
func (s *env) goTo(ctx context.Context, to pane.Pane) pane.Way {
	ctx, stop := context.WithTimeout(ctx, jumpTimeout)
	defer stop()
	return to.Go(ctx, s.ownPane(), runCommand)
}

// runCommand runs a command and returns its output. The error has what it printed on standard error.
func runCommand(ctx context.Context, name string, args ...string) (string, error) {
	out, err := exec.CommandContext(ctx, name, args...).Output()
	var failed *exec.ExitError
	if errors.As(err, &failed) && len(failed.Stderr) > 0 {
		err = errors.New(strings.TrimSpace(string(failed.Stderr)))
	}
	return string(out), err
}
