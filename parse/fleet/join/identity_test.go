package join

import (
	"strings"
	"testing"
)

func TestCopiesOfAMachineAreOthers(t *testing.T) {
	dir := t.TempDir()
	here := Machine(dir)
	if here == "" || here != Machine(dir) || !strings.HasPrefix(here, account(dir)) || here == Machine(t.TempDir()) {
		t.Error(here)
	}
	if a := told("id", "build-7", "boot"); a == told("id", "build-8", "boot") || a == told("id", "build-7", "another") || a != told("id", "build-7", "boot") {
		t.Error(a)
	}
}
