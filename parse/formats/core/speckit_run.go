package core

import (
	"slices"

	"gatehouse/model/line"
	"gatehouse/parse/disk/peek"
	"gatehouse/parse/doc"
)

const specKitRuns = specKitHome + "/workflows/runs"

// run is a run of a workflow while it is read. Only its state.json decides: the log reports paused steps as completed.
type run struct {
	f        Files
	b        *Build
	id       string
	state    doc.Value
	workflow doc.Value
	results  doc.Value
	current  string // id of the current step
}

// mayWait reports whether a gate may wait in a run, by the words in its state.
func mayWait(f Files, id string) bool {
	text, err := f.Text(specKitRuns + "/" + id + "/state.json")
	return err != nil && !peek.Missing(err) || hasAny(text, "paused", "running", `\u`)
}

// readRun reads a run, nil if the directory holds none.
func readRun(f Files, id string) *Build {
	dir := specKitRuns + "/" + id
	r := &run{f: f, id: id, b: &Build{Format: SpecKit, ID: "run/" + id, Title: id, Dir: dir, File: dir + "/state.json"}}
	tree, err := f.JSON(r.b.File)
	if peek.Missing(err) {
		return nil
	}
	if r.b.reportUnread(r.b.File, err); err == nil && !tree.Root().Is(doc.Map) {
		r.b.reportUnread(r.b.File, &doc.SyntaxError{Reason: "it is no object"})
	}
	if slices.Contains(f.List(dir), "workflow.yml") {
		r.workflow, _ = r.b.readYAML(f, dir+"/workflow.yml")
	}
	r.state = tree.Root()
	r.results, r.current, r.b.Raw = r.state.Get("step_results"), r.state.Get("current_step_id").Text(), r.state.Get("status").Text()
	if title := doc.FirstText(r.workflow.Get("workflow", "name"), r.state.Get("workflow_id")); title != "" {
		r.b.Title = title
	}
	r.addSteps()
	r.setStatus()
	return r.b
}

// addSteps adds each top-level step as a phase of one task. Without a workflow.yml the steps are those with a result.
func (r *run) addSteps() {
	for step := range r.workflow.Get("steps").Elements() {
		r.addStep(step.Get("id").Text())
	}
	for result := range r.results.Members() {
		if id := result.Key(); !doc.Contains(id, ":") && r.stepNamed(id) == nil && !findStep(r.workflow.Get("steps"), id).Exists() {
			r.addStep(id)
		}
	}
	if len(r.b.Phases) == 0 && r.current != "" {
		r.addStep(r.current)
	}
	parent := r.stepNamed(r.current)
	if i, ok := r.state.Get("current_step_index").Number(); ok && parent == nil && i >= 0 && int(i) < len(r.b.Phases) {
		parent = r.b.Phases[int(i)] // the parent of a nested step; its result wrongly says completed
	}
	if parent != nil && r.b.Raw != "completed" && parent.Status == Done {
		parent.Status, parent.Count.Done, parent.Why = Active, 0, "step "+r.current+" in it is not completed"
	}
	r.b.Now = parent
}

func (r *run) stepNamed(id string) *Item {
	for _, p := range r.b.Phases {
		if p.ID == id {
			return p
		}
	}
	return nil
}

// stepWords are the words for the status of a step.
var stepWords = words{{Pending, []string{"", "pending"}}, {Done, []string{"completed"}}, {Skipped, []string{"skipped"}},
	{Active, []string{"running"}}, {Failed, []string{"failed"}}, {Blocked, []string{"paused"}}}

func (r *run) addStep(id string) {
	result := r.results.Get(id)
	p := &Item{ID: id, Title: id, Raw: result.Get("status").Text(), Count: Count{0, 1}, File: r.b.File, At: result.Offset()}
	switch p.Status = stepWords.statusOf(p.Raw); p.Status {
	case Done:
		p.Count.Done = 1
	case Skipped:
		p.Count.Total = 0
	case Failed:
		p.Why = result.Get("error").Text()
	case Blocked:
		p.Why = "the run is paused here"
	case Unknown:
		r.b.reportProblem(r.b.File, result.Get("status").Offset(), "unknown status of step "+id, "Spec Kit writes pending, running, completed, failed, skipped or paused")
	}
	r.b.Phases = append(r.b.Phases, p)
}

// findStep returns the step with an id among steps and those nested in them.
func findStep(steps doc.Value, id string) doc.Value {
	if steps.Get("id").Text() == id && id != "" {
		return steps
	}
	for child := range steps.Children() {
		if child.Is(doc.List) || child.Is(doc.Map) {
			if found := findStep(child, id); found.Exists() {
				return found
			}
		}
	}
	return doc.Value{}
}

