//go:build !linux

// This file stands in where a file system's kind is not known: the poll runs at its slow pace there.

package watch

func eventlessFS(string) string { return "" }
