//go:build !windows && nolinkname

package main

import "os"

// The standard way to get arguments and environment, for Go versions and compilers that runtime_linked.go does not
// link.

func runtimeArgs() []string { return os.Args }

func runtimeEnvironment() []string { return os.Environ() }
