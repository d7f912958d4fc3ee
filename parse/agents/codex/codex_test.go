//go:build unix

package codex

import (
	"cmp"
	"context"
	"encoding/json"
	"net"
	"net/http"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/coder/websocket"

	"gatehouse/model"
	"gatehouse/parse/agents/ask"
	"gatehouse/parse/disk/process"

	"gatehouse/parse/conformance"
)

// server is an app server of one thread, as Codex 0.169.0 behaves.
type server struct {
	t       *testing.T
	socket  string
	listen  net.Listener
	mu      sync.Mutex
	conns   []*websocket.Conn
	fresh   bool     // thread t1 does not exist yet
	status  string   // of thread t1, JSON
	asks    []string // requests that are open, JSON
	resumes int
	got     []string // responses of clients, and their turn and unsubscribe requests, as "method params" or "id result"
}

const (
	idle     = `{"type":"idle"}`
	approval = `{"type":"active","activeFlags":["waitingOnApproval"]}`
	input    = `{"type":"active","activeFlags":["waitingOnUserInput"]}`
)

func newServer(t *testing.T) *server {
	dir, err := os.MkdirTemp("", "cx") // the path of a socket must be short
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { os.RemoveAll(dir) })
	s := &server{t: t, socket: filepath.Join(dir, "link"), status: idle}
	if err := os.Symlink(filepath.Join(dir, "s"), s.socket); err != nil {
		t.Fatal(err)
	}
	s.start(filepath.Join(dir, "s"))
	return s
}

func (s *server) start(path string) {
	listen, err := net.Listen("unix", path)
	if err != nil {
		s.t.Fatal(err)
	}
	s.listen = listen
	web := &http.Server{Handler: http.HandlerFunc(s.serve)}
	go web.Serve(listen)
	s.t.Cleanup(func() { web.Close(); s.stop() })
}

// stop ends the server.
func (s *server) stop() {
	s.listen.Close()
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, c := range s.conns {
		c.CloseNow()
	}
	s.conns = nil
}

func (s *server) serve(w http.ResponseWriter, r *http.Request) {
	c, err := websocket.Accept(w, r, nil)
	if err != nil {
		return
	}
	for {
		_, text, err := c.Read(context.Background())
		if err != nil {
			return
		}
		var m message
		json.Unmarshal(text, &m)
		s.mu.Lock()
		if m.Method == "initialized" {
			s.conns = append(s.conns, c)
		}
		if m.Method == "" {
			s.got = append(s.got, string(m.ID)+" "+string(m.Result))
			s.asks = nil
		} else if strings.HasPrefix(m.Method, "turn/") || m.Method == "thread/unsubscribe" {
			s.got = append(s.got, m.Method+" "+string(m.Params))
		}
		result, asks := "{}", []string(nil)
		switch m.Method {
		case "thread/loaded/list":
			if result = `{"data":["t1","title"]}`; s.fresh {
				result = `{"data":["title"]}`
			}
		case "thread/read":
			result = `{"thread":{"id":"t1","name":"Make a file\u001b[2J","preview":"go on","cwd":"/shop","model":"m","createdAt":5,"updatedAt":6,"gitInfo":{"branch":"main"},"status":` + s.status + `}}`
			if strings.Contains(string(m.Params), "title") {
				result = `{"thread":{"id":"title","ephemeral":true,"status":{"type":"active","activeFlags":[]}}}`
			}
		case "thread/resume":
			asks = s.asks
			s.resumes++
			result = `{"initialTurnsPage":{"data":[{"items":[{"id":"i0"},{"id":"i1","changes":[` +
				`{"path":"/shop/a.txt","kind":{"type":"update","move_path":"/etc/b.txt"}},{"path":"/shop/new.txt","kind":{"type":"add"}}]}]}]}}`
		}
		s.mu.Unlock()
		if len(m.ID) > 0 && m.Method != "" {
			c.Write(context.Background(), websocket.MessageText, []byte(`{"id":`+string(m.ID)+`,"result":`+result+`}`))
		}
		for _, a := range asks {
			c.Write(context.Background(), websocket.MessageText, []byte(a))
		}
	}
}

