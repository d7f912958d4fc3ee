// The end of a pair of pipes at a dashboard.

package link

import (
	"bufio"
	"bytes"
	"cmp"
	"context"
	"errors"
	"io"
	"os/exec"
	"strings"
	"sync"
	"time"

	"gatehouse/parse/fleet/wire"
)

const (
	// sshFirst is when a machine that can't be reached is tried again, doubled up to sshLast: each try is a process, and may show up in its log.
	sshFirst = time.Second
	sshLast  = time.Minute
	// greetSoon is how long a program may take until it says that it is there, before anybody worries, and greetFor how long after that.
	// A command that waits for all machines waits longer than the first.
	greetSoon = 12 * time.Second
	greetFor  = 48 * time.Second
	// endFor is how long a program may take to end and to say why, once its output has ended.
	endFor = time.Second
	// noteLimit is how much is kept of what a program says on standard error.
	noteLimit = 4 << 10
)

// Pipe is one machine that a program leads to.
type Pipe struct {
	name, title string
	login       string // command that leads there, "" without one
	command     func(ctx context.Context) *exec.Cmd
	// ended says why the program has ended, by what it said on standard error and its exit code; nil where that has no words for it.
	ended func(said string, exit int) error
	// greetSoon and greetFor are the constants; tests wait for less.
	greetSoon, greetFor time.Duration

	writing chan struct{} // holds one while something is written. Apart from the other: who reads answers never waits for who writes
	mu      sync.Mutex
	in      io.Writer       // nil: there is no connection
	giveUp  func(why error) // ends the connection
	id      uint64
	answers map[uint64]chan []byte
}

// NewPipe returns a dashboard's end of pipes to a program that says what gatehouse join --stdio says. Name is how its machine
// is called here, and title says for people how it is reached.
func NewPipe(name, title string, command func(ctx context.Context) *exec.Cmd) *Pipe {
	return &Pipe{name: name, title: title, command: command, ended: func(string, int) error { return nil }, greetSoon: greetSoon, greetFor: greetFor, writing: make(chan struct{}, 1), answers: map[uint64]chan []byte{}}
}

// Name implements [Viewer].
func (p *Pipe) Name() string { return p.title }

// Login returns the command that leads to the machine, "" without one.
func (p *Pipe) Login() string { return p.login }

// Only implements [Viewer].
func (p *Pipe) Only() string { return p.name }

// Run implements [Viewer].
func (p *Pipe) Run(ctx context.Context, l Listener) {
	for wait := sshFirst; ctx.Err() == nil; wait = min(2*wait, sshLast) {
		start := time.Now()
		err := p.once(ctx, l)
		if ctx.Err() != nil {
			return
		}
		l.Down(err)
		if time.Since(start) > sshLast {
			wait = sshFirst
		}
		select {
		case <-ctx.Done():
		case <-time.After(wait):
		}
	}
}

// once runs the program until it ends, and returns why.
func (p *Pipe) once(ctx context.Context, l Listener) error {
	ctx, cancel := context.WithCancelCause(ctx)
	defer cancel(nil)
	cmd := p.command(ctx)
	cmd.WaitDelay = time.Second
	var note tail
	cmd.Stderr = &note
	in, err := cmd.StdinPipe()
	if err != nil {
		return err
	}
	out, err := cmd.StdoutPipe()
	if err != nil {
		return err
	}
	if err := cmd.Start(); err != nil {
		return err
	}
	giveUp := func(why error) {
		cancel(why)
		in.Close() // a child of the program may hold the other end
		out.Close()
	}
	read := p.read(bufio.NewReader(out), in, l, giveUp)
	p.disconnect()
	if read.said != nil {
		cancel(read.said)
	}
	if ctx.Err() != nil {
		cmd.Wait()
		return context.Cause(ctx)
	}
	in.Close()
	time.AfterFunc(endFor, func() { cancel(nil) }) // it may still have to say why it ends
	err = cmd.Wait()
	return p.why(cmp.Or(note.String(), read.before), cmd.ProcessState.ExitCode(), err)
}

// why says why the program has ended, by what it said last and how it ended.
func (p *Pipe) why(said string, exit int, err error) error {
	if why := p.ended(said, exit); why != nil {
		return why
	}
	switch {
	case said != "":
		return errors.New(lastLine(said))
	case err != nil && !errors.Is(err, context.Canceled):
		return errors.New("it ended: " + err.Error())
	}
	return errors.New("it has ended")
}

