package main

// gatehouse fleet, join and --fleet, as two people use them who have nothing but this program and a stock hub.

import (
	"context"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"sync"
	"testing"
	"time"

	"gatehouse/cmd/gatehouse/remote"
	"gatehouse/cmd/gatehouse/remote/hubtest"
	"gatehouse/model"
	"gatehouse/parse"
	"gatehouse/parse/agents/ask"
	"gatehouse/parse/agents/waiting"
	"gatehouse/parse/disk/process"
	"gatehouse/parse/text/shell"
)

// account is a user on a machine of its own.
type account struct {
	t    *testing.T
	name string
	home string
}

// spoken is what a program has printed, which may go on.
type spoken struct {
	mu   sync.Mutex
	text strings.Builder
}

func (p *spoken) Write(b []byte) (int, error) {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.text.Write(b)
}

func (p *spoken) String() string {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.text.String()
}

// run runs one command line, and returns what it prints and its exit code.
func (a account) run(ctx context.Context, out *spoken, args ...string) int {
	s := &env{
		stdin: strings.NewReader(""), stdout: out, stderr: out, now: time.Now, environ: []string{"LANG=C.UTF-8"}, processes: orphaned{process.System{}, os.Getpid()},
		user: parse.User{Name: a.name, Home: a.home, Journal: filepath.Join(a.home, "state", "journal")}, agents: waiting.StorePath(false, a.home, func(string) string { return "" }),
		configFile: filepath.Join(a.home, "config", "config.yaml"), apart: true,
	}
	return run(ctx, s, args)
}

// does runs a command that has to succeed, and returns what it prints.
func (a account) does(args ...string) string {
	a.t.Helper()
	var out spoken
	if code := a.run(context.Background(), &out, args...); code != exitDone {
		a.t.Fatalf("gatehouse %s: exit %d:\n%s", strings.Join(args, " "), code, out.String())
	}
	return out.String()
}

// fails runs a command that has to be refused, and to say so.
func (a account) fails(want string, args ...string) {
	a.t.Helper()
	var out spoken
	if code := a.run(context.Background(), &out, args...); code == exitDone || !strings.Contains(strings.Join(strings.Fields(out.String()), " "), want) {
		a.t.Errorf("gatehouse %s: exit %d, want %q:\n%s", strings.Join(args, " "), code, want, out.String())
	}
}

// keyOf returns the member that fleet add says is to be entered at the hub.
func keyOf(t *testing.T, said string) string {
	t.Helper()
	m := regexp.MustCompile(`(?:--host|--approver) (\S+=U[A-Z0-9]+)`).FindStringSubmatch(said)
	if m == nil {
		t.Fatalf("no key in:\n%s", said)
	}
	return m[1]
}

// becomes waits until something is so.
func becomes(t *testing.T, what string, so func() bool) {
	t.Helper()
	for end := time.Now().Add(patience); !so(); time.Sleep(20 * time.Millisecond) {
		if time.Now().After(end) {
			t.Fatalf("not in time: %s", what)
		}
	}
}

