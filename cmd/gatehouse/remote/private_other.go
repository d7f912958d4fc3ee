//go:build !unix

package remote

import "os"

// private reports whether the key is there; who may read it is not told by a mode here.
func private(file string) error {
	_, err := os.Stat(file)
	return err
}
