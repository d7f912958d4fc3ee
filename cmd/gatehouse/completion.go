package main

// gatehouse completion: scripts that let shells complete command lines, and the words they offer.
//
// The scripts are Gatehouse's own, because those of the framework evaluate the command line: a gate named $(…) would be executed
// when tab is pressed after it. They call the framework's hidden command __complete, and offer only plain names
// to the shell.

import (
	"embed"
	"fmt"
	"path/filepath"
	"strings"

	"github.com/spf13/cobra"

	"gatehouse/model/line"
)

//go:embed completion
var completionScripts embed.FS

// completionShells are the supported shells: the name, the script, and how to enable it.
var completionShells = []struct{ name, script, use string }{
	{"bash", "gatehouse.bash", `For this shell:

  eval "$(gatehouse completion bash)"

For every one, where bash-completion is installed:

  gatehouse completion bash >~/.local/share/bash-completion/completions/gatehouse`},
	{"zsh", "gatehouse.zsh", `For this shell, once compinit has run:

  eval "$(gatehouse completion zsh)"

For every one:

  gatehouse completion zsh >"${fpath[1]}/_gatehouse"`},
	{"fish", "gatehouse.fish", `For this shell:

  gatehouse completion fish | source

For every one:

  gatehouse completion fish >~/.config/fish/completions/gatehouse.fish`},
	{"powershell", "gatehouse.ps1", `For this shell, or for every one in $PROFILE:

  gatehouse completion powershell | Out-String | Invoke-Expression`},
}

func newCompletion(s *env) *cobra.Command {
	const known = "bash, zsh, fish and powershell"
	cmd := &cobra.Command{
		Use:   "completion SHELL",
		Short: "Print completions for a shell",
		Long: `Print what completes commands, flags, gates and builds in a shell:
` + known + `. "gatehouse completion SHELL --help" says how to enable it.`,
		Args: func(_ *cobra.Command, args []string) error {
			if len(args) > 0 {
				return usageError{fmt.Errorf("%q: no completion for this shell, there is %s", args[0], known)}
			}
			return nil
		},
	}
	for _, sh := range completionShells {
		cmd.AddCommand(&cobra.Command{
			Use:   sh.name,
			Short: "Print completions for " + sh.name,
			Long:  "Print completions for " + sh.name + ". " + sh.use,
			RunE: func(*cobra.Command, []string) error {
				script, err := completionScripts.ReadFile("completion/" + sh.script)
				if err != nil {
					return err
				}
				_, err = s.out.Write(script)
				return err
			},
		})
	}
	return cmd
}

// plainLimit is the longest name that shells are offered, in bytes.
const plainLimit = 100

// plainName reports whether a name may be typed into a shell unquoted: no character of it is special in any shell.
func plainName(name string) bool {
	for i := range len(name) {
		switch c := name[i]; {
		case c >= '0' && c <= '9', c|0x20 >= 'a' && c|0x20 <= 'z', c == '.', c == '_', c == '/':
		case i > 0 && (c == '-' || c == ':' || c == '+' || c == '@'):
		default:
			return false
		}
	}
	return name != "" && len(name) <= plainLimit
}

// plainOnly returns a completion that offers only the plain names of another one. Descriptions are
// cleaned, because they are texts from files.
func plainOnly(values cobra.CompletionFunc) cobra.CompletionFunc {
	return func(cmd *cobra.Command, args []string, typed string) ([]string, cobra.ShellCompDirective) {
		all, directive := values(cmd, args, typed)
		var offered []string
		for _, x := range all {
			name, what, _ := strings.Cut(x, "\t")
			if plainName(name) {
				if what != "" {
					what = shortenValue(line.Clean(what))
				}
				offered = append(offered, cobra.CompletionWithDesc(name, what))
			}
		}
		return offered, directive
	}
}

// typedWords returns the words of a completed command line as the shell will pass them later. The scripts pass them
// as typed, because a shell expands only what it runs. Of all expansions, only the home directory is applied
// here. ok is false if a word could act on the terminal: the framework repeats words in its errors.
func (s *env) typedWords(words []string) (as []string, ok bool) {
	for _, w := range words {
		if line.Clean(w) != w {
			return nil, false
		}
		for _, home := range [...]string{"~/", "$HOME/", "${HOME}/"} {
			if rest, in := strings.CutPrefix(w, home); in && s.user.Home != "" {
				w = filepath.Join(s.user.Home, rest)
			}
		}
		as = append(as, w)
	}
	return as, true
}
