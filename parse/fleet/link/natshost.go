// The end of a hub at a host: its connection, its name, and what it is asked; what it says is in natssaid.go.

package link

import (
	"context"
	"fmt"
	"strings"
	"sync"
	"time"

	"github.com/nats-io/nats.go"
	"github.com/nats-io/nats.go/jetstream"

	"gatehouse/parse/fleet/wire"
)

const (
	// askedAgain is how often a host looks whether somebody else has its name.
	askedAgain = 30 * time.Second
	// leaveFor is how long the last words may take.
	leaveFor = time.Second
)

// HubHost is a host on a hub.
type HubHost struct {
	hub   Hub
	boot  uint64
	nc    *nats.Conn
	js    jetstream.JetStream
	asked []*nats.Subscription // at which requests come

	saying sync.Mutex // held while something is said: of two messages under a key the newer one goes out last

	mu       sync.Mutex
	answerer Answerer
	checks   bool        // the hub checks who publishes where
	keeping  *patience   // with a server through which the hub keeps nothing
	trying   *time.Timer // until it is tried again; nil: it is not
	stored   uint64      // the bucket's sequence of what it kept last
	// waits are the messages that were said and that the hub is not known to keep, the newest under each key; lost are those of them of which
	// it won't say so any more. They are said again once it keeps something.
	waits, lost map[string]*nats.Msg
	places      places
}

// NewHubHost returns the end of a hub at a host, in its present process: boot is the process's number.
func NewHubHost(hub Hub, boot uint64) *HubHost {
	return &HubHost{hub: hub, boot: boot, keeping: &patience{servers: len(hub.URLs)}, waits: map[string]*nats.Msg{}, lost: map[string]*nats.Msg{}, places: newPlaces()}
}

// Name implements [Host].
func (h *HubHost) Name() string { return "hub " + strings.Join(h.hub.URLs, ", ") }

// By implements [Host].
func (h *HubHost) By() string { return "fleet " + h.hub.Fleet }

// Run implements [Host].
func (h *HubHost) Run(ctx context.Context, a Answerer) error {
	if err := h.hub.Check(); err != nil {
		return err
	}
	h.answerer = a
	up := make(chan struct{}, 1)
	nc, err := nats.Connect(strings.Join(h.hub.URLs, ","), h.hub.options(wire.HostInbox(h.hub.Name), a.Down, func() { knock(up) }, h.failed)...)
	if err != nil {
		return said(err)
	}
	defer nc.Close()
	js, err := jetstream.New(nc, jetstream.WithPublishAsyncTimeout(ackWithin), jetstream.WithPublishAsyncMaxPending(1<<16),
		jetstream.WithPublishAsyncErrHandler(h.unkept),
		jetstream.WithPublishAsyncAckHandler(func(_ jetstream.JetStream, m *nats.Msg, ack *jetstream.PubAck) { h.keeps(m, ack.Sequence) }))
	if err != nil {
		return err
	}
	h.mu.Lock()
	h.nc, h.js = nc, js
	h.mu.Unlock()
	err = h.attend(ctx, up)
	h.places.drain()
	nc.FlushTimeout(leaveFor)
	return err
}

// knock leaves word that something has happened; once is enough.
func knock(at chan struct{}) {
	select {
	case at <- struct{}{}:
	default:
	}
}

// attend takes the host's name when the connection is there, and looks from time to time whether it is still the only one to have it.
func (h *HubHost) attend(ctx context.Context, up chan struct{}) error {
	answering, stop := context.WithCancel(context.WithoutCancel(ctx)) // until the last words are said
	defer stop()
	again := time.NewTicker(askedAgain)
	defer again.Stop()
	subscribed := false
	for {
		select {
		case <-ctx.Done():
			h.leave()
			return nil
		case <-again.C:
			if !h.nc.IsConnected() {
				continue
			}
			if err := h.alone(ctx); err != nil {
				return err
			}
		case <-up:
			if err := h.alone(ctx); err != nil {
				return err
			}
			probed := h.probe()
			if !subscribed {
				if err := h.subscribe(answering); err != nil {
					return said(err)
				}
				subscribed = true
			}
			if probed != nil || h.nc.FlushTimeout(dialFor) != nil { // gone again, or so slow that it is tried once more
				if h.nc.IsConnected() {
					knock(up)
				}
				continue
			}
			h.keeping.anew()
			h.answerer.Up()
		}
	}
}

