package main

import (
	"testing"

	"gatehouse/cmd/gatehouse/remote"
	"gatehouse/parse/text/shell"
)

// TestTries: a link by ssh is tried by hand as it is tried here, by user and port, of its trouble and of its name alone.
func TestTries(t *testing.T) {
	d := &remoteDoctor{remote: &remote.Remote{SSH: []remote.Machine{{Target: "build-8", Name: "b"}, {Target: "me@build-8:2222", Name: "c", Program: "~/bin/gatehouse"}}}}
	for text, want := range map[string]string{
		"ssh build-8": "try it by hand: ssh build-8 gatehouse --version",
		"ssh build-8 can't be reached since 14:02": "try it by hand: ssh build-8 gatehouse --version",
		"ssh me@build-8:2222":                      "try it by hand: ssh -p 2222 me@build-8 " + shell.Word("~/bin/gatehouse") + " --version",
		"ssh build-80":                             "",
		"hub tls://hub.example:4222":               "",
	} {
		if got := d.tryCommand(text); got != want {
			t.Errorf("%s: %q, want %q", text, got, want)
		}
	}
}
