package hook

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/rogpeppe/go-internal/diff"

	"gatehouse/model"
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
	return &ask.Ask{Ask: model.Ask{Kind: ask.Permission, Text: c.summaryLine(), Call: &described}, Use: c.useKey()}
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
	switch {
	case !c.in.Is(doc.Map):
		d.Input = c.in.Raw()
	case c.tool == applyPatch:
		d.Diff = c.command
		for _, f := range c.patchedFiles() {
			d.Dangers = append(d.Dangers, danger.InPath(f, c.dir)...)
		}
	case c.command != "":
		d.Input, d.Reason = c.command, c.in.Get("description").Text()
		if rest := c.formatInput("command", "description"); rest != "" {
			d.Input += "\n\n" + rest
		}
		d.Dangers = danger.InCommand(c.command, c.dir)
	case c.file != "" && !readTools[strings.ToLower(c.tool)]:
		d.Diff = c.changeDiff()
		d.Dangers = danger.InPath(c.file, c.dir)
	case c.in.Get("url").Text() != "":
		d.Dangers = danger.InAddress(c.in.Get("url").Text())
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

// changeDiff returns the change that the call makes to its file as a unified diff, followed by the members that the diff does not show. It
// is "" if the file can't be compared, or if the call changes it in an unknown way: the input shows the call then.
func (c call) changeDiff() string {
	change := c.in.Get("diff").Text() // of opencode
	if change == "" {
		before, isText := readText(c.file, c.dir)
		after, isKnown := c.applyEdits(before)
		if !isText || !isKnown {
			return ""
		}
		name := c.file
		if strings.ContainsFunc(name, unicode.IsControl) {
			name = strconv.Quote(name)
		}
		from := name
		if before == "" {
			from = "/dev/null"
		}
		_, change, _ = strings.Cut(string(diff.Diff(from, []byte(before), name, []byte(after))), "\n")
	}
	if rest := c.formatInput("diff", "file_path", "content", "old_string", "new_string", "replace_all", "edits"); rest != "" {
		change = strings.TrimSuffix(change, "\n") + "\n\n" + rest
	}
	return change
}

// applyEdits returns the text of the file after the call; ok is false if an edit does not match it.
func (c call) applyEdits(text string) (after string, ok bool) {
	if content := c.in.Get("content"); content.Exists() {
		return content.Text(), content.Is(doc.String)
	}
	edits := []doc.Value{c.in}
	if list := c.in.Get("edits"); list.Exists() {
		edits = slices.Collect(list.Children())
	}
	for _, e := range edits {
		before, replacement := e.Get("old_string"), e.Get("new_string")
		n := strings.Count(text, before.Text())
		switch {
		case !before.Is(doc.String) || !replacement.Is(doc.String):
			return "", false
		case before.Text() == "" && text == "":
			text = replacement.Text()
		case before.Text() == "" || n == 0 || n > 1 && e.Get("replace_all").Raw() != "true":
			return "", false
		default:
			text = strings.ReplaceAll(text, before.Text(), replacement.Text())
		}
	}
	return text, true
}

// readText returns the text of a file, "" for one that does not exist. ok is false if it can't be compared: it may hold secrets, is
// too large, or is no text.
func readText(file, dir string) (text string, ok bool) {
	if !filepath.IsAbs(file) {
		file = filepath.Join(dir, file)
	}
	if real, err := filepath.EvalSymlinks(file); err == nil {
		file = real
	}
	if danger.IsSecret(file) {
		return "", false
	}
	text, truncated, err := peek.ReadFile(file, "", maxFile)
	if err == peek.ErrNotExist {
		return "", true
	}
	return text, err == nil && !truncated && utf8.ValidString(text) && !strings.Contains(text, "\x00")
}