// push sends a notification to every client.
func (s *server) push(text string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, c := range s.conns {
		c.Write(context.Background(), websocket.MessageText, []byte(text))
	}
}

// setState changes the thread's state.
func (s *server) setState(status string, asks ...string) {
	s.mu.Lock()
	s.status, s.asks = status, asks
	s.mu.Unlock()
	s.push(`{"method":"thread/status/changed","params":{"threadId":"t1","status":` + status + `}}`)
}

func (s *server) received() string {
	s.mu.Lock()
	defer s.mu.Unlock()
	return strings.Join(s.got, "\n")
}

func soon(t *testing.T, what string, ok func() bool) {
	t.Helper()
	for end := time.Now().Add(time.Minute); !ok(); time.Sleep(5 * time.Millisecond) {
		if time.Now().After(end) {
			t.Fatal("not seen: " + what)
		}
	}
}

func newStore(t *testing.T) *ask.Store {
	dir := t.TempDir()
	return ask.Open(ask.Options{Dir: filepath.Join(dir, "agents"), Journal: filepath.Join(dir, "journal"), User: "ann", Table: process.System{}, Now: time.Now})
}

// run runs a bridge until the test ends, or stop is called.
func run(t *testing.T, socket string, store *ask.Store) (b *Bridge, stop func()) {
	b = &Bridge{Socket: socket, Store: store, Project: func(dir string) string { return dir }, Poll: 20 * time.Millisecond}
	ctx, cancel := context.WithCancel(t.Context())
	done := make(chan struct{})
	go func() { b.Run(ctx); close(done) }()
	stop = func() { cancel(); <-done }
	t.Cleanup(stop)
	return b, stop
}

func (b *Bridge) state() (all string) {
	for _, t := range b.Sessions() {
		all += string(t.State) + ":" + t.Waits
	}
	return all
}

// waiting returns the only ask that waits.
func waiting(t *testing.T, store *ask.Store) (item *ask.Item) {
	t.Helper()
	soon(t, "an ask", func() bool {
		items, _ := store.List(false)
		if len(items) == 1 {
			item, _ = store.Get(items[0].ID)
		}
		return item != nil
	})
	return item
}

func endedAsk(t *testing.T, store *ask.Store, id string) (item *ask.Item) {
	t.Helper()
	soon(t, "the end of "+id, func() bool {
		item, _ = store.Get(id)
		return item != nil && item.State != ask.Waiting
	})
	return item
}

const (
	command = `{"method":"item/commandExecution/requestApproval","id":0,"params":{"threadId":"t1","turnId":"u1","itemId":"i9","reason":"Make the file","command":"/bin/bash -lc 'rm -rf made && echo \"x\"'","cwd":"/shop"}}`
	change  = `{"method":"item/fileChange/requestApproval","id":0,"params":{"threadId":"t1","turnId":"u1","itemId":"lost","reason":null}}`
	choices = `{"method":"item/tool/requestUserInput","id":0,"params":{"threadId":"t1","turnId":"u1","itemId":"i9","questions":[` +
		`{"id":"db","header":"Database","question":"Which database?","isOther":true,"options":[{"label":"Postgres","description":"A server"},{"label":"SQLite","description":"One file"}]},` +
		`{"id":"name","header":"Name","question":"Which name?","isOther":false,"options":null}]}}`
	secret = `{"method":"item/tool/requestUserInput","id":0,"params":{"threadId":"t1","turnId":"u1","itemId":"i9","questions":[{"id":"key","question":"Which key?","isSecret":true}]}}`
)

