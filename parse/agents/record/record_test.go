//go:build unix

package record

import (
	"encoding/json"
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"syscall"
	"testing"
	"time"

	"gatehouse/model"
	"gatehouse/parse/agents/ask"
	"gatehouse/parse/disk/process"

	"gatehouse/parse/conformance"
)

// now is the time of the tests.
var now = time.Date(2031, 4, 5, 12, 0, 0, 0, time.UTC)

// at returns a time some seconds before now in the form of transcripts, and ms in that of the registry.
func at(seconds int) string {
	return now.Add(-time.Duration(seconds) * time.Second).Format("2006-01-02T15:04:05.000Z")
}
func ms(seconds int) int64 { return now.Add(-time.Duration(seconds) * time.Second).UnixMilli() }

// table is the processes of a test, by PID.
type table map[int]process.Info

func (t table) Self() process.ID { return process.ID{PID: 1, Host: "box", Boot: "b"} }
func (t table) Look(pid int) (process.Info, bool) {
	info, ok := t[pid]
	return info, ok
}

// world is a home directory with the records of clients.
type world struct {
	testing.TB
	home, store string
	processes   table
	reader      *Reader
}

const id = "0a1b2c3d-0000-4000-8000-000000000001"

func newWorld(t testing.TB) *world {
	w := &world{TB: t, home: t.TempDir(), store: t.TempDir(), processes: table{
		70: {ID: process.ID{PID: 70, Start: "4711"}}, 700: {ID: process.ID{PID: 700, Host: "box", Boot: "b", Start: "4711"}, Terminal: "/dev/pts/7"},
		7000: {ID: process.ID{PID: 7000, Start: "4711"}},
	}}
	w.restart()
	return w
}

func (w *world) restart() {
	store := ask.Open(ask.Options{Dir: w.store, Table: w.processes, Now: func() time.Time { return now }})
	w.reader = NewReader(store, w.home, func(string) string { return "" })
}

func (w *world) write(path, text string) string {
	w.Helper()
	if !filepath.IsAbs(path) {
		path = filepath.Join(w.home, ".claude", path)
	}
	if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
		w.Fatal(err)
	}
	if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
		w.Fatal(err)
	}
	return path
}

// register writes the registry's file of process 700, with fields added.
func (w *world) register(fields string) {
	w.Helper()
	w.write("sessions/700.json", fmt.Sprintf(`{"pid":700,"sessionId":%q,"cwd":"/src/shop","startedAt":%d,"procStart":"4711","kind":"interactive",`+
		`"entrypoint":"cli","pidDomain":"linux:0f:pid:[4026531836]","name":"shop-1","nameSource":"derived","updatedAt":%d,"statusUpdatedAt":%d%s}`,
		id, ms(900), ms(60), ms(60), fields))
}

func (w *world) transcript(lines ...string) string {
	w.Helper()
	return w.write("projects/-src-shop/"+id+".jsonl", strings.Join(lines, "\n")+"\n")
}

// one reads, and returns the only session.
func (w *world) one(known ...ask.Session) ask.Session {
	w.Helper()
	all := w.reader.Read(known)
	if len(all) != 1 {
		w.Fatalf("%d sessions, want 1: %+v", len(all), all)
	}
	return all[0]
}

