package ask

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"gatehouse/model"
	"gatehouse/parse/agents/waiting"
	"gatehouse/parse/disk/journal"
	"gatehouse/parse/disk/process"

	"gatehouse/parse/conformance"
)

// start is the time at which the tests begin.
var start = time.Date(2026, 3, 14, 12, 0, 0, 0, time.UTC)

// clock is a clock that stands still until it is moved.
type clock struct {
	mu sync.Mutex
	at time.Time
}

func (c *clock) now() time.Time {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.at
}

func (c *clock) move(d time.Duration) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.at = c.at.Add(d)
}

// newStore returns a store in a directory of its own, and its clock.
func newStore(t testing.TB) (*Store, *clock) {
	t.Helper()
	c := &clock{at: start}
	dir := t.TempDir()
	return Open(Options{Dir: filepath.Join(dir, "agents"), Journal: filepath.Join(dir, "journal"), User: "ann", Table: process.System{}, Now: c.now}), c
}

// question is an ask with two options.
func question() Ask {
	return Ask{Ask: model.Ask{Kind: Question, Project: "/shop", Dir: "/shop", Agent: "claude", Session: "s1",
		Questions: []Queried{{Text: "Which layout?", Options: []Option{{Label: "Grid"}, {Label: "List", Description: "rows"}}}}}}
}

func picks(indexes ...int) Answer { return Answer{Allow: true, Replies: []Reply{{Picks: indexes}}} }

func (s *Store) mustAsk(t testing.TB, a Ask) *Asked {
	t.Helper()
	asked, err := s.Ask(a)
	must(t, err)
	t.Cleanup(func() { asked.Close() })
	return asked
}

