package remote

// A NATS hub: the connection, a host on it, and a dashboard on it. Documents are values of a key-value bucket, verbs are requests of a service.

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"net"
	"net/url"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/nats-io/nats.go"
	"github.com/nats-io/nats.go/jetstream"
	"github.com/nats-io/nats.go/micro"

	"gatehouse/model"
	"gatehouse/model/line"
)

// The errors of a request without a reply. With all but errNoReply it is certain that no host has received it.
var (
	errDown       = errors.New("there is no connection")
	errNobody     = errors.New("it is not there")
	errForbidden  = errors.New("the hub lets you look, and not decide")
	errTooLarge   = errors.New("it is too large to be sent")
	errNoReply    = errors.New("no reply came")
	ErrUnknownKey = errors.New("the hub does not know this key; have it entered there: gatehouse remote keys prints it")
)

// codeNotJudged is the code of a reply whose host did not judge the request. It says nothing about the result of an earlier try.
const codeNotJudged = "E_NOT_JUDGED"

// refuseUnjudged refuses a request that the host does not judge.
func refuseUnjudged(why, fix string) error {
	return &model.Refusal{Code: codeNotJudged, Text: why, Fix: fix}
}

// notSent reports whether an error of a request means that no host has judged it. The same request may have been judged before.
func notSent(err error) bool {
	var refused *model.Refusal
	return errors.As(err, &refused) && refused.Code == codeNotJudged || errors.Is(err, errDown) || errors.Is(err, errNobody) || errors.Is(err, errForbidden) || errors.Is(err, errTooLarge)
}

const (
	pingEvery = 2 * time.Second // a network that swallows messages is detected after two pings
	dialFor   = 3 * time.Second // timeout of one attempt to connect
	ackWithin = 3 * time.Second // how long a hub may take to acknowledge a document
	// leaveAfter is how long a server may fail before the host tries another server of the hub.
	leaveAfter = 9 * time.Second
	retryFirst = 250 * time.Millisecond // doubled up to retryLast, with a random addition of up to as much again
	retryLast  = 5 * time.Second
	keepFor    = 7 * 24 * time.Hour // how long a hub keeps a document
)

// Hub is the address of a hub and the identity of the member that connects.
type Hub struct {
	Remote   string   // the user's name for it
	URLs     []string // "tls://hub.example:4222"
	Name     string   // of the host or user
	Key      string   // file with the nkey; "" for a hub without keys
	CA       string   // file with the certificates that sign the hub's; "" for the system's
	Replicas int      // number of servers of a cluster that keep documents; 0 is 1
}

// title returns the hub's name for users.
func (h Hub) title() string { return "hub " + strings.Join(h.URLs, ", ") }

// Check refuses an address that can't work, or that would send unencrypted data through a network.
func (h Hub) Check() error {
	if len(h.URLs) == 0 {
		return errors.New("it has no address")
	}
	for _, u := range h.URLs {
		parsed, err := url.Parse(u)
		switch {
		case err != nil || parsed.Hostname() == "":
			return fmt.Errorf("%s: this is no address; write it as tls://hub.example:4222", line.Clean(u))
		case parsed.User != nil:
			return fmt.Errorf("%s: passwords in an address are not used; the hub is given a key: gatehouse remote keys", parsed.Redacted())
		case parsed.Scheme == "tls" || parsed.Scheme == "wss":
		case parsed.Scheme != "nats" && parsed.Scheme != "ws":
			return fmt.Errorf("%s: use tls:// or wss://, or nats:// on this machine alone", line.Clean(u))
		case parsed.Hostname() != "localhost" && !net.ParseIP(parsed.Hostname()).IsLoopback():
			return fmt.Errorf("%s: nothing would be encrypted; use tls:// or wss://, or ssh -L to this machine", line.Clean(u))
		}
	}
	return nil
}

// natsOptions returns the connection options of hosts and dashboards. changed is called with nil when the connection comes up, and with
// the reason when it goes down or can't be made again.
func (h Hub) natsOptions(inbox string, changed func(error), failed func(error)) []nats.Option {
	options := []nats.Option{
		nats.Name("gatehouse " + h.Name), nats.CustomInboxPrefix(inbox + subjectToken(h.Name)),
		nats.RetryOnFailedConnect(true), nats.MaxReconnects(-1), nats.IgnoreAuthErrorAbort(),
		nats.Timeout(dialFor), nats.PingInterval(pingEvery), nats.MaxPingsOutstanding(2),
		nats.ReconnectBufSize(-1), // nothing is queued
		nats.CustomReconnectDelay(func(attempts int) time.Duration {
			wait := min(retryFirst<<min(attempts, 10), retryLast)
			return wait/2 + rand.N(wait)
		}),
		nats.ReconnectJitter(0, 0),
		nats.ConnectHandler(func(*nats.Conn) { changed(nil) }),
		nats.ReconnectHandler(func(*nats.Conn) { changed(nil) }),
		nats.DisconnectErrHandler(func(nc *nats.Conn, err error) {
			if !nc.IsClosed() {
				changed(explainError(err))
			}
		}),
		nats.ReconnectErrHandler(func(_ *nats.Conn, err error) { changed(explainError(err)) }),
		nats.ErrorHandler(func(_ *nats.Conn, _ *nats.Subscription, err error) { failed(err) }),
	}
	if h.Key != "" {
		key, err := nats.NkeyOptionFromSeed(h.Key)
		if err != nil {
			err = fmt.Errorf("%s: this is no key: %w; make one: gatehouse remote add", h.Key, err)
			key = func(*nats.Options) error { return err }
		}
		options = append(options, key)
	}
	if h.CA != "" {
		options = append(options, nats.RootCAs(h.CA))
	}
	return options
}

