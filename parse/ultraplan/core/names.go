package core

import (
	"cmp"

	"gatehouse/parse/doc"
)

// The files and directories of a project, below its root.
const (
	Home     = ".ultraplan" // directory of ultraplan's own files
	Planning = ".planning"  // directory of the plans, shared with GSD

	StateFile   = Planning + "/STATE.md"
	OtherState  = "STATE.md" // another place where ultraplan's templates put it
	RoadmapFile = Planning + "/ROADMAP.md"
	PhasesDir   = Planning + "/phases"

	StateDir    = Home + "/state"
	ResumeFile  = StateDir + "/continue.md"
	RetriesFile = StateDir + "/retry-state.json"

	LogsDir       = Home + "/logs"
	SessionFile   = LogsDir + "/current-session.json"
	ExecutionsDir = LogsDir + "/executions"
	SummaryDir    = LogsDir + "/summary"
	ArchiveDir    = LogsDir + "/archive"
)

// LogDirs are the directories with the logs of days, the archives first: other writers archive below the first, Gatehouse below the
// second.
var LogDirs = [...]string{ArchiveDir, ArchiveDir + "/executions", ExecutionsDir}

// TrimZeros returns a number without leading zeros: "3" for "03", "2.5" for "02.5", "0" for "00".
func TrimZeros(number string) string {
	for len(number) > 1 && number[0] == '0' && number[1] >= '0' && number[1] <= '9' {
		number = number[1:]
	}
	return number
}

// CompareNumbers orders dotted numbers part by part, without leading zeros: 2, 02.5, 3, 10.
func CompareNumbers(a, b string) int {
	for {
		x, y := TrimZeros(a[:doc.CountDigits(a)]), TrimZeros(b[:doc.CountDigits(b)])
		if c := cmp.Or(cmp.Compare(len(x), len(y)), cmp.Compare(x, y)); c != 0 {
			return c
		}
		_, moreA, okA := doc.Cut(a, ".")
		_, moreB, okB := doc.Cut(b, ".")
		switch {
		case !okA && !okB:
			return 0
		case !okA:
			return -1
		case !okB:
			return 1
		}
		a, b = moreA, moreB
	}
}

// LeadingNumber returns the dotted number that text begins with, "" without one.
func LeadingNumber(text string) string {
	end := doc.CountDigits(text)
	for end > 0 && end < len(text) && text[end] == '.' {
		n := doc.CountDigits(text[end+1:])
		if n == 0 {
			break
		}
		end += 1 + n
	}
	return text[:end]
}

// wholePart returns the part of a number before the first dot.
func wholePart(number string) string { return number[:doc.CountDigits(number)] }

// SplitPlan splits the number of a plan into the phase's number and the plan's own: "02.5-01" into "02.5" and "01".
func SplitPlan(id string) (phase, plan string) {
	if i := doc.LastIndex(id, "-"); i >= 0 {
		return id[:i], id[i+1:]
	}
	return "", id
}

// PlanKey makes the names of plans comparable: "03-01" becomes "3-1". It is "" without a phase.
func PlanKey(id string) string {
	phase, number := SplitPlan(id)
	if phase == "" {
		return ""
	}
	return TrimZeros(phase) + "-" + TrimZeros(number)
}

// PlanKeyIn is [PlanKey] for a number that may lack its phase. Then it is a plan of the given phase, "03" or "03-auth".
func PlanKeyIn(id, phase string) string {
	if !doc.Contains(id, "-") {
		id = LeadingNumber(phase) + "-" + id
	}
	return PlanKey(id)
}

// PlanNumber returns the plan's number within its phase, "1" for "03-01".
func PlanNumber(id string) string {
	_, number := SplitPlan(id)
	return TrimZeros(number)
}

// comparePlans orders plans by the numbers of their phases, then by their own numbers, then by spelling.
func comparePlans(a, b string) int {
	phaseA, planA := SplitPlan(a)
	phaseB, planB := SplitPlan(b)
	return cmp.Or(CompareNumbers(phaseA, phaseB), CompareNumbers(planA, planB), cmp.Compare(a, b))
}