func must(t testing.TB, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

// state returns the state of an ask, with its delivery.
func (s *Store) state(t testing.TB, id string) string {
	t.Helper()
	item, err := s.Get(id)
	must(t, err)
	if item.Delivered {
		return string(item.State) + ", delivered"
	}
	return string(item.State)
}

func TestFits(t *testing.T) {
	s, _ := newStore(t)
	conformance.OwnRows(t, "fits.jsonl", func(t *testing.T, c struct {
		ID, Why string
		Ask     Ask
		Answer  Answer
	}) {
		asked := s.mustAsk(t, c.Ask)
		_, err := s.Answer(asked.Ask.ID, c.Answer, ByCommand)
		if c.Why == "" && err != nil || c.Why != "" && (!errors.As(err, new(Misfit)) || !strings.Contains(err.Error(), c.Why)) {
			t.Errorf("%s: %v, want %q", c.ID, err, c.Why)
		}
		if want := map[bool]string{true: "answered", false: "waiting"}[c.Why == ""]; s.state(t, asked.Ask.ID) != want {
			t.Errorf("%s: %s", c.ID, s.state(t, asked.Ask.ID))
		}
	})
}

func TestOption(t *testing.T) {
	q := Queried{Options: []Option{{Label: "Grid"}, {Label: "list"}, {Label: "List"}, {Label: "2=x"}}}
	for word, want := range map[string]int{"Grid": 0, "GRID": 0, "list": 1, "List": 2, "LIST": -1, "2=x": 3, "": -1, "Table": -1} {
		if got, err := OptionOf(&q, word); got != max(want, 0) || (err != nil) != (want < 0) {
			t.Errorf("%q: %d, %v", word, got, err)
		}
	}
}

// TestFirstWins: of many answers at once one wins, and the others are refused.
func TestFirstWins(t *testing.T) {
	s, _ := newStore(t)
	for range 20 {
		asked := s.mustAsk(t, question())
		var wg sync.WaitGroup
		won := make(chan string, 8)
		for i := range 8 {
			wg.Go(func() {
				way := fmt.Sprint("way ", i)
				if _, err := s.Answer(asked.Ask.ID, picks(i%2), way); err == nil {
					won <- way
				} else if !errors.As(err, new(*Taken)) {
					t.Error(err)
				}
			})
		}
		wg.Wait()
		end, err := asked.Await(t.Context(), nil)
		must(t, err)
		if first := <-won; len(won) > 0 || end.By != first {
			t.Fatalf("%s and %d more have won, and the asker got %+v", first, len(won), end)
		}
	}
	if decisions, err := journal.Open(nil, s.Journal, "/shop").Read(); err != nil || len(decisions) != 20 {
		t.Errorf("the journal has %d answers of 20, %v", len(decisions), err)
	}
}

// TestLives: the life of asks by steps, and how each ends. "signal", "gone" and "await" wait as the asker, "fetch" as another process; what
// they return comes first.
func TestLives(t *testing.T) {
	canceled, cancel := context.WithCancelCause(t.Context())
	cancel(errors.New("ended by signal"))
	conformance.OwnRows(t, "lives.jsonl", func(t *testing.T, c struct{ Steps, Want []string }) {
		s, clock := newStore(t)
		asked, got := map[string]*Asked{}, []string{}
		await := func(name string, end *End, err error) {
			if err == nil {
				err = errors.New(string(end.State) + " " + end.Reason)
			}
			got = append(got, name+": "+strings.TrimSpace(err.Error()))
		}
		for _, step := range c.Steps {
			words := append(strings.Fields(step), "", "")
			name, a := words[1], asked[words[1]]
			switch words[0] {
			case "ask", "turn":
				opened := question()
				if words[0] == "turn" {
					opened.Kind, opened.Text, opened.Questions = Turn, "Done.", nil
				}
				if d, err := time.ParseDuration(words[2]); err == nil {
					opened.Until = clock.now().Add(d)
				}
				opened.Kept = strings.HasSuffix(step, "kept")
				asked[name] = s.mustAsk(t, opened)
			case "die": // as the system does when its process ends
				must(t, a.Close())
			case "answer":
				s.Answer(a.Ask.ID, picks(0), ByCommand)
			case "remove":
				must(t, os.Remove(s.pathOf(&a.Ask)))
			case "signal":
				end, err := a.Await(canceled, nil)
				await(name, end, err)
			case "gone":
				end, err := a.Await(t.Context(), func() string { return "claude is gone" })
				await(name, end, err)
			case "await":
				end, err := a.Await(t.Context(), nil)
				await(name, end, err)
			case "fetch":
				end, err := s.AwaitKept(canceled, &a.Ask)
				await(name, end, err)
			case "session": // whose process is gone
				must(t, s.UpdateSession("claude", "s1", func(in *Session, now time.Time) bool {
					in.ReportsEnd, in.Process = name == "crashed", s.Table.Self()
					in.Process.Start = "before"
					return true
				}))
			case "sweep":
				s.Sweep()
			default:
				d, err := time.ParseDuration(words[0])
				must(t, err)
				clock.move(d)
			}
		}
		for _, name := range slices.Sorted(maps.Keys(asked)) {
			state := "none"
			if item, err := s.Get(asked[name].Ask.ID); err == nil && item.End != nil {
				state = strings.TrimSpace(string(item.State) + " " + item.End.Reason)
			} else if err == nil {
				state = string(item.State) + map[bool]string{true: " held"}[item.Held]
			}
			got = append(got, name+" "+state)
		}
		count := waiting.Count(s.Dir, waiting.Key("/shop"))
		if got = append(got, fmt.Sprint(count.Asks, " asks, ", count.Turns, " turns")); !slices.Equal(got, c.Want) {
			t.Errorf("%q, want %q", got, c.Want)
		}
	})
}

// TestSweepTemp: files that dead writers left behind are removed, files being written stay.
func TestSweepTemp(t *testing.T) {
	s, _ := newStore(t)
	s.mustAsk(t, question())
	temp := filepath.Join(s.Dir, waiting.Dir, ".LEFT.tmp")
	must(t, os.WriteFile(temp, nil, 0o600))
	s.Sweep()
	if _, err := os.Stat(temp); err != nil {
		t.Errorf("a file being written is gone: %v", err)
	}
	long := time.Now().Add(-2 * leftBehind)
	must(t, os.Chtimes(temp, long, long))
	s.Sweep()
	if _, err := os.Stat(temp); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("a file left behind is still there: %v", err)
	}
}

