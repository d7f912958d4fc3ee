package yamldoc

import (
	"errors"
	"reflect"
	"slices"
	"testing"
)

func TestParse(t *testing.T) {
	const block = `phase: 03-api
plan: 01
wave: 2
depends_on: ["03-01", 03-02]
autonomous: false   # a human looks on
files_modified:
  - a.go
  - b.go
empty: null
must_haves: {truths: [a: b: c]
human:
  - test: "open it"
    expected: it opens
  - just text
status: superseded
`
	d, err := Parse(block, 2, "plan", "wave", "depends_on", "autonomous", "files_modified", "empty", "human", "status")
	if err != nil {
		t.Fatal(err)
	}
	if got := d.String("plan"); got != "01" {
		t.Errorf("plan = %q, want 01: numbers stay as written", got)
	}
	if n, ok := d.Int("wave"); n != 2 || !ok {
		t.Errorf("wave = %d, %v", n, ok)
	}
	if got := d.Strings("depends_on"); !slices.Equal(got, []string{"03-01", "03-02"}) {
		t.Errorf("depends_on = %q", got)
	}
	if !d.False("autonomous") || d.True("autonomous") {
		t.Error("autonomous: false with a comment is not read as false")
	}
	if got := d.Strings("files_modified"); !slices.Equal(got, []string{"a.go", "b.go"}) {
		t.Errorf("files_modified = %q", got)
	}
	if got := d.String("empty"); got != "" {
		t.Errorf("null = %q, want nothing", got)
	}
	human := d.Docs("human")
	if len(human) != 2 || human[0].String("expected") != "it opens" || human[1].String("") != "just text" {
		t.Errorf("human = %+v", human)
	}
	if got := human[0].Line("test"); got != 13 {
		t.Errorf("the first test is on line %d of the document, want 13", got)
	}
	if got := d.Line("status"); got != 16 {
		t.Errorf("status is on line %d of the document, want 16", got)
	}
	if d.Has("phase") {
		t.Error("a key that was not asked for was read")
	}
}

func TestParseReportsTheLineAndKeepsTheRest(t *testing.T) {
	d, err := Parse("status: done\ntitle: \"unclosed\nwave: 3\n", 2, "status", "title", "wave")
	var e *Error
	if !errors.As(err, &e) || e.Line < 3 || e.Line > 5 {
		t.Fatalf("error %v, want one on line 3 to 5", err)
	}
	if d.String("status") != "done" || d.String("wave") != "3" {
		t.Errorf("status %q, wave %q: what can be read line by line is lost", d.String("status"), d.String("wave"))
	}
}

func TestTwice(t *testing.T) {
	d, err := Parse("status: a\nwave: 1\nstatus: b\n", 2)
	if err != nil {
		t.Fatal(err)
	}
	if got := d.Twice(); !reflect.DeepEqual(got, map[string]int{"status": 4}) {
		t.Errorf("Twice() = %v", got)
	}
	if got := d.String("status"); got != "b" {
		t.Errorf("status = %q, want the last", got)
	}
}

func TestShape(t *testing.T) {
	d, _ := Parse("a: x\nb: 1\nc: [1]\nd: {e: f}\ng: null\nh: yes\ni: true\n", 1)
	for key, want := range map[string]string{"a": "text", "b": "a number", "c": "a list", "d": "a block of keys", "g": "null", "i": "true or false", "z": "nothing"} {
		if got := d.Shape(key); got != want {
			t.Errorf("Shape(%s) = %q, want %q", key, got, want)
		}
	}
}

// FuzzPlain holds the reading without the library to the library's own.
func FuzzPlain(f *testing.F) {
	for _, seed := range []string{
		"status: done\n", "wave: 2\nplan: 01\n", "depends_on: []\n", "depends_on: [\"03-01\", 03-02]\n", "a: b c\n\nd: e.f/g-h\r\n",
		"a: null\n", "a: ~\n", "a: 'x'\n", "a: \"\"\n", "a: - b\n", "a: b: c\n", "a: [x, [y]]\n", "a: [x,y]\n", "a: [,]\n", "on: off\n", "a: 1.0\na: 2\n", "y: 0x1F\n", "a: b #c\n", "a: 12:30\n", "a: ---\n", "a: x\n b: y\n", "a: \"x\" y\n",
	} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, text string) {
		fast, ok := plain(text, 2)
		if !ok {
			return
		}
		slow, err := decode(text, 2)
		if err != nil {
			t.Fatalf("read %q, which the library refuses: %v", text, err)
		}
		if fast.Len() != slow.Len() {
			t.Fatalf("%q: keys %q, the library has %q", text, fast.Keys(), slow.Keys())
		}
		for _, key := range slow.Keys() {
			if fast.String(key) != slow.String(key) || !slices.Equal(fast.Strings(key), slow.Strings(key)) || fast.Line(key) != slow.Line(key) ||
				fast.True(key) != slow.True(key) || fast.False(key) != slow.False(key) {
				t.Errorf("%q: %s is %q %q on line %d, the library has %q %q on line %d", text, key,
					fast.String(key), fast.Strings(key), fast.Line(key), slow.String(key), slow.Strings(key), slow.Line(key))
			}
		}
	})
}

func FuzzParse(f *testing.F) {
	f.Add("status: done\nlist:\n- a\n- b: c\n")
	f.Add("a: &x 1\nb: *x\n")
	f.Add("\t: :\n- [\n")
	f.Fuzz(func(t *testing.T, text string) {
		for _, d := range []Doc{first(Parse(text, 2)), first(Parse(text, 2, "status", "list", "a"))} {
			for _, key := range d.Keys() {
				d.String(key)
				d.Strings(key)
				d.Docs(key)
				d.Shape(key)
				if d.Line(key) < 2 {
					t.Errorf("%s is on line %d, before the block", key, d.Line(key))
				}
			}
		}
	})
}

func first(d Doc, _ error) Doc { return d }
