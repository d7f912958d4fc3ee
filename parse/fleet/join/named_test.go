package join

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"gatehouse/model"
	"gatehouse/parse/fleet/hubtest"
	"gatehouse/parse/fleet/link"
	"gatehouse/parse/fleet/wire"
)

func TestOnlyFilesThatAreNamedAreGivenAway(t *testing.T) {
	d := newDesk(t)
	for file, text := range map[string]string{".env": "SECRET", "plan.md": "folded", "notes.md": "none of theirs"} {
		if err := os.WriteFile(filepath.Join(d.root, file), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	p := d.projects[0]
	p.Builds[0].Nodes[0].Artifacts = append(p.Builds[0].Nodes[0].Artifacts, model.Artifact{Name: "plan", File: "plan.md", Exists: true})
	p.Problems = append(p.Problems, model.Problem{Pos: model.Pos{File: "../paper/.env"}})
	ask := func(file string) (string, string) {
		r := &wire.Request{V: 1, Request: wire.AskText, Root: d.root, File: file}
		reply, part, err := wire.ParseReply(r.Request, d.Answer(t.Context(), link.Asked{User: "bob", Trusted: true, Data: wire.Encode(r)}))
		if err != nil {
			t.Fatal(err)
		}
		if err := reply.Error.Err(); err != nil {
			return string(part), err.Error()
		}
		return string(part), ""
	}
	for _, file := range []string{".env", "./.env", "notes.md", "."} {
		if text, refused := ask(file); text != "" || !strings.Contains(refused, "no build of paper names it") {
			t.Errorf("%q: %q, %q", file, text, refused)
		}
	}
	for _, file := range []string{"../paper/.env", filepath.Join(d.root, ".env"), ""} {
		if text, refused := ask(file); text != "" || !strings.Contains(refused, "no file of the project") {
			t.Errorf("%q: %q, %q", file, text, refused)
		}
	}
	for _, file := range []string{hubtest.StateFile, "plan.md"} {
		if text, refused := ask(file); text == "" || refused != "" {
			t.Errorf("%s: %q, %q", file, text, refused)
		}
	}
}
