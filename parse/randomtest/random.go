// Package randomtest makes random projects of each protocol, for tests and comparisons: some standard, some with oddities that
// the protocol does not know, some broken. The same source of random numbers makes the same project.
package randomtest

import (
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
)

// Generators are the generators by protocol. Each returns the text of every file by its path, with slashes; a path that ends
// with a slash is an empty directory.
var Generators = []struct {
	Protocol string
	Files    func(rng *rand.Rand) map[string]string
}{
	{"gsd", RandomGSD}, {"ultraplan", RandomUltraplan}, {"loop", RandomLoop}, {"fctry", RandomFctry},
}

// WriteFiles writes the files of a project below a directory, which it creates.
func WriteFiles(dir string, files map[string]string) error {
	for name, text := range files {
		path := filepath.Join(dir, filepath.FromSlash(name))
		if strings.HasSuffix(name, "/") {
			if err := os.MkdirAll(path, 0o755); err != nil {
				return err
			}
			continue
		}
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			return err
		}
		if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
			return err
		}
	}
	return nil
}

// source is a source of random choices.
type source struct{ *rand.Rand }

// oneOf returns one of several values.
func oneOf[T any](o source, all ...T) T { return all[o.IntN(len(all))] }

// sometimes returns other in one of n cases, else text.
func (o source) sometimes(n int, other, text string) string {
	if o.IntN(n) == 0 {
		return other
	}
	return text
}
