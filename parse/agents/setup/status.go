package setup

import (
	"errors"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"time"

	"gatehouse/model"
	"gatehouse/parse/agents/worktree"
	"gatehouse/parse/doc"
	"gatehouse/parse/text/shell"
)

// Status is how a client is set up for a user in a project.
type Status struct {
	ConfigDir   string
	IsInstalled bool // a file has Gatehouse's hooks
	// Findings has one for each file with the hooks, of severity "" if they are as they should be, and one for each setting that keeps
	// hooks from running.
	Findings []model.Problem
}

// source is a file of settings.
type source struct {
	file, dir string
	isManaged bool // by the administrator of the machine
}

// Status reads the settings of the user, of the project and of the machine.
func (p Place) Status() (Status, error) {
	p.IsProject = false
	c, user, err := p.client()
	if err != nil {
		return Status{}, err
	}
	s := Status{ConfigDir: c.configDir(p)}
	isDecided := false // "disableAllHooks" of a higher rank counts
	for _, source := range c.listSources(p, user) {
		text, err := readSettings(source.file)
		if errors.Is(err, fs.ErrNotExist) {
			continue
		}
		if err != nil {
			return s, err
		}
		var root doc.Value
		if c.events != nil {
			tree, problem := parseSettings(source.file, text)
			if problem != nil {
				s.Findings = append(s.Findings, *problem)
				continue
			}
			root = tree.Root()
		}
		entries := c.listEntries(root)
		if len(entries) > 0 || strings.HasPrefix(text, pluginHead) {
			s.IsInstalled = true
			s.Findings = append(s.Findings, p.checkHooks(c, source, text, entries))
		}
		if v := root.Get("disableAllHooks"); c.name == "claude" && v.Is(doc.Bool) && !isDecided {
			isDecided = true
			s.addSwitch(source, text, v, "no hook runs")
		}
		if source.isManaged && len(entries) == 0 {
			s.addSwitch(source, text, root.Get("allowManagedHooksOnly"), "only hooks of managed settings run")
		}
	}
	return s, nil
}

// addSwitch adds the finding of a setting that is true.
func (s *Status) addSwitch(source source, text string, v doc.Value, effect string) {
	fix := "remove it from the file"
	if source.isManaged {
		fix = "ask the administrator of this machine"
	}
	if isOn, _ := v.Bool(); isOn {
		s.Findings = append(s.Findings, *problemAt(source.file, text, v.KeyOffset(), strconv.Quote(v.Key())+" is true: "+effect, fix))
	}
}

// checkHooks returns the finding of a file with hooks.
func (p Place) checkHooks(c *client, source source, text string, entries []entry) model.Problem {
	finding := func(severity model.Severity, text, fix string) model.Problem {
		return model.Problem{Pos: model.Pos{File: source.file}, Severity: severity, Text: text, Fix: fix}
	}
	install := "gatehouse install " + c.name
	if source.dir != "" {
		install += " --project"
	}
	if source.dir != "" && source.dir != p.Dir {
		install += " --dir " + shell.Word(source.dir)
	}
	config, _ := os.ReadFile(filepath.Join(c.configDir(p), "config.toml")) // without it, Codex trusts no hook
	var outdated, untrusted []string
	for _, e := range entries {
		if _, err := exec.LookPath(e.program); err != nil {
			return finding(model.Error, "the hooks run "+e.program+", which does not exist", install)
		}
		// Codex keeps the hooks that the user trusts by their place: [hooks.state."FILE:subagent_stop:0:0"]. Only Codex knows
		// whether the trust is for the present text of the hook.
		event := strings.ToLower(wordStart.ReplaceAllString(e.event, "${1}_$2"))
		if !strings.Contains(string(config), source.file+":"+event+":"+e.place) {
			untrusted = append(untrusted, e.event)
		}
	}
	plan := Plan{File: source.file, is: text}
	if err := plan.install(c, p.Program); err != nil {
		return finding(model.Error, "the hooks can't be checked", err.Error())
	}
	for _, edit := range plan.Edits {
		outdated = append(outdated, strings.TrimPrefix(edit.Label, "hooks."))
	}
	switch {
	case len(outdated) > 0:
		return finding(model.Warning, "missing or outdated: "+strings.Join(slices.Compact(outdated), ", "), install)
	case c.name == "codex" && len(untrusted) > 0:
		return finding(model.Error, "not trusted yet: "+strings.Join(untrusted, ", "), `start codex and trust the hooks when it asks ("Hooks need review")`)
	case c.name == "gemini":
		return finding(model.Warning, "prompts are shown, not answered here", "answer them in Gemini")
	}
	return finding("", "hooks are installed", "")
}

var wordStart = regexp.MustCompile("([a-z])([A-Z])")

// listSources returns the files with settings of a client, those of the highest rank first. Claude Code 2.1.330 was seen to read
// settings.json in the directory that it starts in, and settings.local.json there and at the root of the main worktree.
func (c *client) listSources(p Place, user string) (sources []source) {
	if c.name == "claude" {
		managed := filepath.Join(p.Root, "/etc/claude-code")
		if runtime.GOOS == "darwin" {
			managed = filepath.Join(p.Root, "/Library/Application Support/ClaudeCode")
		}
		parts, _ := filepath.Glob(filepath.Join(managed, "managed-settings.d", "[^.]*.json"))
		slices.Reverse(parts) // later ones override
		for _, file := range append(parts, filepath.Join(managed, "managed-settings.json")) {
			sources = append(sources, source{file: file, isManaged: true})
		}
	}
	sources = append(sources, source{file: filepath.Join(p.Dir, c.projectFile), dir: p.Dir})
	if root, _, ok := worktree.Root(p.Dir); ok && c.name == "claude" && root != p.Dir {
		sources = append(sources, source{file: filepath.Join(root, c.projectFile), dir: root})
	}
	if c.name == "claude" {
		sources = append(sources, source{file: filepath.Join(p.Dir, ".claude", "settings.json"), dir: p.Dir})
	}
	sources = slices.DeleteFunc(sources, func(s source) bool { return s.file == user }) // in the home directory
	return append(sources, source{file: user})
}

// Deadline returns how long the client lets its hook for permissions run, by the file of the highest rank that has one; 0 if that is
// longer than anyone waits, or unknown.
func (p Place) Deadline() time.Duration {
	p.IsProject = false
	c, user, err := p.client()
	if err != nil || c.events == nil {
		return 0
	}
	unit := time.Second
	if c.timeout >= 1000 {
		unit = time.Millisecond
	}
	for _, source := range c.listSources(p, user) {
		text, err := readSettings(source.file)
		if err != nil {
			continue
		}
		tree, problem := parseSettings(source.file, text)
		if problem != nil {
			continue
		}
		for _, e := range c.listEntries(tree.Root()) {
			if amount, err := strconv.ParseFloat(e.hook.Get("timeout").Raw(), 64); err == nil && e.event == "PermissionRequest" {
				if limit := time.Duration(amount * float64(unit)); limit > 0 && limit < 24*time.Hour {
					return limit
				}
				return 0
			}
		}
	}
	return 0
}
