package remote_test

import (
	"os/exec"
	"strings"
	"testing"
)

// The hub is a stock server: neither program links one, and the prompt does not even link the client.
func TestNoBinaryLinksTheServer(t *testing.T) {
	for binary, forbidden := range map[string][]string{
		"gatehouse/cmd/gatehouse":  {"github.com/nats-io/nats-server", "gatehouse/cmd/gatehouse/remote/hubtest", "testing"},
		"gatehouse/cmd/statusline": {"github.com/nats-io/", "gatehouse/cmd/gatehouse/remote"},
	} {
		out, err := exec.Command("go", "list", "-deps", binary).CombinedOutput()
		if err != nil {
			t.Fatalf("%v: %s", err, out)
		}
		for p := range strings.FieldsSeq(string(out)) {
			for _, f := range forbidden {
				if p == f || strings.HasPrefix(p, f) && (strings.HasSuffix(f, "/") || strings.HasPrefix(p, f+"/")) {
					t.Errorf("%s links %s", binary, p)
				}
			}
		}
	}
}
