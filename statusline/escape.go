// The escaping of each sink. The rules look odd and are exact: each was found by showing hostile text in the real place
// (testdata/conformance/escape_vectors.jsonl), and the escaping of other tools failed there.

package statusline

// escapes are the characters that are special in a place, and the text that shows each of them there.
type escapes []struct {
	char byte
	text string
}

var (
	// bash reads the text of PS1 twice: it decodes backslash escapes first, and expands the result like a string between
	// double quotes. So a backslash needs to survive both, "$" and the backtick the second, and "!" becomes its octal code, for
	// the history expansion of POSIX mode.
	bashPS1 = escapes{{'\\', `\\\\`}, {'$', `\\$`}, {'`', "\\\\`"}, {'!', `\041`}}
	// zsh's prompt, if it is no longer substituted.
	zsh = escapes{{'%', "%%"}}
	// zsh's PROMPT with the option prompt_subst: zsh substitutes it first, and reads "%" then.
	zshSubst = escapes{{'%', "%%"}, {'\\', `\\`}, {'$', `\$`}, {'`', "\\`"}}
	// The output of a job #(…) of tmux.
	tmux = escapes{{'#', "##"}}
	// An option of tmux such as status-right: strftime reads it, too.
	tmuxOption = escapes{{'#', "##"}, {'%', "%%"}}
)

// appendTo appends text with its special characters escaped. A run of "#" becomes a single "##": tmux takes halves of it
// twice, and differently before "[", so that only one "#" can be shown in all places.
func (e escapes) appendTo(dst, text []byte) []byte {
next:
	for i, c := range text {
		for _, special := range e {
			if c == special.char {
				if c != '#' || i == 0 || text[i-1] != '#' {
					dst = append(dst, special.text...)
				}
				continue next
			}
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
