// Package line turns facts about a build into the one line that the prompt and the head of the dashboard show, and
// makes text from files safe to show at all.
//
// A protocol's facts are a plain struct with the values as its files spell them. The choice among the four scenes
// (active; idle with a known next step; complete; fallback) uses those raw values; each value is cleaned when it is
// written into the line, never before, so that the line agrees with the reference implementation.
//
// The package imports unicode/utf8 and nothing else: the prompt binary pays for each import at every prompt.
package line

// Facts are the facts from one protocol's files about one build, ready for a line.
//
// AppendFull and AppendCompact append the line to dst and return the longer slice; they append nothing if there is
// nothing to say. The appended text is valid UTF-8 without line breaks, control or format characters, and is not
// escaped: a shell, tmux or a terminal with colors each need more.
type Facts interface {
	// AppendFull appends the long form.
	AppendFull(dst []byte) []byte
	// AppendCompact appends the short form.
	AppendCompact(dst []byte) []byte
	// Scene returns the number of the scene that the full form shows, 1 active, 2 idle with the next step known, 3
	// complete, 4 fallback, or 0 if the line is empty, and the reason in words.
	Scene() (n int, why string)
}

// Composer is implemented by facts that know the parts of their line: the facts of all protocols should.
type Composer interface {
	// Compose adds the line to t in one of the two forms, in pieces with the text of AppendFull or AppendCompact.
	Compose(t *Text, compact bool)
}

// Shown returns the full or the compact form of facts for a place that has signs of our own: no value in it holds any (see
// Text.Signed). Segments of the ranks that it names are left out.
func Shown(facts Facts, compact bool, without ...Rank) string {
	var t Text
	t.Signed()
	Compose(&t, facts, compact)
	for _, rank := range without {
		t.leaveOutAll(rank)
	}
	return string(t.bytes)
}

// Position returns the parts of a form from [Shown] other than progress and status, which the files may see differently
// from the dashboard: the name of the build and its current activity.
func Position(facts Facts, compact bool) string {
	return Shown(facts, compact, RankStatus, RankLabel, RankBar, RankPercent, RankName)
}

// Compose adds the line of facts to t, as the line of another build if t has one already, and reports whether it added
// any. Facts that do not implement Composer give one segment without colors.
func Compose(t *Text, facts Facts, compact bool) bool {
	start, count := len(t.bytes), t.count
	t.Next()
	switch c, ok := facts.(Composer); {
	case ok:
		c.Compose(t, compact)
	case compact:
		t.Begin(Keep)
		t.bytes = facts.AppendCompact(t.bytes)
		t.markRole(Plain)
	default:
		t.Begin(Keep)
		t.bytes = facts.AppendFull(t.bytes)
		t.markRole(Plain)
	}
	written := len(t.bytes) - start
	if start > 0 {
		written -= len(LineSeparator)
	}
	if written <= 0 {
		t.bytes, t.count = t.bytes[:start], count
		t.Next()
		return false
	}
	return true
}
