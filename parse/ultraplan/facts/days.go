// What was done on each day: its summary, and the logs that this does not count yet. The numbers of plans and phases are added
// up from days, so that neither a log that was put away nor one that nobody has counted is forgotten, and so that they cost
// no look at each log.

package facts

import (
	"maps"
	"path"
	"slices"
	"strings"

	"gatehouse/model"
	"gatehouse/model/line"
	"gatehouse/parse/disk/mirror"
	"gatehouse/parse/protocol"
	"gatehouse/parse/ultraplan/rules"
)

// ReadDays reads the summaries of days, and counts the logs that they do not.
func (pr *Project) ReadDays() {
	pr.Summaries, pr.Days = nil, nil
	summaries := map[string]*Daily{}
	for _, e := range pr.List(SummaryDir) {
		date := Date(strings.TrimPrefix(e.Name, "daily-"))
		file := path.Join(SummaryDir, e.Name)
		if date == "" || e.Dir || file != SummaryOf(date) {
			continue
		}
		d := protocol.ReadFile(pr.Mirror, pr.Build, file, ParseDaily).Value
		if d == nil {
			continue
		}
		if why := d.Doubt(date); why != "" {
			if d.fault == "" { // else it is told already
				pr.problem(model.Pos{File: file}, model.Error, line.Tidy(why), doubted)
			}
			continue
		}
		own := *d
		own.Date = date
		pr.Summaries = append(pr.Summaries, &own)
		summaries[date] = &own
	}
	dates := map[string]bool{}
	for date := range summaries {
		dates[date] = true
	}
	for _, dir := range executions {
		for _, e := range pr.List(dir) {
			if date := Date(e.Name); e.Dir && date == e.Name {
				dates[date] = true
			}
		}
	}
	for _, date := range slices.Sorted(maps.Keys(dates)) {
		pr.Days = append(pr.Days, pr.Count(date, summaries[date], ""))
	}
}

// doubted is what to do about a summary that is not believed.
const doubted = "it counts nothing, and the logs of its day do; the next capture keeps it beside, and counts anew"

const archivedExecutions = ArchiveDir + "/executions"

// archives are where the logs of days that were put away lie: right in the archive too, as the protocol has it and other writers do.
var archives = [...]string{ArchiveDir, archivedExecutions}

// executions are all places where the logs of days lie, the archives first.
var executions = [...]string{ArchiveDir, archivedExecutions, ExecutionsDir}

// archived returns the logs of one day that were put away.
func (pr *Project) archived(date string) (files []string) {
	for _, dir := range archives {
		files = append(files, pr.LogsIn(path.Join(dir, date))...)
	}
	return files
}

// Count returns a day by its summary, nil where there is none, and by those of its logs that this does not count yet; one log
// may be left out. A summary that names its logs counts these and what it has counted besides; of one that does not, it
// counts its logs where it says at least as much as they do, and nothing where it says less.
func (pr *Project) Count(date string, d *Daily, without string) *Daily {
	if d != nil && d.Logs != nil && pr.Settled(date) {
		day := *d
		day.ByPlan, day.Logs, day.Before, day.Earlier = maps.Clone(d.ByPlan), slices.Clone(d.Logs), maps.Clone(d.Before), maps.Clone(d.Earlier)
		return &day
	}
	files := pr.LogsIn(path.Join(ExecutionsDir, date))
	if d == nil || d.Logs == nil {
		files = append(files, pr.archived(date)...)
	}
	files = slices.DeleteFunc(files, func(file string) bool { return file == without })
	day := &Daily{Date: date}
	if d != nil {
		*day = *d
		day.ByPlan, day.Logs, day.Before, day.Earlier = maps.Clone(d.ByPlan), slices.Clone(d.Logs), maps.Clone(d.Before), maps.Clone(d.Earlier)
	}
	switch {
	case d != nil && d.Logs != nil:
		counted := map[string]bool{}
		for _, name := range d.Logs {
			counted[name] = true
		}
		files = slices.DeleteFunc(files, func(file string) bool { return counted[path.Base(file)] })
	case d != nil && d.TasksExecuted >= len(files):
		day.logged(pr.ReadLogs(files))
		day.names(files)
		return day
	}
	logs := pr.ReadLogs(files)
	if d != nil && d.Logs != nil {
		logs = pr.uncopied(date, d.Logs, logs)
	}
	if d != nil && d.Logs == nil {
		if d.TasksExecuted >= len(logs) {
			day.logged(logs)
			for _, l := range logs {
				day.names([]string{l.File})
			}
			return day
		}
		day = &Daily{Date: date, Before: day.Before, Earlier: day.Earlier}
	}
	var newest *Log
	if at := slices.IndexFunc(logs, func(l *Log) bool { return path.Base(l.File) == day.Newest }); day.Newest != "" && at < 0 && len(logs) > 0 {
		newest = pr.NewestOf(day)
	}
	for _, l := range logs {
		day.Add(l.LogDoc)
		day.names([]string{l.File})
		if newest == nil || CompareLogs(l, newest) > 0 {
			newest = l
			day.Newest = path.Base(l.File)
		}
	}
	return day
}

