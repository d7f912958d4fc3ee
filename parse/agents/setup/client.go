// Package setup installs Gatehouse's hooks in the clients of agents and removes them. It edits only the bytes of its own entries.
//
// Claude Code and Codex keep hooks in the same form of JSON, a list of groups for each event:
//
//	{"hooks": {"Stop": [{"hooks": [{"type": "command", "command": "/usr/local/bin/gatehouse hook claude", "timeout": 10}]}]}}
//
// An entry is Gatehouse's if its command ends in "gatehouse hook CLIENT". New entries go to the end of their list, because Codex
// trusts a hook by its place in the list. opencode has plugins, which are files of their own: see plugin.js.
package setup

import (
	"cmp"
	"errors"
	"fmt"
	"path/filepath"
	"slices"
	"strings"

	"gatehouse/parse/agents/hook"
)

// longTimeout is for events that may wait for a human: the longest that JavaScript's timers support, 2³¹ ms or 24 days, in seconds.
// Claude Code was seen to keep to it; its default is ten minutes. Codex accepts any number.
const longTimeout = 2147483

// shortTimeout is for all other events, in seconds.
const shortTimeout = 10

// client describes the location of a client's hooks.
type client struct {
	name        string
	dirVariable string // names the configuration directory
	dir         string // its default, below the home directory
	file        string // the user's settings, below the configuration directory
	projectFile string // the settings of one project, those for this user alone if the client has such a file
	events      []string
	timeouts    map[string]int // of events that need another one than shortTimeout, in seconds
	next        string         // the user's next step after an installation
}

var clients = []client{
	{
		name: "claude", dirVariable: "CLAUDE_CONFIG_DIR", dir: ".claude", file: "settings.json", projectFile: ".claude/settings.local.json",
		events: []string{
			"SessionStart", "UserPromptSubmit", "PermissionRequest", "PostToolUse", "PostToolUseFailure", "Notification", "SubagentStart",
			"SubagentStop", "Stop", "StopFailure", "SessionEnd",
		},
		timeouts: map[string]int{"PermissionRequest": longTimeout, "Stop": longTimeout},
		next:     "Claude Code runs the hooks from its next start.",
	},
	{
		name: "codex", dirVariable: "CODEX_HOME", dir: ".codex", file: "hooks.json", projectFile: ".codex/hooks.json",
		events: []string{
			"SessionStart", "UserPromptSubmit", "PermissionRequest", "PostToolUse", "Stop", "SubagentStop", "Interrupt", "SessionEnd",
		},
		// Codex grants 3 seconds at most at the end of a turn or session.
		timeouts: map[string]int{"PermissionRequest": longTimeout, "Interrupt": 3, "SessionEnd": 3},
		next:     "Codex asks at its next start whether you trust the hooks (\"Hooks need review\"). Until then it skips them.",
	},
	{
		name: "opencode", dirVariable: "XDG_CONFIG_HOME", dir: ".config", file: "opencode/plugin/gatehouse.js",
		projectFile: ".opencode/plugin/gatehouse.js", next: "opencode loads the plugin at its next start.",
	},
}

// timeoutOf returns the time-out of an event.
func (c *client) timeoutOf(event string) int { return cmp.Or(c.timeouts[event], shortTimeout) }

// Place is a client of a user.
type Place struct {
	Client    string
	IsProject bool   // edit the settings of the project in Dir, not the user's
	Dir       string // absolute
	Home      string
	Env       func(name string) string
	Program   string // path of gatehouse for the hooks
}

// findClient returns the description of the client, the directory with its configuration, and the file with the hooks.
func (p Place) findClient() (c *client, config, file string, err error) {
	i := slices.IndexFunc(clients, func(c client) bool { return c.name == p.Client })
	if i < 0 {
		return nil, "", "", fmt.Errorf("%s: unknown client; use %s", p.Client, strings.Join(hook.Clients(), ", "))
	}
	c = &clients[i]
	if config = p.Env(c.dirVariable); !filepath.IsAbs(config) {
		config = filepath.Join(p.Home, c.dir)
	}
	switch {
	case p.IsProject:
		return c, config, filepath.Join(p.Dir, c.projectFile), nil
	case !filepath.IsAbs(config):
		return nil, "", "", errors.New("no home directory; set HOME")
	}
	return c, config, filepath.Join(config, c.file), nil
}