// The following functions return lines of a transcript, written n seconds before now.
func entry(kind string, n int, rest string) string {
	return fmt.Sprintf(`{"type":%q,"uuid":"u%d","timestamp":%q,"isSidechain":false,"cwd":"/src/shop","gitBranch":"main",%s}`, kind, n, at(n), rest)
}
func human(n int, text string) string {
	return entry("user", n, fmt.Sprintf(`"origin":{"kind":"human"},"message":{"role":"user","content":%q}`, text))
}
func words(n int, text string) string {
	return entry("assistant", n, fmt.Sprintf(`"message":{"role":"assistant","model":"big-1","content":[{"type":"text","text":%q}],`+
		`"usage":{"input_tokens":10,"cache_read_input_tokens":20000,"cache_creation_input_tokens":300,"output_tokens":4}}`, text))
}
func toolCall(n int, tool, input string) string {
	return entry("assistant", n, fmt.Sprintf(`"message":{"model":"big-1","content":[{"type":"tool_use","name":%q,"input":%s}],"usage":{"input_tokens":7}}`, tool, input))
}
func result(n int) string {
	return entry("user", n, `"message":{"role":"user","content":[{"type":"tool_result","tool_use_id":"x","content":"ok"}]}`)
}
func apiError(n, status int, text string) string {
	return entry("assistant", n, fmt.Sprintf(`"message":{"model":"<synthetic>","content":[{"type":"text","text":%q}],"usage":{"input_tokens":0}},`+
		`"error":"rate_limit","isApiErrorMessage":true,"apiErrorStatus":%d`, text, status))
}
func interruption(n int) string {
	return entry("user", n, `"interruptedMessageId":"m1","message":{"content":[{"type":"text","text":"[Request interrupted by user]"}]}`)
}
func request(n int, digest string) string {
	return fmt.Sprintf(`{"type":"api-request","timestamp":%q,"querySource":"main","requestDigest":%q}`, at(n), digest)
}
func turnOver(n int) string { return entry("system", n, `"subtype":"turn_duration","durationMs":5`) }

// TestIdleBeforeLastLine: the status is idle a moment before the transcript records how the turn ended.
func TestIdleBeforeLastLine(t *testing.T) {
	status := func(word string, late time.Duration) string {
		return fmt.Sprintf(`,"status":%q,"statusUpdatedAt":%d`, word, now.Add(-late).UnixMilli())
	}
	for late, want := range map[time.Duration]model.SessionState{100 * time.Millisecond: model.SessionRunning, time.Second: model.SessionIdle} {
		for _, lines := range [][]string{nil, {human(5, "go")}} {
			w := newWorld(t)
			if len(lines) > 0 {
				w.transcript(lines...)
			}
			w.register(status("idle", late))
			if s := w.one(); s.State != model.SessionIdle {
				t.Errorf("it has not run: %s", s.State)
			}
			w.register(status("busy", 2*time.Second))
			w.one()
			w.register(status("idle", late))
			if s := w.one(); s.State != want {
				t.Errorf("%v later, %d lines: %s, want %s", late, len(lines), s.State, want)
			}
			w.transcript(human(5, "go"), apiError(1, 400, "API Error: Odd"))
			if s := w.one(); s.State != model.SessionFailed {
				t.Errorf("%v later, with the line: %s", late, s.State)
			}
		}
	}
}

// TestSessions: the files of Claude Code, "STORE" being Gatehouse's store, and the named fields of the sessions that they are read as.
// Hooks know some sessions. Processes 70, 700 and 7000 run; 700 does not if it is dead. "CLAUDE" is the client's directory.
func TestSessions(t *testing.T) {
	conformance.OwnRows(t, "sessions.jsonl", func(t *testing.T, c struct {
		Dead  bool
		Files map[string]string
		Known []ask.Session
		Want  []map[string]any
	}) {
		w := newWorld(t)
		claude := filepath.Join(w.home, ".claude")
		for i := range c.Known {
			c.Known[i].Transcript = strings.Replace(c.Known[i].Transcript, "CLAUDE", claude, 1)
		}
		for name, text := range c.Files {
			w.write(strings.Replace(name, "STORE", w.store, 1), text)
		}
		if c.Dead {
			delete(w.processes, 700)
		}
		all := w.reader.Read(c.Known)
		if len(all) != len(c.Want) {
			t.Fatalf("%+v; want %v", all, c.Want)
		}
		for i, s := range all {
			s.Since, s.Transcript = s.Since.UTC(), strings.Replace(s.Transcript, claude, "CLAUDE", 1)
			text, err := json.Marshal(struct {
				ask.Session
				Alive              bool
				Message, MessageID string
			}{s, s.Alive, s.Message, s.MessageID})
			var got map[string]any
			if err = errors.Join(err, json.Unmarshal(text, &got)); err != nil {
				t.Fatal(err)
			}
			for field, want := range c.Want[i] {
				if !reflect.DeepEqual(got[field], want) {
					t.Errorf("%s: %v, want %v", field, got[field], want)
				}
			}
		}
	})
}

