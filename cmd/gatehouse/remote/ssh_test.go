package remote

import (
	"context"
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/tls"
	"crypto/x509"
	"crypto/x509/pkix"
	"encoding/pem"
	"errors"
	"math/big"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"gatehouse/model"
	"gatehouse/parse/text/shell"
)

func TestTargets(t *testing.T) {
	for target, login := range map[string]string{
		"build-8":           "ssh build-8",
		"me@build-8:2222":   "ssh ssh://me@build-8:2222",
		"me@[::1]:2222":     "ssh " + shell.Word("ssh://me@[::1]:2222"),
		"2001:db8::8":       "ssh 2001:db8::8",
		"me@corp@build-8":   "ssh me@corp@build-8",
		`CORP\me@build-8`:   `ssh 'CORP'\\'me@build-8'`,
		"first.x+@10.0.0.8": "ssh first.x+@10.0.0.8",
	} {
		if err := CheckTarget(target); err != nil || LoginCommand(target) != login {
			t.Errorf("%s: %q, %v; want %q", target, LoginCommand(target), err, login)
		}
	}
	for _, target := range []string{"", "-oProxyCommand=x", "a b", "me@", "me@-x", "me@:22", "-l@build-8", "a\nb@build-8", "build-8/src", "[]:1"} {
		if err := CheckTarget(target); err == nil {
			t.Errorf("%q is taken", target)
		}
	}
}

// TestHomeOnTheOtherMachine checks that "~" is not quoted, because the remote shell expands it.
func TestHomeOnTheOtherMachine(t *testing.T) {
	if got := quoteRemote("~/my src"); got != "~/'my src'" {
		t.Error(got)
	}
}

// TestExplainExit checks the reasons and fixes that are reported when ssh ends.
func TestExplainExit(t *testing.T) {
	p := &pipeViewer{login: "ssh build-8"}
	for _, c := range []struct {
		said string
		exit int
		want string
	}{
		{"Host key verification failed.", 255, "Host key verification failed.; log in once by hand: ssh build-8"},
		{"bash: line 1: gatehouse: command not found", 127, "gatehouse can't be run there: bash: line 1: gatehouse: command not found; name the program by gatehouse remote add HOST --program PATH"},
		{"sh: 1: /x: Permission denied", 126, "gatehouse can't be run there: sh: 1: /x: Permission denied; name the program by gatehouse remote add HOST --program PATH"},
		{"the door is shut", 1, "the door is shut"},
		{"", 255, "the connection is lost; log in once by hand: ssh build-8"},
		{"", 0, "it has ended"},
	} {
		if err := p.explainExit(c.said, c.exit); err.Error() != c.want {
			t.Errorf("%q, %d: %v; want %q", c.said, c.exit, err, c.want)
		}
	}
}

// recording is a listener that records whether a pipe is up, and why it is down.
type recording struct {
	mu   sync.Mutex
	isUp bool
	why  error
	news chan struct{}
}

func (h *recording) note(up bool, why error) {
	h.mu.Lock()
	h.isUp, h.why = up, why
	h.mu.Unlock()
	select {
	case h.news <- struct{}{}:
	default:
	}
}

func (h *recording) up()                                { h.note(true, nil) }
func (h *recording) down(why error)                     { h.note(false, why) }
func (h *recording) received(string, []byte, time.Time) {}
func (h *recording) listed(error)                       {}

// through runs a script at the other end of a pipe until enough is true, and returns why the pipe is down then.
func through(t *testing.T, script string, change func(*pipeViewer), enough func(up bool, why error) bool) (why error) {
	t.Helper()
	p := newPipe("x", "x", func(ctx context.Context) *exec.Cmd { return exec.CommandContext(ctx, "sh", "-c", script) })
	change(p)
	h := &recording{news: make(chan struct{}, 1)}
	ctx, cancel := context.WithTimeout(context.Background(), time.Minute)
	defer cancel()
	over := make(chan struct{})
	go func() {
		p.run(ctx, h)
		close(over)
	}()
	defer func() { cancel(); <-over }()
	for {
		select {
		case <-h.news:
		case <-ctx.Done():
			t.Fatalf("%s: not in time; last %v", script, h.why)
		}
		h.mu.Lock()
		up, now := h.isUp, h.why
		h.mu.Unlock()
		if enough(up, now) {
			return now
		}
	}
}

// TestOutputBeforeTheGreeting checks that a login banner is skipped, and that without a valid greeting the output explains the failure.
func TestOutputBeforeTheGreeting(t *testing.T) {
	through(t, `printf 'Welcome\nYou have mail'; echo; echo '{"gatehouse":2}'; exec sleep 30`, func(*pipeViewer) {}, func(up bool, _ error) bool { return up })
	down := func(up bool, why error) bool { return !up }
	for script, want := range map[string]string{
		"echo This account is locked; exit 1":          "This account is locked",
		"echo hm; echo 'no such shell' >&2; exit 1":    "no such shell",
		`echo '{"gatehouse":1}'; exec sleep 30`:        "gatehouse there is older than here; update it there",
		`echo '{"gatehouse":3}'; exec sleep 30`:        "gatehouse there is newer than here; update it here",
		`echo '{"gatehouse":2}'; echo hello; sleep 30`: "", // up, and then down
	} {
		why := through(t, script, func(*pipeViewer) {}, func(up bool, why error) bool { return down(up, why) && why != nil })
		if want != "" && why.Error() != want {
			t.Errorf("%s: %v", script, why)
		}
	}
}

