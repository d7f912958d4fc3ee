package codex

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"io"
	"maps"
	"reflect"
	"slices"
	"sync"
	"sync/atomic"
	"time"

	"gatehouse/model"
	"gatehouse/model/line"
	"gatehouse/parse/agents/ask"
)

// pollInterval is how often the bridge looks for the socket, and for threads whose questions no dashboard shows.
const pollInterval = 3 * time.Second

// The reasons why an ask of the bridge is withdrawn.
var (
	errResolved     = errors.New(ask.ReasonTerminal)
	errDisconnected = errors.New("the app server of Codex is gone")
	errStopped      = errors.New("the dashboard was closed; the agent's own prompt waits")
)

// Bridge follows the threads of the app server for a dashboard. It copies open permissions and questions into the store of asks and
// sends answers back, while Codex shows its own prompt: the first answer wins. Only one bridge of a store asks.
type Bridge struct {
	Socket  string
	Store   *ask.Store              // nil to follow threads without showing their asks
	Project func(dir string) string // returns the root of the project that a directory belongs to
	Changed func()                  // called when threads have changed, unless nil; it must not block
	Poll    time.Duration           // how often to look for the socket; 0 means every 3 s

	shown atomic.Pointer[[]ask.Session]
	lease io.Closer // held while this bridge may ask
}

// Sessions returns the threads of the server, by ID. There are none while no app server runs. A title is from the user, from Codex, or the
// first prompt; a branch is from the time when the thread began.
func (b *Bridge) Sessions() []ask.Session {
	if sessions := b.shown.Load(); sessions != nil {
		return *sessions
	}
	return nil
}

// showSessions publishes the sessions if they have changed.
func (b *Bridge) showSessions(sessions []ask.Session) {
	if reflect.DeepEqual(sessions, b.Sessions()) {
		return
	}
	b.shown.Store(&sessions)
	if b.Changed != nil {
		b.Changed()
	}
}

// Run follows the app server until ctx ends, and connects again when the server returns. Without a server it costs a look at the file
// system every few seconds.
func (b *Bridge) Run(ctx context.Context) {
	b.Poll = cmp.Or(b.Poll, pollInterval)
	for ctx.Err() == nil {
		inner, cancel := context.WithCancelCause(context.WithoutCancel(ctx)) // outlives ctx until all asks are withdrawn
		if client, err := Dial(inner, b.Socket); err == nil {
			l := &link{Bridge: b, client: client, ctx: inner, threads: map[string]*thread{}}
			l.followServer(ctx, cancel)
			client.Close()
			b.showSessions(nil)
		}
		cancel(nil)
		select {
		case <-ctx.Done():
		case <-time.After(b.Poll):
		}
	}
	if b.lease != nil {
		b.lease.Close()
	}
}

// mayAsk reports whether this bridge is the one of its store that asks.
func (b *Bridge) mayAsk() bool {
	if b.Store != nil && b.lease == nil {
		b.lease, _ = b.Store.Lease("codex") // fails while another dashboard has it
	}
	return b.lease != nil
}

// link is one connection of a bridge. Its fields belong to the goroutine of followServer.
type link struct {
	*Bridge
	client  *Client
	ctx     context.Context // ends with the connection
	threads map[string]*thread
	asks    sync.WaitGroup
}

// thread is a session of Codex that its app server runs.
type thread struct {
	ask.Session
	parent     string // the thread that started this one as a subagent
	subscribed bool
	open       map[string]context.CancelCauseFunc // the requests that were seen, by ID
}

// followServer follows a connection until it or ctx ends.
func (l *link) followServer(ctx context.Context, cancel context.CancelCauseFunc) {
	ids, _ := l.client.loadedThreads(l.ctx) // if it fails, so does the connection
	for _, id := range ids {
		l.readThread(id)
	}
	clock := time.NewTicker(l.Poll)
	defer clock.Stop()
	for l.ctx.Err() == nil {
		l.subscribeThreads()
		for len(l.client.early) > 0 {
			m := l.client.early[0]
			l.client.early = l.client.early[1:]
			l.takeMessage(m)
		}
		l.showSessions(l.sessions())
		select {
		case m, open := <-l.client.received:
			if !open {
				cancel(errDisconnected)
			}
			l.takeMessage(m)
		case <-clock.C:
		case <-ctx.Done():
			cancel(errStopped)
		}
	}
	l.asks.Wait()
}

// sessions returns the threads, with those that they have started as their agents.
func (l *link) sessions() (all []ask.Session) {
	below := map[string][]model.Subagent{}
	ids := slices.Sorted(maps.Keys(l.threads))
	for _, id := range ids {
		if t := l.threads[id]; t.parent != "" && t.State.IsRunning() {
			below[t.parent] = append(below[t.parent], model.Subagent{ID: id, Task: t.Title, Began: t.Began})
		}
	}
	for _, id := range ids {
		if t := l.threads[id]; t.parent == "" {
			s := t.Session
			s.Agents = below[id]
			all = append(all, s)
		}
	}
	return all
}

