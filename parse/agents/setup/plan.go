package setup

import (
	"context"
	_ "embed"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"gatehouse/model"
	"gatehouse/parse/disk/statefile"
	"gatehouse/parse/doc"
	"gatehouse/parse/protocol"
)

// Plan is a change of a client's settings. Making one writes nothing.
type Plan struct {
	File    string // absolute
	Edits   []model.Edit
	Removes []string // the file, if nothing else is in it, and its directory, if that is opencode's for plugins and becomes empty
	Next    string   // what the user has to do or know after an installation
	was, is string
}

// errChanged is the error of settings that differ from those of the plan.
var errChanged = errors.New("the file has changed meanwhile; run the command again")

// Install plans the edits that make the client run the hooks.
func (p Place) Install() (*Plan, error) {
	c, plan, err := p.open()
	if err == nil {
		plan.Next, err = c.next, plan.install(c, p.Program)
	}
	return plan, err
}

// install adds the edits of an installation.
func (p *Plan) install(c *client, program string) error {
	text := strings.Replace(plugin, `"gatehouse"`, doc.QuoteJSON(program), 1)
	switch {
	case c.events != nil:
		if strings.TrimSpace(p.is) == "" {
			p.is += "{}\n"
		}
		return p.editHooks(c, c.events, program)
	case p.is != "" && !strings.HasPrefix(p.is, pluginHead):
		return fmt.Errorf("%s: not Gatehouse's plugin; move it away, or rename it", p.File)
	case p.is == text:
		return nil
	}
	return p.apply([]model.Span{{Old: p.is, New: text, Label: "plugin"}})
}

// Uninstall plans the edits that remove the hooks, and the file if nothing else is in it. A link stays: the user has made it.
func (p Place) Uninstall() (*Plan, error) {
	c, plan, err := p.open()
	switch {
	case err != nil:
		return nil, err
	case c.events != nil && strings.TrimSpace(plan.is) != "":
		err = plan.editHooks(c, nil, "")
	case c.events == nil && strings.HasPrefix(plan.is, pluginHead):
		err = plan.apply([]model.Span{{Old: plan.is, Label: "plugin"}})
	}
	if err != nil || plan.IsEmpty() || strings.Trim(plan.is, doc.ByteOrderMark+"{} \t\r\n") != "" {
		return plan, err
	}
	if info, err := os.Lstat(plan.File); err != nil || !info.Mode().IsRegular() {
		return plan, err
	}
	plan.Removes = []string{plan.File}
	dir := filepath.Dir(plan.File)
	entries, _ := os.ReadDir(dir)
	if info, err := os.Lstat(dir); err == nil && info.IsDir() && c.events == nil && len(entries) == 1 {
		plan.Removes = append(plan.Removes, dir)
	}
	return plan, nil
}

// open returns the client, and a plan that changes nothing.
func (p Place) open() (*client, *Plan, error) {
	c, _, file, err := p.client()
	if err != nil {
		return nil, nil, err
	}
	text, err := readSettings(file)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return nil, nil, err
	}
	return c, &Plan{File: file, was: text, is: text}, nil
}

// apply adds spans of the current text to the plan.
func (p *Plan) apply(spans []model.Span) error {
	is, err := protocol.Apply(p.is, spans)
	if err != nil {
		return fmt.Errorf("%s: %w", p.File, err)
	}
	p.Edits = append(p.Edits, protocol.ListEdits(p.File, p.is, spans)...)
	p.is = is
	return nil
}

// IsEmpty reports whether the plan changes nothing.
func (p *Plan) IsEmpty() bool { return len(p.Edits) == 0 }

// Write carries out the plan, unless the file has changed since.
func (p *Plan) Write(ctx context.Context) error {
	if p.IsEmpty() {
		return nil
	}
	if len(p.Removes) > 0 {
		if now, err := readSettings(p.File); err != nil || now != p.was {
			return errors.Join(err, errChanged)
		}
		for _, path := range p.Removes {
			if err := os.Remove(path); err != nil {
				return err
			}
		}
		return nil
	}
	if err := os.MkdirAll(filepath.Dir(p.File), 0o755); err != nil {
		return err
	}
	_, err := statefile.NewStore(nil).Put(ctx, settingsTarget(p.File), func(now string, _ bool) (string, error) {
		if now != p.was {
			return "", errChanged
		}
		return p.is, nil
	})
	return err
}

func readSettings(file string) (string, error) {
	return statefile.NewStore(nil).Read(settingsTarget(file))
}

// settingsTarget returns a file that may be a link: users keep settings in repositories of their own.
func settingsTarget(file string) statefile.Target {
	t := statefile.Target{Path: file, Within: []string{filepath.Dir(file)}}
	if target, err := filepath.EvalSymlinks(file); err == nil {
		t.Within = append(t.Within, filepath.Dir(target))
	}
	return t
}

// plugin is the plugin of opencode, pluginHead its first words, by which it is recognized.
//
//go:embed plugin.js
var plugin string

const pluginHead = "// Gatehouse's plugin for opencode"