func TestFleetFromTheFirstCommandOn(t *testing.T) {
	if testing.Short() {
		t.Skip("runs a real hub")
	}
	build7, alice, bob, carol := account{t, "agent", t.TempDir()}, account{t, "alice", t.TempDir()}, account{t, "bob", t.TempDir()}, account{t, "carol", t.TempDir()}
	work := t.TempDir()
	t.Chdir(work) // where nothing is built
	shop := filepath.Join(build7.home, "src", "shop")
	hubtest.WriteLoop(t, shop, 3)

	// Each makes its key at home; whoever keeps the hub enters them.
	address := "nats://127.0.0.1:1"
	keys := []string{"fleet", "keys", "--host", keyOf(t, build7.does("fleet", "add", "work", address, "--host", "build-7")),
		"--approver", keyOf(t, alice.does("fleet", "add", "work", address)), "--approver", keyOf(t, carol.does("fleet", "add", "work", address)), "--viewer", keyOf(t, bob.does("fleet", "add", "work", address)),
		"--viewer", keyOf(t, strings.Replace(build7.does("fleet", "add", "work", address, "--user", "agent"), "--host", "", 1))}
	server := hubtest.StartWith(t, alice.does(keys...))
	for _, a := range []account{build7, alice, bob} {
		a.does("fleet", "add", "work", server.URL())
		info, err := os.Stat(filepath.Join(a.home, "config", "fleet.json"))
		if err != nil || info.Mode().Perm() != 0o600 {
			t.Error(info.Mode(), err)
		}
	}
	if said := alice.does("fleet", "list"); !strings.Contains(said, "work  hub "+server.URL()+", as user alice") {
		t.Error(said)
	}
	if said := alice.does("gates", "--fleet", "work"); !strings.Contains(said, "no build on any other machine") {
		t.Error(said)
	}

	// A host that joins an empty directory says so, and so does the doctor.
	ctx, leave := context.WithCancel(context.Background())
	var empty, log spoken
	ended := make(chan int)
	go func() { ended <- build7.run(ctx, &empty, "join", work) }()
	becomes(t, "the doctor sees the empty host", func() bool {
		return strings.Contains(alice.does("fleet", "doctor"), "there, no build in ")
	})
	leave()
	<-ended
	if !strings.Contains(empty.String(), "no build in "+work+" or below; joined") {
		t.Error(empty.String())
	}

	// A directory above the projects stands for them.
	ctx, leave = context.WithCancel(context.Background())
	go func() {
		ended <- build7.run(ctx, &log, "join", "--allow", "alice:approve,undo,skip", "--allow", "carol", filepath.Dir(shop))
	}()
	defer func() { leave(); <-ended }()
	root := "build-7:" + shop
	becomes(t, "the host is there", func() bool {
		return strings.Contains(alice.does("fleet", "list", "work"), "build-7  there, 1 build, 1 waiting")
	})

	if said := alice.does("gates", "--fleet", "work"); !strings.Contains(said, root) || !strings.Contains(said, "◆ waits  fold-gate-000  Phase P000: Look at P000") {
		t.Error(said)
	}
	if said := alice.does("status", "--json", "--fleet", "work"); !strings.Contains(said, `"host": {`) || !strings.Contains(said, `"live": true`) {
		t.Error(said)
	}
	if said := alice.does("--once", "--fleet", "work"); !strings.Contains(said, "shop on build-7") || !strings.Contains(said, "next approve fold-gate-000") {
		t.Error(said)
	}
	doctor := alice.does("fleet", "doctor")
	for _, want := range []string{"key U", "nats-server 2.", "on 1 server", "the hub lets you ask hosts to decide", "build-7                there"} {
		if !strings.Contains(doctor, want) {
			t.Errorf("the doctor does not say %q:\n%s", want, doctor)
		}
	}
	if said := alice.does("approve", "--dry-run", "fold-gate-000", "--fleet", "work"); !strings.Contains(said, "would approve fold-gate-000: pending → passed") {
		t.Error(said)
	}
	t.Chdir(shop) // a user of that host has it here and in the fleet: it is one
	if said := build7.does("approve", "--dry-run", "fold-gate-000", "--fleet", "work"); !strings.Contains(said, "would approve fold-gate-000: pending → passed") {
		t.Error(said)
	}
	t.Chdir(work)
	if said := alice.does("approve", "fold-gate-000", "--fleet", "work", "--dir", root); !strings.Contains(said, "approved fold-gate-000: pending → passed") {
		t.Error(said)
	}
	if got := hubtest.GateStatus(t, shop, 0); got != "passed" {
		t.Error(got)
	}
	if said := build7.does("journal", shop); !strings.Contains(said, "alice (remote work)  approve fold-gate-000") {
		t.Error(said)
	}
	alice.does("undo", "fold-gate-000", "--fleet", "work")
	alice.fails("build-7 does not let alice changes; it allows approve, undo, skip", "changes", "fold-gate-000", "--text", "fold it twice", "--fleet", "work")
	alice.fails("build-7 has not joined /nowhere; it has joined shop", "approve", "fold-gate-000", "--fleet", "work", "--dir", "build-7:/nowhere")
	alice.fails("build-7 has not joined shed; it has joined shop", "approve", "fold-gate-000", "--fleet", "work", "--dir", "build-7:shed")
	for words, want := range map[string]string{"approve --dir=": "build-7:shop\t" + root, "approve ": "fold-gate-000\t", "approve --build ": "loop:"} {
		args := append([]string{"__complete"}, strings.Fields(words)...)
		args = append(args[:2:2], append([]string{"--fleet", "work"}, args[2:]...)...)
		if strings.HasSuffix(words, " ") {
			args = append(args, "")
		}
		if said := alice.does(args...); !strings.Contains(said, want) {
			t.Errorf("%q is completed by:\n%s", args, said)
		}
	}
	alice.fails("there is no host build-9; there is build-7", "approve", "fold-gate-000", "--fleet", "work", "--dir", "build-9:shop")
	if said := alice.does("approve", "--dry-run", "fold-gate-000", "--fleet", "work", "--dir", "build-7:shop"); !strings.Contains(said, "would approve fold-gate-000") {
		t.Error(said)
	}
	bob.fails("build-7 lets bob look, and not decide", "approve", "fold-gate-000", "--fleet", "work")
	if said := bob.does("fleet", "doctor"); !strings.Contains(said, "the hub lets you look, and not decide") {
		t.Error(said)
	}
	if got := hubtest.GateStatus(t, shop, 0); got != "pending" {
		t.Error(got)
	}
	// What an agent asks there is answered from here, once.
	asked, err := ask.Open(ask.Options{Dir: waiting.StorePath(false, build7.home, func(string) string { return "" }), Journal: filepath.Join(build7.home, "state", "journal"),
		User: "agent", Table: orphaned{process.System{}, os.Getpid()}, Now: time.Now}).Ask(ask.Ask{Kind: ask.Question, Text: "Which fold?", Agent: "claude", Session: "s", Project: shop, Dir: shop, Kept: true,
		Questions: []ask.Queried{{Text: "Which fold?", Own: true, Options: []ask.Option{{Label: "Valley"}, {Label: "Mountain"}}}}})
	if err != nil {
		t.Fatal(err)
	}
	id2 := asked.Ask.ID
	becomes(t, "the ask is seen", func() bool {
		return strings.Contains(alice.does("asks", "--fleet", "work"), "build-7:"+id2+"  question  Which fold?")
	})
	if said := alice.does("asks", id2, "--fleet", "work", "--json"); !strings.Contains(said, `"label": "Mountain"`) {
		t.Error(said)
	}
	alice.fails("build-7 does not let alice answer", "answer", id2, "--pick", "Valley", "--fleet", "work")
	bob.fails("the hub lets you look, and not decide", "answer", id2, "--pick", "Valley", "--fleet", "work")
	carol.does("fleet", "add", "work", server.URL())
	if said := carol.does("answer", id2, "--pick", "Mountain", "--fleet", "work"); !strings.Contains(said, "answered build-7:"+id2+": Which fold? → Mountain") {
		t.Error(said)
	}
	carol.fails("build-7:"+id2+": carol answered it at", "answer", id2, "--pick", "Valley", "--fleet", "work")
	if said := build7.does("journal", shop); !strings.Contains(said, "carol (remote work)") {
		t.Error(said)
	}
	if said := build7.does("asks", "--all"); !strings.Contains(said, "(remote work): Mountain") {
		t.Error(said)
	}

	leave()
	<-ended
	ended = closed(ended)
	alice.fails("nothing was sent: build-7 is not there", "approve", "fold-gate-000", "--fleet", "work")
	if said := alice.does("gates", "--fleet", "work"); !strings.Contains(said, "(offline since ") || !strings.Contains(said, "it has left") {
		t.Error(said)
	}
	t.Chdir(shop) // whose user knows all of it
	build7.fails(`"nope": there is no such gate`, "approve", "nope", "--fleet", "work")
	t.Chdir(work)
	server.Stop()
	alice.fails("can't be reached since", "gates", "--fleet", "work")
	alice.fails("can't be reached since", "status", "--fleet", "work")
	// With the way gone, commands say that and nothing else.
	for _, args := range [][]string{{"skip", "fold-gate-000", "--reason", "there is nothing to fold"}, {"answer", id2, "--pick", "Valley"}, {"show", "x", "--dir", "build-7:shop"}} {
		var out spoken
		code := alice.run(context.Background(), &out, append(args, "--remote")...)
		if said := out.String(); code != exitRefused || !strings.Contains(said, "can't be reached since") || strings.Contains(said, "fold-gate") || strings.Contains(said, "--help") {
			t.Errorf("gatehouse %s: exit %d:\n%s", strings.Join(args, " "), code, said)
		}
	}
}

