package line

import "testing"

func TestWidth(t *testing.T) {
	for _, c := range []struct {
		s    string
		want int
	}{
		{"", 0}, {"abc", 3}, {"· █░", 4}, {"é", 1}, {"e\u0301", 1}, {"日本語", 6}, {"ｆｕｌｌ", 8}, {"👍", 2}, {"👨👩👧", 6},
		{"🇫🇷", 2}, {"학", 2}, {"\u1112\u1161\u11a8", 2}, {"a\u200bb", 2}, {"\x00\n", 0}, {"\xff", 1}, {"\xf0\x9f\x98", 1},
	} {
		if got := Width(c.s); got != c.want {
			t.Errorf("Width(%q) = %d, want %d", c.s, got, c.want)
		}
	}
}

func TestAppendBar(t *testing.T) {
	for percent, want := range map[int]string{
		-5: "[░░░░░░░░░░] 0%", 0: "[░░░░░░░░░░] 0%", 9: "[░░░░░░░░░░] 9%", 10: "[█░░░░░░░░░] 10%",
		59: "[█████░░░░░] 59%", 99: "[█████████░] 99%", 100: "[██████████] 100%", 150: "[██████████] 100%",
	} {
		var line Text
		if line.Bar(percent, true); string(line.Bytes()) != want {
			t.Errorf("Bar(%d) = %q, want %q", percent, line.Bytes(), want)
		}
	}
}
