// What the line of a fctry project says of its run.

package line

// FctryRun is a build of fctry. The zero value is none.
type FctryRun struct {
	There  bool
	Status string // its own word
	// Counts of chunks. Stated says that at least one says how it stands; without it nothing is known of progress.
	Done, Total, Failed, Open, Busy int
	Stated                          bool
	// Waiting says that it waits for a human, and Reason why, "" when that is not known.
	Waiting bool
	Reason  string
	// The chunk that the line is about: the one worked on, else the one waiting, else the next; and its place, counted from
	// 1, 0 for none.
	Chunk string
	Place int
	// Place and Total as the file has them where they are fractions, "" elsewhere.
	PlaceText, TotalText string

	Attempt int
	Retry   int // the attempt of the first chunk that is tried again, 0 for none
	// Running and Ready say which of them it is.
	Running, Ready bool
	// Stale says that nothing has changed for longer than a run that goes on is believed: its agent is probably gone.
	Stale     bool
	BlockedOn []FctryCause // what holds up all that is still to be begun
	// Odd says that the status of the run is none that is known, or that it has none, though its chunks are listed: nobody
	// knows whether it goes on.
	Odd bool
	// Unread is what of it is there and can't be read, such as "buildRun.chunks", so that nobody knows what is built; "" for nothing.
	Unread string
	// HasCurrent says that a count has a place for the chunk that is worked on, be it none yet: the run is said to go on.
	HasCurrent bool
}

// FctryCause is what chunks of a run hang on: a chunk that is not done, an ID that no chunk has, or a circle of chunks.
type FctryCause struct {
	IDs     []string // one, or those of a circle, each before the one that it needs
	Circle  bool     // they need each other
	Missing bool     // no chunk has the ID
}

// Append adds the cause to dst as people call it: "6", "99 (no such chunk)", "circle 4 → 5 → 4".
func (c *FctryCause) Append(dst []byte) []byte {
	if c.Circle {
		dst = append(dst, "circle "...)
	}
	for i := range c.IDs {
		if i == blockedLimit {
			dst = append(dst, "… → "...)
			break
		}
		dst = AppendForeign(dst, c.IDs[i], FieldLimit)
		if c.Circle {
			dst = append(dst, " → "...)
		}
	}
	if c.Circle && len(c.IDs) > 0 {
		dst = AppendForeign(dst, c.IDs[0], FieldLimit)
	}
	if c.Missing {
		dst = append(dst, " (no such chunk)"...)
	}
	return dst
}

// blockedLimit is how many of the IDs a run is blocked on a line can show: the text is cut at ShortCols columns.
const blockedLimit = ShortCols / 2

// What the status of a run says that is over: with all that was planned, or with a part of it.
const (
	runCompleted = "completed"
	runPartial   = "partial"
)

// Disputed reports whether the run says that it is completed while chunks of it are not: it is never called complete then.
func (r *FctryRun) Disputed() bool {
	return r.There && r.Status == runCompleted && r.Done < r.Total
}

// Outstanding returns what else of the run somebody has to look at, though it asks nothing: that it has ended in part, that nobody
// seems to be at work, or that nobody can tell. The line says it in its own words. It is "" for nothing.
func (r *FctryRun) Outstanding() string {
	switch {
	case !r.There || r.Waiting:
		return ""
	case r.Unread != "":
		return r.Unread + " can't be read"
	case r.Disputed():
		return "it says that it is completed, and chunks are open"
	case r.Status == runPartial:
		return "the build has ended in part"
	case r.Stale:
		return "stale: is anybody at work?"
	case r.Odd:
		return "nobody knows whether the build goes on"
	}
	return ""
}

// left writes how many chunks are not done.
func (r *FctryRun) left(t *Text) {
	t.number(Wait, r.Total-r.Done)
	t.Add(Wait, " not")
}

// GoesOn reports whether the run says that it is under way, with nobody to be waited for.
func (r *FctryRun) GoesOn() bool {
	return r.There && !r.Waiting && r.Status != runPartial && (r.Running || r.HasCurrent || r.Status == "running")
}

// partCols is how many columns a fraction takes at most.
const partCols = 6

// Percent returns how many of a hundred chunks are done, rounded down. known is false where nothing is known of them.
func (r *FctryRun) Percent() (percent int, known bool) {
	if !r.There || !r.Stated || r.Total <= 0 {
		return 0, false
	}
	return max(0, min(100, r.Done*100/r.Total)), true
}

// What returns what the run waits for, never "".
func (r *FctryRun) What() string {
	switch {
	case r.Reason != "":
		return r.Reason
	case r.Chunk != "" && !r.Running:
		return r.Chunk
	case r.Status != "":
		return r.Status
	}
	return "an answer"
}

func (r *FctryRun) place(t *Text) {
	if r.PlaceText != "" {
		t.Short(Plain, r.PlaceText, partCols)
	} else {
		t.number(Plain, r.Place)
	}
	r.of(t)
}

// of writes of how many chunks.
func (r *FctryRun) of(t *Text) {
	t.Add(Plain, "/")
	if r.TotalText != "" {
		t.Short(Plain, r.TotalText, partCols)
	} else {
		t.number(Plain, r.Total)
	}
}

func (r *FctryRun) name(t *Text) {
	if r.Chunk != "" {
		t.Add(Plain, " ")
		t.Short(Plain, r.Chunk, ShortCols)
	}
}

// effort writes which attempt it is, from the second on, and how many chunks run beside it.
func (r *FctryRun) effort(t *Text) {
	if r.Attempt > 1 {
		t.Add(Wait, " r")
		t.number(Wait, r.Attempt)
	}
	if r.Busy > 1 {
		t.Add(Plain, " +")
		t.number(Plain, r.Busy-1)
	}
}

func (r *FctryRun) blocked(t *Text) {
	t.Add(Blocked, "blocked on ")
	start := len(t.bytes)
	for i := range r.BlockedOn {
		if i == blockedLimit {
			break
		}
		if i > 0 {
			t.bytes = append(t.bytes, ", "...)
		}
		t.bytes = r.BlockedOn[i].Append(t.bytes)
	}
	t.bytes = cutTail(t.bytes, start, ShortCols)
	t.mark(Blocked)
}

// marks writes what is odd about a run whose scene does not say so itself.
func (r *FctryRun) marks(t *Text, scene fctryScene) {
	if r.Stale && scene != fctryUnread && scene != fctryDisputed {
		t.Begin(Keep)
		t.Add(Wait, "stale")
	}
	if r.Odd && (scene == fctryChunk || scene == fctryStale) {
		t.Begin(RankDetail)
		r.says(t)
	}
}

// says writes what the run says of itself, where that is none of what a run can be.
func (r *FctryRun) says(t *Text) {
	if r.Status == "" {
		t.Add(Wait, "run has no status")
		return
	}
	t.Add(Wait, "run says ")
	t.Short(Wait, r.Status, ShortCols)
}
