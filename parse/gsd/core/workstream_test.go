package core

import "testing"

func TestSessionToken(t *testing.T) {
	long := make([]byte, 300)
	for i := range long {
		long[i] = 'x'
	}
	for value, want := range map[string]string{
		"": "", "%3": "3", " a  b ": "a_b", "__a__": "a", "a/é/b": "a_b", "A.b-c_d": "A.b-c_d", "___": "", string(long): string(long[:160]), "a_ b": "a__b",
	} {
		if got := sessionToken(value); got != want {
			t.Errorf("sessionToken(%q) = %q, want %q", value, got, want)
		}
	}
}
