package main

// docs/schema/*.json: the JSON Schemas of --json output, made from the printed types and the comments on their
// fields; -update writes the files. printed_test.go checks the output against them.

import (
	"encoding"
	"encoding/json"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"os"
	"path/filepath"
	"reflect"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/google/jsonschema-go/jsonschema"
	"github.com/spf13/cobra"

	"gatehouse/model"
)

// schemas are the printed types of --json, by the names of their files in docs/schema.
var schemas = map[string]any{
	"answer": answeredJSON{}, "ask": answerJSON{}, "asks": asksJSON{}, "capture": captureJSON{}, "check": checkedJSON{}, "config": configuredJSON{},
	"decide": outcomeJSON{}, "fleet-list": remotesJSON{}, "decision": writtenJSON{}, "doctor": findingsJSON{}, "gates": gatesJSON{}, "inbox-list": itemsJSON{}, "install": installedJSON{}, "jump": jumpedJSON{}, "version": versionJSON{},
	"journal": decisionsJSON{}, "loop-new": newLoopJSON{}, "logs-rotate": rotatedJSON{}, "metrics": metricsJSON{}, "reply": repliedJSON{}, "resume-discard": discardedJSON{}, "resume-plan": resumesJSON{}, "session-end": sessionEndedJSON{}, "task": gateMovedJSON{},
	"status": statusJSON{}, "statusline": statuslineJSON{}, "verify": verifiedJSON{}, "wait": verdictJSON{},
	"format-check": formatCheckedJSON{}, "remote-add": remoteAddedJSON{}, "remote-keys": keysJSON{}, "remote-remove": remoteRemovedJSON{}, "show": showJSON{},
}

// printing names the schemas of a command's output if there is not just one with the command's name. The verbs print like decide.
var printing = map[string][]string{
	"gatehouse task start": {"task"}, "gatehouse task executed": {"task"}, "gatehouse task verified": {"task"}, "gatehouse task reviewed": {"task"},
	"gatehouse uninstall": {"install"}, "gatehouse config check": {"config"},
	"gatehouse wait": {"wait", "ask"}, "gatehouse resume": {"decide", "resume-plan", "resume-discard"},
	"gatehouse remote doctor": {"doctor"}, "gatehouse fleet doctor": {"doctor"}, "gatehouse remote list": {"fleet-list"}, "gatehouse inbox add": {"decide"}, "gatehouse inbox dismiss": {"decide"},
	"gatehouse fleet add": {"remote-add"}, "gatehouse fleet remove": {"remote-remove"}, "gatehouse fleet keys": {"remote-keys"},
}

// schemasOf returns the names of the schemas of a command's output.
func schemasOf(cmd *cobra.Command) []string {
	if names := printing[cmd.CommandPath()]; names != nil {
		return names
	}
	if slices.ContainsFunc(verbTable(), func(v verb) bool { return string(v.is) == cmd.Name() }) {
		return []string{"decide"}
	}
	return []string{strings.ReplaceAll(strings.TrimPrefix(cmd.CommandPath(), "gatehouse "), " ", "-")}
}

// statuslineJSON is one of the lines that "statusline --json" prints, one for each build.
type statuslineJSON struct {
	Protocol string   `json:"protocol"` // its name: gsd, ultraplan, loop, fctry, speckit, openspec, kiro, bmad, taskmaster; format for one that a user defines; agents if there is no build, but live agents wait
	Scene    int      `json:"scene"`    // 1 at work, 2 idle with the next step known, 3 complete, 4 anything else, 0 nothing to show
	Why      string   `json:"why"`      // the reason for the scene
	Full     string   `json:"full"`     // the line, without colors and escaping
	Compact  string   `json:"compact"`  // its short form
	Format   string   `json:"format"`   // full or compact: the form that the project's configuration asks for
	File     *string  `json:"file"`     // path of what was read, null where the state follows from its absence
	Waits    []string `json:"waits"`    // what certainly waits for somebody, with or without --alerts
	Asks     int      `json:"asks"`     // how many questions, plans and permissions of live agents wait in the project
	Turns    int      `json:"turns"`    // how many live agents in the project have finished their turn and wait for the next prompt
}