// PlanAt returns the number of a plan that text begins with, "03-02"; "" without one.
func PlanAt(text string) string {
	phase := LeadingNumber(text)
	if phase == "" || len(phase) == len(text) || text[len(phase)] != '-' {
		return ""
	}
	plan := LeadingNumber(text[len(phase)+1:])
	if plan == "" {
		return ""
	}
	return text[:len(phase)+1+len(plan)]
}

// ParsePhaseDir splits the name of a phase's directory, "02.5-tasks-api". The number needs no leading zero.
func ParsePhaseDir(name string) (number, slug string, ok bool) {
	number = LeadingNumber(name)
	if number == "" || len(number)+1 >= len(name) || name[len(number)] != '-' {
		return "", "", false
	}
	return number, name[len(number)+1:], true
}

// ParsePlanFile returns the plan of a plan or summary file in a phase's directory, "03-02" for "03-02-PLAN.md" and "03-02-SUMMARY.md".
func ParsePlanFile(name string) (id string, isSummary, ok bool) {
	id = PlanAt(name)
	switch end := name[len(id):]; {
	case id == "":
		return "", false, false
	case end == "-PLAN.md", end == "-SUMMARY.md":
		return id, end == "-SUMMARY.md", true
	}
	return "", false, false
}

// TaskKey identifies a task. It is the same for all spellings that agents use.
type TaskKey struct {
	Plan string // see [PlanKey]; "" if it is not named
	Task string // its number without leading zeros; "" if it is not named
}

// ParseTaskKey parses "03-01:task-3", "03-01-task-3", "03-01/3", "03-01:3", "06-01-01", "03-01" and "3". It returns the zero key for
// other texts.
func ParseTaskKey(text string) (k TaskKey) {
	text = doc.Trim(text)
	plan := PlanAt(text)
	if plan == "" {
		if n := LeadingNumber(text); n == text {
			k.Task = TrimZeros(n)
		}
		return k
	}
	rest := text[len(plan):]
	if rest == "" {
		return TaskKey{Plan: PlanKey(plan)}
	}
	if !doc.Contains(":-/", rest[:1]) {
		return TaskKey{}
	}
	rest = rest[1:]
	named := doc.HasPrefix(rest, "task-")
	if named {
		rest = rest[len("task-"):]
	}
	n := LeadingNumber(rest)
	if n == "" || !named && n != rest {
		return TaskKey{}
	}
	return TaskKey{Plan: PlanKey(plan), Task: TrimZeros(n)}
}

// LogName is the name of a log, "03-01-task-02-failure-2.yaml".
type LogName struct {
	TaskKey
	Status string
}

// ParseLogName splits the name of a log.
func ParseLogName(name string) (n LogName, ok bool) {
	stem := logStem(name)
	plan, rest, ok := doc.Cut(stem, "-task-")
	task := LeadingNumber(rest)
	if !ok || stem == name || PlanAt(plan) != plan || task == "" || !doc.HasPrefix(rest[len(task):], "-") {
		return n, false
	}
	n = LogName{TaskKey: TaskKey{PlanKey(plan), TrimZeros(task)}, Status: rest[len(task)+1:]}
	n.Status, _, _ = doc.Cut(n.Status, "-")
	return n, true
}

// logStem returns the name of a log without its extension, and other names unchanged.
func logStem(name string) string {
	for _, ending := range [...]string{".yaml", ".yml"} {
		if doc.HasSuffix(name, ending) && len(name) > len(ending) {
			return name[:len(name)-len(ending)]
		}
	}
	return name
}

// IsLogFile reports whether a file among the logs of a day can be a log.
func IsLogFile(name string) bool { return name != "" && name[0] != '.' && logStem(name) != name }

// BaseName returns the last part of a path.
func BaseName(file string) string { return file[doc.LastIndex(file, "/")+1:] }

// dirName returns the path without its last part.
func dirName(file string) string { return file[:max(0, doc.LastIndex(file, "/"))] }

// MaxCount is the largest accepted number of attempts and similar counts.
const MaxCount = 1 << 20

// ParseCount parses a number of decimal digits; it returns 0 for anything else and for numbers above [MaxCount].
func ParseCount(digits string) (n int) {
	if digits == "" || len(digits) > 7 || doc.CountDigits(digits) < len(digits) {
		return 0
	}
	for i := range len(digits) {
		n = 10*n + int(digits[i]-'0')
	}
	if n > MaxCount {
		return 0
	}
	return n
}
