package main_test

// What a change of a file costs: the time until it is shown, alone and in a burst, and how many bytes are written for it.

import (
	"bytes"
	"strings"
	"testing"
	"time"
)

// benchChange measures from the rename of a file to the frame with its text.
func benchChange(b *testing.B, bin string) {
	for _, c := range []struct {
		rows     int
		plant    func(testing.TB) *project
		p50, p99 float64
	}{{10, tenRows, 30, 60}, {10_000, tenThousand, 0, 0}} {
		b.Run(rowsOf(c.rows), func(b *testing.B) {
			p := c.plant(b)
			t := openDrawn(b, large, p, bin)
			defer t.close()
			defer busy(b)()
			var firstMS, frameMS []float64
			for b.Loop() {
				for i := range 50 {
					t.settle(60 * time.Millisecond)
					aFrame()
					mark := t.mark()
					at := p.replace("STATE.md", stateText(fresh(i)))
					first, full := t.waitForWords(mark, fresh(i))
					firstMS = append(firstMS, ms(at, first))
					frameMS = append(frameMS, ms(at, full))
				}
			}
			report(b, percentile(firstMS, 50), "first-byte-p50-ms", 0)
			report(b, percentile(frameMS, 50), "frame-p50-ms", c.p50)
			report(b, percentile(frameMS, 99), "frame-p99-ms", c.p99)
		})
	}
}

// lastName is the name at the end of a burst. It differs from all of [fresh] in every letter.
const lastName = "1A2B3C4D5"

// benchBurst measures the effect of a thousand writes in a second.
func benchBurst(b *testing.B, bin string) {
	const writes = 1000
	p := tenRows(b)
	t := openDrawn(b, large, p, bin)
	defer t.close()
	defer busy(b)()
	var seconds, redraws, during, longest, exact []float64
	for b.Loop() {
		p.replace("STATE.md", stateText("Calm"))
		t.settle(500 * time.Millisecond)
		mark := t.mark()
		start := time.Now()
		var last time.Time
		for i := range writes {
			time.Sleep(time.Until(start.Add(time.Duration(i) * time.Millisecond)))
			name := fresh(i)
			if i == writes-1 {
				name = lastName
			}
			last = p.replace("STATE.md", stateText(name))
		}
		_, full := t.waitForWords(mark, lastName)
		t.settle(500 * time.Millisecond)
		t.checkLastDrawn(mark, lastName)
		_, frames := t.since(mark)
		seconds = append(seconds, last.Sub(start).Seconds())
		redraws = append(redraws, float64(frames))
		n, gap := t.countFrames(mark, start, last)
		during = append(during, float64(n))
		longest = append(longest, float64(gap.Milliseconds()))
		exact = append(exact, ms(last, full))
	}
	report(b, median(seconds), "burst-s", 0)
	report(b, median(redraws), "redraws", 15)
	report(b, median(during), "redraws-during", 0)
	report(b, median(longest), "longest-without-ms", 0)
	report(b, median(exact), "exact-after-ms", 150)
}

// checkLastDrawn fails the benchmark if an older name was drawn after the last one.
func (t *terminal) checkLastDrawn(mark int, last string) {
	t.tb.Helper()
	text := t.text(mark)
	for i := range 26 {
		if strings.LastIndex(text, fresh(i)) > strings.LastIndex(text, last) {
			t.tb.Errorf("%s was drawn after %s, which is the last state", fresh(i), last)
		}
	}
}

// countFrames returns how many frames began between two moments, and the longest time without one.
func (t *terminal) countFrames(mark int, from, to time.Time) (n int, longest time.Duration) {
	t.mu.Lock()
	defer t.mu.Unlock()
	seen, at := mark, from
	for _, r := range t.reads {
		if r.end <= mark || r.at.After(to) {
			continue
		}
		frames := bytes.Count(t.raw[seen:r.end], frameBegin)
		seen = r.end
		if frames == 0 {
			continue
		}
		n += frames
		longest, at = max(longest, r.at.Sub(at)), r.at
	}
	return n, max(longest, to.Sub(at))
}

// benchBytes measures how much is written for small changes: a row is renamed, the selection moves, a plan is finished.
// At 80x24 there is no pane beside the tree that follows the selection.
func benchBytes(b *testing.B, bin string) {
	for _, c := range []struct {
		at          size
		row         float64
		cursor, off float64 // with and without the preview that follows the selection
	}{{large, 120, 1500, 400}, {small, 0, 0, 0}} {
		b.Run(c.at.String(), func(b *testing.B) {
			p := grow(b, 3, 5, 1)
			t := openDrawn(b, c.at, p, bin)
			defer t.close()
			cost := func(change func()) float64 {
				b.Helper()
				mark := t.mark()
				change()
				t.waitForFrame(mark)
				t.settle(150 * time.Millisecond)
				return float64(t.mark() - mark)
			}
			rename := func(i int) func() {
				return func() { p.replace(planFile(1, 4), planText(1, 4, 1, "Plan-"+fresh(i))) }
			}
			cost(rename(0)) // the first change also changes the project's age
			done := cost(func() { p.put(summaryFile(1, 3), "---\nphase: 01\nplan: 03\n---\n\n# Summary\n") })
			var rows, cursor, page []float64
			for i := 1; b.Loop(); i++ {
				rows = append(rows, cost(rename(i)))
				for _, key := range []string{"j", "j", "j", "k", "k", "k"} {
					cursor = append(cursor, cost(func() { t.press(key) }))
				}
				for _, key := range []string{"G", "g"} {
					page = append(page, cost(func() { t.press(key) }))
				}
			}
			report(b, median(rows), "row-B", c.row)
			report(b, median(cursor), "cursor-B", c.cursor)
			cost(func() { t.press("p") })
			cost(func() { t.press("p") }) // off
			var off []float64
			for _, key := range []string{"j", "j", "j", "k", "k", "k"} {
				off = append(off, cost(func() { t.press(key) }))
			}
			report(b, median(off), "cursor-alone-B", c.off)
			report(b, done, "plan-done-B", 0)
			report(b, median(page), "first-to-last-B", 0)
		})
	}
}
