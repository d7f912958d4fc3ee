// Trying a hub, for who has to find out why something does not work.

package link

import (
	"context"
	"errors"
	"strings"
	"time"

	"github.com/nats-io/nats.go"

	"gatehouse/parse/fleet/wire"
)

// LeastPayload is the longest message that a hub has to take, in bytes: a part of a tree with what stands before it.
const LeastPayload = wire.PartSize + 64<<10

// Probed is what a hub is like for a member.
type Probed struct {
	Version   string // of its server
	Cluster   string // name of its cluster, "" for one server
	Encrypted bool
	RTT       time.Duration // there and back
	Payload   int64         // longest message it takes, in bytes
	// Checks says that it checks who publishes where, Decides that this user may ask hosts to do something.
	Checks, Decides bool
	// Kept is how many messages it keeps, Replicas on how many servers; Unkept why that is not known, nil where it is.
	Kept, Replicas int
	Unkept         error
}

// Probe connects to a hub as a user and tries what a dashboard does; as a host it only connects.
func Probe(ctx context.Context, hub Hub, asHost bool) (*Probed, error) {
	if err := hub.Check(); err != nil {
		return nil, err
	}
	inbox := wire.Inbox(hub.Name)
	if asHost {
		inbox = wire.HostInbox(hub.Name)
	}
	none := func(error) {}
	options := append(hub.options(inbox, none, func() {}, none), nats.RetryOnFailedConnect(false), nats.NoReconnect())
	nc, err := nats.Connect(strings.Join(hub.URLs, ","), options...)
	if err != nil {
		return nil, said(err)
	}
	defer nc.Close()
	p := &Probed{Version: nc.ConnectedServerVersion(), Cluster: nc.ConnectedClusterName(), Payload: nc.MaxPayload()}
	if state, err := nc.TLSConnectionState(); err == nil && state.HandshakeComplete {
		p.Encrypted = true
	}
	if p.RTT, err = nc.RTT(); err != nil {
		return nil, said(err)
	}
	if p.Checks, err = refused(nc, wire.Subject(wire.AskDecide, "\x00probe", 1, hub.Name+"\x00")); err != nil {
		return nil, said(err)
	}
	if asHost {
		return p, nil
	}
	undecided, err := refused(nc, wire.Subject(wire.AskDecide, "\x00probe", 1, hub.Name))
	if err != nil {
		return nil, said(err)
	}
	p.Decides = !undecided
	ctx, cancel := context.WithTimeout(ctx, listFor)
	defer cancel()
	_, info, err := hub.open(ctx, nc)
	if err != nil {
		p.Unkept = err
		return p, nil
	}
	p.Kept, p.Replicas = int(info.State.Msgs), info.Config.Replicas
	return p, nil
}

// refused reports whether the hub refuses a message at a subject where nobody listens. It fails where the hub does not answer in time.
func refused(nc *nats.Conn, subject string) (bool, error) {
	before := nc.LastError()
	if err := errors.Join(nc.Publish(subject, nil), nc.FlushTimeout(dialFor)); err != nil {
		return false, err
	}
	after := nc.LastError()
	return after != before && errors.Is(after, nats.ErrPermissionViolation) && forbidden(after) == subject, nil
}