// TestSchemas checks that the files match the types, every field is described, and every command with --json has a schema.
func TestSchemas(t *testing.T) {
	commandsBelow(newRoot(&env{}), func(cmd *cobra.Command) {
		if cmd.Flags().Lookup("json") == nil {
			return
		}
		for _, name := range schemasOf(cmd) {
			if schemas[name] == nil {
				t.Errorf("%s prints JSON and has no schema %s", cmd.CommandPath(), name)
			}
		}
		// Files that the help names exist.
		_, help, _ := strings.Cut(cmd.Long, "With --json")
		var known []string
		for _, name := range schemasOf(cmd) {
			known = append(known, wordsOf(schemaOf(t, name))...)
		}
		for _, m := range regexp.MustCompile(`"([a-z_]+)"`).FindAllStringSubmatch(help, -1) {
			if !slices.Contains(known, m[1]) {
				t.Errorf("the help of %s names %q, which is not printed", cmd.CommandPath(), m[1])
			}
		}
	})
	promise, err := os.ReadFile("../../docs/compatibility.md")
	if err != nil {
		t.Fatal(err)
	}
	want := map[string]bool{}
	for name := range schemas {
		if !strings.Contains(string(promise), "(schema/"+name+".json)") {
			t.Errorf("docs/compatibility.md does not name schema/%s.json", name)
		}
		file := filepath.Join("../../docs/schema", name+".json")
		want[file] = true
		text, err := json.MarshalIndent(schemaOf(t, name), "", "  ")
		if err != nil {
			t.Fatal(err)
		}
		text = append(text, '\n')
		if isUpdating() {
			err := os.WriteFile(file, text, 0o644)
			if err != nil {
				t.Fatal(err)
			}
		}
		if there, _ := os.ReadFile(file); string(there) != string(text) {
			t.Errorf("%s is not what the types say; run: go test ./cmd/gatehouse -run TestSchemas -update", file)
		}
	}
	there, _ := filepath.Glob("../../docs/schema/*.json")
	for _, file := range there {
		if !want[file] {
			t.Errorf("%s: nothing prints so", file)
		}
	}
}

// wordsOf returns the names of all fields of a schema.
func wordsOf(s *jsonschema.Schema) (names []string) {
	names = append(names, s.PropertyOrder...)
	for _, def := range s.Defs {
		names = append(names, def.PropertyOrder...)
	}
	return names
}

// schemaOf returns the schema of the printed type with a name.
func schemaOf(t *testing.T, name string) *jsonschema.Schema {
	t.Helper()
	m := schemaMaker{t: t, defs: map[string]*jsonschema.Schema{}, types: map[string]reflect.Type{}}
	of := reflect.TypeOf(schemas[name])
	s := m.object(of, nil)
	s.Schema = "https://json-schema.org/draft/2020-12/schema"
	s.Description = m.about(of, m.sources(of).types[of.Name()].doc)
	if len(m.defs) > 0 {
		s.Defs = m.defs
	}
	return s
}

// schemaMaker makes the schema of a type, and of the types in it.
type schemaMaker struct {
	t     *testing.T
	defs  map[string]*jsonschema.Schema
	types map[string]reflect.Type // the types of the definitions
}

// called returns the name of a type in a schema. A type that is printed around another one of the same name is an entry. Names of types
// in package line have the prefix of that package.
func called(t reflect.Type) string {
	name := t.Name()
	if t.PkgPath() == "gatehouse/model/line" {
		name = "Line" + name
	}
	if own, ok := strings.CutSuffix(name, "JSON"); ok {
		name = own + "Entry"
	}
	return strings.ToUpper(name[:1]) + name[1:]
}

func ref(name string) *jsonschema.Schema { return &jsonschema.Schema{Ref: "#/$defs/" + name} }

