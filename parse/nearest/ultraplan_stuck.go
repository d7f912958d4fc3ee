// What waits in an ultraplan project by other files than STATE.md: retries, the session, the logs of results.

package nearest

import (
	"gatehouse/parse/disk/peek"
	"gatehouse/parse/ultraplan/rules"
)

// ultraplanDays is how many days with logs the prompt looks at.
const ultraplanDays = 512

// ultraplanStuck returns what waits for a human, and the file that says it; state is the path of STATE.md and text what it says. Of
// the logs only names are listed, where it is asked what waits or STATE.md says that something does, and those read that belong to an
// open task which has failed. Thousands of names cost as much as all else.
func (p *Place) ultraplanStuck(dir, state, text string, phases []rules.Phase, s *rules.State, session string) (what, file string) {
	home := peek.Join(dir, rules.Home)
	retries := peek.Join(peek.Join(home, "state"), "retry-state.json")
	beside := &rules.Beside{Session: session, Asked: p.Alerts}
	if p.watched(retries) {
		beside.Retries, _ = p.read(retries, dir)
	}
	var files []string
	beside.Logs = func() (logs []rules.LogFile) {
		logs, files = p.ultraplanLogs(peek.Join(home, "logs"))
		return logs
	}
	beside.Read = func(i int) rules.LogHead {
		text, _ := p.read(files[i], dir)
		return rules.ParseLogHead(text)
	}
	beside.Plan = func(plan string) string {
		for i := range phases {
			for _, one := range phases[i].Plans {
				if rules.SamePlan(one.ID, plan, "") {
					text, _ := p.read(peek.Join(peek.Join(peek.Join(p.planning.path, "phases"), phases[i].Dir), one.ID+"-PLAN.md"), dir)
					return text
				}
			}
		}
		return ""
	}
	what, in := rules.Stuck(text, phases, s, beside)
	switch {
	case what == "":
		return "", ""
	case in == rules.InState:
		return what, state
	case in == rules.InRetries:
		return what, retries
	case in == rules.InSession:
		return what, sessionPath(dir)
	}
	return what, files[in]
}

// ultraplanLogs lists the logs of results below logs, by their names, with their paths: those of each day, and what was put into the
// archive.
func (p *Place) ultraplanLogs(home string) (logs []rules.LogFile, files []string) {
	archive := peek.Join(home, "archive")
	for _, days := range [...]string{peek.Join(home, "executions"), archive, peek.Join(archive, "executions")} {
		if !p.watched(days) {
			if days == archive {
				break
			}
			continue
		}
		p.Watch.Add(days)
		p.ultraplanDaysOf(days, func(day, file string, f rules.LogFile) {
			f.Day = day
			logs, files = append(logs, f), append(files, file)
		})
	}
	return logs, files
}

// ultraplanDaysOf shows the logs of the days of a directory.
func (p *Place) ultraplanDaysOf(dir string, see func(day, file string, f rules.LogFile)) {
	var days []string
	peek.Entries(dir, p.Buffer, ultraplanEntries, func(name string) {
		if len(name) == len("2006-01-02") && name[4] == '-' && name[7] == '-' && len(days) < ultraplanDays {
			days = append(days, string([]byte(name)))
		}
	})
	for _, day := range days {
		at := peek.Join(dir, day)
		p.Watch.Add(at)
		peek.Entries(at, p.Buffer, ultraplanEntries, func(name string) {
			name = string([]byte(name))
			if f, ok := rules.ParseLogName(name); ok {
				see(day, peek.Join(at, name), f)
			}
		})
	}
}
