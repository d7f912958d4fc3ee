package doc

import "testing"

func TestSplitFrontmatter(t *testing.T) {
	for text, want := range map[string]string{
		"": "none", "---": "none", "---\n": "unclosed", "--- \na\n---\n": "none", "\n---\na\n---\n": "none", "----\na\n---\n": "none", "---\na\n ---\n": "unclosed",
		"---\na\n---\nb": "a\n|b", "---\r\na\r\n---\r\nb": "a\r\n|b", "---\n---\nb": "|b", "\ufeff---\na\n---": "a\n|", "---\na\n--- x\nb": "a\n|b", "---\n\n----\nb": "\n|b", "---\n---\na\n---\nb": "---\na\n|b",
	} {
		f := SplitFrontmatter(text)
		got := "none"
		if f.Unclosed {
			got = "unclosed"
		} else if f.Exists {
			got = text[f.Block:f.BlockEnd] + "|" + text[f.Body:]
		}
		if got != want {
			t.Errorf("%q: %q, want %q", text, got, want)
		}
	}
}
