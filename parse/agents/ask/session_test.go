package ask

import (
	"os"
	"path/filepath"
	"testing"
	"time"

	"gatehouse/model"
	"gatehouse/parse/disk/statefile"
)

func TestSessions(t *testing.T) {
	s, c := newStore(t)
	me, known := s.Table.Look(os.Getpid())
	update := func(id string, what model.SessionState, waits string) {
		t.Helper()
		must(t, s.UpdateSession("claude", id, func(in *Session, now time.Time) bool {
			in.SetState(what, waits, now)
			in.Project, in.Process = "/shop", me.ID
			return true
		}))
	}
	update("one", model.SessionRunning, "")
	c.move(time.Minute)
	update("two", model.SessionWaiting, "needs your permission\x1b[2J")
	c.move(time.Minute)
	update("one", model.SessionRunning, "")
	all, err := s.Sessions()
	must(t, err)
	if len(all) != 2 || all[0].ID != "two" || all[1].ID != "one" {
		t.Fatalf("%+v", all)
	}
	if one, two := all[1], all[0]; !one.Since.Equal(start) || !one.Heard.Equal(c.now()) || two.Waits != "needs your permission\uFFFD[2J" || !two.Began.Equal(start.Add(time.Minute)) {
		t.Errorf("%+v", all)
	}
	// A session whose process is gone does not count, and is swept.
	must(t, s.UpdateSession("claude", "gone", func(in *Session, now time.Time) bool {
		in.Process = s.Table.Self()
		in.Process.Start = "before"
		return true
	}))
	files := func() int {
		entries, err := os.ReadDir(filepath.Join(s.Dir, sessionsDir))
		must(t, err)
		return len(entries) - 1 // the lock
	}
	if all, _ := s.Sessions(); known && len(all) != 2 {
		t.Errorf("%+v", all)
	}
	s.Sweep()
	if known && files() != 2 {
		t.Errorf("%d files are left", files())
	}
	s.EndSession("claude", "two")
	if all, _ := s.Sessions(); len(all) != 1 {
		t.Errorf("%+v", all)
	}
	c.move(8 * 24 * time.Hour)
	s.Sweep()
	if files() != 0 {
		t.Errorf("%d files are left after a week", files())
	}
}

func TestAttend(t *testing.T) {
	s, _ := newStore(t)
	if s.Attended() {
		t.Error("attended without a dashboard")
	}
	one, err := s.Attend()
	must(t, err)
	two, err := s.Attend()
	must(t, err)
	one.Close()
	if !s.Attended() {
		t.Error("not attended, but one of two dashboards is open")
	}
	two.file.Close() // as the system does when its process is killed
	if s.Attended() {
		t.Error("attended by a killed dashboard")
	}
	s.Sweep()
	left, err := os.ReadDir(filepath.Join(s.Dir, dashboardsDir))
	if err != nil || len(left) != 0 {
		t.Errorf("%v, %v", left, err)
	}
}

// FuzzFiles: reading a file of the store fails, or returns something bounded and clean.
func FuzzFiles(f *testing.F) {
	for _, seed := range []string{
		`{"schema":1,"id":"abcdefgh","kind":"question","text":"Q","questions":[{"text":"Q","options":[{"label":"A"}]}],"project":"/x","agent":"claude","since":"2026-03-14T12:00:00Z"}`,
		`{"schema":1,"id":"abcdefgh","state":"answered","at":"2026-03-14T12:00:00Z","answer":{"allow":true,"replies":[{"picks":[-1,99]}]}}`,
		`{"schema":1,"agent":"claude","id":"s","state":"running","pane":{"tmux":"/x","tmux_pane":"%1"}}`, `{"schema":2}`, `[]`, "", `{"schema":1,"id":7}`,
	} {
		f.Add([]byte(seed))
	}
	path := f.TempDir()
	dir, err := (*statefile.System)(nil).Open(path)
	must(f, err)
	f.Cleanup(func() { dir.Close() })
	f.Fuzz(func(t *testing.T, text []byte) {
		must(t, os.WriteFile(filepath.Join(path, "abcdefgh.end"), text, 0o600))
		if a, err := readAsk(dir, "abcdefgh.end", "abcdefgh"); err == nil {
			if len(a.Text) > lineLimit || len(a.Questions) > maxParts || len(a.Plan) > 4*bodyLimit {
				t.Error("not bounded")
			}
			again := *a
			cleanAsk(&again)
			if again.Text != a.Text || again.Plan != a.Plan {
				t.Errorf("cleaning what is clean changes %q to %q", a.Text, again.Text)
			}
			answer := Answer{Allow: true, Replies: make([]Reply, len(a.Questions))}
			a.Fits(&answer)
			a.Said(&Answer{Replies: []Reply{{Picks: []int{-1, 0, 99}, Text: "x"}, {}, {}}})
		}
		readEnd(dir, "abcdefgh")
		readSession(dir, "abcdefgh.end")
	})
}
