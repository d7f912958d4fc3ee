package main

// gatehouse config: what is configured, where from, and whether all of it can be used.

import (
	"fmt"
	"strings"

	"github.com/spf13/cobra"

	"gatehouse/cmd/gatehouse/config"
)

// configuredJSON is the document of "gatehouse config --json".
type configuredJSON struct {
	Schema   int           `json:"schema"`
	File     string        `json:"file"`     // path of the configuration, even if it does not exist
	Found    bool          `json:"found"`    // it is there
	Settings []inForce     `json:"settings"` // every one, in the order of the configuration's table
	Mistakes []mistakeJSON `json:"mistakes"` // what of the file can't be used
}

// inForce is a setting as it is printed.
type inForce struct {
	Name  string   `json:"name"`           // as the file has it: "keys.approve"
	Value []string `json:"value"`          // what counts, as texts
	From  string   `json:"from"`           // default or file
	Line  int      `json:"line,omitempty"` // of the file
	Words string   `json:"words"`          // what it is for
}

func newConfig(s *env) *cobra.Command {
	cmd := &cobra.Command{
		Use:   "config",
		Short: "Show what is configured, and where from",
		Long: `Show every setting with its value and its source: the file
~/.config/gatehouse/config.yaml (below $XDG_CONFIG_HOME if that is set), or the
default. --config FILE and $GATEHOUSE_CONFIG name another file. Flags override it.

The file is YAML, and every setting is optional:

  roots: [~/src, ~/work]      # where to find projects
  old: 7d                     # what waits untouched for this long is old
  theme: dark
  colors: {wait: bold yellow, selected: white on "#3A3765"}
  columns: [status, age]
  notify: osc9
  keys: {approve: [A], next: [n, ctrl+n]}

With --json: {"schema", "file", "found", "settings": [{"name", "value", "from", "line",
"words"}], "mistakes": [{"line", "text", "mend"}]}.`,
		RunE: func(cmd *cobra.Command, _ []string) error {
			c := s.readConfig()
			if c.File == "" {
				return errNoConfigPlace
			}
			if s.asJSON {
				return s.configJSON(c)
			}
			s.printConfig(c)
			return nil
		},
	}
	s.jsonFlag(cmd, "print the settings as JSON")
	cmd.AddCommand(newConfigCheck(s), newConfigSchema(s))
	return cmd
}

// printConfig prints all settings, a row each.
func (s *env) printConfig(c *config.Config) {
	file := shortPath(c.File, s.user.Home)
	state := "not found; using defaults"
	if c.Found {
		state = "is in force"
	}
	s.out.printf("%s %s\n\n", file, exact(state))
	for _, x := range settingsInForce(c) {
		from := x.From
		if x.Line > 0 {
			from = fmt.Sprintf("line %d", x.Line)
		}
		s.out.printf("%s %s %s\n", fitColumn(x.Name, 24), fitColumn(strings.Join(x.Value, " "), 30), from)
	}
	if n := len(c.Mistakes); n > 0 {
		s.out.printf("\n")
		for _, m := range c.Mistakes {
			s.out.printf("%s\n", s.describeMistake(m, true))
		}
	}
}

func settingsInForce(c *config.Config) (all []inForce) {
	for _, setting := range c.Settings() {
		x := inForce{Name: setting.Name, Value: nonNil(c.Texts(setting.Name)), From: "default", Words: setting.Words}
		if v, ok := c.Set(setting.Name); ok {
			x.From, x.Line = "file", v.Line
		}
		all = append(all, x)
	}
	return all
}

// mistakeJSON is a mistake as it is printed.
type mistakeJSON struct {
	Line int    `json:"line,omitempty"` // of the file, 0 for the file as a whole
	Text string `json:"text"`           // what is wrong
	Mend string `json:"mend,omitempty"` // what to write instead
}

func (s *env) configJSON(c *config.Config) error {
	mistakes := []mistakeJSON{}
	for _, m := range c.Mistakes {
		mistakes = append(mistakes, mistakeJSON(m))
	}
	return s.out.printJSON(configuredJSON{statusSchema, c.File, c.Found, settingsInForce(c), mistakes})
}

func newConfigCheck(s *env) *cobra.Command {
	return s.withJSON(&cobra.Command{
		Use:   "check",
		Short: "Check the configuration: each mistake with its line and what to write",
		Long:  "Check the configuration: each mistake with its line and what to write.\n\nWith --json it prints the same as gatehouse config --json.",
		RunE: func(*cobra.Command, []string) error {
			c := s.readConfig()
			if c.File == "" {
				return errNoConfigPlace
			}
			if s.asJSON {
				err := s.configJSON(c)
				if err == nil && len(c.Mistakes) > 0 {
					err = refusal{}
				}
				return err
			}
			for _, m := range c.Mistakes {
				s.out.printf("%s\n", s.describeMistake(m, true))
			}
			switch file := shortPath(c.File, s.user.Home); {
			case len(c.Mistakes) > 0:
				return refusal{}
			case !c.Found:
				s.out.printf("%s not found; using defaults\n", file)
			default:
				s.out.printf("%s: no mistakes\n", file)
			}
			return nil
		},
	}, "print the settings and mistakes as JSON")
}

func newConfigSchema(s *env) *cobra.Command {
	return &cobra.Command{
		Use:   "schema",
		Short: "Print the JSON Schema of the configuration, for editors",
		RunE: func(*cobra.Command, []string) error {
			s.out.printDocument(string(config.Schema(settingTable())))
			return nil
		},
	}
}
