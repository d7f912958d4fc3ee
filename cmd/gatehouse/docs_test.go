package main

// The documentation: its commands and flags exist, its links lead somewhere, its examples print what they say, and ARCHITECTURE.md lists the
// imports of each package.

import (
	"fmt"
	"io/fs"
	"maps"
	"os"
	"os/exec"
	"os/user"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"
	"unicode"

	"github.com/rogpeppe/go-internal/testscript"
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
		must(t, err)
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
	must(t, err)
	developers, err := filepath.Glob("../../docs/development/*.md")
	must(t, err)
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
		must(t, err)
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
		must(t, err)
	}
}

const startOfReference = "<!-- The rest of this page is made from the help texts: go test ./cmd/gatehouse -run TestCommandPage -update -->\n"

// TestCommandPage compares the reference in docs/commands.md with the help texts. With -update it writes the page.
func TestCommandPage(t *testing.T) {
	const file = "../../docs/commands.md"
	text, err := os.ReadFile(file)
	must(t, err)
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
	must(t, err)
}

// commandReference returns the exit codes, and a table of the commands and flags of each group in the help.
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

	row := func(name, words string) {
		escape := strings.NewReplacer("|", `\|`).Replace
		fmt.Fprintf(&b, "| `%s` | %s |\n", escape(name), escape(words))
	}
	flagRow := func(f *pflag.Flag) {
		value, usage := pflag.UnquoteUsage(f)
		name := "--" + f.Name + " " + value
		if value == strings.ToLower(value) && !strings.Contains(value, "|") {
			name = "--" + f.Name + " " + strings.ToUpper(value)
		}
		if f.Shorthand != "" {
			name = "-" + f.Shorthand + ", " + name
		}
		row(strings.ReplaceAll(strings.TrimSpace(name), " =", "="), usage)
	}
	eachFlag := func(c *cobra.Command, yield func(*pflag.Flag)) {
		c.LocalFlags().VisitAll(func(f *pflag.Flag) {
			if !f.Hidden && f.Name != "help" && f.Name != "version" && (c == root || root.LocalFlags().Lookup(f.Name) == nil || f.Name == "remote") {
				yield(f)
			}
		})
	}
	users, usages := map[string]int{}, map[string]int{}
	commandsBelow(root, func(c *cobra.Command) { eachFlag(c, func(f *pflag.Flag) { users[f.Name]++; usages[f.Name+f.Usage]++ }) })
	isShared := func(f *pflag.Flag) bool { return users[f.Name] > 3 && f.Name != "text" || usages[f.Name+f.Usage] > 1 }
	const head = "| command | does |\n|---|---|\n"
	shared := map[string]*pflag.Flag{} // the most frequent form of each
	command := func(c *cobra.Command) {
		if !c.HasSubCommands() || c == root || c.Name() == "config" {
			row(strings.TrimSuffix(c.UseLine(), " [flags]"), c.Short)
		}
		eachFlag(c, func(f *pflag.Flag) {
			switch {
			case c == root || !isShared(f):
				flagRow(f)
			case shared[f.Name] == nil || usages[f.Name+f.Usage] > usages[f.Name+shared[f.Name].Usage]:
				shared[f.Name] = f
			}
		})
	}
	b.WriteString("\n## The dashboard\n\n" + head)
	command(root)
	for _, g := range root.Groups() {
		fmt.Fprintf(&b, "\n## %s\n\n%s", strings.TrimSuffix(g.Title, ":"), head)
		for _, c := range root.Commands() {
			if c.GroupID == g.ID && c.Name() == "completion" {
				command(c)
			} else if c.GroupID == g.ID && !c.Hidden {
				commandsBelow(c, command)
			}
		}
	}
	b.WriteString("\n## Shared flags\n\nSeveral commands have these flags. The help of a command lists its flags.\n\n| flag | does |\n|---|---|\n")
	for _, name := range slices.Sorted(maps.Keys(shared)) {
		flagRow(shared[name])
	}
	return b.String()
}