func TestBridgeSendsAnswers(t *testing.T) {
	conformance.OwnRows(t, "answers.jsonl", func(t *testing.T, c struct {
		ID, Status, Request, Text, Input, Reason, Danger, Sent string

		Answer model.Answer
	}) {
		s, store := newServer(t), newStore(t)
		b, _ := run(t, s.socket, store)
		soon(t, "idle", func() bool { return b.state() == "idle:" })
		s.setState(c.Status, c.Request)
		item := waiting(t, store)
		if item.Text != c.Text || item.Agent != "codex" || item.Session != "t1" || item.Project != "/shop" || item.Marks["CODEX_THREAD_ID"] != "t1" {
			t.Errorf("%+v", item)
		}
		if call := cmp.Or(item.Call, &ask.Call{}); c.Input != "" && (call.Input != c.Input || call.Reason != c.Reason || call.Diff != "" ||
			len(call.Dangers) != 1 || call.Dangers[0].Part != c.Danger) {
			t.Errorf("%+v", call)
		}
		soon(t, "the text of the ask", func() bool { return b.state() == "waiting:"+c.Text })
		if _, err := store.Answer(item.ID, c.Answer, ask.ByCommand); err != nil {
			t.Fatal(err)
		}
		soon(t, c.Sent, func() bool { return s.received() == c.Sent })
		soon(t, "delivered", func() bool { return endedAsk(t, store, item.ID).Delivered })
		s.setState(idle)
		soon(t, "unsubscribed", func() bool { return strings.HasSuffix(s.received(), `thread/unsubscribe {"threadId":"t1"}`) })
	})
}

// TestBridgeWithdraws: an ask is withdrawn if it is answered in Codex's own prompt, or if the server or the dashboard is gone.
func TestBridgeWithdraws(t *testing.T) {
	for _, c := range []struct {
		name, reason string
		by           func(s *server, stop func())
	}{
		{"resolved", "answered in the agent's own prompt", func(s *server, _ func()) {
			s.push(`{"method":"serverRequest/resolved","params":{"threadId":"t1","requestId":0}}`)
		}},
		{"the turn continues", "answered in the agent's own prompt", func(s *server, _ func()) { s.setState(idle) }},
		{"closed", "answered in the agent's own prompt", func(s *server, _ func()) { s.setState(`{"type":"notLoaded"}`) }},
		{"server gone", "the app server of Codex is gone", func(s *server, _ func()) { s.stop() }},
		{"dashboard closed", "the dashboard was closed; the agent's own prompt waits", func(_ *server, stop func()) { stop() }},
	} {
		t.Run(c.name, func(t *testing.T) {
			s, store := newServer(t), newStore(t)
			s.status, s.asks = approval, []string{command}
			_, stop := run(t, s.socket, store)
			id := waiting(t, store).ID
			c.by(s, stop)
			if end := endedAsk(t, store, id).End; end.State != ask.Withdrawn || end.Reason != c.reason {
				t.Errorf("%+v", end)
			}
			if got := s.received(); strings.Contains(got, "decision") {
				t.Error(got)
			}
		})
	}
}

// TestBridgeAsksOnce: only one of two dashboards asks; when it is closed, the other takes over.
func TestBridgeAsksOnce(t *testing.T) {
	s, store := newServer(t), newStore(t)
	s.status, s.asks = approval, []string{command}
	_, stop := run(t, s.socket, store)
	first := waiting(t, store).ID
	b, _ := run(t, s.socket, store)
	soon(t, "the second follows", func() bool { return b.state() == "waiting:permission" })
	time.Sleep(100 * time.Millisecond)
	if id := waiting(t, store).ID; id != first {
		t.Errorf("asked again: %s", id)
	}
	stop()
	if id := waiting(t, store).ID; id == first {
		t.Error("not taken over")
	}
}

