package main

// Runs gatehouse remote, join and --remote as two people use them who have only this program and a standard hub.

import (
	"context"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"sync"
	"testing"
	"time"

	"gatehouse/cmd/gatehouse/remote/hubtest"
	"gatehouse/model"
	"gatehouse/parse"
	"gatehouse/parse/agents/ask"
	"gatehouse/parse/agents/waiting"
	"gatehouse/parse/disk/process"
)

// account is a user on a machine of their own.
type account struct {
	t    *testing.T
	name string
	home string
}

// syncBuffer collects the output of a program that may still run.
type syncBuffer struct {
	mu   sync.Mutex
	text strings.Builder
}

func (p *syncBuffer) Write(b []byte) (int, error) {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.text.Write(b)
}

func (p *syncBuffer) String() string {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.text.String()
}

// run runs one command line, and returns what it prints and its exit code.
func (a account) run(ctx context.Context, out *syncBuffer, args ...string) int {
	s := &env{
		stdin: strings.NewReader(""), stdout: out, stderr: out, now: time.Now, environ: []string{"LANG=C.UTF-8"}, processes: orphaned{process.System{}, os.Getpid()},
		user: parse.User{Name: a.name, Home: a.home, Journal: filepath.Join(a.home, "state", "journal")}, agents: waiting.StorePath(false, a.home, func(string) string { return "" }),
		configFile: filepath.Join(a.home, "config", "config.yaml"), apart: true,
	}
	return run(ctx, s, args)
}

// mustRun runs a command that has to succeed, and returns its output.
func (a account) mustRun(args ...string) string {
	a.t.Helper()
	var out syncBuffer
	if code := a.run(context.Background(), &out, args...); code != exitDone {
		a.t.Fatalf("gatehouse %s: exit %d:\n%s", strings.Join(args, " "), code, out.String())
	}
	return out.String()
}

// mustFail runs a command that has to be refused with a message.
func (a account) mustFail(want string, args ...string) {
	a.t.Helper()
	var out syncBuffer
	if code := a.run(context.Background(), &out, args...); code == exitDone || !strings.Contains(strings.Join(strings.Fields(out.String()), " "), want) {
		a.t.Errorf("gatehouse %s: exit %d, want %q:\n%s", strings.Join(args, " "), code, want, out.String())
	}
}

// keyOf returns the member that fleet add prints for the configuration of the hub.
func keyOf(t *testing.T, output string) string {
	t.Helper()
	m := regexp.MustCompile(`(?:--host|--approver) (\S+=U[A-Z0-9]+)`).FindStringSubmatch(output)
	if m == nil {
		t.Fatalf("no key in:\n%s", output)
	}
	return m[1]
}

// waitFor waits until a condition holds.
func waitFor(t *testing.T, what string, so func() bool) {
	t.Helper()
	for end := time.Now().Add(waitLimit); !so(); time.Sleep(20 * time.Millisecond) {
		if time.Now().After(end) {
			t.Fatalf("not in time: %s", what)
		}
	}
}