// conversation returns lines of a long session with all kinds of garbage in between.
func conversation(r *rand.Rand, n int) (lines []string) {
	for i := range n {
		at := 10*n - i
		lines = append(lines, []string{
			human(at, fmt.Sprint("prompt ", i)), words(at, fmt.Sprint("words ", i)), toolCall(at, "Bash", `{"command":"make"}`), result(at), turnOver(at), interruption(at),
			apiError(at, 500, "API Error: x"), request(at, "d"), `{"type":"custom-title","customTitle":"é"}`, `{"type":"user","message":"x"}`, `{"type":"assistant","message":{"content":7,"usage":[]}}`,
			`{`, ``, `null`, `[]`, `{"type":"user","timestamp":5,"message":{"content":{"a":1}}}`, "\x00\xff", strings.Repeat(`"user"`, 500),
		}[r.IntN(18)])
	}
	return lines
}

// TestIncrementalReading reads a transcript that grows by random pieces, and expects the same result as from reading it whole.
func TestIncrementalReading(t *testing.T) {
	for seed := range uint64(30) {
		r := rand.New(rand.NewPCG(seed, 1))
		w := newWorld(t)
		w.register(`,"status":"idle"`)
		text := strings.Join(conversation(r, 60), "\n") + "\n"
		path := w.transcript("")
		for end := 0; end < len(text); {
			end = min(len(text), end+1+r.IntN(2000))
			f, _ := os.OpenFile(path, os.O_WRONLY, 0)
			f.WriteAt([]byte("\n"+text[:end]), 0)
			f.Close()
			grown := w.one()
			same := w.reader
			w.restart()
			if whole := w.one(); !reflect.DeepEqual(grown, whole) {
				t.Fatalf("seed %d, %d bytes:\n%+v\nread whole:\n%+v", seed, end, grown, whole)
			}
			w.reader = same
		}
	}
}

func TestTranscriptIsReplaced(t *testing.T) {
	w := newWorld(t)
	w.register(`,"status":"idle"`)
	path := filepath.Join(w.home, ".claude/projects/-src-shop", id+".jsonl")
	for _, c := range []struct {
		change func()
		want   string
	}{
		{func() { w.transcript(human(90, "First"), words(80, strings.Repeat("long ", 50))) }, "First"},
		{func() { w.transcript(human(70, "Second, shorter")) }, "Second, shorter"},
		{func() { os.Rename(w.write(path+".new", human(5, "Third, in another file")+"\n"), path) }, "Third, in another file"},
		{func() { os.Remove(path) }, ""},
	} {
		c.change()
		if s := w.one(); s.Title != c.want {
			t.Errorf("title %q, want %q", s.Title, c.want)
		}
	}
}

// TestLongTranscript finds the last prompt before many lines that are not conversation, and skips lines that are too long.
func TestLongTranscript(t *testing.T) {
	noise := `{"type":"attachment","text":"` + strings.Repeat("x", 60<<10) + `"}`
	repeat := func(n int) string { return strings.Repeat(noise+"\n", n) }
	for _, c := range []struct{ name, text, title, message string }{
		{"180 KiB after it", repeat(40) + human(90, "Early") + "\n" + repeat(3) + words(5, "Late"), "Early", "Late"},
		{"noted by the client", human(90, "Early") + "\n" + repeat(60) + `{"type":"last-prompt","lastPrompt":"Noted"}` + "\n" + words(5, "Late"), "Noted", "Late"},
		{"too far back", human(90, "Early") + "\n" + repeat(60) + words(5, "Late"), "", "Late"},
		{"a line of ten megabytes", human(90, "Early") + "\n" + entry("user", 80, `"message":{"content":"`+strings.Repeat("y", 10<<20)+`"}`) + "\n" + words(5, "Late"), "", "Late"},
	} {
		w := newWorld(t)
		w.register(`,"status":"idle"`)
		path := w.transcript(c.text)
		if s := w.one(); s.Title != c.title || s.Message != c.message {
			t.Errorf("%s: %q, %q", c.name, s.Title, s.Message)
		}
		f, _ := os.OpenFile(path, os.O_APPEND|os.O_WRONLY, 0)
		fmt.Fprintf(f, `{"type":"user","uuid":"%s`, strings.Repeat("z", 5<<20))
		w.one()
		fmt.Fprintf(f, "%s\"}\n%s\n", strings.Repeat("z", 5<<20), words(4, "Later"))
		f.Close()
		if s := w.one(); s.Title != c.title || s.Message != "Later" {
			t.Errorf("%s, grown by ten megabytes: %q, %q", c.name, s.Title, s.Message)
		}
	}
}

