package tty

import (
	"bytes"
	"regexp"
	"strings"
	"testing"
	"unicode/utf8"
)

// passed returns what passes the filter if a text arrives in one piece.
func passed(text string) string {
	var s inputFilter
	return string(s.pass([]byte(text)))
}

func TestInputFilter(t *testing.T) {
	long := strings.Repeat("1;", 200)
	for _, c := range []struct{ name, in, out string }{
		{"text", "jk é日本\U0001F600", "jk é日本\U0001F600"},
		{"controls", "\x00\x01\t\r\n\x7f", "\x00\x01\t\r\n\x7f"},
		{"keys", "\x1b[A\x1b[1;5C\x1b[3~\x1b[15;2~\x1bOP\x1bO5Q\x1b[Z", "\x1b[A\x1b[1;5C\x1b[3~\x1b[15;2~\x1bOP\x1bO5Q\x1b[Z"},
		{"more of keys", "\x1b[97;5:1u\x1b[27;5;97~\x1b[57358u", "\x1b[97;5:1u\x1b[27;5;97~\x1b[57358u"},
		{"mouse, focus", "\x1b[<0;12;34M\x1b[<0;12;34m\x1b[I\x1b[O", "\x1b[<0;12;34M\x1b[<0;12;34m\x1b[I\x1b[O"},
		{"replies to what is asked", "\x1b[?2026;2$y\x1b[?62;4;22c\x1b[?1u\x1b]11;rgb:1e1e/1e1e/1e1e\x1b\\", "\x1b[?2026;2$y\x1b[?62;4;22c\x1b[?1u\x1b]11;rgb:1e1e/1e1e/1e1e\x1b\\"},
		{"the same with BEL", "\x1b]11;rgb:ffff/ffff/ffff\aj", "\x1b]11;rgb:ffff/ffff/ffff\x1b\\j"},
		{"replies to what is not", "\x1b]52;c;aGk=\x07\x1bP>|xterm(390)\x1b\\\x1b_Gi=1;OK\x1b\\\x1b^x\x1b\\\x1bXy\x1b\\\x1b]11;\x07j", "j"},
		{"a reply that is too long", "\x1b]11;rgb:" + strings.Repeat("f", 1000) + "\x1b\\j", "j"},
		{"a reply broken off", "\x1b]11;rgb\x18j\x1bPx\x1ak\x1b]11;r\x1b[A\x1b]11;r\x1b\x1b[B", "jk\x1b[A\x1b[27u\x1b[B"},
		{"a reply with other bytes", "\x1b]11;rgb:\x9c\n1\x07j", "j"},
		{"alt", "\x1bj\x1bJ\x1b\r\x1b\x7f\x1b\x02\x1b\x00\x1b é\x1bé", "\x1b[106;3u\x1b[106;4u\x1b[13;3u\x1b[127;3u\x1b[98;7u\x1b[32;7u\x1b[32;3ué\x1b[233;3u"},
		{"the key", "\x1b", "\x1b"},
		{"the key, twice", "\x1b\x1b", "\x1b[27u\x1b"},
		{"the key, held down", "\x1b\x1b\x1bq", "\x1b[27u\x1b[27u\x1b[113;3u"},
		{"alt and an arrow", "\x1b\x1b[A", "\x1b[27u\x1b[A"},
		{"sizes", "\x1b[48;99999;99999;0;0t\x1b[8;24;80t\x1b[4;1;1tj", "j"},
		{"keys of Windows", "\x1b[65;30;97;1;0;65535_j", "j"},
		{"a sequence that is too long", "\x1b[" + long + "Aj", "j"},
		{"one with too many numbers", "\x1b[" + strings.Repeat(";", 40) + "Aj", "j"},
		{"one that is broken off", "\x1b[12\x01\x1b[3\x1b[A\x1b[4é\x1bO\x02\x1bO1\x1bO\x7f\x1bO1234P", "\x01\x1b[Aé\x02\x7f4P"},
		{"one in a wrong order", "\x1b[1$2yj", "j"},
		{"a mouse of old", "\x1b[M \x1b[j", "j"},
		{"a paste", "\x1b[200~two\r\nlines\té\x1b[201~j", "\x1b[200~two\r\nlines\té\x1b[201~j"},
		{"one with sequences in it", "\x1b[200~a\x1b[A\x00b\x1b]0;x\x07c\x7f\x9b\xffd\x1b[20x\x1b\x1b[201~j", "\x1b[200~a[Ab]0;xcd[20x\x1b[201~j"},
		{"one in other forms", "\x1b[0200~\x1b[200;1~\x1b[2<00~\x1b[4294967496~\x1b[201;~j", "j"},
		{"the end of none", "\x1b[201~j", "\x1b[201~j"},
		{"what is no text", "a\xffb\xc3c\xe6\x97d\x80e\xf0\x9f\x98f\xed\xa0\x80g", "abcdefg"},
	} {
		t.Run(c.name, func(t *testing.T) {
			if got := passed(c.in); got != c.out {
				t.Errorf("%q goes through as\n%q, want\n%q", c.in, got, c.out)
			}
		})
	}
}

