package doc

// Frontmatter locates the parts of a Markdown file.
type Frontmatter struct {
	Exists   bool // the file has frontmatter, which may be empty
	Unclosed bool // the closing fence is missing, as in a file that is being written; the whole file is its body
	Block    int  // offset of the first line behind the opening fence
	BlockEnd int  // offset of the closing fence
	Body     int  // offset of the first line behind the closing fence, or of the text without frontmatter
}

// SplitFrontmatter splits a file. Frontmatter begins with a line of three dashes at the start of the file or behind its byte
// order mark. It ends at the first later line that begins with three dashes, whatever follows them. Lines end with LF or CR LF.
func SplitFrontmatter(text string) Frontmatter {
	start := 0
	if HasPrefix(text, ByteOrderMark) {
		start = len(ByteOrderMark)
	}
	f := Frontmatter{Block: lineAfter(text, start), Body: start}
	if fence := text[start:f.Block]; fence != "---\n" && fence != "---\r\n" {
		return Frontmatter{Body: start}
	}
	for at := f.Block; at < len(text); at = lineAfter(text, at) {
		if HasPrefix(text[at:], "---") {
			f.Exists, f.BlockEnd, f.Body = true, at, lineAfter(text, at)
			return f
		}
	}
	return Frontmatter{Unclosed: true, Body: start}
}
