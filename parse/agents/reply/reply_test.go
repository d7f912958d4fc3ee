//go:build unix

package reply

import (
	"bufio"
	"cmp"
	"errors"
	"net"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"gatehouse/model"
	"gatehouse/parse/agents/ask"
	"gatehouse/parse/conformance"
	"gatehouse/parse/disk/journal"
	"gatehouse/parse/disk/process"
)

// newDoors returns doors with programs that record their arguments, and the file that they write to.
func newDoors(t *testing.T) (d *Doors, calls string) {
	home := t.TempDir()
	calls = filepath.Join(home, "calls")
	script := "#!/bin/sh\n{ echo \"${0##*/} in $PWD [$CLAUDECODE$CODEX_THREAD_ID$KEPT]\"; printf '%s\\n' \"$@\"; } >>" + calls + "\ncase \"$*\" in *linger*) sleep 20 & ;; *fail*) echo first; echo 'no such session' >&2; exit 3;; esac\n"
	for _, name := range []string{"claude", "codex"} {
		must(t, os.WriteFile(filepath.Join(home, name), []byte(script), 0o755))
	}
	store := ask.Open(ask.Options{Dir: filepath.Join(home, "agents"), Journal: filepath.Join(home, "journal"), User: "ann", Table: process.System{}, Now: time.Now})
	env := map[string]string{"PATH": home + ":/bin:/usr/bin"}
	return &Doors{
		Home: home, Env: func(name string) string { return env[name] }, Claude: ClaudeOff, Logs: filepath.Join(home, "replies"), Store: store,
		Environ: []string{"PATH=" + env["PATH"], "CLAUDECODE=1", "CODEX_THREAD_ID=t", "KEPT=kept"},
	}, calls
}

// target is the part of a session that a reply depends on.
type target struct {
	Agent, ID, Project, Dir, Kind, Job, Socket string
	Held, Alive                                bool
}

func (x target) session() *ask.Session {
	s := &ask.Session{Held: x.Held}
	s.Agent, s.ID, s.Project, s.Dir, s.Kind, s.Job, s.Socket, s.Alive = x.Agent, x.ID, x.Project, x.Dir, x.Kind, x.Job, x.Socket, x.Alive
	return s
}

// TestOf: whether words can reach a session, with claude in PATH unless a row says no, and with a setting for open windows.
func TestOf(t *testing.T) {
	conformance.OwnRows(t, "doors.jsonl", func(t *testing.T, c struct {
		Setting   string
		NoProgram bool
		T         target
		Want      model.Door
	}) {
		d, _ := newDoors(t)
		if d.Claude = cmp.Or(c.Setting, ClaudeOff); c.NoProgram {
			d.Env = func(string) string { return "" }
		}
		if got := d.Of(c.T.session()); *got != c.Want {
			t.Errorf("%+v", got)
		}
	})
}

func TestSendStartsClients(t *testing.T) {
	conformance.OwnRows(t, "sendstartsclients.jsonl", func(t *testing.T, c struct {
		ID         string
		T          target
		Text, Want string
	}) {
		t.Run(c.ID, func(t *testing.T) {
			d, calls := newDoors(t)
			c.T.Dir, c.T.Project = t.TempDir(), "/shop"
			must(t, d.Send(t.Context(), c.T.session(), "", c.Text, ask.ByCommand))
			got, _ := os.ReadFile(calls)
			if want := strings.ReplaceAll(c.Want, "DIR", c.T.Dir); string(got) != want {
				t.Errorf("%s", got)
			}
			log := journal.Open(nil, filepath.Join(d.Home, "journal"), "/shop")
			decisions, err := log.Read()
			if err != nil || len(decisions) != 1 || decisions[0].Verb != model.VerbReply || decisions[0].Text != c.Text || decisions[0].Node != "session/s" || decisions[0].Who != "ann" {
				t.Errorf("%+v, %v", decisions, err)
			}
			if info, err := os.Stat(filepath.Join(d.Logs, "s.log")); err == nil && info.Mode().Perm() != 0o600 {
				t.Error(info.Mode())
			}
			if err := d.Send(t.Context(), c.T.session(), "", "fail", ask.ByCommand); err == nil || !strings.HasSuffix(err.Error(), "exit status 3: no such session") {
				t.Errorf("%v", err)
			}
			if start := time.Now(); d.Send(t.Context(), c.T.session(), "", "linger", ask.ByCommand) != nil || time.Since(start) > 5*time.Second {
				t.Errorf("a client that leaves a process running held up the reply for %v", time.Since(start))
			}
			if decisions, _ := log.Read(); len(decisions) != 2 {
				t.Errorf("a reply that was not sent is in the journal: %+v", decisions)
			}
		})
	})
}

