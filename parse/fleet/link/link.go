// Package link is the way between hosts and dashboards: a NATS hub that all connect to, or a pair of pipes to one host,
// through ssh. Both carry the messages of package wire and know nothing of what they say. Neither keeps anything for later:
// what can't be sent now is not sent.
package link

import (
	"context"
	"errors"
	"time"

	"gatehouse/parse/fleet/wire"
)

// ErrUnknownKey means that a hub does not let this member in.
var ErrUnknownKey = errors.New("the hub does not know this key; have it entered there: gatehouse fleet keys prints it")

// What became of a request that has no answer. The first three say for certain that no host has got it.
var (
	// ErrDown means that there is no connection, or none that takes anything.
	ErrDown = errors.New("there is no connection")
	// ErrNobody means that the host is not there.
	ErrNobody = errors.New("it is not there")
	// ErrForbidden means that the hub does not let this user ask that.
	ErrForbidden = errors.New("the hub does not allow it")
	// ErrTooLarge means that the request is longer than what can be sent.
	ErrTooLarge = errors.New("it is too large to be sent")
	// ErrNoAnswer means that the request was sent and no answer came: whether the host got it is not known.
	ErrNoAnswer = errors.New("no answer came")
)

// NotSent reports whether an error of a request means that no host has got it.
func NotSent(err error) bool {
	return errors.Is(err, ErrDown) || errors.Is(err, ErrNobody) || errors.Is(err, ErrForbidden) || errors.Is(err, ErrTooLarge)
}

// Message is what a host has published under a key.
type Message struct {
	Key  string
	Data []byte
	// Stored is when the hub has taken it, by the hub's clock, for what it kept; zero for what a host says now.
	Stored time.Time
}

// Listener is told what comes over a link. Its methods may be called from several goroutines, and don't keep the link waiting.
type Listener interface {
	// Up says that the connection is there: for the first time, or again.
	Up()
	// Down says that it is not, and why. It is called again when the reason changes.
	Down(why error)
	// Said brings a message.
	Said(m Message)
	// Listed says that all that the hub keeps has been said since Up, and what the hub's clock says; or that it can't tell.
	Listed(clock time.Time, err error)
}

// Viewer is the end of a link at a dashboard.
type Viewer interface {
	// Name says for people what it leads to: "hub tls://hub.example:4222", "ssh build-8".
	Name() string
	// Only returns the name of the only host at the other end, as it is called here, "" where there may be several. What
	// that host calls itself does not count.
	Only() string
	// Run connects, again and again, until ctx ends.
	Run(ctx context.Context, l Listener)
	// Ask asks the process of a host with a boot number, and returns its answer.
	Ask(ctx context.Context, host string, boot uint64, kind string, request []byte) ([]byte, error)
}

// Asked is one request that has come to a host.
type Asked struct {
	User string // who asks, as the link has made sure; of a long name its token
	// Token is that of the name, by which two users are told apart; "" where User is the whole name.
	Token string
	// Trusted says that somebody has made sure of it: a hub that checks, or ssh.
	Trusted bool
	Changes bool // it came where requests come that change something
	Data    []byte
}

// UserToken returns the token of who asks.
func (a Asked) UserToken() string {
	if a.Token != "" {
		return a.Token
	}
	return wire.Token(a.User)
}

// Answerer is the host behind a link. Its methods may be called from several goroutines.
type Answerer interface {
	// Up says that the connection is there: for the first time, or again. What was said before may be lost.
	Up()
	// Down says that it is not, and why.
	Down(why error)
	// Complain says what does not work, though the connection is there.
	Complain(about error)
	// Hello says that somebody begins to look.
	Hello()
	// Behind says that the hub has lost what it kept: it is to be told again.
	Behind()
	// Leave says that the connection is about to be given up for good: what is said now is the last.
	Leave()
	// Answer answers a request.
	Answer(ctx context.Context, a Asked) []byte
}

// Host is the end of a link at a host.
type Host interface {
	Name() string
	// Run connects, again and again, until ctx ends. It ends by itself with an error that no waiting mends: somebody else has the host's name.
	Run(ctx context.Context, a Answerer) error
	// Say publishes a message under a key, in the place of the one before; gone is for what is said for the last time there. It never waits:
	// without a connection, nothing is said.
	Say(key string, data []byte, gone bool)
	// By says for the journal through what somebody decides who asks over this link: "fleet work".
	By() string
}
