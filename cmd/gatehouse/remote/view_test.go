package remote

import (
	"bytes"
	"compress/gzip"
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"sync"
	"testing"
	"time"

	"gatehouse/model"
)

// still is a feed with one snapshot.
type still struct{ *model.Snapshot }

func (s still) Next(ctx context.Context, after uint64) (*model.Snapshot, error) {
	if after > 0 {
		<-ctx.Done()
		return nil, ctx.Err()
	}
	return s.Snapshot, nil
}

// newStage returns a dashboard whose ways receive messages only from the test.
func newStage(t *testing.T, ways ...string) *View {
	o := Options{Name: "test", Machine: "m", Now: time.Now}
	for _, name := range ways {
		o.Ways = append(o.Ways, newPipe(name, "ssh "+name, func(ctx context.Context) *exec.Cmd { return exec.CommandContext(ctx, "sleep", "60") }))
	}
	f := Open(t.Context(), o)
	for _, s := range f.sources {
		s.up()
		s.listed(nil)
	}
	return f
}

// receiveHost passes the messages of a host with a project to a way.
func (s *source) receiveHost(host, machine, session string, number uint64, p *model.Project) {
	now := time.Now()
	here := &Presence{Schema: Wire, Host: host, Session: session, At: now, Machine: machine}
	s.received(hostKey(host), encodeJSON(here), now)
	if p != nil {
		_, packed := newDocument(p, []model.Session{{ID: host, Project: p.Root}}, &Origin{host, session, number})
		s.received(keyOf(host, p.Root, p.Name), packed, now)
	}
	here.Ready, here.At = true, now.Add(time.Millisecond)
	s.received(hostKey(host), encodeJSON(here), now)
}

// TestOwnProjectsAreShownOnce checks that projects and agents of this account are not shown a second time as remote ones.
func TestOwnProjectsAreShownOnce(t *testing.T) {
	f := newStage(t, "build-7", "build-8")
	for i, machine := range []string{"m", "n"} {
		f.sources[i].receiveHost(f.sources[i].way.only(), machine, "s", 1, &model.Project{Root: "/a", Name: "a"})
	}
	here := &model.Snapshot{Version: 1, At: time.Now(), Projects: []*model.Project{{Root: "/a", Builds: []*model.Build{{}}}}, Sessions: []model.Session{{ID: "build-7", Project: "/a"}}}
	snap, err := NewUnion(t.Context(), still{here}, nil, nil, nil, f).Next(t.Context(), 0)
	must(t, err)
	if len(snap.Projects) != 2 || snap.Projects[0].Root != "/a" || snap.Projects[1].Root != "build-8:/a" {
		t.Errorf("%+v", snap.Projects)
	}
	if len(snap.Sessions) != 2 || snap.Sessions[0].ID != "build-7" || snap.Sessions[1].ID != "build-8" {
		t.Errorf("%+v", snap.Sessions)
	}
}

// TestOlderDocuments checks that late documents are dropped, and that documents of a host's earlier process go once the next one is ready.
func TestOlderDocuments(t *testing.T) {
	f := newStage(t, "build-7")
	s := f.sources[0]
	at := func(why string) *model.Project {
		return &model.Project{Root: "/a", Name: "a", Builds: []*model.Build{{ID: "gsd", Why: why}}}
	}
	why := func() (all string) {
		snap, err := f.Next(t.Context(), 0)
		must(t, err)
		for _, p := range snap.Projects {
			for _, b := range p.Builds {
				all += p.Name + " " + b.Why + ";"
			}
		}
		return all
	}
	s.receiveHost("build-7", "n", "one", 1, &model.Project{Root: "/b", Name: "b", Builds: []*model.Build{{ID: "gsd", Why: "gone"}}})
	s.receiveHost("build-7", "n", "one", 7, at("seven"))
	s.receiveHost("build-7", "n", "one", 6, at("six"))
	time.Sleep(200 * time.Millisecond)
	if got := why(); got != "a seven;b gone;" {
		t.Error(got)
	}
	s.receiveHost("build-7", "n", "two", 1, at("one"))
	time.Sleep(200 * time.Millisecond)
	if got := why(); got != "a one;" {
		t.Error(got)
	}
	// Documents of another host or form change nothing.
	for _, bad := range []string{`{"schema":2}`, `{"schema":1,"host":"build-8","projects":[]}`, `{}`, `x`} {
		s.received(keyOf("build-7", "/a", "a"), []byte(bad), time.Time{})
	}
	time.Sleep(200 * time.Millisecond)
	if got := why(); got != "a one;" {
		t.Error(got)
	}
	if hosts, _ := f.Hosts(); len(hosts) != 1 || hosts[0].Trouble == "" {
		t.Errorf("%+v", hosts)
	}
}

