package remote

// Connecting to a NATS hub, for hosts and dashboards alike.

import (
	"context"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"net"
	"net/url"
	"slices"
	"strings"
	"time"

	"github.com/nats-io/nats.go"
	"github.com/nats-io/nats.go/jetstream"

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
