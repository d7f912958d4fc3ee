package main

import (
	"fmt"
	"os"
	"testing"

	"github.com/rogpeppe/go-internal/testscript"
)

// TestMain makes the test's own program a statusline, for the scripts in testdata.
func TestMain(m *testing.M) {
	testscript.Main(inDirectory{m}, map[string]func(){"statusline": main})
}

// inDirectory runs the tests with a directory for the programs they compile.
type inDirectory struct{ m *testing.M }

func (in inDirectory) Run() int {
	dir, err := os.MkdirTemp("", "statusline-test")
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		return 1
	}
	defer os.RemoveAll(dir)
	programs = dir
	return in.m.Run()
}

// TestScripts checks what the user sees for every flag.
func TestScripts(t *testing.T) {
	testscript.Run(t, testscript.Params{Dir: "testdata/script"})
}
