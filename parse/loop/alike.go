// Gates whose names look the same and are not: what is decided is the one that is meant.

package loop

import (
	"fmt"
	"strings"
)

// alike are characters that look like a letter or a digit of ASCII, Cyrillic and Greek ones among them.
var alike = strings.NewReplacer(
	"а", "a", "е", "e", "о", "o", "р", "p", "с", "c", "х", "x", "у", "y", "і", "i", "ј", "j", "ѕ", "s", "һ", "h", "ԁ", "d", "ԛ", "q", "ԝ", "w", "ɡ", "g", "ո", "n",
	"А", "A", "В", "B", "Е", "E", "К", "K", "М", "M", "Н", "H", "О", "O", "Р", "P", "С", "C", "Т", "T", "Х", "X", "І", "l", "Ѕ", "S",
	"ο", "o", "α", "a", "ν", "v", "ι", "i", "ρ", "p", "Α", "A", "Β", "B", "Ε", "E", "Ζ", "Z", "Η", "H", "Ι", "l", "Κ", "K", "Μ", "M", "Ν", "N", "Ο", "O", "Ρ", "P", "Τ", "T", "Υ", "Y", "Χ", "X",
	"I", "l", "1", "l", "|", "l", "0", "O", "‐", "-", "‑", "-", "–", "-", "—", "-", "−", "-", "_", "-", " ", "-", "\u00A0", "-",
)

// looks returns a name by how it looks; names that look the same have one in common.
func looks(name string) string {
	return alike.Replace(strings.Map(func(r rune) rune {
		if r >= '！' && r <= '～' { // of double width
			return r - '！' + '!'
		}
		return r
	}, name))
}

// twin returns the name of another gate of the loop that looks like that of a gate, "" where there is none.
func (v *view) twin(i int) string {
	if v.looks == nil {
		v.looks = map[string][]int{}
		for k := range v.loop.Gates {
			name := looks(v.loop.Gates[k].ID)
			v.looks[name] = append(v.looks[name], k)
		}
	}
	for _, k := range v.looks[looks(v.loop.Gates[i].ID)] {
		if k != i {
			return v.loop.Gates[k].ID
		}
	}
	return ""
}

// twinWarning tells a gate apart from one whose name looks the same: by its first letter that differs. "" where there is none.
func (v *view) twinWarning(i int) string {
	twin := v.twin(i)
	if twin == "" {
		return ""
	}
	name := []rune(v.loop.Gates[i].ID)
	for k, r := range []rune(twin) {
		if k < len(name) && name[k] != r {
			return fmt.Sprintf("another gate's name looks the same: its character %d is %U, here it is %U", k+1, r, name[k])
		}
	}
	return "another gate's name looks the same"
}
