package main

// gatehouse mcp: ask and answer for agents whose client uses the Model Context Protocol: JSON-RPC 2.0 over standard input and output,
// one message per line.

import (
	"bufio"
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/spf13/cobra"

	"gatehouse/parse/agents/ask"
	"gatehouse/statusline"
)

const (
	// usualWait is how long a tool waits for an answer before it reports that there is none yet: clients cancel a call after about a
	// minute, some move it to the background.
	usualWait = 45 * time.Second
	longWait  = 55 * time.Second
	// mcpMessageLimit bounds the length of a message in bytes. A longer one ends the server.
	mcpMessageLimit = 1 << 20
)

// mcpVersions are the protocol versions, the newest first. A client that names another one gets the newest.
var mcpVersions = []string{"2025-11-25", "2025-06-18", "2025-03-26", "2024-11-05"}

// mcpTools is the list of tools.
const mcpTools = `[{"name": "ask", "description": "Ask the user, who may be away from this terminal, and wait for the answer: an option (several with
 multi), or the user's own words unless no_text excludes them. Without options and text the question is one of yes or no. If the result's state is
 \"pending\", call await with its id, as often as needed. Do not ask again, and do not take silence for an answer.",
	"inputSchema": {"type": "object", "additionalProperties": false, "required": ["question"], "properties": {
		"question": {"type": "string", "description": "what is asked, in one sentence that stands on its own"},
		"options": {"type": "array", "items": {"type": "string"}, "description": "answers to choose from"},
		"multi": {"type": "boolean", "description": "several options may be picked"},
		"text": {"type": "boolean", "description": "ask for the user's own words, even without options"},
		"no_text": {"type": "boolean", "description": "only the options are answers, not the user's own words"},
		"wait": {"type": "integer", "description": "how many seconds to wait, 45 by default, 55 at most"}}}},
{"name": "await", "description": "Wait for the answer to an earlier question, by its id. State \"pending\" means that there is no answer yet: call it again.",
	"inputSchema": {"type": "object", "additionalProperties": false, "required": ["id"], "properties": {
		"id": {"type": "string", "description": "the id that ask has returned"},
		"wait": {"type": "integer", "description": "how many seconds to wait, 45 by default, 55 at most"}}}}]`

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
				m := &mcpServer{env: s, asked: map[string]*pendingAsk{}, calls: map[string]context.CancelFunc{}}
				return m.serve(ctx)
			})
		},
	}
}

// mcpServer serves one client.
type mcpServer struct {
	*env
	ctx   context.Context // ends with the client
	work  sync.WaitGroup  // calls, and waits for answers
	mu    sync.Mutex      // also held while a response is written
	asked map[string]*pendingAsk
	calls map[string]context.CancelFunc // of the calls that are not canceled, by ID
}

// pendingAsk is an ask of the client.
type pendingAsk struct {
	ask  ask.Ask
	over chan struct{} // closed when it has ended
	end  *ask.End
	err  error
}

// mcpRequest is a message of the client: a request, or a notification if it has no ID.
type mcpRequest struct {
	ID     json.RawMessage `json:"id"`
	Method string          `json:"method"`
	Params struct {
		ProtocolVersion string          `json:"protocolVersion"`
		Name            string          `json:"name"`      // of a tool
		Arguments       json.RawMessage `json:"arguments"` // of a tool
		RequestID       json.RawMessage `json:"requestId"` // of a canceled call
	} `json:"params"`
}

// mcpArguments are the arguments of both tools.
type mcpArguments struct {
	Question string   `json:"question"`
	Options  []string `json:"options"`
	Multi    bool     `json:"multi"`
	Text     bool     `json:"text"`
	NoText   bool     `json:"no_text"`
	ID       string   `json:"id"`
	Wait     int      `json:"wait"`
}

// mcpAnswer is the output of both tools. State is pending, answered, allowed, denied, withdrawn or expired. Said has the labels that were
// picked and the user's own words.
type mcpAnswer struct {
	ID     string   `json:"id"`
	State  string   `json:"state"`
	Said   []string `json:"said,omitempty"`
	Reason string   `json:"reason,omitempty"`

	answered bool // there is an answer to deliver
}

// object is a JSON object.
type object = map[string]any

// serve answers the client's requests until it ends or ctx does. Calls run at the same time.
func (m *mcpServer) serve(ctx context.Context) error {
	var stop context.CancelCauseFunc
	m.ctx, stop = context.WithCancelCause(ctx)
	defer m.work.Wait()
	defer stop(errors.New("the agent's client has ended"))
	lines := make(chan []byte)
	ended := make(chan error, 1)
	go func() {
		in := bufio.NewScanner(m.stdin)
		in.Buffer(nil, mcpMessageLimit)
		for in.Scan() {
			lines <- bytes.Clone(in.Bytes())
		}
		ended <- in.Err()
	}()
	for {
		select {
		case <-ctx.Done():
			return nil
		case err := <-ended:
			return err
		case text := <-lines:
			if len(bytes.TrimSpace(text)) > 0 {
				m.handleMessage(text)
			}
		}
	}
}

