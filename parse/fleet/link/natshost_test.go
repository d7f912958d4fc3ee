package link

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"testing"
	"time"

	"github.com/nats-io/nats.go"
	"github.com/nats-io/nats.go/jetstream"

	"gatehouse/parse/fleet/wire"
)

// silent is a host that does nothing but what a test has it do.
type silent struct {
	Answerer
	complaints int
	answer     func()
}

func (s *silent) Up()                                  {}
func (s *silent) Complain(error)                       { s.complaints++ }
func (s *silent) Answer(context.Context, Asked) []byte { s.answer(); return nil }

func TestWhatIsRefusedForGoodIsNotSaidAgain(t *testing.T) {
	for err, want := range map[error]bool{
		&jetstream.APIError{Code: 400, ErrorCode: 10054, Description: "message size exceeds maximum allowed"}: true,
		&jetstream.APIError{Code: 503, ErrorCode: storeFull, Description: "maximum bytes exceeded"}:           true,
		&jetstream.APIError{Code: 503, ErrorCode: 10008, Description: "JetStream system unavailable"}:         false,
		jetstream.ErrAsyncPublishTimeout: false, nats.ErrNoResponders: false,
	} {
		if got := forGood(fmt.Errorf("so: %w", err)); got != want {
			t.Errorf("%v: %v", err, got)
		}
	}
	host, m := &silent{}, nats.NewMsg("x")
	h := NewHubHost(Hub{}, 1)
	h.answerer, h.waits["x"] = host, m
	h.unkept(nil, m, &jetstream.APIError{Code: 400})
	if len(h.waits) != 0 || len(h.lost) != 0 || h.trying != nil || host.complaints != 1 {
		t.Errorf("%v, %v, %d complaints", h.waits, h.lost, host.complaints)
	}
}

// Who looks through ssh may go in the middle of a decision, which is done all the same.
func TestAPipeEndsWhenWhatWasBegunIsDone(t *testing.T) {
	in, ask := io.Pipe()
	begun, goOn, done := make(chan struct{}), make(chan struct{}), false
	h := NewPipeHost(in, io.Discard, "me")
	ended := make(chan error, 1)
	go func() {
		ended <- h.Run(t.Context(), &silent{answer: func() { close(begun); <-goOn; done = true }})
	}()
	if err := writeFrame(ask, frame{Frame: frameAsk, ID: 1, Changes: true, data: []byte("x")}); err != nil {
		t.Fatal(err)
	}
	<-begun
	ask.Close()
	select {
	case err := <-ended:
		t.Error("it ended in the middle:", err)
	default:
	}
	close(goOn)
	if err := <-ended; err != nil && !errors.Is(err, io.EOF) || !done {
		t.Error(done, err)
	}
}

// slow takes its time for what changes something, until it may go on.
type slow struct {
	silent
	begun chan Asked
	goOn  chan struct{}
}

func (s *slow) Answer(_ context.Context, a Asked) []byte {
	s.begun <- a
	if a.Changes {
		<-s.goOn
	}
	return a.Data
}

// Decisions behind a lock are all begun, so that asking what became of one does not withdraw it; and neither they nor who asks that keep anybody
// who looks through the same pipe waiting.
func TestDecisionsKeepNobodyFromLookingThroughAPipe(t *testing.T) {
	in, ask := io.Pipe()
	hear, out := io.Pipe()
	host := &slow{begun: make(chan Asked), goOn: make(chan struct{})}
	ended := make(chan error, 1)
	go func() { ended <- NewPipeHost(in, out, "me").Run(t.Context(), host) }()
	heard := bufio.NewReader(hear)
	if _, err := readGreeting(heard); err != nil {
		t.Fatal(err)
	}
	send := func(id uint64, kind string) {
		t.Helper()
		f := frame{Frame: frameAsk, ID: id, Changes: wire.Changes(kind), data: wire.Encode(&wire.Request{V: 1, Request: kind})}
		if err := writeFrame(ask, f); err != nil {
			t.Fatal(err)
		}
		select {
		case <-host.begun:
		case <-time.After(time.Minute):
			t.Fatalf("%s %d waits for others", kind, id)
		}
	}
	for id := range uint64(40) {
		send(2*id, wire.AskDecide)
		send(2*id+1, wire.AskOutcome)
	}
	send(100, wire.AskList)
	if f, err := readFrame(heard); err != nil || f.ID != 100 {
		t.Error(f, err)
	}
	go io.Copy(io.Discard, heard)
	close(host.goOn)
	ask.Close()
	if err := <-ended; err != nil && !errors.Is(err, io.EOF) {
		t.Error(err)
	}
}

func TestABucketThatTakesWhatIsSaidElsewhere(t *testing.T) {
	ours := []string{"$KV.gatehouse.>"}
	for what, x := range map[string]struct {
		config jetstream.StreamConfig
		want   bool
	}{
		"ours":      {jetstream.StreamConfig{Subjects: ours}, false},
		"subjects":  {jetstream.StreamConfig{Subjects: append(ours, "gatehouse.hello")}, true},
		"transform": {jetstream.StreamConfig{Subjects: ours, SubjectTransform: &jetstream.SubjectTransformConfig{}}, true},
		"source":    {jetstream.StreamConfig{Subjects: ours, Sources: []*jetstream.StreamSource{{}}}, true},
		"mirror":    {jetstream.StreamConfig{Mirror: &jetstream.StreamSource{}}, true},
		"republish": {jetstream.StreamConfig{Subjects: ours, RePublish: &jetstream.RePublish{}}, true},
	} {
		if forges(&x.config) != x.want {
			t.Error(what)
		}
	}
}
