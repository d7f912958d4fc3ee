// VERIFICATION.md: whether a phase does what it should, and what only a human can tell.

package gsd

import (
	"strings"

	"gatehouse/model/line"
	"gatehouse/parse/doc"
	"gatehouse/parse/gsd/rules"
	"gatehouse/parse/protocol"
	"gatehouse/parse/text/yamldoc"
)

// verification is what a VERIFICATION.md says.
type verification struct {
	status     string // frontmatter: passed, rules.HumanNeeded, rules.GapsFound, …, see rules.Word
	written    string // the same in lower case, otherwise as written
	statusLine int
	score      string
	verified   string // when, as written
	asks       bool   // it leaves things to a human, [rules.AsksHuman]
	human      []humanCheck
	gaps       []string
}

// humanCheck is one thing that only a human can verify.
type humanCheck struct {
	test, expected, why string
	line                int
}

// verified is the status of a verification that passed.
const verified = "passed"

var verificationKeys = []string{"status", "score", "verified", "human_verification", "gaps", "behavior_unverified_items"}

func parseVerification(text string) (*verification, error) {
	d, front, err := protocol.ReadDocument(text, verificationKeys...)
	v := &verification{
		written: strings.ToLower(front.String("status")), statusLine: front.Line("status"),
		score: front.String("score"), verified: front.String("verified"),
	}
	v.status, v.asks = rules.Word(v.written), rules.AsksHuman(text)
	if raw := rules.Status(strings.TrimPrefix(text, "\uFEFF")); v.status == verified && !rules.Verified(raw) {
		v.status = strings.ToLower(raw) // with its comment, which GSD keeps in the word
	}
	for _, key := range []string{"human_verification", "behavior_unverified_items"} {
		for _, item := range front.Docs(key) {
			c := humanCheck{test: oneOf(item, "test", "name", "truth", "item", ""), expected: item.String("expected"), why: oneOf(item, "why_human", "why", "reason"), line: front.Line(key)}
			for _, k := range item.Keys() {
				c.line = item.Line(k)
				break
			}
			if c.test != "" {
				v.human = append(v.human, c)
			}
		}
	}
	for _, gap := range front.Docs("gaps") {
		if g := oneOf(gap, "truth", "gap", "name", "reason", ""); g != "" {
			v.gaps = append(v.gaps, g)
		}
	}
	if len(v.human) == 0 && v.asks {
		v.human = humanSection(d)
	}
	v.gaps, err = atMost(v.gaps, "gaps", err)
	v.human, err = atMost(v.human, forHuman, err)
	return v, err
}

// oneOf returns the first of the keys that holds text that can be seen.
func oneOf(d yamldoc.Doc, keys ...string) string {
	for _, k := range keys {
		if s := d.String(k); line.Tidy(s) != "" {
			return s
		}
	}
	return ""
}

// humanSection reads the checks out of the body: headings "### 1. Name", or
// list items, below "## Human Verification …".
func humanSection(d yamldoc.Document) []humanCheck {
	var checks []humanCheck
	add := func(text string, at int) {
		if test := doc.StripMarks(text); line.Tidy(test) != "" {
			checks = append(checks, humanCheck{test: test, line: at})
		}
	}
	level := 0
	for l := range d.Lines() {
		if l.Code || l.Comment {
			continue
		}
		if l.Level > 0 && (level == 0 || l.Level <= level) {
			level = 0
			if strings.HasPrefix(strings.ToLower(l.Title), "human verification") {
				level = l.Level
			}
			continue
		}
		if level == 0 {
			continue
		}
		if l.Level > level {
			name, _, _ := doc.ParseItem(l.Title)
			if name == "" {
				name = l.Title
			}
			add(name, l.Number)
			continue
		}
		name, value, isField := doc.ParseField(l.Text)
		if isField && len(checks) > 0 {
			last := &checks[len(checks)-1]
			switch strings.ToLower(name) {
			case "expected":
				last.expected = value
			case "why human", "why":
				last.why = value
			}
			continue
		}
		if item, indent, ok := doc.ParseItem(l.Text); ok && indent == 0 && item != "" {
			add(item, l.Number)
		}
	}
	return checks
}
