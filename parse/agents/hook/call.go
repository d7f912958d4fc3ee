package hook

import (
	"encoding/json"
	"fmt"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/rogpeppe/go-internal/diff"

	"gatehouse/parse/agents/ask"
	"gatehouse/parse/agents/danger"
	"gatehouse/parse/disk/peek"
)

// maxFile is the largest file that is read to show an edit in its place.
const maxFile = 2 << 20

// callSubject returns what a call is about: its command, file or address.
func callSubject(tool string, in members) string {
	command := in.text("command")
	switch {
	case tool == applyPatch:
		return strings.Join(patchedFiles(command), ", ")
	case command != "":
		return command
	}
	return in.file() + in.text("url") + in.text("pattern") + in.text("query")
}

// file returns the file that a call names.
func (in members) file() string {
	return in.text("file_path") + in.text("notebook_path") + in.text("filepath")
}

// describeCall returns a tool call as people read it: whole, with its change as a diff and the parts that deserve a look.
func describeCall(tool string, input json.RawMessage, dir string) ask.Call {
	call := ask.Call{Tool: tool}
	in := object(input)
	command, file := in.text("command"), in.file()
	var parts []danger.Part
	switch {
	case tool == applyPatch && command != "":
		for _, f := range patchedFiles(command) {
			parts = append(parts, danger.InPath(f, dir)...)
		}
		call.Input, call.Diff = in.format(), command
	case command != "":
		call.Input, call.Reason = command, in.text("description")
		if rest := in.format("command", "description"); rest != "" {
			call.Input += "\n\n" + rest
		}
		parts = danger.InCommand(command, dir)
	case in == nil:
		call.Input = string(input)
	default:
		call.Input, call.Diff = in.format(), in.diff(file, dir)
		if file != "" && !readTools[strings.ToLower(tool)] {
			parts = danger.InPath(file, dir)
		}
		if url := in.text("url"); url != "" {
			parts = append(parts, danger.InAddress(url)...)
		}
	}
	for _, p := range parts {
		call.Dangers = append(call.Dangers, ask.Danger{Part: p.Text, Why: p.Why})
	}
	return call
}

// applyPatch is the tool of Codex that changes files.
const applyPatch = "apply_patch"

// readTools are tools that do not change the file they name.
var readTools = map[string]bool{"read": true, "grep": true, "glob": true, "ls": true, "external_directory": true}

// patchedFiles returns the files that a patch of Codex names.
func patchedFiles(patch string) (files []string) {
	for l := range strings.Lines(patch) {
		for _, header := range []string{"*** Update File: ", "*** Add File: ", "*** Delete File: ", "*** Move to: "} {
			if file, ok := strings.CutPrefix(strings.TrimSpace(l), header); ok {
				files = append(files, file)
			}
		}
	}
	return files
}

// replacement is one edit of a file.
type replacement struct {
	old, new string
	all      bool
}

// diff returns the change that a call makes as a unified diff, followed by the members that the diff does not show. It is "" for a
// call that changes no file, or changes it in an unknown way.
func (in members) diff(file, dir string) string {
	name := file
	if strings.ContainsFunc(file, unicode.IsControl) {
		name = strconv.Quote(file)
	}
	var change string
	shown := []string{"file_path"}
	content, writes := in.get("content")
	edits, edited := in.edits()
	switch {
	case in.hasDuplicates():
	case in.text("diff") != "":
		shown, change = []string{"diff"}, in.text("diff")
	case file == "":
	case in.text("new_source") != "":
		shown, change = []string{"notebook_path", "new_source"}, header(name)+"@@ a cell @@\n"+prefixLines("+", in.text("new_source"))
	case writes:
		shown, change = append(shown, "content"), contentDiff(name, file, dir, content)
	case len(edits) > 0:
		shown, change = append(shown, edited...), editDiff(name, file, dir, edits)
	}
	if rest := in.format(shown...); rest != "" && change != "" {
		change = strings.TrimSuffix(change, "\n") + "\n\n" + rest
	}
	return change
}

// edits returns the replacements of an Edit or MultiEdit, and the keys that they say everything about. They are nil if one
// replacement is incomplete or holds more.
func (in members) edits() (all []replacement, keys []string) {
	objects, keys := []members{in}, []string{"old_string", "new_string"}
	if list := in.raw("edits"); list != nil {
		var raw []json.RawMessage
		json.Unmarshal(list, &raw)
		objects, keys = nil, []string{"edits"}
		for _, r := range raw {
			edit := object(r)
			if edit.format("old_string", "new_string", "replace_all") != "" || edit.hasDuplicates() {
				return nil, nil
			}
			objects = append(objects, edit)
		}
	}
	for _, edit := range objects {
		old, hasOld := edit.get("old_string")
		replaced, hasNew := edit.get("new_string")
		everywhere := string(edit.raw("replace_all"))
		if !hasOld || !hasNew {
			return nil, nil
		}
		all = append(all, replacement{old, replaced, everywhere == "true"})
		if everywhere == "false" && keys[0] == "old_string" {
			keys = append(keys, "replace_all")
		}
	}
	return all, keys
}

// contentDiff returns the change from a file on disk to a new content.
func contentDiff(name, file, dir, content string) string {
	old, problem := readText(file, dir)
	if problem != "" {
		return header(name) + "@@ " + problem + " @@\n" + prefixLines("+", content)
	}
	return unified(name, old, content)
}

