// Package setup has the clients of agents run gatehouse's hooks, and takes that back: it edits the settings of a client by the bytes
// of its own entries, and nothing else in them.
//
// Claude Code, Codex and Gemini keep hooks in the same form of JSON, a list of groups for each event:
//
//	{"hooks": {"Stop": [{"hooks": [{"type": "command", "command": "/usr/local/bin/gatehouse hook claude", "timeout": 10}]}]}}
//
// An entry is ours when its command ends in "gatehouse hook CLIENT", wherever it stands. Ours are put behind all others: Codex trusts
// a hook at its place in the list. opencode has plugins, files of their own: see plugin.js.
package setup

import (
	"errors"
	"fmt"
	"io/fs"
	"path/filepath"
	"slices"
	"strings"

	"gatehouse/model"
	"gatehouse/parse/disk/statefile"
	"gatehouse/parse/protocol"
)

// Scope says whose settings are meant.
type Scope int

// The scopes.
const (
	User    Scope = iota // all projects of the user
	Project              // one, for this user alone where the client has a place for that
)

const (
	// longest is the time-out in seconds that an event gets which waits for a human, the longest that JavaScript's timers know:
	// 2³¹ ms, 24 days. Claude Code, whose default are ten minutes, was seen to keep to it. Codex takes any number.
	longest = 2147483
	// brief is that of events which wait for nobody.
	brief = 10
	// codexBrief is what Codex grants at the end of a turn or session; more is cut, with a warning.
	codexBrief = 3
)

// hook is an event that a client runs a hook for.
type hook struct {
	event   string
	timeout int // in the client's unit
}

// client is where a client keeps what it is set to do.
type client struct {
	name string
	// file returns the file, by the home directory and the environment, or below a project.
	file  func(home string, env func(string) string) string
	below string // of a project, "/"-separated
	hooks []hook // none: a plugin
	next  string // what is to be done after it was set up, for people
}

var clients = []client{
	{
		name: "claude", next: "Claude Code runs them from its next start.", below: ".claude/settings.local.json",
		file: func(home string, env func(string) string) string {
			return filepath.Join(orIn(env("CLAUDE_CONFIG_DIR"), home, ".claude"), "settings.json")
		},
		hooks: []hook{
			{"SessionStart", brief}, {"UserPromptSubmit", brief}, {"PermissionRequest", longest}, {"PostToolUse", brief}, {"PostToolUseFailure", brief},
			{"Notification", brief}, {"SubagentStop", brief}, {"Stop", brief}, {"SessionEnd", brief},
		},
	},
	{
		name: "codex", next: "Codex asks at its next start whether it may run them (\"Hooks need review\"); until then it skips them.", below: ".codex/hooks.json",
		file: func(home string, env func(string) string) string {
			return filepath.Join(orIn(env("CODEX_HOME"), home, ".codex"), "hooks.json")
		},
		hooks: []hook{
			{"SessionStart", brief}, {"UserPromptSubmit", brief}, {"PermissionRequest", longest}, {"PostToolUse", brief}, {"Stop", brief},
			{"SubagentStop", brief}, {"Interrupt", codexBrief}, {"SessionEnd", codexBrief},
		},
	},
	{
		name: "opencode", next: "opencode loads the plugin at its next start.", below: ".opencode/plugin/gatehouse.js",
		file: func(home string, env func(string) string) string {
			return filepath.Join(orIn(env("XDG_CONFIG_HOME"), home, ".config"), "opencode", "plugin", "gatehouse.js")
		},
	},
	{
		name: "gemini", next: "Gemini tells from its next start on that it waits; it can be answered in its own prompt alone.", below: ".gemini/settings.json",
		file: func(home string, _ func(string) string) string {
			return filepath.Join(home, ".gemini", "settings.json")
		},
		hooks: []hook{ // in milliseconds; none waits
			{"SessionStart", 1000 * brief}, {"BeforeAgent", 1000 * brief}, {"AfterTool", 1000 * brief}, {"AfterAgent", 1000 * brief},
			{"Notification", 1000 * brief}, {"SessionEnd", 1000 * brief},
		},
	},
}

// ErrClient says that there is no client of a name.
var ErrClient = errors.New("there is no such client")

// orIn returns a directory that is named, else one in the home directory.
func orIn(named, home, below string) string {
	if filepath.IsAbs(named) {
		return named
	}
	return filepath.Join(home, below)
}

// Clients returns the names of the clients that can be set up.
func Clients() []string {
	var names []string
	for _, c := range clients {
		names = append(names, c.name)
	}
	return names
}

// Place is where a client is to be set up.
type Place struct {
	Client  string
	Scope   Scope
	Home    string // home directory
	Env     func(name string) string
	Dir     string // of the project, for the scope of one
	Program string // path of gatehouse, as the client is to call it
}

// Plan is what is to be written. Making one writes nothing.
type Plan struct {
	File  string // absolute
	Edits []model.Edit
	// Made says that there is no such file yet, Removed that it goes.
	Made, Removed bool
	was, is       string
}

// Nothing reports whether all is as it should be.
func (p *Plan) Nothing() bool { return p.was == p.is && !p.Removed }

// Next says what is to be done after a client was set up.
func (p Place) Next() string {
	c, _, err := p.find()
	if err != nil {
		return ""
	}
	return c.next
}

// find returns the client, and its file.
func (p Place) find() (*client, string, error) {
	i := slices.IndexFunc(clients, func(c client) bool { return c.name == p.Client })
	if i < 0 {
		return nil, "", fmt.Errorf("%s: %w; there is %s", p.Client, ErrClient, strings.Join(Clients(), ", "))
	}
	c := &clients[i]
	if p.Scope == Project {
		return c, filepath.Join(p.Dir, filepath.FromSlash(c.below)), nil
	}
	if file := c.file(p.Home, p.Env); filepath.IsAbs(file) {
		return c, file, nil
	}
	return nil, "", errors.New("there is no home directory; set HOME")
}

// Install says what is to be written so that the client runs the hooks.
func (p Place) Install() (*Plan, error) {
	return p.plan(func(c *client, was string) (string, []model.Span, error) { return c.install(was, p.Program) })
}

// Uninstall says what is to be written so that the client runs none of them.
func (p Place) Uninstall() (*Plan, error) {
	return p.plan(func(c *client, was string) (string, []model.Span, error) { return c.uninstall(was) })
}

// plan reads the file, and returns what a change would make of it: "" for no file at all.
func (p Place) plan(change func(c *client, was string) (begin string, spans []model.Span, err error)) (*Plan, error) {
	c, file, err := p.find()
	if err != nil {
		return nil, err
	}
	plan := &Plan{File: file}
	plan.was, err = statefile.NewStore(nil).Read(target(file))
	if errors.Is(err, fs.ErrNotExist) {
		plan.Made, err = true, nil
	}
	if err != nil {
		return nil, err
	}
	begin, spans, err := change(c, plan.was)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", file, err)
	}
	if plan.is, err = protocol.Apply(begin, spans); err != nil {
		return nil, fmt.Errorf("%s: %w", file, err)
	}
	plan.Edits = protocol.ListEdits(file, begin, spans)
	plan.Removed = !plan.Made && plan.is == ""
	return plan, nil
}

// target returns the file, where it may be a link to somewhere else of the user's: settings often live in a repository of their own.
func target(file string) statefile.Target {
	t := statefile.Target{Path: file, Within: []string{filepath.Dir(file)}}
	if real, err := filepath.EvalSymlinks(file); err == nil {
		t.Within = append(t.Within, filepath.Dir(real))
	}
	return t
}
