// The end of a pair of pipes at a host: gatehouse join --stdio, which ssh has started.

package link

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"sync"

	"gatehouse/parse/fleet/wire"
)

// PipeHost is a host behind pipes. Whoever is at the other end has started this process as its user, so nobody has to be
// asked who that is.
type PipeHost struct {
	in   io.Reader
	out  io.Writer
	user string

	mu     sync.Mutex
	order  []string         // keys with something to say, the oldest first
	say    map[string]frame // the newest for each
	ready  chan struct{}
	reply  chan frame
	places places
}

// NewPipeHost returns a host that says everything on out, and is asked on in, by a user.
func NewPipeHost(in io.Reader, out io.Writer, user string) *PipeHost {
	return &PipeHost{in: in, out: out, user: user, say: map[string]frame{}, ready: make(chan struct{}, 1), reply: make(chan frame), places: newPlaces()}
}

// Name implements [Host].
func (h *PipeHost) Name() string { return "standard input and output" }

// By implements [Host].
func (h *PipeHost) By() string { return "ssh" }

// Run implements [Host]. It ends when the input does, and when what was begun by then is done: a decision may wait for a lock.
func (h *PipeHost) Run(ctx context.Context, a Answerer) error {
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	// What a shell has said before may lack the end of its line.
	if _, err := fmt.Fprintf(h.out, "\n%s%d\n", greeting, wire.Version); err != nil {
		return err
	}
	ended := make(chan error, 2)
	go func() { ended <- h.write(ctx) }()
	go func() { ended <- h.read(ctx, a) }()
	a.Up()
	var err error
	select {
	case err = <-ended:
		if errors.Is(err, io.EOF) {
			err = nil
		}
	case <-ctx.Done():
	}
	cancel()
	h.places.drain()
	return err
}

// Say implements [Host]. What is not read is replaced by what is said later.
func (h *PipeHost) Say(key string, data []byte, _ bool) {
	h.mu.Lock()
	if _, waits := h.say[key]; !waits {
		h.order = append(h.order, key)
	}
	h.say[key] = frame{Frame: frameSay, Key: key, data: data}
	h.mu.Unlock()
	knock(h.ready)
}

// write writes answers and what is said, as they come.
func (h *PipeHost) write(ctx context.Context) error {
	for {
		select {
		case <-ctx.Done():
			return nil
		case f := <-h.reply:
			if err := writeFrame(h.out, f); err != nil {
				return err
			}
		case <-h.ready:
			f, ok := h.next()
			if !ok {
				continue
			}
			knock(h.ready)
			if err := writeFrame(h.out, f); err != nil {
				return err
			}
		}
	}
}

func (h *PipeHost) next() (f frame, ok bool) {
	h.mu.Lock()
	defer h.mu.Unlock()
	if len(h.order) == 0 {
		return f, false
	}
	key := h.order[0]
	f = h.say[key]
	h.order = h.order[1:]
	delete(h.say, key)
	return f, true
}

// read reads what is asked, and has it answered.
func (h *PipeHost) read(ctx context.Context, a Answerer) error {
	r := bufio.NewReader(h.in)
	for {
		f, err := readFrame(r)
		if err != nil {
			return err
		}
		if f.Frame != frameAsk {
			continue // of a kind that is not known yet
		}
		h.places.take(f.Changes, f.data, func() {
			data := a.Answer(ctx, Asked{User: h.user, Trusted: true, Changes: f.Changes, Data: f.data})
			select {
			case h.reply <- frame{Frame: frameAnswer, ID: f.ID, data: data}:
			case <-ctx.Done():
			}
		})
	}
}
