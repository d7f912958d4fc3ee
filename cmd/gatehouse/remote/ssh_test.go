package remote

import (
	"context"
	"errors"
	"os/exec"
	"strings"
	"sync"
	"testing"
	"time"

	"gatehouse/model"
)

func TestParseDestination(t *testing.T) {
	for target, want := range map[string]struct {
		args, login string
	}{
		"build-8":                 {"-- build-8", "ssh build-8"},
		"me@build-8:2222":         {"-p 2222 -- me@build-8", "ssh -p 2222 me@build-8"},
		"me@[::1]:2222":           {"-p 2222 -- me@::1", "ssh -p 2222 me@::1"},
		"[fe80::1%eth0]":          {"-- fe80::1%eth0", "ssh fe80::1%eth0"},
		"2001:db8::8":             {"-- 2001:db8::8", "ssh 2001:db8::8"},
		"me@corp@build-8":         {"-- me@corp@build-8", "ssh me@corp@build-8"},
		"me%40corp@build-8":       {"-- me@corp@build-8", "ssh me@corp@build-8"},
		`CORP\me@build-8`:         {`-- CORP\me@build-8`, `ssh 'CORP'\\'me@build-8'`},
		"first.last+x@10.0.0.8:1": {"-p 1 -- first.last+x@10.0.0.8", "ssh -p 1 first.last+x@10.0.0.8"},
	} {
		d, err := ParseDestination(target)
		if got := strings.Join(d.sshArgs(), " "); err != nil || got != want.args || d.Login() != want.login {
			t.Errorf("%s: %q, %q, %v; want %q, %q", target, got, d.Login(), err, want.args, want.login)
		}
	}
	for target, want := range map[string]string{
		"": "no machine", "-oProxyCommand=x": "no machine", "a b": "no machine", "me@": "no machine", "me@-x": "no machine", "me@:22": "no machine", "a:b:c": "no machine",
		"@build-8": "no user's name", "-l@build-8": "no machine", "%2dl@build-8": "no user's name", "a%0ab@build-8": "no user's name",
		"build-8/src": "--dir", "build-8:x": "the port is a number", "build-8:0": "the port is a number", "build-8:": "the port is a number", "[::1": "IPv6", "[::1]x": "IPv6", "[build-8]:22": "IPv6",
	} {
		if d, err := ParseDestination(target); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%q: %+v, %v; want %q", target, d, err, want)
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
	d := Destination{User: "me", Host: "build-8", Port: 2222}
	for _, c := range []struct {
		output string
		exit   int
		want   string
	}{
		{"@@@\n@ WARNING: REMOTE HOST IDENTIFICATION HAS CHANGED! @\n@@@\nHost key verification failed.", 255, "its host key is not the one that was known here. Find out why; a login by hand says which line of known_hosts is the old one: ssh -p 2222 me@build-8"},
		{"No ED25519 host key is known for build-8 and you have requested strict checking.\nHost key verification failed.", 255, "log in once by hand, and look at it: ssh -p 2222 me@build-8"},
		{"me@jump: Permission denied (publickey).\nConnection closed by UNKNOWN port 65535", 255, "me@jump: Permission denied (publickey); nobody is asked for a password here"},
		{"bash: line 1: gatehouse: command not found", 127, "gatehouse can't be run there: bash: line 1: gatehouse: command not found; name the program by gatehouse remote add"},
		{"sh: 1: /x: Permission denied", 126, "gatehouse can't be run there: sh: 1: /x: Permission denied"},
		{`gatehouse: unknown command "join" for "gatehouse"`, 2, "too old; update it"},
		{"", 255, "the connection is lost"},
		{"", 0, "it ended before it said anything; try by hand: ssh -p 2222 me@build-8 gatehouse --version"},
	} {
		if err := d.explainExit(c.output, c.exit); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%q, %d: %v; want %q", c.output, c.exit, err, c.want)
		}
	}
	if err := d.explainExit("ssh: connect to host build-8 port 2222: Connection refused", 255); err != nil {
		t.Errorf("ssh's own words are best: %v", err)
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
		`echo 'gatehouse-join 1'; exec sleep 30`:       "gatehouse there is older than here; update it there",
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
