// The escaping of each sink. The rules look odd and are exact: each was found by showing hostile text in the real place
// (testdata/conformance/escape_vectors.jsonl), and the escaping of other tools failed there.

package statusline

// escapePlain leaves the text unchanged: for a place that expands nothing, such as a file, a pipe, fish's prompt function, or
// a variable that PS1 names.
func escapePlain(dst, text []byte) []byte { return append(dst, text...) }

// bashPS1 is for text in bash's PS1 itself. bash reads it twice: it decodes backslash escapes first, and expands the
// result like a string between double quotes. So a backslash needs to survive both, "$" and the backtick the second,
// and "!" becomes its octal code, for the history expansion of POSIX mode.
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

// escapeZsh is for text in zsh's prompt that is no longer substituted: only "%" is special.
func escapeZsh(dst, text []byte) []byte {
	for _, c := range text {
		if c == '%' {
			dst = append(dst, c)
		}
		dst = append(dst, c)
	}
	return dst
}

// zshSubst is for text in zsh's PROMPT itself with the option prompt_subst on: zsh substitutes it first, and reads "%"
// then.
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

// escapeTmux is for the output of a job #(…). A run of "#" becomes "##": tmux takes halves of it twice, and differently
// before "[", so that only one "#" can be shown in all places.
func escapeTmux(dst, text []byte) []byte {
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

// tmuxOption is for text in an option such as status-right itself: strftime reads it, too.
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

// defangText removes from the text everything that makes any shell, tmux or prompt engine run or expand something, for
// unknown readers, and for places that would expand the quoting itself: a backslash becomes a slash, a backtick an
// apostrophe, and "$" and "#" are dropped if they could begin an expansion, also at the end, because the following text
// is unknown.
func defangText(dst, text []byte) []byte {
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
