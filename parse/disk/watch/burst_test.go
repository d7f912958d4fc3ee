// This file tests the watcher under load: bursts of writes, ending while files change, nothing left behind.

package watch

import (
	"context"
	"fmt"
	"runtime"
	"strings"
	"sync"
	"testing"
	"time"
)

// TestBurst: a thousand writes in a second cause few deliveries, the first at once, some of them during the burst, and one after the last write.
func TestBurst(t *testing.T) {
	dir := t.TempDir()
	p := watchDir(t, dir, Options{Poll: never})
	begin := time.Now()
	var last, end time.Time
	var got []time.Time
	var mu sync.Mutex
	finished := make(chan bool)
	go func() {
		defer close(finished)
		tick := time.NewTicker(time.Millisecond)
		defer tick.Stop()
		for i := range 1000 {
			p.replace("STATE.md", fmt.Sprint(i))
			<-tick.C
		}
		mu.Lock()
		defer mu.Unlock()
		last = time.Now()
		p.write("last.md", "x")
		end = time.Now()
	}()
	p.until("the last write", func() bool {
		got = append(got, time.Now())
		return p.seen("last.md") == "x"
	})
	<-finished
	during := 0
	for _, at := range got[1:] {
		if at.Before(last) {
			during++
		}
	}
	if during < 2 {
		t.Errorf("%d deliveries during the burst, want progress", during)
	}
	// On a busy machine the burst takes longer, and its pauses are quiet enough for a delivery each.
	if most := 30 * max(1, end.Sub(begin).Seconds()); float64(len(p.batches)) > most {
		t.Errorf("%d deliveries, want %.0f at most", len(p.batches), most)
	}
	t.Logf("%d deliveries, %d during the burst, the last %v after the last write", len(p.batches), during, got[len(got)-1].Sub(end))
}

func TestEndDuringActivity(t *testing.T) {
	before := runtime.NumGoroutine()
	for round := range 20 {
		dir := t.TempDir()
		ctx, cancel := context.WithCancel(t.Context())
		w := New(ctx, Options{Poll: time.Millisecond})
		p := probeOf(t, w, dir)
		stop, stopped := make(chan bool), make(chan bool)
		go func() {
			defer close(stopped)
			for i := 0; ; i++ {
				select {
				case <-stop:
					return
				default:
					p.mkdir(fmt.Sprintf("d%d/e", i%50))
					p.write(fmt.Sprintf("d%d/e/x.md", i%50), fmt.Sprint(i))
				}
			}
		}()
		p.until("something", func() bool { return len(p.batches) > 0 })
		var closers sync.WaitGroup
		for range 3 { // More than one may close, and the context may end at the same time.
			closers.Go(w.Close)
		}
		cancel()
		closers.Wait()
		for range w.Changes() { // Ends: it is closed.
		}
		select {
		case <-w.done:
		case <-time.After(patience):
			t.Fatalf("round %d: goroutines still there", round)
		}
		close(stop)
		<-stopped
	}
	deadline := time.Now().Add(patience)
	for runtime.NumGoroutine() > before {
		if time.Now().After(deadline) {
			stacks := make([]byte, 1<<20)
			stacks = stacks[:runtime.Stack(stacks, true)]
			t.Fatalf("%d goroutines, %d before:\n%s", runtime.NumGoroutine(), before, strings.TrimSpace(string(stacks)))
		}
		runtime.Gosched()
	}
}