// anchorOf returns the anchor of a heading, as GitHub makes it.
func anchorOf(heading string) string {
	return strings.Map(func(r rune) rune {
		switch {
		case r == ' ':
			return '-'
		case unicode.IsLetter(r), unicode.IsDigit(r), r == '-', r == '_':
			return unicode.ToLower(r)
		}
		return -1
	}, heading)
}

func TestLinksInDocs(t *testing.T) {
	const top = "../.."
	texts := map[string]string{}
	for _, name := range append(docFiles(t), top+"/README.md", top+"/ARCHITECTURE.md", top+"/CONTRIBUTING.md", top+"/CHANGELOG.md") {
		text, err := os.ReadFile(name)
		must(t, err)
		texts[filepath.Clean(name)] = string(text)
	}
	makefile, err := os.ReadFile(top + "/Makefile")
	must(t, err)
	var source strings.Builder
	walkSource(t, func(path, text string) { source.WriteString(text) })
	heading, link := regexp.MustCompile(`(?m)^#+ (.*)$`), regexp.MustCompile(`\]\(([^)\s]+)\)`)
	for name, text := range texts {
		for _, m := range link.FindAllStringSubmatch(text, -1) {
			path, anchor, _ := strings.Cut(m[1], "#")
			if strings.Contains(path, "://") {
				continue
			}
			to := name
			if path != "" {
				to = filepath.Join(filepath.Dir(name), path)
			}
			if _, err := os.Stat(to); err != nil {
				t.Errorf("%s: %s does not exist", name, m[1])
				continue
			}
			found := anchor == ""
			target, _ := os.ReadFile(to) // nothing for a directory
			for _, h := range heading.FindAllStringSubmatch(string(target), -1) {
				found = found || anchorOf(h[1]) == anchor
			}
			if !found {
				t.Errorf("%s: %s has no section %q", name, to, anchor)
			}
		}
		if strings.HasSuffix(name, "CHANGELOG.md") { // it names removed things
			continue
		}
		for _, m := range regexp.MustCompile("(?m)(?:^    |`)make ([a-z][a-z-]*)").FindAllStringSubmatch(text, -1) {
			if !strings.Contains(string(makefile), "\n"+m[1]+":") {
				t.Errorf("%s: there is no make %s", name, m[1])
			}
		}
		for _, m := range regexp.MustCompile("`((?:Test|Fuzz|Benchmark)[A-Za-z]\\w+)").FindAllStringSubmatch(text, -1) {
			if !strings.Contains(source.String(), "func "+m[1]) {
				t.Errorf("%s: there is no test %s", name, m[1])
			}
		}
		for _, m := range regexp.MustCompile("`((?:cmd|model|parse|screenshots|statusline|tui|docs)/[\\w./]+)`").FindAllStringSubmatch(text, -1) {
			if _, err := os.Stat(filepath.Join(top, strings.TrimSuffix(m[1], "/..."))); err != nil {
				t.Errorf("%s: there is no %s", name, m[1])
			}
		}
	}
	for name := range texts { // readers start at one of these
		front := top + "/README.md"
		if strings.Contains(name, "development") {
			front = top + "/CONTRIBUTING.md"
		}
		if relative, ok := strings.CutPrefix(filepath.ToSlash(name), top+"/docs/"); ok && !strings.Contains(texts[filepath.Clean(front)], "docs/"+relative) {
			t.Errorf("%s has no link to %s", front, name)
		}
	}
}

// matches reports whether a pattern of the table includes a package.
func matches(pattern, pkg string) bool {
	if top, ok := strings.CutSuffix(pattern, "/..."); ok {
		return pkg == top || strings.HasPrefix(pkg, top+"/")
	}
	return pkg == pattern
}

