package remote

// Pipes to one host, through ssh: each line is a JSON object.

import (
	"bufio"
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"strings"
	"sync"
	"time"

	"gatehouse/model/line"
	"gatehouse/parse/text/shell"
)

// NewSSH returns the way to a machine through ssh.
func NewSSH(m Machine) (Way, error) {
	target := m.Target
	if err := CheckTarget(target); err != nil {
		return nil, err
	}
	words := []string{quoteRemote(cmp.Or(m.Program, "gatehouse")), "join", "--stdio", "--"}
	for _, d := range m.Dirs {
		words = append(words, quoteRemote(d))
	}
	args := []string{
		"-T", // no remote terminal
		// ssh must not ask questions, and must end a connection that hangs.
		"-o", "BatchMode=yes", "-o", "ConnectTimeout=10", "-o", "ServerAliveInterval=5", "-o", "ServerAliveCountMax=2",
		// Override user settings for interactive sessions: no banner among the errors, no port forwarding, no other command.
		"-o", "LogLevel=ERROR", "-o", "ClearAllForwardings=yes", "-o", "RemoteCommand=none",
		"--", destination(target), strings.Join(words, " "),
	}
	p := newPipe(m.Called(), "ssh "+target, func(ctx context.Context) *exec.Cmd {
		cmd := exec.CommandContext(ctx, "ssh", args...)
		// ProxyJump starts another ssh without BatchMode. It must not find a terminal at which to ask for a password.
		cmd.SysProcAttr = ownSession()
		cmd.Env = append(os.Environ(), "SSH_ASKPASS_REQUIRE=never")
		return cmd
	})
	p.login = LoginCommand(target)
	return p, nil
}

// CheckTarget refuses a text that is no machine for ssh: [USER@]HOST[:PORT], with brackets around an IPv6 address before a port.
func CheckTarget(target string) error {
	host := machineOf(target)
	if host == "" || strings.HasPrefix(host, "-") || strings.HasPrefix(target, "-") || strings.ContainsAny(target, "/ \t\r\n\x00") {
		return fmt.Errorf("ssh://%s: this is no machine for ssh; write it as me@build-8, or ssh://me@build-8:2222", line.Clean(target))
	}
	return nil
}

// machineOf returns the host in a target.
func machineOf(target string) string {
	host := target[strings.LastIndexByte(target, '@')+1:]
	if inside, ok := strings.CutPrefix(host, "["); ok {
		host, _, _ = strings.Cut(inside, "]")
	} else if strings.Count(host, ":") == 1 {
		host, _, _ = strings.Cut(host, ":")
	}
	return host
}

// destination returns a target in the form that ssh takes.
func destination(target string) string {
	if machineOf(target) != target[strings.LastIndexByte(target, '@')+1:] { // it has a port or brackets
		return "ssh://" + target
	}
	return target
}

// LoginCommand returns the command line for a login at a target.
func LoginCommand(target string) string { return "ssh " + shell.Word(destination(target)) }

// quoteRemote quotes a word for the shell of the other machine, whichever that is. "~/" stays unquoted, so that the shell expands it.
func quoteRemote(word string) string {
	if rest, ok := strings.CutPrefix(word, "~/"); ok {
		return "~/" + shell.Word(rest)
	}
	return shell.Word(word)
}

// Exit codes of ssh's own errors, and of a shell that can't run a command.
const (
	sshFailed   = 255
	cannotBeRun = 126
	notFound    = 127
)

// explainExit returns why the program ended, and what to do. said is its last line.
func (p *pipeViewer) explainExit(said string, exit int) error {
	switch {
	case exit == notFound || exit == cannotBeRun:
		return fmt.Errorf("gatehouse can't be run there: %s; name the program by gatehouse remote add HOST --program PATH", said)
	case exit == sshFailed && p.login != "":
		return fmt.Errorf("%s; log in once by hand: %s", cmp.Or(said, "the connection is lost"), p.login)
	case said == "":
		return errors.New("it has ended")
	}
	return errors.New(said)
}

// lastLine returns the last line of a text, cleaned.
func lastLine(text string) string {
	text = strings.TrimSpace(text)
	return line.Clean(text[strings.LastIndexByte(text, '\n')+1:])
}

// packet is one line.
type packet struct {
	Schema int             `json:"gatehouse,omitempty"` // [Wire], of the first line; a shell may print anything before it
	Key    string          `json:"key,omitempty"`       // of a published message
	Value  []byte          `json:"value,omitempty"`     // empty if the message was removed
	ID     uint64          `json:"id,omitempty"`        // of a request and its reply
	Ask    json.RawMessage `json:"ask,omitempty"`
	Reply  []byte          `json:"reply,omitempty"`
}

