// A line composed on another machine: the facts of a build stay there, and its line arrives in segments.

package line

// Segmented is a line of [Facts] in segments, as another process has composed it.
type Segmented struct {
	Full    []Segment `json:"full"`          // the line
	Compact []Segment `json:"compact"`       // its short form
	Number  int       `json:"scene"`         // 1 at work, 2 idle with the next step known, 3 complete, 4 anything else, 0 nothing to show
	Reason  string    `json:"why,omitempty"` // for the scene
	// Open is the text of [Loop.Unplaced], "" for none.
	Open string `json:"unplaced,omitempty"`
}

// Segment is a part of a line, or a further piece of one, which is left out as a whole if there is no room.
type Segment struct {
	Part bool      `json:"part,omitempty"` // it begins a part; else it follows a space in the part before
	Rank Rank      `json:"rank"`           // the order of leaving out: 0 never, 1 a detail, 2 the name of the build, 3 the percentage, 4 a name, 5 the bar, 6 a label, 7 the status
	Text []Stretch `json:"text"`           // its words
}

// Stretch is text in one role.
type Stretch struct {
	Role Role   `json:"role,omitempty"` // 0 plain, 1 dim, 2 accent, 3 waits, 4 blocked
	Text string `json:"text"`           // the words
}

// receivedLimit is the maximum number of segments, and of stretches in each, of a received line.
const receivedLimit = 96

// stretchLimit is the maximum size of a drawn stretch in bytes: some values with their separators.
const stretchLimit = 4 * FieldLimit

// SplitFacts returns the line of facts in segments.
func SplitFacts(facts Facts) *Segmented {
	number, reason := facts.Scene()
	line := &Segmented{Full: splitSegments(facts, false), Compact: splitSegments(facts, true), Number: number, Reason: reason}
	if l, ok := facts.(interface{ Unplaced() string }); ok {
		line.Open = l.Unplaced()
	}
	return line
}

// Unplaced returns the text of [Loop.Unplaced] from the process that composed the line.
func (l *Segmented) Unplaced() string { return l.Open }

func splitSegments(facts Facts, compact bool) (all []Segment) {
	var t Text
	t.Signed() // the line is shown on our own screens
	Compose(&t, facts, compact)
	for i := range t.pieces {
		p := t.pieces[i]
		if p.glue != noGlue {
			all = append(all, Segment{Part: p.glue != spaceGlue, Rank: p.rank})
			continue
		}
		text, role := t.Piece(i)
		last := &all[len(all)-1] // a line begins with glue, possibly empty
		last.Text = append(last.Text, Stretch{role, string(text)})
	}
	return all
}

// Scene implements [Facts].
func (l *Segmented) Scene() (number int, reason string) { return l.Number, l.Reason }

// Compose implements [Composer]. The received text is cleaned and bounded, since its source is not trusted.
func (l *Segmented) Compose(t *Text, compact bool) {
	all := l.Full
	if compact {
		all = l.Compact
	}
	for i, s := range all[:min(len(all), receivedLimit)] {
		if s.Part || i == 0 {
			t.Begin(min(s.Rank, RankStatus))
		} else {
			t.And(min(s.Rank, RankStatus))
		}
		for _, piece := range s.Text[:min(len(s.Text), receivedLimit)] {
			t.bytes = AppendClean(t.bytes, piece.Text, stretchLimit)
			t.markRole(min(piece.Role, Blocked))
		}
	}
}
