package setup

import (
	"context"
	_ "embed"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"gatehouse/model"
	"gatehouse/parse/disk/statefile"
	"gatehouse/parse/doc"
	"gatehouse/parse/protocol"
	"gatehouse/parse/text/shell"
)

// Plan is a change of a client's settings. Making one writes nothing.
type Plan struct {
	File        string // absolute
	Edits       []model.Edit
	RemovesFile bool   // nothing else is in it
	Next        string // the user's next step after an installation
	was, is     string
	target      statefile.Target
}

// errChanged is the error for settings that have changed since the plan was made.
var errChanged = errors.New("the file has changed meanwhile; run the command again")

// Install plans the edits that make the client run the hooks.
func (p Place) Install() (*Plan, error) {
	c, plan, err := p.openPlan()
	if err == nil {
		plan.Next, err = c.next, plan.addHooks(c, p.Program)
	}
	return plan, err
}

// addHooks adds the edits of an installation.
func (p *Plan) addHooks(c *client, program string) error {
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
	return p.applySpans([]model.Span{{Old: p.is, New: text, Label: "plugin"}})
}

// Uninstall plans the edits that remove the hooks, and the file if nothing else is in it. A link stays: the user has made it.
func (p Place) Uninstall() (*Plan, error) {
	c, plan, err := p.openPlan()
	switch {
	case err != nil:
		return nil, err
	case c.events != nil && strings.TrimSpace(plan.is) != "":
		err = plan.editHooks(c, nil, p.Program)
	case c.events == nil && strings.HasPrefix(plan.is, pluginHead):
		err = plan.applySpans([]model.Span{{Old: plan.is, Label: "plugin"}})
	}
	info, missing := os.Lstat(plan.File)
	isBlank := strings.Trim(plan.is, doc.ByteOrderMark+"{} \t\r\n") == ""
	plan.RemovesFile = err == nil && !plan.IsEmpty() && isBlank && missing == nil && info.Mode().IsRegular()
	return plan, err
}

// openPlan returns the client, and a plan that changes nothing.
func (p Place) openPlan() (*client, *Plan, error) {
	c, _, file, err := p.findClient()
	if err != nil {
		return nil, nil, err
	}
	t := settingsTarget(file)
	if p.IsProject { // whatever links its repository has, the file must be in it
		t.Within = []string{p.Dir}
		if err := t.Inside(); err != nil {
			return nil, nil, err
		}
	}
	text, err := statefile.NewStore(nil).Read(t)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return nil, nil, err
	}
	return c, &Plan{File: file, target: t, was: text, is: text}, nil
}

// applySpans adds spans of the current text to the plan.
func (p *Plan) applySpans(spans []model.Span) error {
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
	store := statefile.NewStore(nil)
	if p.IsEmpty() {
		return nil
	}
	if p.RemovesFile {
		if now, err := store.Read(p.target); err != nil || now != p.was {
			return errors.Join(err, errChanged)
		}
		if filepath.Base(p.File) == pluginFile { // its directory, if nothing else is in it
			defer os.Remove(filepath.Dir(p.File))
		}
		return os.Remove(p.File)
	}
	dir := statefile.Target{Path: filepath.Dir(p.File), Within: p.target.Within}
	if _, err := os.Stat(dir.Path); errors.Is(err, fs.ErrNotExist) {
		if dir.Within[0] == dir.Path { // of the user
			err = os.MkdirAll(dir.Path, 0o755)
		} else {
			err = store.MakeDir(dir)
		}
		if err != nil {
			return err
		}
	}
	_, err := store.Put(ctx, p.target, func(now string, _ bool) (string, error) {
		if now != p.was {
			return "", errChanged
		}
		return p.is, nil
	})
	return err
}

// settingsTarget returns a file of a user, which may be a link: users keep settings in repositories of their own.
func settingsTarget(file string) statefile.Target {
	t := statefile.Target{Path: file, Within: []string{filepath.Dir(file)}}
	if target, err := filepath.EvalSymlinks(file); err == nil {
		t.Within = append(t.Within, filepath.Dir(target))
	}
	return t
}

// entry is a hook of Gatehouse in settings.
type entry struct {
	event, program string
	hook           doc.Value
	whole          doc.Value // the group of the hook if it is alone there, else the hook
	place          string    // index of the group and of the hook, "0:0"
}

