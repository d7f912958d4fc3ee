package remote

// A dashboard on a hub.

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
	lost context.Context // ends when the connection is lost, and with it the replies that are on their way
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
	listFor = 10 * time.Second // how long a hub may take to show what it keeps
	// quietFor is how long nobody may say anything before what the hub keeps is watched again: it may have lost that.
	quietFor = presenceEvery + 2*time.Second
)

// run implements [Way].
func (v *hubViewer) run(ctx context.Context, l listener) {
	up := make(chan struct{}, 1)
	nc, err := v.hub.connect(userInbox, func(err error) {
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
	// What is published reaches the dashboard without the bucket, too: while that has no leader, those on one side of a network see each other.
	if _, err := nc.Subscribe(keySubjects+keys+">", func(m *nats.Msg) { v.overhear(l, m) }); err != nil {
		l.down(explain(err))
		return
	}
	for fruitless := 0; ctx.Err() == nil; {
		watching, cancel := context.WithCancel(ctx)
		done := make(chan bool, 1)
		go func() { done <- v.watch(watching, l) }()
		select {
		case <-ctx.Done():
		case <-up:
			l.up()
			cancel()
			<-done
		case heard := <-done:
			if fruitless++; heard {
				fruitless = 0
			}
			// This server may be cut off from the others; but where no host publishes, servers are left ever more rarely.
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

// overhear passes on what a host publishes. A message that JetStream was made to repeat there has no place for the receipt in the inbox of
// that host.
func (v *hubViewer) overhear(l listener, m *nats.Msg) {
	key := strings.TrimPrefix(m.Subject, keySubjects)
	host, _, _ := strings.Cut(strings.TrimPrefix(key, keys), ".")
	if !strings.HasPrefix(m.Reply, hostInbox+host+".") {
		return
	}
	if len(m.Data) == 0 {
		m.Data = nil
	}
	l.said(key, m.Data, time.Time{})
}

// watch passes on what the hub keeps and what is published, until nobody has said anything for a while. It reports whether anybody had.
func (v *hubViewer) watch(ctx context.Context, l listener) (heard bool) {
	opening, cancel := context.WithTimeout(ctx, listFor)
	kv, info, err := v.hub.open(opening, v.nc)
	cancel()
	if err == nil {
		var w jetstream.KeyWatcher
		if w, err = kv.Watch(ctx, keys+">"); err == nil {
			defer w.Stop()
			return v.pass(ctx, l, w, info.TimeStamp)
		}
		err = errors.New("the hub does not show what it keeps: " + explain(err).Error())
	}
	if ctx.Err() == nil && v.nc.IsConnected() {
		l.listed(err)
	}
	return false
}

// pass passes on what a watch says. The clock is that of the hub, now.
func (v *hubViewer) pass(ctx context.Context, l listener, w jetstream.KeyWatcher, clock time.Time) (heard bool) {
	ahead := time.Until(clock) // of the hub
	quiet := time.NewTimer(listFor)
	defer quiet.Stop()
	listed := false
	for {
		select {
		case <-ctx.Done():
			return heard
		case <-quiet.C:
			if !listed {
				l.listed(errors.New("the hub does not show what it keeps: it takes too long"))
			}
			return heard
		case e, ok := <-w.Updates():
			switch {
			case !ok:
				return heard
			case e == nil:
				listed = true
				l.listed(nil)
			case e.Operation() == jetstream.KeyValuePut:
				l.said(e.Key(), e.Value(), e.Created().Add(-ahead))
			default:
				l.said(e.Key(), nil, e.Created().Add(-ahead))
			}
			heard = heard || listed && e != nil
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
	if r.decides() { // a refused request has no reply that says so
		if refused, err := isRefused(nc, subject(true, "\x00probe", v.hub.Name)); err != nil {
			return nil, errDown
		} else if refused {
			return nil, errForbidden
		}
	}
	r.User = v.hub.Name
	m, err := nc.RequestWithContext(ctx, subject(r.decides(), host, v.hub.Name), encode(r))
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
