// UAT.md: the tests that a human runs and judges.

package gsd

import (
	"fmt"
	"slices"
	"strings"

	"gatehouse/model/line"
	"gatehouse/parse/disk/mirror"
	"gatehouse/parse/gsd/rules"
	"gatehouse/parse/protocol"
	"gatehouse/parse/text/yamldoc"
)

// uat is what a UAT.md says.
type uat struct {
	status  string // frontmatter: "testing", "partial", "diagnosed", "complete", …
	updated string
	// awaiting is the number of the test that is before the user now, 0 for none.
	awaiting int
	tests    []uatTest
	gaps     []uatGap
}

// uatGap is an entry of "## Gaps".
type uatGap struct {
	truth, status, severity string
	line                    int
}

// open reports whether something is left to do about a gap: it is until its status says that it is mended, or none.
func (g *uatGap) open() bool { return !rules.GapClosed(g.status) }

// open returns how many tests a human still has to judge, also in a file that
// calls itself complete: GSD's gate fails closed.
func (u *uat) open() int {
	n := 0
	for i := range u.tests {
		if u.tests[i].pending() {
			n++
		}
	}
	return n
}

// firstOpen returns the line of the first test that a human still has to judge.
func (u *uat) firstOpen() int {
	for i := range u.tests {
		if t := &u.tests[i]; t.pending() {
			return max(t.resLine, t.line)
		}
	}
	return 0
}

// allPassed reports whether a human has run all tests, and all of them work.
func (u *uat) allPassed() bool {
	for i := range u.tests {
		if !u.tests[i].passed() {
			return false
		}
	}
	return len(u.tests) > 0
}

// resolved reports whether the issues that were found are over: the file says so, or every gap that was written down does.
func (u *uat) resolved() bool {
	if u.status == "resolved" {
		return true
	}
	for _, g := range u.gaps {
		if g.open() {
			return false
		}
	}
	return len(u.gaps) > 0
}

// uatSays is what a UAT.md says, wherever it says it.
type uatSays struct {
	status, updated string
	awaiting        int
	tests           []testSays
	gaps            []uatGap
}

// testSays is what a UAT.md says of one of its tests.
type testSays struct {
	number                                    int
	name, expected, result, reason, blockedBy string
}

// says returns what the file says. A test that is only announced is left out: it is one while no other is open.
func (u *uat) says() uatSays {
	s := uatSays{status: u.status, updated: u.updated, awaiting: u.awaiting, gaps: slices.Clone(u.gaps)}
	for _, t := range u.tests {
		if !t.announced {
			s.tests = append(s.tests, testSays{t.number, t.name, t.expected, t.result, t.reason, t.blockedBy})
		}
	}
	for i := range s.gaps {
		s.gaps[i].line = 0
	}
	return s
}

func (s uatSays) equal(o uatSays) bool {
	return s.status == o.status && s.updated == o.updated && s.awaiting == o.awaiting && slices.Equal(s.tests, o.tests) && slices.Equal(s.gaps, o.gaps)
}

// maxTests is how many tests of a file are read: real ones have some ten.
const maxTests = 5000

func parseUAT(text string) (*uat, error) {
	page, front, err := protocol.ReadDocument(text, "status", "updated")
	u := &uat{status: strings.ToLower(front.String("status")), updated: front.String("updated")}
	section := ""
	var current fieldScan
	currentLine := 0
	var gaps strings.Builder
	gapLine := 0
	for l := range page.Lines() {
		switch {
		case l.Level == 1 || l.Level == 2:
			section = strings.ToLower(l.Title)
			if strings.HasPrefix(section, "test") {
				section = "tests"
			}
			if section == "current test" {
				currentLine = l.Number
			}
			continue
		case l.Level >= 3 && section == "tests":
			if len(u.tests) == maxTests {
				// No minor fault: nobody knows what the tests say that are left out.
				err = &mirror.Fault{Line: l.Number, Text: fmt.Sprintf("more than %d tests; the rest is left out", maxTests)}
				section = ""
				continue
			}
			u.tests = append(u.tests, testHeading(l))
			continue
		}
		switch section {
		case "current test":
			current.add(l)
		case "tests":
			if len(u.tests) > 0 {
				u.tests[len(u.tests)-1].add(l)
			}
		case "gaps":
			if l.Comment {
				continue
			}
			if gapLine == 0 {
				gapLine = l.Number
			}
			if !l.Code {
				gaps.WriteString(l.Text)
			}
			gaps.WriteByte('\n')
		}
	}
	for i := range u.tests {
		u.tests[i].settle()
	}
	u.announce(currentTest(current.fields, currentLine))
	u.gaps = parseGaps(gaps.String(), gapLine)
	return u, err
}

// announce takes up what "## Current Test" says.
func (u *uat) announce(current uatTest, waits bool) {
	if !waits {
		return
	}
	u.awaiting = current.number
	if u.open() > 0 || u.has(current.number) {
		return
	}
	if len(u.tests) > 0 && (u.finished() || current.number == 0 && line.Tidy(current.name) == "") {
		return // it was left behind when the last test was judged
	}
	// It asks for a test that is written down nowhere else.
	u.tests = append(u.tests, current)
}

// finished reports whether the file calls its tests over.
func (u *uat) finished() bool {
	switch u.status {
	case "complete", "completed", "resolved", "passed", "done":
		return true
	}
	return false
}

func (u *uat) has(number int) bool {
	for i := range u.tests {
		if u.tests[i].number == number {
			return true
		}
	}
	return false
}

// parseGaps reads the list of gaps, which is YAML; what is not is passed over.
func parseGaps(text string, line int) []uatGap {
	if !strings.Contains(text, "- ") {
		return nil
	}
	d, err := yamldoc.Parse("gaps:\n"+text, line-1)
	if err != nil {
		return nil
	}
	var gaps []uatGap
	for _, g := range d.Docs("gaps") {
		gaps = append(gaps, uatGap{
			truth: oneOf(g, "truth", "gap", ""), status: strings.ToLower(g.String("status")),
			severity: g.String("severity"), line: g.Line("truth"),
		})
	}
	return gaps
}
