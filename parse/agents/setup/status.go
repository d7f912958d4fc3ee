package setup

import (
	"errors"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"

	"gatehouse/model"
	"gatehouse/parse/disk/statefile"
	"gatehouse/parse/doc"
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
	file    string
	text    string
	problem *model.Problem // why it can't be read
	root    doc.Value
	entries []entry
}

// readSources returns a client's settings files, the highest rank first.
func (p Place) readSources(c *client, user string) (sources []source, err error) {
	files := []string{user}
	if c.name == "claude" && filepath.Join(p.Dir, ".claude", "settings.json") != user { // not in the home directory
		files = []string{filepath.Join(p.Dir, ".claude", "settings.local.json"), filepath.Join(p.Dir, ".claude", "settings.json"), user}
	}
	for _, file := range files {
		s := source{file: file}
		text, failed := statefile.NewStore(nil).Read(settingsTarget(s.file))
		if failed != nil {
			if !errors.Is(failed, fs.ErrNotExist) {
				err = errors.Join(err, failed)
			}
			continue
		}
		if s.text = text; c.events != nil {
			var tree *doc.Tree
			tree, s.problem = parseSettings(s.file, text)
			s.root = tree.Root()
			s.entries = c.listEntries(s.root, p.Program)
		}
		sources = append(sources, s)
	}
	return sources, err
}

// Status reads the settings of the user and of the project.
func (p Place) Status() (Status, error) {
	c, config, user, err := p.findClient()
	if err != nil {
		return Status{}, err
	}
	sources, err := p.readSources(c, user)
	status, isDecided := Status{ConfigDir: config}, false // "disableAllHooks" of a higher rank counts
	for _, s := range sources {
		if s.problem != nil {
			status.Findings = append(status.Findings, *s.problem)
			continue
		}
		if len(s.entries) > 0 || strings.HasPrefix(s.text, pluginHead) {
			status.IsInstalled = true
			status.Findings = append(status.Findings, p.checkHooks(c, config, s))
		}
		if v := s.root.Get("disableAllHooks"); c.name == "claude" && v.Is(doc.Bool) && !isDecided {
			isDecided = true
			if isOn, _ := v.Bool(); isOn {
				off := problemAt(s.file, s.text, v.KeyOffset(), `"disableAllHooks" is true: no hook runs`, "remove it from the file")
				status.Findings = append(status.Findings, *off)
			}
		}
	}
	return status, err
}

// checkHooks returns the finding of a file with hooks.
func (p Place) checkHooks(c *client, configDir string, s source) model.Problem {
	finding := model.Problem{Pos: model.Pos{File: s.file}, Severity: model.Error, Fix: "gatehouse install " + c.name}
	config, _ := os.ReadFile(filepath.Join(configDir, "config.toml")) // without it, Codex trusts no hook
	var outdated, untrusted []string
	for _, e := range s.entries {
		if _, err := exec.LookPath(e.program); err != nil {
			finding.Text = "the hooks run " + e.program + ", which does not exist"
			return finding
		}
		// Codex keeps the hooks that the user trusts by their place: [hooks.state."FILE:subagent_stop:0:0"]. Only Codex knows
		// whether the trust is for the present text of the hook.
		event := strings.ToLower(regexp.MustCompile("([a-z])([A-Z])").ReplaceAllString(e.event, "${1}_$2"))
		if !strings.Contains(string(config), s.file+":"+event+":"+e.place) {
			untrusted = append(untrusted, e.event)
		}
	}
	plan := Plan{File: s.file, is: s.text}
	if err := plan.addHooks(c, p.Program); err != nil {
		finding.Text, finding.Fix = "the hooks can't be checked", err.Error()
		return finding
	}
	for _, edit := range plan.Edits {
		outdated = append(outdated, strings.TrimPrefix(edit.Label, "hooks."))
	}
	switch {
	case len(outdated) > 0:
		finding.Severity, finding.Text = model.Warning, "missing or outdated: "+strings.Join(slices.Compact(outdated), ", ")
	case c.name == "codex" && len(untrusted) > 0:
		finding.Text = "not trusted yet: " + strings.Join(untrusted, ", ")
		finding.Fix = `start codex and trust the hooks when it asks ("Hooks need review")`
	default:
		finding.Severity, finding.Text, finding.Fix = "", "hooks are installed", ""
	}
	return finding
}
