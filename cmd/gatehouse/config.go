package main

// gatehouse config: the settings, their sources, and mistakes in the file.

import (
	"errors"
	"fmt"
	"strings"

	"github.com/spf13/cobra"

	"gatehouse/cmd/gatehouse/config"
)

// configHelp describes the file, in the help and in its manual page.
const configHelp = `The configuration is ~/.config/gatehouse/config.yaml (below $XDG_CONFIG_HOME if that is set). --config FILE and
$GATEHOUSE_CONFIG name another file. It is YAML, every setting is optional, and flags override it:

  roots: [~/src, ~/work]      # where to find projects
  old: 7d                     # what waits untouched for this long is old
  theme: dark
  notify: osc9
  keys: {approve: [A], next: [n, ctrl+n]}

"gatehouse config" prints every setting, its value and its source; "gatehouse config check" prints each mistake.`

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

// mistakeJSON is a mistake as it is printed.
type mistakeJSON struct {
	Line int    `json:"line,omitempty"` // of the file, 0 for the file as a whole
	Text string `json:"text"`           // what is wrong
	Mend string `json:"mend,omitempty"` // what to write instead
}

func newConfig(s *env) *cobra.Command {
	return withCommands(s.withJSON(&cobra.Command{
		Use: "config", Short: "Show what is configured, and where from", Long: configHelp,
		RunE: func(*cobra.Command, []string) error { return s.printConfig(true) },
	}, "print the settings as JSON"), s.withJSON(&cobra.Command{
		Use: "check", Short: "Check the configuration: each mistake with its line and what to write",
		RunE: func(*cobra.Command, []string) error {
			err := s.printConfig(false)
			if err == nil && len(s.readConfig().Mistakes) > 0 {
				err = refusal{}
			}
			return err
		},
	}, "print the settings and mistakes as JSON"))
}

// printConfig prints the mistakes, and with all the settings, a row each.
func (s *env) printConfig(all bool) error {
	c := s.readConfig()
	if c.File == "" {
		return errNoConfigPlace
	}
	if s.asJSON {
		out := configuredJSON{statusSchema, c.File, c.Found, settingsInForce(c), []mistakeJSON{}}
		for _, m := range c.Mistakes {
			out.Mistakes = append(out.Mistakes, mistakeJSON(m))
		}
		return s.out.printJSON(out)
	}
	state := "is in force"
	switch {
	case !c.Found:
		state = "not found; using defaults"
	case len(c.Mistakes) == 0:
		state = "has no mistakes"
	}
	s.out.printf("%s %s\n", shortPath(c.File, s.user.Home), state)
	for _, m := range c.Mistakes {
		s.out.printf("%s\n", s.describeMistake(m))
	}
	for _, x := range settingsInForce(c) {
		if from := x.From; all {
			if x.Line > 0 {
				from = fmt.Sprintf("line %d", x.Line)
			}
			s.out.printf("%s %s %s\n", fitColumn(x.Name, 24), fitColumn(strings.Join(x.Value, " "), 30), from)
		}
	}
	return nil
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

// errNoConfigPlace reports that there is no place for a configuration.
var errNoConfigPlace = errors.New("there is no place for a configuration; set HOME or XDG_CONFIG_HOME")
