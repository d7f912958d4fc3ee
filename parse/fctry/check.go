package fctry

import (
	"fmt"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"time"

	"gatehouse/model"
	"gatehouse/model/line"
	"gatehouse/parse/disk/mirror"
	"gatehouse/parse/doc"
	"gatehouse/parse/fctry/core"
	"gatehouse/parse/protocol"
)

// Check returns every rule that the files of the build break, in the order of files and places, with the problems of [Reader.Read].
func (r *Reader) Check(now time.Time) []model.Problem {
	v := r.open(now)
	k := &checker{Check: protocol.NewCheck(v.b), view: v, file: v.state}
	if v.read.Value != nil {
		k.checkDuplicates()
		k.schema().CheckObject(v.Root, "", stateFields)
		k.checkState()
		k.checkRun()
	}
	if k.file = v.config; v.config.Root.Exists() {
		k.checkDuplicates()
		k.schema().CheckObject(v.config.Root, "", configFields)
	}
	if read := mirror.Read(v.m, inboxFile, parseInbox); read.Value != nil {
		k.file = read.Value.document
		k.checkDuplicates()
		k.checkInbox()
	}
	return k.End("make the two agree")
}

// checker collects the problems of one file after the other.
type checker struct {
	*protocol.Check
	*view
	file *document
}

func (k *checker) report(at doc.Value, s model.Severity, rule, text, fix string) {
	k.Report(k.file.Pos(at.Offset()), s, rule, text, fix)
}

// schema returns the checker of fields.
func (k *checker) schema() protocol.Schema {
	return protocol.Schema{Report: func(at doc.Value, s model.Severity, rule, text, fix string) {
		k.report(at, s, "fctry-"+rule, text, fix)
	}}
}

// checkDuplicates reports keys that an object has twice.
func (k *checker) checkDuplicates() {
	for _, p := range k.file.Problems {
		k.Report(k.file.Pos(p.At), model.Error, "fctry-duplicate-key", p.Text, p.Fix)
	}
}

const (
	changeFix = "an entry is {file, section, sectionNumber, timestamp}"
	chunkFix  = "write planned, active, retrying, completed or failed"
	eventFix  = "an event is {kind, chunk, timestamp, summary}"
	checkFix  = "a check is {name, result}"
	itemFix   = "an item is {id, type, content, timestamp, status}"
	plannedAt = "the executor writes it when the plan is approved"
	runID     = "run-1708012345678"
	itemID    = "inbox-1708012345678-a1b2c3"
)

