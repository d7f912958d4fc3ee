package core

import (
	"slices"

	"gatehouse/parse/disk/peek"
	"gatehouse/parse/doc"
)

// TaskMaster is the name of task-master: lists of tasks by tags in tasks.json.
const TaskMaster = "taskmaster"

const (
	taskMasterFile = ".taskmaster/tasks/tasks.json"
	oldTasksFile   = "tasks/tasks.json" // of versions before 0.16
)

// ReadTaskMaster reads each tag as a build, in the order of the file.
func ReadTaskMaster(f Files) (builds []*Build) {
	file := taskMasterFile
	tree, err := f.JSON(file)
	if peek.Missing(err) {
		file = oldTasksFile
		if tree, err = f.JSON(file); err != nil || !isTaskList(tree.Root()) {
			return nil
		}
	}
	root := tree.Root()
	if err != nil || !root.Is(doc.Map) {
		b := &Build{Format: TaskMaster, Dir: parentOf(file), File: file}
		if b.reportUnread(file, err); err == nil {
			b.reportUnread(file, &doc.SyntaxError{Reason: "it is no object"})
		}
		b.settleStatus()
		return []*Build{b}
	}
	current := currentTag(f)
	add := func(tag string, list doc.Value) {
		b := &Build{Format: TaskMaster, ID: tag, Title: tag, Dir: parentOf(file), File: file, Selected: tag == current}
		readTag(b, list)
		builds = append(builds, b)
	}
	if list := root.Get("tasks"); list.Is(doc.List) {
		add("master", list)
	}
	hasCurrent := root.Get(current, "tasks").Is(doc.List)
	for tag := range root.Members() {
		if list := tag.Get("tasks"); list.Is(doc.List) && (tag.Key() == current || !hasCurrent || f.WantsWaits()) {
			add(tag.Key(), list)
		}
	}
	if len(builds) == 0 {
		b := &Build{Format: TaskMaster, Dir: parentOf(file), File: file, Unread: "tasks.json has no list of tasks"}
		b.reportProblem(file, 0, "it has no list of tasks", "task-master keeps one per tag: {\"master\": {\"tasks\": []}}")
		b.settleStatus()
		builds = append(builds, b)
	}
	if len(builds) == 1 && builds[0].ID == "master" {
		builds[0].ID, builds[0].Title = "", ""
	}
	return builds
}

// isTaskList reports whether a tasks.json outside of .taskmaster is one of task-master.
func isTaskList(root doc.Value) bool {
	list := root.Get("tasks")
	if !list.Is(doc.List) {
		list = root.Get("master", "tasks")
	}
	for task := range list.Elements() {
		return task.Get("id").Exists() && task.Get("title").Exists() && task.Get("status").Exists()
	}
	return false
}

// currentTag returns the tag that is worked on.
func currentTag(f Files) string {
	for _, at := range [...][]string{{".taskmaster/state.json", "currentTag"}, {".taskmaster/config.json", "global", "defaultTag"}} {
		if tree, err := f.JSON(at[0]); err == nil {
			if tag := tree.Root().Get(at[1:]...).Text(); tag != "" {
				return tag
			}
		}
	}
	return "master"
}

// tmTask is a task or a subtask.
type tmTask struct {
	*Item
	value    doc.Value
	parent   *tmTask
	word     string
	needs    []string // full ids
	priority int
	subtasks []*tmTask
}

// canStart reports whether "task-master next" offers a task with this status.
func (t *tmTask) canStart() bool {
	return t.Status == Active || t.Status == Pending && t.word != "deferred"
}

// taskWords are the words for the status of a task.
var taskWords = words{{Done, []string{"done", "completed"}}, {Skipped, []string{"cancelled"}}, {Active, []string{"in-progress"}},
	{Waiting, []string{"review"}}, {Blocked, []string{"blocked"}}, {Pending, []string{"deferred", "pending", "todo", ""}}}

// tagReader reads one tag.
type tagReader struct {
	b     *Build
	tasks []*tmTask
	byID  map[string]*tmTask
}

func readTag(b *Build, list doc.Value) {
	r := &tagReader{b: b, byID: map[string]*tmTask{}}
	for v := range list.Elements() {
		r.addTask(v)
	}
	for _, t := range r.tasks {
		r.resolveNeeds(t)
		for _, sub := range t.subtasks {
			r.resolveNeeds(sub)
		}
		r.settleTask(t)
	}
	b.Count = Count{}
	for _, p := range b.Phases {
		b.Count.Total++
		if p.Status.IsClosed() {
			b.Count.Done++
		}
	}
	r.setNext()
	b.setStatus()
}

func (r *tagReader) read(v doc.Value, parent *tmTask) *tmTask {
	t := &tmTask{value: v, parent: parent, Item: &Item{ID: v.Get("id").Scalar(), Title: v.Get("title").Scalar(), Raw: v.Get("status").Scalar(), File: r.b.File, At: v.Offset()}}
	if parent != nil && !doc.Contains(t.ID, ".") {
		t.ID = parent.ID + "." + t.ID
	}
	t.word = normalizeWord(t.Raw)
	if t.Status = taskWords.statusOf(t.word); t.word == "deferred" {
		t.Why = "deferred"
	}
	if raw := v.Get("status"); t.Status == Unknown || t.word == "" && !raw.IsEmpty() && !raw.Is(doc.String) {
		t.Status, t.Why = Unknown, "unknown status"
		r.b.reportProblem(t.File, raw.Offset(), "unknown status of task "+t.ID, "task-master writes pending, in-progress, done, review, deferred, cancelled or blocked")
	} else if t.word != t.Raw {
		r.b.reportProblem(t.File, raw.Offset(), "task-master refuses the spelling of the status of task "+t.ID, "write "+t.word)
	}
	priority := v.Get("priority").Text()
	if priority == "" && parent != nil {
		priority = parent.value.Get("priority").Text()
	}
	if t.priority = slices.Index([]string{"low", "medium", "high", "critical"}, priority); t.priority < 0 {
		t.priority = 1
	}
	if r.byID[t.ID] != nil {
		r.b.reportProblem(t.File, t.At, "the id "+t.ID+" appears twice", "give each task an id of its own")
	} else {
		r.byID[t.ID] = t
	}
	return t
}