// TestRefuses: agents may not answer their own asks.
func TestRefuses(t *testing.T) {
	s, _ := newStore(t)
	me, ok := s.Table.Look(os.Getpid())
	if !ok {
		t.Skip("this system reports nothing about processes")
	}
	parent, _ := s.Table.Look(os.Getppid())
	for _, c := range []struct {
		what  string
		a     Ask
		env   []string
		wrong bool
	}{
		{"another process", Ask{Owner: process.ID{PID: 1 << 22, Host: me.Host, Boot: me.Boot, Start: "1"}}, nil, false},
		{"the asking process itself", Ask{Asker: me.ID}, nil, true},
		{"below the agent's client", Ask{Owner: parent.ID}, nil, true},
		{"the same PID, but another process", Ask{Owner: process.ID{PID: os.Getppid(), Host: me.Host, Boot: me.Boot, Start: "before"}}, nil, false},
		{"below the program that ran the asking command", Ask{Runner: parent.ID}, nil, true},
		{"in its session", Ask{Marks: map[string]string{"SESSION": "1"}}, []string{"A=b", "SESSION=1"}, true},
		{"below the asker, without its marks", Ask{Kept: true, Asker: parent.ID, Marks: map[string]string{"SESSION": "1"}}, []string{"A=b"}, true},
		{"below the asker, in another session", Ask{Kept: true, Asker: parent.ID, Marks: map[string]string{"SESSION": "1"}}, []string{"SESSION=2"}, false},
		{"in another session", Ask{Marks: map[string]string{"SESSION": "1"}}, []string{"SESSION=2"}, false},
		{"no information", Ask{}, []string{"SESSION=1"}, false},
	} {
		if err := s.Refuses(&c.a, os.Getpid(), c.env); (err != nil) != c.wrong {
			t.Errorf("%s: %v", c.what, err)
		}
	}
}

func TestTooManyAsks(t *testing.T) {
	s, _ := newStore(t)
	if !strings.Contains(ErrFull.Error(), fmt.Sprint(s.limit, " asks")) {
		t.Errorf("%v, and %d may wait", ErrFull, s.limit)
	}
	s.limit = 3
	for range 2 {
		s.mustAsk(t, question())
	}
	last := s.mustAsk(t, question())
	if _, err := s.Ask(question()); !errors.Is(err, ErrFull) {
		t.Errorf("one more: %v", err)
	}
	must(t, last.Close()) // asks that have ended make room
	s.mustAsk(t, question())
}

func TestLastLine(t *testing.T) {
	conformance.OwnRows(t, "lastline.jsonl", func(t *testing.T, c struct {
		Message, Want string
	}) {
		if got := LastLine(c.Message); got != c.Want {
			t.Errorf("%q: %q, want %q", c.Message, got, c.Want)
		}
	})
}

func TestLongTexts(t *testing.T) {
	s, _ := newStore(t)
	plan := strings.Repeat("1. A line of a plan with \"quotes\" and \\ backslashes.\n", 1_000_000/53)
	call := &Call{Input: "x", Diff: strings.Repeat("x", diffLimit+1)}
	asked := s.mustAsk(t, Ask{Ask: model.Ask{Kind: Plan, Text: "approve", Plan: plan, Message: "x", Call: call, Project: "/shop"}})
	item, err := s.Get(asked.Ask.ID)
	if err != nil || item.Plan != plan || item.Call.Diff != "" {
		t.Errorf("a plan of 1 MB comes back with %d bytes of %d, %v", len(item.Plan), len(plan), err)
	}
	items, err := s.List(false)
	if err != nil || len(items) != 1 || items[0].Plan+items[0].Message+items[0].Call.Input != "" {
		t.Errorf("a list keeps bodies, %v", err)
	}
	many := question()
	for range maxParts + 1 {
		many.Questions[0].Options = append(many.Questions[0].Options, Option{Label: "x"})
	}
	several := model.Ask{Kind: Question, Questions: make([]Queried, maxParts+1)}
	for what, a := range map[string]model.Ask{
		"questions": several, "a plan": {Kind: Plan, Plan: strings.Repeat("x", bodyLimit+1)}, "a call": {Kind: Permission, Call: &Call{Input: strings.Repeat("x", bodyLimit+1)}}, "options": many.Ask,
	} {
		if _, err := s.Ask(Ask{Ask: a}); !errors.Is(err, ErrLong) {
			t.Errorf("%s that can't be shown whole: %v", what, err)
		}
	}
}