// The fields of the files, with the words that the specification and its successors have.
var (
	stateFields = []protocol.Member{
		{Key: "activeSection"}, {Key: "activeSectionNumber"}, {Key: "nextStep"}, {Key: "specVersion"}, {Key: "lastUpdated", Form: protocol.FormTime},
		{Key: "currentCommand", Form: protocol.FormWord, Words: core.Commands}, {Key: "workflowStep", Form: protocol.FormWord, Words: stepWords()}, {Key: "completedSteps", Form: protocol.FormTexts, Words: stepWords()},
		{Key: "scenarioScore", Form: protocol.FormObject, Members: []protocol.Member{
			{Key: "satisfied", Form: protocol.FormCount, Required: "write both satisfied and total", IsVital: true}, {Key: "total", Form: protocol.FormCount, Required: "write both satisfied and total", IsVital: true}}},
		{Key: "readinessSummary", Form: protocol.FormObject},
		{Key: "untrackedChanges", Form: protocol.FormObjects, Members: []protocol.Member{
			{Key: "file", Required: changeFix, IsVital: true}, {Key: "section", Required: changeFix, IsVital: true}, {Key: "sectionNumber", Required: changeFix, IsVital: true}, {Key: "timestamp", Form: protocol.FormTime, Required: changeFix, IsVital: true}}},
		{Key: "agentOutputs", Form: protocol.FormObject},
		{Key: "buildRun", Form: protocol.FormObject, Members: []protocol.Member{
			{Key: "runId", Required: "write one like " + runID, Shape: regexp.MustCompile(`^run-\d+$`), Example: runID},
			{Key: "status", Form: protocol.FormWord, Words: []string{core.Running, core.Completed, core.Partial}, Required: runWordsFix, IsVital: true},
			{Key: "startedAt", Form: protocol.FormTime, Required: plannedAt}, {Key: "lastCheckpoint", Form: protocol.FormTime}, {Key: "convergencePhase"}, {Key: "chunks", Form: protocol.FormObjects},
			{Key: "plan", Form: protocol.FormObject, Required: plannedAt, Members: []protocol.Member{
				{Key: "totalChunks", Form: protocol.FormCount, Required: plannedAt}, {Key: "priorities", Form: protocol.FormTexts}, {Key: "specVersion"},
				{Key: "prioritySource", Form: protocol.FormWord, Words: []string{"global", "project", "user-prompt"}}}}}},
		{Key: "buildEvents", Form: protocol.FormObjects},
	}
	progressFields = []protocol.Member{{Key: "current", Form: protocol.FormCount, Required: "write both current and total", IsVital: true}, {Key: "total", Form: protocol.FormCount, Required: "write both current and total", IsVital: true}}
	outputFields   = []protocol.Member{{Key: "summary", Required: "leave a paragraph on what the agent found"}, {Key: "relevanceManifest", Form: protocol.FormTexts}}
	chunkFields    = []protocol.Member{
		{Key: "id", Form: protocol.FormCount, Required: "number the chunks from 1", IsVital: true}, {Key: "name", Required: "say in a few words what it builds", IsVital: true},
		{Key: "status", Form: protocol.FormWord, Words: []string{"planned", "active", "retrying", "completed", "failed"}, Required: chunkFix, IsVital: true},
		{Key: "sections", Form: protocol.FormTexts}, {Key: "scenarios", Form: protocol.FormTexts}, {Key: "dependsOn", Form: protocol.FormList}, {Key: "specVersionAtBuild"}, {Key: "attempt", Form: protocol.FormCount},
		{Key: "startedAt", Form: protocol.FormTime}, {Key: "completedAt", Form: protocol.FormTime}, {Key: "failedAt", Form: protocol.FormTime},
	}
	eventFields = []protocol.Member{
		{Key: "kind", Required: eventFix, IsVital: true}, {Key: "chunk"}, {Key: "summary"}, {Key: "timestamp", Form: protocol.FormTime, Required: eventFix},
	}
	contextFields      = []protocol.Member{{Key: "summary", Required: eventFix}}
	verificationFields = []protocol.Member{
		{Key: "chunk", Required: eventFix}, {Key: "summary", Required: eventFix}, {Key: "screenshot"},
		{Key: "mode", Form: protocol.FormWord, Words: []string{"full", "reduced", "minimal"}, Required: eventFix},
		{Key: "checks", Form: protocol.FormObjects, Members: []protocol.Member{
			{Key: "name", Required: checkFix}, {Key: "result", Form: protocol.FormWord, Words: []string{"pass", "fail"}, Required: checkFix}, {Key: "retried", Form: protocol.FormFlag}}},
	}
	itemFields = []protocol.Member{
		{Key: "id", Shape: regexp.MustCompile(`^(inbox-\d+-[0-9a-z]+|discover-\d+-\d+)$`), Example: itemID},
		{Key: "content", Required: itemFix, IsVital: true},
		{Key: "type", Form: protocol.FormWord, Words: ItemTypes, Required: itemFix, IsVital: true}, {Key: "timestamp", Form: protocol.FormTime, Required: itemFix, IsVital: true},
		{Key: "status", Form: protocol.FormWord, Words: []string{pending, "processing", "processed", "error"}, Required: itemFix, IsVital: true},
	}
	versionFields = []protocol.Member{{Key: "current"}}
	configFields  = []protocol.Member{{Key: "versions", Form: protocol.FormObject, Members: []protocol.Member{{Key: "spec", Form: protocol.FormObject, Members: versionFields}, {Key: "external", Form: protocol.FormObject, Members: versionFields}}}}
)

func stepWords() (all []string) {
	for _, s := range core.Steps {
		all = append(all, s.Name)
	}
	return all
}

// rule is a rule between the fields of the files, which a value may break.
type rule struct {
	isBroken      bool
	at            doc.Value
	severity      model.Severity
	id, text, fix string
}

func (k *checker) reportRules(rules ...rule) {
	for _, r := range rules {
		if r.isBroken {
			k.report(r.at, r.severity, r.id, r.text, r.fix)
		}
	}
}

