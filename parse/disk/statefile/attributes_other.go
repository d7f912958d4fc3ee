//go:build !linux && !darwin

package statefile

import "errors"

// accessList is not an attribute here.
const accessList = ""

// isBinding reports whether a file must not lose an attribute.
func isBinding(string) bool { return false }

// Attributes returns nothing: none are looked at here. A new file has the rights that its directory gives.
func (f *File) Attributes() (Attributes, error) { return nil, nil }

// SetAttribute fails.
func (f *File) SetAttribute(string, string) error { return errors.ErrUnsupported }

// RemoveAttribute fails.
func (f *File) RemoveAttribute(string) error { return errors.ErrUnsupported }
