package main

// gatehouse man DIR: manual pages of both programs and of the configuration, generated from the commands. statusline has no framework:
// its commands are made here from its help, for the pages and the completions.

import (
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"gatehouse/parse/nearest"
	"gatehouse/statusline"
)

// exitStatus is an exit code and what it means.
type exitStatus struct{ code, means string }

// commonExits are the exit codes of all commands.
var commonExits = []exitStatus{{"0", "done"}, {"1", "refused, or problems were found"}, {"2", "the command line is wrong; nothing was done"}}

// commandExits are the further exit codes of commands, by their paths.
var commandExits = map[string][]exitStatus{
	"gatehouse gates": {{"3", "with --exit-code: something waits, or a file can't be read"}},
	"gatehouse wait": {
		{"0", "it has passed; the note is printed"}, {"3", "changes are requested; the request is printed"},
		{"4", "it was skipped; the reason is printed"}, {"5", "its check has failed"}, {"6", "the loop has ended, or the gate is gone"},
		{"7", "the gate is retried: the gate of an ultraplan task, or any gate without GATE"},
		{"8", "with --signed: it has passed or was skipped, without a signature by an allowed key"}, {"124", "not decided within --timeout"}, {"128+n", "ended by the signal n"},
	},
	"gatehouse ask": {
		{"0", "answered; of yes or no: Yes"}, {"3", "denied; of yes or no: No, or own words"}, {"6", "withdrawn; the reason is printed"},
		{"124", "not answered within --timeout"}, {"128+n", "ended by the signal n, which withdraws the question"},
	},
}

// exitList returns the exit codes of a command as a list in its help.
func exitList(path string) string {
	var list strings.Builder
	for _, x := range commandExits[path] {
		fmt.Fprintf(&list, "  %-5s  %s\n", x.code, x.means)
	}
	return list.String()
}

// The environment and files of the manual pages; the last two are for statusline.
var (
	manVariables = []exitStatus{
		{"GATEHOUSE_CONFIG", "the configuration file, like --config"}, {"GATEHOUSE_LOOPS", "directories with definitions of loops, like --loops"},
		{"XDG_CONFIG_HOME", "the directory of the configuration, by default ~/.config"}, {"XDG_STATE_HOME", "the directory of journals and asks, by default ~/.local/state"},
		{"NO_COLOR", "no colors if it is not empty"}, {"CLICOLOR_FORCE, FORCE_COLOR", "colors also if the output is no terminal, unless empty or 0"},
		{"EDITOR, VISUAL, PAGER", "what the dashboard opens files with"},
	}
	manFiles = []exitStatus{
		{"~/.config/gatehouse/config.yaml", "the configuration, see gatehouse.yaml(5)"}, {"~/.local/state/gatehouse/journal", "who decided what"},
		{"~/.local/state/gatehouse/agents", "what live agents ask"}, {"~/.local/state/gatehouse/kept", "how the dashboard was left"},
	}
	lineVariables = []exitStatus{
		{"GATEHOUSE_LOOPS", "directories with definitions of loops"}, {"COLUMNS", "the width, without --cols"}, {"TERM", "whether the terminal has colors"},
		{"NO_COLOR", "no colors if it is not empty"}, {"CLICOLOR_FORCE, FORCE_COLOR", "colors, unless empty or 0"},
	}
	lineFiles = []exitStatus{
		{".planning, .ultraplan, .fctry, *-state.json", "the state files of builds"}, {"~/.local/state/gatehouse/agents", "what live agents ask"},
	}
)

func newMan(root *cobra.Command, s *env) *cobra.Command {
	return &cobra.Command{
		Use:    "man DIR",
		Short:  "Write the manual pages into a directory, dated by $SOURCE_DATE_EPOCH",
		Hidden: true,
		Args:   cobra.ExactArgs(1),
		RunE: func(_ *cobra.Command, args []string) error {
			at := s.now()
			if epoch := s.getenv("SOURCE_DATE_EPOCH"); epoch != "" {
				n, err := strconv.ParseInt(epoch, 10, 64)
				if err != nil {
					return usageError{fmt.Errorf("SOURCE_DATE_EPOCH=%s: write seconds since 1970", epoch)}
				}
				at = time.Unix(n, 0)
			}
			if err := os.MkdirAll(args[0], 0o755); err != nil {
				return err
			}
			for name, text := range manPages(root, at.UTC()) {
				if err := os.WriteFile(filepath.Join(args[0], name), []byte(text), 0o644); err != nil {
					return err
				}
			}
			return nil
		},
	}
}

