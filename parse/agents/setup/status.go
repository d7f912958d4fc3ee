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

// Status reads the settings of the user and of the project, the highest rank first.
func (p Place) Status() (status Status, err error) {
	p.IsProject = false
	c, config, user, err := p.findClient()
	if err != nil {
		return status, err
	}
	status.ConfigDir = config
	files := []string{filepath.Join(p.Dir, c.projectFile)}
	if c.name == "claude" {
		files = append(files, filepath.Join(p.Dir, ".claude", "settings.json"))
	}
	files = slices.DeleteFunc(files, func(file string) bool { return file == user }) // in the home directory
	isDecided := false                                                               // "disableAllHooks" of a higher rank counts
	for _, file := range append(files, user) {
		text, failed := statefile.NewStore(nil).Read(settingsTarget(file))
		if failed != nil {
			if !errors.Is(failed, fs.ErrNotExist) {
				err = errors.Join(err, failed)
			}
			continue
		}
		var root doc.Value
		if c.events != nil {
			tree, problem := parseSettings(file, text)
			if problem != nil {
				status.Findings = append(status.Findings, *problem)
				continue
			}
			root = tree.Root()
		}
		if entries := c.listEntries(root, p.Program); len(entries) > 0 || strings.HasPrefix(text, pluginHead) {
			status.IsInstalled = true
			install := "gatehouse install " + c.name
			if file != user {
				install += " --project"
			}
			finding := model.Problem{Pos: model.Pos{File: file}, Severity: model.Error, Fix: install}
			p.checkHooks(&finding, c, config, text, entries)
			status.Findings = append(status.Findings, finding)
		}
		if v := root.Get("disableAllHooks"); c.name == "claude" && v.Is(doc.Bool) && !isDecided {
			isDecided = true
			if isOn, _ := v.Bool(); isOn {
				off := problemAt(file, text, v.KeyOffset(), `"disableAllHooks" is true: no hook runs`, "remove it from the file")
				status.Findings = append(status.Findings, *off)
			}
		}
	}
	return status, err
}

// checkHooks completes the finding about a file with hooks.
func (p Place) checkHooks(finding *model.Problem, c *client, configDir, text string, entries []entry) {
	config, _ := os.ReadFile(filepath.Join(configDir, "config.toml")) // without it, Codex trusts no hook
	var outdated, untrusted []string
	for _, e := range entries {
		if _, err := exec.LookPath(e.program); err != nil {
			finding.Text = "the hooks run " + e.program + ", which does not exist"
			return
		}
		// Codex keeps the hooks that the user trusts by their place: [hooks.state."FILE:subagent_stop:0:0"]. Only Codex knows
		// whether the trust is for the present text of the hook.
		event := strings.ToLower(regexp.MustCompile("([a-z])([A-Z])").ReplaceAllString(e.event, "${1}_$2"))
		if !strings.Contains(string(config), finding.Pos.File+":"+event+":"+e.place) {
			untrusted = append(untrusted, e.event)
		}
	}
	plan := Plan{File: finding.Pos.File, is: text}
	if err := plan.addHooks(c, p.Program); err != nil {
		finding.Text, finding.Fix = "the hooks can't be checked", err.Error()
		return
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
}
