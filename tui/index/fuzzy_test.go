package index

import "testing"

// TestMatch: a word matches as it is, in any case, or with its letters spread from the beginning of a word.
func TestMatch(t *testing.T) {
	for _, c := range []struct{ text, word, want string }{
		{"Plan A", "plan", "Plan"}, {"Plan A", "n a", "n A"}, {"", "a", "-"}, {"a", "", ""}, {"KÖRBE", "körbe", "KÖRBE"}, {"abc", "abcd", "-"}, {"日本", "本", "本"},
		{"04.5-02 Refunds through the ledger", "rfnd", "Refund"}, {"Refunds through the ledger", "ledg", "ledg"}, {"Search index rebuild", "srch", "Search"[0:6]},
		{"Search index rebuild", "sib", "-"}, {"Checkout", "kot", "-"}, {"Checkout", "ct", "-"}, {"one two", "ot", "-"}, {"İx", "x", "x"}, {"a\xffb", "b", "b"},
	} {
		from, to, ok := Match(c.text, c.word, true)
		got := "-"
		if ok {
			got = c.text[from:to]
		}
		if got != c.want {
			t.Errorf("%q in %q: %q, want %q", c.word, c.text, got, c.want)
		}
	}
	if _, _, ok := Match("Refunds", "rfnd", false); ok {
		t.Error("letters are spread that must not be")
	}
}

func FuzzMatch(f *testing.F) {
	f.Add("Refunds", "rfnd")
	f.Fuzz(func(t *testing.T, text, word string) {
		if from, to, ok := Match(text, word, true); ok && (from < 0 || to < from || to > len(text)) {
			t.Errorf("%q in %q: %d to %d", word, text, from, to)
		}
	})
}