// logged has a summary that names no logs say of each plan, and of the time in all, at least what they do: logs are the record, and the
// protocol's own summary has neither to name plans nor to be written after each result.
func (d *Daily) logged(logs []*Log) {
	all := &Daily{}
	for _, l := range logs {
		all.Add(l.LogDoc)
	}
	for name, its := range all.ByPlan {
		for other := range d.ByPlan {
			if PlanKey(other) == PlanKey(name) {
				name = other
			}
		}
		if was, there := d.ByPlan[name]; there && (was.Tasks > its.Tasks || was.Tasks == its.Tasks && was.DurationMS == its.DurationMS) {
			its = was // it knows of more
		}
		if d.ByPlan == nil {
			d.ByPlan = map[string]DailyPlan{}
		}
		d.ByPlan[name] = its
	}
	if all.TotalDurationMS > d.TotalDurationMS {
		d.TotalDurationMS, d.AverageDurationMS, d.TasksWithDuration = all.TotalDurationMS, all.AverageDurationMS, all.TasksWithDuration
	}
}

// uncopied leaves out the logs of a day that are copies of one that is counted. Only those of its task and outcome are looked at.
func (pr *Project) uncopied(date string, counted []string, logs []*Log) []*Log {
	return slices.DeleteFunc(logs, func(l *Log) bool {
		stem, _ := logOrdinal(path.Base(l.File))
		for _, name := range counted {
			if other, _ := logOrdinal(name); other != stem {
				continue
			}
			for _, dir := range executions {
				file := path.Join(dir, date, name)
				if _, there := pr.Mirror.Stat(file); !there {
					continue
				}
				if r := mirror.Read(pr.Mirror, file, ParseLog); r.Value != nil && r.Value.Mark == l.Mark {
					pr.copied(l.File, file)
					return true
				}
			}
		}
		return false
	})
}

// Settled reports whether nothing has come to the logs of a day, or gone, since its summary was written: its directory is older. So
// that what is over costs no listing.
func (pr *Project) Settled(date string) bool {
	dir, there := pr.Mirror.Stat(path.Join(ExecutionsDir, date))
	for i := len(archives) - 1; i >= 0 && !there; i-- {
		dir, there = pr.Mirror.Stat(path.Join(archives[i], date))
	}
	summary, counted := pr.Mirror.Stat(SummaryOf(date))
	return there && counted && dir.ModTime.Before(summary.ModTime)
}

// LogsOf returns the logs, those in the archive too, whose names say that they are of some plans and tasks, or do not say of
// which: by the summaries where these name all, else by their directories.
func (pr *Project) LogsOf(of func(plan, task string) bool) (files []string) {
	keys := map[string]string{} // of plans, as they are written
	names := func(file string) bool {
		id, rest, ok := strings.Cut(path.Base(file), "-task-")
		number, _, more := strings.Cut(rest, "-")
		if !ok || !more || strings.Trim(id, "0123456789.-") != "" || strings.Trim(number, "0123456789") != "" {
			plan, task, ok := SplitLogName(path.Base(file))
			return !ok || of(plan, task)
		}
		key, known := keys[id]
		if !known {
			key = PlanKey(id)
			keys[id] = key
		}
		return of(key, rules.TrimZeros(number))
	}
	for _, dir := range executions {
		for _, e := range pr.List(dir) {
			if !e.Dir || Date(e.Name) != e.Name {
				continue
			}
			day := path.Join(dir, e.Name)
			var all []string
			d := pr.Summary(e.Name)
			if d != nil && d.Logs != nil && pr.Settled(e.Name) && dir == pr.home(e.Name) {
				for _, name := range d.Logs {
					all = append(all, path.Join(day, name))
				}
			} else {
				all = pr.LogsIn(day)
			}
			for _, file := range all {
				if names(file) {
					files = append(files, file)
				}
			}
		}
	}
	return files
}

// home returns where the logs that the summary of a day names are looked for: among ours that were put away, in the place of those
// at work, and last where other writers put them away.
func (pr *Project) home(date string) string {
	for _, dir := range [...]string{archivedExecutions, ExecutionsDir} {
		if _, there := pr.Mirror.Stat(path.Join(dir, date)); there {
			return dir
		}
	}
	return ArchiveDir
}