// TestShellWithoutGreeting checks that a shell that waits for input is reported after a while, and ended later.
func TestShellWithoutGreeting(t *testing.T) {
	soon := func(p *pipeViewer) { p.greetSoon, p.greetFor = time.Millisecond, time.Hour }
	why := through(t, "read x", soon, func(up bool, why error) bool { return why != nil })
	if !errors.Is(why, errLate) {
		t.Error(why)
	}
	through(t, `sleep 0.1; echo; echo '{"gatehouse":2}'; exec sleep 30`, soon, func(up bool, _ error) bool { return up })
	ends := 0
	through(t, "exec sleep 30", func(p *pipeViewer) { p.greetSoon, p.greetFor = time.Millisecond, time.Millisecond }, func(_ bool, why error) bool {
		ends++
		return ends == 3 && errors.Is(why, errLate)
	})
}

// TestProgramThatReadsNothing checks that a program that reads nothing delays a request no longer than its timeout. The program is
// restarted, because it may have received a part of the request.
func TestProgramThatReadsNothing(t *testing.T) {
	var p *pipeViewer
	asked := 0
	through(t, `echo; echo '{"gatehouse":2}'; exec sleep 30`, func(x *pipeViewer) { p = x }, func(up bool, why error) bool {
		if up {
			var all sync.WaitGroup
			for range 2 { // one of them waits for the other to finish writing
				all.Go(func() {
					ctx, cancel := context.WithTimeout(t.Context(), 50*time.Millisecond)
					defer cancel()
					if _, err := p.ask(ctx, "x", &Request{Action: model.Action{Text: strings.Repeat("x", 1<<20)}}); !notSent(err) {
						t.Error(err)
					}
				})
			}
			all.Wait()
			asked++
			return asked == 2
		}
		return !errors.Is(why, errHangs)
	})
}

// authority is a certificate authority for tests.
type authority struct {
	t    *testing.T
	cert *x509.Certificate
	key  *ecdsa.PrivateKey
	file string
}

func newAuthority(t *testing.T) *authority {
	t.Helper()
	a := &authority{t: t, file: filepath.Join(t.TempDir(), "ca.pem")}
	der := a.sign(&x509.Certificate{Subject: pkix.Name{CommonName: "test"}, IsCA: true, BasicConstraintsValid: true, KeyUsage: x509.KeyUsageCertSign}, time.Hour)
	var err error
	a.cert, err = x509.ParseCertificate(der.Certificate[0])
	must(t, err)
	a.key = der.PrivateKey.(*ecdsa.PrivateKey)
	must(t, os.WriteFile(a.file, pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE", Bytes: der.Certificate[0]}), 0o600))
	return a
}

// sign returns a certificate that is valid for the time good; the first one is self-signed.
func (a *authority) sign(c *x509.Certificate, good time.Duration) tls.Certificate {
	a.t.Helper()
	key, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	must(a.t, err)
	c.SerialNumber, c.NotBefore, c.NotAfter = big.NewInt(1), time.Now().Add(-2*time.Hour), time.Now().Add(good)
	parent, by := a.cert, a.key
	if parent == nil {
		parent, by = c, key
	}
	der, err := x509.CreateCertificate(rand.Reader, c, parent, &key.PublicKey, by)
	must(a.t, err)
	return tls.Certificate{Certificate: [][]byte{der}, PrivateKey: key}
}

// TestCertificatesThatDoNotFit checks that errors name the fault of a hub's certificate, and the fix.
func TestCertificatesThatDoNotFit(t *testing.T) {
	ours, other := newAuthority(t), newAuthority(t)
	fits := func() *x509.Certificate { return &x509.Certificate{IPAddresses: []net.IP{net.IPv4(127, 0, 0, 1)}} }
	for want, c := range map[string]struct {
		cert tls.Certificate
		ca   string
	}{
		"certificate signed by unknown authority":                {ours.sign(fits(), time.Hour), other.file},
		"certificate has expired or is not yet valid":            {ours.sign(fits(), -time.Hour), ours.file},
		"certificate is valid for 10.9.9.9, not 127.0.0.1":       {ours.sign(&x509.Certificate{IPAddresses: []net.IP{net.IPv4(10, 9, 9, 9)}}, time.Hour), ours.file},
		"no such file or directory; name the file of its signer": {ours.sign(fits(), time.Hour), ours.file + ".not"},
		"failed to parse root certificate":                       {ours.sign(fits(), time.Hour), "ssh_test.go"},
	} {
		l, err := net.Listen("tcp", "127.0.0.1:0")
		must(t, err)
		go func() {
			for {
				conn, err := l.Accept()
				if err != nil {
					return
				}
				conn.Write([]byte(`INFO {"server_id":"x","version":"2.15.2","proto":1,"max_payload":1048576,"tls_required":true,"tls_available":true}` + "\r\n"))
				tls.Server(conn, &tls.Config{Certificates: []tls.Certificate{c.cert}}).Handshake()
				conn.Close()
			}
		}()
		_, err = Probe(Hub{URLs: []string{"tls://" + l.Addr().String()}, Name: "alice", CA: c.ca}, false)
		l.Close()
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("got %v, want %s", err, want)
		}
	}
	_, err := Probe(Hub{URLs: []string{"nats://127.0.0.1:1"}, Name: "alice"}, false)
	if err == nil || !strings.Contains(err.Error(), "no hub answers there") {
		t.Error(err)
	}
}
