package codex

import (
	"context"
	"encoding/json"
	"errors"
	"io"
	"io/fs"
	"maps"
	"slices"
	"sync"
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
// sends answers back, while Codex shows its own prompt: the first answer wins. Of all bridges of a store only one asks.
type Bridge struct {
	Socket  string
	Store   *ask.Store              // nil to follow threads without showing what they ask
	Project func(dir string) string // returns the root of the project that a directory belongs to
	Poll    time.Duration           // how often to look for the socket; 0 means every 3 s

	mu      sync.Mutex
	shown   []Thread
	changed chan struct{}
	lease   io.Closer // held while this bridge may ask
}

// Changed returns a channel that receives a value after threads have changed.
func (b *Bridge) Changed() <-chan struct{} {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.signal()
}

// signal returns the channel of Changed. The caller holds the lock.
func (b *Bridge) signal() chan struct{} {
	if b.changed == nil {
		b.changed = make(chan struct{}, 1)
	}
	return b.changed
}

// Threads returns the threads of the server, by ID. There are none while no app server runs.
func (b *Bridge) Threads() []Thread {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.shown
}

// publish sets the threads.
func (b *Bridge) publish(threads []Thread) {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.shown = threads
	select {
	case b.signal() <- struct{}{}:
	default:
	}
}

// Run follows the app server until ctx ends, and connects again whenever the server returns. Without a server it costs a look at the
// file system every few seconds.
func (b *Bridge) Run(ctx context.Context) {
	if b.Poll == 0 {
		b.Poll = pollInterval
	}
	pause := b.Poll
	for ctx.Err() == nil {
		inner, cancel := context.WithCancelCause(context.WithoutCancel(ctx)) // outlives ctx until all asks are withdrawn
		if client, err := Dial(inner, b.Socket); err == nil {
			l := &link{Bridge: b, client: client, ctx: inner, threads: map[string]*entry{}}
			l.follow(ctx, cancel)
			client.Close()
			b.publish(nil)
			pause = b.Poll
		} else if !errors.Is(err, fs.ErrNotExist) {
			pause = min(2*pause, time.Minute)
		}
		cancel(nil)
		select {
		case <-ctx.Done():
		case <-time.After(pause):
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

// entry is a thread of a connection. Thread is nil for one that Codex uses itself.
type entry struct {
	*Thread
	subscribed bool
	open       map[string]context.CancelCauseFunc // the requests that are shown, by ID
}

// follow follows a connection until it or ctx ends.
func (l *link) follow(ctx context.Context, cancel context.CancelCauseFunc) {
	ids, _ := l.client.loaded(l.ctx) // if it fails, so does the connection
	for _, id := range ids {
		l.read(id)
	}
	clock := time.NewTicker(l.Poll)
	defer clock.Stop()
	for l.ctx.Err() == nil {
		l.subscribe()
		for len(l.client.early) > 0 {
			m := l.client.early[0]
			l.client.early = l.client.early[1:]
			l.take(m)
		}
		l.show()
		select {
		case m, open := <-l.client.received:
			if !open {
				cancel(errDisconnected)
			}
			l.take(m)
		case <-clock.C:
		case <-ctx.Done():
			cancel(errStopped)
		}
	}
	l.asks.Wait()
}

// show publishes the threads.
func (l *link) show() {
	var all []Thread
	for _, id := range slices.Sorted(maps.Keys(l.threads)) {
		if e := l.threads[id]; e.Thread != nil {
			all = append(all, *e.Thread)
		}
	}
	if !slices.Equal(all, l.Threads()) {
		l.publish(all)
	}
}

// read reads a thread that the server runs.
func (l *link) read(id string) {
	e := l.threads[id]
	if e == nil {
		e = &entry{open: map[string]context.CancelCauseFunc{}}
		l.threads[id] = e
	}
	e.Thread = l.client.thread(l.ctx, id)
}

// subscribe subscribes to the threads that wait, and the server sends their open requests. A subscription would keep a closed thread
// loaded, so it ends with the wait.
func (l *link) subscribe() {
	for id, e := range l.threads {
		switch waits := e.Thread != nil && e.State == model.SessionWaiting; {
		case waits && !e.subscribed && l.mayAsk():
			e.subscribed = l.client.call(l.ctx, "thread/resume", object{"threadId": id, "excludeTurns": true}, nil) == nil
		case !waits && e.subscribed:
			l.client.call(l.ctx, "thread/unsubscribe", object{"threadId": id}, nil)
			e.subscribed = false
		}
	}
}

// take takes a notification or a request of the server.
func (l *link) take(m message) {
	var p struct {
		Thread  string          `json:"threadId"`
		Request json.RawMessage `json:"requestId"`
		Status  wireStatus      `json:"status"`
		Started struct {
			ID string `json:"id"`
		} `json:"thread"`
	}
	if json.Unmarshal(m.Params, &p) != nil {
		return
	}
	e := l.threads[p.Thread]
	switch {
	case m.Method == "thread/status/changed" && p.Status.Type == "notLoaded":
		l.settle(e)
		delete(l.threads, p.Thread)
	case m.Method == "thread/started":
		l.read(p.Started.ID)
	case m.Method == "thread/name/updated", m.Method == "thread/status/changed" && (e == nil || e.Thread != nil && e.Preview == ""):
		l.read(p.Thread)
	case e == nil || e.Thread == nil:
	case m.Method == "thread/status/changed":
		e.State, e.Waits = p.Status.state()
		e.Since = time.Now()
		if e.State != model.SessionWaiting {
			l.settle(e)
		}
	case m.Method == "serverRequest/resolved":
		if cancel := e.open[string(p.Request)]; cancel != nil {
			cancel(errResolved)
		}
	case len(m.ID) > 0 && e.open[string(m.ID)] == nil:
		l.ask(e, m)
	}
}

// settle ends the asks of a thread that no longer waits.
func (l *link) settle(e *entry) {
	if e == nil {
		return
	}
	for _, cancel := range e.open {
		cancel(errResolved)
	}
	clear(e.open)
}

// ask shows a request until it ends, and sends the answer.
func (l *link) ask(e *entry, m message) {
	r := l.request(e.Thread, m)
	if r == nil {
		return
	}
	e.Waits = r.ask.Text
	thread := e.ID
	ctx, cancel := context.WithCancelCause(l.ctx)
	e.open[string(m.ID)] = cancel
	l.asks.Go(func() {
		held, err := l.Store.Ask(r.ask)
		if err != nil {
			return // Codex's own prompt remains
		}
		defer held.Close()
		end, err := held.Await(ctx, nil)
		if err != nil || end.State != ask.Answered {
			return
		}
		if words := end.Answer.Text; words != "" && r.ask.Kind == ask.Permission { // the model hears them together with the refusal
			l.client.send(ctx, object{"id": "steer", "method": "turn/steer",
				"params": object{"threadId": thread, "expectedTurnId": r.turn, "input": textInput(words)}})
		}
		if l.client.send(ctx, object{"id": m.ID, "result": r.response(end.Answer)}) == nil {
			l.Store.Delivered(held.Ask.ID)
		}
	})
}
