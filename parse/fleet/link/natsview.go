// The end of a hub at a dashboard.

package link

import (
	"context"
	"encoding/json"
	"errors"
	"strings"
	"sync"
	"time"

	"github.com/nats-io/nats.go"
	"github.com/nats-io/nats.go/jetstream"

	"gatehouse/parse/fleet/wire"
)

// listFor is how long a hub may take to say what it keeps, and listSoon how soon it usually does: ten thousand messages take
// a second, and one without a leader takes forever.
const (
	listFor  = 10 * time.Second
	listSoon = time.Second
)

// Where that can't be had it is asked for again after ten seconds, then after twice the time, up to a minute.
const (
	relistFirst = 10 * time.Second
	relistLast  = time.Minute
)

// HubViewer is a dashboard on a hub.
type HubViewer struct {
	hub Hub

	mu       sync.Mutex
	nc       *nats.Conn
	refusals map[string][]chan struct{} // those who wait for an answer, by the subject at which they asked
	knowing  *patience                  // with a server that does not know who keeps what was said
	lost     chan struct{}              // closed when the connection is lost, and with it the answers that are on their way
}

// NewHubViewer returns the end of a hub at a dashboard.
func NewHubViewer(hub Hub) *HubViewer {
	return &HubViewer{hub: hub, knowing: &patience{servers: len(hub.URLs)}, refusals: map[string][]chan struct{}{}, lost: make(chan struct{})}
}

// Name implements [Viewer].
func (v *HubViewer) Name() string { return "hub " + strings.Join(v.hub.URLs, ", ") }

// Only implements [Viewer].
func (v *HubViewer) Only() string { return "" }

// Run implements [Viewer].
func (v *HubViewer) Run(ctx context.Context, l Listener) {
	if err := v.hub.Check(); err != nil {
		l.Down(err)
		return
	}
	up := make(chan struct{}, 1)
	down := func(why error) {
		v.hangUp()
		l.Down(why)
	}
	nc, err := nats.Connect(strings.Join(v.hub.URLs, ","), v.hub.options(wire.Inbox(v.hub.Name), down, func() { knock(up) }, v.failed)...)
	if err != nil {
		l.Down(said(err))
		return
	}
	defer nc.Close()
	v.mu.Lock()
	v.nc = nc
	v.mu.Unlock()
	subscribed := false
	var session context.CancelFunc // of the connection before
	defer func() {
		if session != nil {
			session()
		}
	}()
	for {
		select {
		case <-ctx.Done():
			return
		case <-up:
		}
		if session != nil {
			session()
		}
		v.knowing.anew()
		l.Up()
		// What is said from now on comes without the bucket's doing, also where that has no leader at the moment.
		if !subscribed {
			if _, err := nc.Subscribe(wire.KeySubjects+wire.Keys+">", func(m *nats.Msg) { v.hear(l, m) }); err != nil {
				l.Down(said(err))
				return
			}
			subscribed = true
		}
		now, cancel := context.WithCancel(ctx)
		session = cancel
		go v.catchUp(now, nc, l)
		if len(v.hub.URLs) > 1 {
			go v.stay(now, nc)
		}
	}
}

// How often it is looked whether a server is still one of the cluster, and how long that may take; and since when a server has heard nothing of the
// others that is cut off from them: they speak every second.
const (
	lookEvery = 3 * time.Second
	lookFor   = 2 * time.Second
	apartFor  = 5 * time.Second
)

// stay looks from time to time whether the server still knows who keeps what was said, and is not that one itself without hearing of the others.
// One that is cut off from them is left for another.
func (v *HubViewer) stay(ctx context.Context, nc *nats.Conn) {
	for ctx.Err() == nil {
		since := time.Now()
		soon, cancel := context.WithTimeout(ctx, lookFor)
		m, err := nc.RequestWithContext(soon, "$JS.API.STREAM.INFO.KV_"+wire.Bucket, nil)
		cancel()
		if ctx.Err() != nil {
			return
		}
		if err == nil && !apart(m.Data) {
			v.knowing.well()
		} else {
			if err == nil {
				since = since.Add(-apartFor)
			}
			if _, leave := v.knowing.ill(time.Now(), since); leave {
				nc.ForceReconnect()
				return
			}
		}
		select {
		case <-ctx.Done():
		case <-time.After(lookEvery):
		}
	}
}

// apart reports whether the server that leads the keeping of what was said has not heard of most others for a while: it goes on answering for
// ten seconds and more.
func apart(info []byte) bool {
	var told struct {
		Cluster struct {
			Replicas []struct {
				Active time.Duration `json:"active"` // since it was heard of
			} `json:"replicas"`
		} `json:"cluster"`
	}
	if json.Unmarshal(info, &told) != nil {
		return false
	}
	silent := 0
	for _, r := range told.Cluster.Replicas {
		if r.Active > apartFor {
			silent++
		}
	}
	return 2*silent > len(told.Cluster.Replicas)
}

