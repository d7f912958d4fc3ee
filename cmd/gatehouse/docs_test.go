package main

import (
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"gatehouse/statusline"
)

// page is a text of the documentation, and what stands in it as code.
type page struct{ name, text, code string }

// codeSpan finds code within a line.
var codeSpan = regexp.MustCompile("`[^`]+`")

// clientCommand finds commands of agents' clients, whose flags are not Gatehouse's.
var clientCommand = regexp.MustCompile("`(?:claude|codex) [^`]+`")

// pages are the README and what is in docs.
func pages(t *testing.T) (all []page) {
	t.Helper()
	names, err := filepath.Glob("../../docs/*.md")
	if err != nil {
		t.Fatal(err)
	}
	for _, name := range append(names, "../../README.md") {
		text, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		p := page{name: strings.TrimPrefix(name, "../../"), text: string(text)}
		for l := range strings.Lines(p.text) {
			if strings.HasPrefix(l, "    ") {
				p.code += l
				continue
			}
			p.code += strings.Join(codeSpan.FindAllString(clientCommand.ReplaceAllString(l, ""), -1), "\n") + "\n"
		}
		all = append(all, p)
	}
	return all
}

// commandsBelow yields a command and all below it that people are shown.
func commandsBelow(cmd *cobra.Command, yield func(*cobra.Command)) {
	yield(cmd)
	for _, c := range cmd.Commands() {
		if !c.Hidden && c.Name() != "help" {
			commandsBelow(c, yield)
		}
	}
}

// TestDocsNameWhatThereIs: every command, flag and variable in the documentation is one, and every one is in the documentation.
func TestDocsNameWhatThereIs(t *testing.T) {
	root := newRoot(&env{})
	flags, isCommand := map[string]bool{"help": true, "version": true}, map[string]bool{}
	commandsBelow(root, func(cmd *cobra.Command) {
		isCommand[strings.TrimPrefix(cmd.CommandPath(), "gatehouse ")] = true
		cmd.LocalFlags().VisitAll(func(f *pflag.Flag) { flags[f.Name] = true })
	})
	own := maps.Clone(flags)
	flags["now"] = true // of systemctl
	for _, m := range regexp.MustCompile(`--([a-z][a-z-]+)`).FindAllStringSubmatch(statusline.Help(), -1) {
		flags[m[1]] = true
	}

	var docs, commands string
	for _, p := range pages(t) {
		docs += p.text
		if p.name == "docs/commands.md" {
			commands = p.code
		}
		for _, m := range regexp.MustCompile(`\bgatehouse ([a-z][a-z-]*)(?: ([a-z][a-z-]*))?`).FindAllStringSubmatch(p.code, -1) {
			cmd, rest, err := root.Find(slices.DeleteFunc(m[1:], func(s string) bool { return s == "" }))
			if err != nil || cmd == root || cmd.HasSubCommands() && len(rest) > 0 {
				t.Errorf("%s: there is no command %q", p.name, m[0])
			}
		}
		for _, m := range regexp.MustCompile("(?:^|[ `(|\\[])--([a-z][a-z-]+)").FindAllStringSubmatch(p.code, -1) {
			if !flags[m[1]] {
				t.Errorf("%s: there is no flag --%s", p.name, m[1])
			}
		}
	}
	for path := range isCommand {
		if !strings.Contains(commands, "gatehouse "+path) && !strings.Contains(commands, "`"+path) && path != "gatehouse" && !strings.HasPrefix(path, "completion ") {
			t.Errorf("docs/commands.md does not name %q", path)
		}
	}
	for name := range own {
		if !regexp.MustCompile(`--`+name+`\b`).MatchString(docs) && name != "help" && name != "version" {
			t.Errorf("no text names --%s", name)
		}
	}

	variable := regexp.MustCompile(`\bGATEHOUSE_[A-Z_]+\b`)
	var product, tests string
	walkSource(t, func(path, text string) {
		switch {
		case strings.HasSuffix(path, "_test.go"):
			tests += text
		case !strings.Contains(path, "conformance"): // which is for tests
			product += text
		}
	})
	for _, name := range variable.FindAllString(docs, -1) {
		if !strings.Contains(product, name) && !strings.Contains(tests, name) {
			t.Errorf("nothing reads %s", name)
		}
	}
	for _, name := range variable.FindAllString(product, -1) {
		if !strings.Contains(docs, name) {
			t.Errorf("no text names %s", name)
		}
	}
}

// walkSource hands over the path and text of every file of Go.
func walkSource(t *testing.T, see func(path, text string)) {
	t.Helper()
	for _, dir := range []string{"cmd", "model", "parse", "statusline", "tui"} {
		err := filepath.WalkDir("../../"+dir, func(path string, e fs.DirEntry, err error) error {
			if err != nil || e.IsDir() || !strings.HasSuffix(path, ".go") {
				return err
			}
			text, err := os.ReadFile(path)
			see(path, string(text))
			return err
		})
		if err != nil {
			t.Fatal(err)
		}
	}
}

// TestExitCodesInDocs: the table of exit codes has those of the code, and no others.
func TestExitCodesInDocs(t *testing.T) {
	text, err := os.ReadFile("../../docs/commands.md")
	if err != nil {
		t.Fatal(err)
	}
	_, table, ok := strings.Cut(string(text), "## Exit codes")
	if !ok {
		t.Fatal("docs/commands.md has no table of exit codes")
	}
	table, _, _ = strings.Cut(table, "\n## ")
	documented := map[string]bool{}
	for _, m := range regexp.MustCompile(`(?m)^\| (\d+)(?: \+ n)? \|`).FindAllStringSubmatch(table, -1) {
		documented[m[1]] = true
	}
	exits := map[string]bool{}
	walkSource(t, func(path, text string) {
		if filepath.Dir(path) != filepath.Clean("../../cmd/gatehouse") || strings.HasSuffix(path, "_test.go") {
			return
		}
		for _, m := range regexp.MustCompile(`(?m)^\s*exit[A-Z]\w* += (\d+)`).FindAllStringSubmatch(text, -1) {
			exits[m[1]] = true
		}
	})
	if !maps.Equal(documented, exits) || len(exits) < 10 {
		t.Errorf("docs have %v, the code has %v", slices.Sorted(maps.Keys(documented)), slices.Sorted(maps.Keys(exits)))
	}
}