// closed returns a channel that has nothing to wait for.
func closed(c chan int) chan int {
	close(c)
	return c
}

// TestOpenKeyIsRefused checks that a key that others may read is not used.
func TestOpenKeyIsRefused(t *testing.T) {
	a := account{t, "alice", t.TempDir()}
	t.Chdir(t.TempDir())
	a.does("remote", "add", "--name", "work", "tls://hub.example:4222")
	if err := os.Chmod(filepath.Join(a.home, "config", "fleet-keys", "work.user.alice.nk"), 0o644); err != nil {
		t.Fatal(err)
	}
	a.fails("others may read this key (0644); chmod 600 it", "gates", "--remote=work")
}

// TestBuildsOfOneID: --build with an ID that several projects have leads to a command that is about one.
func TestBuildsOfOneID(t *testing.T) {
	project := func(root string) *model.Project {
		return &model.Project{Root: root, Builds: []*model.Build{{ID: "loop:x", Can: []model.Verb{model.VerbPause},
			Nodes: []*model.Node{{ID: "phase/P", Title: "P", Kind: model.KindPhase}, {ID: "gate/g", Title: "g", Kind: model.KindGate, Gate: &model.Gate{}}}}}}
	}
	here, shop, shed := project("/src/shop"), project("build-7:/src/shop"), project("build-7:/src/my shed")
	for _, c := range []struct {
		projects []*model.Project
		want     string
	}{
		{[]*model.Project{shop}, ""},
		{[]*model.Project{here, shop}, "--build loop:x --dir /src/shop, --build loop:x --dir build-7:/src/shop; name one by these flags"},
		{[]*model.Project{shop, shed}, "--build loop:x --dir build-7:/src/shop, --build loop:x --dir 'build-7:/src/my shed'; name one by these flags"},
	} {
		in, by := &selection{c.projects, "these machines"}, &target{build: "loop:x"}
		b, err := by.selectBuild(in, model.VerbPause)
		if c.want == "" && (err != nil || in.rootOf(b) != c.projects[0].Root) || c.want != "" && (err == nil || err.Error() != "there are several builds: "+c.want) {
			t.Errorf("a build: %v, %v", b, err)
		}
		_, n, err := by.selectPhase(in, "P")
		if c.want == "" && (err != nil || n == nil) || c.want != "" && (err == nil || err.Error() != `"P": several phases are called so, in `+c.want) {
			t.Errorf("a phase: %v, %v", n, err)
		}
		g, err := by.selectGate(in, "g")
		gates := `"g" is ambiguous; these gates match: ` + strings.ReplaceAll(strings.TrimSuffix(c.want, "; name one by these flags"), "--build", "gate/g --build")
		if c.want == "" && (err != nil || g.Build != c.projects[0].Builds[0]) || c.want != "" && (err == nil || err.Error() != gates) {
			t.Errorf("a gate: %v, %v", g, err)
		}
		if _, err := (&target{build: "loop:y"}).selectBuild(in, model.VerbPause); err == nil || err.Error() != "--build loop:y: there is no such build; there is loop:x" {
			t.Errorf("no build: %v", err)
		}
	}
	shed.Builds[0].Can = nil // of several the one that can be paused is meant
	in := &selection{[]*model.Project{shop, shed}, "these machines"}
	if b, err := (&target{build: "loop:x"}).selectBuild(in, model.VerbPause); err != nil || in.rootOf(b) != shop.Root {
		t.Error(b, err)
	}
}

