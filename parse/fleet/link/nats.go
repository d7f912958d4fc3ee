// Connecting to a NATS hub, for hosts and dashboards alike.

package link

import (
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"net"
	"net/url"
	"strings"
	"sync"
	"time"

	"github.com/nats-io/nats.go"

	"gatehouse/model/line"
)

const (
	// pingEvery is how often the other end of a connection is asked for a sign of life; after two without an answer the
	// connection is given up. A network that only swallows is so noticed within six seconds.
	pingEvery = 2 * time.Second
	pingsLost = 2
	// dialFor is how long one attempt to connect may take.
	dialFor = 3 * time.Second
	// ackWithin is how soon a hub has to say that it keeps a message.
	ackWithin = 3 * time.Second
)

// Retries: from a quarter of a second, doubled up to five seconds, each with as much again by chance, so that a hundred
// hosts don't come back in one moment.
const (
	retryFirst = 250 * time.Millisecond
	retryLast  = 5 * time.Second
)

// Hub says where a hub is, and who connects.
type Hub struct {
	Fleet string   // the name that the user has given it
	URLs  []string // "tls://hub.example:4222"
	Name  string   // of the host or user
	Key   string   // file with the nkey; "" for a hub that asks for none
	CA    string   // file with the certificates that the hub's is signed by; "" for those of the system
	// Replicas is on how many servers of a cluster the hub keeps what was said; 0 is 1.
	Replicas int
	// Dial opens connections; nil dials. Tests go through proxies.
	Dial func(network, address string) (net.Conn, error)
}

// Check refuses what could only fail, or would send everything in the clear through a network.
func (h Hub) Check() error {
	switch {
	case len(h.URLs) == 0:
		return errors.New("it has no address")
	case h.Name == "":
		return errors.New("whoever connects needs a name")
	}
	for _, u := range h.URLs {
		parsed, err := url.Parse(u)
		switch {
		case err != nil || parsed.Hostname() == "":
			return fmt.Errorf("%s: this is no address; write it as tls://hub.example:4222", line.Clean(u))
		case parsed.User != nil:
			return fmt.Errorf("%s: passwords in an address are not used; the hub is given a key: gatehouse fleet keys", parsed.Redacted())
		case parsed.Scheme == "tls" || parsed.Scheme == "wss":
		case parsed.Scheme != "nats" && parsed.Scheme != "ws":
			return fmt.Errorf("%s: there is tls:// and wss://, and nats:// on this machine alone", line.Clean(u))
		case !loopback(parsed.Hostname()):
			return fmt.Errorf("%s: nothing would be encrypted; write tls:// or wss://, or lead it through ssh -L to this machine", line.Clean(u))
		}
	}
	return nil
}

func loopback(host string) bool {
	ip := net.ParseIP(host)
	return host == "localhost" || ip != nil && ip.IsLoopback()
}

// options are those of both ends.
func (h Hub) options(inbox string, lost func(error), up func(), failed func(error)) []nats.Option {
	up, down := onChange(up, lost)
	options := []nats.Option{
		nats.Name("gatehouse " + h.Name), nats.CustomInboxPrefix(inbox), nats.NoEcho(),
		nats.RetryOnFailedConnect(true), nats.MaxReconnects(-1), nats.IgnoreAuthErrorAbort(),
		nats.Timeout(dialFor), nats.PingInterval(pingEvery), nats.MaxPingsOutstanding(pingsLost),
		// Nothing is kept for a connection that is not there: a decision that is sent later is another one.
		nats.ReconnectBufSize(-1),
		nats.CustomReconnectDelay(func(attempts int) time.Duration {
			wait := min(retryFirst<<min(attempts, 10), retryLast)
			return wait/2 + rand.N(wait)
		}),
		nats.ReconnectJitter(0, 0),
		nats.ConnectHandler(func(*nats.Conn) { up() }),
		nats.ReconnectHandler(func(*nats.Conn) { up() }),
		nats.DisconnectErrHandler(func(nc *nats.Conn, err error) {
			if !nc.IsClosed() {
				down(said(err))
			}
		}),
		nats.ReconnectErrHandler(func(_ *nats.Conn, err error) { down(said(err)) }),
		nats.ErrorHandler(func(_ *nats.Conn, _ *nats.Subscription, err error) { failed(err) }),
	}
	if h.Key != "" {
		options = append(options, h.nkey())
	}
	if h.CA != "" {
		options = append(options, nats.RootCAs(h.CA))
	}
	if h.Dial != nil {
		options = append(options, nats.SetCustomDialer(dialer(h.Dial)))
	}
	return options
}

