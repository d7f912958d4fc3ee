//go:build !windows && nolinkname

package main

import "os"

// The arguments and the environment as any program gets them: for a Go version, or a compiler, in which
// runtime_linked.go does not link.

func runtimeArgs() []string { return os.Args }

func runtimeEnvironment() []string { return os.Environ() }
