package main

import (
	"fmt"
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

// page is a page of the documentation. code is the text that it marks as code.
type page struct{ name, text, code string }

// codeSpan finds code within a line.
var codeSpan = regexp.MustCompile("`[^`]+`")

// clientCommand matches commands of other programs, whose flags are not Gatehouse's.
var clientCommand = regexp.MustCompile("`(?:claude|codex|systemctl) [^`]+`")

// pages returns the README and all pages below docs.
func pages(t *testing.T) (all []page) {
	t.Helper()
	for _, name := range append(docFiles(t), "../../README.md") {
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

// docFiles returns the paths of all pages below docs.
func docFiles(t *testing.T) []string {
	t.Helper()
	users, err := filepath.Glob("../../docs/*.md")
	if err != nil {
		t.Fatal(err)
	}
	developers, err := filepath.Glob("../../docs/development/*.md")
	if err != nil {
		t.Fatal(err)
	}
	return append(users, developers...)
}

// commandsBelow yields a command and all visible commands below it.
func commandsBelow(cmd *cobra.Command, yield func(*cobra.Command)) {
	yield(cmd)
	for _, c := range cmd.Commands() {
		if !c.Hidden && c.Name() != "help" {
			commandsBelow(c, yield)
		}
	}
}

// TestCommandsInDocsExist checks that every command, flag and variable in the documentation exists, and that every variable is
// documented. TestCommandPage checks that every command and flag is.
func TestCommandsInDocsExist(t *testing.T) {
	root := newRoot(&env{})
	flags := map[string]bool{"help": true, "version": true}
	commandsBelow(root, func(cmd *cobra.Command) {
		cmd.LocalFlags().VisitAll(func(f *pflag.Flag) { flags[f.Name] = true })
	})
	for _, m := range regexp.MustCompile(`--([a-z][a-z-]+)`).FindAllStringSubmatch(statusline.Help(), -1) {
		flags[m[1]] = true
	}

	var docs string
	for _, p := range pages(t) {
		docs += p.text
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
	variable := regexp.MustCompile(`\bGATEHOUSE_[A-Z_]+\b`)
	var product, tests string
	walkSource(t, func(path, text string) {
		switch {
		case strings.HasSuffix(path, "_test.go"):
			tests += text
		case !strings.Contains(path, "conformance"): // for tests only
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
			t.Errorf("%s is not documented", name)
		}
	}
}

// TestFlagsOfDecisions checks that commands that decide take the same flags, whether they need them or not.
func TestFlagsOfDecisions(t *testing.T) {
	root := newRoot(&env{})
	commands := []string{"answer", "reply", "inbox add", "inbox dismiss"}
	for _, v := range verbTable() {
		commands = append(commands, string(v.is))
	}
	for _, name := range commands {
		cmd, _, err := root.Find(strings.Fields(name))
		if err != nil {
			t.Fatal(err)
		}
		for _, flag := range []string{"yes", "json", "if-seen", "as-agent", "sign"} {
			if cmd.Flags().Lookup(flag) == nil {
				t.Errorf("%s takes no --%s", cmd.CommandPath(), flag)
			}
		}
	}
	for _, name := range []string{"answer", "reply", "approve", "skip", "changes"} {
		cmd, _, _ := root.Find(strings.Fields(name))
		if f := cmd.Flags().ShorthandLookup("m"); f == nil || f.Name != "text" || !strings.Contains(f.Usage, "- reads standard input") {
			t.Errorf("%s takes no -m and --text with - for standard input", cmd.CommandPath())
		}
	}
}

// walkSource calls see with the path and text of every Go file.
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

const startOfReference = "<!-- The rest of this page is made from the help texts: go test ./cmd/gatehouse -run TestCommandPage -update -->\n"

// TestCommandPage compares the reference in docs/commands.md with the help texts. With -update it writes the page.
func TestCommandPage(t *testing.T) {
	const file = "../../docs/commands.md"
	text, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	intro, got, ok := strings.Cut(string(text), startOfReference)
	if !ok {
		t.Fatalf("%s has no line %s", file, startOfReference)
	}
	want := commandReference(newRoot(&env{}))
	if isUpdating() {
		err = os.WriteFile(file, []byte(intro+startOfReference+want), 0o644)
	} else if got != want {
		t.Errorf("%s differs from the help texts; -update writes it", file)
	}
	if err != nil {
		t.Fatal(err)
	}
}

// commandReference returns the exit codes, and a table of the commands of each group in the help.
func commandReference(root *cobra.Command) string {
	var b strings.Builder
	b.WriteString("\n## Exit codes\n\n| command | code | means |\n|---|---|---|\n")
	exitRows := func(command string, codes []exitStatus) {
		for _, x := range codes {
			fmt.Fprintf(&b, "| %s | %s | %s |\n", command, x.code, x.means)
			command = ""
		}
	}
	exitRows("any", commonExits)
	for _, path := range slices.Sorted(maps.Keys(commandExits)) {
		exitRows("`"+path+"`", commandExits[path])
	}

	rows := func(c *cobra.Command) {
		if !c.HasSubCommands() || c.Runnable() && c.Name() == "config" {
			escape := strings.NewReplacer("|", `\|`).Replace
			fmt.Fprintf(&b, "| `%s` | %s |\n", escape(strings.TrimSuffix(c.UseLine(), " [flags]")), escape(c.Short))
		}
	}
	for _, g := range root.Groups() {
		fmt.Fprintf(&b, "\n## %s\n\n| command | does |\n|---|---|\n", strings.TrimSuffix(g.Title, ":"))
		for _, c := range root.Commands() {
			if c.GroupID == g.ID && c.Name() == "completion" {
				rows(c)
			} else if c.GroupID == g.ID && !c.Hidden {
				commandsBelow(c, rows)
			}
		}
	}
	b.WriteString("\n`gatehouse COMMAND --help` and the manual pages list the flags of a command.\n")
	return b.String()
}
