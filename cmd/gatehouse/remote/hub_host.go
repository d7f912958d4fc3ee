package remote

// A host on a hub: documents are values of a key-value bucket, verbs are requests of a service.

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"sync"
	"time"

	"github.com/nats-io/nats.go"
	"github.com/nats-io/nats.go/jetstream"
	"github.com/nats-io/nats.go/micro"

	"gatehouse/model/line"
)

// atOnce is how many requests a host carries out at a time, of each kind.
const atOnce = 16

// hubHost is the connection of a host.
type hubHost struct {
	hub  Hub
	host *Host
	nc   *nats.Conn
	js   jetstream.JetStream

	mu         sync.Mutex
	trusted    bool      // whether the hub checks who publishes where
	sequence   uint64    // of the bucket, of the last message
	failing    time.Time // since when the hub acknowledges nothing; zero if it does
	lastLogged string    // the last text of logOnce
}

// RunOnHub publishes on a hub and answers there, until ctx ends.
func (h *Host) RunOnHub(ctx context.Context, hub Hub) error {
	x := &hubHost{hub: hub, host: h}
	up := make(chan struct{}, 1)
	nc, err := hub.openConnection(hostInbox, func(err error) {
		if err != nil {
			x.logOnce(fmt.Sprintf("not connected: %s: %v", hub.title(), err))
			return
		}
		select {
		case up <- struct{}{}:
		default:
		}
	}, x.failed)

	if err != nil {
		return err
	}
	defer nc.Close()
	if x.nc = nc; err == nil {
		x.js, err = jetstream.New(nc, jetstream.WithPublishAsyncTimeout(ackWithin), jetstream.WithPublishAsyncMaxPending(1<<16),
			jetstream.WithPublishAsyncAckHandler(x.isKept), jetstream.WithPublishAsyncErrHandler(x.isNotKept))
	}
	if err != nil {
		return err
	}
	ctx, cancel := context.WithCancelCause(ctx)
	defer cancel(nil)
	var work sync.WaitGroup
	work.Go(func() { cancel(h.followFeed(ctx)) })
	err = x.serveWhenUp(ctx, up, &work)
	cancel(err)
	work.Wait()
	h.busy.Lock()
	nc.FlushTimeout(time.Second)
	return err
}

// serveWhenUp claims the name of the host once it is connected, then serves and publishes.
func (x *hubHost) serveWhenUp(ctx context.Context, up chan struct{}, work *sync.WaitGroup) error {
	var service micro.Service
	for {
		select {
		case <-ctx.Done():
			if service != nil {
				service.Stop() // dashboards learn at once that the host is gone
			}
			return nil
		case <-up:
		}
		if service == nil {
			if err := x.claimName(ctx); err != nil {
				return err
			}
		}
		checks, err := isRefused(x.nc, subjectFor(true, x.hub.Name, "\x00"))
		if err != nil {
			if x.nc.IsConnected() {
				time.AfterFunc(time.Second, func() { x.nc.ForceReconnect() })
			}
			continue
		}
		x.mu.Lock()
		x.trusted, x.failing = checks, time.Time{}
		x.mu.Unlock()
		if service == nil {
			if service, err = x.serve(ctx); err != nil {
				return explainError(err)
			}
			work.Go(func() { x.host.publishAll(ctx, x) })
		}
		x.logOnce("connected: " + x.hub.title())
		x.host.republish()
	}
}

// claimName fails if another process uses the name of this host.
func (x *hubHost) claimName(ctx context.Context) error {
	ctx, cancel := context.WithTimeout(ctx, dialFor)
	defer cancel()
	m, err := x.nc.RequestWithContext(ctx, nameSubject+subjectToken(x.hub.Name), nil)
	if err != nil {
		return nil // no other host, or no answer
	}
	return fmt.Errorf("another gatehouse join is %s on this hub, since %s; end that one, or give this one a name: gatehouse remote add --host NAME",
		x.hub.Name, line.Clean(cutText(string(m.Data), 40)))
}

