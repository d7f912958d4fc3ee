package core

import (
	"slices"

	"gatehouse/model/line"
	"gatehouse/parse/doc"
)

// The statuses of a run that the rules know.
const (
	Running   = "running"
	Completed = "completed"
	Partial   = "partial"
	Awaiting  = "awaiting-user" // runs and chunks
	Paused    = "paused"        // runs and chunks
)

// ChunkState is the meaning of a chunk's status.
type ChunkState uint8

// The states of a chunk. The zero value is Planned, which also covers unknown words.
const (
	Planned ChunkState = iota
	Active
	Retrying
	Waiting // for a human
	Blocked
	Failed
	Done
	PartlyDone // done, with a warning
)

// chunkWords are the words of the specification and of real files. No other word means that a chunk is over.
var chunkWords = [...]struct {
	word  string
	state ChunkState
}{
	{"planned", Planned}, {"pending", Planned}, {"", Planned},
	{"active", Active}, {"running", Active}, {"building", Active}, {"in-progress", Active}, {"in_progress", Active},
	{"retrying", Retrying}, {Awaiting, Waiting}, {Paused, Waiting}, {"blocked", Blocked}, {"failed", Failed},
	{"completed", Done}, {"completed-partial", PartlyDone},
}

// ParseChunkState returns the meaning of a chunk's status.
func ParseChunkState(word string) (state ChunkState, isKnown bool) {
	for _, known := range chunkWords {
		if known.word == word {
			return known.state, true
		}
	}
	return Planned, false
}

// IsOver reports whether a chunk in this state does not block the chunks that depend on it.
func (s ChunkState) IsOver() bool { return s == Done || s == PartlyDone }

// IsBusy reports whether an agent works on the chunk.
func (s ChunkState) IsBusy() bool { return s == Active || s == Retrying }

// Chunk is a chunk of a run. IDs are texts: 1 and "1" are the same.
type Chunk struct {
	Value       doc.Value
	ID, Name    string
	Status      string // "" if it has none
	State       ChunkState
	Attempt     int      // from 1; 0 is unknown
	Needs       []string // IDs of the chunks that must be completed first, each once
	SpecVersion string   // of the specification that a completed chunk was built against
	IsAsked     bool     // the question of the run holds it up

	// Its position, see [Run.Position]. Unmet are the needs that are not completed.
	Unmet  []Need
	IsHeld bool // it is still to be begun and can't be now
	// IsStuck reports whether it can't begin in the current state, because a dependency has failed, is stuck itself, or
	// is not a chunk.
	IsStuck      bool
	ClosesCircle bool // it needs a chunk that needs it: one of each circle does

	isVisited, isOnPath bool
}

// Need is a chunk that another chunk needs.
type Need struct {
	ID    string
	Place int // -1 if no chunk has the ID
}

// Run is a build of fctry in chunks, in any of the forms that real files have.
type Run struct {
	Exists   bool
	Value    doc.Value // buildRun
	Status   string    // "" if it has none
	Reason   string    // why it is paused or waits
	Question Question
	AskedAt  doc.Value // the value that asks it
	AskedKey string    // its key
	Planned  int       // chunks of the plan, which may be more than are listed
	Chunks   []Chunk   // in the order of the file
	List     doc.Value // that holds them
	IsBeside bool      // they are in chunkProgress, which has no status
	// Unread names the unreadable part, so that progress is unknown: "buildRun.chunks"; "" if all can be read.
	Unread   string
	UnreadAt doc.Value

	// IsCounted: no chunks are listed, only counted.
	IsCounted bool
	Progress  Progress
	CountedAt doc.Value

	Position
}

const (
	maxChunks = 10_000 // real runs have fewer than a hundred
	maxNeeds  = 256    // of one chunk
)

// parseRun parses the run of a state.
func parseRun(root doc.Value) (r Run) {
	r.Value = root.Get("buildRun")
	run, progress := r.Value, root.Get("chunkProgress")
	plan := run.Get("plan")
	r.Status, r.Reason = Status(run.Get("status")), Text(run.Get("pausedReason"))
	if r.Reason == "" {
		r.Reason = Text(run.Get("statusReason"))
	}
	r.Planned, _ = Count(plan.Get("totalChunks"))
	for _, list := range [...]doc.Value{run.Get("chunks"), plan.Get("chunks")} {
		if len(r.Chunks) == 0 {
			r.Chunks, r.List = parseChunks(list), list
		}
	}
	r.findUnread(plan)
	if list := progress.Get("chunks"); len(r.Chunks) == 0 {
		if r.Chunks, r.List = parseChunks(list), list; len(r.Chunks) > 0 {
			r.IsBeside = true
			r.Planned, _ = Count(progress.Get("total"))
		}
	}
	for _, at := range [...]doc.Value{progress, run.Get("chunkProgress")} {
		if len(r.Chunks) == 0 && !r.IsCounted {
			r.Progress, r.IsCounted = ParseProgress(at)
			r.CountedAt = at
		}
	}
	r.addQuestion("pendingQuestion", run)
	r.addQuestion("pendingQuestion", root)
	r.Exists = r.Unread != "" || r.Status != "" || len(r.Chunks) > 0 || r.Question.Text != "" || r.IsCounted
	r.findPlaces()
	return r
}

// addQuestion sets the question of the run, unless it has one.
func (r *Run) addQuestion(key string, object doc.Value) {
	if r.Question.Text != "" {
		return
	}
	if r.Question = ParseQuestion(object.Get(key)); r.Question.Text != "" {
		r.AskedAt, r.AskedKey = object.Get(key), key
	}
	for _, name := range r.Question.Blocks {
		isNamed := func(c Chunk) bool { return c.ID == name || c.Name == name }
		if i := slices.IndexFunc(r.Chunks, isNamed); i >= 0 {
			r.Chunks[i].IsAsked = true
		}
	}
}

