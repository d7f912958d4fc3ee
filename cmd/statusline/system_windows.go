// The environment of the program, through os: the startup cost of its imports is not measured on Windows.

package main

import (
	"os"
	"time"
)

const (
	stdin  = 0
	stdout = 1
	stderr = 2
)

// programArgs returns the command line without the program's name.
func programArgs() []string { return os.Args[min(1, len(os.Args)):] }

// programPath returns the absolute path of the program.
func programPath() string {
	path, err := os.Executable()
	if err != nil {
		return "statusline"
	}
	return path
}

// programEnv returns the environment as "NAME=value".
func programEnv() []string { return os.Environ() }

// lookupEnv returns the value of an environment variable, "" when it is not set.
func lookupEnv(name string) string { return os.Getenv(name) }

// workingDir returns the working directory, the root of the drive when it is gone.
func workingDir() string {
	dir, err := os.Getwd()
	if err != nil {
		return `\`
	}
	return dir
}

func homeDir() string {
	dir, _ := os.UserHomeDir()
	return dir
}

// unixNow returns the time in seconds since 1970.
func unixNow() int64 { return time.Now().Unix() }

func writeOut(fd int, text []byte) {
	if fd == stderr {
		os.Stderr.Write(text)
	} else {
		os.Stdout.Write(text)
	}
}

// makePrivate creates the directory at path if it is missing. The user's own directories are private by inheritance.
func makePrivate(path string) bool { return os.MkdirAll(path, 0o700) == nil }

// replaceFile puts text into the file at path at once, or leaves it.
func replaceFile(path string, text []byte) {
	temp := path + ".tmp"
	if os.WriteFile(temp, text, 0o600) != nil || os.Rename(temp, path) != nil {
		os.Remove(temp)
	}
}

func exitWith(code int) { os.Exit(code) }
