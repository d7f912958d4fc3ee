package main

// The JSON that the scripts print must match the schemas in docs/schema, and vice versa: some script prints every field of every schema.

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
	"github.com/spf13/cobra"

	"gatehouse/parse/nearest"
	"gatehouse/statusline"
)

// printing names the schemas of a command's output if there is not just one with the command's name. The verbs print like decide.
var printing = map[string][]string{
	"task start": {"task"}, "task executed": {"task"}, "task verified": {"task"}, "task reviewed": {"task"},
	"uninstall": {"install"}, "config check": {"config"}, "wait": {"wait", "ask"}, "resume": {"decide", "resume-plan", "resume-discard"},
	"remote doctor": {"doctor"}, "remote list": {"fleet-list"}, "inbox add": {"decide"}, "inbox dismiss": {"decide"},
}

// schemasOf returns the names of the schemas of a command's output.
func schemasOf(cmd *cobra.Command) []string {
	name := strings.TrimPrefix(cmd.CommandPath(), "gatehouse ")
	if names := printing[name]; names != nil {
		return names
	}
	if slices.ContainsFunc(verbTable(), func(v verb) bool { return string(v.is) == name }) {
		return []string{"decide"}
	}
	return []string{strings.ReplaceAll(name, " ", "-")}
}

// TestSchemas checks that every command with --json has a schema, and that docs/compatibility.md names every schema.
func TestSchemas(t *testing.T) {
	h := newSchemaChecker(t)
	promise, err := os.ReadFile("../../docs/compatibility.md")
	must(t, err)
	commandsBelow(newRoot(&env{}), func(cmd *cobra.Command) {
		for _, name := range schemasOf(cmd) {
			if cmd.Flags().Lookup("json") != nil && h.schemas[name] == nil {
				t.Errorf("%s prints JSON and has no schema %s", cmd.CommandPath(), name)
			}
		}
	})
	for name := range h.schemas {
		if !strings.Contains(string(promise), "(schema/"+name+".json)") {
			t.Errorf("docs/compatibility.md does not name schema/%s.json", name)
		}
	}
}

// printedDir names the variable with the directory into which each command of a script copies its JSON output.
const printedDir = "PRINTED_JSON"

// keepPrinted makes a command copy its JSON to the directory that TestScripts checks.
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

// checkPrinted checks all copies. If all scripts were run, it also checks that every field of every schema was printed.
func checkPrinted(t *testing.T, dir string, all bool) {
	t.Helper()
	h := newSchemaChecker(t)
	files, err := os.ReadDir(dir)
	must(t, err)
	for _, file := range files {
		text, err := os.ReadFile(filepath.Join(dir, file.Name()))
		must(t, err)
		head, printed, _ := strings.Cut(string(text), "\n")
		var args []string
		must(t, json.Unmarshal([]byte(head), &args))
		h.checkCommand(t, args, printed)
	}
	if !all {
		return
	}
	h.checkStatusline(t)
	for _, field := range h.unseen() {
		t.Errorf("no script prints %s: have one print it, or take it out of docs/schema", field)
	}
}

// schemaChecker checks printed JSON against the schemas.
type schemaChecker struct {
	schemas map[string]*jsonschema.Schema
	closed  map[string]*jsonschema.Resolved // the schemas, without further fields and words
	seen    map[string]bool                 // printed fields, as object.field
}

func newSchemaChecker(t *testing.T) *schemaChecker {
	h := &schemaChecker{map[string]*jsonschema.Schema{}, map[string]*jsonschema.Resolved{}, map[string]bool{}}
	files, _ := filepath.Glob("../../docs/schema/*.json")
	for _, file := range files {
		name := strings.TrimSuffix(filepath.Base(file), ".json")
		text, err := os.ReadFile(file)
		must(t, err)
		s := &jsonschema.Schema{}
		must(t, json.Unmarshal(text, s))
		for _, o := range append(slices.Collect(maps.Values(s.Defs)), s) {
			if o.Type == "object" {
				o.AdditionalProperties = &jsonschema.Schema{Not: &jsonschema.Schema{}}
			} else {
				o.AnyOf = o.AnyOf[:1] // only the known words
			}
		}
		h.schemas[name] = s
		if h.closed[name], err = s.Resolve(nil); err != nil {
			t.Fatalf("%s: %v", name, err)
		}
	}
	return h
}

