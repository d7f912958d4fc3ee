package main

// gatehouse mcp: ask and answer for agents whose client uses the Model Context Protocol, over standard input and output.

import (
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/modelcontextprotocol/go-sdk/mcp"
	"github.com/spf13/cobra"

	"gatehouse/parse/agents/ask"
	"gatehouse/statusline"
)

const (
	// usualWait is how long a tool waits for an answer before it reports that there is none yet: clients cancel a call after about a
	// minute, some move it to the background.
	usualWait = 45 * time.Second
	longWait  = 55 * time.Second
	// progressEvery is the interval of progress messages, for clients that request them.
	progressEvery = 10 * time.Second
)

func newMCP(s *env) *cobra.Command {
	return &cobra.Command{
		Use:   "mcp",
		Short: "Serve agents by the Model Context Protocol",
		Long: `Serve an agent's client by the Model Context Protocol, over standard input and output. The
client starts this: claude mcp add gatehouse -- gatehouse mcp

Tools: ask a human (answers "pending" and an ID if there is no answer within 45
seconds, before clients give up), await the answer by that ID, gates and status of a
directory. Open questions are withdrawn when the client ends this command.`,
		RunE: func(cmd *cobra.Command, _ []string) error {
			return s.untilSignal(cmd.Context(), func(ctx context.Context) error {
				err := (&mcpServer{env: s, asked: map[string]*pending{}}).serveClient(ctx)
				if errors.Is(err, io.EOF) || ctx.Err() != nil {
					return nil
				}
				return err
			})
		},
	}
}

// mcpServer serves one client.
type mcpServer struct {
	*env
	ctx   context.Context // ends with the client
	waits sync.WaitGroup
	mu    sync.Mutex
	asked map[string]*pending // by ID
	// answered are the IDs of answers that are about to be sent to the client.
	answered []string
}

// pending is an ask of the client.
type pending struct {
	ask  ask.Ask
	over chan struct{} // closed when it has ended
	end  *ask.End
	err  error
}

func (m *mcpServer) serveClient(ctx context.Context) error {
	var stop context.CancelCauseFunc
	m.ctx, stop = context.WithCancelCause(ctx)
	defer m.waits.Wait()
	defer stop(errors.New("the agent's client has ended"))
	server := mcp.NewServer(&mcp.Implementation{Name: "gatehouse", Version: statusline.Version}, nil)
	mcp.AddTool(server, &mcp.Tool{
		Name: "ask",
		Description: "Ask the user, who may be away from this terminal, and wait for the answer: an option (several with multi), or the user's own words unless no_text excludes them. Without options and text the question is one of yes or no. " +
			"If the result's state is \"pending\", call await with its id, as often as needed. Do not ask again, and do not take silence for an answer.",
	}, m.handleAsk)
	mcp.AddTool(server, &mcp.Tool{Name: "await", Description: "Wait for the answer to an earlier question, by its id. State \"pending\" means that there is no answer yet: call it again."}, m.handleAwait)
	mcp.AddTool(server, &mcp.Tool{Name: "gates", Description: "What waits for the user in a directory and below: gates of builds, questions and finished turns of agents, as gatehouse gates --json prints them."}, m.printTool("gates", "--json"))
	mcp.AddTool(server, &mcp.Tool{Name: "status", Description: "The state of the builds and agents in a directory and below, as gatehouse status prints it."}, m.printTool("status"))
	return server.Run(ctx, &mcp.IOTransport{Reader: io.NopCloser(m.stdin), Writer: deliveryWriter{m.stdout, m}})
}

// deliveryWriter writes to the client, and marks answers as delivered once they are written.
type deliveryWriter struct {
	io.Writer
	server *mcpServer
}

// Write writes messages, and marks the answers in them as delivered.
func (h deliveryWriter) Write(text []byte) (int, error) {
	n, err := h.Writer.Write(text)
	if err == nil {
		h.server.markDelivered(text)
	}
	return n, err
}

// Close implements [io.Closer]: the writer belongs to the process.
func (deliveryWriter) Close() error { return nil }

// markDelivered marks the answers in a message as delivered.
func (m *mcpServer) markDelivered(text []byte) {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.answered = slices.DeleteFunc(m.answered, func(id string) bool {
		sent := bytes.Contains(text, []byte(id))
		if sent {
			m.openAsks().Delivered(id) // if this fails, the answer stays "not delivered", which is safe
		}
		return sent
	})
}

// mcpAsk is the input of the tool ask.
type mcpAsk struct {
	Question string   `json:"question" jsonschema:"what is asked, in one sentence that stands on its own"`
	Options  []string `json:"options,omitempty" jsonschema:"answers to choose from"`
	Multi    bool     `json:"multi,omitempty" jsonschema:"several options may be picked"`
	Text     bool     `json:"text,omitempty" jsonschema:"ask for the user's own words, even without options"`
	NoText   bool     `json:"no_text,omitempty" jsonschema:"only the options are answers, not the user's own words"`
	Wait     int      `json:"wait,omitempty" jsonschema:"how many seconds to wait, 45 by default, 55 at most"`
}

// mcpAwait is the input of the tool await.
type mcpAwait struct {
	ID   string `json:"id" jsonschema:"the id that ask has returned"`
	Wait int    `json:"wait,omitempty" jsonschema:"how many seconds to wait, 45 by default, 55 at most"`
}

