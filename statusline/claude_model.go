package statusline

import "gatehouse/model/line"

// shortModel splits the name of a model that ends with the size of its context window, such as "Sonnet 4.5 (1M
// context)" or "… (500k ctx)": name is the text before the parentheses, size the text in them before the word. ok is
// false for any other name, which is then returned whole. It implements GSD's expression
// \s*\(([^)]+?)\s+(?:context|ctx)\)$, ignoring case.
func shortModel(whole string) (name, size string, ok bool) {
	inside, ok := cutTail(whole, ")")
	if !ok {
		return whole, "", false
	}
	// The first bracket opens that no other closes in between.
	open := len(inside)
	for i := len(inside) - 1; i >= 0 && inside[i] != ')'; i-- {
		if inside[i] == '(' {
			open = i
		}
	}
	if open == len(inside) {
		return whole, "", false
	}
	content := inside[open+1:]
	size, ok = cutTail(content, "context")
	if !ok {
		size, ok = cutTail(content, "ctx")
	}
	if !ok {
		return whole, "", false
	}
	word := len(size)
	size = line.TrimEnd(size)
	if size == "" { // if it is all white space, its first character is the size
		for _, r := range content[:word] {
			size = string(r)
			break
		}
	}
	if size == "" || len(size) == word {
		return whole, "", false
	}
	return line.TrimEnd(inside[:open]), size, true
}

// cutTail returns text without tail at its end, ASCII letters compared without case, and whether it ends so. tail is lower
// case.
func cutTail(text, tail string) (rest string, ok bool) {
	start := len(text) - len(tail)
	if start < 0 {
		return text, false
	}
	for i := range len(tail) {
		c := text[start+i]
		if c >= 'A' && c <= 'Z' {
			c |= 0x20
		}
		if c != tail[i] {
			return text, false
		}
	}
	return text[:start], true
}