// states are the states of threads that the server runs.
var states = map[string]model.SessionState{"active": model.SessionRunning, "idle": model.SessionIdle, "systemError": model.SessionFailed}

// readThread reads a thread, and forgets it if the server no longer runs it, or if Codex uses it itself, for example to find a title.
func (l *link) readThread(id string) {
	var result struct {
		Thread struct {
			ParentThreadID, Name, Preview, Cwd, Path, Model string
			Ephemeral                                       bool
			CreatedAt, UpdatedAt                            int64
			GitInfo                                         struct{ Branch string }
			Status                                          struct {
				Type        string
				ActiveFlags []string
			}
		}
	}
	err := l.client.callMethod(l.ctx, "thread/read", object{"threadId": id}, &result)
	w, before := &result.Thread, l.threads[id]
	t := &thread{parent: w.ParentThreadID, open: map[string]context.CancelCauseFunc{}, Session: ask.Session{
		Transcript: w.Path, Alive: true, Session: model.Session{
			Agent: "codex", ID: id, Title: cmp.Or(line.Tidy(w.Name), line.Tidy(w.Preview)), Dir: w.Cwd, Branch: line.Tidy(w.GitInfo.Branch),
			Model: line.Tidy(w.Model), State: states[w.Status.Type], Began: time.Unix(w.CreatedAt, 0), Since: time.Unix(w.UpdatedAt, 0),
		},
	}}
	for flag, waits := range map[string]string{"waitingOnUserInput": "answers to its questions", "waitingOnApproval": "permission"} {
		if slices.Contains(w.Status.ActiveFlags, flag) {
			t.State, t.Waits = model.SessionWaiting, waits
		}
	}
	if before != nil {
		t.subscribed, t.open = before.subscribed, before.open
		if before.State != t.State {
			t.Since = time.Now()
		} else if t.Since = before.Since; len(t.open) > 0 {
			t.Waits = before.Waits
		}
	}
	if t.State != model.SessionWaiting {
		for _, cancel := range t.open {
			cancel(errResolved)
		}
		clear(t.open)
	}
	if l.threads[id] = t; err != nil || w.Ephemeral || t.State == "" {
		delete(l.threads, id)
	}
}

// subscribeThreads subscribes to the threads that wait, and the server sends their open requests. A subscription would keep a closed thread
// loaded, so it ends with the wait.
func (l *link) subscribeThreads() {
	for id, t := range l.threads {
		switch waits := t.State == model.SessionWaiting; {
		case waits && !t.subscribed && l.mayAsk():
			t.subscribed = l.client.resumeThread(l.ctx, id) == nil
		case !waits && t.subscribed:
			l.client.callMethod(l.ctx, "thread/unsubscribe", object{"threadId": id}, nil)
			t.subscribed = false
		}
	}
}

// takeMessage takes a notification or a request of the server.
func (l *link) takeMessage(m message) {
	var p struct {
		ThreadID  string
		RequestID json.RawMessage
		Thread    struct{ ID string }
	}
	if json.Unmarshal(m.Params, &p) != nil {
		return
	}
	t := l.threads[p.ThreadID]
	switch {
	case m.Method == "thread/started":
		l.readThread(p.Thread.ID)
	case m.Method == "thread/name/updated" || m.Method == "thread/status/changed":
		l.readThread(p.ThreadID)
	case t == nil:
	case m.Method == "serverRequest/resolved":
		if cancel := t.open[string(p.RequestID)]; cancel != nil {
			cancel(errResolved)
		}
	case len(m.ID) > 0 && t.open[string(m.ID)] == nil:
		l.askUser(t, m)
	}
}

// askUser shows a request until it ends, and sends the answer. A request that cannot be shown is left to Codex's own prompt.
func (l *link) askUser(t *thread, m message) {
	ctx, cancel := context.WithCancelCause(l.ctx)
	t.open[string(m.ID)] = cancel
	r := l.parseRequest(t, m)
	if r == nil {
		return
	}
	t.Waits = r.ask.Text
	thread := t.ID
	l.asks.Go(func() {
		held, err := l.Store.Ask(r.ask)
		if err != nil {
			return
		}
		defer held.Close()
		end, err := held.Await(ctx, nil)
		if err != nil || end.State != ask.Answered {
			return
		}
		if words := end.Answer.Text; words != "" && r.ask.Kind == ask.Permission { // the model gets them together with the refusal
			l.client.sendMessage(ctx, object{"id": "steer", "method": "turn/steer",
				"params": object{"threadId": thread, "expectedTurnId": r.turn, "input": textInput(words)}})
		}
		if l.client.sendMessage(ctx, object{"id": m.ID, "result": r.response(end.Answer)}) == nil {
			l.Store.Delivered(held.Ask.ID)
		}
	})
}
