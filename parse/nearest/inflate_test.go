package nearest

import (
	"bytes"
	"compress/zlib"
	"math/rand/v2"
	"strings"
	"testing"
)

// compressed returns a text as zlib writes it.
func compressed(t testing.TB, text string, level int) string {
	t.Helper()
	var b bytes.Buffer
	w, err := zlib.NewWriterLevel(&b, level)
	if err != nil {
		t.Fatal(err)
	}
	w.Write([]byte(text))
	w.Close()
	return b.String()
}

// TestInflate holds that what zlib has written is read again, at every level, and its beginning where there is no more room.
func TestInflate(t *testing.T) {
	random := rand.New(rand.NewPCG(1, 2))
	noise := make([]byte, 70_000)
	for i := range noise {
		noise[i] = byte(random.Uint32())
	}
	for _, text := range []string{"", "a", strings.Repeat("abcab", 20_000), "tree 4b825dc642cb6eb9a060e54bf8d69288fbee4904\nauthor A\n", string(noise), strings.Repeat(string(noise[:300]), 200)} {
		for level := zlib.HuffmanOnly; level <= zlib.BestCompression; level++ {
			packed := compressed(t, text, level)
			if got, ok := inflate(packed, make([]byte, 0, len(text)+1)); !ok || string(got) != text {
				t.Errorf("level %d: %d bytes of %d, %v", level, len(got), len(text), ok)
			}
			if got, ok := inflate(packed, make([]byte, 0, len(text)/2)); !ok || string(got) != text[:len(text)/2] {
				t.Errorf("level %d: the beginning is %d bytes of %d, %v", level, len(got), len(text)/2, ok)
			}
			if _, ok := inflate(packed[:len(packed)/2], make([]byte, 0, len(text)+1)); ok && len(text) > 1 {
				t.Errorf("level %d: half of it is whole", level)
			}
		}
	}
}

// FuzzInflate holds that nothing makes it panic or write more than there is room for, and that it reads what zlib reads.
func FuzzInflate(f *testing.F) {
	f.Add([]byte(compressed(f, "tree 4b825dc642cb6eb9a060e54bf8d69288fbee4904", 9)))
	f.Add([]byte(compressed(f, strings.Repeat("ab", 400), 1)))
	f.Fuzz(func(t *testing.T, src []byte) {
		const room = 1 << 12
		got, ok := inflate(string(src), make([]byte, 0, room))
		if len(got) > room {
			t.Fatal(len(got))
		}
		r, err := zlib.NewReader(bytes.NewReader(src))
		if err != nil {
			return
		}
		want := make([]byte, room)
		n := 0
		for n < room && err == nil {
			var m int
			m, err = r.Read(want[n:])
			n += m
		}
		if n == room || err.Error() == "EOF" {
			if !ok || string(got) != string(want[:n]) {
				t.Fatalf("%d bytes, %v; zlib has %d", len(got), ok, n)
			}
		}
	})
}