// TestInputFilterInPieces checks input that has to pass before its meaning is known: an ESC may be the key or the beginning of a
// sequence.
func TestInputFilterInPieces(t *testing.T) {
	for _, c := range []struct {
		name string
		in   []string // a dash is a pause without input
		out  []string
	}{
		{"an arrow", []string{"\x1b", "[A"}, []string{"\x1b", "[A"}},
		{"an arrow, byte by byte", []string{"\x1b", "[", "1", ";", "5", "A"}, []string{"\x1b", "", "", "", "", "[1;5A"}},
		{"a function key", []string{"\x1b", "O", "P"}, []string{"\x1b", "", "OP"}},
		{"alt", []string{"\x1b", "j"}, []string{"\x1b", "[106;3u"}},
		{"alt and a long character", []string{"\x1b", "\xc3", "\xa9"}, []string{"\x1b", "", "[233;3u"}},
		{"the key, then another", []string{"\x1b", "-", "j"}, []string{"\x1b", "", "j"}},
		{"the key, then brackets", []string{"\x1b", "-", "[", "A"}, []string{"\x1b", "", "[", "A"}},
		{"the key, twice", []string{"\x1b", "\x1b", "-", "j"}, []string{"\x1b", "[27u\x1b", "", "j"}},
		{"a sequence left out", []string{"\x1b", "[8;1;1t", "j"}, []string{"\x1b", "[}", "j"}},
		{"a reply left out", []string{"\x1b", "]52;c;", "aGk=\x07j"}, []string{"\x1b", "", "]0;-\x1b\\j"}},
		{"alt and a bracket, then another key", []string{"\x1b[", "-", "j"}, []string{"", "", "j"}},
		{"a character", []string{"\xe6", "\x97", "\xa5"}, []string{"", "", "日"}},
		{"a paste", []string{"\x1b[200~a", "-", "b\x1b[2", "-", "01~c"}, []string{"\x1b[200~a", "", "b", "", "\x1b[201~c"}},
		{"a paste whose end is lost", []string{"\x1b[200~a", "\x03", "j"}, []string{"\x1b[200~a", "\x1b[201~\x03", "j"}},
		{"ctrl+c in a paste", []string{"\x1b[200~a\x03b", "\x1b[201~"}, []string{"\x1b[200~ab", "\x1b[201~"}},
	} {
		t.Run(c.name, func(t *testing.T) {
			var s inputFilter
			for i, in := range c.in {
				got := ""
				if in == "-" {
					s.expire()
				} else {
					got = string(s.pass([]byte(in)))
				}
				if got != c.out[i] {
					t.Errorf("%q goes through as %q, want %q", in, got, c.out[i])
				}
			}
		})
	}
}