func TestImportsMatchMap(t *testing.T) {
	text, err := os.ReadFile("../../ARCHITECTURE.md")
	must(t, err)
	_, table, _ := strings.Cut(string(text), "| package | may import |\n|---|---|\n")
	table, _, _ = strings.Cut(table, "\n\n")
	span := regexp.MustCompile("`([^`]+)`")
	names := func(cell string) (all []string) {
		for _, m := range span.FindAllStringSubmatch(cell, -1) {
			all = append(all, m[1])
		}
		return all
	}
	type row struct{ packages, may []string }
	var rows []row
	for l := range strings.Lines(table) {
		cells := strings.Split(l, "|")
		rows = append(rows, row{names(cells[1]), names(cells[2])})
	}
	if len(rows) < 20 {
		t.Fatalf("ARCHITECTURE.md has %d rows of who may import whom", len(rows))
	}
	out, err := exec.Command("go", "list", "-f", `{{.ImportPath}} {{join .Imports " "}}`, "gatehouse/...").Output()
	must(t, err)
	_, drawn, _ := strings.Cut(string(text), "```\n")
	drawn, _, _ = strings.Cut(drawn, "```\n")
	used := map[string]bool{}
	for l := range strings.Lines(string(out)) {
		all := strings.Fields(l)
		pkg := strings.TrimPrefix(all[0], "gatehouse/")
		if !strings.Contains(drawn, pkg[strings.LastIndexByte(pkg, '/')+1:]) {
			t.Errorf("%s is not on the map", pkg)
		}
		i := slices.IndexFunc(rows, func(r row) bool {
			return slices.ContainsFunc(r.packages, func(p string) bool { return matches(p, pkg) })
		})
		if i < 0 {
			t.Errorf("the table does not say what %s may import", pkg)
			continue
		}
		for _, p := range rows[i].packages {
			used[p] = used[p] || matches(p, pkg)
		}
		for _, imported := range all[1:] {
			imported, ours := strings.CutPrefix(imported, "gatehouse/")
			if !ours {
				continue
			}
			allowed := false
			for _, may := range rows[i].may {
				if matches(may, imported) {
					allowed, used[rows[i].packages[0]+" "+may] = true, true
				}
			}
			if !allowed {
				t.Errorf("%s imports %s, which the table does not allow", pkg, imported)
			}
		}
	}
	for _, r := range rows {
		for _, p := range r.packages {
			if !used[p] {
				t.Errorf("the table names %s, but no package needs this row", p)
			}
		}
		for _, may := range r.may {
			if !used[r.packages[0]+" "+may] {
				t.Errorf("the table allows %s to import %s, and it does not", r.packages[0], may)
			}
		}
	}
}

// TestNoBuiltFilesAreCommitted checks that no committed file is so large that it must be a built program.
func TestNoBuiltFilesAreCommitted(t *testing.T) {
	const limit = 1 << 20
	out, err := exec.Command("git", "-C", "../..", "ls-files", "-z").Output()
	if err != nil {
		t.Skip("this is not a checkout of the repository: ", err)
	}
	for name := range strings.SplitSeq(string(out), "\x00") {
		if info, err := os.Lstat("../../" + name); err == nil && info.Mode().IsRegular() && info.Size() > limit {
			t.Errorf("%s has %d bytes: remove it with git rm --cached, or list it in .gitignore", name, info.Size())
		}
	}
}

// examples matches the blocks of a page: their project and lines.
var examples = regexp.MustCompile("(?m)^<!-- in (\\w+) -->\\n```console\\n((?s:.*?))^```$")