func (r *tagReader) addTask(v doc.Value) {
	if !v.Is(doc.Map) {
		r.b.reportProblem(r.b.File, v.Offset(), "an entry is no task", "write an object with id, title and status")
		r.b.Phases = append(r.b.Phases, &Item{Title: "unreadable entry", Status: Unknown, File: r.b.File, At: v.Offset()})
		return
	}
	t := r.read(v, nil)
	r.tasks = append(r.tasks, t)
	r.b.Phases = append(r.b.Phases, t.Item)
	for sub := range v.Get("subtasks").Elements() {
		s := r.read(sub, t)
		t.subtasks = append(t.subtasks, s)
		t.addItem(s.Item)
		t.Count.Total++
		if s.Status.IsClosed() {
			t.Count.Done++
		}
	}
}

// resolveNeeds reads the dependencies. A subtask names its siblings by number or by their full id.
func (r *tagReader) resolveNeeds(t *tmTask) {
	for v := range t.value.Get("dependencies").Elements() {
		id := v.Scalar()
		if t.parent != nil && !doc.Contains(id, ".") {
			if sibling := t.parent.ID + "." + id; r.byID[sibling] != nil || r.byID[id] == nil {
				id = sibling
			}
		}
		t.needs = append(t.needs, id)
		if r.byID[id] != nil {
			t.DependsOn = append(t.DependsOn, id)
		} else {
			r.b.reportProblem(t.File, v.Offset(), "task "+t.ID+" depends on "+id+", which this tag does not have", "correct it: task-master validate-dependencies")
		}
	}
}

// firstUnmet returns the first dependency that keeps a task from starting, "" without one. Work that was cancelled satisfies nothing.
func (r *tagReader) firstUnmet(t *tmTask) string {
	for _, id := range t.needs {
		if need := r.byID[id]; need == nil || need.Status != Done {
			return id
		}
	}
	return ""
}

// settleTask adds the waits of a task.
func (r *tagReader) settleTask(t *tmTask) {
	ask := func(t *tmTask) {
		switch t.Status {
		case Waiting:
			r.b.askFor(t.Item, "task "+t.ID, "review "+t.Name()+", then task-master set-status --id="+t.ID+" --status=done")
		case Blocked:
			r.b.askFor(t.Item, "task "+t.ID, t.Name()+" is blocked: remove the cause, then task-master set-status --id="+t.ID+" --status=pending")
		}
	}
	ask(t)
	if t.Status.IsClosed() {
		if t.Count.Done < t.Count.Total && t.Status == Done {
			r.b.Claims = append(r.b.Claims, Claim{"task " + t.ID + " is done", t.Count.describeOpen("subtasks"), t.File, t.At})
		}
		return
	}
	for _, sub := range t.subtasks {
		ask(sub)
	}
}

// setNext finds the next task as "task-master next" does: a subtask of a task in progress, else a task, by priority, number of
// dependencies and id.
func (r *tagReader) setNext() {
	b := r.b
	var best *tmTask
	offer := func(t *tmTask) {
		if t.canStart() && r.firstUnmet(t) == "" && (best == nil || t.comesBefore(best)) {
			best = t
		}
	}
	var active, activeSub, strayed *tmTask // strayed: a subtask in progress whose task was not started
	for _, t := range r.tasks {
		if t.Status != Active {
			for _, sub := range t.subtasks {
				if sub.Status == Active && strayed == nil && !t.Status.IsClosed() {
					strayed = sub
				}
			}
			continue
		}
		if active == nil || compareKeys(t.ID, active.ID) < 0 {
			active = t
		}
		for _, sub := range t.subtasks {
			if offer(sub); sub.Status == Active && activeSub == nil {
				activeSub = sub
			}
		}
	}
	if best == nil {
		for _, t := range r.tasks {
			offer(t)
		}
	}
	switch {
	case activeSub != nil:
		b.Now = activeSub.Item
	case best != nil && best.parent != nil:
		b.Now = best.parent.Item
	case active != nil:
		b.Now = active.Item
	case strayed != nil:
		b.Now = strayed.Item
	}
	if best != nil {
		b.Next, b.NextWhy, b.NextItem = "task-master show "+best.ID, best.Name()+" can start", best.Item
		if best.Status == Active {
			b.NextWhy = best.Name() + " is in progress"
		}
		return
	}
	for _, t := range r.tasks {
		if need := r.firstUnmet(t); t.canStart() && need != "" && len(b.Waits) == 0 {
			state := "does not exist"
			if other := r.byID[need]; other != nil {
				state = "is " + other.Raw
			}
			b.Waits = append(b.Waits, Wait{Text: "nothing can start: change a dependency; task " + t.ID + " depends on " + need + ", which " + state,
				Place: b.ID, Item: t.Item, File: t.File, At: t.At, IsGate: true})
			return
		}
	}
}

func (t *tmTask) comesBefore(other *tmTask) bool {
	switch {
	case t.priority != other.priority:
		return t.priority > other.priority
	case len(t.needs) != len(other.needs):
		return len(t.needs) < len(other.needs)
	}
	return compareKeys(t.ID, other.ID) < 0
}
