package index

import "testing"

func TestContainsFold(t *testing.T) {
	for _, c := range []struct {
		text, word string
		want       bool
	}{
		{"Plan A", "plan", true}, {"Plan A", "n a", true}, {"", "a", false}, {"a", "", true}, {"KÖRBE", "körbe", true}, {"abc", "abcd", false}, {"日本", "本", true},
	} {
		if got := containsFold(c.text, c.word); got != c.want {
			t.Errorf("containsFold(%q, %q) = %v", c.text, c.word, got)
		}
	}
}