func TestBridgeSeesNewThreads(t *testing.T) {
	s := newServer(t)
	s.fresh = true
	b, _ := run(t, s.socket, nil)
	soon(t, "connected", func() bool { s.mu.Lock(); defer s.mu.Unlock(); return len(s.conns) == 1 })
	s.push(`{"method":"thread/started","params":{"thread":{"id":"t1"}}}`)
	soon(t, "idle", func() bool { return b.state() == "idle:" })
}

// TestBridgeLeavesPromptToCodex: only Codex's own prompt asks for a secret or for a change of unknown files, also if the server starts
// later or the bridge has no store.
func TestBridgeLeavesPromptToCodex(t *testing.T) {
	for name, request := range map[string]string{"secret": secret, "change": change} {
		t.Run(name, func(t *testing.T) {
			s, store := newServer(t), newStore(t)
			s.status, s.asks = input, []string{request}
			target, _ := os.Readlink(s.socket)
			s.stop()
			b, _ := run(t, s.socket, store)
			silent, _ := run(t, s.socket, nil)
			time.Sleep(50 * time.Millisecond)
			if got := b.state(); got != "" {
				t.Errorf("%q", got)
			}
			os.Remove(target)
			s.start(target)
			for _, b := range []*Bridge{b, silent} {
				soon(t, "connected", func() bool { return b.state() == "waiting:answers to its questions" })
			}
			time.Sleep(100 * time.Millisecond)
			if items, _ := store.List(true); len(items) > 0 {
				t.Errorf("%+v", items)
			}
			if s.mu.Lock(); s.resumes > 2 {
				t.Errorf("%d times resumed", s.resumes)
			}
			s.mu.Unlock()
		})
	}
}

func TestClient(t *testing.T) {
	s := newServer(t)
	b, stop := run(t, s.socket, nil)
	soon(t, "a thread", func() bool { return len(b.Sessions()) == 1 })
	got := b.Sessions()[0]
	want := ask.Session{Alive: true, Session: model.Session{Agent: "codex", ID: "t1", Title: got.Title, Dir: "/shop", Branch: "main", Model: "m", State: model.SessionIdle, Began: time.Unix(5, 0), Since: time.Unix(6, 0)}}
	if !reflect.DeepEqual(got, want) || !strings.HasPrefix(got.Title, "Make a file") || strings.Contains(got.Title, "\x1b") {
		t.Errorf("%+v", got)
	}
	stop()
	c, err := Dial(t.Context(), s.socket)
	if err != nil {
		t.Fatal(err)
	}
	defer c.Close()
	if err := c.StartTurn(t.Context(), "t1", "-x"); err != nil || s.received() != `turn/start {"input":[{"text":"-x","type":"text"}],"threadId":"t1"}` {
		t.Errorf("%v: %s", err, s.received())
	}
	if !ServesDaemon(t.Context(), s.socket, "t1") || ServesDaemon(t.Context(), s.socket, "t2") || ServesDaemon(t.Context(), s.socket+"x", "t1") {
		t.Error("ServesDaemon")
	}
	if got := Socket("/h", func(string) string { return "" }); got != "/h/.codex/app-server-control/app-server-control.sock" {
		t.Error(got)
	}
	if got := Socket("/h", func(string) string { return "/c" }); got != "/c/app-server-control/app-server-control.sock" {
		t.Error(got)
	}
}

// TestDialOwnedRefuses: a socket of another user, and a file that is not a socket, are refused.
func TestDialOwnedRefuses(t *testing.T) {
	s := newServer(t)
	file := filepath.Join(t.TempDir(), "file")
	if err := os.WriteFile(file, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	refused := []string{file}
	if target, _ := os.Readlink(s.socket); os.Geteuid() == 0 && os.Lchown(target, 12345, 12345) == nil {
		refused = append(refused, s.socket)
	}
	for _, path := range refused {
		if c, err := DialOwned(t.Context(), path); err == nil {
			c.Close()
			t.Errorf("%s: connected", path)
		}
	}
}
