//go:build !linux && !darwin

package statefile

import (
	"errors"
	"os"
)

// renameNew is not available here.
func renameNew(_ *os.File, _ string, _ *os.File, _ string) error { return errors.ErrUnsupported }

// exchange is not available here.
func exchange(_ *os.File, _ string, _ *os.File, _ string) error { return errors.ErrUnsupported }