// TestHostileTexts: nothing in an ask acts on a terminal or is hidden.
func TestHostileTexts(t *testing.T) {
	s, _ := newStore(t)
	const evil = "a\x1b[2J\x1b]0;title\x07\r\nb\u202ec\u200b\x00\x9b31m"
	a := Ask{Ask: model.Ask{Kind: Question, Text: evil, Project: "/shop", Agent: evil, Session: evil, Subagent: evil, Plan: evil, File: evil,
		Questions: []Queried{{Text: evil, Header: evil, Options: []Option{{Label: evil, Description: evil, Preview: evil}}, Own: true}},
		Call:      &Call{Tool: evil, Input: evil, Diff: evil, Reason: evil, Dangers: []Danger{{Part: evil, Why: evil}}}}}
	asked := s.mustAsk(t, a)
	_, err := s.Answer(asked.Ask.ID, Answer{Allow: true, Replies: []Reply{{Text: evil}}}, ByCommand)
	must(t, err)
	item, err := s.Get(asked.Ask.ID)
	must(t, err)
	q, o := item.Questions[0], item.Questions[0].Options[0]
	for _, text := range []string{item.Text, item.Agent, item.Session, item.Subagent, item.File, q.Text, q.Header, o.Label, o.Description, item.Call.Tool, item.Call.Reason, item.Call.Dangers[0].Part} {
		if strings.ContainsAny(text, "\x1b\x07\r\n\x00\u009b\u202e\u200b") || text == "" {
			t.Errorf("%q", text)
		}
	}
	for _, text := range []string{item.Plan, o.Preview, item.Call.Input, item.End.Answer.Replies[0].Text} {
		if strings.ContainsAny(text, "\x1b\x07\r\x00\u009b\u202e\u200b") || !strings.Contains(text, "\n") {
			t.Errorf("%q", text)
		}
	}
	// Nothing in the subject of a decision is hidden either.
	const shown = "a␛[2J␛]0;title␇\nb<U+202E>c<U+200B>␀\uFFFD31m"
	call := strings.Replace(shown, "\n", "␍\n", 1)
	for text, want := range map[string]string{item.Plan: shown, o.Preview: shown, item.Call.Input: call, item.Call.Diff: call} {
		if text != want {
			t.Errorf("%q, want %q", text, want)
		}
	}
	if _, err := s.Ask(Ask{Ask: model.Ask{Kind: Permission, Call: &Call{Input: strings.Repeat("\u200b", bodyLimit/3)}}}); !errors.Is(err, ErrLong) {
		t.Errorf("a text that is too long when spelled out: %v", err)
	}
}

// TestForgedEndIsReported checks that an answer that no journal has is distinguished from one given by a command or a dashboard.
func TestForgedEndIsReported(t *testing.T) {
	s, _ := newStore(t)
	given, forged, open := s.mustAsk(t, question()), s.mustAsk(t, question()), s.mustAsk(t, question())
	_, err := s.Answer(given.Ask.ID, picks(1), ByCommand)
	must(t, err)
	answer := picks(1)
	_, _, err = s.finishAsk(forged.Ask.fileName(), End{State: Answered, Who: "ann", By: ByDashboard, Answer: &answer})
	must(t, err)
	for _, a := range []*Asked{given, forged, open} {
		item, err := s.Get(a.Ask.ID)
		must(t, err)
		if s.IsUnrecorded(item) != (a == forged) {
			t.Errorf("%+v", item)
		}
	}
}
