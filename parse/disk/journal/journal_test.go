package journal

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"
	"time"

	"gatehouse/model"
	"gatehouse/parse/disk/peek"
)

var noon = time.Date(2026, 2, 1, 12, 0, 0, 0, time.UTC)

func must(t testing.TB, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

// newLog returns a journal in a directory that does not exist yet.
func newLog(t *testing.T) *Log {
	return Open(nil, filepath.Join(t.TempDir(), "state", "gatehouse"), "/home/x/my project")
}

// decide enters a decision and its result: done, void, or "" for none.
func decide(t *testing.T, l *Log, d model.Decision, result string) string {
	t.Helper()
	d, err := l.Begin(d)
	must(t, err)
	if result != "" {
		must(t, l.End(d.ID, result == done))
	}
	return d.ID
}

// readMarked returns the decisions of a journal, newest first, each as its name and marks for its result.
func readMarked(t *testing.T, l *Log) string {
	t.Helper()
	ds, err := l.Read()
	must(t, err)
	return marked(ds)
}

// marked returns decisions as their names, each with marks: ~ undone, ! reported, ? interrupted.
func marked(ds []model.Decision) string {
	var all []string
	for _, d := range ds {
		s := d.Name
		for mark, is := range map[string]bool{"~": d.Undone, "!": d.Reported, "?": d.Interrupted} {
			if is {
				s += mark
			}
		}
		all = append(all, s)
	}
	return strings.Join(all, " ")
}

func TestRoundTrip(t *testing.T) {
	l := newLog(t)
	want := model.Decision{
		At: noon.Add(123456 * time.Microsecond), Who: "x", By: "dashboard", Project: "/home/x/my project", Build: "loop:x-state.json", File: "x-state.json",
		Node: "gate/a", Name: "a", Verb: model.VerbSkip, Was: "pending", Is: "skipped", Before: "sha256:1", After: "sha256:2", Undoes: "other",
		Text:  "<b>\x1b]0;owned\a\u202e\u2028\n{\"entry\":\"done\"}\x00",
		Spans: []model.Span{{At: 7, Old: "old", New: "é\r\n", Label: "gates.a.status"}, {At: 9, New: "\"\\"}},
		// The caller cannot set the result.
		Undone: true, Reported: true, Interrupted: true,
	}
	got, err := l.Begin(want)
	must(t, err)
	if !strings.HasPrefix(got.ID, "20260201T120000.123456Z-") || len(got.ID) < 40 {
		t.Error(got.ID)
	}
	want.ID, want.Undone, want.Reported, want.Interrupted = got.ID, false, false, false
	if !reflect.DeepEqual(got, want) {
		t.Errorf("%+v, want %+v", got, want)
	}
	must(t, l.End(got.ID, true))
	read, err := l.Read()
	must(t, err)
	if len(read) != 1 || !reflect.DeepEqual(read[0], want) {
		t.Errorf("%+v, want %+v", read, want)
	}
	text, err := os.ReadFile(l.File())
	must(t, err)
	if lines := strings.Count(string(text), "\n"); lines != 2 || strings.ContainsAny(string(text), "\x1b\a\x00") {
		t.Errorf("%q", text)
	}
}

func TestResults(t *testing.T) {
	l := newLog(t)
	a := decide(t, l, model.Decision{Name: "a"}, done)
	decide(t, l, model.Decision{Name: "b"}, void)
	decide(t, l, model.Decision{Name: "c"}, "")
	d := decide(t, l, model.Decision{Name: "d"}, done)
	must(t, l.Reported(d))
	if got := readMarked(t, l); got != "d! c? a" {
		t.Error(got)
	}
	decide(t, l, model.Decision{Name: "x", Undoes: a}, "")
	decide(t, l, model.Decision{Name: "y", Undoes: a}, void)
	if got := readMarked(t, l); got != "x? d! c? a" {
		t.Error(got)
	}
	u := decide(t, l, model.Decision{Name: "u", Undoes: a}, done)
	if got := readMarked(t, l); got != "u x? d! c? a~" {
		t.Error(got)
	}
	decide(t, l, model.Decision{Name: "r", Undoes: u}, done)
	if got := readMarked(t, l); got != "r u~ x? d! c? a" {
		t.Error(got)
	}
}

func TestDamaged(t *testing.T) {
	whole := func(t *testing.T) (*Log, string) {
		l := newLog(t)
		decide(t, l, model.Decision{Name: "a"}, done)
		decide(t, l, model.Decision{Name: "b"}, "")
		text, err := os.ReadFile(l.File())
		must(t, err)
		return l, string(text)
	}
	write := func(l *Log, text string) { must(t, os.WriteFile(l.File(), []byte(text), 0o600)) }
	setHead := func(l *Log, line string) {
		dir, err := l.system.Open(peek.Resolve(l.dir))
		must(t, err)
		l.setHead(dir, []byte(line))
		dir.Close()
	}

	l, text := whole(t)
	for cut := range len(text) { // a writer was killed in the middle of a line
		write(l, text[:cut])
		os.Remove(filepath.Join(l.dir, l.headName())) // it is written after the line
		if lines := strings.Split(text[:cut], "\n"); len(lines) > 1 {
			setHead(l, lines[len(lines)-2])
		}
		before := readMarked(t, l)
		decide(t, l, model.Decision{Name: "c"}, done)
		if got := readMarked(t, l); got != strings.TrimSpace("c "+before) {
			t.Fatalf("cut at %d of %d: %q, before %q", cut, len(text), got, before)
		}
	}

	for name, c := range map[string]struct{ add, want string }{
		"unknown fields":  {`{"entry":"begin","id":"z","decision":{"name":"z","later":[1]},"later":{}}` + "\n", ""},
		"unknown entries": {`{"entry":"later","id":"z"}` + "\n", ""},
		"blank lines":     {"\n \r\n\n", ""},
		"CRLF":            {`{"entry":"done","id":"z"}` + "\r\n", ""},
		"no JSON":         {"hello\n", "1 of its lines cannot be read"},
		"other JSON":      {"[]\n3\n{\"entry\":\"begin\",\"id\":7}\n", "3 of its lines cannot be read"},
		"no decision":     {`{"entry":"begin","id":"z"}` + "\n", "1 of its lines cannot be read"},
		"NUL bytes":       {strings.Repeat("\x00", 5000) + "\n", "1 of its lines cannot be read"},
	} {
		t.Run(name, func(t *testing.T) {
			write(l, c.add+text)
			setHead(l, strings.Split(text, "\n")[2])
			ds, err := l.Read()
			if got := marked(ds); strings.TrimSuffix(got, " z?") != "b? a" {
				t.Error(got)
			}
			if fmt.Sprint(err) != "<nil>" && (c.want == "" || !strings.HasPrefix(err.Error(), l.File()+": ") || !strings.Contains(err.Error(), c.want)) || err == nil && c.want != "" {
				t.Errorf("%v, want %q", err, c.want)
			}
		})
	}
}

func TestHuge(t *testing.T) {
	l := newLog(t)
	if _, err := l.Begin(model.Decision{Text: strings.Repeat("x", entryLimit)}); err == nil || !strings.Contains(err.Error(), "1 MiB") {
		t.Error(err)
	}
	if _, err := os.Stat(l.File()); err == nil {
		t.Error("it was written")
	}
	decide(t, l, model.Decision{Name: "old"}, done)
	f, err := os.OpenFile(l.File(), os.O_APPEND|os.O_WRONLY, 0)
	must(t, err)
	filler, err := json.Marshal(entry{Kind: begin, ID: "f", Decision: &model.Decision{Name: "f", Text: strings.Repeat("x", 900_000)}})
	must(t, err)
	for range 12 {
		_, err := f.Write(append(filler, '\n'))
		must(t, err)
	}
	must(t, f.Close())
	decide(t, l, model.Decision{Name: "new"}, done)
	ds, _ := l.Read() // the error reports the lines added by hand
	if got := marked(ds); got != "new f? f? f? f?" {
		t.Error(got)
	}
}

// FuzzRead checks that reading any file ends and returns no more decisions than there are lines, and that decisions
// written afterwards are read.
func FuzzRead(f *testing.F) {
	for _, text := range []string{
		"", "\n", `{"entry":"begin","id":"a","decision":{"spans":[{"at":1}]}}`, `{"entry":"begin","id":"a","decision":{"undoes":"a"}}` + "\n" + `{"entry":"done","id":"a"}`,
		`{"entry":"begin","id":"a","decision":{"at":"2026-02-01T11:00:00Z","spans":[]}}`, "{\x00", `{"entry":"void","id":"a"}`, "null\n{",
	} {
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, text string) {
		l := Open(nil, t.TempDir(), "/x")
		must(t, os.WriteFile(l.File(), []byte(text), 0o600))
		ds, err := l.Read()
		if len(ds) > strings.Count(text, "\n")+1 || err != nil && !strings.Contains(err.Error(), "is damaged") {
			t.Errorf("%d decisions, %v", len(ds), err)
		}
		id := decide(t, l, model.Decision{Name: "new"}, done)
		if now, _ := l.Read(); len(now) != len(ds)+1 || now[0].ID != id || now[0].Interrupted {
			t.Errorf("%+v, before %+v", now, ds)
		}
	})
}
