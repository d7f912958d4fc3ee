package ask

import (
	"cmp"
	"fmt"
	"os"
	"path/filepath"
	"testing"
	"time"

	"gatehouse/model"
	"gatehouse/parse/disk/statefile"
)

func TestSessions(t *testing.T) {
	s, c := newStore(t)
	update := func(id string, what model.SessionState, waits, start string) {
		t.Helper()
		must(t, s.UpdateSession("claude", id, func(in *Session, now time.Time) bool {
			in.SetState(what, waits, now)
			in.Process = s.Table.Self()
			in.Process.Start = cmp.Or(start, in.Process.Start)
			return true
		}))
	}
	// names returns the sessions, and how many files there are with the lock.
	names := func() (all string) {
		t.Helper()
		sessions, err := s.Sessions()
		must(t, err)
		for _, in := range sessions {
			all += in.ID + " "
		}
		entries, err := os.ReadDir(filepath.Join(s.Dir, sessionsDir))
		must(t, err)
		return all + fmt.Sprint(len(entries))
	}
	update("one", model.SessionRunning, "", "")
	c.move(time.Minute)
	update("two", model.SessionWaiting, "needs your permission\x1b[2J", "")
	c.move(time.Minute)
	update("one", model.SessionRunning, "", "")
	update("gone", model.SessionRunning, "", "before") // its process is gone
	if got := names(); got != "two one 4" {
		t.Errorf("%s", got)
	}
	one, two := s.Session("claude", "one"), s.Session("claude", "two")
	if !one.Since.Equal(start) || !one.Heard.Equal(c.now()) || two.Waits != "needs your permission\uFFFD[2J" || !two.Began.Equal(start.Add(time.Minute)) {
		t.Errorf("%+v, %+v", one, two)
	}
	if s.Sweep(); names() != "two one 3" {
		t.Errorf("%s", names())
	}
	if s.EndSession("claude", "two"); names() != "one 2" {
		t.Errorf("%s", names())
	}
	c.move(8 * 24 * time.Hour)
	if s.Sweep(); names() != "1" {
		t.Errorf("after a week: %s", names())
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
