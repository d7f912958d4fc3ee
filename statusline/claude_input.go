package statusline

import (
	"gatehouse/parse/disk/peek"
	"gatehouse/parse/doc"
	"gatehouse/parse/nearest"
)

// agentInput is a coding agent's report about its session on standard input. Every field is optional: an absent field,
// null or a value of the wrong type is empty.
type agentInput struct {
	model      string
	dir        string
	session    string // its ID
	transcript string // path
	context    contextWindow
	root       doc.Value
}

// contextWindow is how full an agent's context window is.
type contextWindow struct {
	remaining    float64 // how many percent are free
	hasRemaining bool
	used         float64 // how many percent are used, by the agent's own count
	hasUsed      bool
	total        float64 // the size of the window in tokens, 0 if it is unknown
	tokens       float64 // how many tokens the last request took, all kinds together
}

// parseAgentInput parses an agent's input. ok is false if it is not JSON, or is null, which GSD's status line can't
// use.
func parseAgentInput(input string) (a agentInput, ok bool) {
	tree, _ := doc.ParseJSON(input)
	if a.root = tree.Root(); a.root.IsEmpty() || doc.HasPrefix(input, doc.ByteOrderMark) {
		return a, false
	}
	a.model = a.root.Get("model", "display_name").Text()
	a.dir = a.root.Get("workspace", "current_dir").Text()
	a.session = a.root.Get("session_id").Text()
	a.transcript = a.root.Get("transcript_path").Text()
	window, c := a.root.Get("context_window"), &a.context
	remaining := window.Get("remaining_percentage")
	c.remaining, _ = remaining.Number() // infinite if it is too large
	c.hasRemaining = remaining.Is(doc.Number)
	c.used, c.hasUsed = doc.ParseNumber(doc.Trim(window.Get("used_percentage").Scalar()))
	c.total, _ = window.Get("total_tokens").Number()
	for _, kind := range [...]string{"input_tokens", "cache_creation_input_tokens", "cache_read_input_tokens", "output_tokens"} {
		n, _ := window.Get("current_usage", kind).Number()
		c.tokens += n
	}
	return a, true
}

// agentConfig holds the layout settings of a GSD project, from the nearest .planning/config.json.
type agentConfig struct {
	exists bool // readable or not
	root   doc.Value
}

// readAgentConfig reads the configuration nearest to a place. It walks up like nearest.Find, but does not depend on
// the place of a state file; the first file that exists counts.
func readAgentConfig(place *nearest.Place) (c agentConfig) {
	for dir := range peek.Climb(place.Dir, place.Home) {
		text, _, err := peek.ReadFile(peek.Join(peek.Join(dir, ".planning"), "config.json"), dir, peek.Limit)
		if !peek.Missing(err) {
			tree, _ := doc.ParseJSON(text)
			return agentConfig{true, tree.Root()}
		}
	}
	return c
}

// getSetting returns a setting of "statusline". The flat key "statusline.name" goes before the nested one.
func (c *agentConfig) getSetting(name string) doc.Value {
	if flat := c.root.Get("statusline." + name); flat.Exists() {
		return flat
	}
	return c.root.Get("statusline", name)
}

// isOn reports whether a setting is true.
func (c *agentConfig) isOn(name string) bool {
	on, _ := c.getSetting(name).Bool()
	return on
}
