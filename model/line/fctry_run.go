// The run of a fctry project in its line.

package line

// FctryRun is a build of fctry. The zero value means no run.
type FctryRun struct {
	There  bool
	Status string // its own word
	// Counts of chunks. Stated reports whether at least one has a status; otherwise progress is unknown.
	Done, Total, Failed, Open, Busy int
	Stated                          bool
	// Waiting reports whether it waits for a human, and Reason is the reason, "" if unknown.
	Waiting bool
	Reason  string
	// The chunk that the line is about: the one worked on, else the one waiting, else the next; and its place, counted from
	// 1, 0 for none.
	Chunk string
	Place int

	Attempt int
	Retry   int // the attempt of the first chunk that is tried again, 0 for none
	// Running and Ready say which of them it is.
	Running, Ready bool
	// Stale reports whether nothing has changed for longer than a running build may be silent: its agent is probably
	// gone.
	Stale     bool
	BlockedOn []FctryCause // the causes that block all remaining chunks
	// Odd reports whether the status of the run is unknown or missing although its chunks are listed, so that it may or
	// may not be running.
	Odd bool
	// Unread names the part of the run that exists and can't be read, such as "buildRun.chunks", so that progress is
	// unknown; "" if all can be read.
	Unread string
	// HasCurrent reports whether a count includes the current chunk, even if there is none yet: the run claims to be in
	// progress.
	HasCurrent bool
}

// FctryCause is the reason why chunks of a run are blocked: an unfinished chunk, or an unknown chunk ID.
type FctryCause struct {
	ID      string
	Missing bool // no chunk has the ID
}

// Append adds the cause to dst as people call it: "6", "99 (no such chunk)".
func (c *FctryCause) Append(dst []byte) []byte {
	dst = AppendForeign(dst, c.ID, FieldLimit)
	if c.Missing {
		dst = append(dst, " (no such chunk)"...)
	}
	return dst
}

// blockedLimit is how many of the IDs a run is blocked on a line can show: the text is cut at ShortCols columns.
const blockedLimit = ShortCols / 2

// Statuses of a run that has ended, completely or in part.
const (
	runCompleted = "completed"
	runPartial   = "partial"
)

// Disputed reports whether the run claims completion while its chunks are not complete: it never counts as complete
// then.
func (r *FctryRun) Disputed() bool {
	return r.There && r.Status == runCompleted && r.Done < r.Total
}

// Outstanding returns why the run needs attention without asking a question: it ended in part, no agent seems to be
// working, or its state is unclear. It uses the words of the line, and is "" if nothing needs attention.
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

// GoesOn reports whether the run claims to be in progress without waiting for a human.
func (r *FctryRun) GoesOn() bool {
	return r.There && !r.Waiting && r.Status != runPartial && (r.Running || r.HasCurrent || r.Status == "running")
}

// Percent returns the percentage of finished chunks, rounded down. known is false if it can't be computed.
func (r *FctryRun) Percent() (percent int, known bool) {
	if !r.There || !r.Stated || r.Total <= 0 {
		return 0, false
	}
	return max(0, min(100, r.Done*100/r.Total)), true
}

// What is the subject of the wait. It is never "".
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

// place returns the number of the chunk, and the total.
func (r *FctryRun) place() []word { return []word{count(r.Place), own("/"), count(r.Total)} }

func (r *FctryRun) name() []word {
	if r.Chunk == "" {
		return nil
	}
	return []word{own(" "), short(r.Chunk)}
}

// addEffort writes the number of the attempt, from the second one, and the number of other running chunks.
func (r *FctryRun) addEffort(t *Text) {
	if r.Attempt > 1 {
		t.write(own(" r").as(Wait), count(r.Attempt).as(Wait))
	}
	if r.Busy > 1 {
		t.write(own(" +"), count(r.Busy-1))
	}
}

func (r *FctryRun) addBlocked(t *Text) {
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
	t.markRole(Blocked)
}

// addMarks writes the oddities of a run that its scene does not show.
func (r *FctryRun) addMarks(t *Text, scene *fctryScene) {
	if r.Stale && scene != fctryUnread && scene != fctryDisputed {
		t.part(Keep, own("stale").as(Wait))
	}
	if r.Odd && (scene == fctryChunk || scene == fctryStale) {
		t.part(RankDetail, r.oddStatus()...)
	}
}

// oddStatus returns the run's own status if it is an unknown one.
func (r *FctryRun) oddStatus() []word {
	if r.Status == "" {
		return []word{own("run has no status").as(Wait)}
	}
	return []word{own("run says ").as(Wait), short(r.Status).as(Wait)}
}
