package notice

import (
	"context"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"gatehouse/model"
)

func notifier(dir, command string) *Notifier {
	return &Notifier{Dir: dir, Command: command, Env: os.Environ(), Now: time.Now}
}

func asked(keys ...string) (all []model.Notice) {
	for _, k := range keys {
		all = append(all, model.Notice{Key: k, Kind: "question", Text: "Which " + k + "?"})
	}
	return all
}

func keysOf(all []model.Notice) string {
	var keys []string
	for _, n := range all {
		keys = append(keys, n.Key)
	}
	return strings.Join(keys, " ")
}

func TestTellOnce(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "state", "told")
	one, two := notifier(dir, ""), notifier(dir, "")
	for _, c := range []struct {
		by   *Notifier
		all  []model.Notice
		want string
	}{
		{one, asked("a", "b"), "a b"}, {two, asked("a", "b", "c"), "c"}, {one, asked("c"), ""}, {notifier(dir, ""), asked("b", "d"), "d"},
		{one, asked("", ""), " "}, // notices without a key are always fresh
	} {
		if fresh, _, err := c.by.Tell(t.Context(), c.all); keysOf(fresh) != c.want || err != nil {
			t.Errorf("%q, %v; want %q", keysOf(fresh), err, c.want)
		}
	}
	if info, err := os.Stat(dir); err != nil || info.Mode().Perm() != 0o700 {
		t.Errorf("%v, %v", info, err)
	}
}

func TestUnwritableMarks(t *testing.T) {
	file := filepath.Join(t.TempDir(), "file")
	if err := os.WriteFile(file, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	n := notifier(filepath.Join(file, "told"), "")
	if fresh, _, err := n.Tell(t.Context(), asked("a")); len(fresh) != 1 || err == nil || !strings.Contains(err.Error(), "told twice") {
		t.Errorf("%v, %v", fresh, err)
	}
	if fresh, _, err := notifier("", "").Tell(t.Context(), asked("a")); len(fresh) != 1 || err != nil {
		t.Errorf("%v, %v", fresh, err)
	}
}

func TestCommand(t *testing.T) {
	dir := t.TempDir()
	out := filepath.Join(dir, "out")
	n := notifier(dir, `echo "$GATEHOUSE_NOTICE_KIND|$GATEHOUSE_NOTICE_TEXT|$GATEHOUSE_NOTICE_ID|$GATEHOUSE_NOTICE_MORE|$GATEHOUSE_NOTICE_SINCE" >>`+out+`; echo printed`)
	hostile := `$(touch ` + dir + "/pwned) `touch " + dir + "/pwned`; touch " + dir + `/pwned "'`
	since := time.Date(2026, 3, 1, 12, 0, 0, 0, time.UTC)
	err := n.Run(t.Context(), []model.Notice{{Kind: "permission", Text: hostile, ID: "abc", More: 2, Since: since}, {Kind: "gate", Text: strings.Repeat("€", 5000)}})
	if err != nil {
		t.Fatal(err)
	}
	text, err := os.ReadFile(out)
	lines := strings.Split(string(text), "\n")
	if err != nil || len(lines) != 3 || lines[0] != "permission|"+hostile+"|abc|2|2026-03-01T12:00:00Z" {
		t.Errorf("%q, %v", lines, err)
	}
	if !strings.HasPrefix(lines[1], "gate|€") || len(lines[1]) > valueLimit+20 {
		t.Errorf("%d bytes: %.40q", len(lines[1]), lines[1])
	}
	if _, err := os.Stat(filepath.Join(dir, "pwned")); err == nil {
		t.Error("a text was run")
	}
	if err := notifier(dir, "echo no such bell >&2; exit 3").Run(t.Context(), asked("a", "b")); err == nil || !strings.Contains(err.Error(), "exit status 3: no such bell") {
		t.Error(err)
	}
}

// TestHangingCommand: a process that a command leaves running neither blocks it nor outlives its time limit.
func TestHangingCommand(t *testing.T) {
	file := filepath.Join(t.TempDir(), "left")
	ctx, stop := context.WithCancel(t.Context())
	ran := make(chan error)
	go func() {
		ran <- notifier("", "echo >"+file+"; (sleep 1; echo alive >>"+file+") & sleep 100").Run(ctx, asked("a"))
	}()
	for text := []byte(nil); len(text) == 0; text, _ = os.ReadFile(file) {
		time.Sleep(time.Millisecond)
	}
	if stop(); <-ran == nil {
		t.Error("it ended without an error")
	}
	time.Sleep(1500 * time.Millisecond)
	if text, _ := os.ReadFile(file); strings.Contains(string(text), "alive") {
		t.Error("a process of it lives on")
	}
}
