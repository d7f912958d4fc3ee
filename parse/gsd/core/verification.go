package core

import (
	"slices"

	"gatehouse/parse/doc"
)

// Verification is a VERIFICATION.md: whether a phase does what it should, and the items that only a human can check.
type Verification struct {
	Status     string // as normalized: "passed", "human_needed", "gaps_found"; "" without one in the frontmatter
	Written    string // the same in lower case, otherwise as written
	StatusLine int
	HasPassed  bool
	AsksHuman  bool // it leaves something to a human
	Score      string
	Verified   string // when, as written
	VerifiedAt int    // its line
	Human      []HumanCheck
	Gaps       []string
	IsAgain    bool // it repeats an earlier verification

	HasFingerprint bool // it has one of the keys below, even blank
	CoveredFiles   []string
	CoveredDigest  string
}

// HumanCheck is one thing that only a human can verify.
type HumanCheck struct {
	Test, Expected, Why string
	Line                int
}

// The statuses of a verification that Gatehouse acts on.
const (
	GapsFound   = "gaps_found"
	HumanNeeded = "human_needed"
)

// maxEntries limits the entries of one kind in a file. Real files have a few.
const maxEntries = 1000

// IsVerification reports whether a file of a phase directory is a verification: "03-VERIFICATION.md", "VERIFICATION-2.md".
func IsVerification(name string) bool {
	before, rest, ok := doc.Cut(name, "VERIFICATION")
	return ok && (before == "" || doc.HasSuffix(before, "-")) && (rest == ".md" || doc.HasPrefix(rest, "-") && doc.HasSuffix(rest, ".md"))
}

// isMainVerification reports whether GSD itself reads a verification. It takes the first one by name.
func isMainVerification(name string) bool {
	return name == "VERIFICATION.md" || doc.HasSuffix(name, "-VERIFICATION.md")
}

// ParseVerification parses a verification. Without a status in the frontmatter GSD treats the phase as not verified; if
// the body asks for a human, that request still counts.
func ParseVerification(text string) (*Verification, error) {
	d, err := ParseDocument(text, "status", "score", "verified", "human_verification", "gaps", "behavior_unverified_items", "re_verification",
		"covered_files", "covered_digest")
	v := &Verification{
		Written: doc.Lower(d.Field("status")), StatusLine: d.Line("status"), Score: d.Field("score"), Verified: d.Field("verified"), VerifiedAt: d.Line("verified"),
		HasPassed: d.saysWord("status", "passed"), CoveredDigest: d.Field("covered_digest"),
		HasFingerprint: d.Value("covered_files").Exists() || d.Value("covered_digest").Exists(),
		IsAgain:        d.Value("re_verification").Is(doc.Map) || d.Field("re_verification") == "true",
	}
	if files := d.Texts("covered_files"); len(files) == d.Value("covered_files").Len() && d.Value("covered_files").Is(doc.List) {
		v.CoveredFiles = files
	}
	if v.Status = Normalize(v.Written); v.Status == "passed" && !v.HasPassed {
		v.Status = doc.Lower(rawValue(text, "status")) // with its comment, which GSD keeps in the word
	}
	if err == nil {
		err = d.findMisreading("status", "passed")
	}
	if d.isUnread("status") {
		v.Status = HumanNeeded
	}
	settled := 0
	for _, key := range [...]string{"human_verification", "behavior_unverified_items"} {
		for item := range d.Value(key).Children() {
			c := HumanCheck{Test: d.firstText(item, "test", "name", "truth", "item"), Line: d.lineAt(item.Offset())}
			if item.Is(doc.Map) {
				c.Expected, c.Why = d.scalar(item.Get("expected")), d.firstText(item, "why_human", "why", "reason")
			}
			switch {
			case !d.Value(key).Is(doc.List):
			case item.Is(doc.Map) && isSettled(item):
				settled++
			case c.Test != "":
				v.Human = append(v.Human, c)
			}
		}
	}
	for gap := range d.Value("gaps").Children() {
		if text := d.firstText(gap, "truth", "gap", "name", "reason"); text != "" {
			v.Gaps = append(v.Gaps, text)
		}
	}
	v.AsksHuman = v.Status == HumanNeeded || v.Status == GapsFound || v.Status == "" && d.asksHumanInBody()
	if v.AsksHuman && len(v.Human)+settled == 0 {
		v.Human, settled = d.humanSection()
	}
	if len(v.Human) == 0 && (settled > 0 || v.Status == GapsFound) && !d.isUnread("human_verification") {
		v.AsksHuman = false
	}
	v.Gaps, err = limitEntries(v.Gaps, maxEntries, "gaps", err)
	v.Human, err = limitEntries(v.Human, maxEntries, "things for a human to do", err)
	return v, err
}

// isSettled reports whether an entry of a verification was closed: by its status, else by a resolution.
func isSettled(item doc.Value) bool {
	if status := item.Get("status"); !status.IsEmpty() {
		return isOneOf(Normalize(status.Scalar()), "resolved", "passed", "pass")
	}
	return isVisible(item.Get("resolution").Scalar())
}

// asksHumanInBody reports whether the first line of the body with a status, "**Status:** human_needed", asks for a human.
func (d *Document) asksHumanInBody() bool {
	for l := range d.Lines() {
		if key, value, ok := parseBodyField(l.Text); ok && equalFold(key, "status") && !l.Code {
			s := splitWords(value)
			return s.hasAny([]string{"human needed"}) && !s.hasAny([]string{"no human needed"}) || AwaitsHuman(value)
		}
	}
	return false
}

// parseBodyField parses "key: value", also as a list item and with a bold key.
func parseBodyField(text string) (key, value string, ok bool) {
	text = trimLeft(text, " \t*-+")
	key, value, ok = doc.Cut(text, ":")
	return trim(key, "* \t"), doc.Trim(trimLeft(value, "* ")), ok && key != ""
}

// humanSection returns the checks in the body that are open, and how many are settled: headings, list items or the numbered rows of a
// table below "## Human Verification …".
func (d *Document) humanSection() (checks []HumanCheck, settled int) {
	add := func(text string, line int) {
		if test := doc.StripMarks(text); isVisible(test) {
			checks = append(checks, HumanCheck{Test: test, Line: line})
		}
	}
	level := 0
	for l := range d.Lines() {
		switch {
		case l.Code || l.Comment:
		case l.Level > 0 && (level == 0 || l.Level <= level):
			level = 0
			if hasPrefixFold(l.Title, "human verification") {
				level = l.Level
			}
		case level == 0:
		case l.Level > level:
			name, _, _ := doc.ParseItem(l.Title)
			if name == "" {
				name = l.Title
			}
			add(name, l.Number)
		default:
			if cells := doc.SplitCells(l.Text); len(cells) > 1 && isNumber(cells[0]) {
				if slices.ContainsFunc(cells[2:], func(cell string) bool { return isOneOf(Normalize(doc.StripMarks(cell)), "resolved", "passed", "pass") }) {
					settled++
				} else {
					add(cells[1], l.Number)
				}
			} else if name, value, isField := doc.ParseField(l.Text); isField && len(checks) > 0 {
				switch last := &checks[len(checks)-1]; doc.Lower(name) {
				case "expected":
					last.Expected = value
				case "why human", "why":
					last.Why = value
				}
			} else if item, indent, ok := doc.ParseItem(l.Text); ok && indent == 0 && item != "" {
				add(item, l.Number)
			}
		}
	}
	return checks, settled
}
