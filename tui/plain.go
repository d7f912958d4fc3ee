package tui

// The dashboard without a screen: one line for each event, for screen readers, logs and dumb terminals.

import (
	"context"
	"io"
	"slices"
	"strings"
	"time"

	"gatehouse/model"
	"gatehouse/tui/draw"
	"gatehouse/tui/index"
)

// Plain writes what waits, and then a line for every event, until the context or the feed ends. It uses words and no signs.
func Plain(ctx context.Context, feed model.Feed, out io.Writer, opts Options) error {
	type row struct { // identified by its first moment
		at    index.Place
		began int64
	}
	before, printed := index.New(nil, nil), make(map[row]string)
	for {
		snap, err := feed.Next(ctx, before.Snap.Version)
		if err != nil {
			return err
		}
		ix := index.New(snap, before)
		var b strings.Builder
		if before.Snap.Version == 0 {
			waits := slices.DeleteFunc(slices.Clone(ix.Waits), func(w index.Waiting) bool { return !w.IsCurrent() || w.OutOfReach() })
			for _, w := range waits {
				plainLine(&b, w.Since, w.Site.Where, model.Waiting.Word(), w.Place, w.Text)
			}
			if len(waits) == 0 {
				b.WriteString("nothing waits for you\n")
			}
		}
		for i := range ix.Stories {
			s := &ix.Stories[i]
			first := &ix.Moments[s.Moments[0]]
			key, text := row{first.Where, first.At}, s.Subject+": "+s.Text
			if printed[key] == text {
				continue
			}
			printed[key] = text
			if before.Snap.Version > 0 {
				plainLine(&b, opts.currentTime(), ix.Moments[s.Head].Project, s.Status.Word(), s.Subject, s.Text)
			}
		}
		before = ix
		if _, err := io.WriteString(out, b.String()); err != nil {
			return err
		}
	}
}

// plainLine writes one line: "19:18 shop: failed: Plan 03-02: 2 of 40 tests".
func plainLine(b *strings.Builder, at time.Time, parts ...string) {
	if !at.IsZero() {
		b.WriteString(at.Format("15:04 "))
	}
	kept := parts[:0]
	for _, p := range parts {
		if p = strings.TrimSpace(draw.Plain(draw.Foreign(p))); p != "" && !slices.Contains(kept, p) {
			kept = append(kept, p)
		}
	}
	b.WriteString(strings.Join(kept, ": ") + "\n")
}