// listEntries returns the hooks of Gatehouse in the order of the file: hooks that run a program of that name, or this
// one.
func (c *client) listEntries(root doc.Value, own string) (entries []entry) {
	for list := range root.Get("hooks").Children() {
		for i, group := range slices.Collect(list.Children()) {
			hooks := slices.Collect(group.Get("hooks").Children())
			for j, hook := range hooks {
				e := entry{event: list.Key(), hook: hook, whole: hook, place: fmt.Sprint(i, ":", j)}
				if len(hooks) == 1 {
					e.whole = group
				}
				program, isHook := strings.CutSuffix(strings.TrimSpace(hook.Get("command").Text()), " hook "+c.name)
				e.program = strings.ReplaceAll(strings.Trim(program, `'"`), `'\''`, "'")
				if isHook && (strings.HasPrefix(filepath.Base(e.program), "gatehouse") || e.program == own) {
					entries = append(entries, e)
				}
			}
		}
	}
	return entries
}

// editHooks makes the wanted events run the program and removes all other entries, one edit at a time.
func (p *Plan) editHooks(c *client, wanted []string, program string) error {
	for range maxEdits {
		tree, problem := parseSettings(p.File, p.is)
		if problem == nil && len(tree.Problems) > 0 { // the tree has only one value of a key that appears twice
			twice := tree.Problems[0]
			problem = problemAt(p.File, p.is, twice.At, twice.Text, twice.Fix)
		}
		if problem != nil {
			return errors.New(problem.String())
		}
		spans, err := c.nextEdit(tree, wanted, program)
		if err != nil {
			return fmt.Errorf("%s: %w; fix that first", p.File, err)
		}
		if len(spans) == 0 {
			return nil
		}
		if err := p.applySpans(spans); err != nil {
			return err
		}
	}
	return fmt.Errorf("%s: more than %d edits; remove the hooks of Gatehouse by hand", p.File, maxEdits)
}

// maxEdits is how many edits a plan has at most: each of some twenty events needs a few.
const maxEdits = 200

// nextEdit returns the spans of the first change that settings need, none if they need no change.
func (c *client) nextEdit(tree *doc.Tree, wanted []string, program string) ([]model.Span, error) {
	command, current := doc.QuoteJSON(shell.Word(program)+" hook "+c.name), map[string]bool{}
	for _, e := range c.listEntries(tree.Root(), program) {
		if current[e.event] || !slices.Contains(wanted, e.event) {
			return protocol.ModelSpans(doc.Remove(tree.Root(), func(v doc.Value) bool { return v == e.whole })), nil
		}
		timeout := strconv.Itoa(c.timeoutOf(e.event))
		if e.hook.Get("command").Raw() != command || e.hook.Get("timeout").Raw() != timeout {
			hook := fmt.Sprintf(`{"type": "command", "command": %s, "timeout": %s}`, command, timeout)
			return []model.Span{{At: e.hook.Offset(), Old: e.hook.Raw(), New: hook, Label: "hooks." + e.event}}, nil
		}
		current[e.event] = true
	}
	for _, event := range wanted {
		if !current[event] {
			group := fmt.Sprintf(`{"hooks":[{"type":"command","command":%s,"timeout":%d}]}`, command, c.timeoutOf(event))
			span, err := protocol.AddElement(tree, []string{"hooks", event}, group)
			return []model.Span{span}, err
		}
	}
	return nil, nil
}

// parseSettings parses settings, which are an object.
func parseSettings(file, text string) (*doc.Tree, *model.Problem) {
	tree, syntax := doc.ParseJSON(text)
	if syntax != nil {
		fix := "fix the file"
		if strings.HasPrefix(text[syntax.At:], "/") {
			fix = "remove the comment"
		}
		return nil, problemAt(file, text, syntax.At, protocol.SyntaxFault(text, syntax).Text, fix)
	}
	if root := tree.Root(); !root.Is(doc.Map) {
		return nil, problemAt(file, text, root.Offset(), "the settings are "+root.Kind().String(), "write an object")
	}
	return tree, nil
}

// problemAt returns a problem at an offset of a text.
func problemAt(file, text string, at int, what, fix string) *model.Problem {
	pos := protocol.Source{File: file, Lines: doc.IndexLines(text)}.Pos(at)
	return &model.Problem{Pos: pos, Severity: model.Error, Text: what, Fix: fix}
}

// pluginFile is the name of the file of the plugin of opencode.
const pluginFile = "gatehouse.js"

// plugin is the plugin of opencode, pluginHead its first words, which identify it.
//
//go:embed plugin.js
var plugin string

const pluginHead = "// Gatehouse's plugin for opencode"
