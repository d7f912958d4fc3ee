package core

import (
	"slices"

	"gatehouse/parse/doc"
)

// LogFiles returns the files of all logs, those in archives first. Of logs with the same name on the same day only the first counts: the
// archive has the others.
func (p *Project) LogFiles() []string {
	if p.files != nil || p.skipsLogs {
		return p.files
	}
	p.files = []string{}
	seen := map[string]bool{} // the days of the directories before
	for _, dir := range LogDirs {
		var days []string
		p.List(dir, func(name string) {
			if isDateForm(name) && ParseDate(name) != "" {
				days = append(days, copyOf(name))
			}
		})
		slices.Sort(days)
		for _, day := range days {
			for _, file := range p.LogsOfDay(dir + "/" + day) {
				if !seen[day] || !slices.ContainsFunc(p.files, func(other string) bool { return doc.HasSuffix(other, file[len(dir):]) }) {
					p.files = append(p.files, file)
				}
			}
		}
		for _, day := range days {
			seen[day] = true
		}
	}
	return p.files
}

// LogsOfDay returns the logs in the directory of a day, by name.
func (p *Project) LogsOfDay(dir string) (files []string) {
	p.List(dir, func(name string) {
		if IsLogFile(name) && len(p.files)+len(files) < maxLogs {
			files = append(files, dir+"/"+name)
		}
	})
	slices.Sort(files)
	return files
}

const (
	// maxLogs limits the logs of a project.
	maxLogs = 1 << 17
	// maxShallowLogs limits the logs that a shallow read uses.
	maxShallowLogs = 256
)

// ReadLogs reads some logs; see [SortLogs].
func (p *Project) ReadLogs(files []string) (whole, broken []*Log) {
	var all []*Log
	for _, file := range files {
		if l := p.ReadLog(file); l != nil {
			all = append(all, l.InFile(file))
		}
	}
	return SortLogs(all)
}

// ReadPlan reads the tasks of a plan.
func (p *Project) ReadPlan(plan *Plan) {
	if plan.Doc != nil {
		return
	}
	if plan.Doc = p.PlanDoc(plan.File); plan.Doc == nil {
		plan.Doc = &PlanDoc{}
	}
	for i := range plan.Doc.Tasks {
		plan.Tasks = append(plan.Tasks, &Task{TaskDoc: &plan.Doc.Tasks[i], Plan: plan})
	}
}

// ReadAll reads all plans and logs, and finds the status of each task.
func (p *Project) ReadAll() {
	p.Logs, p.Broken = p.ReadLogs(p.LogFiles())
	byPlan := map[*Plan][]*Log{}
	for _, l := range p.Logs {
		plan := p.PlanOfLog(l)
		byPlan[plan] = append(byPlan[plan], l)
	}
	for _, ph := range p.Phases {
		for _, plan := range ph.Plans {
			p.ReadPlan(plan)
			p.gatherTasks(plan, byPlan[plan], p.Broken)
		}
	}
}

// ReadTasks reads a plan and its logs, and finds the status of its tasks.
func (p *Project) ReadTasks(plan *Plan) {
	if plan.Doc != nil {
		return
	}
	p.ReadPlan(plan)
	var own []*Log
	logs, broken := p.ReadLogs(p.logsOf(plan.Key))
	for _, l := range logs {
		if p.PlanOfLog(l) == plan {
			own = append(own, l)
		}
	}
	p.gatherTasks(plan, own, broken)
}

// logsOf returns the logs that may belong to a plan, by their names. If there are very many, a shallow read leaves out the oldest.
func (p *Project) logsOf(key string) (files []string) {
	for _, file := range slices.Backward(p.LogFiles()) {
		if n, ok := ParseLogName(BaseName(file)); ok && n.Plan == key {
			if p.reads++; p.isShallow && p.reads > maxShallowLogs {
				break
			}
			files = append(files, file)
		}
	}
	return files
}
