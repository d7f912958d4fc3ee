package statusline

import (
	"encoding/json"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"gatehouse/model/line"
	"gatehouse/parse/conformance"
	"gatehouse/parse/nearest"
)

// fctryRow is a project with the original tool's output for it, and the input that an agent sends to the tool.
type fctryRow struct {
	conformance.Project
	Stdin    json.RawMessage
	StdinRaw *string `json:"stdin_raw"`
}

// input is the agent's input of a row.
func (r *fctryRow) input(dir string) []byte {
	text := string(r.Stdin)
	if r.StdinRaw != nil {
		text = *r.StdinRaw
	}
	quoted, _ := json.Marshal(dir)
	return []byte(strings.ReplaceAll(text, "{DIR}", strings.Trim(string(quoted), `"`)))
}

var (
	colorCodes = regexp.MustCompile("\x1b\\[[0-9]*m")
	nonsense   = []string{"undefined", "NaN", "[object Object]", "null/", "Infinity"}
)

// TestConformanceFctry shows the projects of the rows: one line, and up to two in an agent's layout.
func TestConformanceFctry(t *testing.T) {
	files := []string{"fctry_projects.jsonl", "fctry_real.jsonl"}
	if os.Getenv("GATEHOUSE_CONFORMANCE") == "" {
		t.Setenv("GATEHOUSE_CONFORMANCE", filepath.Join("..", "parse", "fctry", "testdata", "conformance"))
		files = files[:1] // the others are not part of this repository
	}
	for _, file := range files {
		conformance.Rows(t, file, func(t *testing.T, row fctryRow) {
			dir := row.Write(t)
			for _, format := range []Format{Full, Compact} {
				text := string(ReadLine(at(dir), Options{Sink: sinkNamed(t, "plain"), Format: format}).Text)
				if strings.Count(text, "\n") != 1 || !strings.HasSuffix(text, "\n") || text == "\n" {
					t.Errorf("not one line: %q", text)
				}
				checkSane(t, text, &row)
			}
			c, problem := ParseFlags([]string{"--shell", "claude"})
			if problem != "" {
				t.Fatal(problem)
			}
			c.Colored = true
			place := nearest.Place{Dir: dir, Home: dir}
			text := colorCodes.ReplaceAllString(string(AgentLine(&place, row.input(dir), &c).Text), "")
			if strings.Count(text, "\n") > 1 || text == "" {
				t.Errorf("not two lines: %q", text)
			}
			checkSane(t, text, &row)
		})
	}
}

// checkSane fails the test if a text has garbage or characters that are not clean.
func checkSane(t *testing.T, text string, row *fctryRow) {
	t.Helper()
	for _, bad := range nonsense {
		if strings.Contains(text, bad) {
			t.Errorf("%q holds %s", text, bad)
		}
	}
	for row := range strings.Lines(text) {
		if row = strings.TrimSuffix(row, "\n"); line.Clean(row) != row {
			t.Errorf("%q is not clean", row)
		}
	}
}
