package setup

import (
	"errors"
	"fmt"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"gatehouse/model"
	"gatehouse/parse/doc"
	"gatehouse/parse/protocol"
	"gatehouse/parse/text/shell"
)

// entry is a hook of Gatehouse in settings.
type entry struct {
	event, program string
	hook, command  doc.Value
	whole          doc.Value // what is removed with the hook: its group if it is alone there
	place          string    // index of the group and of the hook, "0:0"
}

// listEntries returns the hooks of Gatehouse in the order of the file.
func (c *client) listEntries(root doc.Value) (entries []entry) {
	for list := range root.Get("hooks").Children() {
		for i, group := range slices.Collect(list.Children()) {
			hooks := slices.Collect(group.Get("hooks").Children())
			for j, hook := range hooks {
				e := entry{event: list.Key(), hook: hook, command: hook.Get("command"), whole: hook, place: fmt.Sprint(i, ":", j)}
				if len(hooks) == 1 {
					e.whole = group
				}
				program, isHook := strings.CutSuffix(strings.TrimSpace(e.command.Text()), " hook "+c.name)
				e.program = strings.ReplaceAll(strings.Trim(program, `'"`), `'\''`, "'")
				if isHook && filepath.Base(e.program) == "gatehouse" {
					entries = append(entries, e)
				}
			}
		}
	}
	return entries
}

// editHooks makes the wanted events run the program and removes all other entries, one edit at a time.
func (p *Plan) editHooks(c *client, wanted []string, program string) error {
	for {
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
		if err := p.apply(spans); err != nil {
			return err
		}
	}
}

// nextEdit returns the spans of the first change that settings need, none if they need no change.
func (c *client) nextEdit(tree *doc.Tree, wanted []string, program string) ([]model.Span, error) {
	command, current := doc.QuoteJSON(shell.Word(program)+" hook "+c.name), map[string]bool{}
	for _, e := range c.listEntries(tree.Root()) {
		timeout, label := e.hook.Get("timeout"), "hooks."+e.event
		if current[e.event] || !slices.Contains(wanted, e.event) {
			return protocol.ModelSpans(doc.Remove(tree.Root(), func(v doc.Value) bool { return v == e.whole })), nil
		}
		if e.command.Raw() != command {
			return []model.Span{{At: e.command.Offset(), Old: e.command.Raw(), New: command, Label: label}}, nil
		}
		if want := strconv.Itoa(c.timeoutOf(e.event)); !timeout.Exists() {
			return []model.Span{{At: e.command.End(), New: `, "timeout": ` + want, Label: label}}, nil
		} else if timeout.Raw() != want {
			return []model.Span{{At: timeout.Offset(), Old: timeout.Raw(), New: want, Label: label}}, nil
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
