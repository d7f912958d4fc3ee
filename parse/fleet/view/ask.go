package view

// Asking hosts.

import (
	"bytes"
	"cmp"
	"compress/gzip"
	"context"
	"errors"
	"fmt"
	"io"
	"time"

	"gatehouse/model"
	"gatehouse/parse/disk/statefile"
	"gatehouse/parse/fleet/link"
	"gatehouse/parse/fleet/wire"
)

const (
	// readFor is how long an answer may take that changes nothing, and reads how often it is asked for before nobody is
	// thought to be there: a host looks for a second at a file that is being written.
	readFor = 4 * time.Second
	reads   = 3
	// backFor is how long a connection that is lost is waited for, before it is said that there is none.
	backFor = 2 * time.Second
	// tries is how often something is asked for that changes while it is sent.
	tries = 5
)

var errMixed = errors.New("the parts of the answer don't belong together")

// ask asks a host once.
func (f *Fleet) ask(ctx context.Context, h *host, r *wire.Request) (*wire.Reply, []byte, error) {
	return f.send(ctx, h, r.Request, wire.Encode(r))
}

// send sends a request as it is, to the process that speaks for the host now.
func (f *Fleet) send(ctx context.Context, h *host, kind string, data []byte) (*wire.Reply, []byte, error) {
	f.mu.Lock()
	boot, name, only := h.boot, h.name, h.source.link.Only()
	f.mu.Unlock()
	if only != "" {
		name = only
	}
	start := f.opts.Now()
	answer, err := h.source.link.Ask(ctx, name, boot, kind, data)
	if err != nil {
		return nil, nil, err
	}
	reply, part, err := wire.ParseReply(kind, answer)
	if err != nil {
		return nil, nil, fmt.Errorf("the answer of %s can't be read: %w", h.shown(), err)
	}
	f.mu.Lock()
	defer f.mu.Unlock()
	h.sampleAnswer(reply.At, start, f.opts.Now())
	if err := reply.Clean(h.precisely()); err != nil {
		return nil, nil, fmt.Errorf("the answer of %s can't be read: %w", h.shown(), err)
	}
	return reply, part, nil
}

// fetch asks a host for something that comes in parts, and puts them together. Without data it is the content that Have names.
// An error of the host may come beside what it has.
func (f *Fleet) fetch(ctx context.Context, h *host, r wire.Request) (data []byte, etag string, err error) {
	r.V = wire.Version
	for range tries {
		data, etag, err = f.fetchOnce(ctx, h, r)
		var refused *model.Refusal
		if !errors.As(err, &refused) || refused.Code != wire.CodeAgain {
			break
		}
	}
	return data, etag, err
}

func (f *Fleet) fetchOnce(ctx context.Context, h *host, r wire.Request) (data []byte, etag string, err error) {
	first, part, err := f.read(ctx, h, &r)
	if err != nil {
		return nil, "", err
	}
	told := first.Error.Err()
	switch {
	case first.Same && r.Have != "":
		return nil, r.Have, told
	case first.Parts == 0:
		return nil, "", cmp.Or(told, errMixed)
	}
	packed := part
	for n := 1; n < first.Parts; n++ {
		r.Part, r.Etag = n, first.Etag
		next, part, err := f.read(ctx, h, &r)
		if err != nil {
			return nil, "", err
		}
		if err := next.Error.Err(); err != nil {
			return nil, "", err
		}
		if next.Etag != first.Etag || len(packed)+len(part) > wire.WholeLimit {
			return nil, "", errMixed
		}
		packed = append(packed, part...)
	}
	data, err = whole(packed, first)
	if err != nil {
		return nil, "", err
	}
	return data, first.Etag, told
}

// read asks a host for what changes nothing, and again where no answer comes.
func (f *Fleet) read(ctx context.Context, h *host, r *wire.Request) (reply *wire.Reply, part []byte, err error) {
	for range reads {
		asked := f.opts.Now()
		soon, cancel := context.WithTimeout(ctx, readFor)
		reply, part, err = f.ask(soon, h, r)
		cancel()
		switch {
		case errors.Is(err, link.ErrDown): // it may be back in a moment; that it is lost may not have been told yet
			soon, cancel := context.WithTimeout(ctx, backFor)
			f.until(soon, func() bool { return h.source.up && h.source.since.After(asked) })
			cancel()
		case !errors.Is(err, link.ErrNoAnswer):
			return reply, part, err
		}
		if ctx.Err() != nil {
			break
		}
	}
	return reply, part, err
}

// whole unpacks what was sent, and makes sure that it is what the host has sent.
func whole(packed []byte, r *wire.Reply) ([]byte, error) {
	data := packed
	if r.Packed {
		z, err := gzip.NewReader(bytes.NewReader(packed))
		if err != nil {
			return nil, errMixed
		}
		if data, err = io.ReadAll(io.LimitReader(z, wire.WholeLimit+1)); err != nil {
			return nil, errMixed
		}
	}
	if len(data) != r.Size || len(data) > wire.WholeLimit || statefile.Hash(string(data)) != r.Etag {
		return nil, errMixed
	}
	return data, nil
}

// notSent returns the error of a request that no host has got, in words for people.
func notSent(h *host, why error) error {
	name := h.shown()
	switch {
	case errors.Is(why, link.ErrNobody):
		state := ""
		f := h.source.fleet
		f.mu.Lock()
		at := h.asOf()
		f.mu.Unlock()
		if !at.IsZero() {
			state = ", last heard of at " + h.source.fleet.clockTime(at)
		}
		return &model.Refusal{Text: "nothing was sent: " + name + " is not there" + state, Fix: "decide again when it is back, or there"}
	case errors.Is(why, link.ErrForbidden):
		return &model.Refusal{Text: "nothing was sent: the hub lets you look, and not decide", Fix: "have yourself entered as an approver: gatehouse fleet keys"}
	case errors.Is(why, link.ErrTooLarge):
		return &model.Refusal{Text: "nothing was sent: it is longer than the hub takes", Fix: "make it shorter"}
	}
	return &model.Refusal{Text: "nothing was sent: there is no connection to " + h.source.link.Name(), Fix: "decide again when there is one, or on " + name}
}
