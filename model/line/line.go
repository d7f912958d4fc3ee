// Package line turns facts about a build into the one line that the prompt and the head of the dashboard show, and makes
// text from files safe to show at all.
//
// A protocol's facts are a plain struct with the values as its files spell them. Which of the four scenes holds (active;
// idle with a known next step; complete; fallback) is decided on those raw values; each value is cleaned when it is
// written into the line, never before, so that the line says what the reference implementation says.
//
// The package imports unicode/utf8 and nothing else: the prompt binary pays for each import at every prompt.
package line

// Facts is what one protocol's files say about one build, ready to be put into a line.
//
// AppendFull and AppendCompact append the line to dst and return the longer slice; they append nothing where there is
// nothing to say. What they append is valid UTF-8 without line breaks, control or format characters, and still unescaped:
// a shell, tmux or a terminal with colours each need more.
type Facts interface {
	// AppendFull appends the long form.
	AppendFull(dst []byte) []byte
	// AppendCompact appends the short form.
	AppendCompact(dst []byte) []byte
	// Scene returns the number of the scene that the full form shows, 1 active, 2 idle with the next step known,
	// 3 complete, 4 fallback, or 0 where the line is empty, and the reason in words.
	Scene() (n int, why string)
}

// Composer is what facts do that know the parts of their line: all protocols' facts should.
type Composer interface {
	// Compose adds the line to t in one of the two forms, in pieces whose text is that of AppendFull or AppendCompact.
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

// Position is what a form as [Shown] returns it says besides how far the build is and how it stands, which the files may see otherwise
// than the place does: which it is, and what goes on in it.
func Position(facts Facts, compact bool) string {
	return Shown(facts, compact, RankStatus, RankLabel, RankBar, RankPercent, RankName)
}

// Compose adds the line of facts to t, as a further build's where t holds one already, and reports whether there is any.
// Facts that are no Composer give one segment without colours.
func Compose(t *Text, facts Facts, compact bool) bool {
	start, count := len(t.bytes), t.count
	t.Next()
	switch c, ok := facts.(Composer); {
	case ok:
		c.Compose(t, compact)
	case compact:
		t.Begin(Keep)
		t.bytes = facts.AppendCompact(t.bytes)
		t.mark(Plain)
	default:
		t.Begin(Keep)
		t.bytes = facts.AppendFull(t.bytes)
		t.mark(Plain)
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