// TestEndlessSequencesAreBounded sends megabytes in sequences that the framework would buffer until their end.
func TestEndlessSequencesAreBounded(t *testing.T) {
	for _, c := range []struct {
		name, begin, more string
		limit             int
	}{
		{"a paste", pasteBegin, "text ", pasteLimit + len(pasteBegin)},
		{"a reply", "\x1b]11;", "f", 0}, {"a device's", "\x1bP", "f", 0}, {"a program's", "\x1b_", "f", 0},
		{"a sequence", "\x1b[", "1;", 0}, {"a function key", "\x1bO", "1", 0},
	} {
		t.Run(c.name, func(t *testing.T) {
			var s inputFilter
			n := len(s.pass([]byte(c.begin)))
			piece := []byte(strings.Repeat(c.more, 4000/len(c.more)))
			for range 1000 {
				n += len(s.pass(piece))
			}
			if n > c.limit+len(piece) && c.name != "a function key" { // its digits soon count as keys again
				t.Errorf("%d bytes go through", n)
			}
			if held := cap(s.held); held > 4*holdLimit {
				t.Errorf("%d bytes are held", held)
			}
		})
	}
}

var (
	// wholePaste is a paste, finished or not, without control characters.
	wholePaste = regexp.MustCompile(`(?s)\x1b\[200~[^\x00-\x08\x0b\x0c\x0e-\x1f\x7f]*(?:\x1b\[201~|$)`)
	// whole is all other input that may pass: it can be decoded without knowing what comes next.
	whole = regexp.MustCompile(`(?s)^(?:[^\x1b]|\x1b\[[0-?]{0,255}[ -/]{0,255}[@-~]|\x1bO[0-9]{0,3}[!-/:-~]|\x1b\]11;[ -~]+\x1b\\|\x1b\]0;-\x1b\\)*\x1b?$`)
)

// decodable reports whether the framework can decode a text without buffering any of it.
func decodable(text []byte) bool {
	text = wholePaste.ReplaceAll(text, nil)
	return utf8.Valid(text) && whole.Match(text) && !bytes.Contains(text, []byte(pasteBegin))
}

func FuzzInputFilter(f *testing.F) {
	for _, seed := range []string{
		"jk\x1b[A\x1b[<0;1;2M", "\x1b[200~a\x1b[201~b", "\x1b]11;rgb:0/0/0\x1b\\", "\x1b]52;c;x\x07\x1bPx\x1b\\", "\x1b\x1bO1P\x1bé",
		"\x1b[8;1;1t\x1b[1;1;1;1;1;9_\x1b[M   ", "\xc3\xa9\xe6\x97\xa5\xff", "\x1b[12$y\x1b[\x18\x1b[0200~",
	} {
		f.Add([]byte(seed), uint8(3))
	}
	f.Fuzz(func(t *testing.T, in []byte, size uint8) {
		if len(in) > 200 { // longer input takes too long to minimize
			return
		}
		var s inputFilter
		out := bytes.Clone(s.pass(in))
		if len(out) > 3*len(in)+holdLimit {
			t.Fatalf("%d bytes become %d", len(in), len(out))
		}
		if !decodable(out) {
			t.Fatalf("%q goes through as %q", in, out)
		}
		if again := passed(string(out)); again != string(out) {
			t.Fatalf("%q, which went through, does as %q", out, again)
		}
		// The held input is bounded, and pieces of any size pass as a whole, too.
		var p inputFilter
		var pieces []byte
		for rest := in; len(rest) > 0; {
			n := min(int(size)+1, len(rest))
			pieces = append(pieces, p.pass(rest[:n])...)
			rest = rest[n:]
		}
		if len(p.held) > holdLimit || len(pieces) > 8*len(in)+holdLimit {
			t.Fatalf("%d bytes are held, and %d went through", len(p.held), len(pieces))
		}
		if !decodable(pieces) {
			t.Fatalf("in pieces %q goes through as %q", in, pieces)
		}
	})
}