// serve answers requests as a NATS service.
func (x *hubHost) serve(ctx context.Context) (micro.Service, error) {
	since := x.host.Now().Format(time.DateTime)
	service, err := micro.AddService(x.nc, micro.Config{
		Name: "gatehouse", Version: "1.0.0", Description: "builds of " + line.Clean(x.hub.Name),
		Metadata: map[string]string{"host": x.hub.Name}, QueueGroupDisabled: true,
	})
	if err != nil {
		return nil, err
	}
	answer := func(decides bool) micro.Handler {
		places := make(chan struct{}, atOnce)
		return micro.HandlerFunc(func(r micro.Request) {
			user := r.Subject()[strings.LastIndexByte(r.Subject(), '.')+1:]
			var sender struct{ User string }
			// A request whose reply does not go to the user's inbox is forged: JetStream can deliver a stored message anywhere.
			if !strings.HasPrefix(r.Reply(), userInbox+user+".") || len(r.Data()) > requestLimit ||
				json.Unmarshal(r.Data(), &sender) != nil || subjectToken(sender.User) != user {
				return
			}
			select {
			case places <- struct{}{}:
			default:
				r.Respond(errorReply(refuseUnjudged(x.hub.Name+" is busy; nothing was done", "try again")))
				return
			}
			go func() {
				defer func() { <-places }()
				x.mu.Lock()
				who := asker{user: sender.User, trusted: x.trusted, decides: decides}
				x.mu.Unlock()
				reply := x.host.answer(ctx, who, r.Data())
				if int64(len(reply)) > x.nc.MaxPayload() {
					reply = errorReply(errors.New("it is too large to be sent; look at it on the host"))
				}
				r.Respond(reply)
			}()
		})
	}
	name := micro.HandlerFunc(func(r micro.Request) { r.Respond([]byte(since)) })
	return service, errors.Join(
		service.AddEndpoint("read", answer(false), micro.WithEndpointSubject(subjectFor(false, x.hub.Name, ""))),
		service.AddEndpoint("do", answer(true), micro.WithEndpointSubject(subjectFor(true, x.hub.Name, ""))),
		service.AddEndpoint("name", name, micro.WithEndpointSubject(nameSubject+subjectToken(x.hub.Name))))
}

// publish implements [publisher]. Dashboards get the message at once; if the hub does not keep it, everything is published again later.
func (x *hubHost) publish(key string, data []byte) error {
	if !x.nc.IsConnected() {
		return errDown
	}
	m := nats.NewMsg(keySubjects + key)
	if m.Data = data; data == nil {
		m.Header.Set("KV-Operation", "PURGE")
		m.Header.Set(jetstream.MsgRollup, jetstream.MsgRollupSubject)
	}
	_, err := x.js.PublishMsgAsync(m, jetstream.WithRetryAttempts(0), jetstream.WithStallWait(time.Millisecond))
	return err
}

// isKept records that the hub keeps a message. If the hub's bucket is new or has lost messages, everything is published again.
func (x *hubHost) isKept(_ jetstream.JetStream, _ *nats.Msg, ack *jetstream.PubAck) {
	x.mu.Lock()
	defer x.mu.Unlock()
	if ack.Sequence <= x.sequence {
		x.host.republish()
	}
	x.sequence, x.failing = ack.Sequence, time.Time{}
}

// isNotKept schedules a message to be published again. A server that keeps nothing may be cut off from the others.
func (x *hubHost) isNotKept(_ jetstream.JetStream, m *nats.Msg, err error) {
	var refused *jetstream.APIError
	if errors.As(err, &refused) && refused.Code < 500 { // it would be refused again
		x.logOnce(fmt.Sprintf("the hub does not keep what is published here: %v; look at its stream KV_%s", err, bucket))
		return
	}
	x.mu.Lock()
	defer x.mu.Unlock()
	switch now := time.Now(); {
	case x.failing.IsZero():
		x.failing = now
	case now.Sub(x.failing) > leaveAfter && len(x.hub.URLs) > 1:
		x.failing = time.Time{}
		go x.nc.ForceReconnect()
	}
	x.host.repeat(strings.TrimPrefix(m.Subject, keySubjects))
}

// logOnce logs a text unless it is the same as the last one.
func (x *hubHost) logOnce(text string) {
	x.mu.Lock()
	defer x.mu.Unlock()
	if x.lastLogged != text {
		x.lastLogged = text
		x.host.Log(text)
	}
}

// failed logs errors that belong to no call.
func (x *hubHost) failed(err error) {
	at := forbiddenSubject(err)
	if at == "" || at == subjectFor(true, x.hub.Name, "\x00") || strings.HasPrefix(at, userInbox) || strings.HasPrefix(at, "$SRV.") {
		return
	}
	x.logOnce(fmt.Sprintf("the hub does not let this host use %s; correct its permissions: gatehouse remote keys", at))
}