// of returns the schema of a type.
func (m *schemaMaker) of(t reflect.Type) *jsonschema.Schema {
	switch {
	case t == reflect.TypeFor[time.Time]():
		return &jsonschema.Schema{Type: "string", Format: "date-time"}
	case t.Implements(reflect.TypeFor[encoding.TextMarshaler]()):
		return m.words(t, everyWord(t))
	}
	switch t.Kind() {
	case reflect.Pointer:
		if t.Elem().Kind() == reflect.Struct {
			return m.of(t.Elem())
		}
		s := m.of(t.Elem())
		s.Types, s.Type = []string{s.Type, "null"}, ""
		return s
	case reflect.String:
		if t.PkgPath() != "" {
			return m.words(t, m.sources(t).types[t.Name()].words)
		}
		return &jsonschema.Schema{Type: "string"}
	case reflect.Bool:
		return &jsonschema.Schema{Type: "boolean"}
	case reflect.Int, reflect.Int64, reflect.Uint64, reflect.Uint8:
		return &jsonschema.Schema{Type: "integer"}
	case reflect.Float64:
		return &jsonschema.Schema{Type: "number"}
	case reflect.Map:
		return &jsonschema.Schema{Type: "object", AdditionalProperties: m.of(t.Elem())}
	case reflect.Slice:
		return &jsonschema.Schema{Type: "array", Items: m.of(t.Elem())}
	case reflect.Struct:
		name := called(t)
		if m.defs[name] == nil {
			m.defs[name], m.types[name] = &jsonschema.Schema{}, t // set now for recursive types
			s := m.object(t, nil)
			s.Description = m.about(t, m.sources(t).types[t.Name()].doc)
			*m.defs[name] = *s
		}
		if m.types[name] != t {
			m.t.Errorf("%s and %s are both %s in a schema", m.types[name], t, name)
		}
		return ref(name)
	}
	m.t.Errorf("no schema can be made of %s", t)
	return &jsonschema.Schema{}
}

// words returns the schema of a text with known values. More values may be added, so readers must accept others.
func (m *schemaMaker) words(t reflect.Type, words []string) *jsonschema.Schema {
	if len(words) == 0 {
		return &jsonschema.Schema{Type: "string"}
	}
	var all []any
	for _, w := range words {
		all = append(all, w)
	}
	m.defs[called(t)] = &jsonschema.Schema{
		Description: m.about(t, m.sources(t).types[t.Name()].doc), AnyOf: []*jsonschema.Schema{{Enum: all}, {Type: "string"}},
	}
	return ref(called(t))
}

// everyWord returns the texts of an enumerated type.
func everyWord(t reflect.Type) (words []string) {
	for n := range uint64(256) {
		v := reflect.New(t).Elem()
		v.SetUint(n)
		text, _ := v.Interface().(encoding.TextMarshaler).MarshalText()
		if !slices.Contains(words, string(text)) {
			words = append(words, string(text))
		}
	}
	return words
}

// object returns the schema of a struct, including the fields of embedded structs, except hidden ones.
func (m *schemaMaker) object(t reflect.Type, hidden map[string]*jsonschema.Schema) *jsonschema.Schema {
	if t == reflect.TypeFor[printedWait]() { // its fields have their comments in the embedded type
		t = reflect.TypeFor[model.Wait]()
	}
	s := &jsonschema.Schema{Type: "object", Properties: map[string]*jsonschema.Schema{}}
	var embedded []reflect.Type
	for f := range t.Fields() {
		name, options, _ := strings.Cut(f.Tag.Get("json"), ",")
		if f.Anonymous && name == "" {
			if f.Type.Kind() == reflect.Pointer {
				f.Type = f.Type.Elem()
			}
			embedded = append(embedded, f.Type)
			continue
		}
		if name == "-" || !f.IsExported() || hidden[name] != nil {
			continue
		}
		if name == "" {
			m.t.Errorf("%s.%s has no name in JSON", t, f.Name)
		}
		words := m.sources(t).types[t.Name()].fields[f.Name]
		if name == "schema" && words == "" {
			words = fmt.Sprintf("version of this form: %d. It grows when a field goes or changes its meaning", statusSchema)
		}
		p := m.of(f.Type)
		if words == "" && p.Ref == "" { // the type's name describes the field
			m.t.Errorf("%s.%s (%s): say in a comment what it is", t, f.Name, name)
		}
		for _, verb := range []string{" is ", " are "} {
			words = strings.TrimPrefix(words, f.Name+verb)
		}
		p.Description = m.about(t, words)
		s.Properties[name] = p
		s.PropertyOrder = append(s.PropertyOrder, name)
		if !strings.Contains(options, "omit") {
			s.Required = append(s.Required, name)
		}
	}
	for _, e := range embedded { // after its own fields, which hide embedded ones
		inner := m.object(e, s.Properties)
		for _, name := range inner.PropertyOrder {
			s.Properties[name] = inner.Properties[name]
			s.PropertyOrder = append(s.PropertyOrder, name)
			if slices.Contains(inner.Required, name) {
				s.Required = append(s.Required, name)
			}
		}
	}
	return s
}