// editDiff returns the change of a file by replacements, in its place if the file holds the replaced texts exactly.
func editDiff(name, file, dir string, edits []replacement) string {
	old, problem := readText(file, dir)
	text := old
	for _, e := range edits {
		switch n := strings.Count(text, e.old); {
		case problem != "":
		case e.old == "" && text == "":
			text = e.new
		case e.old == "" || n == 0:
			problem = "no exact match in the file"
		case e.all:
			text = strings.ReplaceAll(text, e.old, e.new)
		case n > 1:
			problem = fmt.Sprintf("%d matches in the file", n)
		default:
			text = strings.Replace(text, e.old, e.new, 1)
		}
	}
	if problem == "" {
		return unified(name, old, text)
	}
	var b strings.Builder
	b.WriteString(header(name))
	for _, e := range edits {
		b.WriteString("@@ " + problem + " @@\n" + prefixLines("-", e.old) + prefixLines("+", e.new))
	}
	return b.String()
}

// readText returns the text of a file, "" for one that does not exist, or the reason why it is not compared.
func readText(file, dir string) (text, problem string) {
	if !filepath.IsAbs(file) {
		file = filepath.Join(dir, file)
	}
	if real, err := filepath.EvalSymlinks(file); err == nil {
		file = real
	}
	if danger.IsSecret(file) {
		return "", "the file may hold secrets and was not read"
	}
	text, truncated, err := peek.ReadFile(file, "", nil, maxFile)
	switch {
	case err == peek.ErrNotExist:
		return "", ""
	case err != nil:
		return "", "the file could not be read"
	case truncated:
		return "", "the file is too large to compare"
	case !utf8.ValidString(text) || strings.Contains(text, "\x00"):
		return "", "the file is not text"
	}
	return text, ""
}

func unified(name, old, text string) string {
	from := name
	if old == "" {
		from = "/dev/null"
	}
	_, change, _ := strings.Cut(string(diff.Diff(from, []byte(old), name, []byte(text))), "\n")
	return change
}

func header(name string) string { return "--- " + name + "\n+++ " + name + "\n" }

// prefixLines puts a sign before each line of a text, and says if its last line is not ended.
func prefixLines(sign, text string) string {
	if text == "" {
		return ""
	}
	ended := strings.HasSuffix(text, "\n")
	text = sign + strings.ReplaceAll(strings.TrimSuffix(text, "\n"), "\n", "\n"+sign) + "\n"
	if !ended {
		text += "\\ No newline at end of file\n"
	}
	return text
}

// member is a member of a JSON object.
type member struct {
	key   string
	value json.RawMessage
}

// members is a JSON object in the order of its text. Unlike encoding/json it never takes one key for another.
type members []member

// object returns the members of a JSON object, nil for anything else.
func object(text json.RawMessage) (all members) {
	d := json.NewDecoder(strings.NewReader(string(text)))
	if t, err := d.Token(); err != nil || t != json.Delim('{') {
		return nil
	}
	all = members{}
	for d.More() {
		key, err := d.Token()
		var value json.RawMessage
		if err != nil || d.Decode(&value) != nil {
			return nil
		}
		name, _ := key.(string)
		all = append(all, member{name, value})
	}
	return all
}

// raw returns the last value of a key, nil for none.
func (in members) raw(key string) json.RawMessage {
	for _, m := range slices.Backward(in) {
		if m.key == key {
			return m.value
		}
	}
	return nil
}

// get returns a string; ok is false for a value of another type.
func (in members) get(key string) (text string, ok bool) {
	ok = json.Unmarshal(in.raw(key), &text) == nil
	return text, ok
}

// text returns a string, "" for none.
func (in members) text(key string) string {
	text, _ := in.get(key)
	return text
}

func (in members) hasDuplicates() bool {
	seen := map[string]bool{}
	for _, m := range in {
		if seen[m.key] {
			return true
		}
		seen[m.key] = true
	}
	return false
}

// format returns the members for people but for some: one on each line, texts of several lines below their names. No key can pass
// for another member or for a line of a diff.
func (in members) format(except ...string) string {
	var b strings.Builder
	for _, m := range in {
		if slices.Contains(except, m.key) {
			continue
		}
		var text string
		if json.Unmarshal(m.value, &text) != nil {
			text = string(m.value)
		}
		if text = " " + text; strings.Contains(text, "\n") {
			text = "\n  " + strings.ReplaceAll(strings.TrimRight(text[1:], "\n"), "\n", "\n  ")
		}
		if strings.ContainsFunc(m.key, unicode.IsControl) || strings.Contains(m.key, ":") || m.key != "" && strings.Contains("+-@\\", m.key[:1]) {
			quoted, _ := json.Marshal(m.key)
			m.key = string(quoted)
		}
		b.WriteString(m.key + ":" + text + "\n")
	}
	return strings.TrimRight(b.String(), "\n")
}

// permission returns the ask about a call.
func permission(tool string, input json.RawMessage, dir string) *ask.Ask {
	call := describeCall(tool, input, dir)
	return &ask.Ask{Kind: ask.Permission, Text: toolLine(tool, input, dir), Use: useOf(tool, input), Call: &call}
}

// useOf returns the same text for a call before and after it was made, and another one for any other call.
func useOf(tool string, input json.RawMessage) string {
	var value any
	if json.Unmarshal(input, &value) != nil {
		return tool
	}
	text, _ := json.Marshal(value) // with sorted members
	return tool + " " + digest(text)
}

// toolLine returns a call in one line: "bash: go test ./...", "Edit: cart/cart.go". A file in dir is relative to it.
func toolLine(tool string, input json.RawMessage, dir string) string {
	in := object(input)
	subject := callSubject(tool, in)
	if dir != "" && subject == in.file() {
		subject = strings.TrimPrefix(subject, strings.TrimSuffix(dir, "/")+"/")
	}
	if l := headline(subject); l != "" {
		return tool + ": " + l
	}
	return tool
}