// mcpAnswer is the output of ask and await.
type mcpAnswer struct {
	ID     string   `json:"id"`
	State  string   `json:"state" jsonschema:"pending, answered, allowed, denied, withdrawn or expired"`
	Said   []string `json:"said,omitempty" jsonschema:"the labels picked and the user's own words; why, of one that was denied"`
	Reason string   `json:"reason,omitempty" jsonschema:"why it was withdrawn"`
}

func (m *mcpServer) handleAsk(ctx context.Context, call *mcp.CallToolRequest, in mcpAsk) (*mcp.CallToolResult, mcpAnswer, error) {
	if strings.TrimSpace(in.Question) == "" {
		return nil, mcpAnswer{}, errors.New("what is asked? the question is empty")
	}
	f := askFlags{options: in.Options, multi: in.Multi, own: in.Text, noOwn: in.NoText, dir: "."}
	a, err := f.newAsk(m.env, in.Question)
	if err != nil {
		return nil, mcpAnswer{}, err
	}
	asked, err := m.openAsks().Ask(a)
	if err != nil {
		return nil, mcpAnswer{}, err
	}
	p := &pending{ask: asked.Ask, over: make(chan struct{})}
	m.mu.Lock()
	m.asked[p.ask.ID] = p
	m.mu.Unlock()
	m.waits.Go(func() {
		defer asked.Close()
		defer close(p.over)
		p.end, p.err = asked.Await(m.ctx, f.ownerGone(m.env, &asked.Ask))
	})
	answer, err := m.waitForAnswer(ctx, call, p, in.Wait)
	if ctx.Err() != nil { // the client has canceled the call and does not know the ID
		m.openAsks().Withdraw(&p.ask, "the agent has given it up")
	}
	return nil, answer, err
}

func (m *mcpServer) handleAwait(ctx context.Context, call *mcp.CallToolRequest, in mcpAwait) (*mcp.CallToolResult, mcpAnswer, error) {
	m.mu.Lock()
	p := m.asked[in.ID]
	m.mu.Unlock()
	if p == nil {
		return nil, mcpAnswer{}, fmt.Errorf("%q: nothing was asked here under this id", in.ID)
	}
	answer, err := m.waitForAnswer(ctx, call, p, in.Wait)
	return nil, answer, err
}

// waitForAnswer waits for an answer within the client's patience.
func (m *mcpServer) waitForAnswer(ctx context.Context, call *mcp.CallToolRequest, p *pending, seconds int) (mcpAnswer, error) {
	limit := min(time.Duration(cmp.Or(max(seconds, 0), int(usualWait/time.Second)))*time.Second, longWait)
	up := time.NewTimer(limit)
	defer up.Stop()
	tell := time.NewTicker(progressEvery)
	defer tell.Stop()
	for step := 1.0; ; step++ {
		select {
		case <-p.over:
			return m.answerOf(p)
		case <-up.C:
			return mcpAnswer{ID: p.ask.ID, State: "pending"}, nil
		case <-ctx.Done():
			return mcpAnswer{}, ctx.Err()
		case <-tell.C:
			if token := call.Params.GetProgressToken(); token != nil {
				call.Session.NotifyProgress(ctx, &mcp.ProgressNotificationParams{ProgressToken: token, Progress: step, Message: "the user has not answered yet"})
			}
		}
	}
}

// answerOf returns the output for an ask's end.
func (m *mcpServer) answerOf(p *pending) (mcpAnswer, error) {
	if p.err != nil {
		return mcpAnswer{}, p.err
	}
	out := mcpAnswer{ID: p.ask.ID, State: string(p.end.State), Reason: p.end.Reason}
	if p.end.State != ask.Answered {
		return out, nil
	}
	out.State, out.Said = wordOf(p.ask.Kind, p.end.Answer), p.ask.Said(p.end.Answer)
	m.mu.Lock()
	m.answered = append(m.answered, p.ask.ID)
	m.mu.Unlock()
	return out, nil
}

// mcpDir is the input of the tools about a directory.
type mcpDir struct {
	Dir string `json:"dir,omitempty" jsonschema:"the directory, by default the one the client runs in"`
}

// printTool returns a tool with the output of a command.
func (m *mcpServer) printTool(command ...string) mcp.ToolHandlerFor[mcpDir, any] {
	return func(ctx context.Context, _ *mcp.CallToolRequest, in mcpDir) (*mcp.CallToolResult, any, error) {
		var out, complaints bytes.Buffer
		s := &env{
			stdin: strings.NewReader(""), stdout: &out, stderr: &complaints, environ: m.env.environ, user: m.user, loops: m.loops, now: m.now, agents: m.agents, processes: m.processes,
		}
		if code := run(ctx, s, append(command, "--", cmp.Or(in.Dir, "."))); code != exitDone {
			return nil, nil, errors.New(strings.TrimSpace(complaints.String()))
		}
		result := &mcp.CallToolResult{Content: []mcp.Content{&mcp.TextContent{Text: out.String()}}}
		if note := strings.TrimSpace(complaints.String()); note != "" { // some directories were not searched
			result.Content = append(result.Content, &mcp.TextContent{Text: note})
		}
		var structured map[string]any
		if json.Unmarshal(out.Bytes(), &structured) == nil {
			result.StructuredContent = structured
		}
		return result, nil, nil
	}
}