// currentGate returns the current step if it is a gate. Loops add the name of the parent and a number to the id of a step.
func (r *run) currentGate() (g *Gate) {
	output := r.results.Get(r.current, "output")
	id := r.current
	if _, nested, ok := doc.Cut(id, ":"); ok {
		id, _, _ = doc.Cut(nested, ":")
	}
	defined := findStep(r.workflow.Get("steps"), id)
	isGate := r.results.Get(r.current, "type").Text() == "gate" || output.Get("message").Exists() && output.Get("options").Is(doc.List) ||
		defined.Get("type").Text() == "gate" || !defined.Exists() && r.isGateByLog()
	if !isGate {
		return nil
	}
	g = &Gate{Message: doc.FirstText(output.Get("message"), defined.Get("message")), File: doc.FirstText(output.Get("show_file"), defined.Get("show_file")),
		Input: defined.Get("verdict_input").Text()}
	for _, list := range [...]doc.Value{output.Get("options"), defined.Get("options")} {
		for option := range list.Elements() {
			if text := option.Scalar(); text != "" && !slices.Contains(g.Options, text) {
				g.Options = append(g.Options, text)
			}
		}
		if len(g.Options) > 0 {
			break
		}
	}
	if len(g.Options) == 0 {
		g.Options = []string{"approve", "reject"}
	}
	if g.Message == "" {
		g.Message = "step " + r.current + " asks"
	}
	return g
}

// isGateByLog reports whether the log ends with the start of a gate: its prompt is open in a terminal.
func (r *run) isGateByLog() bool {
	text, err := r.f.Text(r.b.Dir + "/log.jsonl")
	if err != nil {
		return false
	}
	for text = line.TrimSpace(text); ; {
		at := doc.LastIndex(text, "\n")
		tree, syntax := doc.ParseJSON(text[at+1:])
		if syntax == nil {
			last := tree.Root()
			return last.Get("event").Text() == "step_started" && last.Get("type").Text() == "gate"
		}
		if at < 0 {
			return false
		}
		text = text[:at]
	}
}

// setStatus derives the status of the run, its wait and the next step.
func (r *run) setStatus() {
	b, step := r.b, r.b.Now
	resume := "specify workflow resume " + r.id
	g := r.currentGate()
	isPrompt := b.Raw == "running" && !r.results.Get(r.current, "status").Exists()
	switch {
	case b.Unread != "":
	case (b.Raw == "paused" || isPrompt) && g != nil && step != nil:
		r.addGate(g, isPrompt)
		if b.Raw == "paused" {
			b.Next, b.NextWhy = resume, "the run is paused at the gate "+r.current
		}
	case b.Raw == "paused" || b.Raw == "failed":
		b.Next, b.NextWhy = resume, "the run "+b.Raw+" at "+r.current
		if b.Raw == "paused" {
			b.NextWhy = "the run was interrupted at " + r.current
		}
		if step != nil && step.Status != Failed {
			step.Status, step.Count.Done = Blocked, 0
		}
	case b.Raw == "running":
		if step != nil && step.Status == Pending {
			step.Status = Active
		}
	case b.Raw == "completed", b.Raw == "created":
	case b.Raw == "aborted":
		if step != nil {
			step.Status, step.Count.Done, step.Why = Failed, 0, "the run was aborted here"
		}
	default:
		b.reportProblem(b.File, r.state.Get("status").Offset(), "unknown status of the run", "Spec Kit writes created, running, paused, completed, failed or aborted")
	}
	if b.Raw == "failed" || b.Raw == "aborted" {
		b.Status, b.Why = Failed, "the run "+b.Raw
		if text := r.state.Get("error").Text(); text != "" {
			b.Why += ": " + text
		}
	}
	if b.Raw == "completed" && b.Unread == "" {
		b.Now = nil
	}
	b.settleStatus()
	switch {
	case b.Status == Done && b.Raw != "completed":
		b.Status, b.Why = Active, "all of its steps are completed, and the run is "+b.Raw
	case b.Raw == "running" && (b.Status == Active || b.Status == Pending):
		if b.Status, b.Why = Active, "the run says that it is running"; step != nil && step.Status == Failed {
			b.Why += ", and its step " + step.ID + " failed"
		}
	}
}

// isRunID reports whether a name can be the id of a run. Other names are not passed to a command.
func isRunID(id string) bool {
	for i := range len(id) {
		if !isAlnum(id[i]) && (i == 0 || id[i] != '-' && id[i] != '_') {
			return false
		}
	}
	return id != ""
}

// addGate makes the current step wait. Its state is never edited: the engine asks again unless its own command answers.
func (r *run) addGate(g *Gate, isPrompt bool) {
	b, step := r.b, r.b.Now
	g.Command = []string{"specify", "workflow", "resume", r.id}
	switch {
	case !isRunID(r.id):
		g.Input, g.Hint = "", "the directory of the run is not called like a run: answer with the commands of Spec Kit"
	case isPrompt:
		g.Input, g.Hint = "", "answer it in the terminal where the run is"
	case g.Input == "":
		g.Hint = "run “specify workflow resume " + r.id + "” in a terminal; the gate has no input for a verdict"
	}
	item := step.addItem(&Item{ID: r.current, Status: Waiting, Gate: g, File: b.File, At: r.state.Get("current_step_id").Offset()})
	step.Status, step.Count, step.Why = Waiting, Count{0, 1}, "its gate waits"
	b.Waits = append(b.Waits, Wait{Text: g.Message, Place: "step " + r.current, Item: item, File: b.File, At: item.At, IsGate: true})
}