// checkCommand checks the output of a command against its schemas.
func (h *schemaChecker) checkCommand(t *testing.T, args []string, printed string) {
	t.Helper()
	cmd, _, err := newRoot(&env{}).Find(args)
	of := strings.Join(args, " ")
	switch {
	case err != nil:
		t.Fatal(err)
	case strings.TrimSpace(printed) == "": // the command was refused
	case slices.Contains(args, "--stdio"):
		h.checkPublished(t, of, printed)
	case slices.Contains(args, "--follow"): // one document per line
		for document := range strings.Lines(printed) {
			h.check(t, of, schemasOf(cmd), document)
		}
	default:
		h.check(t, of, schemasOf(cmd), printed)
	}
}

// checkPublished checks what a host sends through a pipe: the packed documents of its projects.
func (h *schemaChecker) checkPublished(t *testing.T, of, printed string) {
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
		if bytes.Contains(document, []byte(`"projects":`)) { // otherwise a presence message
			h.check(t, of, []string{"status"}, string(document))
		}
	}
}

// check checks that a document matches one of the named schemas.
func (h *schemaChecker) check(t *testing.T, of string, names []string, printed string) {
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

// see records the fields of a value.
func (h *schemaChecker) see(root, s *jsonschema.Schema, name string, v any) {
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

// unprinted are fields that only real clients of agents, their deadlines and rare work fill: no script prints them.
var unprinted = []string{
	"Ask.then", "AskEntry.then", "GateEntry.then", "Wait.then", "Session.agents", "Session.limited", "Subagent.began", "Subagent.id", "Subagent.task",
	"Subagent.type", "Resume.text", "ResumeEntry.text", "ResumeChanged.sections",
}

// unseen returns the fields that were never printed.
func (h *schemaChecker) unseen() []string {
	missing := map[string]bool{}
	for name, s := range h.schemas {
		defs := maps.Clone(s.Defs)
		if defs == nil {
			defs = map[string]*jsonschema.Schema{}
		}
		defs[name] = s
		for def, s := range defs {
			for field := range s.Properties {
				// Lists leave out long texts, and the fields of an embedded type count for the entry around it.
				if !h.seen[def+"."+field] && !h.seen[def+"Entry."+field] && !slices.Contains(unprinted, def+"."+field) {
					missing[def+"."+field] = true
				}
			}
		}
	}
	return slices.Sorted(maps.Keys(missing))
}

// checkStatusline checks the JSON that statusline prints for each project of testdata.
func (h *schemaChecker) checkStatusline(t *testing.T) {
	t.Helper()
	for _, name := range []string{"harbour", "lantern", "tidepool"} {
		dir := t.TempDir()
		must(t, unpack(name, dir))
		line := statusline.ReadLine(nearest.Place{Dir: dir, Home: dir, Env: func(string) string { return "" }, Now: today.Unix}, statusline.Options{})
		for l := range strings.Lines(string(line.AppendJSON(nil))) {
			h.check(t, "statusline --json in "+name, []string{"statusline"}, l)
		}
	}
}

// TestRealProjectsMatchSchemas checks the output for real projects, in the directory that GATEHOUSE_PROJECTS names.
func TestRealProjectsMatchSchemas(t *testing.T) {
	dirs, _ := filepath.Glob(filepath.Join(os.Getenv("GATEHOUSE_PROJECTS"), "*", "."))
	if os.Getenv("GATEHOUSE_PROJECTS") == "" {
		t.Skip("GATEHOUSE_PROJECTS is not set: it names a directory of projects")
	}
	h := newSchemaChecker(t)
	home := t.TempDir()
	for _, dir := range dirs {
		for _, command := range []string{"status DIR", "gates --all DIR", "check DIR", "journal DIR", "metrics --dir DIR", "resume --plan --dir DIR", "inbox list --dir DIR"} {
			args := append(strings.Fields(strings.ReplaceAll(command, "DIR", dir)), "--json")
			var out strings.Builder
			s := &env{stdout: &out, stderr: io.Discard, now: time.Now}
			s.user.Home = home
			run(context.Background(), s, args)
			h.checkCommand(t, args, out.String())
		}
	}
}
