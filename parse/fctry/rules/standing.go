// A build of fctry: which chunk comes next, what keeps the others, and what would be offered after a break.

package rules

import "gatehouse/model/line"

// The words for the status of a run that mean something to the rules.
const (
	RunRunning   = "running"
	RunCompleted = "completed"
	RunPartial   = "partial"
	RunAwaiting  = "awaiting-user" // a run and a chunk
	RunPaused    = "paused"        // a run and a chunk
)

// ChunkState is what the word for a chunk's status means.
type ChunkState uint8

// The states of a chunk. The zero value is ChunkOpen: a word that nobody knows counts as planned.
const (
	ChunkOpen ChunkState = iota
	ChunkRunning
	ChunkRetrying
	ChunkWaiting // a human's turn
	ChunkBlocked
	ChunkFailed
	ChunkDone
	ChunkDoneInPart // done, with a warning
)

// chunkWords are the words of the document and those that are found beside them. Nothing else says that a chunk is over, such as
// "done" or "skipped": nobody knows who writes that, and what for.
var chunkWords = [...]struct {
	word  string
	state ChunkState
}{
	{"planned", ChunkOpen}, {"pending", ChunkOpen},
	{"active", ChunkRunning}, {"running", ChunkRunning}, {"building", ChunkRunning}, {"in-progress", ChunkRunning}, {"in_progress", ChunkRunning},
	{"retrying", ChunkRetrying},
	{RunAwaiting, ChunkWaiting}, {RunPaused, ChunkWaiting},
	{"blocked", ChunkBlocked}, {"failed", ChunkFailed},
	{"completed", ChunkDone}, {"completed-partial", ChunkDoneInPart},
}

// ChunkWord returns what a chunk's status means. known is false for a word that nobody knows; none at all is known.
func ChunkWord(word string) (state ChunkState, known bool) {
	for i := range chunkWords {
		if chunkWords[i].word == word {
			return chunkWords[i].state, true
		}
	}
	return ChunkOpen, word == ""
}

// Over reports whether a chunk in this state holds up none that depends on it.
func (s ChunkState) Over() bool { return s == ChunkDone || s == ChunkDoneInPart }

// Busy reports whether an agent is at work on it.
func (s ChunkState) Busy() bool { return s == ChunkRunning || s == ChunkRetrying }

// Chunk is a chunk of a run.
type Chunk struct {
	ID, Name string
	Status   string   // as the file has it, "" for none
	Attempt  int      // from 1; 0: not known
	Needs    []string // IDs of the chunks that must be completed first
	// Asked says that the question which the run has asked holds it up.
	Asked bool
	// SpecVersion is the version of the spec that a completed chunk was built against, "" when it does not say.
	SpecVersion string
}

// State returns what the chunk's status means.
func (c *Chunk) State() ChunkState {
	s, _ := ChunkWord(c.Status)
	return s
}

// Run is a build of fctry, its chunks in the order of the file.
type Run struct {
	Status   string
	Question string // what it has asked and waits to have answered, "" for nothing
	Reason   string // why it is paused or waits, as far as the file says
	Total    int    // how many chunks the plan claims; the list may be longer
	Chunks   []Chunk
	Beside   bool   // its chunks stand in chunkProgress, which has no status
	Unread   string // what can't be read, so that nobody knows what is built: "buildRun", "buildRun.chunks"; "" for nothing

	asked string // the value that asks the question
}

// GoesOn reports whether the run says that it is under way: one whose chunks stand in chunkProgress does so by being there.
func (r *Run) GoesOn() bool { return r.Status == RunRunning || r.Beside && r.Status == "" }

// Odd reports whether nobody can tell by the status of the run whether it goes on: it is no word that is known, or there is none,
// though the chunks are listed.
func (r *Run) Odd() bool {
	switch r.Status {
	case RunRunning, RunCompleted, RunPartial, RunAwaiting, RunPaused:
		return false
	}
	return r.Status != "" || len(r.Chunks) > 0 && !r.Beside
}

