package main

// gatehouse mcp: ask and answer for agents whose client uses the Model Context Protocol, over standard input and output.

import (
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"sync"
	"time"

	"github.com/spf13/cobra"

	"gatehouse/parse/agents/ask"
)

const (
	// usualWait is how long a tool waits for an answer before it reports that there is none yet: clients cancel a call after about a
	// minute, some move it to the background.
	usualWait = 45 * time.Second
	longWait  = 55 * time.Second
)

func newMCP(s *env) *cobra.Command {
	return &cobra.Command{
		Use:   "mcp",
		Short: "Serve agents by the Model Context Protocol",
		Long: `Serve an agent's client by the Model Context Protocol, over standard input and output. The
client starts this: claude mcp add gatehouse -- gatehouse mcp

Tools: ask a human (answers "pending" and an ID if there is no answer within 45
seconds, before clients give up), await the answer by that ID. Open questions are
withdrawn when the client ends this command.`,
		RunE: func(cmd *cobra.Command, _ []string) error {
			return s.untilSignal(cmd.Context(), func(ctx context.Context) error {
				asks := mcpAsks{env: s, asked: map[string]*pendingAsk{}}
				var stop context.CancelCauseFunc
				asks.ctx, stop = context.WithCancelCause(ctx)
				defer asks.waits.Wait()
				server := &mcpServer{stdin: s.stdin, stdout: s.stdout, tools: asks.tools()}
				return server.serve(asks.ctx, func() { stop(errors.New("the agent's client has ended")) })
			})
		},
	}
}

// mcpAsks are the asks of a client.
type mcpAsks struct {
	*env
	ctx   context.Context // ends with the client
	waits sync.WaitGroup
	mu    sync.Mutex
	asked map[string]*pendingAsk // by ID
}

// pendingAsk is an ask of the client.
type pendingAsk struct {
	ask  ask.Ask
	over chan struct{} // closed when it has ended
	end  *ask.End
	err  error
}

// mcpAnswer is the output of ask and await. State is pending, answered, allowed, denied, withdrawn or expired. Said has the labels that
// were picked and the user's own words.
type mcpAnswer struct {
	ID     string   `json:"id"`
	State  string   `json:"state"`
	Said   []string `json:"said,omitempty"`
	Reason string   `json:"reason,omitempty"`
}

// tools returns the tools of the server.
func (m *mcpAsks) tools() []mcpTool {
	return []mcpTool{{
		Name: "ask",
		Description: "Ask the user, who may be away from this terminal, and wait for the answer: an option (several with multi), " +
			"or the user's own words unless no_text excludes them. Without options and text the question is one of yes or no. " +
			"If the result's state is \"pending\", call await with its id, as often as needed. " +
			"Do not ask again, and do not take silence for an answer.",
		InputSchema: json.RawMessage(`{"type": "object", "additionalProperties": false, "required": ["question"], "properties": {
			"question": {"type": "string", "description": "what is asked, in one sentence that stands on its own"},
			"options": {"type": "array", "items": {"type": "string"}, "description": "answers to choose from"},
			"multi": {"type": "boolean", "description": "several options may be picked"},
			"text": {"type": "boolean", "description": "ask for the user's own words, even without options"},
			"no_text": {"type": "boolean", "description": "only the options are answers, not the user's own words"},
			"wait": {"type": "integer", "description": "how many seconds to wait, 45 by default, 55 at most"}}}`),
		call: m.ask,
	}, {
		Name: "await",
		Description: "Wait for the answer to an earlier question, by its id. State \"pending\" means that there is no answer yet: " +
			"call it again.",
		InputSchema: json.RawMessage(`{"type": "object", "additionalProperties": false, "required": ["id"], "properties": {
			"id": {"type": "string", "description": "the id that ask has returned"},
			"wait": {"type": "integer", "description": "how many seconds to wait, 45 by default, 55 at most"}}}`),
		call: m.await,
	}}
}

// ask asks the user, and waits for the answer.
func (m *mcpAsks) ask(ctx context.Context, arguments json.RawMessage) (any, func(), error) {
	var in struct {
		Question string   `json:"question"`
		Options  []string `json:"options"`
		Multi    bool     `json:"multi"`
		Text     bool     `json:"text"`
		NoText   bool     `json:"no_text"`
		Wait     int      `json:"wait"`
	}
	if err := decodeArguments(arguments, &in); err != nil {
		return nil, nil, err
	}
	if strings.TrimSpace(in.Question) == "" {
		return nil, nil, errors.New("what is asked? the question is empty")
	}
	f := askFlags{options: in.Options, multi: in.Multi, own: in.Text, noOwn: in.NoText, dir: "."}
	a, err := f.newAsk(m.env, in.Question)
	if err != nil {
		return nil, nil, err
	}
	asked, err := m.openAsks().Ask(a)
	if err != nil {
		return nil, nil, err
	}
	p := &pendingAsk{ask: asked.Ask, over: make(chan struct{})}
	m.mu.Lock()
	m.asked[p.ask.ID] = p
	m.mu.Unlock()
	m.waits.Go(func() {
		defer asked.Close()
		defer close(p.over)
		p.end, p.err = asked.Await(m.ctx, f.ownerGone(m.env, &asked.Ask))
	})
	answer, sent, err := m.waitForAnswer(ctx, p, in.Wait)
	if ctx.Err() != nil && m.ctx.Err() == nil { // the client has canceled the call and does not know the ID
		m.openAsks().Withdraw(&p.ask, "the agent has given it up")
	}
	return answer, sent, err
}

// await waits for the answer to an earlier ask.
func (m *mcpAsks) await(ctx context.Context, arguments json.RawMessage) (any, func(), error) {
	var in struct {
		ID   string `json:"id"`
		Wait int    `json:"wait"`
	}
	if err := decodeArguments(arguments, &in); err != nil {
		return nil, nil, err
	}
	m.mu.Lock()
	p := m.asked[in.ID]
	m.mu.Unlock()
	if p == nil {
		return nil, nil, fmt.Errorf("%q: nothing was asked here under this id", in.ID)
	}
	return m.waitForAnswer(ctx, p, in.Wait)
}

// decodeArguments decodes the arguments of a tool, if there are any. It fails for unknown ones.
func decodeArguments(arguments json.RawMessage, in any) error {
	if len(arguments) == 0 {
		return nil
	}
	d := json.NewDecoder(bytes.NewReader(arguments))
	d.DisallowUnknownFields()
	return d.Decode(in)
}

// waitForAnswer waits for an answer within the client's patience. The answer is delivered once it was sent.
func (m *mcpAsks) waitForAnswer(ctx context.Context, p *pendingAsk, seconds int) (any, func(), error) {
	limit := min(time.Duration(cmp.Or(max(seconds, 0), int(usualWait/time.Second)))*time.Second, longWait)
	select {
	case <-time.After(limit):
		return mcpAnswer{ID: p.ask.ID, State: "pending"}, nil, nil
	case <-ctx.Done():
		return nil, nil, ctx.Err()
	case <-p.over:
	}
	switch {
	case p.err != nil:
		return nil, nil, p.err
	case p.end.State != ask.Answered:
		return mcpAnswer{ID: p.ask.ID, State: string(p.end.State), Reason: p.end.Reason}, nil, nil
	}
	delivered := func() { m.openAsks().Delivered(p.ask.ID) } // if this fails, the answer stays "not delivered", which is safe
	return mcpAnswer{ID: p.ask.ID, State: wordOf(p.ask.Kind, p.end.Answer), Said: p.ask.Said(p.end.Answer)}, delivered, nil
}
