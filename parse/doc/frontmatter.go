package doc

// Frontmatter locates the parts of a Markdown file.
type Frontmatter struct {
	Exists   bool // the file has frontmatter, which may be empty
	Unclosed bool // the closing fence is missing, as in a file that is being written; the whole file is its body
	Block    int  // offset of the first line after the opening fence
	BlockEnd int  // offset of the closing fence
	Body     int  // offset of the first line after the closing fence, or of the text without frontmatter
}

// SplitFrontmatter splits a file. Frontmatter begins with a line of three dashes at the start of the file or after its
// byte order mark. It ends at the first later line that begins with three dashes, regardless of the rest of the line.
// As in GSD's own reader, the line after the opening fence closes it only if no other line does. Lines end with LF or
// CR LF.
func SplitFrontmatter(text string) Frontmatter {
	start := 0
	if HasPrefix(text, ByteOrderMark) {
		start = len(ByteOrderMark)
	}
	block := lineAfter(text, start)
	if fence := text[start:block]; fence != "---\n" && fence != "---\r\n" {
		return Frontmatter{Body: start}
	}
	end := -1
	for at := block; at < len(text); at = lineAfter(text, at) {
		if HasPrefix(text[at:], "---") {
			if end = at; at > block {
				break
			}
		}
	}
	if end < 0 {
		return Frontmatter{Unclosed: true, Body: start}
	}
	return Frontmatter{Exists: true, Block: block, BlockEnd: end, Body: lineAfter(text, end)}
}
