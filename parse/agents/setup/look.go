package setup

// Looking whether a client runs the hooks, for the doctor.

import (
	"encoding/json"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"gatehouse/parse/disk/statefile"
)

// Found is how a client is set up.
type Found struct {
	File      string
	Installed bool     // there is a hook of ours
	Command   string   // of it
	Missing   []string // events without one
	Wrong     []string // events whose time-out is another than it should be
	// Off says why the client runs no hooks although they are there, "" where it does as far as can be told.
	Off string
}

// Look returns how a client is set up.
func (p Place) Look() (Found, error) {
	c, file, err := p.find()
	if err != nil {
		return Found{}, err
	}
	found := Found{File: file}
	text, err := statefile.NewStore(nil).Read(target(file))
	if errors.Is(err, fs.ErrNotExist) {
		return found, nil
	}
	if err != nil {
		return found, err
	}
	if c.hooks == nil {
		found.Installed = strings.HasPrefix(text, pluginHead)
		return found, nil
	}
	var said []string
	for _, e := range c.hooksOf(text) {
		found.Installed, found.Command = true, e.command
		if want, known := c.timeoutOf(e.event); known && want != e.timeout {
			found.Wrong = append(found.Wrong, e.event)
		}
		said = append(said, e.event)
	}
	for _, h := range c.hooks {
		if found.Installed && !slices.Contains(said, h.event) {
			found.Missing = append(found.Missing, h.event)
		}
	}
	switch c.name {
	case "claude":
		found.Off = claudeOff(text)
	case "codex":
		found.Off = c.codexOff(p, text, file)
	}
	return found, nil
}

// claudeOff returns why Claude Code runs no hooks.
func claudeOff(text string) string {
	var s struct {
		Disabled bool `json:"disableAllHooks"`
	}
	if json.Unmarshal([]byte(text), &s) == nil && s.Disabled {
		return `"disableAllHooks" is set`
	}
	return ""
}

// codexOff returns why Codex skips hooks: it runs those alone that its user has trusted, and keeps in config.toml which, by their
// place: [hooks.state."FILE:stop:0:0"]. Whether the trust is for the hook as it is now only Codex knows.
func (c *client) codexOff(p Place, text, file string) string {
	config, err := os.ReadFile(filepath.Join(filepath.Dir(c.file(p.Home, p.Env)), "config.toml"))
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return "its config.toml can't be read"
	}
	var missing []string
	for _, e := range c.hooksOf(text) {
		group := slices.Index(e.siblings.all, e.group)
		at := slices.Index(e.within.all, element{e.at, e.end})
		key := file + ":" + snake(e.event) + ":" + strconv.Itoa(group) + ":" + strconv.Itoa(at)
		if !strings.Contains(string(config), `[hooks.state."`+key+`"]`) && !strings.Contains(string(config), `[hooks.state.'`+key+`']`) {
			missing = append(missing, e.event)
		}
	}
	if len(missing) > 0 {
		return "not trusted yet: " + strings.Join(missing, ", ")
	}
	return ""
}

// snake returns the name of an event as Codex writes it in its keys: "PermissionRequest" is "permission_request".
func snake(event string) string {
	var b strings.Builder
	for i, r := range event {
		if r >= 'A' && r <= 'Z' {
			if i > 0 {
				b.WriteByte('_')
			}
			r += 'a' - 'A'
		}
		b.WriteRune(r)
	}
	return b.String()
}