// TestOneProjectOverTwoWays checks that a project that comes on two ways is shown once, by the way on which its host is live.
func TestOneProjectOverTwoWays(t *testing.T) {
	f := newStage(t, "build-7", "build-7")
	for i, s := range f.sources {
		s.receiveHost("build-7", "n", "s", 1, &model.Project{Root: "/a", Name: "a", Builds: []*model.Build{{ID: "gsd", Why: []string{"first", "second"}[i]}}})
	}
	f.sources[0].down(errDown)
	time.Sleep(200 * time.Millisecond)
	snap, err := f.Next(t.Context(), 0)
	if err != nil || len(snap.Projects) != 1 || snap.Projects[0].Builds[0].Why != "second" || len(snap.Hosts) != 1 || !snap.Hosts[0].Live() {
		t.Errorf("%+v %v", snap, err)
	}
}

// TestAnotherVersion checks that a host with another version is named, together with the machine to update.
func TestAnotherVersion(t *testing.T) {
	for version, want := range map[int]string{
		Wire - 1: "build-7: something it says can't be read: gatehouse there is older than here; update it there",
		Wire + 1: "build-7: something it says can't be read: gatehouse there is newer than here; update it here",
	} {
		f := newStage(t, "build-7")
		f.sources[0].received(hostKey("build-7"), encodeJSON(&Presence{Schema: version, Host: "build-7", Session: "s", At: time.Now()}), time.Time{})
		if snap, err := f.Next(t.Context(), 0); err != nil || snap.Watch != want {
			t.Errorf("%d: %q, %v; want %q", version, snap.Watch, err, want)
		}
	}
	if _, err := parseRequest(encodeJSON(&Request{Schema: Schema + 1})); err != errOlder { // worded for the dashboard: "there" is this host
		t.Error(err)
	}
}

// TestPaddedDocument checks that limits count the packed bytes of a document that are kept, because gzip can be padded with empty parts.
func TestPaddedDocument(t *testing.T) {
	f := newStage(t, "build-7")
	s := f.sources[0]
	packed := func(i, pad int) (key string, data []byte) {
		p := &model.Project{Root: fmt.Sprint("/", i), Name: "a"}
		doc, _ := newDocument(p, nil, &Origin{"build-7", "s", 1})
		var b bytes.Buffer
		w := gzip.NewWriter(&b)
		w.Write(encodeJSON(doc))
		for w.Close(); b.Len() < pad; w.Close() {
			w.Reset(&b)
			w.Extra = make([]byte, 60<<10)
		}
		return keyOf("build-7", p.Root, p.Name), b.Bytes()
	}
	s.received(hostKey("build-7"), encodeJSON(&Presence{Schema: Wire, Host: "build-7", Session: "s", At: time.Now()}), time.Time{})
	key, data := packed(0, documentLimit)
	if s.received(key, data, time.Time{}); len(s.hosts[""].docs) != 0 {
		t.Error("a document longer than the limit is kept")
	}
	for i := range 10 {
		key, data := packed(i, documentLimit-1<<20)
		s.received(key, data, time.Time{})
	}
	if h := s.hosts[""]; len(h.docs) == 0 || len(h.docs) == 10 || h.bytes > maxKept || h.bytes < len(h.docs)<<22 {
		t.Errorf("%d documents of %d bytes are kept", len(h.docs), h.bytes)
	}
}

// TestChange checks that concurrent changes of the file are all kept, and that a failed one changes nothing.
func TestChange(t *testing.T) {
	dir := t.TempDir()
	var all sync.WaitGroup
	for i := range 8 {
		all.Go(func() {
			_, err := ChangeConfig(t.Context(), dir, func(f *Config) error {
				return f.Add(fmt.Sprint("fleet-", i)).AddMachine(Machine{Target: "build-8"})
			})
			if err != nil {
				t.Error(err)
			}
		})
	}
	all.Wait()
	f, err := LoadConfig(dir)
	if err != nil || len(f.Names()) != 8 {
		t.Fatal(f.Names(), err)
	}
	no := errors.New("no")
	if _, err := ChangeConfig(t.Context(), dir, func(f *Config) error { f.Remove("fleet-1"); return no }); !errors.Is(err, no) {
		t.Error(err)
	}
	if _, err := ChangeConfig(t.Context(), dir, func(f *Config) error { f.Add("fleet-2").RemoveMachine("build-9"); return nil }); err != nil {
		t.Error("nothing is changed:", err)
	}
	if f, err = LoadConfig(dir); err != nil || len(f.Names()) != 8 {
		t.Error(f.Names(), err)
	}
	must(t, os.WriteFile(f.File(), []byte(`{"fleets": {"a": {"hob": 1}}}`), 0o600))
	if _, err := ChangeConfig(t.Context(), dir, func(f *Config) error { return nil }); err == nil {
		t.Error("what is not understood is written over")
	}
}

// must ends the test with an error.
func must(t testing.TB, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}
