package statusline

import (
	"testing"

	"gatehouse/parse/nearest"
)

// TestWatchListIsSafeToPrint checks that a path that would act on a terminal, or end its line, is not printed: the shell then
// does not keep the line.
func TestWatchListIsSafeToPrint(t *testing.T) {
	l := &Line{Text: []byte("v1\n")}
	for path, want := range map[string]string{
		"/a/STATE.md":       "v1\n+/a/STATE.md\n",
		"/a\nb":             "v1\n",
		"/a\x1b]0;t\x07":    "v1\n",
		"/a\u202eb":         "v1\n",
		"/a\u009bb":         "v1\n",
		"/grün/日本/STATE.md": "v1\n+/grün/日本/STATE.md\n",
	} {
		if got := string(l.AppendWatchList(nil, &nearest.Watch{Present: []string{path}})); got != want {
			t.Errorf("%q: %q, want %q", path, got, want)
		}
	}
	if got := string(l.AppendWatchList(nil, &nearest.Watch{Present: []string{"/a"}, Absent: []string{"/b"}, Until: 1795329274})); got != "v1\n+/a\n-/b\n@1795329274\n" {
		t.Errorf("%q", got)
	}
}