// TestGatesOutOfReach: whoever finds nothing that waits is told on which machines nobody knows.
func TestGatesOutOfReach(t *testing.T) {
	var said strings.Builder
	s := &env{stderr: &said}
	live := &model.Host{Name: "build-1", State: model.HostLive}
	cut := &model.Host{Name: "build-2", State: model.HostCutOff, Why: "cut off since 14:02"} // its link says so
	if err := s.checkReachable([]*model.Host{live, cut}); err != nil || said.String() != "" {
		t.Errorf("%v %s", err, said.String())
	}
	gone := &model.Host{Name: "build-7", State: model.HostSilent, Why: "offline since 14:02"}
	if err := s.checkReachable([]*model.Host{live, gone}); err == nil || said.String() != "gatehouse: build-7 is offline since 14:02; what waits there is unknown\n" {
		t.Errorf("%v %s", err, said.String())
	}
}

// TestTries: a link by ssh is tried by hand as it is tried here, by user and port, of its trouble and of its name alone.
func TestTries(t *testing.T) {
	d := &remoteDoctor{remote: &remote.Remote{SSH: []remote.Machine{{Target: "build-8", Name: "b"}, {Target: "me@build-8:2222", Name: "c", Program: "~/bin/gatehouse"}}}}
	for text, want := range map[string]string{
		"ssh build-8": "try it by hand: ssh build-8 gatehouse --version",
		"ssh build-8 can't be reached since 14:02": "try it by hand: ssh build-8 gatehouse --version",
		"ssh me@build-8:2222":                      "try it by hand: ssh -p 2222 me@build-8 " + shell.Word("~/bin/gatehouse") + " --version",
		"ssh build-80":                             "",
		"hub tls://hub.example:4222":               "",
	} {
		if got := d.tryCommand(text); got != want {
			t.Errorf("%s: %q, want %q", text, got, want)
		}
	}
}
