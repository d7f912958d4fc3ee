// The end of a pair of pipes at a dashboard.

package link

import (
	"bufio"
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"os/exec"
	"strings"
	"sync"
	"time"

	"gatehouse/model/line"
	"gatehouse/parse/fleet/wire"
)

const (
	// sshTries are the retries of a machine that can't be reached: each try is a process, and may show up in its log.
	sshFirst = time.Second
	sshLast  = time.Minute
	// noteLimit is how much is kept of what a program says on standard error.
	noteLimit = 4 << 10
)

// Pipe is one machine that a program leads to.
type Pipe struct {
	name, title string
	login       string // command that leads there, "" without one
	command     func(ctx context.Context) *exec.Cmd

	writing sync.Mutex // apart from the other: who reads answers never waits for who writes
	mu      sync.Mutex
	in      io.Writer // nil: there is no connection
	id      uint64
	answers map[uint64]chan []byte
}

// NewPipe returns a dashboard's end of pipes to a program that says what gatehouse join --stdio says. Name is how its machine
// is called here, and title says for people how it is reached.
func NewPipe(name, title string, command func(ctx context.Context) *exec.Cmd) *Pipe {
	return &Pipe{name: name, title: title, command: command, answers: map[uint64]chan []byte{}}
}

// NewSSH returns a dashboard's end of pipes through ssh to a machine. Target is what ssh takes, program what is run there.
func NewSSH(name, target, program string, dirs []string) (*Pipe, error) {
	if target == "" || strings.HasPrefix(target, "-") || strings.ContainsAny(target, " \t\r\n\x00") {
		return nil, fmt.Errorf("%s: this is no machine for ssh", line.Clean(target))
	}
	words := []string{quote(program), "join", "--stdio"}
	for _, d := range dirs {
		words = append(words, quote(d))
	}
	// Nobody is at a keyboard to answer ssh's questions, and a connection that only hangs is given up.
	args := []string{"-T", "-o", "BatchMode=yes", "-o", "ConnectTimeout=10", "-o", "ServerAliveInterval=5", "-o", "ServerAliveCountMax=2", "--", target, strings.Join(words, " ")}
	p := NewPipe(name, "ssh "+target, func(ctx context.Context) *exec.Cmd { return exec.CommandContext(ctx, "ssh", args...) })
	p.login = "ssh " + target
	return p, nil
}

// quote writes a word for the shell on the other machine, which is any; "~/" stays what it is.
func quote(word string) string {
	home := ""
	if rest, ok := strings.CutPrefix(word, "~/"); ok {
		home, word = "~/", rest
	}
	return home + "'" + strings.ReplaceAll(word, "'", `'\''`) + "'"
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
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
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
	read := p.read(bufio.NewReader(out), in, l)
	p.disconnect()
	cancel()
	ended := cmd.Wait()
	switch {
	case read.said != nil:
		return read.said
	case note.last() != "":
		return errors.New(note.last())
	case read.before != "":
		return errors.New(line.Clean(read.before))
	case ended != nil && !errors.Is(ended, context.Canceled):
		return errors.New("it ended: " + ended.Error())
	}
	return errors.New("it has ended")
}

// reading is how reading from a program has ended.
type reading struct {
	before string // what it said before it greeted
	said   error  // what is wrong with what it says; nil where it just ended
}

// read passes on what comes, until it ends.
func (p *Pipe) read(r *bufio.Reader, in io.Writer, l Listener) (ended reading) {
	ended.before, ended.said = readGreeting(r)
	if ended.said != nil {
		if isEnd(ended.said) {
			ended.said = nil
		}
		return ended
	}
	ended.before = ""
	p.mu.Lock()
	p.in = in
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
			p.answered(f)
		}
	}
}

func isEnd(err error) bool {
	return errors.Is(err, io.EOF) || errors.Is(err, io.ErrUnexpectedEOF) || strings.Contains(err.Error(), "file already closed")
}

func (p *Pipe) answered(f frame) {
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
	p.mu.Lock()
	in := p.in
	if in == nil {
		p.mu.Unlock()
		return nil, ErrDown
	}
	p.id++
	id, c := p.id, make(chan []byte, 1)
	p.answers[id] = c
	p.mu.Unlock()
	p.writing.Lock()
	err := writeFrame(in, frame{Frame: frameAsk, ID: id, Changes: wire.Changes(kind), data: request})
	p.writing.Unlock()
	if err != nil { // some of it may have got there
		return nil, ErrNoAnswer
	}
	select {
	case data, ok := <-c:
		if !ok {
			return nil, ErrNoAnswer
		}
		return data, nil
	case <-ctx.Done():
		p.mu.Lock()
		delete(p.answers, id)
		p.mu.Unlock()
		return nil, ErrNoAnswer
	}
}

// tail keeps the last line of what is written.
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

func (t *tail) last() string {
	t.mu.Lock()
	defer t.mu.Unlock()
	text := bytes.TrimSpace(t.text)
	return line.Clean(string(text[bytes.LastIndexByte(text, '\n')+1:]))
}