// openConnection connects, and reconnects until the connection is closed.
func (h Hub) openConnection(inbox string, changed, failed func(error)) (*nats.Conn, error) {
	if err := h.Check(); err != nil {
		return nil, err
	}
	nc, err := nats.Connect(strings.Join(h.URLs, ","), h.natsOptions(inbox, changed, failed)...)
	if err != nil {
		return nil, explainError(err)
	}
	return nc, nil
}

// explainError rewords an error of the library.
func explainError(err error) error {
	if err == nil {
		return errors.New("the connection is lost")
	}
	text := line.Clean(strings.TrimPrefix(err.Error(), "nats: "))
	switch {
	case errors.Is(err, nats.ErrAuthorization) || errors.Is(err, nats.ErrAuthExpired) || errors.Is(err, nats.ErrAuthRevoked):
		return ErrUnknownKey
	case errors.Is(err, nats.ErrNkeysNotSupported):
		return errors.New("the hub asks for no keys; have its configuration include members.conf, which gatehouse remote keys prints")
	case errors.Is(err, nats.ErrNoServers), errors.Is(err, nats.ErrStaleConnection):
		return errors.New("no hub answers there")
	case errors.Is(err, io.EOF):
		return errors.New("the hub has ended the connection")
	case strings.Contains(text, "x509: "), strings.Contains(text, "rootCA"), strings.Contains(text, "root certificate"):
		return fmt.Errorf("the hub's certificate does not fit: %s; name the file of its signer: gatehouse remote add ADDRESS --ca FILE", text)
	}
	return errors.New(text)
}

// forbiddenSubject returns the subject that the hub does not let us use; "" for other errors.
func forbiddenSubject(err error) string {
	if !errors.Is(err, nats.ErrPermissionViolation) {
		return ""
	}
	_, rest, _ := strings.Cut(err.Error(), `"`)
	subject, _, _ := strings.Cut(rest, `"`)
	return subject
}

// isRefused reports whether the hub refuses a message at a subject without a listener. It fails if the hub does not answer in time.
func isRefused(nc *nats.Conn, subject string) (bool, error) {
	for range tries {
		before := nc.LastError()
		if err := errors.Join(nc.Publish(subject, nil), nc.FlushTimeout(dialFor)); err != nil {
			return false, err
		}
		switch after := nc.LastError(); {
		case after == before:
			return false, nil
		case forbiddenSubject(after) == subject:
			return true, nil
		} // the last error is about another subject and may hide the refusal
	}
	return false, errDown
}

// open returns the bucket and its status, and creates it if there is none. Hosts may not do this, since JetStream's interface can be made
// to publish anywhere. It fails if the content of the bucket can't be trusted.
func (h Hub) open(ctx context.Context, nc *nats.Conn) (jetstream.KeyValue, *jetstream.StreamInfo, error) {
	cannot := func(err error) error { return fmt.Errorf("the hub does not show what it keeps: %w", explainError(err)) }
	js, err := jetstream.New(nc)
	if err != nil {
		return nil, nil, err
	}
	kv, err := js.KeyValue(ctx, bucket)
	if errors.Is(err, jetstream.ErrBucketNotFound) {
		kv, err = js.CreateKeyValue(ctx, jetstream.KeyValueConfig{
			Bucket: bucket, Description: "what the hosts of gatehouse said last; may be deleted at any time", MaxValueSize: packedLimit + 1024,
			History: 1, TTL: keepFor, Storage: jetstream.FileStorage, Replicas: max(1, h.Replicas),
		})
	}
	if err != nil {
		return nil, nil, cannot(err)
	}
	status, err := kv.Status(ctx)
	if err != nil {
		return nil, nil, cannot(err)
	}
	info := status.(*jetstream.KeyValueBucketStatus).StreamInfo() // the only implementation for JetStream
	if c := &info.Config; !slices.Equal(c.Subjects, []string{keySubjects + ">"}) || c.Mirror != nil || len(c.Sources) > 0 || c.SubjectTransform != nil || c.RePublish != nil {
		return nil, nil, fmt.Errorf("others than hosts may write what the hub keeps, so it is not used; have its bucket removed: nats stream rm KV_%s", bucket)
	}
	return kv, info, nil
}

// Probed is the result of [Probe].
type Probed struct {
	RTT time.Duration
	// Checks: the hub checks who publishes where. Decides: this user may send decisions to hosts.
	Checks, Decides bool
}

// Probe connects to a hub, and asks what it lets a host or a user do.
func Probe(hub Hub, asHost bool) (p Probed, err error) {
	if err := hub.Check(); err != nil {
		return p, err
	}
	inbox := userInbox
	if asHost {
		inbox = hostInbox
	}
	none := func(error) {}
	options := append(hub.natsOptions(inbox, none, none), nats.RetryOnFailedConnect(false), nats.NoReconnect())
	nc, err := nats.Connect(strings.Join(hub.URLs, ","), options...)
	if err != nil {
		return p, explainError(err)
	}
	defer nc.Close()
	if p.RTT, err = nc.RTT(); err != nil {
		return p, explainError(err)
	}
	if p.Checks, err = isRefused(nc, subjectFor(true, "\x00probe", hub.Name+"\x00")); err != nil {
		return p, err
	}
	refused, err := isRefused(nc, subjectFor(true, "\x00probe", hub.Name))
	p.Decides = !refused
	return p, err
}

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