func TestExamplesInDocs(t *testing.T) {
	if _, err := exec.LookPath("sh"); err != nil {
		t.Skip("there is no sh")
	}
	programs := t.TempDir()
	build := exec.Command("go", "build", "-o", programs, "gatehouse/cmd/statusline")
	build.Env = append(os.Environ(), "CGO_ENABLED=0")
	if out, err := build.CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	scripts := t.TempDir()
	found := 0
	for _, p := range pages(t) {
		blocks := examples.FindAllStringSubmatch(p.text, -1)
		if n := strings.Count(p.text, "```console"); n != len(blocks) {
			t.Errorf("%s: of %d examples %d name their project", p.name, n, len(blocks))
		}
		for i, b := range blocks {
			found++
			name := fmt.Sprintf("%s-%d", strings.TrimSuffix(filepath.Base(p.name), ".md"), i+1)
			script := "env HOME=$WORK/home\nenv USER=ann\nenv TERM=dumb\nmkdir home\nproject " + b[1] + " home/p\ncd home/p\nexample $WORK/example " + p.name + "\n-- example --\n" + b[2]
			must(t, os.WriteFile(filepath.Join(scripts, name+".txtar"), []byte(script), 0o644))
		}
	}
	if found == 0 {
		t.Fatal("no page has an example")
	}
	testscript.Run(t, testscript.Params{
		Dir: scripts, RequireExplicitExec: true,
		Setup: func(env *testscript.Env) error {
			env.Setenv("PATH", programs+string(os.PathListSeparator)+env.Getenv("PATH"))
			env.Setenv("GORACE", "atexit_sleep_ms=0")
			env.Setenv(testsPID, strconv.Itoa(os.Getpid()))
			return nil
		},
		Cmds: map[string]func(*testscript.TestScript, bool, []string){"project": project, "example": example},
	})
}

// step is a command of an example and its expected output; nil matches anything.
type step struct {
	command string
	prints  []string
}

func stepsOf(text string) (steps []step) {
	for l := range strings.Lines(text) {
		l = strings.TrimSuffix(l, "\n")
		if command, ok := strings.CutPrefix(l, "$ "); ok {
			steps = append(steps, step{command: command})
		} else if more, ok := strings.CutPrefix(l, "> "); ok && len(steps) > 0 && steps[len(steps)-1].prints == nil {
			steps[len(steps)-1].command += "\n" + more
		} else if len(steps) > 0 {
			last := &steps[len(steps)-1]
			last.prints = append(last.prints, l)
		}
	}
	return steps
}

// anID matches the ID of an ask, which differs each time.
var anID = regexp.MustCompile(`\b[a-z]{7}[2-7]\b`)

// updating is locked while -update changes a page.
var updating sync.Mutex

// example FILE PAGE runs an example in one shell, so that a line sees the variables of earlier lines. The home directory is shown as
// /home/ann.
func example(ts *testscript.TestScript, _ bool, args []string) {
	const mark = "--- the next command ---"
	steps := stepsOf(ts.ReadFile(args[0]))
	var script strings.Builder
	script.WriteString("exec 2>&1\n")
	for _, s := range steps {
		script.WriteString(s.command + "\necho '" + mark + "'\n")
	}
	ts.Check(ts.Exec("sh", "-c", script.String()))
	output := strings.ReplaceAll(ts.ReadFile("stdout"), ts.Getenv("HOME"), "/home/ann")
	if me, err := user.Current(); err == nil {
		output = regexp.MustCompile(`\b`+regexp.QuoteMeta(me.Username)+`\b`).ReplaceAllString(output, "ann")
	}
	printed, text := strings.Split(output, mark+"\n"), ""
	for i, s := range steps {
		text += "$ " + strings.ReplaceAll(s.command, "\n", "\n> ") + "\n"
		if s.prints == nil {
			continue
		}
		form := regexp.QuoteMeta(strings.Join(s.prints, "\n") + "\n")
		form = anID.ReplaceAllString(strings.ReplaceAll(form, "…\n", "(?s:.*)"), "[a-z2-7]{8}")
		if regexp.MustCompile(`^` + form + `$`).MatchString(printed[i]) {
			text += strings.Join(s.prints, "\n") + "\n"
			continue
		}
		if text += printed[i]; !isUpdating() {
			ts.Fatalf("$ %s\nprints\n%swhere the text has\n%s", s.command, printed[i], strings.Join(s.prints, "\n"))
		}
	}
	if isUpdating() {
		updating.Lock()
		defer updating.Unlock()
		page := "../../" + args[1]
		whole, err := os.ReadFile(page)
		ts.Check(err)
		ts.Check(os.WriteFile(page, []byte(strings.Replace(string(whole), ts.ReadFile(args[0]), text, 1)), 0o644))
	}
}
