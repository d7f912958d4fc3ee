//go:build !windows

package main

import _ "unsafe" // for go:linkname

// The runtime keeps the arguments and the environment and hands them to os and syscall through these two functions. Asking
// it directly spares os, and syscall.Getenv's copy of the whole environment into a map.

//go:linkname runtimeArgs os.runtime_args
func runtimeArgs() []string

//go:linkname runtimeEnvironment syscall.runtime_envs
func runtimeEnvironment() []string
