package scan

// Setext returns the level of the heading that a line of Markdown is by the line below it, "Title" over "=====" (1) or "-----"
// (2), and 0 for other lines; below is the text that follows. Unlike CommonMark it takes a paragraph of one line alone, below a
// blank line or at the start (top), no rule of three dashes, which agents write directly below a text and mean no heading, and
// not what divides the sides of a conflict of git's.
func Setext(top bool, title, below string) (level int) {
	if !top {
		return 0
	}
	under := TrimSpace(below[:LineEnd(below, 0)])
	if len(under) < 3 || under[0] != '=' && (under[0] != '-' || len(under) == 3) || under == "=======" && Index(below, "\n>>>>>>>") >= 0 {
		return 0
	}
	for i := range under {
		if under[i] != under[0] {
			return 0
		}
	}
	start := SkipBlanks(title, 0)
	if title = TrimSpace(title); title == "" || start > 3 {
		return 0
	}
	switch c := title[0]; c {
	case '>', '|', '<', '#', '=':
		return 0
	case '-', '*', '+':
		if len(title) == 1 || title[1] == ' ' || c == '-' {
			return 0 // an item, or a rule
		}
	}
	if digits, end := Digits(title, 0); digits != "" && end < len(title) && (title[end] == '.' || title[end] == ')') {
		return 0
	}
	if under[0] == '=' {
		return 1
	}
	for i := range title { // "Status: done" over a rule
		if title[i] == ':' {
			return 0
		}
		if title[i] == ' ' {
			break
		}
	}
	if title[0] == '*' {
		return 0
	}
	return 2
}
