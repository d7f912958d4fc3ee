//go:build !linux && !darwin

package statefile

import "errors"

// accessList is not an attribute here.
const accessList = ""

// isBinding reports whether a file must not lose an attribute.
func isBinding(string) bool { return false }

// Attributes implements File: none are looked at here. A new file has the rights that its directory gives.
func (f diskFile) Attributes() (Attributes, error) { return nil, nil }

// SetAttribute implements File.
func (f diskFile) SetAttribute(string, string) error { return errors.ErrUnsupported }

// RemoveAttribute implements File.
func (f diskFile) RemoveAttribute(string) error { return errors.ErrUnsupported }
