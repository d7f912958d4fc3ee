package main

import (
	"context"
	"runtime"
	"runtime/metrics"
	"testing"
	"time"

	"gatehouse/model"
)

// oneSnapshot is a feed of one snapshot.
type oneSnapshot struct{}

func (oneSnapshot) Next(ctx context.Context, after uint64) (*model.Snapshot, error) {
	if after == 0 {
		return &model.Snapshot{Version: 1}, nil
	}
	<-ctx.Done()
	return nil, ctx.Err()
}

// TestReleaseMemoryWhenQuiet checks that memory for a reading is returned to the system even if nothing else needs it.
func TestReleaseMemoryWhenQuiet(t *testing.T) {
	if testing.Short() {
		t.Skip("waits until nothing has changed for seconds")
	}
	const left = 32 << 20
	heap := make([][]byte, 0, left>>12)
	for range left >> 12 {
		heap = append(heap, make([]byte, 4<<10))
	}
	before := heldBytes()
	runtime.KeepAlive(heap)
	heap = nil
	ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
	defer cancel()
	defer saveMemory(ctx, oneSnapshot{})()
	released := []metrics.Sample{{Name: "/memory/classes/heap/released:bytes"}}
	for {
		metrics.Read(released)
		if now := heldBytes(); now+left*3/4 <= before && released[0].Value.Uint64() >= left*3/4 {
			return
		}
		select {
		case <-ctx.Done():
			t.Fatalf("%d MiB are held, %d MiB before, %d MiB are given back", heldBytes()>>20, before>>20, released[0].Value.Uint64()>>20)
		case <-time.After(10 * time.Millisecond):
		}
	}
}