// onChange passes on that a connection is there, and that it is not only where the reason is another than the last: each attempt fails for one.
func onChange(up func(), down func(error)) (func(), func(error)) {
	var mu sync.Mutex
	last := "" // why it is down, "" while it is not
	return func() {
			mu.Lock()
			last = ""
			mu.Unlock()
			up()
		}, func(why error) {
			mu.Lock()
			same := last == why.Error()
			last = why.Error()
			mu.Unlock()
			if !same {
				down(why)
			}
		}
}

// nkey proves that the key is there each time the hub asks; only the signature leaves the process.
func (h Hub) nkey() nats.Option {
	option, err := nats.NkeyOptionFromSeed(h.Key)
	if err != nil {
		return func(*nats.Options) error {
			return fmt.Errorf("%s: this is no key: %w; make one: gatehouse fleet add", h.Key, err)
		}
	}
	return option
}

type dialer func(network, address string) (net.Conn, error)

func (d dialer) Dial(network, address string) (net.Conn, error) { return d(network, address) }

// said returns an error of the library in words for people.
func said(err error) error {
	switch {
	case err == nil:
		return errors.New("the connection is lost")
	case errors.Is(err, nats.ErrAuthorization) || errors.Is(err, nats.ErrAuthExpired) || errors.Is(err, nats.ErrAuthRevoked):
		return ErrUnknownKey
	case errors.Is(err, nats.ErrStaleConnection):
		return errors.New("the hub does not answer any more")
	case errors.Is(err, nats.ErrNkeysNotSupported):
		return errors.New("the hub asks for no keys; have its configuration include members.conf, which gatehouse fleet keys prints")
	case errors.Is(err, nats.ErrNoServers):
		return errors.New("no hub answers there")
	case errors.Is(err, io.EOF):
		return errors.New("the hub has ended the connection")
	case errors.Is(err, nats.ErrSecureConnRequired), errors.Is(err, nats.ErrSecureConnWanted):
		return errors.New("the hub and the address do not agree whether the connection is encrypted")
	}
	if why := certificate(err); why != nil {
		return why
	}
	return errors.New(line.Clean(strings.TrimPrefix(err.Error(), "nats: ")))
}

// certificate says what is wrong with a hub's certificate, nil where that is not what an error is about. Parts of the library wrap errors by
// their text alone.
func certificate(err error) error {
	text := line.Clean(strings.TrimPrefix(err.Error(), "nats: "))
	switch {
	case strings.Contains(text, "x509: certificate signed by unknown authority"):
		return errors.New("nobody whom this machine trusts has signed the hub's certificate; name the file of who has: gatehouse fleet add NAME ADDRESS --ca FILE")
	case strings.Contains(text, "x509: certificate has expired or is not yet valid"):
		_, when, _ := strings.Cut(text, "not yet valid: ")
		return fmt.Errorf("the hub's certificate has expired, or a clock is wrong (%s); have it renewed there", when)
	case strings.Contains(text, "x509: "):
		_, why, _ := strings.Cut(text, "x509: ")
		return fmt.Errorf("the hub's certificate does not fit: %s; use a name that it is for, or have one made for this address", why)
	case strings.Contains(text, "rootCA"), strings.Contains(text, "failed to parse root certificate"):
		return fmt.Errorf("%s; name a file of certificates: gatehouse fleet add NAME ADDRESS --ca FILE", text)
	}
	return nil
}

// forbidden returns the subject that the hub does not let us use, "" where an error is about something else.
func forbidden(err error) string {
	if !errors.Is(err, nats.ErrPermissionViolation) {
		return ""
	}
	_, rest, _ := strings.Cut(err.Error(), `"`)
	subject, _, _ := strings.Cut(rest, `"`)
	return subject
}