// errLate says that a program is there, and says nothing of what it should.
var errLate = errors.New("nothing comes from gatehouse there yet; what the shell there does at login may take long, or wait for input")

// errHangs says that a program is there, and reads nothing of what it is asked.
var errHangs = errors.New("it does not take what it is asked")

// reading is how reading from a program has ended.
type reading struct {
	before string // what it said before it greeted
	said   error  // what is wrong with what it says; nil where it just ended
}

// read passes on what comes, until it ends. A program that does not greet for long is given up.
func (p *Pipe) read(r *bufio.Reader, in io.Writer, l Listener, giveUp func(why error)) (ended reading) {
	greeted := make(chan struct{})
	go func() {
		ended.before, ended.said = readGreeting(r)
		close(greeted)
	}()
	select {
	case <-greeted:
	case <-time.After(p.greetSoon):
		l.Down(errLate)
		select {
		case <-greeted:
		case <-time.After(p.greetFor):
			giveUp(errLate)
			<-greeted
		}
	}
	if ended.said != nil {
		if isEnd(ended.said) {
			ended.said = nil
		}
		return ended
	}
	ended.before = ""
	p.mu.Lock()
	p.in, p.giveUp = in, giveUp
	p.mu.Unlock()
	l.Up()
	l.Listed(time.Time{}, nil) // nothing is kept by anybody
	for {
		f, err := readFrame(r)
		if err != nil {
			if !isEnd(err) {
				ended.said = err
			}
			return ended
		}
		switch f.Frame {
		case frameSay:
			l.Said(Message{Key: f.Key, Data: f.data})
		case frameAnswer:
			p.deliver(f)
		}
	}
}

func isEnd(err error) bool {
	return errors.Is(err, io.EOF) || errors.Is(err, io.ErrUnexpectedEOF) || strings.Contains(err.Error(), "file already closed")
}

// deliver gives an answer to who waits for it.
func (p *Pipe) deliver(f frame) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if c := p.answers[f.ID]; c != nil {
		c <- f.data
		delete(p.answers, f.ID)
	}
}

// disconnect forgets the connection, and whoever waits for an answer learns that none will come.
func (p *Pipe) disconnect() {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.in = nil
	for id, c := range p.answers {
		close(c)
		delete(p.answers, id)
	}
}

// Ask implements [Viewer].
func (p *Pipe) Ask(ctx context.Context, _ string, _ uint64, kind string, request []byte) ([]byte, error) {
	select {
	case p.writing <- struct{}{}:
	case <-ctx.Done():
		return nil, ErrDown
	}
	id, c, err := p.write(ctx, frame{Frame: frameAsk, Changes: wire.Changes(kind), data: request})
	<-p.writing
	if err != nil {
		return nil, err
	}
	select {
	case data, ok := <-c:
		if !ok {
			return nil, ErrNoAnswer
		}
		return data, nil
	case <-ctx.Done():
		p.forget(id)
		return nil, ErrNoAnswer
	}
}

// write writes a request, and returns its number and where its answer comes. One that is not written by the end of ctx ends the connection: what is
// written next would be taken for the rest of it. It fails only where the host has not got the whole of it, and so can't read it.
func (p *Pipe) write(ctx context.Context, f frame) (id uint64, answer chan []byte, err error) {
	p.mu.Lock()
	in, giveUp := p.in, p.giveUp
	if in == nil || ctx.Err() != nil {
		p.mu.Unlock()
		return 0, nil, ErrDown
	}
	p.id++
	f.ID, answer = p.id, make(chan []byte, 1)
	p.answers[f.ID] = answer
	p.mu.Unlock()
	stop := context.AfterFunc(ctx, func() { giveUp(errHangs) })
	defer stop()
	if err := writeFrame(in, f); err != nil {
		p.forget(f.ID)
		return 0, nil, ErrDown
	}
	return f.ID, answer, nil
}

// forget waits for the answer to a request no longer.
func (p *Pipe) forget(id uint64) {
	p.mu.Lock()
	delete(p.answers, id)
	p.mu.Unlock()
}

// tail keeps the end of what is written.
type tail struct {
	mu   sync.Mutex
	text []byte
}

// Write implements [io.Writer].
func (t *tail) Write(b []byte) (int, error) {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.text = append(t.text, b...)
	t.text = t.text[max(0, len(t.text)-noteLimit):]
	return len(b), nil
}

func (t *tail) String() string {
	t.mu.Lock()
	defer t.mu.Unlock()
	return string(bytes.TrimSpace(t.text))
}
