// The layout of an agent's status line. In a GSD project it equals the line of GSD's own hook to the byte, except that
// values are cleaned, there is no update notice, values of unexpected types and a meter of NaN are ignored, the git
// segment runs git only with --git=dirty, and a line too long for the terminal loses whole parts. Outside of GSD
// projects the line has the agent's own percentage of context, and the agent's session details.

package statusline

import (
	"gatehouse/model/line"
	"gatehouse/parse/disk/peek"
	"gatehouse/parse/nearest"
)

const (
	// agentSink is the sink that has a layout of its own.
	agentSink = "claude"
	// agentMargin is how many columns of the terminal an agent keeps for itself.
	agentMargin = 5
)

// Agent reports whether the line should have the layout of an agent, which sends its data on standard input.
func (c *Command) Agent() bool { return c.Sink.name == agentSink }

// AgentLine returns the line of a place in the layout of an agent that sent input. The directory
// is the agent's unless c names one; place.Dir is set to it. The line has no newline at its end, and is empty for
// invalid input, as with GSD; a protocol with rows of its own shows them nevertheless.
func AgentLine(place *nearest.Place, input []byte, c *Command) Line {
	agent, ok := parseAgentInput(string(input))
	dir := place.Dir
	if c.Dir == "" && agent.dir != "" {
		dir = agent.dir
		place.Dir = peek.Absolute(dir, place.Dir)
	}
	place.Detail = true
	opt := c.Options
	opt.Colored, opt.Cols, opt.Git = false, 0, NoGit
	l := ReadLine(*place, opt)
	l.Session = agent.session
	if rows, ok := findRows(&l); ok {
		l.Text = composeRows(rows, &l.Found[0], place, &agent, baseName(dir), c)
		return l
	}
	if !ok {
		return Line{Found: []nearest.Found{{}}}
	}
	parts := collectParts(&l, place, &agent, c)
	parts.dir = cleanField(baseName(dir))
	l.Text = []byte(parts.fitParts(c.Colored, c.Cols))
	return l
}

// collectParts returns the parts of the line other than the directory.
func collectParts(l *Line, place *nearest.Place, agent *agentInput, c *Command) *agentParts {
	config := readAgentConfig(place)
	env := place.Env
	if env == nil {
		env = func(string) string { return "" }
	}
	p := &agentParts{model: cleanModel(agent.model), middle: trimNewline(l.Text), context: agent.context}
	if task := cleanField(findTask(agentHome(place.Home, env), agent.session)); task != "" {
		p.middle, p.isTask = task, true
		if agents := trimNewline(Render([]nearest.Found{{Agents: l.Found[0].Agents}}, Options{Sink: c.Sink})); agents != "" {
			p.middle += " · " + agents
		}
	}
	if c.Git == NoGit && config.isOn("show_git") {
		c.Git = GitBranch
	}
	p.git = askRepository(*place, c.Git, c.Environment)
	p.branch = cleanField(p.git.branchName(true))
	if config.isOn("show_last_command") {
		p.command = cleanField(findLastCommand(agent.transcript))
	}
	p.percent, p.hasMeter = agent.context.usedPercent(env("CLAUDE_CODE_AUTO_COMPACT_WINDOW"))
	if protocol := l.Found[0].Protocol; protocol != "gsd" && (protocol == "ultraplan" || !config.exists) {
		now := int64(0)
		if place.Now != nil {
			now = place.Now()
		}
		p.percent, p.hasMeter = agent.context.percentOf(100)
		p.session = describeSession(agent.root, now)
	}
	p.showTokens, p.isFront = config.isOn("show_context_tokens"), config.getSetting("context_position").Text() == "front"
	return p
}

// trimNewline returns a line without the newline at its end.
func trimNewline(text []byte) string {
	if len(text) == 0 {
		return ""
	}
	return string(text[:len(text)-1])
}

// cleanModel returns the name of a model, its window's size shortened.
func cleanModel(name string) string {
	if name == "" {
		name = "Claude"
	}
	name, size, ok := shortModel(name)
	if name = cleanField(name); ok {
		name += " (" + cleanField(size) + ")"
	}
	return name
}

// agentHome returns the directory of the agent's configuration, "" if it is unknown.
func agentHome(home string, env func(name string) string) string {
	if dir := env("CLAUDE_CONFIG_DIR"); dir != "" || home == "" {
		return dir
	}
	return peek.Join(home, ".claude")
}

// baseName returns the last element of path, "" for a root.
func baseName(path string) string {
	end := len(path)
	for end > 0 && peek.IsSeparator(path[end-1]) {
		end--
	}
	start := end
	for start > 0 && !peek.IsSeparator(path[start-1]) {
		start--
	}
	return path[start:end]
}

// cleanField returns a value from outside, cleaned and capped.
func cleanField(value string) string { return string(line.AppendClean(nil, value, line.FieldLimit)) }
