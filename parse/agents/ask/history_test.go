package ask

import (
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strconv"
	"testing"
	"time"

	"gatehouse/model"
	"gatehouse/parse/agents/waiting"
	"gatehouse/parse/disk/journal"
	"gatehouse/parse/disk/process"
)

// historiesVariable names the environment variable with the number of random histories to play, for "make soak".
const historiesVariable = "GATEHOUSE_HISTORIES"

// history is a run of some asks with all events that can happen to them, in a random order given by a seed.
type history struct {
	t       *testing.T
	seed    uint64
	rng     *rand.Rand
	store   *Store
	reader  *Reader
	clock   *clock
	asks    []*asker
	answers int
}

// asker is an ask and the state of its asker.
type asker struct {
	asked   *Asked
	alive   bool
	found   *End // the end that the asker has read
	printed int
	text    string          // of the answer that was printed
	given   map[string]bool // texts of all answers given to it, accepted or not
	first   string          // its end as first listed, in JSON
}

// TestHistories: every ask ends in one state and stays there, no answer reaches another ask, and none is printed twice, for any order
// of events: answers from two sides, withdrawals, time, askers killed at any step, and processes killed
// between writing the end and moving the file.
func TestHistories(t *testing.T) {
	n := 300
	if set, err := strconv.Atoi(os.Getenv(historiesVariable)); err == nil {
		n = set
	}
	for seed := range uint64(n) {
		play(t, seed)
		if t.Failed() {
			t.Fatalf("the history of seed %d", seed)
		}
	}
}

func play(t *testing.T, seed uint64) {
	dir, err := os.MkdirTemp(memoryDir(), "histories-") // removed after each history, not at the end of the test
	must(t, err)
	defer os.RemoveAll(dir)
	c := &clock{at: start}
	h := &history{t: t, seed: seed, rng: rand.New(rand.NewPCG(seed, 1)), clock: c}
	h.store = Open(Options{Dir: filepath.Join(dir, "agents"), Journal: filepath.Join(dir, "journal"), User: "ann", Table: process.System{}, Now: c.now})
	h.reader = h.store.Reader()
	steps := []func(){h.ask, h.ask, h.poll, h.poll, h.print, h.print, h.answer, h.answer, h.halfAnswer, h.withdraw, h.giveUp, h.kill, h.time, h.sweep, h.look}
	for range 8 + h.rng.IntN(24) {
		steps[h.rng.IntN(len(steps))]()
	}
	h.finish()
}

// memoryDir returns a directory in memory if there is one, because the journal waits for the disk.
func memoryDir() string {
	if info, err := os.Stat("/dev/shm"); err == nil && info.IsDir() {
		return "/dev/shm"
	}
	return ""
}

func (h *history) failf(format string, args ...any) {
	h.t.Helper()
	h.t.Errorf("seed %d: "+format, append([]any{h.seed}, args...)...)
}

// pick returns one of the asks, nil if there are none.
func (h *history) pick() *asker {
	if len(h.asks) == 0 {
		return nil
	}
	return h.asks[h.rng.IntN(len(h.asks))]
}

func (h *history) ask() {
	if len(h.asks) == 5 {
		return
	}
	a := Ask{Kind: Permission, Text: "may it?", Project: "/shop", Agent: "claude", Session: fmt.Sprint("s", h.rng.IntN(2)), Kept: h.rng.IntN(4) == 0}
	if h.rng.IntN(3) == 0 {
		a.Until = h.clock.now().Add(time.Duration(1+h.rng.IntN(60)) * time.Second)
	}
	asked, err := h.store.Ask(a)
	if err != nil {
		h.failf("asking: %v", err)
		return
	}
	h.asks = append(h.asks, &asker{asked: asked, alive: true, given: map[string]bool{}})
}

// poll lets a waiting asker look for the end once.
func (h *history) poll() {
	k := h.pick()
	if k == nil || !k.alive || k.found != nil || k.printed > 0 {
		return
	}
	end := h.store.lookupEnd(&k.asked.Ask)
	if end == nil && !k.asked.Ask.Until.IsZero() && h.clock.now().After(k.asked.Ask.Until) {
		end, _, _ = h.store.finishAsk(k.asked.Ask.fileName(), End{State: Expired})
	}
	k.found = end
}

// print lets an asker print its answer. It may be killed before that, or before it records the delivery.
func (h *history) print() {
	k := h.pick()
	if k == nil || !k.alive || k.found == nil || k.found.State != Answered || k.printed > 0 {
		return
	}
	if h.rng.IntN(4) == 0 {
		k.die()
		return
	}
	k.printed++
	k.text = k.found.Answer.Text
	if h.rng.IntN(4) == 0 {
		k.die()
		return
	}
	if err := h.store.Delivered(k.asked.Ask.ID); err != nil {
		h.failf("delivering: %v", err)
	}
}