func TestRemoteFromFirstCommand(t *testing.T) {
	if testing.Short() {
		t.Skip("runs a real hub")
	}
	build7, alice, bob, carol := account{t, "agent", t.TempDir()}, account{t, "alice", t.TempDir()}, account{t, "bob", t.TempDir()}, account{t, "carol", t.TempDir()}
	work := t.TempDir()
	t.Chdir(work) // a directory without builds
	shop := filepath.Join(build7.home, "src", "shop")
	hubtest.WriteLoop(t, shop, 3)

	// Each machine makes its own key; the administrator of the hub enters them.
	address := "nats://127.0.0.1:1"
	keys := []string{"remote", "keys", "--host", keyOf(t, build7.mustRun("remote", "add", address, "--name", "work", "--host", "build-7")),
		"--approver", keyOf(t, alice.mustRun("remote", "add", address, "--name", "work")), "--approver", keyOf(t, carol.mustRun("remote", "add", address, "--name", "work")), "--viewer", keyOf(t, bob.mustRun("remote", "add", address, "--name", "work")),
		"--viewer", keyOf(t, strings.Replace(build7.mustRun("remote", "add", address, "--name", "work", "--user", "agent"), "--host", "", 1))}
	server := hubtest.StartWith(t, alice.mustRun(keys...))
	for _, a := range []account{build7, alice, bob} {
		a.mustRun("remote", "add", server.URL(), "--name", "work")
		info, err := os.Stat(filepath.Join(a.home, "config", "fleet.json"))
		if err != nil || info.Mode().Perm() != 0o600 {
			t.Error(info.Mode(), err)
		}
	}
	if output := alice.mustRun("remote", "list"); !strings.Contains(output, "work  hub "+server.URL()+", as user alice") {
		t.Error(output)
	}
	if output := alice.mustRun("gates", "--remote=work"); !strings.Contains(output, "no build on any other machine") {
		t.Error(output)
	}

	// A host that joins an empty directory reports that, and so does doctor.
	ctx, leave := context.WithCancel(context.Background())
	var empty, log syncBuffer
	ended := make(chan int)
	go func() { ended <- build7.run(ctx, &empty, "join", work) }()
	waitFor(t, "the doctor sees the empty host", func() bool {
		return strings.Contains(alice.mustRun("remote", "doctor"), "there, 0 builds")
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
	waitFor(t, "the host is there", func() bool {
		return strings.Contains(alice.mustRun("remote", "list", "work"), "build-7  there, 1 build, 1 waiting")
	})

	if output := alice.mustRun("gates", "--remote=work"); !strings.Contains(output, root) || !strings.Contains(output, "◆ waits  fold-gate-000  Phase P000: Look at P000") {
		t.Error(output)
	}
	if output := alice.mustRun("status", "--json", "--remote=work"); !strings.Contains(output, `"host": {`) || !strings.Contains(output, `"live": true`) {
		t.Error(output)
	}
	if output := alice.mustRun("--once", "--remote=work"); !strings.Contains(output, "shop on build-7") || !strings.Contains(output, "next approve fold-gate-000") {
		t.Error(output)
	}
	doctor := alice.mustRun("remote", "doctor")
	for _, want := range []string{"key U", "there and back", "it lets you ask hosts to decide", "build-7                there"} {
		if !strings.Contains(doctor, want) {
			t.Errorf("the doctor does not say %q:\n%s", want, doctor)
		}
	}
	if output := alice.mustRun("approve", "--dry-run", "fold-gate-000", "--remote=work"); !strings.Contains(output, "would approve fold-gate-000: pending → passed") {
		t.Error(output)
	}
	t.Chdir(shop) // the project is here and on the remote, and counts once
	if output := build7.mustRun("approve", "--dry-run", "fold-gate-000", "--remote=work"); !strings.Contains(output, "would approve fold-gate-000: pending → passed") {
		t.Error(output)
	}
	t.Chdir(work)
	if output := alice.mustRun("approve", "fold-gate-000", "--remote=work", "--dir", root); !strings.Contains(output, "approved fold-gate-000: pending → passed") {
		t.Error(output)
	}
	if got := hubtest.GateStatus(t, shop, 0); got != "passed" {
		t.Error(got)
	}
	if output := build7.mustRun("journal", shop); !strings.Contains(output, "alice (remote work)  approve fold-gate-000") {
		t.Error(output)
	}
	alice.mustRun("undo", "fold-gate-000", "--remote=work")
	alice.mustFail("build-7 does not let alice changes; it allows approve, undo, skip", "changes", "fold-gate-000", "--text", "fold it twice", "--remote=work")
	alice.mustFail("build-7 has not joined /nowhere; it has joined shop", "approve", "fold-gate-000", "--remote=work", "--dir", "build-7:/nowhere")
	alice.mustFail("build-7 has not joined shed; it has joined shop", "approve", "fold-gate-000", "--remote=work", "--dir", "build-7:shed")
	alice.mustFail("there is no host build-9; there is build-7", "approve", "fold-gate-000", "--remote=work", "--dir", "build-9:shop")
	if output := alice.mustRun("approve", "--dry-run", "fold-gate-000", "--remote=work", "--dir", "build-7:shop"); !strings.Contains(output, "would approve fold-gate-000") {
		t.Error(output)
	}
	bob.mustFail("build-7 lets bob look, and not decide", "approve", "fold-gate-000", "--remote=work")
	if output := bob.mustRun("remote", "doctor"); !strings.Contains(output, "the hub lets you look, and not decide") {
		t.Error(output)
	}
	if got := hubtest.GateStatus(t, shop, 0); got != "pending" {
		t.Error(got)
	}
	// An ask on the host is answered from here, once.
	asked, err := ask.Open(ask.Options{Dir: waiting.StorePath(false, build7.home, func(string) string { return "" }), Journal: filepath.Join(build7.home, "state", "journal"),
		User: "agent", Table: orphaned{process.System{}, os.Getpid()}, Now: time.Now}).Ask(ask.Ask{Ask: model.Ask{Kind: ask.Question, Text: "Which fold?", Agent: "claude", Session: "s", Project: shop, Dir: shop,
		Questions: []ask.Queried{{Text: "Which fold?", Own: true, Options: []ask.Option{{Label: "Valley"}, {Label: "Mountain"}}}}}, Kept: true})
	if err != nil {
		t.Fatal(err)
	}
	id2 := asked.Ask.ID
	waitFor(t, "the ask is seen", func() bool {
		return strings.Contains(alice.mustRun("asks", "--remote=work"), "build-7:"+id2+"  question  Which fold?")
	})
	if output := alice.mustRun("asks", id2, "--remote=work", "--json"); !strings.Contains(output, `"label": "Mountain"`) {
		t.Error(output)
	}
	alice.mustFail("build-7 does not let alice answer", "answer", id2, "--pick", "Valley", "--remote=work")
	bob.mustFail("the hub lets you look, and not decide", "answer", id2, "--pick", "Valley", "--remote=work")
	carol.mustRun("remote", "add", server.URL(), "--name", "work")
	if output := carol.mustRun("answer", id2, "--pick", "Mountain", "--remote=work"); !strings.Contains(output, "answered build-7:"+id2+": Which fold? → Mountain") {
		t.Error(output)
	}
	carol.mustFail("build-7:"+id2+": carol answered it at", "answer", id2, "--pick", "Valley", "--remote=work")
	if output := build7.mustRun("journal", shop); !strings.Contains(output, "carol (remote work)") {
		t.Error(output)
	}
	if output := build7.mustRun("asks", "--all"); !strings.Contains(output, "(remote work): Mountain") {
		t.Error(output)
	}

	leave()
	<-ended
	ended = closed(ended)
	alice.mustFail("nothing was sent: build-7 is not there", "approve", "fold-gate-000", "--remote=work")
	if output := alice.mustRun("gates", "--remote=work"); !strings.Contains(output, "(offline since ") || !strings.Contains(output, "it has left") {
		t.Error(output)
	}
	t.Chdir(shop) // here everything about it is known
	build7.mustFail(`"nope": there is no such gate`, "approve", "nope", "--remote=work")
	t.Chdir(work)
	server.Stop()
	alice.mustFail("can't be reached since", "gates", "--remote=work")
	alice.mustFail("can't be reached since", "status", "--remote=work")
	// Without a connection, commands report that and nothing else.
	for _, args := range [][]string{{"skip", "fold-gate-000", "--reason", "there is nothing to fold"}, {"answer", id2, "--pick", "Valley"}, {"show", "x", "--dir", "build-7:shop"}} {
		var out syncBuffer
		code := alice.run(context.Background(), &out, append(args, "--remote")...)
		if output := out.String(); code != exitRefused || !strings.Contains(output, "can't be reached since") || strings.Contains(output, "fold-gate") || strings.Contains(output, "--help") {
			t.Errorf("gatehouse %s: exit %d:\n%s", strings.Join(args, " "), code, output)
		}
	}
}

// closed returns a channel that is closed already.
func closed(c chan int) chan int {
	close(c)
	return c
}

// TestReadableKeyIsRefused checks that a key that others may read is not used.
func TestReadableKeyIsRefused(t *testing.T) {
	a := account{t, "alice", t.TempDir()}
	t.Chdir(t.TempDir())
	a.mustRun("remote", "add", "--name", "work", "tls://hub.example:4222")
	if err := os.Chmod(filepath.Join(a.home, "config", "fleet-keys", "work.user.alice.nk"), 0o644); err != nil {
		t.Fatal(err)
	}
	a.mustFail("others may read this key (0644); chmod 600 it", "gates", "--remote=work")
}

// TestBuildsWithSameID checks that a build ID of several projects is ambiguous, unless only one of the builds allows the command.
func TestBuildsWithSameID(t *testing.T) {
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
		g, err := by.selectGate(in, "g")
		gates := `"g" is ambiguous; these gates match: ` + strings.ReplaceAll(strings.TrimSuffix(c.want, "; name one by these flags"), "--build", "gate/g --build")
		if c.want == "" && (err != nil || g.Build != c.projects[0].Builds[0]) || c.want != "" && (err == nil || err.Error() != gates) {
			t.Errorf("a gate: %v, %v", g, err)
		}
		if _, err := (&target{build: "loop:y"}).selectBuild(in, model.VerbPause); err == nil || err.Error() != "--build loop:y: there is no such build; there is loop:x" {
			t.Errorf("no build: %v", err)
		}
	}
	shed.Builds[0].Can = nil // only one of them can be paused, so that one is meant
	in := &selection{[]*model.Project{shop, shed}, "these machines"}
	if b, err := (&target{build: "loop:x"}).selectBuild(in, model.VerbPause); err != nil || in.rootOf(b) != shop.Root {
		t.Error(b, err)
	}
}

// TestUnreachableGates: if nothing waits, a message names the machines whose state is unknown.
func TestUnreachableGates(t *testing.T) {
	var stderr strings.Builder
	s := &env{stderr: &stderr}
	live := &model.Host{Name: "build-1", State: model.HostLive}
	cut := &model.Host{Name: "build-2", State: model.HostCutOff, Why: "cut off since 14:02"} // its link reports the error
	if err := s.checkReachable([]*model.Host{live, cut}); err != nil || stderr.String() != "" {
		t.Errorf("%v %s", err, stderr.String())
	}
	gone := &model.Host{Name: "build-7", State: model.HostSilent, Why: "offline since 14:02"}
	if err := s.checkReachable([]*model.Host{live, gone}); err == nil || stderr.String() != "gatehouse: build-7 is offline since 14:02; what waits there is unknown\n" {
		t.Errorf("%v %s", err, stderr.String())
	}
}
