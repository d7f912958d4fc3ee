package core

import "testing"

// contents is a source of files that have contents only.
type contents map[string]string

func (c contents) List(string) []Entry                         { return nil }
func (c contents) Read(string, func(string) (any, error)) File { return File{} }
func (c contents) Hash(file string) (hex string, ok bool) {
	text, ok := c[file]
	return SHA256(text), ok
}

// TestDigest checks digests that GSD 1.14 computed for files with these contents.
func TestDigest(t *testing.T) {
	const plan, summary = ".planning/phases/01-lamp/01-01-PLAN.md", ".planning/phases/01-lamp/01-01-SUMMARY.md"
	p := &Project{source: contents{
		"src/a.txt": "alpha\n", "src/b file.txt": "beta", "src/empty.txt": "", "src/crlf.txt": "line\r\n", plan: "---\nphase: 01-lamp\nplan: 01\n---\n# Plan\n",
		summary: "# Summary\n", "B/c": "t\n", "a": "q\n", "a-b": "r\n", "a.b": "s\n",
	}}
	for _, c := range []struct {
		digest string
		files  []string
	}{
		{"268649e8e9934d6157f8d3cbf6bd9254fe7a8eb072102523d9d7715f3477c6a4", []string{"src/a.txt"}},
		{"268649e8e9934d6157f8d3cbf6bd9254fe7a8eb072102523d9d7715f3477c6a4", []string{`src\a.txt`, "src/./a.txt", "src//x/../a.txt"}},
		{"c8597ea3000a67407e4a01533bd1d85948339616d51ef3e08274667019ce2d1b", []string{"src/b file.txt", "./src/a.txt", "src//a.txt", "src/empty.txt"}},
		{"915dda3286f1cdfaa366fdc823ba521e92a5652ac2432569ad0380a99d85ba27", []string{plan, summary, "src/a.txt"}},
		{"5c134ce36267a83b292e4941431db70aaf423f491aa4b7e3098f8fcbc977e2cc", []string{"src/crlf.txt"}},
		{"aacb453f2f763d6ba149f924b2c741b1cc6365db8df3446148473ff136380759", []string{"a.b", "a", "a-b", "B/c"}},
		{"", []string{"src/a.txt", "src/gone.txt"}}, {"", []string{"../src/a.txt"}}, {"", []string{"src/../../a"}}, {"", []string{"/src/a.txt"}}, {"", []string{""}}, {"", []string{"."}},
	} {
		want := c.digest
		if want != "" {
			want = "v1:sha256:" + want
		}
		if got := p.digestFiles(c.files); got != want {
			t.Errorf("%q: %q, want %q", c.files, got, want)
		}
	}
}
