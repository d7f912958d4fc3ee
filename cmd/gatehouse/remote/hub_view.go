package remote

// The connection of a dashboard to a hub.

import (
	"context"
	"errors"
	"strings"
	"sync"
	"time"

	"github.com/nats-io/nats.go"
	"github.com/nats-io/nats.go/jetstream"
)

// hubViewer is the connection of a dashboard.
type hubViewer struct {
	hub Hub

	mu   sync.Mutex
	nc   *nats.Conn
	lost context.Context // ends when the connection is lost, and with it every expected reply
	lose context.CancelFunc
}

// NewHub returns the way to the hosts of a hub.
func NewHub(hub Hub) Way {
	v := &hubViewer{hub: hub}
	v.lost, v.lose = context.WithCancel(context.Background())
	return v
}

func (v *hubViewer) name() string { return v.hub.title() }
func (v *hubViewer) only() string { return "" }

const (
	listFor = 10 * time.Second // how long a hub may take to list what it keeps
	// quietFor is how long a hub may be silent before the bucket is watched again: the hub may have lost it.
	quietFor = presenceEvery + 2*time.Second
)

// run implements [Way].
func (v *hubViewer) run(ctx context.Context, l listener) {
	up := make(chan struct{}, 1)
	nc, err := v.hub.openConnection(userInbox, func(err error) {
		if err != nil {
			v.mu.Lock()
			v.lose()
			v.lost, v.lose = context.WithCancel(context.Background())
			v.mu.Unlock()
			l.down(err)
			return
		}
		select {
		case up <- struct{}{}:
		default:
		}
	}, func(error) {})

	if err != nil {
		l.down(err)
		return
	}
	defer nc.Close()
	v.mu.Lock()
	v.nc = nc
	v.mu.Unlock()
	select {
	case <-ctx.Done():
		return
	case <-up:
	}
	l.up()
	// Messages also reach the dashboard without the bucket: while it has no leader, hosts on this side of a partition stay visible.
	if _, err := nc.Subscribe(keySubjects+keys+">", func(m *nats.Msg) { v.passPublished(l, m) }); err != nil {
		l.down(explainError(err))
		return
	}
	for fruitless := 0; ctx.Err() == nil; {
		watching, cancel := context.WithCancel(ctx)
		done := make(chan bool, 1)
		go func() { done <- v.watchBucket(watching, l) }()
		select {
		case <-ctx.Done():
		case <-up:
			l.up()
			cancel()
			<-done
		case received := <-done:
			if fruitless++; received {
				fruitless = 0
			}
			// This server may be cut off from the others. If no host publishes at all, try others ever more rarely.
			if fruitless > 0 && fruitless&(fruitless-1) == 0 && len(v.hub.URLs) > 1 && nc.IsConnected() {
				nc.ForceReconnect()
			}
			select {
			case <-time.After(time.Second):
			case <-ctx.Done():
			}
		}
		cancel()
	}
}

// passPublished passes on a message of a host. A message that JetStream was made to repeat has no reply subject in the inbox of that host.
func (v *hubViewer) passPublished(l listener, m *nats.Msg) {
	key := strings.TrimPrefix(m.Subject, keySubjects)
	host, _, _ := strings.Cut(strings.TrimPrefix(key, keys), ".")
	if !strings.HasPrefix(m.Reply, hostInbox+host+".") {
		return
	}
	if len(m.Data) == 0 {
		m.Data = nil
	}
	l.received(key, m.Data, time.Time{})
}

// watchBucket passes on the values of the bucket until nothing new comes for a while, and reports whether anything new came.
func (v *hubViewer) watchBucket(ctx context.Context, l listener) (received bool) {
	opening, cancel := context.WithTimeout(ctx, listFor)
	kv, info, err := v.hub.open(opening, v.nc)
	cancel()
	if err == nil {
		var w jetstream.KeyWatcher
		if w, err = kv.Watch(ctx, keys+">"); err == nil {
			defer w.Stop()
			return v.passUpdates(ctx, l, w, info.TimeStamp)
		}
		err = errors.New("the hub does not show what it keeps: " + explainError(err).Error())
	}
	if ctx.Err() == nil && v.nc.IsConnected() {
		l.listed(err)
	}
	return false
}

// passUpdates passes on the updates of a watch. clock is the hub's current time.
func (v *hubViewer) passUpdates(ctx context.Context, l listener, w jetstream.KeyWatcher, clock time.Time) (received bool) {
	ahead := time.Until(clock) // of the hub's clock
	quiet := time.NewTimer(listFor)
	defer quiet.Stop()
	listed := false
	for {
		select {
		case <-ctx.Done():
			return received
		case <-quiet.C:
			if !listed {
				l.listed(errors.New("the hub does not show what it keeps: it takes too long"))
			}
			return received
		case e, ok := <-w.Updates():
			switch {
			case !ok:
				return received
			case e == nil:
				listed = true
				l.listed(nil)
			case e.Operation() == jetstream.KeyValuePut:
				l.received(e.Key(), e.Value(), e.Created().Add(-ahead))
			default:
				l.received(e.Key(), nil, e.Created().Add(-ahead))
			}
			received = received || listed && e != nil
			if quiet.Reset(quietFor); !listed {
				quiet.Reset(listFor)
			}
		}
	}
}

// ask implements [Way].
func (v *hubViewer) ask(ctx context.Context, host string, r *Request) ([]byte, error) {
	v.mu.Lock()
	nc, lost := v.nc, v.lost
	v.mu.Unlock()
	if nc == nil || !nc.IsConnected() {
		return nil, errDown
	}
	ctx, cancel := context.WithCancelCause(ctx)
	defer cancel(nil)
	defer context.AfterFunc(lost, func() { cancel(errNoReply) })()
	if r.isDecision() { // the hub does not reply to a request that it refuses
		if refused, err := isRefused(nc, subjectFor(true, "\x00probe", v.hub.Name)); err != nil {
			return nil, errDown
		} else if refused {
			return nil, errForbidden
		}
	}
	r.User = v.hub.Name
	m, err := nc.RequestWithContext(ctx, subjectFor(r.isDecision(), host, v.hub.Name), encodeJSON(r))
	switch {
	case err == nil:
		return m.Data, nil
	case errors.Is(err, nats.ErrNoResponders):
		return nil, errNobody
	case errors.Is(err, nats.ErrReconnectBufExceeded):
		return nil, errDown
	case errors.Is(err, nats.ErrMaxPayload):
		return nil, errTooLarge
	}
	return nil, errNoReply
}