func TestHostileRecords(t *testing.T) {
	w := newWorld(t)
	w.register(`,"status":"busy"`)
	dir := filepath.Join(w.home, ".claude/sessions")
	if got := w.reader.Dirs(); !reflect.DeepEqual(got, []string{dir, filepath.Join(w.store, "statusline")}) {
		t.Errorf("%v is watched", got)
	}
	syscall.Mkfifo(filepath.Join(dir, "1.json"), 0o600)
	os.Mkdir(filepath.Join(dir, "2.json"), 0o700)
	text, _ := os.ReadFile(filepath.Join(dir, "700.json"))
	os.Symlink(w.write(filepath.Join(w.home, "outside.json"), strings.Replace(string(text), "700", "3", 1)), filepath.Join(dir, "3.json"))
	w.write("sessions/4.json", `[`)
	w.write("sessions/700.0f.key", "secret")
	w.write("sessions/5.json", strings.NewReplacer("700", "5", "0001", "0005").Replace(string(text))+strings.Repeat(" ", fileLimit))
	fifo := filepath.Join(w.home, "fifo.jsonl")
	syscall.Mkfifo(fifo, 0o600)
	link := filepath.Join(w.home, "link.jsonl")
	os.Symlink(w.write("projects/x/other.jsonl", human(90, "Build it")+"\n"), link)
	known := []ask.Session{{Session: model.Session{Agent: "claude", ID: "fifo"}, Transcript: fifo}, {Session: model.Session{Agent: "claude", ID: "link"}, Transcript: link}}
	foreign := w.write("sessions/7000.json", strings.NewReplacer("700", "7000", "0001", "0002").Replace(string(text)))
	if os.Chown(foreign, 12345, -1) != nil { // only root can give files away
		os.Remove(foreign)
	}
	w.one(known...)
	w.write("sessions/700.json", string(text[:40])) // half-written: the state before counts
	if s := w.one(); s.State != model.SessionRunning {
		t.Errorf("%q while its file is written", s.State)
	}
	w.write("sessions/700.json", strings.Replace(string(text), `"cwd":"/src/shop"`, `"cwd":["x"]`, 1))
	if s := w.one(); s.State != model.SessionRunning || s.Dir != "" {
		t.Errorf("a field of the wrong type: %+v", s)
	}
	w.reader = NewReader(w.reader.store, "/nowhere", func(name string) string {
		return map[string]string{"CLAUDE_CONFIG_DIR": filepath.Join(w.home, ".claude")}[name]
	})
	w.one()
}

func FuzzTranscript(f *testing.F) {
	for _, l := range conversation(rand.New(rand.NewPCG(1, 1)), 100) {
		f.Add(l)
	}
	f.Fuzz(func(t *testing.T, text string) {
		var one transcript
		for l := range strings.Lines(text) {
			one.readLine(strings.TrimSuffix(l, "\n"))
		}
		for _, s := range append(one.Steps, model.Step{Text: one.Title}, model.Step{Text: one.Tool}, model.Step{Text: one.Why}) {
			if strings.ContainsAny(s.Text, "\n\x1b") || len([]rune(s.Text)) > textLimit {
				t.Errorf("%q is not one clean line", s.Text)
			}
		}
		if len(one.Steps) > 20 {
			t.Errorf("%d steps", len(one.Steps))
		}
	})
}
