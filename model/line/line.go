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
// The text of a line is valid UTF-8 without line breaks, control or format characters, and is not escaped: a shell, tmux
// or a terminal with colors each need more.
type Facts interface {
	// Compose adds the long or the short form to t, in pieces, and nothing if there is nothing to say.
	Compose(t *Text, compact bool)
	// Scene returns the number of the scene that the full form shows, 1 active, 2 idle with the next step known, 3
	// complete, 4 fallback, or 0 if the line is empty, and the reason in words.
	Scene() (n int, why string)
}

// Full returns the text of the long form.
func Full(facts Facts) string { return formOf(facts, false) }

// Compact returns the text of the short form.
func Compact(facts Facts) string { return formOf(facts, true) }

func formOf(facts Facts, compact bool) string {
	var t Text
	facts.Compose(&t, compact)
	return string(t.bytes)
}

// Shown returns the full or the compact form of facts for a place with signs of our own: no value in it contains any (see
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

// Compose adds the line of facts to t, as the line of another build if t has one already, and reports whether it added any.
func Compose(t *Text, facts Facts, compact bool) bool {
	start, count := len(t.bytes), len(t.pieces)
	t.Next()
	facts.Compose(t, compact)
	written := len(t.bytes) - start
	if start > 0 {
		written -= len(LineSeparator)
	}
	if written <= 0 {
		t.bytes, t.pieces = t.bytes[:start], t.pieces[:count]
		t.Next()
		return false
	}
	return true
}
