package hook

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/rogpeppe/go-internal/diff"

	"gatehouse/parse/agents/ask"
	"gatehouse/parse/agents/danger"
	"gatehouse/parse/agents/record"
	"gatehouse/parse/disk/peek"
	"gatehouse/parse/doc"
)

// maxFile is the largest file that is read to show an edit in its place.
const maxFile = 512 << 10

// applyPatch is the tool of Codex that changes files.
const applyPatch = "apply_patch"

// readTools are tools that do not change the file they name.
var readTools = map[string]bool{"read": true, "grep": true, "glob": true, "ls": true, "external_directory": true}

// call is the use of a tool.
type call struct {
	tool, dir, command, file string
	in                       doc.Value // the input; unlike encoding/json it never takes one key for another
}

func newCall(tool string, in doc.Value, dir string) call {
	file := doc.FirstText(in.Get("file_path"), in.Get("notebook_path"), in.Get("filepath"))
	return call{tool: tool, dir: dir, command: in.Get("command").Text(), file: file, in: in}
}

// askPermission returns the ask about a call.
func (c call) askPermission() *ask.Ask {
	described := c.describeCall()
	return &ask.Ask{Kind: ask.Permission, Text: c.summaryLine(), Use: c.useKey(), Call: &described}
}

// useKey returns the same text for a call before and after it was made, and another one for any other call.
func (c call) useKey() string {
	var value any
	if json.Unmarshal([]byte(c.in.Raw()), &value) != nil {
		return c.tool
	}
	text, _ := json.Marshal(value) // with sorted members
	sum := sha256.Sum256(text)
	return c.tool + " " + hex.EncodeToString(sum[:12])
}

// summaryLine returns the call in one line: "bash: go test ./...", "Edit: cart/cart.go". A file in the directory of the call is relative to it.
func (c call) summaryLine() string {
	subject := record.MainArgument(c.in, c.dir)
	if c.tool == applyPatch {
		subject = strings.Join(c.patchedFiles(), ", ")
	}
	if l := headline(subject); l != "" {
		return c.tool + ": " + l
	}
	return c.tool
}

// describeCall returns the call as people read it: whole, with its change as a diff and the parts that deserve a look.
func (c call) describeCall() ask.Call {
	d := ask.Call{Tool: c.tool, Input: c.formatInput()}
	var parts []danger.Part
	switch {
	case !c.in.Is(doc.Map):
		d.Input = c.in.Raw()
	case c.tool == applyPatch:
		d.Diff = c.command
		for _, f := range c.patchedFiles() {
			parts = append(parts, danger.InPath(f, c.dir)...)
		}
	case c.command != "":
		d.Input, d.Reason = c.command, c.in.Get("description").Text()
		if rest := c.formatInput("command", "description"); rest != "" {
			d.Input += "\n\n" + rest
		}
		parts = danger.InCommand(c.command, c.dir)
	case c.file != "" && !readTools[strings.ToLower(c.tool)]:
		d.Diff = c.changeDiff()
		parts = danger.InPath(c.file, c.dir)
	case c.in.Get("url").Text() != "":
		parts = danger.InAddress(c.in.Get("url").Text())
	}
	for _, p := range parts {
		d.Dangers = append(d.Dangers, ask.Danger{Part: p.Text, Why: p.Why})
	}
	return d
}

// patchedFiles returns the files that a patch of Codex names.
func (c call) patchedFiles() (files []string) {
	for l := range strings.Lines(c.command) {
		for _, header := range []string{"*** Update File: ", "*** Add File: ", "*** Delete File: ", "*** Move to: "} {
			if file, ok := strings.CutPrefix(strings.TrimSpace(l), header); ok {
				files = append(files, file)
			}
		}
	}
	return files
}

// formatInput returns the members of the input but for some: one on each line, texts of several lines below their names. Unusual keys are
// quoted, so that none passes for another member or for a line of a diff.
func (c call) formatInput(except ...string) string {
	isUnusual := func(r rune) bool { return !unicode.IsLetter(r) && !unicode.IsDigit(r) && r != '_' }
	var b strings.Builder
	for m := range c.in.Children() {
		key, text := m.Key(), m.Raw()
		if slices.Contains(except, key) {
			continue
		}
		if m.Is(doc.String) {
			text = m.Text()
		}
		if text = " " + text; strings.Contains(text, "\n") {
			text = "\n  " + strings.ReplaceAll(strings.TrimRight(text[1:], "\n"), "\n", "\n  ")
		}
		if strings.ContainsFunc(key, isUnusual) {
			key = doc.QuoteJSON(key)
		}
		b.WriteString(key + ":" + text + "\n")
	}
	return strings.TrimRight(b.String(), "\n")
}

// edit replaces a text in a file, or the whole file.
type edit struct {
	old, new     string
	all, isWhole bool
}

// changeDiff returns the change that the call makes as a unified diff, followed by the members that the diff does not show. It is "" for a
// call that changes the file in an unknown way.
func (c call) changeDiff() string {
	change, list := c.in.Get("diff").Text(), []doc.Value{c.in}
	var edits []edit
	if content := c.in.Get("content"); change != "" {
		list = nil
	} else if content.Is(doc.String) {
		list, edits = nil, []edit{{new: content.Text(), isWhole: true}}
	} else if c.in.Get("edits").Exists() {
		list = slices.Collect(c.in.Get("edits").Children())
	}
	for _, v := range list {
		before, after := v.Get("old_string"), v.Get("new_string")
		if !before.Is(doc.String) || !after.Is(doc.String) {
			return ""
		}
		edits = append(edits, edit{old: before.Text(), new: after.Text(), all: v.Get("replace_all").Raw() == "true"})
	}
	if change == "" {
		change = c.fileDiff(edits)
	}
	if rest := c.formatInput("diff", "file_path", "content", "old_string", "new_string", "replace_all", "edits"); rest != "" && change != "" {
		change = strings.TrimSuffix(change, "\n") + "\n\n" + rest
	}
	return change
}

// fileDiff returns the change of the file by edits: in its place if the file holds the replaced texts, else the bare texts and the reason.
func (c call) fileDiff(edits []edit) string {
	name := c.file
	if strings.ContainsFunc(name, unicode.IsControl) {
		name = strconv.Quote(name)
	}
	before, problem := readText(c.file, c.dir)
	after := before
	for _, e := range edits {
		switch n := strings.Count(after, e.old); {
		case problem != "":
		case e.isWhole || e.old == "" && after == "":
			after = e.new
		case e.old == "" || n == 0:
			problem = "no exact match in the file"
		case n > 1 && !e.all:
			problem = fmt.Sprintf("%d matches in the file", n)
		default:
			after = strings.ReplaceAll(after, e.old, e.new)
		}
	}
	from, changes := name, edits
	if problem == "" {
		changes = []edit{{old: before, new: after}}
		if before == "" {
			from = "/dev/null"
		}
	}
	text := ""
	for _, e := range changes {
		_, change, _ := strings.Cut(string(diff.Diff(from, []byte(e.old), name, []byte(e.new))), "\n")
		if problem != "" { // the positions are those in the replaced text
			change = regexp.MustCompile("(?m)^@@ .*").ReplaceAllString(change, "@@ "+problem+" @@")
		}
		text += change
	}
	return text
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
