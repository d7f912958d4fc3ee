package main

// What the scripts print as JSON is held to the schemas of docs/schema, and the schemas to it: every field is described, and
// none is there that nothing prints.

import (
	"bytes"
	"compress/gzip"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/jsonschema-go/jsonschema"

	"gatehouse/parse/nearest"
	"gatehouse/statusline"
)

// printedDir names the directory into which each command of a script puts a copy of what it has printed as JSON.
const printedDir = "PRINTED_JSON"

// keepPrinted has a command put a copy of its JSON where TestScripts looks for it.
func keepPrinted(s *env, args []string) {
	dir := os.Getenv(printedDir)
	if dir == "" || !slices.Contains(args, "--json") && !slices.Contains(args, "--stdio") {
		return
	}
	f, err := os.CreateTemp(dir, "")
	if err != nil {
		panic(err)
	}
	head, _ := json.Marshal(args)
	fmt.Fprintf(f, "%s\n", head)
	s.stdout = io.MultiWriter(s.stdout, f)
}

// checkPrinted checks all copies, and, where the scripts were all run, whether every field of every schema was printed.
func checkPrinted(t *testing.T, dir string, all bool) {
	t.Helper()
	h := newHolder(t)
	files, err := os.ReadDir(dir)
	if err != nil {
		t.Fatal(err)
	}
	for _, file := range files {
		text, err := os.ReadFile(filepath.Join(dir, file.Name()))
		if err != nil {
			t.Fatal(err)
		}
		head, printed, _ := strings.Cut(string(text), "\n")
		var args []string
		if err := json.Unmarshal([]byte(head), &args); err != nil {
			t.Fatal(err)
		}
		h.holdCommand(t, args, printed)
	}
	if !all {
		return
	}
	h.holdStatusline(t)
	for _, field := range h.unseen() {
		t.Errorf("no script prints %s: have one print it, or take it out", field)
	}
}

// holder holds what is printed to the schemas.
type holder struct {
	schemas map[string]*jsonschema.Schema
	closed  map[string]*jsonschema.Resolved // the same, allowing no field and no word besides theirs
	seen    map[string]bool                 // fields, as object.field
}

func newHolder(t *testing.T) *holder {
	h := &holder{map[string]*jsonschema.Schema{}, map[string]*jsonschema.Resolved{}, map[string]bool{}}
	for name := range schemas {
		text, err := os.ReadFile(filepath.Join("../../docs/schema", name+".json"))
		if err != nil {
			t.Fatal(err)
		}
		s := &jsonschema.Schema{}
		if err := json.Unmarshal(text, s); err != nil {
			t.Fatal(err)
		}
		for _, o := range append(slices.Collect(maps.Values(s.Defs)), s) {
			if o.Type == "object" {
				o.AdditionalProperties = &jsonschema.Schema{Not: &jsonschema.Schema{}}
			} else {
				o.AnyOf = o.AnyOf[:1] // the words that there are
			}
		}
		h.schemas[name] = s
		if h.closed[name], err = s.Resolve(nil); err != nil {
			t.Fatalf("%s: %v", name, err)
		}
	}
	return h
}

// holdCommand holds what a command has printed to one of its schemas.
func (h *holder) holdCommand(t *testing.T, args []string, printed string) {
	t.Helper()
	if strings.TrimSpace(printed) == "" { // it was refused
		return
	}
	cmd, _, err := newRoot(&env{}).Find(args)
	if err != nil {
		t.Fatal(err)
	}
	if slices.Contains(args, "--stdio") {
		h.holdPublished(t, strings.Join(args, " "), printed)
		return
	}
	if slices.Contains(args, "--follow") { // a document a line
		for document := range strings.Lines(printed) {
			h.hold(t, strings.Join(args, " "), schemasOf(cmd), document)
		}
		return
	}
	h.hold(t, strings.Join(args, " "), schemasOf(cmd), printed)
}

