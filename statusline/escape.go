// The escaping of each sink. The rules look odd and are exact: each was found by showing hostile text in the real place
// (testdata/conformance/escape_vectors.jsonl), and what other tools do was found wrong there.

package statusline

// plain leaves the text as it is: for a place that expands nothing, such as a file, a pipe, fish's prompt function, or a
// variable that PS1 names.
func plain(dst, text []byte) []byte { return append(dst, text...) }

// bashPS1 is for text that stands in bash's PS1 itself. It is read twice: backslash escapes are decoded first, and what
// they leave is expanded like a string between double quotes. So a backslash needs to survive both, "$" and the backtick
// the second, and "!" becomes its octal code, for the history expansion of POSIX mode.
func bashPS1(dst, text []byte) []byte {
	for _, c := range text {
		switch c {
		case '\\':
			dst = append(dst, `\\\\`...)
		case '$', '`':
			dst = append(dst, '\\', '\\', c)
		case '!':
			dst = append(dst, `\041`...)
		default:
			dst = append(dst, c)
		}
	}
	return dst
}

// zsh is for text in zsh's prompt that is not substituted any more: only "%" is special.
func zsh(dst, text []byte) []byte {
	for _, c := range text {
		if c == '%' {
			dst = append(dst, c)
		}
		dst = append(dst, c)
	}
	return dst
}

// zshSubst is for text that stands in zsh's PROMPT itself with the option prompt_subst on: it is substituted first, and
// "%" is read then.
func zshSubst(dst, text []byte) []byte {
	for _, c := range text {
		switch c {
		case '%':
			dst = append(dst, c)
		case '\\', '$', '`':
			dst = append(dst, '\\')
		}
		dst = append(dst, c)
	}
	return dst
}

// tmux is for what a job #(…) prints. A run of "#" becomes "##": tmux takes halves of it twice, and differently before "[",
// so that only one "#" can be shown in all places.
func tmux(dst, text []byte) []byte {
	for i, c := range text {
		if c == '#' {
			if i > 0 && text[i-1] == '#' {
				continue
			}
			dst = append(dst, c)
		}
		dst = append(dst, c)
	}
	return dst
}

// tmuxOption is for text that stands in an option such as status-right itself: that is read by strftime, too.
func tmuxOption(dst, text []byte) []byte {
	for i, c := range text {
		switch {
		case c == '#' && i > 0 && text[i-1] == '#':
			continue
		case c == '#' || c == '%':
			dst = append(dst, c)
		}
		dst = append(dst, c)
	}
	return dst
}

// defang takes from the text what makes any shell, tmux or prompt engine run or expand something, for when it is not known
// who reads it, and where quoting would itself be expanded: a backslash becomes a slash, a backtick an apostrophe, and "$"
// and "#" go where they could begin an expansion, also at the end, where what follows is not known.
func defang(dst, text []byte) []byte {
	for i, c := range text {
		switch c {
		case '\\':
			c = '/'
		case '`':
			c = '\''
		case '$', '#':
			if i+1 == len(text) || beginsExpansion(text[i+1]) {
				continue
			}
		}
		dst = append(dst, c)
	}
	return dst
}

// beginsExpansion reports whether "$" or "#" before c may be more than itself.
func beginsExpansion(c byte) bool {
	switch c {
	case '(', '{', '[', '_', '$', '#', ',':
		return true
	}
	return c|0x20 >= 'a' && c|0x20 <= 'z'
}
