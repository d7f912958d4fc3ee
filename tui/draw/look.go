// Package draw defines looks and layouts: colors by role, signs, widths, lines written from left to
// right, pages of text in a window, boxes. It knows no build and keeps nothing of one: it receives texts and values of
// [gatehouse/model] and draws them.
//
//   - All text reaches the screen through [Ribbon.Add], which cleans and measures it: a file can't move the cursor, fake a row
//     or push a border. Our own signs are one column wide.
//   - A status has a sign and a word, never a color alone. Colors are roles ([Styles]); Lip Gloss writes them, and
//     never does the layout.
package draw

// The look that all panes draw with: colors, glyphs and the time; and common phrases.

import (
	"strconv"
	"strings"
	"time"

	"gatehouse/model"
	"gatehouse/model/line"
)

// Look is the current look. It is replaced as a whole when one of its parts changes.
type Look struct {
	Theme  *Styles
	Glyphs *glyphs
	Now    time.Time
	Narrow bool // a screen without room for words: codes replace them, and the help explains the codes
}

// Age returns how long ago something was: "14m".
func (l *Look) Age(at time.Time) string { return model.Age(l.Now.Sub(at)) }

// Ago returns the same in words: "14m ago", "just now", and "" for an unknown time.
func (l *Look) Ago(at time.Time) string {
	if at.IsZero() {
		return ""
	}
	return model.Ago(l.Now.Sub(at))
}

// fileTime marks an age that is only the time of a file: nothing in the file says when.
const fileTime = "~"

// AgeSince returns an age for a column, "" if it is unknown: "14m", or "~14m" by the time of a file.
func (l *Look) AgeSince(at time.Time, file bool) string {
	switch {
	case at.IsZero():
		return ""
	case file:
		return fileTime + l.Age(at)
	}
	return l.Age(at)
}

// Since returns the same in words: "14m ago", "~14m ago".
func (l *Look) Since(at time.Time, file bool) string {
	if ago := l.Ago(at); !file || ago == "" {
		return ago
	}
	return fileTime + l.Ago(at)
}

// For returns how long something has lasted, in words: "for 14m", "for ~14m" by the time of a file, and "" for an unknown time.
func (l *Look) For(since time.Time, file bool) string {
	switch {
	case since.IsZero():
		return ""
	case l.Now.Sub(since) < time.Minute:
		return l.Since(since, file)
	}
	return "for " + l.AgeSince(since, file)
}

// Deadline says how long something still waits and what happens then: "2m left, then its own prompt decides". It is "" without a
// deadline, and an hour or more before it.
func (l *Look) Deadline(at time.Time, then string) string {
	left := at.Sub(l.Now)
	switch {
	case at.IsZero() || left >= time.Hour:
		return ""
	case left < time.Minute:
		return Join(", ", "less than 1m left", then)
	}
	return Join(", ", model.Age(left)+" left", then)
}

// DeadlineStyle returns the style of the remaining time: urgent in the last minute.
func (l *Look) DeadlineStyle(at time.Time) Style {
	if at.Sub(l.Now) < time.Minute {
		return l.Theme.Block
	}
	return l.Theme.Wait
}

// Join joins the non-empty parts. No part can pass for several.
func Join(separator string, parts ...string) string {
	kept := make([]string, 0, len(parts))
	for _, p := range parts {
		if p != "" {
			kept = append(kept, line.Composed(p, PartJoint, ChangeJoint))
		}
	}
	return strings.Join(kept, separator)
}

// Counted returns a number with its noun: "1 problem", "2 problems".
func Counted(n int, noun string) string {
	if n != 1 {
		noun += "s"
	}
	return strconv.Itoa(n) + " " + noun
}

// BytesOf returns a size for people, in units of 1024 bytes: "512 B", "3.4 KiB", "12 MiB".
func BytesOf(n int64) string {
	const unit = 1024
	if n < unit {
		return strconv.FormatInt(n, 10) + " B"
	}
	size, units := float64(n)/unit, "KMGTPE"
	for size >= unit && len(units) > 1 {
		size, units = size/unit, units[1:]
	}
	decimals := 0
	if size < 10 {
		decimals = 1
	}
	return strconv.FormatFloat(size, 'f', decimals, 64) + " " + units[:1] + "iB"
}

// StatusOf returns the style and sign of a node's status.
func (l *Look) StatusOf(n *model.Node) (Style, string) {
	switch {
	case n.IsAnswered(): // drawn as done but not verified, because that is what is left
		return l.Theme.Status(model.Executed), l.Glyphs.Of(model.Executed)
	case n.IsExpiredWait():
		return l.Theme.Dim, l.Glyphs.Past
	case n.IsUpcoming():
		return l.Theme.Dim, l.Glyphs.MayWait
	case n.IsTurn():
		return l.Theme.Wait, l.Glyphs.Turn
	}
	return l.statusOf(n.Status, n.IsStale())
}

// StatusOfBuild returns the style and sign of a build's status. A paused build looks like one that has not begun: nothing runs.
func (l *Look) StatusOfBuild(b *model.Build) (Style, string) {
	if b.Paused() {
		return l.statusOf(model.Pending, false)
	}
	return l.statusOf(b.Status, !b.StaleSince.IsZero())
}

func (l *Look) statusOf(s model.Status, stale bool) (Style, string) {
	if stale {
		return l.Theme.Dim, l.Glyphs.Stale
	}
	return l.Theme.Status(s), l.Glyphs.Of(s)
}

// If returns a text if a condition holds, else "".
func If(condition bool, text string) string {
	if condition {
		return text
	}
	return ""
}

func OrElse(text, other string) string {
	if text == "" {
		return other
	}
	return text
}

// ApprovalOf says who can pass a gate, and whether it is required.
func ApprovalOf(g *model.Gate) string {
	if g.Required {
		return TermsOf(string(g.Approval) + ", required")
	}
	return TermsOf(string(g.Approval) + ", optional")
}

// TermsOf says the same of the terms of a proposal, such as "human, required".
func TermsOf(terms string) string {
	approval, rest, _ := strings.Cut(terms, ", ")
	words := map[model.Approval]string{model.ApprovalHuman: "only you", model.ApprovalAuto: "a check", model.ApprovalConditional: "a check, or you"}
	return Join(", ", OrElse(words[model.Approval(approval)], approval), rest)
}

// FarAway is further than any list is long.
const FarAway = 1 << 30

// KeyName returns the name of a key for people.
func KeyName(key string) string {
	switch key {
	case "down":
		return "↓"
	case "up":
		return "↑"
	case "left":
		return "←"
	case "right":
		return "→"
	}
	return key
}

// Hint is a key and its effect in a word or two; one without words belongs to the next.
type Hint struct{ Key, Words string }
