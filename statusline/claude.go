// The layout of an agent's status line. In a GSD project it equals the line of GSD's own hook to the byte, except that values are
// cleaned, there is no update notice, values of unexpected types and a meter that would say NaN are ignored, the git segment runs
// git only with --git=dirty, and a line too long for the terminal loses whole parts. Outside of GSD projects the line has the
// agent's own percentage of context, and what the agent says about the session.

package statusline

import (
	"unsafe"

	"gatehouse/model/line"
	"gatehouse/parse/disk/peek"
	"gatehouse/parse/nearest"
)

// agentSink is the sink that has a layout of its own.
const agentSink = "claude"

// agentMargin is how many columns of the terminal an agent keeps for itself.
const agentMargin = 5

// Agent reports whether the line is wanted in the layout of an agent, who sends what it knows on standard input.
func (c *Command) Agent() bool { return c.Sink.name == agentSink }

// AgentPage is a Page for lines in the layout of an agent, too.
type AgentPage struct {
	Page
	input [inputLimit + 1]byte
	tail  [transcriptTail]byte
	todos [16 << 10]byte
	git   [4 << 10]byte
	texts [4 << 10]byte
	used  int // bytes of texts
	line  [16 << 10]byte
}

// Input returns the memory that ReadInput needs.
func (pg *AgentPage) Input() []byte { return pg.input[:] }

// AgentLine returns the line of a place in the layout of an agent that sent input, which is given up. The directory is the
// agent's unless c names one; place.Dir is set to it. The line has no newline at its end, and is empty for an input that
// makes no sense, as it is with GSD; a protocol with rows of its own shows them all the same.
func (pg *AgentPage) AgentLine(place *nearest.Place, input []byte, c *Command) Line {
	agent, told := parseAgent(unsafe.String(unsafe.SliceData(input), len(input)))
	dir := place.Dir
	if c.Dir == "" && agent.Dir != "" {
		dir = agent.Dir
		place.Dir = peek.Absolute(dir, place.Dir)
	}
	if place.Watch != nil {
		place.Watch.Unsure = true // what the agent says changes from line to line
	}
	place.Detail = true
	opt := c.Options
	opt.Colored, opt.Cols, opt.Git = false, 0, NoGit
	l := pg.Page.Line(*place, opt)
	l.Session = agent.Session
	if rows, ok := pg.ownRows(&l); ok {
		l.Text = pg.rows(pg.line[:0], rows, &l.Found[0], place, &agent, baseName(dir), c)
		return l
	}
	if !told {
		return Line{Found: []nearest.Found{{}}}
	}
	parts := agentParts{middle: l.Text, task: false}
	if n := len(l.Text); n > 0 {
		parts.middle = l.Text[:n-1]
	}
	pg.collect(&parts, &l, place, &agent, c)
	parts.dir = pg.clean(baseName(dir))
	l.Text = parts.fit(pg.line[:0], c.Colored, c.Cols)
	return l
}

// collect reads what the line shows besides the build.
func (pg *AgentPage) collect(parts *agentParts, l *Line, place *nearest.Place, agent *Agent, c *Command) {
	config := readAgentConfig(*place, pg.todos[:])
	env := place.Env
	if env == nil {
		env = func(string) string { return "" }
	}
	pg.used = 0
	parts.model = pg.cleanModel(agent.Model)
	if task := pg.clean(findTask(agentHome(place.Home, env), agent.Session, pg.todos[:])); len(task) > 0 {
		parts.middle, parts.task = task, true
		if agents := pg.show([]nearest.Found{{Agents: l.Found[0].Agents}}, Options{Sink: c.Sink}); len(agents) > 0 {
			parts.middle = append(append(task[:len(task):len(task)], " · "...), agents[:len(agents)-1]...)
		}
	}
	if config.showGit && c.Git == NoGit {
		c.Git = GitBranch
	}
	place.Buffer = pg.git[:]
	parts.git = askRepository(*place, c.Git, c.Environment)
	parts.branch = pg.clean(parts.git.name(true))
	if config.showCommand {
		parts.command = pg.clean(lastCommand(agent.Transcript, pg.tail[:]))
	}
	parts.context = agent.Context
	parts.percent, parts.meter = agent.Context.usedPercent(env("CLAUDE_CODE_AUTO_COMPACT_WINDOW"))
	if protocol := l.Found[0].Protocol; protocol != "gsd" && (protocol == "ultraplan" || !config.found) {
		now := int64(0)
		if place.Now != nil {
			now = place.Now()
		}
		parts.percent, parts.meter = agent.Context.percentOf(100)
		parts.session = describeSession(agent, pg.texts[pg.used:], now)
		pg.keep(parts.session.text)
	}
	parts.tokens, parts.front = config.showTokens, config.front
}

// clean returns a value cleaned and capped, in memory of the page.
func (pg *AgentPage) clean(value string) []byte {
	return pg.keep(line.AppendClean(pg.texts[pg.used:pg.used], value, line.FieldLimit))
}

// cleanModel returns the name of the model, its window's size shortened.
func (pg *AgentPage) cleanModel(name string) []byte {
	if name == "" {
		name = "Claude"
	}
	name, size, ok := shortModel(name)
	text := line.AppendClean(pg.texts[pg.used:pg.used], name, line.FieldLimit)
	if ok {
		text = append(text, " ("...)
		text = line.AppendClean(text, size, line.FieldLimit)
		text = append(text, ')')
	}
	return pg.keep(text)
}

// keep marks text, which lies behind all that was kept before, as kept.
func (pg *AgentPage) keep(text []byte) []byte {
	pg.used = min(pg.used+len(text), len(pg.texts))
	return text
}

// agentHome returns the directory of the agent's configuration, "" when it is not known.
func agentHome(home string, env func(name string) string) string {
	if dir := env("CLAUDE_CONFIG_DIR"); dir != "" {
		return dir
	}
	if home == "" {
		return ""
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