const (
	greeting    = `{"gatehouse":`
	packetLimit = 2*replyLimit + 1<<20
	// chatterLimit limits the text that a shell may print at login.
	chatterLimit = 1 << 20
)

var errLong = errors.New("it says a line that is too long")

// readPacket reads a line of at most limit bytes.
func readPacket(r *bufio.Reader, limit int) (line []byte, err error) {
	for {
		part, err := r.ReadSlice('\n')
		if line = append(line, part...); len(line) > limit {
			return nil, errLong
		}
		if !errors.Is(err, bufio.ErrBufferFull) {
			return line, err
		}
	}
}

// pipeHost is the end of a pipe at a host.
type pipeHost struct {
	mu  sync.Mutex
	out io.Writer
}

func (p *pipeHost) writePacket(x packet) error {
	p.mu.Lock()
	defer p.mu.Unlock()
	_, err := p.out.Write(append(encodeJSON(x), '\n'))
	return err
}

// publish implements [publisher].
func (p *pipeHost) publish(key string, data []byte) error {
	return p.writePacket(packet{Key: key, Value: data})
}

// RunOnPipe publishes on out and answers requests from in, for a user who may log in here, until in or ctx ends.
func (h *Host) RunOnPipe(ctx context.Context, in io.Reader, out io.Writer, user string) error {
	p := &pipeHost{out: out}
	io.WriteString(out, "\n") // the shell may have printed something without ending its line
	if err := p.writePacket(packet{Schema: Wire}); err != nil {
		return err
	}
	ctx, cancel := context.WithCancelCause(ctx)
	var work sync.WaitGroup
	work.Go(func() { cancel(h.followFeed(ctx)) })
	work.Go(func() { h.publishAll(ctx, p) })
	go func() { cancel(p.serve(ctx, h, in, user)) }()
	<-ctx.Done()
	work.Wait()
	h.busy.Lock()
	if err := context.Cause(ctx); !errors.Is(err, io.EOF) && !errors.Is(err, context.Canceled) {
		return err
	}
	return nil
}

// serve answers requests until the input ends.
func (p *pipeHost) serve(ctx context.Context, h *Host, in io.Reader, user string) error {
	places := make(chan struct{}, 2*atOnce)
	for r := bufio.NewReader(in); ; {
		data, err := readPacket(r, 2*requestLimit)
		if err != nil {
			return err
		}
		var x packet
		if err := json.Unmarshal(data, &x); err != nil || x.ID == 0 {
			return errors.New("what comes on standard input is not from gatehouse")
		}
		places <- struct{}{}
		go func() {
			defer func() { <-places }()
			p.writePacket(packet{ID: x.ID, Reply: h.answer(ctx, asker{user: user, trusted: true, decides: true}, x.Ask)})
		}()
	}
}

const (
	sshFirst = time.Second // delay before an unreachable machine is tried again, doubled up to sshLast
	sshLast  = time.Minute
	// greetSoon is how long a program may take to greet before a delay is reported, and greetFor how much longer before it is ended.
	greetSoon = 12 * time.Second
	greetFor  = 48 * time.Second
	endFor    = time.Second // how long a program may take to exit and report why, once its output has ended
	noteLimit = 4 << 10     // how much of standard error is kept
)

// pipeViewer is the way to one host, through a program that prints what "gatehouse join --stdio" does.
type pipeViewer struct {
	called, title string
	login         string // command for a login there, "" without one
	command       func(ctx context.Context) *exec.Cmd

	greetSoon, greetFor time.Duration // the constants; tests use shorter times

	writing chan struct{} // holds one element while something is written
	mu      sync.Mutex
	in      io.Writer // nil: there is no connection
	giveUp  func(why error)
	id      uint64
	replies map[uint64]chan []byte
}

// newPipe returns the way to a host through a program. called is the name of the host here; title names the way for users.
func newPipe(called, title string, command func(ctx context.Context) *exec.Cmd) *pipeViewer {
	return &pipeViewer{called: called, title: title, command: command, greetSoon: greetSoon, greetFor: greetFor,
		writing: make(chan struct{}, 1), replies: map[uint64]chan []byte{}}
}

func (p *pipeViewer) name() string { return p.title }
func (p *pipeViewer) only() string { return p.called }