// leave takes no more requests, so that who asks learns at once that nobody is there, and says the last words.
func (h *HubHost) leave() {
	for _, sub := range h.asked {
		sub.Unsubscribe()
	}
	h.answerer.Leave()
	h.nc.FlushTimeout(leaveFor)
}

// alone asks who has the name of this host. It fails where somebody else has it, and was there before.
func (h *HubHost) alone(ctx context.Context) error {
	ctx, cancel := context.WithTimeout(ctx, dialFor)
	defer cancel()
	m, err := h.nc.RequestWithContext(ctx, wire.NameSubject(h.hub.Name), nil)
	if err != nil {
		return nil // nobody, or nobody knows
	}
	var boot uint64
	if _, err := fmt.Sscanf(string(m.Data), "%d", &boot); err != nil || boot >= h.boot {
		return nil // it finds us
	}
	since := time.UnixMilli(int64(boot)).Format(time.DateTime)
	return fmt.Errorf("another gatehouse join is %s on this hub, since %s; end that one, or give this one a name: gatehouse fleet add --host NAME", h.hub.Name, since)
}

// probe finds out whether the hub checks who publishes where: it tries what no host may. Without that anybody could say to be anybody. It fails
// where that can't be found out now.
func (h *HubHost) probe() error {
	checks, err := refused(h.nc, h.barred())
	if err != nil {
		return err
	}
	h.mu.Lock()
	h.checks = checks
	h.mu.Unlock()
	return nil
}

// barred returns a subject at which no host may publish, and nobody listens.
func (h *HubHost) barred() string { return wire.Subject(wire.AskDecide, h.hub.Name, 1, "\x00") }

// subscribe begins to take requests, which are answered by ctx.
func (h *HubHost) subscribe(ctx context.Context) error {
	take := func(m *nats.Msg) {
		changes, user := wire.AskedTo(m.Subject)
		// A request that has no place for an answer in the inbox of who asks was not sent by who asks.
		if !strings.HasPrefix(m.Reply, wire.InboxOf(user)+".") {
			return
		}
		h.places.take(changes, m.Data, func() { h.respond(ctx, m, changes, user) })
	}
	for _, kind := range []string{wire.AskList, wire.AskDecide} {
		sub, err := h.nc.Subscribe(wire.Subject(kind, h.hub.Name, h.boot, ""), take)
		if err != nil {
			return err
		}
		h.asked = append(h.asked, sub)
	}
	if _, err := h.nc.Subscribe(wire.NameSubject(h.hub.Name), func(m *nats.Msg) { m.Respond(fmt.Append(nil, h.boot)) }); err != nil {
		return err
	}
	_, err := h.nc.Subscribe(wire.Hello, func(*nats.Msg) { h.answerer.Hello() })
	return err
}

func (h *HubHost) respond(ctx context.Context, m *nats.Msg, changes bool, user string) {
	h.mu.Lock()
	checks := h.checks
	h.mu.Unlock()
	if reply := h.answerer.Answer(ctx, Asked{User: wire.Untoken(user), Token: user, Trusted: checks, Changes: changes, Data: m.Data}); reply != nil {
		m.Respond(reply)
	}
}

// failed takes errors that are no one call's.
func (h *HubHost) failed(err error) {
	subject := forbidden(err)
	if subject == "" || subject == h.barred() || strings.HasPrefix(subject, wire.UserInboxes) { // an answer that nobody waits for any more
		return
	}
	h.answerer.Complain(fmt.Errorf("the hub does not let this host use %s; have its permissions mended: gatehouse fleet keys", subject))
}
