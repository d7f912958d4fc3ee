package conformance

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// GoldenTexts compares texts with those of a file of testdata, in its order: each stands below a line "-- name --". With -update the file is
// written.
func GoldenTexts(t *testing.T, file string, names []string, texts map[string]string) {
	t.Helper()
	file = filepath.Join("testdata", file)
	var got strings.Builder
	for _, name := range names {
		fmt.Fprintf(&got, "-- %s --\n%s", name, texts[name])
	}
	if *Update {
		if err := os.WriteFile(file, []byte(got.String()), 0o644); err != nil {
			t.Fatal(err)
		}
		return
	}
	data, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	want := map[string]string{}
	for part := range strings.SplitSeq("\n"+string(data), "\n-- ") {
		name, text, _ := strings.Cut(part, " --\n")
		want[name] = text
	}
	for _, name := range names {
		if is, was := strings.TrimSuffix(texts[name], "\n"), strings.TrimSuffix(want[name], "\n"); is != was {
			t.Errorf("%s: %s", name, differentLines(was, is))
		}
	}
	if len(want)-1 != len(names) {
		t.Errorf("%s has %d texts, not %d; update it with -update", file, len(want)-1, len(names))
	}
}

// differentLines lists the lines that only one of two texts has.
func differentLines(was, is string) string {
	var b strings.Builder
	list := func(sign, text, other string) {
		for l := range strings.SplitSeq(text, "\n") {
			if !strings.Contains("\n"+other+"\n", "\n"+l+"\n") {
				b.WriteString("\n" + sign + " " + l)
			}
		}
	}
	list("-", was, is)
	list("+", is, was)
	return b.String()
}

// Cases checks readings of texts by a file of JSON lines, each with the name of an operation, a text and the answer. With -update the file is
// written.
func Cases(t *testing.T, file string, readers map[string]func(text string) string) {
	t.Helper()
	data, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	var out strings.Builder
	for row := range strings.Lines(string(data)) {
		var c struct{ Op, In, Want string }
		if err := json.Unmarshal([]byte(row), &c); err != nil {
			t.Fatal(err)
		}
		got := readers[c.Op](c.In)
		if got != c.Want && !*Update {
			t.Errorf("%s of %q:\n got %q\nwant %q", c.Op, c.In, got, c.Want)
		}
		c.Want = got
		line, _ := json.Marshal(c)
		fmt.Fprintf(&out, "%s\n", line)
	}
	if *Update {
		if err := os.WriteFile(file, []byte(out.String()), 0o644); err != nil {
			t.Fatal(err)
		}
	}
}
