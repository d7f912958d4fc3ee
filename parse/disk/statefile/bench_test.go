package statefile_test

import (
	"os"
	"strings"
	"testing"

	. "gatehouse/parse/disk/statefile"
)

// BenchmarkReplace writes a file of 4 KiB. Without fsync it shows the share of our own code in the time.
func BenchmarkReplace(b *testing.B) {
	for name, sync := range map[string]bool{"fsync": true, "no fsync": false} {
		b.Run(name, func(b *testing.B) {
			dir := b.TempDir()
			file := dir + "/x-state.json"
			must(b, os.WriteFile(file, []byte(strings.Repeat("x", 4<<10)), 0o644))
			s := NewStore(&System{Unsynced: !sync})
			n := 0
			for b.Loop() {
				n++
				_, err := s.Replace(b.Context(), Target{file, []string{dir}}, func(c string) (string, error) {
					return string(rune('a'+n%2)) + c[1:], nil
				})
				must(b, err)
			}
		})
	}
}
