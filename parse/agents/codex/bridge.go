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
	"gatehouse/parse/agents/ask"
)

// pollInterval is how often the bridge looks for the socket, and for threads whose questions no dashboard shows.
const pollInterval = 3 * time.Second

// The reasons why an ask of the bridge is withdrawn.
var (
	errResolved     = errors.New("answered in the agent's own prompt")
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

	shown atomic.Pointer[[]Thread]
	lease io.Closer // held while this bridge may ask
}

// Threads returns the threads of the server, by ID. There are none while no app server runs.
func (b *Bridge) Threads() []Thread {
	if threads := b.shown.Load(); threads != nil {
		return *threads
	}
	return nil
}

// showThreads publishes the threads if they have changed.
func (b *Bridge) showThreads(threads []Thread) {
	if reflect.DeepEqual(threads, b.Threads()) {
		return
	}
	b.shown.Store(&threads)
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
			l := &link{Bridge: b, client: client, ctx: inner, threads: map[string]*entry{}}
			l.followServer(ctx, cancel)
			client.Close()
			b.showThreads(nil)
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

// link is one connection of a bridge. Its fields belong to the goroutine of follow.
type link struct {
	*Bridge
	client  *Client
	ctx     context.Context // ends with the connection
	threads map[string]*entry
	asks    sync.WaitGroup
}

// entry is a thread of a connection.
type entry struct {
	Thread
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
		var all []Thread
		for _, id := range slices.Sorted(maps.Keys(l.threads)) {
			all = append(all, l.threads[id].Thread)
		}
		l.showThreads(all)
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

// readThread reads a thread, and forgets it if the server no longer runs it.
func (l *link) readThread(id string) {
	t, e := l.client.readThread(l.ctx, id), l.threads[id]
	switch {
	case t == nil:
		delete(l.threads, id)
	case e == nil:
		l.threads[id] = &entry{Thread: *t, open: map[string]context.CancelCauseFunc{}}
	default:
		if e.State != t.State {
			t.Since = time.Now()
		} else if t.Since = e.Since; len(e.open) > 0 {
			t.Waits = e.Waits
		}
		e.Thread = *t
	}
	if e != nil && (t == nil || t.State != model.SessionWaiting) {
		e.resolveAsk()
	}
}

// resolveAsk ends the asks of a thread that no longer waits.
func (e *entry) resolveAsk() {
	for _, cancel := range e.open {
		cancel(errResolved)
	}
	clear(e.open)
}

// subscribeThreads subscribes to the threads that wait, and the server sends their open requests. A subscription would keep a closed thread
// loaded, so it ends with the wait.
func (l *link) subscribeThreads() {
	for id, e := range l.threads {
		switch waits := e.State == model.SessionWaiting; {
		case waits && !e.subscribed && l.mayAsk():
			e.subscribed = l.client.callMethod(l.ctx, "thread/resume", object{"threadId": id, "excludeTurns": true}, nil) == nil
		case !waits && e.subscribed:
			l.client.callMethod(l.ctx, "thread/unsubscribe", object{"threadId": id}, nil)
			e.subscribed = false
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
	e := l.threads[p.ThreadID]
	switch {
	case m.Method == "thread/started":
		l.readThread(p.Thread.ID)
	case m.Method == "thread/name/updated" || m.Method == "thread/status/changed":
		l.readThread(p.ThreadID)
	case e == nil:
	case m.Method == "serverRequest/resolved":
		if cancel := e.open[string(p.RequestID)]; cancel != nil {
			cancel(errResolved)
		}
	case len(m.ID) > 0 && e.open[string(m.ID)] == nil:
		l.askUser(e, m)
	}
}

// askUser shows a request until it ends, and sends the answer. A request that cannot be shown is left to Codex's own prompt.
func (l *link) askUser(e *entry, m message) {
	ctx, cancel := context.WithCancelCause(l.ctx)
	e.open[string(m.ID)] = cancel
	r := l.parseRequest(&e.Thread, m)
	if r == nil {
		return
	}
	e.Waits = r.ask.Text
	thread := e.ID
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
