package main

// gatehouse man DIR: manual pages of both programs and of the configuration, generated from the commands.

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"gatehouse/cmd/gatehouse/config"
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
	fmt.Fprintf(p, ".TH %q %q %q %q %q\n.SH NAME\n%s \\- %s\n", strings.ToUpper(name), section, at.Format("2006-01-02"), "Gatehouse "+statusline.Version, "Gatehouse", escapeRoff(name), escapeRoff(what))
	return p
}

// escapeRoff escapes a text of one or several lines.
func escapeRoff(text string) string {
	text = strings.NewReplacer(`\`, `\e`, "-", `\-`).Replace(text)
	lines := strings.Split(text, "\n")
	for i, l := range lines {
		if strings.HasPrefix(l, ".") || strings.HasPrefix(l, "'") {
			lines[i] = `\&` + l
		}
	}
	return strings.Join(lines, "\n")
}

func (p *manPage) addSection(title string) { fmt.Fprintf(p, ".SH %s\n", title) }

// addText writes paragraphs; indented lines keep their form.
func (p *manPage) addText(text string) {
	for i, part := range strings.Split(strings.Trim(text, "\n"), "\n\n") {
		if i > 0 {
			p.WriteString(".PP\n")
		}
		if strings.HasPrefix(part, "  ") {
			fmt.Fprintf(p, ".nf\n%s\n.fi\n", escapeRoff(part))
		} else {
			fmt.Fprintf(p, "%s\n", escapeRoff(part))
		}
	}
}

// addList writes terms with their descriptions.
func (p *manPage) addList(items []exitStatus) {
	for _, x := range items {
		fmt.Fprintf(p, ".TP\n\\fB%s\\fR\n%s\n", escapeRoff(x.code), escapeRoff(x.means))
	}
}

// commandPage returns the page of a command.
func commandPage(c *cobra.Command, at time.Time) string {
	p := newPage(manName(c), "1", c.Short, at)
	p.addSection("SYNOPSIS")
	usage := c.UseLine()
	if c.HasAvailableSubCommands() && c.HasParent() {
		usage = c.CommandPath() + " COMMAND"
	}
	fmt.Fprintf(p, "\\fB%s\\fR\n", escapeRoff(strings.TrimSuffix(usage, " [flags]")+" [OPTION]..."))
	p.addSection("DESCRIPTION")
	p.addText(c.Long)
	if !c.HasParent() && c.HasAvailableSubCommands() && len(c.Groups()) > 0 {
		p.addSection("COMMANDS")
		for _, g := range c.Groups() {
			fmt.Fprintf(p, ".SS %s\n", escapeRoff(strings.TrimSuffix(g.Title, ":")))
			p.addCommands(c, g.ID)
		}
	} else if c.HasAvailableSubCommands() {
		p.addSection("COMMANDS")
		p.addCommands(c, "")
	}
	p.addSection("OPTIONS")
	c.InitDefaultHelpFlag()
	p.addFlags(c.NonInheritedFlags())
	if c.HasAvailableInheritedFlags() {
		p.addSection("OPTIONS OF ALL COMMANDS")
		p.addFlags(c.InheritedFlags())
	}
	exits, own, variables, files := slices.Clone(commonExits), commandExits[c.CommandPath()], manVariables, manFiles
	if c.Root().Name() == "statusline" {
		exits, variables, files = []exitStatus{{"0", "done, whatever was found"}, {"2", "a flag is wrong"}}, lineVariables, lineFiles
	}
	if len(own) > 0 && own[0].code == "0" {
		exits[0], own = own[0], own[1:]
	}
	p.addSection("EXIT STATUS")
	p.addList(append(exits, own...))
	p.addSection("ENVIRONMENT")
	p.addList(variables)
	p.addSection("FILES")
	p.addList(files)
	if c.Example != "" {
		p.addSection("EXAMPLES")
		p.addText(c.Example)
	}
	p.addSection("SEE ALSO")
	var also []string
	for _, name := range []string{"gatehouse", "statusline"} {
		if name != c.CommandPath() {
			also = append(also, "\\fB"+name+"\\fR(1)")
		}
	}
	fmt.Fprintf(p, "%s\n", strings.Join(append(also, "\\fBgatehouse.yaml\\fR(5)"), ", "))
	return p.String()
}

// addCommands lists the subcommands in a group, "" for all.
func (p *manPage) addCommands(c *cobra.Command, group string) {
	for _, below := range c.Commands() {
		if !below.Hidden && (group == "" || below.GroupID == group) && below.Name() != "help" {
			fmt.Fprintf(p, ".TP\n\\fB%s\\fR(1)\n%s\n", escapeRoff(manName(below)), escapeRoff(below.Short))
		}
	}
}

// addFlags lists flags.
func (p *manPage) addFlags(flags *pflag.FlagSet) {
	flags.VisitAll(func(f *pflag.Flag) {
		if f.Hidden {
			return
		}
		value, usage := pflag.UnquoteUsage(f)
		term := `\fB\-\-` + escapeRoff(f.Name) + `\fR`
		if f.Shorthand != "" {
			term = `\fB\-` + f.Shorthand + `\fR, ` + term
		}
		if value != "" {
			term += ` \fI` + escapeRoff(strings.ToUpper(value)) + `\fR`
		}
		fmt.Fprintf(p, ".TP\n%s\n%s\n", term, escapeRoff(usage))
	})
}

// configPage returns the page of the configuration file.
func configPage(at time.Time) string {
	p := newPage("gatehouse.yaml", "5", "configuration of gatehouse", at)
	p.addSection("DESCRIPTION")
	p.addText("gatehouse(1) reads ~/.config/gatehouse/config.yaml, or the file that --config or $GATEHOUSE_CONFIG names. The file is YAML, and every\nsetting is optional. A flag overrides a setting. A name with a dot is written in two levels.\n\n  roots: [~/src, ~/work]\n  theme: dark\n  colors:\n    wait: bold yellow\n  keys:\n    approve: [A]\n\n\"gatehouse config\" prints what is in force and where it is from, \"gatehouse config check\" each mistake, and \"gatehouse config schema\" a JSON\nSchema for editors.")
	p.addSection("SETTINGS")
	for _, x := range settingTable() {
		means := x.Words
		switch {
		case x.Kind == config.Truth:
			means += "; true or false"
		case len(x.Values) > 0:
			means += "; one of " + strings.Join(x.Values, ", ")
		}
		if x.Kind == config.Texts && len(x.Values) == 0 {
			means += "; a list"
		}
		if x.Example != "" {
			means += ". Example: " + x.Example
		}
		if len(x.Default) > 0 {
			means += ". Default: " + strings.Join(x.Default, " ")
		}
		p.addList([]exitStatus{{x.Name, means}})
	}
	p.addSection("FILES")
	p.addList(manFiles)
	p.addSection("SEE ALSO")
	p.WriteString("\\fBgatehouse\\fR(1), \\fBstatusline\\fR(1)\n")
	return p.String()
}
