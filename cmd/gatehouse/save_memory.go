package main

// How much memory a dashboard takes that is open all day: how often garbage is collected, and when it is given back to the system.

import (
	"context"
	"runtime/debug"
	"runtime/metrics"
	"time"

	"gatehouse/model"
)

// gcPercent has garbage collected at half the usual amount: each change of a large build leaves some megabytes behind. It costs a
// dashboard less than a millisecond for a change.
const gcPercent = 50

// Memory is given back to the system once nothing has changed for quietFor, if it is giveBack or more: the first reading of a hundred
// projects leaves as much garbage as they take, a small build never does. A second check after quietLong covers a busy machine that draws
// late. For ten thousand nodes it costs some ten milliseconds; the runtime alone keeps unused memory for minutes.
const (
	quietFor  = 500 * time.Millisecond
	quietLong = 3 * time.Second
	giveBack  = 4 << 20
)

// saveMemory has a dashboard take little memory. The function it returns ends that.
func saveMemory(ctx context.Context, feed model.Feed) (end func()) {
	percent := debug.SetGCPercent(gcPercent)
	ctx, cancel := context.WithCancel(ctx)
	go giveBackWhenQuiet(ctx, feed)
	return func() {
		cancel() // without waiting for memory that is being given back
		debug.SetGCPercent(percent)
	}
}

// giveBackWhenQuiet gives memory back until the feed or the context ends.
func giveBackWhenQuiet(ctx context.Context, feed model.Feed) {
	var shown, kept uint64 // the last snapshot; what was held when memory was given back last
	for ctx.Err() == nil {
		snap, err := feed.Next(ctx, shown)
		if err != nil {
			return
		}
		shown = snap.Version
		for _, pause := range []time.Duration{quietFor, quietLong} {
			if !isQuiet(ctx, feed, shown, pause) {
				break
			}
			if now := heldBytes(); now < kept+giveBack {
				kept = min(kept, now)
				continue
			}
			debug.FreeOSMemory()
			kept = heldBytes()
		}
	}
}

// isQuiet waits, and reports whether there was no snapshot after a version meanwhile.
func isQuiet(ctx context.Context, feed model.Feed, after uint64, pause time.Duration) bool {
	waiting, cancel := context.WithTimeout(ctx, pause)
	defer cancel()
	_, err := feed.Next(waiting, after)
	return err != nil && ctx.Err() == nil
}

// heldBytes returns how many bytes are held of the system for what is read, in use or not.
func heldBytes() (bytes uint64) {
	of := []metrics.Sample{{Name: "/memory/classes/heap/objects:bytes"}, {Name: "/memory/classes/heap/unused:bytes"}, {Name: "/memory/classes/heap/free:bytes"}}
	metrics.Read(of)
	for _, s := range of {
		bytes += s.Value.Uint64()
	}
	return bytes
}