// NewestOf returns the newest log of a day, nil where none can be read.
func (pr *Project) NewestOf(d *Daily) *Log {
	var logs []*Log
	if d.Newest != "" {
		for _, dir := range executions {
			if file := path.Join(dir, d.Date, d.Newest); len(logs) == 0 {
				if _, there := pr.Mirror.Stat(file); there {
					logs = pr.ReadLogs([]string{file})
				}
			}
		}
	}
	if len(logs) == 0 {
		logs = pr.ReadLogs(append(pr.archived(d.Date), pr.LogsIn(path.Join(ExecutionsDir, d.Date))...))
	}
	if len(logs) == 0 {
		return nil
	}
	return logs[len(logs)-1]
}

// NamedLogs returns the logs that a summary names, nil where one of them can't be found or is not whole.
func (pr *Project) NamedLogs(d *Daily) (logs []*Log) {
	of := map[string]*Log{}
	for _, l := range pr.Logs {
		if dayOf(l.File) == d.Date {
			of[path.Base(l.File)] = l
		}
	}
	for _, name := range d.Logs {
		if of[name] == nil {
			return nil
		}
		logs = append(logs, of[name])
	}
	return logs
}

// names adds logs to those that are counted.
func (d *Daily) names(files []string) {
	for _, file := range files {
		if at, there := slices.BinarySearch(d.Logs, path.Base(file)); !there {
			d.Logs = slices.Insert(d.Logs, at, path.Base(file))
		}
	}
}

// Name adds a log to those that are counted, as the newest where it is.
func (d *Daily) Name(l *Log, newest *Log) {
	d.names([]string{l.File})
	if newest == nil || CompareLogs(l, newest) >= 0 {
		d.Newest = path.Base(l.File)
	}
}

// Add counts one more result.
func (d *Daily) Add(l *LogDoc) {
	timed := model.Spread{Known: d.timed(), Total: d.TotalDurationMS}
	one := model.Tally{}
	one.Add(&model.Attempt{Outcome: l.Status, Number: l.Attempt, Took: l.Took, Timed: l.Timed, Files: l.Files})
	d.TasksExecuted++
	d.TasksSucceeded += one.Succeeded
	d.TasksFailed += one.Failed
	d.TasksBlocked += one.Blocked
	d.TotalRetries += one.Retries
	d.FilesModified += one.Files
	if l.Timed {
		timed.Add(l.Took)
	}
	d.TotalDurationMS, d.AverageDurationMS, d.TasksWithDuration = timed.Total, timed.Average(), timed.Known
	d.SuccessRate = Rate((d.TasksSucceeded*20_000 + d.TasksExecuted) / (2 * d.TasksExecuted))
	if d.ByPlan == nil {
		d.ByPlan = map[string]DailyPlan{}
	}
	name := l.Plan
	for other := range d.ByPlan {
		if PlanKey(other) == PlanKey(l.Plan) {
			name = other
		}
	}
	p := d.ByPlan[name]
	p.Tasks++
	p.Succeeded += one.Succeeded
	p.Failed += one.Failed
	p.Blocked += one.Blocked
	p.DurationMS += one.Time.Total
	d.ByPlan[name] = p
}

// timed returns how many of the results have a duration; a summary in the protocol's own words says it by the average.
func (d *Daily) timed() int {
	if d.TasksWithDuration > 0 || d.TotalDurationMS <= 0 {
		return d.TasksWithDuration
	}
	if a := d.AverageDurationMS; a > 0 {
		return max(1, int((d.TotalDurationMS+a/2)/a))
	}
	return d.TasksExecuted
}

// Logged is what the days say of one plan.
type Logged struct {
	Took    model.Millis
	Results int
	Last    string // the day of the last success, "" for none
	Untimed bool   // of some of its results it may not be known how long they took
}

// LoggedPlans adds up the days by plan, see [PlanKey].
func (pr *Project) LoggedPlans() map[string]Logged {
	plans := map[string]Logged{}
	for _, d := range pr.Days {
		for name, p := range d.ByPlan {
			k := PlanKey(name)
			l := plans[k]
			l.Took += max(0, p.DurationMS)
			l.Results += p.Tasks
			l.Untimed = l.Untimed || d.timed() < d.TasksExecuted
			if p.Succeeded > 0 {
				l.Last = d.Date
			}
			plans[k] = l
		}
	}
	return plans
}

// dayOf returns the day that a log is logged under, by its directory.
func dayOf(file string) string { return Date(path.Base(path.Dir(file))) }
