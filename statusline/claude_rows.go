// The rows of a protocol that has a layout of its own for an agent's status line, as fctry has. An agent
// shows each row by itself and cuts off what does not fit, so each is fitted by itself.

package statusline

import (
	"gatehouse/model/line"
	"gatehouse/parse/nearest"
)

// rowsLimit is how many rows an agent's line may have.
const rowsLimit = 2

// usableShare is how many percent of an agent's window it can use before it compacts, as fctry reckons.
const usableShare = 84

// ownRows returns the facts of the only build that was found, where it has rows of its own.
func (pg *AgentPage) ownRows(l *Line) (rows line.AgentRows, ok bool) {
	if !l.OK || len(l.Found) != 1 {
		return nil, false
	}
	rows, ok = l.Found[0].Facts.(line.AgentRows)
	return rows, ok
}

// rows appends the rows of a build to dst, a line break between them.
func (pg *AgentPage) rows(dst []byte, rows line.AgentRows, found *nearest.Found, place *nearest.Place, agent *Agent, project string, c *Command) []byte {
	if c.Git == NoGit {
		c.Git = GitBranch
	}
	place.Buffer = pg.git[:]
	repo := askRepository(*place, c.Git, c.Environment)
	about := line.Agent{Project: project}
	about.Used, about.Metered = agent.Context.percentOf(usableShare)
	cols := 0
	if c.Cols > 0 {
		cols = max(1, c.Cols-agentMargin)
	}
	text := &pg.text
	for row := range rowsLimit {
		text.Reset(pg.bytes[:])
		rows.ComposeRow(text, row, &about)
		if len(text.Bytes()) == 0 {
			continue
		}
		if row == 0 {
			pg.showAgents(found)
		}
		text.Fit(cols)
		if row == 0 {
			repo.add(text, cols)
		}
		if len(dst) > 0 {
			dst = append(dst, '\n')
		}
		dst = c.Sink.write(dst, text, c.Colored)
	}
	return dst
}

// percentOf returns how much of a share of the window, in percent of the window, is used by the agent's own count: 0 to 100,
// rounded half up. ok is false when the agent does not say.
func (c *Context) percentOf(share float64) (percent int, ok bool) {
	if !c.Shared || c.Share != c.Share {
		return 0, false
	}
	used := max(0, min(100, float64(c.Share/share)*100))
	percent = int(used)
	if used-float64(percent) >= 0.5 {
		percent++
	}
	return percent, true
}
