// Package codex speaks to Codex's app server, which runs the sessions ("threads") of all Codex windows of a user: JSON-RPC over WebSocket
// over a Unix socket, as "codex app-server generate-json-schema" prints it. Tried with 0.169.0.
package codex

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"net"
	"net/http"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"time"

	"github.com/coder/websocket"
	"github.com/coder/websocket/wsjson"

	"gatehouse/parse/disk/statefile"
)

const (
	messageLimit = 32 << 20               // bytes of a message of the server
	callTimeout  = 10 * time.Second       // of a request to it
	serveTimeout = 100 * time.Millisecond // of [ServesDaemon], which a hook waits for
)

// muted are the notifications that the server does not send.
var muted = []string{"item/agentMessage/delta", "item/plan/delta", "item/reasoning/textDelta", "item/reasoning/summaryTextDelta",
	"item/commandExecution/outputDelta", "item/fileChange/outputDelta", "turn/diff/updated"}

// Socket returns the path of the app server's control socket, which need not exist.
func Socket(home string, env func(name string) string) string {
	dir := env("CODEX_HOME")
	if !filepath.IsAbs(dir) {
		dir = filepath.Join(home, ".codex")
	}
	return filepath.Join(dir, "app-server-control", "app-server-control.sock")
}

// DialOwned connects to a Unix socket of this user and refuses sockets of other users. The path may be a symbolic link.
func DialOwned(ctx context.Context, path string) (net.Conn, error) {
	target, err := filepath.EvalSymlinks(path)
	if err != nil {
		return nil, err
	}
	if info, err := os.Lstat(target); err != nil || info.Mode().Type() != fs.ModeSocket || !statefile.IsOwn(info) {
		return nil, fmt.Errorf("%s: not a socket of this user", path)
	}
	var d net.Dialer
	return d.DialContext(ctx, "unix", target)
}

// object is a JSON object to send.
type object = map[string]any

// message is a JSON-RPC message. A request has an ID and a method, a notification a method, a response an ID.
type message struct {
	ID, Params, Result json.RawMessage
	Method             string
	Error              *struct{ Message string }
}

// Client is a connection to the app server, for one goroutine.
type Client struct {
	conn     *websocket.Conn
	stop     context.CancelFunc
	received chan message // closed when the connection ends
	early    []message    // requests and notifications that came during calls
	calls    int
}

// Dial connects to the app server. The connection ends with ctx or Close.
func Dial(ctx context.Context, socket string) (*Client, error) {
	dialing, done := context.WithTimeout(ctx, callTimeout)
	defer done()
	conn, _, err := websocket.Dial(dialing, "ws://localhost/", &websocket.DialOptions{HTTPClient: &http.Client{Transport: &http.Transport{
		DialContext:       func(ctx context.Context, _, _ string) (net.Conn, error) { return DialOwned(ctx, socket) },
		DisableKeepAlives: true, // a server that refuses would keep its connection
	}}})
	if err != nil {
		return nil, fmt.Errorf("connect to Codex's app server: %w", err)
	}
	conn.SetReadLimit(messageLimit)
	ctx, stop := context.WithCancel(ctx)
	c := &Client{conn: conn, stop: stop, received: make(chan message)}
	go c.readMessages(ctx)
	err = c.callMethod(ctx, "initialize", object{"clientInfo": object{"name": "gatehouse", "version": "1"},
		"capabilities": object{"experimentalApi": true, "optOutNotificationMethods": muted}}, nil)
	if err == nil {
		err = c.sendMessage(ctx, object{"method": "initialized"})
	}
	if err != nil {
		c.Close()
		return nil, err
	}
	return c, nil
}

// Close ends the connection.
func (c *Client) Close() {
	c.stop()
	c.conn.CloseNow()
}

// readMessages delivers the server's messages.
func (c *Client) readMessages(ctx context.Context) {
	defer close(c.received)
	for {
		var m message
		if wsjson.Read(ctx, c.conn, &m) != nil {
			return
		}
		select {
		case c.received <- m:
		case <-ctx.Done():
		}
	}
}

// sendMessage writes a message. Several goroutines may send at once.
func (c *Client) sendMessage(ctx context.Context, m any) error { return wsjson.Write(ctx, c.conn, m) }

// callMethod sends a request and decodes its result unless result is nil.
func (c *Client) callMethod(ctx context.Context, method string, params, result any) error {
	ctx, stop := context.WithTimeout(ctx, callTimeout)
	defer stop()
	c.calls++
	if err := c.sendMessage(ctx, object{"id": c.calls, "method": method, "params": params}); err != nil {
		return err
	}
	for {
		select {
		case <-ctx.Done():
			return ctx.Err()
		case m, open := <-c.received:
			switch {
			case !open:
				return errors.New("the app server of Codex closed the connection")
			case m.Method != "":
				c.early = append(c.early, m)
			case string(m.ID) != strconv.Itoa(c.calls):
			case m.Error != nil:
				return fmt.Errorf("app server of Codex: %s: %s", method, m.Error.Message)
			case result == nil:
				return nil
			default:
				return json.Unmarshal(m.Result, result)
			}
		}
	}
}

// loadedThreads returns the IDs of the threads that the server runs.
func (c *Client) loadedThreads(ctx context.Context) ([]string, error) {
	var page struct{ Data []string }
	err := c.callMethod(ctx, "thread/loaded/list", object{}, &page)
	return page.Data, err
}

// resumeThread loads a thread and subscribes to it: the server sends its open requests.
func (c *Client) resumeThread(ctx context.Context, id string) error {
	return c.callMethod(ctx, "thread/resume", object{"threadId": id, "excludeTurns": true}, nil)
}

// StartTurn sends words to a thread as its user's own message. The server loads the thread first if it was closed.
func (c *Client) StartTurn(ctx context.Context, thread, words string) error {
	loaded, err := c.loadedThreads(ctx)
	if err == nil && !slices.Contains(loaded, thread) {
		err = c.resumeThread(ctx, thread)
	}
	if err != nil {
		return err
	}
	return c.callMethod(ctx, "turn/start", object{"threadId": thread, "input": textInput(words)}, nil)
}

func textInput(words string) []object { return []object{{"type": "text", "text": words}} }

// ServesDaemon reports whether the app server behind a socket runs a thread. It takes at most 100 ms, and without a
// socket microseconds.
//
// The hook of a Codex session calls it before it asks. If it is true and a dashboard attends the store, the [Bridge] of
// that dashboard shows the thread's ask; the hook prints nothing, so that Codex's own prompt appears at once.
func ServesDaemon(ctx context.Context, socket, thread string) bool {
	ctx, stop := context.WithTimeout(ctx, serveTimeout)
	defer stop()
	c, err := Dial(ctx, socket)
	if err != nil {
		return false
	}
	defer c.Close()
	ids, err := c.loadedThreads(ctx)
	return err == nil && slices.Contains(ids, thread)
}
