package process

import (
	"testing"
)

func TestParseStat(t *testing.T) {
	for _, c := range []struct {
		stat string
		want Info
		ok   bool
	}{
		{"7 (cat) S 3 7 7 34819 7 4194304 1 2 3 4 5 6 7 8 20 0 1 0 4711 1 2", Info{ID: ID{PID: 7, Start: "4711"}, Parent: 3, Name: "cat", Leader: true, Terminal: "/dev/pts/3"}, true},
		{"7 (a) b (c) S 3 7 6 0 7 4194304 1 2 3 4 5 6 7 8 20 0 1 0 4711 1 2", Info{ID: ID{PID: 7, Start: "4711"}, Parent: 3, Name: "a) b (c"}, true},
		{"7 (x) S 3 7 6 1025 7 4194304 1 2 3 4 5 6 7 8 20 0 1 0 4711 1 2", Info{ID: ID{PID: 7, Start: "4711"}, Parent: 3, Name: "x", Terminal: "/dev/tty1"}, true},
		{"7 (ended) Z 3 7 6 0 7 4194304 1 2 3 4 5 6 7 8 20 0 1 0 4711 1 2", Info{}, false},
		{"7 (cut) S 3", Info{}, false},
		{"7 )( S", Info{}, false},
		{"", Info{}, false},
	} {
		if got, ok := parseStat(7, c.stat); got != c.want || ok != c.ok {
			t.Errorf("%q: %+v, %v", c.stat, got, ok)
		}
	}
}

func FuzzParseStat(f *testing.F) {
	f.Add("7 (cat) S 3 7 7 34819 7 4194304 1 2 3 4 5 6 7 8 20 0 1 0 4711 1 2")
	f.Fuzz(func(t *testing.T, stat string) {
		if info, ok := parseStat(1, stat); ok && info.PID != 1 {
			t.Errorf("%+v", info)
		}
	})
}
