// The flags of cmd/statusline, read by hand: a flag package costs more than the whole line.

package statusline

// Version is printed by --version.
const Version = "0.1.0"

// Help returns the text that --help prints.
func Help() string {
	return `statusline prints where the build in this directory stands, as one line for a prompt.

  statusline [flags]

      --shell NAME     what shows the line and needs it escaped: ` + SinkNames() + `;
                       without it defang, in which nothing runs or expands anywhere
      --dir DIR        look from DIR upwards instead of from the working directory
      --format FORM    full or compact; without it the project's configuration decides
      --explain        say on standard error which file was read, which scene it is and why
      --version        print the version
      --help           print this text

It prints nothing when there is no build, and exits 0; 2 means that a flag was wrong.
`
}

// Command is what a command line asks for.
type Command struct {
	Options
	Dir     string // --dir as given, "" for the working directory
	Explain bool   // --explain
	Version bool   // --version
	Help    bool   // --help
}

// ParseFlags reads the arguments of a command line, without the program's name. A value follows its flag as the next
// argument or behind "="; one dash does as well as two. The last of several equal flags counts. problem is "" when all is
// well, else what is wrong and what would be right, for the user.
func ParseFlags(args []string) (c Command, problem string) {
	for len(args) > 0 {
		name, value, given := cutFlag(args[0])
		args = args[1:]
		switch name {
		case "shell", "dir", "format":
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

// set gives a flag its value and returns what is wrong with it, "" for nothing.
func (c *Command) set(name, value string) (problem string) {
	switch name {
	case "shell":
		sink, ok := SinkNamed(value)
		if !ok || value == "" {
			return "unknown --shell; there are " + SinkNames()
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
	}
	return ""
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
