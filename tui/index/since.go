package index

// The time in a search of the timeline: "since noon".

import (
	"slices"
	"time"
)

// SinceNoon is the text that limits the timeline to what happened since noon.
const SinceNoon = "since noon"

// SearchSince searches for a text, which may contain [SinceNoon]: the last noon before now.
func (f *Filter) SearchSince(text string, now time.Time) {
	f.Search(text)
	f.after = 0
	i := slices.Index(f.words, "since")
	if i < 0 || i+1 == len(f.words) || f.words[i+1] != "noon" {
		return
	}
	y, m, d := now.Date()
	noon := time.Date(y, m, d, 12, 0, 0, 0, now.Location())
	if noon.After(now) {
		noon = time.Date(y, m, d-1, 12, 0, 0, 0, now.Location())
	}
	f.after = noon.UnixMilli()
	f.words = slices.Delete(slices.Clone(f.words), i, i+2)
}
