package line

import (
	"os"
	"strconv"
	"strings"
	"testing"
)

// TestTexts checks the rows of testdata/texts.txt: a function, its arguments, "=" and the result.
func TestTexts(t *testing.T) {
	text, err := os.ReadFile("testdata/texts.txt")
	if err != nil {
		t.Fatal(err)
	}
	for row := range strings.Lines(string(text)) {
		if words := splitWords(strings.TrimSpace(row)); len(words) > 3 && words[0] != "#" {
			end := len(words) - 2
			if got := textOf(t, words[0], words[1:end]); got != words[end+1] {
				t.Errorf("%sis %q", row, got)
			}
		}
	}
}

// splitWords splits a row at its blanks; a word may be a string as Go spells it.
func splitWords(row string) (words []string) {
	for row != "" {
		word, err := strconv.QuotedPrefix(row)
		if err != nil {
			word, _, _ = strings.Cut(row, " ")
		}
		row = strings.TrimPrefix(row[len(word):], " ")
		if text, err := strconv.Unquote(word); err == nil {
			word = text
		}
		words = append(words, word)
	}
	return words
}

// textOf calls a function with the arguments of a row.
func textOf(t *testing.T, function string, args []string) string {
	t.Helper()
	in, limit := args[0], 0
	if len(args) == 2 {
		limit, _ = strconv.Atoi(args[1])
	}
	switch function {
	case "clean":
		return appended(t, Clean, AppendClean, in, limit)
	case "foreign":
		return appended(t, Foreign, AppendForeign, in, limit)
	case "composed":
		return Composed(in, args[1:]...)
	case "name":
		return Name(in)
	case "tidy":
		return Tidy(in)
	case "json":
		return string(AppendJSONString(nil, in))
	case "reveal":
		got := Reveal(in)
		if Reveal(got) != got || Clean(got) != got {
			t.Errorf("%q is revealed again as %q, cleaned as %q", got, Reveal(got), Clean(got))
		}
		return got
	case "body":
		got := ForeignBody(in)
		if ForeignBody(got) != got {
			t.Errorf("%q is changed again to %q", got, ForeignBody(got))
		}
		return got
	case "width":
		return Decimal(Width(in))
	case "bar":
		var text Text
		percent, _ := strconv.Atoi(in)
		text.Bar(percent, true)
		return string(text.Bytes())
	case "amount":
		number, _ := strconv.ParseFloat(in, 64)
		return Amount(number).Text()
	}
	t.Fatalf("no function %q", function)
	return ""
}

// appended calls the two forms of a function, which must agree.
func appended(t *testing.T, whole func(string) string, form func([]byte, string, int) []byte, in string, limit int) string {
	t.Helper()
	got := string(form([]byte("x "), in, limit)[len("x "):])
	if limit == 0 && whole(in) != got {
		t.Errorf("%q is %q, appended %q", in, whole(in), got)
	}
	return got
}
