//go:build !linux && !darwin

package statefile

import (
	"errors"
	"os"
)

// renameNew is not to be had here.
func renameNew(_ *os.File, _ string, _ *os.File, _ string) error { return errors.ErrUnsupported }

// exchange is not to be had here.
func exchange(_ *os.File, _ string, _ *os.File, _ string) error { return errors.ErrUnsupported }
