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
	"gatehouse/parse/disk/statefile"
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
	file, dir string // dir is the one of a project
	isManaged bool   // by the administrator of the machine
	text      string
	problem   *model.Problem // why it can't be read
	root      doc.Value
	entries   []entry
}

// readSources returns a client's settings files, the highest rank first. Claude Code 2.1.330 was seen to read
// settings.json in the directory that it starts in, and settings.local.json there and at the root of the main worktree.
func (p Place) readSources(c *client, user string) (sources []source, err error) {
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
	if c.name == "claude" {
		if root, _, ok := worktree.Root(p.Dir); ok && root != p.Dir {
			sources = append(sources, source{file: filepath.Join(root, c.projectFile), dir: root})
		}
		sources = append(sources, source{file: filepath.Join(p.Dir, ".claude", "settings.json"), dir: p.Dir})
	}
	sources = slices.DeleteFunc(sources, func(s source) bool { return s.file == user }) // in the home directory
	var found []source
	for _, s := range append(sources, source{file: user}) {
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
		found = append(found, s)
	}
	return found, err
}

// Status reads the settings of the user, of the project and of the machine.
func (p Place) Status() (Status, error) {
	p.IsProject = false
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
			status.addSwitch(s, v, "no hook runs")
		}
		if s.isManaged && len(s.entries) == 0 {
			status.addSwitch(s, s.root.Get("allowManagedHooksOnly"), "only hooks of managed settings run")
		}
	}
	return status, err
}

// addSwitch adds the finding of a setting that is true.
func (s *Status) addSwitch(source source, v doc.Value, effect string) {
	fix := "remove it from the file"
	if source.isManaged {
		fix = "ask the administrator of this machine"
	}
	if isOn, _ := v.Bool(); isOn {
		s.Findings = append(s.Findings, *problemAt(source.file, source.text, v.KeyOffset(), strconv.Quote(v.Key())+" is true: "+effect, fix))
	}
}

// checkHooks returns the finding of a file with hooks.
func (p Place) checkHooks(c *client, configDir string, s source) model.Problem {
	install := "gatehouse install " + c.name
	if s.dir != "" {
		install += " --project"
	}
	if s.dir != "" && s.dir != p.Dir {
		install += " --dir " + shell.Word(s.dir)
	}
	finding := model.Problem{Pos: model.Pos{File: s.file}, Severity: model.Error, Fix: install}
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
	case c.name == "gemini":
		finding.Severity, finding.Text, finding.Fix = model.Warning, "prompts are shown, not answered here", "answer them in Gemini"
	default:
		finding.Severity, finding.Text, finding.Fix = "", "hooks are installed", ""
	}
	return finding
}

// Deadline returns how long the client lets its hook for permissions run, by the file of the highest rank that has one; 0 if that is
// longer than anyone waits, or unknown.
func (p Place) Deadline() time.Duration {
	p.IsProject = false
	c, _, user, err := p.findClient()
	if err != nil {
		return 0
	}
	sources, _ := p.readSources(c, user)
	for _, s := range sources {
		for _, e := range s.entries {
			seconds, err := strconv.ParseFloat(e.hook.Get("timeout").Raw(), 64)
			if limit := time.Duration(seconds * float64(time.Second)); err == nil && e.event == "PermissionRequest" {
				if limit > 0 && limit < 24*time.Hour {
					return limit
				}
				return 0
			}
		}
	}
	return 0
}