// findUnread finds the part of a run that should hold its chunks and can't be read.
func (r *Run) findUnread(plan doc.Value) {
	chunks, planned := r.Value.Get("chunks"), plan.Get("chunks")
	isUnread := func(list doc.Value) bool { return IsTruthy(list) && !(list.Is(doc.List) && list.Len() == 0) }
	switch {
	case IsTruthy(r.Value) && !r.Value.Is(doc.Map):
		r.Unread, r.UnreadAt = "buildRun", r.Value
	case len(r.Chunks) > 0:
	case isUnread(chunks):
		r.Unread, r.UnreadAt = "buildRun.chunks", chunks
	case IsTruthy(plan) && !plan.Is(doc.Map):
		r.Unread, r.UnreadAt = "buildRun.plan", plan
	case isUnread(planned):
		r.Unread, r.UnreadAt = "buildRun.plan.chunks", planned
	}
}

// parseChunks parses a list of chunks. Elements that are not objects are skipped.
func parseChunks(list doc.Value) (chunks []Chunk) {
	if !list.Is(doc.List) {
		return nil
	}
	for element := range list.Children() {
		if element.Is(doc.Map) && len(chunks) < maxChunks {
			if chunks == nil {
				chunks = make([]Chunk, 0, min(list.Len(), maxChunks))
			}
			chunks = append(chunks, parseChunk(element, len(chunks)+1))
		}
	}
	return chunks
}

// needKeys are the keys for a chunk's dependencies, the specification's first.
var needKeys = [...]string{"dependsOn", "deps", "blockedBy"}

// parseChunk parses a chunk. place, from 1, is its ID if it has none.
func parseChunk(object doc.Value, place int) (c Chunk) {
	c.Value = object
	if c.ID = parseID(object.Get("id")); c.ID == "" {
		c.ID = parseID(object.Get("step"))
	}
	if c.ID == "" {
		c.ID = line.Decimal(place)
	}
	if c.Name = Text(object.Get("name")); c.Name == "" {
		c.Name = Text(object.Get("featureName"))
	}
	c.Status, c.SpecVersion = Status(object.Get("status")), Text(object.Get("specVersionAtBuild"))
	c.State, _ = ParseChunkState(c.Status)
	if n, ok := Count(object.Get("attempt")); ok {
		c.Attempt = n
	} else if n, ok := Count(object.Get("retryCount")); ok {
		c.Attempt = n + 1
	}
	for _, key := range needKeys {
		c.Needs = appendIDs(c.Needs, object.Get(key))
	}
	return c
}

// parseID returns an ID as text, "" for anything but text or number.
func parseID(v doc.Value) string {
	if v.Is(doc.Number) {
		return Number(v)
	}
	return v.Text()
}

// appendIDs appends the IDs in a list, or a single one, each once. An invalid ID is kept as it is: no chunk has it, so
// a chunk that needs it can't begin.
func appendIDs(ids []string, v doc.Value) []string {
	add := func(v doc.Value, hasToBe bool) {
		id := parseID(v)
		if id == "" && (hasToBe || hasContent(v)) {
			id = "[" + v.Raw() + "]"
		}
		if id != "" && !slices.Contains(ids, id) {
			ids = append(ids, id)
		}
	}
	if !v.Is(doc.List) {
		add(v, false)
		return ids
	}
	for element := range v.Children() {
		if len(ids) == maxNeeds {
			break
		}
		add(element, true)
	}
	return ids
}

// IsActive reports whether the run claims to be in progress. A run with its chunks in chunkProgress does so by its
// existence.
func (r *Run) IsActive() bool { return r.Status == Running || r.IsBeside && r.Status == "" }

// IsOdd reports whether the status leaves open whether the run is in progress: it is unknown, or it is missing though
// chunks are listed.
func (r *Run) IsOdd() bool {
	switch r.Status {
	case Running, Completed, Partial, Awaiting, Paused:
		return false
	}
	return r.Status != "" || len(r.Chunks) > 0 && !r.IsBeside
}

// IsWaiting reports whether the run waits for a human.
func (r *Run) IsWaiting() bool {
	return r.Question.Text != "" || r.Status == Awaiting || r.Status == Paused || r.Waiting >= 0
}

// Facts returns the facts of the line.
func (r *Run) Facts() line.FctryRun {
	f := line.FctryRun{There: r.Exists, Status: r.Status, Waiting: r.IsWaiting(), Reason: r.Question.Text, Unread: r.Unread}
	if f.Reason == "" {
		f.Reason = r.Reason
	}
	switch {
	case !r.Exists:
		return line.FctryRun{}
	case r.Unread != "" && !f.Waiting:
		return line.FctryRun{There: true, Unread: r.Unread}
	case r.Unread != "":
		return f
	}
	f.Done, f.Total, f.Failed, f.Open, f.Busy, f.Stated = r.Done, r.Total, r.Failed, r.Open, r.Busy, r.HasStatuses
	f.Running, f.Ready, f.BlockedOn, f.Odd = r.Running >= 0, r.Next >= 0, r.BlockedOn, r.IsOdd()
	if r.Retrying >= 0 {
		f.Retry = r.Chunks[r.Retrying].Attempt
	}
	at := r.Next
	switch {
	case f.Waiting:
		at = r.Waiting
	case f.Running:
		at = r.Running
	}
	if at >= 0 {
		c := &r.Chunks[at]
		f.Chunk, f.Place, f.Attempt = c.Name, at+1, c.Attempt
		if f.Chunk == "" {
			f.Chunk = "Chunk " + c.ID
		}
	}
	if r.IsCounted {
		r.Progress.setFacts(&f)
	}
	return f
}
