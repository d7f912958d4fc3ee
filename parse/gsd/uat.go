// UAT.md: the tests that a human runs and judges (notes on GSD, §2.7).

package gsd

import (
	"strconv"
	"strings"

	"gatehouse/parse/markdown"
	"gatehouse/parse/yamldoc"
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

// uatTest is one "### N. Name" with its fields.
type uatTest struct {
	number    int
	name      string
	expected  string
	result    string // lower case, without brackets: "pending", "pass", "issue", "skipped", "blocked"; "" if none is written
	reason    string
	blockedBy string
	line      int // of the heading
	resLine   int // of the result, 0 without one
}

// uatGap is an entry of "## Gaps".
type uatGap struct {
	truth, status, severity string
	line                    int
}

// pending reports whether a human still has to judge the test.
func (t uatTest) pending() bool { return t.result == "" || t.result == "pending" }

// passed reports whether a human judged that it works.
func (t uatTest) passed() bool { return t.result == "pass" || t.result == "passed" }

// closed reports whether the whole file is over and done with.
func (u *uat) closed() bool { return u.status == "complete" || u.status == "resolved" }

// open returns how many tests a human still has to judge, also in a file that
// calls itself complete: GSD's gate fails closed.
func (u *uat) open() int {
	n := 0
	for _, t := range u.tests {
		if t.pending() {
			n++
		}
	}
	return n
}

// resolved reports whether all gaps that were written down are resolved.
func (u *uat) resolved() bool {
	for _, g := range u.gaps {
		if g.status != "resolved" {
			return false
		}
	}
	return len(u.gaps) > 0
}

func parseUAT(text string) (*uat, error) {
	doc, front, err := read(text, "status", "updated")
	u := &uat{status: strings.ToLower(front.String("status")), updated: front.String("updated")}
	section := ""
	waits, current := false, uatTest{}
	var gaps strings.Builder
	gapLine := 0
	for l := range markdown.Lines(doc.Body, doc.BodyLine) {
		if l.Comment || l.Code && section != "gaps" {
			continue
		}
		switch {
		case l.Level == 1 || l.Level == 2:
			section = strings.ToLower(l.Title)
			if strings.HasPrefix(section, "test") {
				section = "tests"
			}
			if section == "current test" {
				current.line = l.No
			}
			continue
		case l.Level >= 3 && section == "tests":
			u.tests = append(u.tests, testHeading(l))
			continue
		}
		key, value, isField := uatField(l.Text)
		switch section {
		case "current test":
			if !isField {
				continue
			}
			switch key {
			case "number":
				current.number, _ = strconv.Atoi(value)
			case "name":
				current.name = markdown.Plain(value)
			case "expected":
				current.expected = strings.Trim(value, "| ")
			case "awaiting":
				waits = strings.Contains(strings.ToLower(value), "user")
			}
		case "tests":
			if isField && len(u.tests) > 0 {
				u.tests[len(u.tests)-1].set(key, value, l.No)
			}
		case "gaps":
			if gapLine == 0 {
				gapLine = l.No
			}
			if !l.Code {
				gaps.WriteString(l.Text)
			}
			gaps.WriteByte('\n')
		}
	}
	if waits {
		u.awaiting = current.number
		if u.open() == 0 && !u.has(current.number) {
			// It asks for a test that is written down nowhere else.
			u.tests = append(u.tests, current)
		}
	}
	u.gaps = parseGaps(gaps.String(), gapLine)
	return u, err
}

func (u *uat) has(number int) bool {
	for _, t := range u.tests {
		if t.number == number {
			return true
		}
	}
	return false
}

// testHeading reads "1. Name"; without a number the test has number 0.
func testHeading(l markdown.Line) uatTest {
	t := uatTest{name: l.Title, line: l.No}
	if number, name, ok := strings.Cut(l.Title, "."); ok && number != "" && allDigits(number) {
		t.number, t.name = atoi(number), strings.TrimSpace(name)
	}
	t.name = markdown.Plain(t.name)
	return t
}

// uatField reads "key: value", also as a list item or bold.
func uatField(line string) (key, value string, ok bool) {
	if name, v, bold := markdown.Field(line); bold {
		return strings.ToLower(name), v, true
	}
	t := strings.TrimSpace(line)
	if item, _, isItem := markdown.Item(t); isItem {
		t = item
	}
	key, value, ok = strings.Cut(t, ":")
	if !ok || key == "" || strings.ContainsAny(key, " \t") {
		return "", "", false
	}
	return strings.ToLower(key), strings.TrimSpace(value), true
}

func (t *uatTest) set(key, value string, line int) {
	switch key {
	case "expected":
		t.expected = value
	case "result":
		t.resLine = line
		t.result = resultWord(value)
	case "reason", "reported":
		t.reason = strings.Trim(value, `"`)
	case "blocked_by":
		t.blockedBy = value
	}
}

// resultWord takes the word out of a result: "[pending] # needs a phone" and
// "pending (later)" are "pending".
func resultWord(value string) string {
	for _, stop := range []string{"#", "("} {
		value, _, _ = strings.Cut(value, stop)
	}
	return strings.ToLower(strings.Trim(strings.TrimSpace(value), "[]\"' "))
}

// parseGaps reads the list of gaps, which is YAML; what is not is passed over.
func parseGaps(text string, line int) []uatGap {
	if !strings.Contains(text, "- ") {
		return nil
	}
	doc, err := yamldoc.Parse("gaps:\n"+text, line-1)
	if err != nil {
		return nil
	}
	var gaps []uatGap
	for _, g := range doc.Docs("gaps") {
		gaps = append(gaps, uatGap{
			truth: oneOf(g, "truth", "gap", ""), status: strings.ToLower(g.String("status")),
			severity: g.String("severity"), line: g.Line("truth"),
		})
	}
	return gaps
}