// holdPublished holds what a host sends through a pipe: the packed documents of its projects.
func (h *holder) holdPublished(t *testing.T, of, printed string) {
	t.Helper()
	for l := range strings.Lines(printed) {
		var packet struct{ Value []byte }
		if json.Unmarshal([]byte(l), &packet) != nil { // the last line may be cut off
			continue
		}
		document := packet.Value
		if z, err := gzip.NewReader(bytes.NewReader(document)); err == nil {
			if document, err = io.ReadAll(z); err != nil {
				t.Fatalf("%s: %v", of, err)
			}
		}
		if !bytes.Contains(document, []byte(`"projects":`)) { // a presence
			continue
		}
		h.hold(t, of, []string{"status"}, string(document))
	}
}

// hold holds a document to one of some schemas.
func (h *holder) hold(t *testing.T, of string, names []string, printed string) {
	t.Helper()
	var v any
	if err := json.Unmarshal([]byte(printed), &v); err != nil {
		t.Errorf("%s: %v", of, err)
		return
	}
	var failed []string
	for _, name := range names {
		err := h.closed[name].Validate(v)
		if err == nil {
			h.see(h.schemas[name], h.schemas[name], name, v)
			return
		}
		failed = append(failed, fmt.Sprintf("docs/schema/%s.json: %v", name, err))
	}
	t.Errorf("%s: %s\n%s", of, strings.Join(failed, "\n"), printed)
}

// see notes which fields a value has.
func (h *holder) see(root, s *jsonschema.Schema, name string, v any) {
	if def, ok := strings.CutPrefix(s.Ref, "#/$defs/"); ok {
		name, s = def, root.Defs[def]
	}
	switch v := v.(type) {
	case map[string]any:
		for key, value := range v {
			h.seen[name+"."+key] = true
			h.see(root, s.Properties[key], name, value)
		}
	case []any:
		for _, value := range v {
			h.see(root, s.Items, name, value)
		}
	}
}

// unseen returns the fields that nothing has had.
func (h *holder) unseen() []string {
	missing := map[string]bool{}
	for name, s := range h.schemas {
		note := func(name string, s *jsonschema.Schema) {
			for field := range s.Properties {
				// Lists leave out long texts, and an entry has the fields of the type that it embeds.
				if !h.seen[name+"."+field] && !h.seen[name+"Entry."+field] {
					missing[name+"."+field] = true
				}
			}
		}
		note(name, s)
		for def, s := range s.Defs {
			note(def, s)
		}
	}
	return slices.Sorted(maps.Keys(missing))
}

// holdStatusline holds what the prompt's program prints, of each project of testdata.
func (h *holder) holdStatusline(t *testing.T) {
	t.Helper()
	for _, name := range []string{"harbour", "lantern", "tidepool"} {
		dir := t.TempDir()
		if err := unpack(name, dir); err != nil {
			t.Fatal(err)
		}
		var page statusline.AgentPage
		line := page.Line(nearest.Place{Dir: dir, Home: dir, Env: func(string) string { return "" }, Now: today.Unix}, statusline.Options{})
		for l := range strings.Lines(string(line.AppendJSON(nil))) {
			h.hold(t, "statusline --json in "+name, []string{"statusline"}, l)
		}
	}
}

// TestRealProjectsKeepToTheSchemas holds what is printed about real projects, in the directory that GATEHOUSE_PROJECTS names.
func TestRealProjectsKeepToTheSchemas(t *testing.T) {
	top := os.Getenv("GATEHOUSE_PROJECTS")
	if top == "" {
		t.Skip("GATEHOUSE_PROJECTS is not set: it names a directory of projects")
	}
	dirs, err := filepath.Glob(filepath.Join(top, "*"))
	if err != nil || len(dirs) == 0 {
		t.Fatalf("%s: no projects (%v)", top, err)
	}
	h := newHolder(t)
	home := t.TempDir()
	for _, dir := range dirs {
		for _, args := range [][]string{{"status"}, {"gates", "--all"}, {"check"}, {"journal"}, {"metrics", "--dir", dir}, {"resume", "--plan", "--dir", dir}, {"inbox", "list", "--dir", dir}} {
			if !slices.Contains(args, dir) {
				args = append(args, dir)
			}
			args = append(args, "--json")
			var out strings.Builder
			s := &env{stdout: &out, stderr: io.Discard, now: time.Now}
			s.user.Home = home
			run(context.Background(), s, args)
			h.holdCommand(t, args, out.String())
		}
	}
	t.Logf("not printed: %s", strings.Join(h.unseen(), ", "))
}
