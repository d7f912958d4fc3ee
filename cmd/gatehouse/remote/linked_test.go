package remote_test

import (
	"os/exec"
	"strings"
	"testing"
)

// TestNoBinaryLinksTheServer checks that neither program links the NATS server, and that the prompt does not link the client either.
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