// checkState checks the rules between the fields of a state.
func (k *checker) checkState() {
	root, updated := k.Root, k.Root.Get("lastUpdated")
	section, number, step := root.Get("activeSection"), root.Get("activeSectionNumber"), root.Get("workflowStep")
	copied, now := root.Get("specVersion"), textOf(k.Config.Get("versions", "spec", "current"))
	k.reportRules([]rule{
		{!section.IsEmpty() && number.IsEmpty(), section, model.Warning, "fctry-section-pair",
			"activeSection is set without activeSectionNumber", "set and clear them together"},
		{!number.IsEmpty() && section.IsEmpty(), number, model.Warning, "fctry-section-pair",
			"activeSectionNumber is set without activeSection", "set and clear them together"},
		{textOf(copied) != "" && now != "" && textOf(copied) != now, copied, model.Warning, "fctry-spec-version",
			fmt.Sprintf("specVersion is %q, but config.json has %q", textOf(copied), now), "config.json is the source of truth; copy its value"},
		{root.Len() > 0 && updated.IsEmpty(), root, model.Warning, "fctry-last-updated", "lastUpdated is missing", "every writer sets it"},
		{timeOf(updated).After(k.now.Add(time.Minute)), updated, model.Warning, "fctry-time",
			"lastUpdated is in the future", "write the time of the write, in UTC"},
		{textOf(step) != "" && slices.Contains(textsOf(root.Get("completedSteps")), textOf(step)), step, model.Warning, "fctry-step",
			"workflowStep is " + textOf(step) + ", which completedSteps has, too", "clear it when the step is completed"},
		totalRule(root.Get("scenarioScore"), "scenarioScore", "satisfied"),
	}...)
	if progress := root.Get("chunkProgress"); progress.Get("chunks").IsEmpty() && k.schema().CheckKind(progress, doc.Map, "chunkProgress") {
		k.schema().CheckObject(progress, "chunkProgress", progressFields)
		k.reportRules(totalRule(progress, "chunkProgress", "current"))
	}
	for member := range root.Get("readinessSummary").Members() {
		if name := "readinessSummary." + line.Tidy(member.Key()); k.schema().CheckKind(member, doc.Number, name) {
			k.schema().CheckValue(member, name, &protocol.Member{Form: protocol.FormCount})
		}
	}
	for output := range root.Get("agentOutputs").Members() {
		if name := "agentOutputs." + line.Tidy(output.Key()); k.schema().CheckKind(output, doc.Map, name) {
			k.schema().CheckObject(output, name, outputFields)
		}
	}
	i := 0
	for event := range root.Get("buildEvents").Elements() {
		if event.Is(doc.Map) {
			k.checkEvent(event, fmt.Sprintf("buildEvents[%d]", i))
		}
		i++
	}
	for _, s := range k.workflowSteps() {
		k.reportRules(rule{len(s.missing) > 0, s.at, model.Warning, "fctry-prerequisite",
			s.name + " has begun without " + s.missingText() + " (skipped?)", s.optionsText()})
	}
}

// totalRule is the rule that a part can't be more than the total.
func totalRule(o doc.Value, name, part string) rule {
	n, ok := core.Count(o.Get(part))
	total, isKnown := core.Count(o.Get("total"))
	text := fmt.Sprintf("%s.%s is %d of %d", name, part, n, total)
	return rule{ok && isKnown && n > total, o.Get(part), model.Error, "fctry-over", text, "it can't be more than the total"}
}

// checkEvent checks an event recorded by an agent.
func (k *checker) checkEvent(event doc.Value, name string) {
	k.schema().CheckObject(event, name, eventFields)
	switch textOf(event.Get("kind")) {
	case chunkVerified, verificationFailed:
		k.schema().CheckObject(event, name, verificationFields)
	case contextCheckpointed, contextBoundary, contextCompacted:
		k.schema().CheckObject(event, name, contextFields)
	}
}

// checkInbox checks the items of the inbox.
func (k *checker) checkInbox() {
	seen, i := map[string]bool{}, 0
	for v := range k.file.Root.Children() {
		i++
		name, id := "item "+strconv.Itoa(i), textOf(v.Get("id"))
		k.reportRules(rule{!v.Is(doc.Map), v, model.Error, "fctry-inbox", name + " is " + v.Kind().String(), "remove it: it may keep others from being read"},
			rule{v.Is(doc.Map) && (id == "" || seen[id]), v, model.Error, "fctry-inbox", name + " has no id of its own", "write one like " + itemID})
		if seen[id] = true; v.Is(doc.Map) {
			k.schema().CheckObject(v, name, itemFields)
		}
	}
}

