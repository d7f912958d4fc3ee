// Sentences that people and agents write into STATE.md, word by word.

package rules

// sentence is the words of a text in lower case, without what stands between them. A version and a number with a point are
// one word.
type sentence []string

// maxWords is how many words of a sentence are looked at.
const maxWords = 200

func words(text string) (w sentence) {
	var b []byte
	for i := 0; i <= len(text) && len(w) < maxWords; i++ {
		if i < len(text) && (inWord(text[i]) || (text[i] == '.' || text[i] == '\'') && i+1 < len(text) && inWord(text[i+1]) && len(b) > 0) {
			c := text[i]
			if c >= 'A' && c <= 'Z' {
				c += 'a' - 'A'
			}
			b = append(b, c)
			continue
		}
		if len(b) > 0 {
			w, b = append(w, string(b)), b[:0]
		}
	}
	return w
}

func inWord(c byte) bool {
	return c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c >= '0' && c <= '9'
}

// has reports whether words stand in the sentence one behind the other.
func (w sentence) has(text string) bool { return w.find(text, 0) >= 0 }

// find returns where words, parted by a blank, stand one behind the other from a place on; -1 without them.
func (w sentence) find(text string, from int) int {
	want := words(text)
	for i := from; i+len(want) <= len(w); i++ {
		same := true
		for j := range want {
			same = same && w[i+j] == want[j]
		}
		if same {
			return i
		}
	}
	return -1
}

// only reports whether the sentence has no other words than these.
func (w sentence) only(all ...string) bool {
	for _, word := range w {
		if !oneOf(word, all...) {
			return false
		}
	}
	return true
}

func oneOf(word string, all ...string) bool {
	for _, other := range all {
		if word == other {
			return true
		}
	}
	return false
}
