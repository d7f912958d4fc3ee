//go:build !windows

// System calls the program needs from its environment. The package os would add 0.09 of an empty program's run time: it
// sets up files, polling and errors that are not needed here.

package main

import (
	"syscall"
	_ "unsafe" // for go:linkname

	"gatehouse/parse/disk/peek"
)

const (
	stdin  = 0
	stdout = 1
	stderr = 2
)

// programArgs returns the command line without the program's name.
func programArgs() []string {
	args := runtimeArgs()
	return args[min(1, len(args)):]
}

// programPath returns the absolute path that the program was called with, as typed or as found in PATH. Links are not
// resolved: their target may contain a version number and disappear with the next release.
func programPath() string {
	args := runtimeArgs()
	if len(args) == 0 || args[0] == "" {
		return "statusline"
	}
	name := args[0]
	for i := range len(name) {
		if peek.IsSeparator(name[i]) {
			return peek.Absolute(name, workingDir())
		}
	}
	for rest, more := lookupEnv("PATH"), true; more; {
		end := 0
		for end < len(rest) && rest[end] != ':' {
			end++
		}
		dir := rest[:end]
		if more = end < len(rest); more {
			rest = rest[end+1:]
		}
		path := peek.Absolute(peek.Join(dir, name), workingDir())
		if dir == "" {
			path = peek.Join(workingDir(), name)
		}
		if isProgram(path) {
			return path
		}
	}
	return name
}

// isProgram reports whether the file at path may be run.
func isProgram(path string) bool {
	const execute = 1
	var st syscall.Stat_t
	return syscall.Stat(path, &st) == nil && st.Mode&syscall.S_IFMT == syscall.S_IFREG && syscall.Access(path, execute) == nil
}

// programEnv returns the environment as "NAME=value".
func programEnv() []string { return runtimeEnvironment() }

// lookupEnv returns the value of an environment variable, "" when it is not set.
func lookupEnv(name string) string {
	for _, entry := range runtimeEnvironment() {
		if len(entry) > len(name) && entry[len(name)] == '=' && entry[:len(name)] == name {
			return entry[len(name)+1:]
		}
	}
	return ""
}

// workingDir returns the working directory without links, as the status line of an agent gets it, "/" when it is gone.
func workingDir() string {
	dir, err := syscall.Getwd()
	if err != nil {
		return peek.Separator
	}
	return dir
}

func homeDir() string { return lookupEnv("HOME") }

// unixNow returns the time in seconds since 1970, 0 when the system has none.
func unixNow() int64 {
	var tv syscall.Timeval
	if syscall.Gettimeofday(&tv) != nil {
		return 0
	}
	return int64(tv.Sec)
}

// writeOut writes the whole text or gives up; there is no way to report an error.
func writeOut(fd int, text []byte) {
	for len(text) > 0 {
		n, err := syscall.Write(fd, text)
		if err == syscall.EINTR {
			continue
		}
		if err != nil || n <= 0 {
			return
		}
		text = text[n:]
	}
}

func exitWith(code int) { syscall.Exit(code) }

// The runtime keeps the arguments and the environment and hands them to os and syscall through these two functions. Asking
// it directly spares os, and syscall.Getenv's copy of the whole environment into a map.

//go:linkname runtimeArgs os.runtime_args
func runtimeArgs() []string

//go:linkname runtimeEnvironment syscall.runtime_envs
func runtimeEnvironment() []string

// makePrivate creates the directory at path if it is missing, and reports whether only the user can write to it.
func makePrivate(path string) bool {
	var st syscall.Stat_t
	return makeDir(path) && syscall.Lstat(path, &st) == nil && st.Mode&syscall.S_IFMT == syscall.S_IFDIR &&
		int(st.Uid) == syscall.Geteuid() && st.Mode&0o022 == 0
}

// makeDir creates a directory and its missing parents for the user alone.
func makeDir(path string) bool {
	err := syscall.Mkdir(path, 0o700)
	if up := peek.Parent(path); err == syscall.ENOENT && up != path && makeDir(up) {
		err = syscall.Mkdir(path, 0o700)
	}
	return err == nil || err == syscall.EEXIST
}

// replaceFile puts text into the file at path at once, or leaves it. A temporary file of a process that died is removed after
// abandonedAfter.
func replaceFile(path string, text []byte) {
	temp := path + ".tmp"
	fd, err := syscall.Open(temp, syscall.O_WRONLY|syscall.O_CREAT|syscall.O_EXCL|syscall.O_NOFOLLOW|syscall.O_CLOEXEC, 0o600)
	if err != nil {
		if info, ok := peek.Stat(temp); ok && unixNow()-info.Modified/1e9 >= abandonedAfter {
			syscall.Unlink(temp)
		}
		return
	}
	n, err := syscall.Write(fd, text)
	syscall.Close(fd)
	if err != nil || n < len(text) || syscall.Rename(temp, path) != nil {
		syscall.Unlink(temp)
	}
}
