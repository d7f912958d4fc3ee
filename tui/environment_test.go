package tui

import (
	"strings"
	"testing"
)

func TestWantsASCII(t *testing.T) {
	for _, c := range []struct {
		env  string
		want bool
	}{
		{"", false}, {"TERM=xterm LANG=C.UTF-8", false}, {"TERM=xterm LANG=de_DE.utf8", false}, {"TERM=linux LANG=C.UTF-8", true},
		{"TERM=dumb", true}, {"TERM=xterm LANG=C", true}, {"TERM=xterm", true}, {"LANG=C LC_ALL=C.UTF-8", false}, {"LANG=C.UTF-8 LC_ALL=C", true},
	} {
		if got := wantsASCII(strings.Fields(c.env)); got != c.want {
			t.Errorf("%q: %v", c.env, got)
		}
	}
}
