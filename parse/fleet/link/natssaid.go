// What a host has said on a hub, until that keeps it.

package link

import (
	"errors"
	"fmt"
	"time"

	"github.com/nats-io/nats.go"
	"github.com/nats-io/nats.go/jetstream"

	"gatehouse/parse/fleet/wire"
)

// trySoonest is how soon it is tried again whether the hub keeps something, where it does not; then after a quarter of the time that it has not,
// up to what a presence takes to come by itself.
const trySoonest = 100 * time.Millisecond

// Say implements [Host].
func (h *HubHost) Say(key string, data []byte, gone bool) {
	h.mu.Lock()
	js := h.js
	h.mu.Unlock()
	if js == nil {
		return
	}
	m := nats.NewMsg(wire.KeySubjects + key)
	m.Data = data
	if gone { // as the client of a bucket says it, with what we have to say besides
		m.Header.Set("KV-Operation", "PURGE")
		m.Header.Set(jetstream.MsgRollup, jetstream.MsgRollupSubject)
	}
	h.saying.Lock()
	defer h.saying.Unlock()
	h.mu.Lock()
	h.waits[m.Subject] = m
	delete(h.lost, m.Subject)
	h.mu.Unlock()
	h.publish(m)
}

// publish sends a message, without another try: a later one might have gone out meanwhile.
func (h *HubHost) publish(m *nats.Msg) {
	if _, err := h.js.PublishMsgAsync(m, jetstream.WithRetryAttempts(0), jetstream.WithStallWait(time.Millisecond)); err != nil {
		h.misses(m)
	}
}

// keeps notes that the hub keeps a message, and says again what it did not. Where its bucket was made anew, or has lost its end, it counts from
// further back, and all is said again.
func (h *HubHost) keeps(m *nats.Msg, sequence uint64) {
	h.mu.Lock()
	behind := sequence <= h.stored
	h.stored = sequence
	h.keeping.well()
	if h.trying != nil {
		h.trying.Stop()
		h.trying = nil
	}
	if h.waits[m.Subject] == m {
		delete(h.waits, m.Subject)
		delete(h.lost, m.Subject) // it has come late
	}
	var again map[string]*nats.Msg
	if len(h.lost) > 0 {
		again, h.lost = h.lost, map[string]*nats.Msg{}
	}
	h.mu.Unlock()
	if again != nil {
		h.repeat(again)
	}
	if behind {
		h.answerer.Behind()
	}
}

// repeat says messages again, but for those that newer ones have taken the place of.
func (h *HubHost) repeat(messages map[string]*nats.Msg) {
	h.saying.Lock()
	defer h.saying.Unlock()
	for subject, m := range messages {
		h.mu.Lock()
		newest := h.waits[subject] == m
		h.mu.Unlock()
		if newest {
			h.publish(m)
		}
	}
}

// unkept takes a message that the hub has not kept. One that it refuses for good is not said again: it would be refused again, ten times a second,
// and with each the presence that comes before it would go to every dashboard.
func (h *HubHost) unkept(_ jetstream.JetStream, m *nats.Msg, why error) {
	if !forGood(why) {
		h.misses(m)
		return
	}
	h.mu.Lock()
	if h.waits[m.Subject] == m {
		delete(h.waits, m.Subject)
		delete(h.lost, m.Subject)
	}
	h.mu.Unlock()
	h.answerer.Complain(fmt.Errorf("the hub does not keep all that is said here, so that it is not seen while this host is away: %w; mend its stream KV_%s", why, wire.Bucket))
}

// storeFull is the code of JetStream for a message that its stream has no room for.
const storeFull = 10077

// forGood reports whether the hub has refused a message, and not only failed to keep it.
func forGood(err error) bool {
	var refusal *jetstream.APIError
	return errors.As(err, &refusal) && (refusal.Code < 500 || refusal.ErrorCode == storeFull)
}

// misses notes that the hub does not keep a message, or has not said in time that it does: whoever looks now has heard it all the same. It may
// be called by the client while that holds its locks.
func (h *HubHost) misses(m *nats.Msg) {
	h.mu.Lock()
	if h.waits[m.Subject] == m {
		h.lost[m.Subject] = m
	}
	h.mu.Unlock()
	h.try()
}

// try has the host say something soon, to find out whether the hub keeps it. Where it has not for a while, the server may be cut off from the
// others, and another is tried.
func (h *HubHost) try() {
	h.mu.Lock()
	defer h.mu.Unlock()
	if !h.nc.IsConnected() || h.trying != nil {
		return
	}
	now := time.Now()
	if since, leave := h.keeping.ill(now, now); leave {
		go h.nc.ForceReconnect() // apart: whoever holds what its handlers need may have come here
	} else {
		h.trying = time.AfterFunc(min(max(trySoonest, since/4), wire.PresenceEvery), func() {
			h.mu.Lock()
			h.trying = nil
			h.mu.Unlock()
			h.answerer.Hello()
		})
	}
}
