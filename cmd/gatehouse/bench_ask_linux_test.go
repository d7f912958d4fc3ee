package main_test

// How fast asks of live agents are shown and answered: the time to the frame with an ask, and to the output of a hook after its answer.
// TestHooksAreFast measures hooks that ask nothing.

import (
	"bytes"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"gatehouse/parse/agents/ask"
	"gatehouse/parse/agents/waiting"
	"gatehouse/parse/disk/process"
	"gatehouse/parse/disk/watch"
)

// BenchmarkAsk measures the real program, built like a release.
func BenchmarkAsk(b *testing.B) {
	bin := buildProgram(b, ".")
	b.Run("frame", func(b *testing.B) { benchFrame(b, bin) })
	b.Run("answer", func(b *testing.B) { benchAnswer(b, bin) })
}

// askFlags is a store of asks, and the program whose hooks ask there.
type askFlags struct {
	*testing.B
	bin   string
	state string // XDG_STATE_HOME
	store *ask.Store
}

func newAsking(b *testing.B, bin string) *askFlags {
	state := b.TempDir()
	dir := filepath.Join(state, "gatehouse")
	return &askFlags{b, bin, state, ask.Open(ask.Options{Dir: filepath.Join(dir, "agents"), Journal: filepath.Join(dir, "journal"), User: "ann", Table: process.System{}, Now: time.Now})}
}

// hook starts a hook with an event, and returns its output.
func (a *askFlags) hook(event string) (*exec.Cmd, io.Reader) {
	a.Helper()
	cmd := exec.Command(a.bin, "hook", "claude")
	cmd.Env = []string{"HOME=" + a.state, "XDG_STATE_HOME=" + a.state}
	cmd.Stdin = strings.NewReader(event)
	out, err := cmd.StdoutPipe()
	if err == nil {
		err = cmd.Start()
	}
	if err != nil {
		a.Fatal(err)
	}
	return cmd, out
}

const permissionEvent = `{"session_id":"s%d","cwd":"/tmp","hook_event_name":"PermissionRequest","tool_name":"Bash","tool_input":{"command":"make"}}`

// waits waits until n asks are open.
func (a *askFlags) waits(n int) []ask.Item {
	a.Helper()
	for end := time.Now().Add(waitLimit); waiting.Count(a.store.Dir(), "", nil).Asks < n; time.Sleep(time.Millisecond) {
		if time.Now().After(end) {
			a.Fatalf("%d of %d asks wait", waiting.Count(a.store.Dir(), "", nil).Asks, n)
		}
	}
	items, err := a.store.List(false)
	if err != nil {
		a.Fatal(err)
	}
	return items
}

// dashboard opens a dashboard on the store, and waits until it is drawn.
func (a *askFlags) dashboard() *terminal {
	a.Helper()
	t := openPTY(a, small, false, a.state, "env", "HOME="+a.state, "XDG_STATE_HOME="+a.state, a.bin, "--notify", "off")
	t.waitForWords(0, "help")
	return t
}

// newAsk asks something unique in this process, and returns the ask and its text.
func (a *askFlags) newAsk(i int) (*ask.Asked, string) {
	a.Helper()
	text := fmt.Sprintf("Shade%dx?", i)
	asked, err := a.store.Ask(ask.Ask{Kind: ask.Permission, Text: text, Project: a.state, Dir: a.state, Agent: "script"})
	if err != nil {
		a.Fatal(err)
	}
	return asked, text
}

// benchFrame measures from the ask to the frame that shows it, and from the answer to the frame without it.
func benchFrame(b *testing.B, bin string) {
	a := newAsking(b, bin)
	t := a.dashboard()
	defer t.close()
	defer busy(b)()
	var askMS, goneMS []float64
	for b.Loop() {
		for i := range 40 {
			t.settle(100 * time.Millisecond)
			aFrame()
			mark, at := t.mark(), time.Now()
			asked, text := a.newAsk(i)
			_, shown := t.when(mark, text, func(raw []byte) bool {
				_, after, drawn := bytes.Cut(raw, []byte(text))
				return drawn && bytes.Contains(after, frameEnd)
			})
			askMS = append(askMS, ms(at, shown))
			t.settle(100 * time.Millisecond)
			mark, at = t.mark(), time.Now()
			if err := a.store.Withdraw(&asked.Ask, "enough"); err != nil {
				b.Fatal(err)
			}
			_, gone := t.waitForFrame(mark)
			goneMS = append(goneMS, ms(at, gone))
			asked.Close()
		}
	}
	report(b, percentile(askMS, 50), "ask-to-frame-p50-ms", 40)
	report(b, percentile(askMS, 90), "ask-to-frame-p90-ms", 0)
	report(b, percentile(goneMS, 50), "end-to-frame-p50-ms", 0)
}

// benchAnswer measures from the start of a hook until a watcher like the dashboard's sees its ask, and from the answer, including
// the journal, to the hook's output.
func benchAnswer(b *testing.B, bin string) {
	a := newAsking(b, bin)
	if err := os.MkdirAll(filepath.Join(a.store.Dir(), waiting.Dir), 0o700); err != nil {
		b.Fatal(err)
	}
	w := watch.New(b.Context(), watch.Options{})
	defer w.Close()
	w.Watch(a.store.Dir(), b)
	w.Watch(filepath.Join(a.store.Dir(), waiting.Dir), b)
	defer busy(b)()
	var seenMS, answerMS []float64
	for b.Loop() {
		for i := range 30 {
			began := time.Now()
			cmd, out := a.hook(fmt.Sprintf(permissionEvent, i))
			for {
				select {
				case <-w.Changes():
				case <-time.After(waitLimit):
					b.Fatal("the ask was not seen")
				}
				if waiting.Count(a.store.Dir(), "", nil).Asks > 0 {
					break
				}
			}
			seenMS = append(seenMS, ms(began, time.Now()))
			item := a.waits(1)[0]
			time.Sleep(50 * time.Millisecond) // until the hook waits and the watcher is idle again
			at := time.Now()
			if _, err := a.store.Answer(item.ID, ask.Answer{Allow: true}, ask.ByDashboard); err != nil {
				b.Fatal(err)
			}
			if _, err := out.Read(make([]byte, 1)); err != nil {
				b.Fatal(err)
			}
			answerMS = append(answerMS, ms(at, time.Now()))
			io.Copy(io.Discard, out)
			cmd.Wait()
			time.Sleep(50 * time.Millisecond)
		}
	}
	report(b, percentile(seenMS, 50), "hook-to-seen-p50-ms", 0)
	report(b, percentile(answerMS, 50), "answer-to-output-p50-ms", 20)
	report(b, percentile(answerMS, 99), "answer-to-output-p99-ms", 0)
}