// catchUp says what is kept, and has all hosts say that they are there. Another connection begins anew with that.
func (v *HubViewer) catchUp(ctx context.Context, nc *nats.Conn, l Listener) {
	listed := make(chan struct{})
	go func() {
		defer close(listed)
		if err := v.tellKept(ctx, nc, l); err != nil { // a cluster may have no leader yet, and hosts that are away are missing without it
			go again(ctx, relistFirst, relistLast, func() error { return v.tellKept(ctx, nc, l) })
		}
	}()
	select { // what a host says itself counts for more, and is asked for when what is kept has come, or is late
	case <-listed:
	case <-time.After(listSoon):
	}
	if ctx.Err() == nil {
		nc.Publish(wire.Hello, nil)
	}
}

// tellKept says what is kept, and whether that could be had.
func (v *HubViewer) tellKept(ctx context.Context, nc *nats.Conn, l Listener) error {
	clock, err := v.list(ctx, nc, l)
	if ctx.Err() == nil {
		l.Listed(clock, err)
	}
	return err
}

// again tries something until it succeeds, after a while and then after twice the time.
func again(ctx context.Context, first, last time.Duration, try func() error) {
	for wait := first; ; wait = min(2*wait, last) {
		select {
		case <-ctx.Done():
			return
		case <-time.After(wait):
		}
		if try() == nil {
			return
		}
	}
}

// hear passes on what a host says now. What a server was made to repeat there is none of it: it has no place for the hub's
// receipt in the inbox of that host.
func (v *HubViewer) hear(l Listener, m *nats.Msg) {
	key := strings.TrimPrefix(m.Subject, wire.KeySubjects)
	host, ok := wire.KeyHost(key)
	if ok && strings.HasPrefix(m.Reply, wire.HostInboxOf(host)+".") {
		l.Said(Message{Key: key, Data: m.Data})
	}
}

// list says what the hub keeps.
func (v *HubViewer) list(ctx context.Context, nc *nats.Conn, l Listener) (clock time.Time, err error) {
	ctx, cancel := context.WithTimeout(ctx, listFor)
	defer cancel()
	kv, info, err := v.hub.open(ctx, nc)
	if err != nil {
		return clock, err
	}
	clock = info.TimeStamp
	w, err := kv.Watch(ctx, wire.Keys+">", jetstream.IgnoreDeletes())
	if err != nil {
		return clock, untold(err)
	}
	defer w.Stop()
	for {
		select {
		case <-ctx.Done():
			return clock, errors.New("the hub does not tell what it keeps: it takes too long")
		case e, ok := <-w.Updates():
			if !ok {
				return clock, errors.New("the hub does not tell what it keeps: the connection is lost")
			}
			if e == nil {
				return clock, nil
			}
			l.Said(Message{Key: e.Key(), Data: e.Value(), Stored: e.Created()})
		}
	}
}

// Ask implements [Viewer].
func (v *HubViewer) Ask(ctx context.Context, host string, boot uint64, kind string, request []byte) ([]byte, error) {
	v.mu.Lock()
	nc, lost := v.nc, v.lost
	v.mu.Unlock()
	if nc == nil || !nc.IsConnected() {
		return nil, ErrDown
	}
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	subject := wire.Subject(kind, host, boot, v.hub.Name)
	refused := v.await(subject)
	defer v.leave(subject, refused)
	go func() {
		select {
		case <-refused:
			cancel()
		case <-lost:
			cancel()
		case <-ctx.Done():
		}
	}()
	m, err := nc.RequestWithContext(ctx, subject, request)
	switch {
	case err == nil:
		return m.Data, nil
	case isClosed(refused):
		return nil, ErrForbidden
	case errors.Is(err, nats.ErrNoResponders):
		return nil, ErrNobody
	case errors.Is(err, nats.ErrReconnectBufExceeded):
		return nil, ErrDown
	case errors.Is(err, nats.ErrMaxPayload):
		return nil, ErrTooLarge
	}
	return nil, ErrNoAnswer
}

// hangUp ends the waiting for answers that the lost connection would have brought.
func (v *HubViewer) hangUp() {
	v.mu.Lock()
	defer v.mu.Unlock()
	close(v.lost)
	v.lost = make(chan struct{})
}

func isClosed(c chan struct{}) bool {
	select {
	case <-c:
		return true
	default:
		return false
	}
}

// await returns what is closed when the hub refuses what was asked at a subject.
func (v *HubViewer) await(subject string) chan struct{} {
	v.mu.Lock()
	defer v.mu.Unlock()
	c := make(chan struct{})
	v.refusals[subject] = append(v.refusals[subject], c)
	return c
}

func (v *HubViewer) leave(subject string, c chan struct{}) {
	v.mu.Lock()
	defer v.mu.Unlock()
	rest := v.refusals[subject][:0]
	for _, x := range v.refusals[subject] {
		if x != c {
			rest = append(rest, x)
		}
	}
	if v.refusals[subject] = rest; len(rest) == 0 {
		delete(v.refusals, subject)
	}
}

// failed takes errors that are no one call's: a hub says so that it refuses, to nobody in particular.
func (v *HubViewer) failed(err error) {
	subject := forbidden(err)
	v.mu.Lock()
	defer v.mu.Unlock()
	for _, c := range v.refusals[subject] {
		close(c)
	}
	delete(v.refusals, subject)
}
