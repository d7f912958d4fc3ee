package line

import (
	"encoding/json"
	"strings"
	"testing"
	"unicode"
	"unicode/utf8"
)

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