// answerText returns a text that no other answer has.
func (h *history) answerText(k *asker) string {
	h.answers++
	text := fmt.Sprintf("%s-%d", k.asked.Ask.ID, h.answers)
	k.given[text] = true
	return text
}

func (h *history) answer() {
	if k := h.pick(); k != nil {
		h.store.Answer(k.asked.Ask.ID, Answer{Text: h.answerText(k)}, []string{ByCommand, ByDashboard}[h.rng.IntN(2)])
	}
}

// halfAnswer answers by a process that is killed between writing the end and moving the ask's file.
func (h *history) halfAnswer() {
	k := h.pick()
	if k == nil {
		return
	}
	n := k.asked.Ask.fileName()
	end := End{ID: n.ID, State: Answered, At: h.clock.now(), Who: "bob", By: ByCommand, Answer: &Answer{Text: h.answerText(k)}}
	if f, err := h.store.writeFile(waiting.Ended, n.ID+waiting.End, end, false); err == nil {
		f.Close()
	}
}

// withdraw withdraws asks as an event of a session does.
func (h *history) withdraw() {
	for _, a := range h.store.WaitingOf("claude", fmt.Sprint("s", h.rng.IntN(2))) {
		h.store.Withdraw(&a, "the turn has ended")
	}
}

// giveUp ends an asker by a signal.
func (h *history) giveUp() {
	if k := h.pick(); k != nil && k.alive && k.found == nil && k.printed == 0 {
		k.found, _ = h.store.endAsk(&k.asked.Ask, End{State: Withdrawn, Reason: "ended by signal"})
	}
}

func (h *history) kill() {
	if k := h.pick(); k != nil && h.rng.IntN(2) == 0 {
		k.die()
	}
}

// die releases the lock, as the system does when a process is killed.
func (k *asker) die() {
	k.alive = false
	k.asked.Close()
}

func (h *history) time() { h.clock.move(time.Duration(h.rng.IntN(40)) * time.Second) }

func (h *history) sweep() { h.store.Sweep() }

// look compares the list with earlier ones: an end never changes.
func (h *history) look() {
	items, err := h.reader.List(true)
	if err != nil {
		h.failf("listing: %v", err)
	}
	if len(items) != len(h.asks) {
		h.failf("%d asks of %d are listed", len(items), len(h.asks))
	}
	for i := range items {
		for _, k := range h.asks {
			if k.asked.Ask.ID == items[i].ID {
				h.compare(k, &items[i])
				items[i].Text, items[i].End = "changed by the caller", nil
			}
		}
	}
}

func (h *history) compare(k *asker, item *Item) {
	now := ""
	if item.End != nil {
		text, err := json.Marshal(item.End)
		must(h.t, err)
		now = string(text)
	}
	switch {
	case item.Text != "may it?":
		h.failf("%s: the reader keeps what its caller changed", item.ID)
	case k.first != "" && now != k.first:
		h.failf("%s had ended as %s, and now as %s", item.ID, k.first, now)
	case item.State == Answered && !k.given[item.End.Answer.Text]:
		h.failf("%s has the answer of another: %q", item.ID, item.End.Answer.Text)
	case item.Delivered && k.printed == 0:
		h.failf("%s counts as delivered, and was not printed", item.ID)
	case k.printed > 0 && (item.State != Answered || item.End.Answer.Text != k.text):
		h.failf("%s has printed %q, and ended as %s", item.ID, k.text, now)
	}
	k.first = now
}

// finish ends all asks, and checks the results.
func (h *history) finish() {
	for range 3 {
		for range 20 {
			h.poll()
			h.print()
		}
	}
	for _, k := range h.asks {
		k.die()
	}
	h.clock.move(time.Minute)
	h.store.Sweep()
	h.look()
	h.clock.move(8 * 24 * time.Hour) // an ask without a holder waits for a week
	h.store.Sweep()
	if n := waiting.Count(h.store.dir, "", nil).Asks; n != 0 {
		h.failf("%d asks have not ended", n)
	}
	carried := map[string]int{}
	decisions, err := journal.Open(nil, h.store.journal, "/shop").Read()
	must(h.t, err)
	for _, d := range decisions {
		carried[d.Node]++
		if d.Interrupted || d.Verb != model.VerbAnswer {
			h.failf("in the journal: %+v", d)
		}
	}
	for _, k := range h.asks {
		id := k.asked.Ask.ID
		if k.printed > 1 {
			h.failf("%s has printed %d times", id, k.printed)
		}
		if carried[id] > 1 {
			h.failf("%s was answered %d times by the journal", id, carried[id])
		}
		if k.first == "" && !k.asked.Ask.Kept {
			h.failf("%s has not ended", id)
		}
	}
}
