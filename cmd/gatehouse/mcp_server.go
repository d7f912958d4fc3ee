package main

// JSON-RPC 2.0 as the Model Context Protocol uses it over standard input and output: one message per line.

import (
	"bufio"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"slices"
	"strings"
	"sync"

	"gatehouse/statusline"
)

// mcpVersions are the protocol versions, the newest first. A client that names another one gets the newest.
var mcpVersions = []string{"2025-11-25", "2025-06-18", "2025-03-26", "2024-11-05"}

// mcpMessageLimit bounds the length of a message in bytes. A longer one ends the server.
const mcpMessageLimit = 1 << 20

// Error codes of JSON-RPC.
const (
	rpcParseError     = -32700
	rpcInvalidRequest = -32600
	rpcUnknownMethod  = -32601
	rpcInvalidParams  = -32602
)

// rpcError is the error of a request.
type rpcError struct {
	Code    int    `json:"code"`
	Message string `json:"message"`
}

// rpcRequest is a message of the client: a request, or a notification if it has no ID.
type rpcRequest struct {
	ID     json.RawMessage `json:"id"`
	Method string          `json:"method"`
	Params struct {
		ProtocolVersion string          `json:"protocolVersion"`
		Name            string          `json:"name"`      // of a tool
		Arguments       json.RawMessage `json:"arguments"` // of a tool
		RequestID       json.RawMessage `json:"requestId"` // of a canceled call
	} `json:"params"`
}

// rpcResponse is the response to a request.
type rpcResponse struct {
	Version string          `json:"jsonrpc"`
	ID      json.RawMessage `json:"id"`
	Result  any             `json:"result,omitempty"`
	Error   *rpcError       `json:"error,omitempty"`
}

// mcpTool is a tool. call returns its output and a function to run once the client has it.
type mcpTool struct {
	Name        string          `json:"name"`
	Description string          `json:"description"`
	InputSchema json.RawMessage `json:"inputSchema"`

	call func(ctx context.Context, arguments json.RawMessage) (output any, sent func(), err error)
}

// mcpServer serves one client.
type mcpServer struct {
	stdin  io.Reader
	stdout io.Writer
	tools  []mcpTool

	mu    sync.Mutex                    // also held while a response is written
	calls map[string]context.CancelFunc // of the calls that are not canceled, by ID
}

// serve answers the client's requests until it ends or ctx does. Calls run at the same time: at the end, serve cancels ctx by stop and
// waits for them.
func (m *mcpServer) serve(ctx context.Context, stop func()) error {
	m.calls = map[string]context.CancelFunc{}
	var calls sync.WaitGroup
	defer calls.Wait()
	defer stop()
	lines := make(chan string)
	ended := make(chan error, 1)
	go func() {
		in := bufio.NewScanner(m.stdin)
		in.Buffer(nil, mcpMessageLimit)
		for in.Scan() {
			if text := strings.TrimSpace(in.Text()); text != "" {
				lines <- text
			}
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
			m.handleMessage(ctx, []byte(text), &calls)
		}
	}
}

// handleMessage handles a message of the client. Calls of tools run in the background.
func (m *mcpServer) handleMessage(ctx context.Context, text []byte, calls *sync.WaitGroup) {
	var r rpcRequest
	err := json.Unmarshal(text, &r)
	switch {
	case !json.Valid(text):
		m.respond(nil, nil, &rpcError{rpcParseError, "this is not JSON"})
	case err != nil || r.Method == "":
		m.respond(r.ID, nil, &rpcError{rpcInvalidRequest, "this is not a request"})
	case r.Method == "notifications/cancelled":
		m.mu.Lock()
		defer m.mu.Unlock()
		if cancel := m.calls[string(r.Params.RequestID)]; cancel != nil {
			cancel()
			delete(m.calls, string(r.Params.RequestID))
		}
	case r.ID == nil: // other notifications
	case r.Method == "tools/call":
		m.callTool(ctx, r, calls)
	default:
		result, failed := m.resultFor(r)
		m.respond(r.ID, result, failed)
	}
}

// resultFor returns the result of a request that needs no waiting.
func (m *mcpServer) resultFor(r rpcRequest) (any, *rpcError) {
	type object = map[string]any
	switch r.Method {
	case "initialize":
		version := r.Params.ProtocolVersion
		if !slices.Contains(mcpVersions, version) {
			version = mcpVersions[0]
		}
		return object{"protocolVersion": version, "capabilities": object{"tools": object{}},
			"serverInfo": object{"name": "gatehouse", "version": statusline.Version}}, nil
	case "ping":
		return object{}, nil
	case "tools/list":
		return object{"tools": m.tools}, nil
	}
	return nil, &rpcError{rpcUnknownMethod, fmt.Sprintf("%q: unknown method", r.Method)}
}

// callTool calls a tool in the background. A canceled call gets no response.
func (m *mcpServer) callTool(ctx context.Context, r rpcRequest, calls *sync.WaitGroup) {
	i := slices.IndexFunc(m.tools, func(t mcpTool) bool { return t.Name == r.Params.Name })
	if i < 0 {
		m.respond(r.ID, nil, &rpcError{rpcInvalidParams, fmt.Sprintf("%q: unknown tool", r.Params.Name)})
		return
	}
	ctx, cancel := context.WithCancel(ctx)
	m.mu.Lock()
	m.calls[string(r.ID)] = cancel
	m.mu.Unlock()
	calls.Go(func() {
		defer cancel()
		output, sent, err := m.tools[i].call(ctx, r.Params.Arguments)
		m.mu.Lock()
		isCanceled := m.calls[string(r.ID)] == nil
		delete(m.calls, string(r.ID))
		m.mu.Unlock()
		if !isCanceled && m.respond(r.ID, toolResult(output, err), nil) == nil && sent != nil {
			sent()
		}
	})
}

// toolResult returns the result of a call: its output, as JSON for the program and as text for the model.
func toolResult(output any, err error) any {
	type text struct {
		Type string `json:"type"`
		Text string `json:"text"`
	}
	if err != nil {
		return map[string]any{"content": []text{{"text", err.Error()}}, "isError": true}
	}
	said, err := json.Marshal(output)
	if err != nil {
		return toolResult(nil, err)
	}
	return map[string]any{"content": []text{{"text", string(said)}}, "structuredContent": output}
}

// respond writes a response. A nil ID is that of a message without a readable one.
func (m *mcpServer) respond(id json.RawMessage, result any, failed *rpcError) error {
	text, err := json.Marshal(rpcResponse{"2.0", id, result, failed}) // nil is null
	if err != nil {
		return err
	}
	m.mu.Lock()
	defer m.mu.Unlock()
	_, err = m.stdout.Write(append(text, '\n'))
	return err
}
