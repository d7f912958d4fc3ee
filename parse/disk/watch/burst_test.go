// This file tests the watcher under load: bursts of writes, ending while files change, nothing left behind.

package watch

import (
	"fmt"
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
