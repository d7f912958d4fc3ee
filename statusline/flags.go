// The flags of cmd/statusline, read by hand: a flag package costs more than the whole line.

package statusline

import "gatehouse/parse/nearest"

// Version is printed by --version, here and by gatehouse: both are one release, and the prompt binary, which may import the
// least, keeps the number.
const Version = "0.1.0"

// Commit is what the release was built of, for both programs; "" where the build was not told. The linker sets it (see the
// Makefile), since the prompt binary may not import what reads it out of itself.
var Commit string

// VersionLine returns what --version prints.
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
                       ` + integrationNames() + `

      --shell NAME     what shows the line and needs it escaped: ` + sinkNames() + `;
                       without it defang, in which nothing runs or expands anywhere
      --dir DIR        look from DIR upwards instead of from the working directory
      --source NAME    which protocol: auto, the nearest; ` + protocolNames() + `; all of them side by side
      --format FORM    full or compact; without it the project's configuration decides
      --alerts         add what waits for you, also where there is no build:
                       "◆ 2 asks · ◇ 3 your turn" of live agents in this project
      --git            say behind the line which branch is checked out
      --git=dirty      and what differs from it; runs git, for 200 ms at most
      --color WHEN     auto, always or never; auto heeds NO_COLOR, CLICOLOR_FORCE, FORCE_COLOR
                       and TERM
      --cols N         leave parts out, then cut, at N columns; without it at COLUMNS where
                       that is set; 0 never cuts
      --json           print one JSON object for each build instead of a line
      --watch-list     print below the line what it depends on, for a shell that keeps it
      --explain        say on standard error which file was read, which scene it is and why
      --version        print the version
      --help           print this text

It prints nothing if there is no build and nothing waits. The exit code is 0, or 2 if a flag was wrong.
`
}

// Command is what a command line asks for.
type Command struct {
	Options
	Dir       string    // --dir as given, "" for the working directory
	Color     ColorMode // --color
	Init      string    // the integration that init asks for, "" for none
	JSON      bool      // --json
	WatchList bool      // --watch-list
	Explain   bool      // --explain
	Version   bool      // --version
	Help      bool      // --help

	colsGiven         bool   // --cols was given, also as 0
	whyColor, whyCols string // what decided on colours and width, for people
}

// ParseFlags reads the arguments of a command line, without the program's name. A value follows its flag as the next
// argument or behind "="; one dash does as well as two. The last of several equal flags counts. problem is "" when all is
// well, else what is wrong and what would be right, for the user.
func ParseFlags(args []string) (c Command, problem string) {
	if len(args) > 0 && args[0] == "init" {
		return parseInit(args[1:])
	}
	for len(args) > 0 {
		name, value, given := cutFlag(args[0])
		args = args[1:]
		switch name {
		case "shell", "dir", "format", "source", "color", "cols":
			if !given {
				if len(args) == 0 {
					return c, "--" + name + " needs a value"
				}
				value, args = args[0], args[1:]
			}
			if problem := c.set(name, value); problem != "" {
				return c, problem
			}
			continue
		case "git":
			switch {
			case !given:
				c.Git = GitBranch
			case value == "dirty":
				c.Git = GitDirty
			default:
				return c, "--git takes no value but dirty"
			}
			continue
		case "alerts":
			c.Alerts = true
		case "json":
			c.JSON = true
		case "watch-list":
			c.WatchList = true
		case "explain":
			c.Explain = true
		case "version":
			c.Version = true
		case "help", "h":
			c.Help = true
		default:
			return c, "unknown argument; see --help"
		}
		if given {
			return c, "--" + name + " takes no value"
		}
	}
	return c, ""
}

// parseInit reads what follows the word init.
func parseInit(args []string) (c Command, problem string) {
	if len(args) == 1 {
		switch name, _, given := cutFlag(args[0]); {
		case !given && (name == "help" || name == "h"):
			c.Help = true
			return c, ""
		case integrationNamed(args[0]) != nil:
			c.Init = args[0]
			return c, ""
		}
	}
	return c, "init needs one of " + integrationNames()
}

// set gives a flag its value and returns what is wrong with it, "" for nothing.
func (c *Command) set(name, value string) (problem string) {
	switch name {
	case "shell":
		sink, ok := SinkNamed(value)
		if !ok || value == "" {
			return "unknown --shell; there are " + sinkNames()
		}
		c.Sink = sink
	case "dir":
		if value == "" {
			return "--dir needs a directory"
		}
		c.Dir = value
	case "format":
		switch value {
		case "full":
			c.Format = Full
		case "compact":
			c.Format = Compact
		default:
			return "unknown --format; there are full, compact"
		}
	case "source":
		return c.setSource(value)
	case "color":
		switch value {
		case "auto":
			c.Color = ColorAuto
		case "always":
			c.Color = ColorAlways
		case "never":
			c.Color = ColorNever
		default:
			return "unknown --color; there are auto, always, never"
		}
	case "cols":
		cols, ok := number(value)
		if !ok {
			return "--cols needs a number of columns, 0 for no limit"
		}
		c.Cols, c.colsGiven = cols, true
	}
	return ""
}

// setSource sets the protocol that is looked for.
func (c *Command) setSource(value string) (problem string) {
	if value == "auto" {
		c.Source = ""
		return ""
	}
	known := value == AllSources
	for _, name := range nearest.Protocols() {
		known = known || name == value
	}
	if !known {
		return "unknown --source; there are auto, " + protocolNames() + ", all"
	}
	c.Source = value
	return ""
}

// protocolNames returns the names of all protocols, separated by a comma and a space.
func protocolNames() string {
	protocols := nearest.Protocols()
	return joinNames(len(protocols), func(i int) string { return protocols[i] })
}

// ReadEnvironment decides what the command line left to the environment: colours, and the width. env returns the value of an
// environment variable, "" when it is not set.
func (c *Command) ReadEnvironment(env func(name string) string) {
	c.Alerts = c.Alerts || c.JSON
	c.Colored, c.whyColor = c.Sink.Colored(c.Color, env)
	c.whyCols = "--cols"
	if !c.colsGiven {
		// What is no number, such as a word, is as unknown as what is not set; a guess would cut what fits.
		c.Cols, _ = number(env("COLUMNS"))
		c.whyCols = "COLUMNS"
	}
}

// colsLimit is the largest number of columns that is told apart from no limit.
const colsLimit = 1 << 16

// number returns the number that the decimal digits of s spell, 0 for one so large that it limits nothing.
func number(s string) (n int, ok bool) {
	for i := range len(s) {
		c := s[i]
		if c < '0' || c > '9' {
			return 0, false
		}
		n = min(n*10+int(c-'0'), colsLimit)
	}
	if n == colsLimit {
		n = 0
	}
	return n, s != ""
}

// cutFlag splits an argument into a flag's name and the value behind "="; the name is "" for anything that is no flag.
func cutFlag(arg string) (name, value string, given bool) {
	dashes := 0
	for dashes < len(arg) && dashes < 2 && arg[dashes] == '-' {
		dashes++
	}
	if dashes == 0 {
		return "", "", false
	}
	arg = arg[dashes:]
	for i := range len(arg) {
		if arg[i] == '=' {
			return arg[:i], arg[i+1:], true
		}
	}
	return arg, "", false
}