// handleMessage handles a message of the client. Calls of tools run in the background.
func (m *mcpServer) handleMessage(text []byte) {
	var r mcpRequest
	err := json.Unmarshal(text, &r)
	switch {
	case !json.Valid(text):
		m.fail(nil, -32700, "this is not JSON")
	case err != nil || r.Method == "":
		m.fail(r.ID, -32600, "this is not a request")
	case r.Method == "notifications/cancelled":
		m.mu.Lock()
		defer m.mu.Unlock()
		if cancel := m.calls[string(r.Params.RequestID)]; cancel != nil {
			cancel()
			delete(m.calls, string(r.Params.RequestID))
		}
	case r.ID == nil: // other notifications
	case r.Method == "initialize":
		version := r.Params.ProtocolVersion
		if !slices.Contains(mcpVersions, version) {
			version = mcpVersions[0]
		}
		server := object{"name": "gatehouse", "version": statusline.Version}
		m.respond(r.ID, object{"protocolVersion": version, "capabilities": object{"tools": object{}}, "serverInfo": server})
	case r.Method == "ping":
		m.respond(r.ID, object{})
	case r.Method == "tools/list":
		m.respond(r.ID, object{"tools": json.RawMessage(strings.ReplaceAll(mcpTools, "\n ", " "))})
	case r.Method == "tools/call" && (r.Params.Name == "ask" || r.Params.Name == "await"):
		m.callTool(r)
	case r.Method == "tools/call":
		m.fail(r.ID, -32602, fmt.Sprintf("%q: unknown tool", r.Params.Name))
	default:
		m.fail(r.ID, -32601, fmt.Sprintf("%q: unknown method", r.Method))
	}
}

// callTool calls a tool in the background. A canceled call gets no response.
func (m *mcpServer) callTool(r mcpRequest) {
	ctx, cancel := context.WithCancel(m.ctx)
	m.mu.Lock()
	m.calls[string(r.ID)] = cancel
	m.mu.Unlock()
	m.work.Go(func() {
		defer cancel()
		answer, err := m.runTool(ctx, r)
		m.mu.Lock()
		isCanceled := m.calls[string(r.ID)] == nil
		delete(m.calls, string(r.ID))
		m.mu.Unlock()
		switch {
		case isCanceled:
		case err != nil:
			m.respond(r.ID, object{"content": []object{{"type": "text", "text": err.Error()}}, "isError": true})
		default:
			text, _ := json.Marshal(answer) // it consists of texts
			failed := m.respond(r.ID, object{"content": []object{{"type": "text", "text": string(text)}}, "structuredContent": answer})
			if failed == nil && answer.answered {
				m.openAsks().Delivered(answer.ID) // if this fails, the answer stays "not delivered", which is safe
			}
		}
	})
}

// runTool runs a tool.
func (m *mcpServer) runTool(ctx context.Context, r mcpRequest) (answer mcpAnswer, err error) {
	var in mcpArguments
	d := json.NewDecoder(strings.NewReader(cmp.Or(string(r.Params.Arguments), "{}")))
	d.DisallowUnknownFields()
	if err := d.Decode(&in); err != nil {
		return answer, err
	}
	if r.Params.Name == "await" {
		m.mu.Lock()
		p := m.asked[in.ID]
		m.mu.Unlock()
		if p == nil {
			return answer, fmt.Errorf("%q: nothing was asked here under this id", in.ID)
		}
		return p.await(ctx, in.Wait)
	}
	if strings.TrimSpace(in.Question) == "" {
		return answer, errors.New("what is asked? the question is empty")
	}
	f := askFlags{options: in.Options, multi: in.Multi, own: in.Text, noOwn: in.NoText, dir: "."}
	a, err := f.newAsk(m.env, in.Question)
	if err != nil {
		return answer, err
	}
	asked, err := m.openAsks().Ask(a)
	if err != nil {
		return answer, err
	}
	p := &pendingAsk{ask: asked.Ask, over: make(chan struct{})}
	m.mu.Lock()
	m.asked[p.ask.ID] = p
	m.mu.Unlock()
	m.work.Go(func() {
		defer asked.Close()
		defer close(p.over)
		p.end, p.err = asked.Await(m.ctx, f.ownerGone(m.env, &asked.Ask))
	})
	answer, err = p.await(ctx, in.Wait)
	if ctx.Err() != nil && m.ctx.Err() == nil { // the client has canceled the call and does not know the ID
		m.openAsks().Withdraw(&p.ask, "the agent has given it up")
	}
	return answer, err
}

// await waits for an answer within the client's patience.
func (p *pendingAsk) await(ctx context.Context, seconds int) (mcpAnswer, error) {
	answer := mcpAnswer{ID: p.ask.ID, State: "pending"}
	select {
	case <-time.After(min(time.Duration(cmp.Or(max(seconds, 0), int(usualWait/time.Second)))*time.Second, longWait)):
		return answer, nil
	case <-ctx.Done():
		return answer, ctx.Err()
	case <-p.over:
	}
	switch {
	case p.err != nil:
		return answer, p.err
	case p.end.State == ask.Answered:
		answer.State, answer.Said, answer.answered = wordOf(p.ask.Kind, p.end.Answer), p.ask.Said(p.end.Answer), true
	default:
		answer.State, answer.Reason = string(p.end.State), p.end.Reason
	}
	return answer, nil
}

// respond writes the result of a request.
func (m *mcpServer) respond(id json.RawMessage, result any) error {
	return m.write(object{"jsonrpc": "2.0", "id": id, "result": result})
}

// fail writes the error of a request. A nil ID is that of a message without a readable one.
func (m *mcpServer) fail(id json.RawMessage, code int, text string) {
	m.write(object{"jsonrpc": "2.0", "id": id, "error": object{"code": code, "message": text}})
}

func (m *mcpServer) write(message object) error {
	text, err := json.Marshal(message)
	if err != nil {
		return err
	}
	m.mu.Lock()
	defer m.mu.Unlock()
	_, err = m.stdout.Write(append(text, '\n'))
	return err
}
