package hubtest

import (
	"bufio"
	"bytes"
	"io"
	"net"
	"strconv"
	"sync"
	"testing"
	"time"
)

// Proxy is a network connection that a test can cut, slow down, or make swallow or repeat messages.
type Proxy struct {
	listener net.Listener

	mu        sync.Mutex
	to        string // "": the destination is not known yet
	changed   *sync.Cond
	cut       bool
	swallows  bool
	delay     time.Duration
	twice     func() bool // reports whether a message is sent twice; nil: never
	connected map[net.Conn]bool
}

// NewProxy returns a proxy that leads to an address, until the test ends.
func NewProxy(t testing.TB, to string) *Proxy {
	t.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	must(t, err)
	p := &Proxy{listener: l, to: to, connected: map[net.Conn]bool{}}
	p.changed = sync.NewCond(&p.mu)
	go p.accept()
	t.Cleanup(func() {
		l.Close()
		p.Cut()
	})
	return p
}

// LeadTo sets the destination of new connections.
func (p *Proxy) LeadTo(address string) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.to = address
}

// Address returns the address on which the proxy listens.
func (p *Proxy) Address() string { return p.listener.Addr().String() }

// Cut breaks all connections and accepts no new ones until Heal.
func (p *Proxy) Cut() {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.cut = true
	for c := range p.connected {
		c.Close()
	}
	p.changed.Broadcast()
}

// Swallow forwards nothing until Heal, without breaking connections. Heal delivers the delayed messages.
func (p *Proxy) Swallow() {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.swallows = true
}

// Heal ends Cut and Swallow.
func (p *Proxy) Heal() {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.cut, p.swallows = false, false
	p.changed.Broadcast()
}

// Delay delays all data in both directions.
func (p *Proxy) Delay(d time.Duration) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.delay = d
}

// Twice forwards a message of the client protocol twice if f returns true.
func (p *Proxy) Twice(f func() bool) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.twice = f
}

func (p *Proxy) accept() {
	for {
		c, err := p.listener.Accept()
		if err != nil {
			return
		}
		to := p.enter(c)
		if to == "" {
			continue
		}
		s, err := net.Dial("tcp", to)
		if err != nil {
			p.leave(c)
			continue
		}
		if p.enter(s) == "" {
			p.leave(c)
			continue
		}
		both := func() { p.leave(c); p.leave(s) }
		go p.pass(c, s, both)
		go p.pass(s, c, both)
	}
}

// enter registers a connection and returns the address to connect it to; "" if it is refused.
func (p *Proxy) enter(c net.Conn) string {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.cut || p.to == "" {
		c.Close()
		return ""
	}
	p.connected[c] = true
	return p.to
}

func (p *Proxy) leave(c net.Conn) {
	p.mu.Lock()
	defer p.mu.Unlock()
	delete(p.connected, c)
	c.Close()
}

// pass forwards the data from one connection to the other.
func (p *Proxy) pass(from, to net.Conn, end func()) {
	defer end()
	r := bufio.NewReaderSize(from, 64<<10)
	for {
		p.mu.Lock()
		frames := p.twice != nil
		p.mu.Unlock()
		var piece []byte
		var err error
		message := false
		if frames {
			piece, message, err = readMessage(r)
		} else {
			piece, err = readSome(r)
		}
		if len(piece) > 0 && !p.send(to, piece, message) {
			return
		}
		if err != nil {
			return
		}
	}
}

// readSome reads the available data.
func readSome(r *bufio.Reader) ([]byte, error) {
	if _, err := r.Peek(1); err != nil {
		return nil, err
	}
	piece := make([]byte, r.Buffered())
	n, err := r.Read(piece)
	return piece[:n], err
}

// readMessage reads one line of the client protocol with its payload, and reports whether it carries a message.
func readMessage(r *bufio.Reader) (piece []byte, message bool, err error) {
	line, err := r.ReadBytes('\n')
	if err != nil {
		return line, false, err
	}
	words := bytes.Fields(line)
	if len(words) < 3 {
		return line, false, nil
	}
	switch string(words[0]) {
	case "PUB", "HPUB", "MSG", "HMSG":
	default:
		return line, false, nil
	}
	n, err := strconv.Atoi(string(words[len(words)-1]))
	if err != nil {
		return line, false, nil
	}
	body := make([]byte, n+2)
	_, err = io.ReadFull(r, body)
	return append(line, body...), err == nil, err
}

// send forwards a piece once the network lets it through, and reports whether it was sent.
func (p *Proxy) send(to net.Conn, piece []byte, message bool) bool {
	p.mu.Lock()
	for p.swallows && !p.cut {
		p.changed.Wait()
	}
	cut, delay, times := p.cut, p.delay, 1
	if message && p.twice != nil && p.twice() {
		times = 2
	}
	p.mu.Unlock()
	if cut {
		return false
	}
	if delay > 0 {
		time.Sleep(delay)
	}
	for range times {
		if _, err := to.Write(piece); err != nil {
			return false
		}
	}
	return true
}
