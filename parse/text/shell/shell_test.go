package shell

import (
	"os/exec"
	"reflect"
	"strings"
	"testing"
)

// A word arrives as it was in whatever shell the user on the other machine has.
func TestQuotedForEveryShell(t *testing.T) {
	words := []string{"src/shop", "it's a shop", `back\slash`, `two\\`, `end\`, `\'`, "$HOME", "`x`", "a;b", "*", "#", "=ls", "a=b", "{a,b}", "", "ä", "tab\tx", "!x", "~", "~/x", "%1"}
	for _, shell := range []string{"sh", "bash", "zsh", "fish"} {
		if _, err := exec.LookPath(shell); err != nil {
			t.Log(shell + " is not installed")
			continue
		}
		all := make([]string, len(words))
		for i, w := range words {
			all[i] = Word(w)
		}
		out, err := exec.Command(shell, "-c", `printf '%s\n' `+strings.Join(all, " ")).CombinedOutput()
		if got := strings.Split(strings.TrimSuffix(string(out), "\n"), "\n"); err != nil || !reflect.DeepEqual(got, words) {
			t.Errorf("%s: %q, %v", shell, got, err)
		}
	}
}

func TestWhatNeedsNoQuotesHasNone(t *testing.T) {
	for text, want := range map[string]string{"/tmp/x": "/tmp/x", "build-7=UABC": "build-7=UABC", "": "''", "$1": "'$1'", "it's": `'it'\''s'`, "a b": "'a b'"} {
		if got := Word(text); got != want {
			t.Errorf("%q: %s", text, got)
		}
	}
}