// checkRun checks the rules of the run and its chunks.
func (k *checker) checkRun() {
	run, r := k.Run.Value, &k.Run
	if !run.Is(doc.Map) {
		return
	}
	var last time.Time
	for i := range r.Chunks {
		k.checkChunk(i)
		if at := timeOf(r.Chunks[i].Value.Get("completedAt")); at.After(last) {
			last = at
		}
	}
	progress, checkpoint := k.Root.Get("chunkProgress"), run.Get("lastCheckpoint")
	counted, ok := core.ParseProgress(progress)
	isCounted := ok && counted.HasCurrent && len(r.Chunks) > 0 && r.Status != core.Completed
	isBusy := counted.Current > 0 && counted.Current <= len(r.Chunks) && r.Chunks[counted.Current-1].State.IsBusy()
	const fix = "derive it from the chunks"
	k.reportRules([]rule{
		{len(r.Chunks) == 0, run, model.Warning, "fctry-field", "buildRun has no chunks", plannedAt},
		{r.Status == core.Completed, run.Get("status"), model.Warning, "fctry-clear",
			"the build is completed, but buildRun is still there", "set it to null once the result has been seen"},
		{isCounted && counted.Total != len(r.Chunks), progress.Get("total"), model.Warning, "fctry-progress",
			fmt.Sprintf("chunkProgress.total is %d, but the run has %d chunks", counted.Total, len(r.Chunks)), fix},
		{isCounted && counted.Current != r.Done && counted.Current != r.Done+1 && !isBusy, progress.Get("current"), model.Warning, "fctry-progress",
			fmt.Sprintf("chunkProgress.current is %d, but %d chunks of the run are done", counted.Current, r.Done), fix},
		{timeOf(checkpoint).Before(last) && !timeOf(checkpoint).IsZero(), checkpoint, model.Warning, "fctry-time",
			"buildRun.lastCheckpoint is before the last chunk was completed", "write it after each chunk"},
	}...)
}

// required are the fields that a status of a chunk requires.
var required = []struct{ status, key string }{
	{"completed", "completedAt"}, {"completed", "specVersionAtBuild"}, {"failed", "failedAt"}, {"active", "attempt"}, {"retrying", "attempt"},
}

// checkChunk checks a chunk.
func (k *checker) checkChunk(i int) {
	c := &k.Run.Chunks[i]
	o, name := c.Value, "chunk "+line.Tidy(c.ID)
	k.schema().CheckObject(o, name, chunkFields)
	for _, need := range required {
		k.reportRules(rule{c.Status == need.status && o.Get(need.key).IsEmpty(), o, model.Warning, "fctry-field",
			name + " is " + need.status + " and has no " + need.key, "write it with the status"})
	}
	started, n := timeOf(o.Get("startedAt")), 0
	for _, key := range [...]string{"completedAt", "failedAt"} {
		ended := timeOf(o.Get(key))
		k.reportRules(rule{ended.Before(started) && !ended.IsZero(), o.Get(key), model.Warning, "fctry-time",
			name + ": " + key + " is before startedAt", "correct one of the times"})
	}
	for need := range o.Get("dependsOn").Elements() {
		k.schema().CheckElement(need, doc.Number, fmt.Sprintf("%s: dependsOn[%d]", name, n))
		n++
	}
	var open, unknown []string
	for _, need := range c.Unmet {
		if need.Place < 0 {
			unknown = append(unknown, line.Tidy(need.ID))
		} else {
			open = append(open, line.Tidy(need.ID))
		}
	}
	if len(unknown) > 0 { // once, if the build has reported it as well
		k.Problems = append(k.Problems, k.unknownNeeds(c, unknown))
	}
	k.reportRules(
		rule{k.Run.PlaceOf(c.ID) != i, o, model.Error, "fctry-chunk-id", name + " is listed twice", "give each chunk a number of its own; the first one counts"},
		rule{len(open) > 0 && (c.State.IsOver() || c.State.IsBusy()), o, model.Warning, "fctry-order",
			name + " has begun before " + strings.Join(open, ", ") + ", which it depends on", "remove the dependency, or see what was built too early"},
		rule{c.ClosesCircle, o, model.Warning, "fctry-cycle", name + " needs itself, through " + strings.Join(open, ", "), "remove one of the dependencies"})
}