// manPages returns all pages by the names of their files.
func manPages(root *cobra.Command, at time.Time) map[string]string {
	pages := map[string]string{"gatehouse.yaml.5": configPage(at)}
	all := []*cobra.Command{root, statuslineCommand()}
	for i := 0; i < len(all); i++ {
		for _, c := range all[i].Commands() {
			if !c.Hidden && c.Name() != "help" {
				all = append(all, c)
			}
		}
		pages[manName(all[i])+".1"] = commandPage(all[i], at)
	}
	return pages
}

// manName returns the name of a command's page.
func manName(c *cobra.Command) string { return strings.ReplaceAll(c.CommandPath(), " ", "-") }

// manPage is a manual page under construction.
type manPage struct{ strings.Builder }

func newPage(name, section, what string, at time.Time) *manPage {
	p := &manPage{}
	fmt.Fprintf(p, ".TH %q %q %q %q %q\n", strings.ToUpper(name), section, at.Format(time.DateOnly), "Gatehouse "+statusline.Version, "Gatehouse")
	p.addSection("NAME", escapeRoff(name)+` \- `+escapeRoff(what))
	return p
}

// escapeRoff escapes a text of one or several lines.
func escapeRoff(text string) string {
	text = strings.NewReplacer(`\`, `\e`, "-", `\-`, "\n.", "\n\\&.", "\n'", "\n\\&'").Replace("\n" + text)
	return text[1:]
}

// addSection writes a section; body is text of a page.
func (p *manPage) addSection(title, body string) {
	fmt.Fprintf(p, ".SH %s\n%s\n", title, strings.TrimSuffix(body, "\n"))
}

// formatParagraphs returns paragraphs for a page; indented ones keep their form.
func formatParagraphs(text string) string {
	parts := strings.Split(strings.Trim(text, "\n"), "\n\n")
	for i, part := range parts {
		if parts[i] = escapeRoff(part); strings.HasPrefix(part, "  ") {
			parts[i] = ".nf\n" + parts[i] + "\n.fi"
		}
	}
	return strings.Join(parts, "\n.PP\n")
}

// formatTerms returns terms with their descriptions for a page.
func formatTerms(items []exitStatus) string {
	var b strings.Builder
	for _, x := range items {
		fmt.Fprintf(&b, ".TP\n\\fB%s\\fR\n%s\n", escapeRoff(x.code), escapeRoff(x.means))
	}
	return b.String()
}

// formatCommands returns the commands below one for a page, by their groups.
func formatCommands(c *cobra.Command) string {
	text := ""
	for _, g := range append(c.Groups(), &cobra.Group{}) {
		var items []exitStatus
		for _, below := range c.Commands() {
			if !below.Hidden && below.GroupID == g.ID && below.Name() != "help" {
				items = append(items, exitStatus{manName(below) + "(1)", below.Short})
			}
		}
		if g.ID != "" {
			text += ".SS " + escapeRoff(strings.TrimSuffix(g.Title, ":")) + "\n"
		}
		text += formatTerms(items)
	}
	return text
}

// formatFlags returns flags for a page.
func formatFlags(flags *pflag.FlagSet) string {
	var items []exitStatus
	flags.VisitAll(func(f *pflag.Flag) {
		value, usage := pflag.UnquoteUsage(f)
		term := "--" + f.Name + strings.TrimRight(" "+strings.ToUpper(value), " ")
		if f.Shorthand != "" {
			term = "-" + f.Shorthand + ", " + term
		}
		if !f.Hidden {
			items = append(items, exitStatus{term, usage})
		}
	})
	return formatTerms(items)
}

// commandPage returns the page of a command.
func commandPage(c *cobra.Command, at time.Time) string {
	p := newPage(manName(c), "1", c.Short, at)
	usage := c.UseLine()
	if c.HasAvailableSubCommands() && c.HasParent() {
		usage = c.CommandPath() + " COMMAND"
	}
	p.addSection("SYNOPSIS", escapeRoff(strings.TrimSuffix(usage, " [flags]")+" [OPTION]..."))
	p.addSection("DESCRIPTION", formatParagraphs(c.Long))
	if c.HasAvailableSubCommands() {
		p.addSection("COMMANDS", formatCommands(c))
	}
	c.InitDefaultHelpFlag()
	p.addSection("OPTIONS", formatFlags(c.NonInheritedFlags()))
	if c.HasAvailableInheritedFlags() {
		p.addSection("OPTIONS OF ALL COMMANDS", formatFlags(c.InheritedFlags()))
	}
	exits, own, variables, files := slices.Clone(commonExits), commandExits[c.CommandPath()], manVariables, manFiles
	if c.Root().Name() == "statusline" {
		exits, variables, files = []exitStatus{{"0", "done, whatever was found"}, {"2", "a flag is wrong"}}, lineVariables, lineFiles
	}
	if len(own) > 0 && own[0].code == "0" {
		exits[0], own = own[0], own[1:]
	}
	p.addSection("EXIT STATUS", formatTerms(append(exits, own...)))
	p.addSection("ENVIRONMENT", formatTerms(variables))
	p.addSection("FILES", formatTerms(files))
	if c.Example != "" {
		p.addSection("EXAMPLES", formatParagraphs(c.Example))
	}
	p.addSection("SEE ALSO", `gatehouse(1), statusline(1), gatehouse.yaml(5)`)
	return p.String()
}

// configPage returns the page of the configuration file.
func configPage(at time.Time) string {
	p := newPage("gatehouse.yaml", "5", "configuration of gatehouse", at)
	p.addSection("DESCRIPTION", formatParagraphs(configHelp))
	var items []exitStatus
	for _, x := range settingTable() {
		items = append(items, exitStatus{x.Name, x.Describe()})
	}
	p.addSection("SETTINGS", formatTerms(items))
	p.addSection("FILES", formatTerms(manFiles))
	p.addSection("SEE ALSO", `gatehouse(1), statusline(1)`)
	return p.String()
}

// helpFlag matches a flag in the help of statusline: its name, an optional value after "=", the name of its value, and what it does.
var helpFlag = regexp.MustCompile(`(?m)^      --([a-z-]+)(?:=[a-z]+)?(?: ([A-Z]+))? +(.+(?:\n {20,}.+)*)$`)

// helpValue matches the value of a flag that is only a placeholder.
type helpValue string

func (helpValue) String() string   { return "" }
func (v helpValue) Type() string   { return string(v) }
func (helpValue) Set(string) error { return nil }

// statuslineCommand returns the command line of statusline, as its help describes it.
func statuslineCommand() *cobra.Command {
	what, rest, _ := strings.Cut(statusline.Help(), "\n\n")
	_, closing, _ := strings.Cut(rest, "\n\nIt prints")
	root := &cobra.Command{
		Use: "statusline", Short: "where the build in this directory stands, as one line", Long: what + "\n\nIt prints" + closing, ValidArgsFunction: cobra.NoFileCompletions, Run: func(*cobra.Command, []string) {},
		Example: "  statusline init bash >>~/.bashrc\n  statusline --shell tmux --alerts", CompletionOptions: cobra.CompletionOptions{DisableDefaultCmd: true},
	}
	for _, m := range helpFlag.FindAllStringSubmatch(rest, -1) {
		name, value, usage := m[1], m[2], strings.Join(strings.Fields(m[3]), " ")
		switch {
		case root.Flags().Lookup(name) != nil: // --git=dirty
			root.Flags().Lookup(name).Usage += "; --" + name + "=dirty: " + usage
		case value == "":
			root.Flags().Bool(name, false, usage)
		default:
			root.Flags().Var(helpValue(value), name, usage)
		}
	}
	completeWords(root, "shell", statusline.Sinks()...)
	completeWords(root, "source", append([]string{"auto", "all"}, nearest.Protocols()...)...)
	completeWords(root, "format", "full", "compact")
	completeWords(root, "color", colorAuto, colorAlways, colorNever)
	completeFlag(root, "cols", cobra.NoFileCompletions)
	completeFlag(root, "dir", completeDirs)
	root.AddCommand(&cobra.Command{
		Use: "init PLACE", Short: "print what puts the line into a prompt", Long: "Print what puts the line into the prompt of PLACE: " + strings.Join(statusline.Integrations(), ", ") + ".",
		ValidArgs: statusline.Integrations(), Args: cobra.ExactArgs(1), Run: func(*cobra.Command, []string) {},
	})
	root.InitDefaultHelpCmd()
	root.CompletionOptions.DisableDefaultCmd = true
	for _, c := range root.Commands() {
		c.Hidden = c.Name() == "help"
	}
	return root
}

// unquoteUsages removes the quotes of placeholders from flag descriptions, which shells would show.
func unquoteUsages(c *cobra.Command) {
	c.LocalFlags().VisitAll(func(f *pflag.Flag) { f.Usage = strings.ReplaceAll(f.Usage, "`", "") })
	for _, below := range c.Commands() {
		unquoteUsages(below)
	}
}
