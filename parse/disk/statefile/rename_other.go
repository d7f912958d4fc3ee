//go:build !linux && !darwin

package statefile

import (
	"errors"
	"os"
)

// exchange is not available here.
func exchange(_ *os.File, _, _ string) error { return errors.ErrUnsupported }
