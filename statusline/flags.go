// The flags of cmd/statusline, read by hand: a flag package costs more than the whole line.

package statusline

import (
	"slices"

	"gatehouse/parse/doc"
	"gatehouse/parse/nearest"
)

// Version is printed by --version, here and by gatehouse. The linker sets it to the release's tag (see the Makefile). Builds
// without a tag have this value.
var Version = "0.1.0"

// Commit is the commit of the release, for both programs; "" if unknown. The linker sets it (see the Makefile), since
// the prompt binary may not import the package that reads it from the binary.
var Commit string

// VersionLine returns the output of --version.
func VersionLine() string {
	if Commit == "" {
		return "statusline " + Version + "\n"
	}
	return "statusline " + Version + " (" + Commit + ")\n"
}

// Help returns the text that --help prints.
func Help() string {
	return `statusline prints where the build in this directory stands, as one line for a prompt.

  statusline [flags]
  statusline init PLACE
                       print what puts the line there; PLACE is one of
                       ` + joinNames(Integrations()) + `

      --shell NAME     what shows the line and needs it escaped: ` + joinNames(Sinks()) + `;
                       without it defang, in which nothing runs or expands anywhere
      --dir DIR        look from DIR upwards instead of from the working directory
      --source NAME    which protocol: auto, the nearest; ` + joinNames(nearest.Protocols()) + `; all of them side by side
      --format FORM    full or compact; without it the project's configuration decides
      --alerts         add what waits for you, also where there is no build:
                       "◆ 2 asks · ◇ 3 your turn" of live agents in this project
      --git            add the branch that is checked out
      --git=dirty      also mark changes; runs git, for at most 200 ms
      --color WHEN     auto, always or never; auto respects NO_COLOR, CLICOLOR_FORCE, FORCE_COLOR
                       and TERM
      --cols N         fit into N columns: leave parts out, then cut; without it COLUMNS counts;
                       0 never cuts
      --json           print one JSON object for each build instead of a line
      --explain        say on standard error which file was read, which scene it is and why
      --version        print the version
      --help           print this text

It prints nothing if there is no build and nothing waits. The exit code is 0, or 2 if a flag was wrong.
`
}

// Command is a parsed command line.
type Command struct {
	Options
	Dir     string    // --dir as given, "" for the working directory
	Color   ColorMode // --color
	Init    string    // the integration that init asks for, "" for none
	JSON    bool      // --json
	Explain bool      // --explain
	Version bool      // --version
	Help    bool      // --help

	colsGiven bool // --cols was given, also as 0
}

// ParseFlags parses a command line, without the program's name. A value follows its flag as the next argument or after
// "="; one dash works like two. The last of several equal flags counts. problem is "" on success, else the mistake and
// its fix, for the user.
func ParseFlags(args []string) (c Command, problem string) {
	if len(args) > 0 && args[0] == "init" {
		return parseInit(args[1:])
	}
	for problem == "" && len(args) > 0 {
		name, value, given := cutFlag(args[0])
		args = args[1:]
		switch name {
		case "shell", "dir", "format", "source", "color", "cols":
			if !given && len(args) == 0 {
				return c, "--" + name + " needs a value"
			} else if !given {
				value, args = args[0], args[1:]
			}
			problem = c.set(name, value)
		case "git":
			c.Git = GitBranch
			if value == "dirty" {
				c.Git = GitDirty
			} else if given {
				problem = "--git takes no value but dirty"
			}
		default:
			on := c.findSwitch(name)
			switch {
			case on == nil:
				return c, "unknown argument; see --help"
			case given:
				return c, "--" + name + " takes no value"
			}
			*on = true
		}
	}
	return c, problem
}

// findSwitch returns the flag without a value of that name, nil without one.
func (c *Command) findSwitch(name string) *bool {
	switch name {
	case "alerts":
		return &c.Alerts
	case "json":
		return &c.JSON
	case "explain":
		return &c.Explain
	case "version":
		return &c.Version
	case "help", "h":
		return &c.Help
	}
	return nil
}

// parseInit parses the arguments after the word init.
func parseInit(args []string) (c Command, problem string) {
	if len(args) != 1 {
		args = []string{""}
	}
	if args[0] == "--help" || args[0] == "-help" || args[0] == "--h" || args[0] == "-h" {
		c.Help = true
		return c, ""
	}
	names := Integrations()
	if slices.Index(names, args[0]) < 0 {
		return c, "init needs one of " + joinNames(names)
	}
	c.Init = args[0]
	return c, ""
}

// set gives a flag its value and returns the problem with it, "" for none.
func (c *Command) set(name, value string) (problem string) {
	choose := func(names ...string) (i int) {
		if i = slices.Index(names, value); i < 0 {
			problem = "unknown --" + name + "; there are " + joinNames(names)
		}
		return max(0, i)
	}
	switch name {
	case "shell":
		c.Sink = sinks[choose(Sinks()...)]
	case "format":
		c.Format = Full + Format(choose("full", "compact"))
	case "color":
		c.Color = ColorMode(choose("auto", "always", "never"))
	case "source":
		names := append(append([]string{"auto"}, nearest.Protocols()...), AllSources)
		if c.Source = names[choose(names...)]; c.Source == "auto" {
			c.Source = ""
		}
	case "dir":
		if c.Dir = value; value == "" {
			return "--dir needs a directory"
		}
	case "cols":
		if c.Cols, c.colsGiven = parseCols(value); !c.colsGiven {
			return "--cols needs a number of columns, 0 for no limit"
		}
	}
	return problem
}

// ReadEnvironment applies the environment to options that the command line left open: colors, and the width. env returns the value of an
// environment variable, "" when it is not set.
func (c *Command) ReadEnvironment(env func(name string) string) {
	c.Alerts = c.Alerts || c.JSON
	c.Colored = c.Sink.Colored(c.Color, env)
	if !c.colsGiven {
		// A value that is not a number counts as unset; a guess would cut text that fits.
		c.Cols, _ = parseCols(env("COLUMNS"))
	}
}

// parseCols returns the number of columns that digits spell, 0 for one so large that it limits nothing.
func parseCols(digits string) (n int, ok bool) {
	n, ok = parseCount(digits)
	if n >= 1<<16 {
		n = 0
	}
	return n, ok
}

// cutFlag splits an argument into a flag's name and the value after "="; the name is "" for an argument that is not a
// flag.
func cutFlag(arg string) (name, value string, given bool) {
	if !doc.HasPrefix(arg, "-") {
		return "", "", false
	}
	return doc.Cut(doc.TrimPrefix(arg[1:], "-"), "=")
}

// joinNames returns names, separated by a comma and a space.
func joinNames(names []string) (list string) {
	for i, name := range names {
		if i > 0 {
			list += ", "
		}
		list += name
	}
	return list
}