// Standing is how far a run is, and what may happen next. Places are indexes into its chunks; -1 is none.
type Standing struct {
	Total  int // chunks, of the list or of the plan, whichever are more
	Done   int
	Failed int
	Busy   int // chunks that are worked on
	Open   int // chunks that are still to be begun
	Held   int // those of them that wait for others
	Asked  int // those of them that wait for the answer to a question
	Stated bool
	// Running is the first chunk worked on, Retrying the first that is tried again, Waiting the first that waits for a human, Next the first still to be begun with
	// all done that it needs.
	Running, Retrying, Waiting, Next int
	// BlockedOn is what holds up the chunks still to be begun: of a chain of them only what it hangs on, such as a chunk that
	// failed, an ID that no chunk has, or a circle of chunks that need each other.
	BlockedOn []line.FctryCause
	// Circles are those circles, by the places of their chunks.
	Circles []Circle
}

// Places returns the place of each chunk by its ID; of equal IDs the first has it.
func (r *Run) Places() map[string]int {
	at := make(map[string]int, len(r.Chunks))
	for i := len(r.Chunks) - 1; i >= 0; i-- {
		at[r.Chunks[i].ID] = i
	}
	return at
}

// Standing returns how far the run is.
func (r *Run) Standing() Standing {
	s := Standing{Total: max(r.Total, len(r.Chunks)), Running: -1, Retrying: -1, Waiting: -1, Next: -1}
	at := r.Places()
	held := make([]bool, len(r.Chunks))
	for i := range r.Chunks {
		c := &r.Chunks[i]
		s.Stated = s.Stated || c.Status != ""
		switch state := c.State(); {
		case state.Over():
			s.Done++
		case state == ChunkFailed:
			s.Failed++
		case state.Busy():
			s.Busy++
			first(&s.Running, i)
			if state == ChunkRetrying {
				first(&s.Retrying, i)
			}
		case state == ChunkWaiting:
			first(&s.Waiting, i)
		default:
			s.Open++
			if c.Asked {
				s.Asked++
				continue
			}
			held[i] = state == ChunkBlocked || r.unmet(c, at, func(string, int) bool { return true })
			if held[i] {
				s.Held++
			} else {
				first(&s.Next, i)
			}
		}
	}
	if s.Held > 0 {
		r.blockedOn(&s, at, held)
	}
	return s
}

func first(place *int, i int) {
	if *place < 0 {
		*place = i
	}
}

// unmet calls stop with each ID that a chunk needs and that is not done, and its place, -1 for an ID that no chunk has. It
// ends with true when stop returns true.
func (r *Run) unmet(c *Chunk, at map[string]int, stop func(id string, place int) bool) bool {
	for _, id := range c.Needs {
		j, known := at[id]
		if !known {
			j = -1
		}
		if (!known || !r.Chunks[j].State().Over()) && stop(id, j) {
			return true
		}
	}
	return false
}

// Waits reports whether the run waits for a human.
func (r *Run) Waits() bool {
	if r.Question != "" || r.Status == RunAwaiting || r.Status == RunPaused {
		return true
	}
	for i := range r.Chunks {
		if r.Chunks[i].State() == ChunkWaiting {
			return true
		}
	}
	return false
}

// RunResume is what an executor would offer for a run that it finds.
type RunResume struct {
	// Offered says that the protocol offers to go on: the run is running, and a chunk is completed.
	Offered bool
	Done    []int // places of the completed chunks
	Left    []int // places of the others
	// Next is the place of the chunk it would go on with, -1 for none; then BlockedOn says why. It is the first that can
	// begin, for somebody may still be at work on the one that is said to be worked on; that one where nothing else can begin,
	// and where the run is stale.
	Next      int
	BlockedOn []line.FctryCause
	// Changed are the places of completed chunks that were built against another version of the spec than the present one:
	// for each, a human is asked whether to build it anew or to keep it.
	Changed []int
}

// Resume says what would be offered, with the version that the spec has now, "" when that is not known, and whether the run is
// stale.
func (r *Run) Resume(spec string, stale bool) RunResume {
	s := r.Standing()
	out := RunResume{Next: s.Next, BlockedOn: s.BlockedOn}
	if s.Running >= 0 && (stale || s.Next < 0) {
		out.Next, out.BlockedOn = s.Running, nil
	}
	for i := range r.Chunks {
		c := &r.Chunks[i]
		if !c.State().Over() {
			out.Left = append(out.Left, i)
			continue
		}
		out.Done = append(out.Done, i)
		if spec != "" && c.SpecVersion != "" && c.SpecVersion != spec {
			out.Changed = append(out.Changed, i)
		}
	}
	out.Offered = r.GoesOn() && len(out.Done) > 0
	return out
}
