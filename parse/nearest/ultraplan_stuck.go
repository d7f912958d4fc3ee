// What waits in an ultraplan project by other files than STATE.md: retries, the session, the logs of results.

package nearest

import (
	"gatehouse/parse/disk/peek"
	"gatehouse/parse/ultraplan/rules"
)

// ultraplanDays is how many days with logs the prompt looks at.
const ultraplanDays = 512

// ultraplanStuck returns which task has failed as often as it may, and the file that says it. Of the logs only names are listed, where
// it is asked what waits, and those read that belong to an open task which has failed.
func (p *Place) ultraplanStuck(dir, text string, phases []rules.Phase, s *rules.State, session string) (what, file string) {
	home := peek.Join(dir, rules.Home)
	retries := peek.Join(peek.Join(home, "state"), "retry-state.json")
	beside := &rules.Beside{Session: session}
	if p.watched(retries) {
		beside.Retries, _ = p.read(retries, dir)
	}
	var files []string
	beside.Logs = func() (logs []rules.LogFile) {
		if !p.Alerts { // thousands of names cost as much as all else
			return nil
		}
		logs, files = p.ultraplanLogs(peek.Join(peek.Join(home, "logs"), "executions"))
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
	case in == rules.InRetries:
		return what, retries
	case in == rules.InSession:
		return what, sessionPath(dir)
	}
	return what, files[in]
}

// ultraplanLogs lists the logs of results, by their names, with their paths.
func (p *Place) ultraplanLogs(executions string) (logs []rules.LogFile, files []string) {
	if !p.watched(executions) {
		return nil, nil
	}
	p.Watch.Add(executions)
	var days []string
	peek.Entries(executions, p.Buffer, ultraplanEntries, func(name string) {
		if len(name) == len("2006-01-02") && name[4] == '-' && name[7] == '-' && len(days) < ultraplanDays {
			days = append(days, string([]byte(name)))
		}
	})
	for _, day := range days {
		at := peek.Join(executions, day)
		p.Watch.Add(at)
		peek.Entries(at, p.Buffer, ultraplanEntries, func(name string) {
			name = string([]byte(name))
			if f, ok := rules.ParseLogName(name); ok {
				f.Day = day
				logs, files = append(logs, f), append(files, peek.Join(at, name))
			}
		})
	}
	return logs, files
}
