package main

// Memory of a dashboard that is open all day: how often garbage is collected, and when memory is returned to the system.

import (
	"context"
	"runtime/debug"
	"runtime/metrics"
	"time"

	"gatehouse/model"
)

// gcPercent halves the usual threshold of garbage collection: each change of a large build leaves some megabytes behind. It costs a
// dashboard less than a millisecond per change.
const gcPercent = 50

// Memory is returned to the system when nothing has changed for quietFor, if it is giveBack or more: the first reading of a hundred
// projects leaves as much garbage as they need, a small build never does. For ten thousand nodes it costs some ten milliseconds; the
// runtime alone keeps unused memory for minutes.
const (
	quietFor = time.Second
	giveBack = 4 << 20
)

// saveMemory makes a dashboard use little memory. The returned function ends that.
func saveMemory(ctx context.Context, feed model.Feed) (end func()) {
	percent := debug.SetGCPercent(gcPercent)
	ctx, cancel := context.WithCancel(ctx)
	go giveBackWhenQuiet(ctx, feed)
	return func() {
		cancel() // without waiting for memory that is being returned
		debug.SetGCPercent(percent)
	}
}

// giveBackWhenQuiet returns memory to the system until the feed or the context ends.
func giveBackWhenQuiet(ctx context.Context, feed model.Feed) {
	var shown, kept uint64 // the last snapshot; memory held after the last return
	for {
		snap, err := feed.Next(ctx, shown)
		if err != nil {
			return
		}
		shown = snap.Version
		waiting, cancel := context.WithTimeout(ctx, quietFor)
		_, err = feed.Next(waiting, shown)
		cancel()
		if now := heldBytes(); err == nil || now < kept+giveBack {
			kept = min(kept, now)
			continue
		}
		debug.FreeOSMemory()
		kept = heldBytes()
	}
}

// heldBytes returns the memory that is held from the system for data, in use or not.
func heldBytes() (bytes uint64) {
	of := []metrics.Sample{{Name: "/memory/classes/heap/objects:bytes"}, {Name: "/memory/classes/heap/unused:bytes"}, {Name: "/memory/classes/heap/free:bytes"}}
	metrics.Read(of)
	for _, s := range of {
		bytes += s.Value.Uint64()
	}
	return bytes
}
