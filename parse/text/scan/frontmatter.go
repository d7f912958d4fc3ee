// Frontmatter as GSD's status line reads it, which is not YAML.

package scan

// Frontmatter splits text into the block between the fences, without the line break before the closing one, and what
// follows the three dashes of the closing fence. ok is false, and rest the whole text, when there is no frontmatter.
//
// The text has to begin with a line "---" and nothing else, LF or CR LF; not even a byte order mark may stand before it.
// The block ends at the first later line that begins with "---", whatever follows on that line. A closing fence directly
// after the opening one does not count.
func Frontmatter(text string) (block, rest string, ok bool) {
	start := 0
	switch {
	case len(text) >= 4 && text[:4] == "---\n":
		start = 4
	case len(text) >= 5 && text[:5] == "---\r\n":
		start = 5
	default:
		return "", text, false
	}
	for i := start; i+4 <= len(text); i++ {
		if text[i] != '\n' || text[i+1:i+4] != "---" {
			continue
		}
		end := i
		if end > start && text[end-1] == '\r' {
			end--
		}
		return text[start:end], text[i+4:], true
	}
	return "", text, false
}

// Scalars iterates over the top-level "key: value" lines of a frontmatter block. The zero value over a block is ready:
// Scalars{Block: block}.
type Scalars struct {
	Block string // what is left of the block
}

// Next returns the next line that has a key and a value: the key (ASCII letters, digits, underscores, at the line's very
// start) and the value, trimmed and unquoted. ok is false at the end of the block. Lines end with LF or CR LF here. A key
// without a value is passed over; a value of blanks or of two quotation marks is "". Comments and backslashes are part of
// the value. Keys may repeat; for GSD the last one counts.
func (s *Scalars) Next() (key, value string, ok bool) {
	for s.Block != "" {
		text := s.nextLine()
		end := Word(text, 0)
		if end == 0 || end == len(text) || text[end] != ':' {
			continue
		}
		if value, ok = RestOfLine(text, end+1); ok {
			return text[:end], Unquote(value), true
		}
	}
	return "", "", false
}

// nextLine takes the next line off the block, without its LF or CR LF.
func (s *Scalars) nextLine() string {
	text := s.Block
	for i := 0; i < len(text); i++ {
		if text[i] == '\n' {
			s.Block = text[i+1:]
			if i > 0 && text[i-1] == '\r' {
				i--
			}
			return text[:i]
		}
	}
	s.Block = ""
	return text
}