func TestSendToInbox(t *testing.T) {
	d, _ := newDoors(t)
	d.Claude = ClaudeInbox
	dir, err := os.MkdirTemp("", "in")
	must(t, err)
	defer os.RemoveAll(dir)
	listen, err := net.Listen("unix", filepath.Join(dir, "s"))
	must(t, err)
	defer listen.Close()
	received := make(chan string, 1)
	go func() {
		c, err := listen.Accept()
		if err == nil {
			text, _ := bufio.NewReader(c).ReadString('\n')
			received <- text
		}
	}()
	to := target{Agent: "claude", ID: "s", Project: "/shop", Alive: true, Socket: filepath.Join(dir, "s")}.session()
	must(t, d.Send(t.Context(), to, "", "Use \"SQLite\".\nNow.", ask.ByCommand))
	if got := <-received; got != `{"message":{"content":"Use \"SQLite\".\nNow.","role":"user"},"type":"user"}`+"\n" {
		t.Error(got)
	}
}

// TestSendFails: a turn whose reply could not be sent still waits, and accepts another one.
func TestSendFails(t *testing.T) {
	d, _ := newDoors(t)
	turn, err := d.Store.Ask(ask.Ask{Ask: model.Ask{Kind: ask.Turn, Text: "SQLite?", Project: "/shop", Dir: "/shop", Agent: "claude", Session: "s"}})
	must(t, err)
	turn.Close()
	to := target{Agent: "claude", ID: "s", Project: "/shop", Dir: t.TempDir()}.session()
	if err := d.Send(t.Context(), to, turn.Ask.ID, "fail", ask.ByCommand); err == nil || !strings.HasSuffix(err.Error(), "no such session") {
		t.Errorf("%v", err)
	}
	if item, err := d.Store.Get(turn.Ask.ID); err != nil || item.State != ask.Waiting || len(d.Store.WaitingOf("claude", "s")) != 1 {
		t.Errorf("%+v, %v", item, err)
	}
	if err := d.Send(t.Context(), to, turn.Ask.ID, "yes", ask.ByCommand); err != nil {
		t.Error(err)
	}
	if item, err := d.Store.Get(turn.Ask.ID); err != nil || item.State != ask.Answered || !item.Delivered {
		t.Errorf("%+v, %v", item, err)
	}
	log := journal.Open(nil, filepath.Join(d.Home, "journal"), "/shop")
	if decisions, err := log.Read(); err != nil || len(decisions) != 1 || decisions[0].Text != "yes" {
		t.Errorf("%+v, %v", decisions, err)
	}
}

// TestSendOnce: of two replies to a turn only the first is sent. A turn that a hook holds gets its words from the store.
func TestSendOnce(t *testing.T) {
	d, calls := newDoors(t)
	turn := func() *ask.Asked {
		asked, err := d.Store.Ask(ask.Ask{Ask: model.Ask{Kind: ask.Question, Project: "/shop", Dir: "/shop", Agent: "codex", Session: "s", Questions: []ask.Queried{{Text: "?", Own: true}}}})
		must(t, err)
		t.Cleanup(func() { asked.Close() })
		return asked
	}
	to := target{Agent: "claude", ID: "s", Project: "/shop", Dir: t.TempDir()}.session()
	taken := turn()
	if _, err := d.Store.Answer(taken.Ask.ID, ask.Answer{Allow: false, Text: "first"}, ask.ByDashboard); err != nil {
		t.Fatal(err)
	}
	if err := d.Send(t.Context(), to, taken.Ask.ID, "second", ask.ByCommand); !errors.As(err, new(*ask.Taken)) {
		t.Errorf("%v", err)
	}
	if got, _ := os.ReadFile(calls); len(got) > 0 {
		t.Errorf("%s", got)
	}
	for _, words := range []string{"", " \n"} {
		if err := d.Send(t.Context(), to, "", words, ask.ByCommand); err == nil {
			t.Errorf("%q was sent", words)
		}
	}
	if err := d.Send(t.Context(), target{Agent: "opencode", ID: "s", Held: true}.session(), "", "words", ask.ByCommand); err == nil {
		t.Error("a held turn that is not open was answered")
	}
}

func must(t testing.TB, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}
