//go:build !unix

package mirror

import "os"

func openDir(name string) (*os.File, error) { return os.Open(name) }