// about turns the comment of a type or field into a description: with JSON names, and without links.
func (m *schemaMaker) about(t reflect.Type, words string) string {
	words = regexp.MustCompile(`\[\*?([A-Za-z.]+)\]`).ReplaceAllString(strings.Join(strings.Fields(words), " "), "$1")
	words = strings.TrimPrefix(strings.TrimPrefix(words, t.Name()+" is "), t.Name()+" are ")
	if t.Kind() == reflect.Struct {
		for f := range t.Fields() {
			if name, _, _ := strings.Cut(f.Tag.Get("json"), ","); name != "" && name != "-" {
				words = regexp.MustCompile(`\b`+f.Name+`\b`).ReplaceAllString(words, name)
			}
		}
	}
	return words
}

// sources are the comments of a package about its types.
type sources struct{ types map[string]*sourceType }

// sourceType is a type with its comments.
type sourceType struct {
	doc    string
	fields map[string]string // comments by Go field names
	words  []string          // its text constants
}

var sourcesRead = map[string]*sources{} // by package

// sources parses the package of a type.
func (m *schemaMaker) sources(t reflect.Type) *sources {
	path := t.PkgPath()
	if s := sourcesRead[path]; s != nil {
		return s
	}
	s := &sources{types: map[string]*sourceType{}}
	sourcesRead[path] = s
	of := func(name string) *sourceType {
		if s.types[name] == nil {
			s.types[name] = &sourceType{fields: map[string]string{}}
		}
		return s.types[name]
	}
	files, _ := filepath.Glob(filepath.Join("../..", strings.TrimPrefix(strings.Replace(path, "main", "gatehouse/cmd/gatehouse", 1), "gatehouse/"), "*.go"))
	for _, name := range files {
		file, err := parser.ParseFile(token.NewFileSet(), name, nil, parser.ParseComments|parser.SkipObjectResolution)
		if err != nil {
			m.t.Fatal(err)
		}
		for _, d := range file.Decls {
			decl, ok := d.(*ast.GenDecl)
			if !ok {
				continue
			}
			for _, spec := range decl.Specs {
				switch spec := spec.(type) {
				case *ast.TypeSpec:
					x := of(spec.Name.Name)
					if x.doc = spec.Doc.Text(); x.doc == "" {
						x.doc = decl.Doc.Text()
					}
					if st, ok := spec.Type.(*ast.StructType); ok {
						x.readFields(st)
					}
				case *ast.ValueSpec:
					if id, ok := spec.Type.(*ast.Ident); ok && decl.Tok == token.CONST {
						for _, v := range spec.Values {
							if lit, ok := v.(*ast.BasicLit); ok && lit.Kind == token.STRING {
								word, _ := strconv.Unquote(lit.Value)
								of(id.Name).words = append(of(id.Name).words, word)
							}
						}
					}
				}
			}
		}
	}
	return s
}

// readFields reads the comments of a struct: beside a field, above it, or above another field if it names this one.
func (x *sourceType) readFields(st *ast.StructType) {
	for _, f := range st.Fields.List {
		for _, n := range f.Names {
			x.fields[n.Name] = strings.TrimSpace(f.Doc.Text() + " " + f.Comment.Text())
		}
	}
	for _, f := range st.Fields.List {
		for name, words := range x.fields {
			if words == "" && regexp.MustCompile(`\b`+name+`\b`).MatchString(f.Doc.Text()) {
				x.fields[name] = strings.TrimSpace(f.Doc.Text())
			}
		}
	}
}
