// The end of a hub at a dashboard.

package link

import (
	"context"
	"errors"
	"fmt"
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

// HubViewer is a dashboard on a hub.
type HubViewer struct {
	hub Hub

	mu       sync.Mutex
	nc       *nats.Conn
	refusals map[string][]chan struct{} // those who wait for an answer, by the subject at which they asked
	lost     chan struct{}              // closed when the connection is lost, and with it the answers that are on their way
}

// NewHubViewer returns the end of a hub at a dashboard.
func NewHubViewer(hub Hub) *HubViewer {
	return &HubViewer{hub: hub, refusals: map[string][]chan struct{}{}, lost: make(chan struct{})}
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

// How often it is looked whether a server is still one of the cluster, and how long that may take.
const (
	lookEvery = 3 * time.Second
	lookFor   = 2 * time.Second
)

// stay looks from time to time whether the server still knows who keeps what was said. One that is cut off from the others does not: another is
// tried then.
func (v *HubViewer) stay(ctx context.Context, nc *nats.Conn) {
	missed := 0
	for ctx.Err() == nil {
		soon, cancel := context.WithTimeout(ctx, lookFor)
		_, err := nc.RequestWithContext(soon, "$JS.API.STREAM.INFO.KV_"+wire.Bucket, nil)
		cancel()
		if missed++; err == nil {
			missed = 0
		}
		if missed > 1 && ctx.Err() == nil {
			nc.ForceReconnect()
			return
		}
		select {
		case <-ctx.Done():
		case <-time.After(lookEvery):
		}
	}
}

// catchUp says what is kept, and has all hosts say that they are there. Another connection begins anew with that.
func (v *HubViewer) catchUp(ctx context.Context, nc *nats.Conn, l Listener) {
	listed := make(chan struct{})
	go func() {
		defer close(listed)
		if clock, err := v.list(ctx, nc, l); ctx.Err() == nil {
			l.Listed(clock, err)
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

// hear passes on what a host says now. What a server was made to repeat there is none of it: it has no place for the hub's
// receipt in the inbox of that host.
func (v *HubViewer) hear(l Listener, m *nats.Msg) {
	key := strings.TrimPrefix(m.Subject, wire.KeySubjects)
	host, ok := wire.KeyHost(key)
	if ok && strings.HasPrefix(m.Reply, wire.HostInboxOf(host)+".") {
		l.Said(Message{Key: key, Data: m.Data})
	}
}

// bucket returns where the hub keeps what is said, and makes it where there is none: hosts may not.
func (v *HubViewer) bucket(ctx context.Context, js jetstream.JetStream) (jetstream.KeyValue, error) {
	kv, err := js.KeyValue(ctx, wire.Bucket)
	if errors.Is(err, jetstream.ErrBucketNotFound) {
		kv, err = js.CreateKeyValue(ctx, v.hub.bucket())
	}
	if err != nil {
		return nil, fmt.Errorf("the hub does not tell what it keeps: %w", said(err))
	}
	return kv, nil
}

// list says what the hub keeps.
func (v *HubViewer) list(ctx context.Context, nc *nats.Conn, l Listener) (clock time.Time, err error) {
	ctx, cancel := context.WithTimeout(ctx, listFor)
	defer cancel()
	js, err := jetstream.New(nc)
	if err != nil {
		return clock, err
	}
	kv, err := v.bucket(ctx, js)
	if err != nil {
		return clock, err
	}
	if status, err := kv.Status(ctx); err == nil {
		if s, ok := status.(*jetstream.KeyValueBucketStatus); ok {
			clock = s.StreamInfo().TimeStamp
		}
	}
	w, err := kv.Watch(ctx, wire.Keys+">", jetstream.IgnoreDeletes())
	if err != nil {
		return clock, fmt.Errorf("the hub does not tell what it keeps: %w", said(err))
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