// run implements [Way].
func (p *pipeViewer) run(ctx context.Context, l listener) {
	for wait := sshFirst; ctx.Err() == nil; wait = min(2*wait, sshLast) {
		start := time.Now()
		err := p.runOnce(ctx, l)
		if ctx.Err() != nil {
			return
		}
		l.down(err)
		if time.Since(start) > sshLast {
			wait = sshFirst
		}
		select {
		case <-ctx.Done():
		case <-time.After(wait):
		}
	}
}

// runOnce runs the program until it ends, and returns why.
func (p *pipeViewer) runOnce(ctx context.Context, l listener) error {
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
	if err == nil {
		err = cmd.Start()
	}
	if err != nil {
		return err
	}
	giveUp := func(why error) {
		cancel(why)
		in.Close() // a child of the program may hold the other end
		out.Close()
	}
	chatter, wrong := p.read(bufio.NewReaderSize(out, 64<<10), in, l, giveUp)
	p.disconnect()
	if wrong != nil {
		cancel(wrong)
	}
	if ctx.Err() != nil {
		cmd.Wait()
		return context.Cause(ctx)
	}
	in.Close()
	time.AfterFunc(endFor, func() { cancel(nil) }) // it may still have to report why it ends
	cmd.Wait()
	return p.explainExit(lastLine(cmp.Or(note.String(), chatter)), cmd.ProcessState.ExitCode())
}

var (
	errLate  = errors.New("nothing comes from gatehouse there yet; what the shell there does at login may take long, or wait for input")
	errHangs = errors.New("it does not take what it is asked")
)

// read passes on packets until the output ends. It returns the text before the greeting, and the error of a packet.
func (p *pipeViewer) read(r *bufio.Reader, in io.Writer, l listener, giveUp func(why error)) (chatter string, wrong error) {
	late := time.AfterFunc(p.greetSoon, func() { l.down(errLate) })
	defer late.Stop()
	hung := time.AfterFunc(p.greetSoon+p.greetFor, func() { giveUp(errLate) })
	defer hung.Stop()
	greeted := false
	for total := 0; ; {
		data, err := readPacket(r, packetLimit)
		if err != nil {
			if errors.Is(err, errLong) {
				wrong = err
			}
			return chatter, wrong
		}
		if !greeted {
			if greeted = bytes.HasPrefix(data, []byte(greeting)); !greeted {
				if total += len(data); total > chatterLimit {
					return "", errors.New("what comes is not from gatehouse")
				}
				if len(bytes.TrimSpace(data)) > 0 {
					chatter = string(data)
				}
				continue
			}
		}
		var x packet
		if err := json.Unmarshal(data, &x); err != nil {
			return "", errors.New("what it says can't be read")
		}
		switch {
		case x.Schema != 0:
			if err := checkVersion(x.Schema, Wire); err != nil {
				return "", err
			}
			late.Stop()
			hung.Stop()
			chatter = ""
			p.mu.Lock()
			p.in, p.giveUp = in, giveUp
			p.mu.Unlock()
			l.up()
			l.listed(nil)
		case x.ID != 0:
			p.mu.Lock()
			if c := p.replies[x.ID]; c != nil {
				c <- x.Reply
				delete(p.replies, x.ID)
			}
			p.mu.Unlock()
		default:
			l.received(x.Key, x.Value, time.Time{})
		}
	}
}

// disconnect drops the connection and ends the wait for all replies.
func (p *pipeViewer) disconnect() {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.in = nil
	for id, c := range p.replies {
		close(c)
		delete(p.replies, id)
	}
}

// ask implements [Way].
func (p *pipeViewer) ask(ctx context.Context, _ string, r *Request) ([]byte, error) {
	select {
	case p.writing <- struct{}{}:
	case <-ctx.Done():
		return nil, errDown
	}
	p.mu.Lock()
	in, giveUp := p.in, p.giveUp
	p.id++
	id, c := p.id, make(chan []byte, 1)
	if in != nil {
		p.replies[id] = c
	}
	p.mu.Unlock()
	defer func() {
		p.mu.Lock()
		delete(p.replies, id)
		p.mu.Unlock()
	}()
	if in == nil {
		<-p.writing
		return nil, errDown
	}
	stop := context.AfterFunc(ctx, func() { giveUp(errHangs) }) // the next packet would be taken for the rest of this one
	_, err := in.Write(append(encodeJSON(packet{ID: id, Ask: encodeJSON(r)}), '\n'))
	stop()
	<-p.writing
	if err != nil {
		return nil, errDown // the host has not received the whole line
	}
	select {
	case data, ok := <-c:
		if ok {
			return data, nil
		}
	case <-ctx.Done():
	}
	return nil, errNoReply
}

// tail is a writer that keeps the end of its input.
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
	return strings.TrimSpace(string(t.text))
}
