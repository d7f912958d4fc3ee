//go:build !linux

package main_test

import (
	"fmt"
	"testing"
)

// BenchmarkDashboard measures on Linux only, where /proc tells what a process costs.
func BenchmarkDashboard(b *testing.B) {
	fmt.Println("BenchmarkDashboard skipped: the dashboard is measured on Linux only")
	b.Skip()
}
