package statusline

import (
	"gatehouse/parse/disk/peek"
	"gatehouse/parse/nearest"
	"gatehouse/parse/text/scan"
)

// agentConfig is what a GSD project's configuration says about the layout: the keys of "statusline" in the nearest
// .planning/config.json, each also as one flat key such as "statusline.show_git", which goes before the nested one. Switches
// are on only for a JSON true.
type agentConfig struct {
	found       bool // there is a configuration, readable or not
	showGit     bool // show_git
	showCommand bool // show_last_command
	showTokens  bool // show_context_tokens
	front       bool // context_position is "front"
}

// The keys in the order of agentConfigPaths; the flat form of each stands behind its nested one.
const (
	keyGit = 2 * iota
	keyCommand
	keyTokens
	keyPosition
	keyCount
)

var agentConfigPaths = [keyCount][]string{
	{"statusline", "show_git"}, {"statusline.show_git"},
	{"statusline", "show_last_command"}, {"statusline.show_last_command"},
	{"statusline", "show_context_tokens"}, {"statusline.show_context_tokens"},
	{"statusline", "context_position"}, {"statusline.context_position"},
}

// readAgentConfig reads the configuration that is nearest to a place. The walk is that of nearest.Find, but independent of
// where a state was found; the first file that exists counts, also when it cannot be read. What is read goes into buf.
func readAgentConfig(place nearest.Place, buf []byte) agentConfig {
	for dir := range peek.Climb(place.Dir, place.Home) {
		text, _, err := peek.ReadFile(peek.Join(peek.Join(dir, ".planning"), "config.json"), dir, buf, peek.Limit)
		if !peek.Missing(err) {
			config := parseAgentConfig(text)
			config.found = true
			return config
		}
	}
	return agentConfig{}
}

// parseAgentConfig reads a configuration; what is no JSON says nothing.
func parseAgentConfig(text string) agentConfig {
	var fields [keyCount]scan.JSONField
	for i := range agentConfigPaths {
		fields[i].Path = agentConfigPaths[i]
	}
	scan.JSONFields(text, fields[:])
	value := func(key int) string {
		if flat := fields[key+1].Value; flat != "" {
			return flat
		}
		return fields[key].Value
	}
	return agentConfig{
		showGit:     value(keyGit) == "true",
		showCommand: value(keyCommand) == "true",
		showTokens:  value(keyTokens) == "true",
		front:       scan.JSONStringIs(value(keyPosition), "front"),
	}
}
