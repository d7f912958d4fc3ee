package main

// The program statusline as commands of the framework, for its completions and its manual page. It has no framework itself.

import (
	"regexp"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"gatehouse/parse/nearest"
	"gatehouse/statusline"
)

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
