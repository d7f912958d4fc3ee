package main

// gatehouse config: the table of settings, their values and sources, and mistakes in the file.

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"gatehouse/cmd/gatehouse/config"
	"gatehouse/cmd/gatehouse/remote"
	"gatehouse/parse/agents/reply"
	"gatehouse/tui"
	"gatehouse/tui/draw"
)

// The names of settings and of their sections.
const (
	settingRoots    = "roots"
	settingOld      = "old"
	settingTheme    = "theme"
	settingASCII    = "ascii"
	settingMouse    = "mouse"
	settingNotify   = "notify"
	settingCommand  = "notify_command"
	settingReplies  = "claude_replies"
	settingSign     = "sign"
	settingSignKey  = "sign_key"
	settingSignFile = "sign_file"
	settingAllowed  = "allowed_signers"
	sectionKeys     = "keys."
)

// truth are the values of a setting that is true or false.
var truth = []string{"true", "false"}

// settingTable returns the table.
func settingTable() []config.Setting {
	all := []config.Setting{
		{Name: settingRoots, Kind: config.Texts, Example: "[~/src]", Check: checkDirectory,
			Words: "directories to search for projects when gatehouse runs outside of one; ~ is your home"},
		{Name: settingOld, Default: []string{"14d"}, Example: "14d", Check: func(text string) error { _, err := parseSpan(text); return err },
			Words: "how long something waits until it counts as old: a number with m, h, d or w"},
		{Name: settingTheme, Default: []string{string(draw.ThemeAuto)}, Values: draw.Themes(), Words: "the set of colors; auto asks the terminal"},
		{Name: settingASCII, Default: []string{"false"}, Values: truth, Words: "draw with ASCII only"},
		{Name: settingMouse, Default: []string{"true"}, Values: truth, Words: "use the mouse; false leaves it to the terminal"},
		{Name: settingNotify, Default: []string{string(tui.NotifyBell)}, Values: tui.NotifyWays(), Words: "how to call you when something begins to wait"},
		{Name: settingCommand, Example: `notify-send "$GATEHOUSE_NOTICE_PROJECT" "$GATEHOUSE_NOTICE_TEXT"`,
			Words: "a command that the shell runs for each thing that begins to wait, described by its environment: see docs/dashboard.md"},
		{Name: settingReplies, Default: []string{reply.ClaudeOff}, Values: []string{reply.ClaudeOff, reply.ClaudeInbox},
			Words: "how replies reach an open window of Claude Code: not at all, or as a message from another session"},
		{Name: settingSign, Kind: config.Texts, Example: `["~/src/shop release-*"]`, Check: checkSignRule,
			Words: "which decisions are signed: always, or a list of projects, each with a pattern for its gates behind it if not all are meant; * is any"},
		{Name: settingSignKey, Example: "~/.ssh/id_ed25519_sk.pub", Check: checkDirectory,
			Words: "the SSH key that signs: a private key, or a public key whose private part ssh-agent or a FIDO device has"},
		{Name: settingSignFile, Default: []string{"false"}, Values: truth,
			Words: "write each signature into a file beside the state file, too, for those who verify without your journal"},
		{Name: settingAllowed, Example: "~/.ssh/allowed_signers", Check: checkDirectory,
			Words: "the file of the keys that count for gatehouse verify, as ssh-keygen reads it"},
	}
	for _, row := range tui.KeyRows() {
		all = append(all, config.Setting{Name: sectionKeys + row.Name, Kind: config.Texts, Default: row.Keys, Words: row.Words, Unique: true,
			Check: func(text string) error { return tui.CheckKey(row.Name, text) }})
	}
	return all
}

func checkDirectory(text string) error {
	if text != "~" && !strings.HasPrefix(text, "~/") && !filepath.IsAbs(text) {
		return fmt.Errorf("%q: write the whole path, or one that begins with ~/", text)
	}
	return nil
}

// units are the units of time spans.
var units = map[byte]time.Duration{'m': time.Minute, 'h': time.Hour, 'd': 24 * time.Hour, 'w': 7 * 24 * time.Hour}

// parseSpan returns a span of time of at least a minute: "36h", "14d".
func parseSpan(text string) (time.Duration, error) {
	wrong := fmt.Errorf("%q is no span of time", text)
	if text == "" {
		return 0, wrong
	}
	unit := units[text[len(text)-1]]
	n, err := strconv.ParseUint(text[:len(text)-1], 10, 16)
	if unit == 0 || err != nil || n == 0 {
		return 0, wrong
	}
	return time.Duration(n) * unit, nil
}

// readConfig reads the user's configuration, once.
func (s *env) readConfig() *config.Config {
	if s.configuration == nil {
		s.configuration = config.Read(s.configFile, settingTable())
	}
	return s.configuration
}

// useConfig handles the value of --config.
func (s *env) useConfig(file string) error {
	abs, err := filepath.Abs(file)
	if err != nil {
		return usageError{err}
	}
	if _, err := os.Stat(abs); file == "" || err != nil {
		return usageError{fmt.Errorf("--config %s: no such file", file)}
	}
	s.configFile, s.configuration, s.user.OldAfter = abs, nil, 0
	s.applyConfig()
	return nil
}

// addLoops handles a value of --loops, which may be given several times. It comes before the directories of the environment.
func (s *env) addLoops(dir string) error {
	if dir == "" {
		return usageError{errors.New("--loops: the name of a directory is empty; write . for this one")}
	}
	abs, err := filepath.Abs(dir)
	if err != nil {
		return usageError{err}
	}
	s.user.Loops = slices.Insert(s.user.Loops, s.loops, abs)
	s.loops++
	return nil
}

// applyConfig applies the settings that affect all commands.
func (s *env) applyConfig() {
	c := s.readConfig()
	if v, ok := c.Set(settingOld); ok {
		s.user.OldAfter, _ = parseSpan(v.Texts[0])
	}
}

// flagSettings are the settings that are defaults of flags.
var flagSettings = map[string]string{"theme": settingTheme, "ascii": settingASCII, "notify": settingNotify, "notify-command": settingCommand}

// describeMistake returns a mistake in the configuration with its place and fix.
func (s *env) describeMistake(m config.Mistake) string {
	text := s.shortPath(s.configuration.File)
	if m.Line > 0 {
		text += ":" + strconv.Itoa(m.Line)
	}
	return text + ": " + m.Text + "; " + m.Mend
}

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
	Schema   int              `json:"schema"`
	File     string           `json:"file"`     // path of the configuration, even if it does not exist
	Found    bool             `json:"found"`    // it is there
	Settings []inForce        `json:"settings"` // every one, in the order of the configuration's table
	Mistakes []config.Mistake `json:"mistakes"` // what of the file can't be used
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
		return errors.New("there is no place for a configuration; set HOME or XDG_CONFIG_HOME")
	}
	if s.asJSON {
		return s.out.printJSON(configuredJSON{remote.Schema, c.File, c.Found, settingsInForce(c), nonNil(c.Mistakes)})
	}
	state := "is in force"
	switch {
	case !c.Found:
		state = "not found; using defaults"
	case len(c.Mistakes) == 0:
		state = "has no mistakes"
	}
	s.out.printf("%s %s\n", s.shortPath(c.File), state)
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
