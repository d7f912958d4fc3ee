package record

import (
	"cmp"
	"path/filepath"

	"gatehouse/parse/doc"
)

// MainArgument returns the argument that describes a tool's call: its command, else its file, relative to dir if it is
// below it, else its search term. It is "" for other calls.
func MainArgument(in doc.Value, dir string) string {
	text := func(name string) string { return in.Get(name).Text() }
	file := cmp.Or(text("file_path"), text("notebook_path"), text("filepath"))
	if rel, err := filepath.Rel(dir, file); err == nil && filepath.IsAbs(file) && filepath.IsLocal(rel) {
		file = rel
	}
	return cmp.Or(text("command"), text("cmd"), file, text("url"), text("pattern"), text("query"))
}

// summarizeCall returns the main argument of a call, else its message to an agent, else its first text by name.
func summarizeCall(in doc.Value, dir string) string {
	words := cmp.Or(MainArgument(in, dir), doc.FirstText(in.Get("description"), in.Get("prompt"), in.Get("message")))
	first := ""
	for m := range in.Children() {
		if words == "" && m.Text() != "" && (first == "" || m.Key() < first) {
			first = m.Key()
		}
	}
	return cmp.Or(words, in.Get(first).Text())
}
