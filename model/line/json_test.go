package line

import (
	"encoding/json"
	"strings"
	"testing"
	"unicode"
	"unicode/utf8"
)

func TestAppendJSONString(t *testing.T) {
	for _, c := range []struct{ in, want string }{
		{"", `""`},
		{"a\x00\x7f\xff\"\\é", `"a\u0000\u007f�\"\\é"`},
		{"a\n\t\u0085\u009b31m", `"a\u000a\u0009\u0085\u009b31m"`},
		{"\u202e\u2066\u200b\ufeff\u2028\u2029\u00ad\u034f\u115f\u3164\u2800\ufe0f\ufdd0\uffff", `"\u202e\u2066\u200b\ufeff\u2028\u2029\u00ad\u034f\u115f\u3164\u2800\ufe0f\ufdd0\uffff"`},
		{"\U000e0041\U000e01ef\U0001fffe\U0010ffff", `"\udb40\udc41\udb40\uddef\ud83f\udffe\udbff\udfff"`},
		{"日本語 👩 e\u0301 ◆", "\"日本語 👩 e\u0301 ◆\""},
	} {
		if got := string(AppendJSONString(nil, c.in)); got != c.want {
			t.Errorf("AppendJSONString(%q) = %s, want %s", c.in, got, c.want)
		}
	}
}

func FuzzAppendJSON(f *testing.F) {
	for _, seed := range []string{"", "v2 · x", "\x1b]52;c;eA==\x07", "a\u202eb\\\"", "\U000e0041\u2028", "\xf0\x9f\x98", "\r\n\t"} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, s string) {
		text := string(AppendJSONString(nil, s))
		document, err := json.MarshalIndent(map[string]string{s: s}, "", " ")
		if err != nil {
			t.Fatal(err)
		}
		for _, got := range []string{text, string(AppendJSON(nil, string(document)))} {
			for _, r := range got {
				if r != '\n' && (unicode.IsControl(r) || unicode.In(r, unicode.Cf, unicode.Zl, unicode.Zp, unicode.Variation_Selector, unicode.Other_Default_Ignorable_Code_Point)) {
					t.Fatalf("%q holds U+%04X", got, r)
				}
			}
			if !utf8.ValidString(got) || !json.Valid([]byte(got)) {
				t.Fatalf("%q is no JSON", got)
			}
		}
		var back string
		if err := json.Unmarshal([]byte(text), &back); err != nil || back != strings.ToValidUTF8(s, "\ufffd") && utf8.ValidString(s) {
			t.Fatalf("%q became %q, %v", s, back, err)
		}
		var both map[string]string
		if err := json.Unmarshal(AppendJSON(nil, string(document)), &both); err != nil || utf8.ValidString(s) && both[s] != s {
			t.Fatalf("%q became %q, %v", s, both, err)
		}
	})
}
