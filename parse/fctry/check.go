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

func (k *checker) addWarning(at doc.Value, rule, text, fix string) {
	k.report(at, model.Warning, rule, text, fix)
}

func (k *checker) addError(at doc.Value, rule, text, fix string) {
	k.report(at, model.Error, rule, text, fix)
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
	outputFields   = []protocol.Member{{Key: "summary"}, {Key: "relevanceManifest", Form: protocol.FormTexts}}
	chunkFields    = []protocol.Member{
		{Key: "id", Form: protocol.FormCount, Required: "number the chunks from 1", IsVital: true}, {Key: "name", Required: "say in a few words what it builds", IsVital: true},
		{Key: "status", Form: protocol.FormWord, Words: []string{"planned", "active", "retrying", "completed", "failed"}, Required: chunkFix, IsVital: true},
		{Key: "sections", Form: protocol.FormTexts}, {Key: "scenarios", Form: protocol.FormTexts}, {Key: "dependsOn", Form: protocol.FormList}, {Key: "specVersionAtBuild"}, {Key: "attempt", Form: protocol.FormCount},
		{Key: "startedAt", Form: protocol.FormTime}, {Key: "completedAt", Form: protocol.FormTime}, {Key: "failedAt", Form: protocol.FormTime},
	}
	eventFields        = []protocol.Member{{Key: "kind"}, {Key: "chunk"}, {Key: "summary"}, {Key: "timestamp", Form: protocol.FormTime}}
	verificationFields = []protocol.Member{
		{Key: "screenshot"}, {Key: "mode", Form: protocol.FormWord, Words: []string{"full", "reduced", "minimal"}},
		{Key: "checks", Form: protocol.FormObjects, Members: []protocol.Member{
			{Key: "name", Required: checkFix}, {Key: "result", Form: protocol.FormWord, Words: []string{"pass", "fail"}, Required: checkFix}, {Key: "retried", Form: protocol.FormFlag}}},
	}
	itemFields = []protocol.Member{
		{Key: "id", Shape: regexp.MustCompile(`^(inbox-\d+-[0-9a-z]+|discover-\d+-\d+)$`), Example: itemID}, {Key: "content"},
		{Key: "type", Form: protocol.FormWord, Words: ItemTypes, Required: itemFix, IsVital: true}, {Key: "timestamp", Form: protocol.FormTime, Required: itemFix, IsVital: true},
		{Key: "status", Form: protocol.FormWord, Words: []string{pending, "processing", "processed", "error"}, Required: itemFix, IsVital: true},
	}
	versionFields = []protocol.Member{{Key: "current"}}
	configFields  = []protocol.Member{{Key: "versions", Form: protocol.FormObject, Members: []protocol.Member{{Key: "spec", Form: protocol.FormObject, Members: versionFields}, {Key: "external", Form: protocol.FormObject, Members: versionFields}}}}
	// readinessWords are the words from the specification and its successors.
	readinessWords = []string{"aligned", "spec-ahead", "draft", "needs-spec-update", "undocumented", "ready-to-build", "ready-to-execute", "satisfied", "deferred", "partial"}
)

func stepWords() (all []string) {
	for _, s := range core.Steps {
		all = append(all, s.Name)
	}
	return all
}

// checkState checks the rules between the fields of a state.
func (k *checker) checkState() {
	root := k.Root
	for _, pair := range [...][2]string{{"activeSection", "activeSectionNumber"}, {"activeSectionNumber", "activeSection"}} {
		if v := root.Get(pair[0]); !v.IsEmpty() && root.Get(pair[1]).IsEmpty() {
			k.addWarning(v, "fctry-section-pair", pair[0]+" is set without "+pair[1], "set and clear them together")
		}
	}
	k.checkSection(root.Get("activeSection"), "activeSection")
	k.checkTotal(root.Get("scenarioScore"), "scenarioScore", "satisfied")
	if progress := root.Get("chunkProgress"); progress.Get("chunks").IsEmpty() && k.schema().CheckKind(progress, doc.Map, "chunkProgress") {
		k.schema().CheckObject(progress, "chunkProgress", progressFields)
		k.checkTotal(progress, "chunkProgress", "current")
	}
	k.checkQuestion(root, "")
	if beside := root.Get("pendingQuestion"); core.ParseQuestion(beside).Text != "" {
		k.addWarning(beside, "fctry-place", "pendingQuestion is beside buildRun", "write it into the run, as buildRun.pendingQuestion")
	}
	for member := range root.Get("readinessSummary").Members() {
		name := "readinessSummary." + line.Tidy(member.Key())
		if !slices.Contains(readinessWords, member.Key()) {
			k.addWarning(member, "fctry-readiness", name+" is an unknown readiness, and is not counted", "the summary maps readiness to counts, and nothing else")
		} else if k.schema().CheckKind(member, doc.Number, name) {
			k.schema().CheckValue(member, name, &protocol.Member{Form: protocol.FormCount})
		}
	}
	if copied, now := root.Get("specVersion"), textOf(k.Config.Get("versions", "spec", "current")); textOf(copied) != "" && now != "" && textOf(copied) != now {
		k.addWarning(copied, "fctry-spec-version", fmt.Sprintf("specVersion is %q, but config.json has %q", textOf(copied), now), "config.json is the source of truth; copy its value")
	}
	for output := range root.Get("agentOutputs").Members() {
		k.checkOutput(output)
	}
	i := 0
	for event := range root.Get("buildEvents").Elements() {
		if event.Is(doc.Map) {
			k.checkEvent(event, fmt.Sprintf("buildEvents[%d]", i))
		}
		i++
	}
	k.checkSteps()
	k.checkUpdated()
}

// checkSteps checks the steps of the workflow.
func (k *checker) checkSteps() {
	current, done := k.Root.Get("workflowStep"), k.Root.Get("completedSteps")
	if step := textOf(current); step != "" && slices.Contains(textsOf(done), step) {
		k.addWarning(current, "fctry-step", "workflowStep is "+step+", which completedSteps has, too", "clear it when the step is completed")
	}
	seen := map[string]bool{}
	for step := range done.Elements() {
		if name := textOf(step); seen[name] && name != "" {
			k.addWarning(step, "fctry-step", "completedSteps has "+name+" twice", "append a step once")
		} else {
			seen[name] = true
		}
	}
	for _, s := range k.workflowSteps() {
		if len(s.missing) > 0 {
			k.addWarning(s.at, "fctry-prerequisite", s.name+" has begun without "+s.missingText()+" (skipped?)", s.optionsText())
		}
	}
}

// checkUpdated checks the time of the last write.
func (k *checker) checkUpdated() {
	updated := k.Root.Get("lastUpdated")
	switch {
	case k.Root.Len() > 0 && updated.IsEmpty():
		k.Report(model.Pos{File: stateFile, Line: 1}, model.Warning, "fctry-last-updated", "lastUpdated is missing", "every writer sets it")
	case timeOf(updated).After(k.now.Add(time.Minute)): // clocks differ a little
		k.addWarning(updated, "fctry-time", "lastUpdated is in the future", "write the time of the write, in UTC")
	}
}

// checkOutput checks an agent's output.
func (k *checker) checkOutput(output doc.Value) {
	agent := line.Tidy(output.Key())
	name := "agentOutputs." + agent
	if !slices.ContainsFunc(core.Steps, func(s core.Step) bool { return s.Name == agent || agentSlug(s.Agent) == agent }) && agent != "observer" {
		k.Report(k.file.Pos(output.KeyOffset()), model.Warning, "fctry-word", name+" is the output of an unknown step", "use the name of a step or of its agent")
	}
	if !k.schema().CheckKind(output, doc.Map, name) {
		return
	}
	k.schema().CheckObject(output, name, outputFields)
	if textOf(output.Get("summary")) == "" {
		k.addWarning(output, "fctry-summary", name+" has no summary", "an agent leaves a paragraph on what it found")
	}
}

// checkSection reports a section that the specification does not list.
func (k *checker) checkSection(v doc.Value, name string) {
	word, _, _ := strings.Cut(textOf(v), " ")
	if _, isListed := k.spec.Find(word); word != "" && !isListed && len(k.spec.Sections) > 0 {
		k.addWarning(v, "fctry-section", name+" is "+word+", which the specification does not list", "use the alias of a section")
	}
}

// checkTotal reports a part that is more than the total.
func (k *checker) checkTotal(o doc.Value, name, part string) {
	n, ok := core.Count(o.Get(part))
	if total, isKnown := core.Count(o.Get("total")); ok && isKnown && n > total {
		k.addError(o.Get(part), "fctry-over", fmt.Sprintf("%s.%s is %d of %d", name, part, n, total), "it can't be more than the total")
	}
}

// checkQuestion reports questions that are neither a text nor an object with one.
func (k *checker) checkQuestion(o doc.Value, name string) {
	for _, key := range [...]string{"pendingQuestion", "experienceQuestion"} {
		v := o.Get(key)
		if core.ParseQuestion(v).Text != "" && !v.Is(doc.String) && v.Get("text").Text() == "" {
			k.addError(v, "fctry-question", protocol.JoinName(name, key)+" has no text of its own", "write it as {text, blockedChunks, timestamp}")
		}
	}
}

// checkEvent checks an event recorded by an agent.
func (k *checker) checkEvent(event doc.Value, name string) {
	k.schema().CheckObject(event, name, eventFields)
	kind := textOf(event.Get("kind"))
	switch family := families[kind]; {
	case kind == "":
		k.addError(event, "fctry-event", name+" has no kind", eventFix)
	case family == "":
		k.addWarning(event.Get("kind"), "fctry-event", name+" has the unknown kind "+kind, "it is shown among the events of chunks")
	case family == model.FamilyVerification:
		k.schema().CheckObject(event, name, verificationFields)
	}
	if event.Get("timestamp").IsEmpty() {
		k.addWarning(event, "fctry-event", name+" has no timestamp", "it is shown behind the event before it")
	}
	var required []string
	switch kind {
	case chunkVerified, verificationFailed:
		required = []string{"chunk", "summary", "mode"}
	case contextCheckpointed, contextBoundary, contextCompacted:
		required = []string{"summary"}
	}
	for _, key := range required {
		if textOf(event.Get(key)) == "" {
			k.addWarning(event, "fctry-field", name+" has no "+key, eventFix)
		}
	}
}

// checkInbox checks the items of the inbox.
func (k *checker) checkInbox() {
	seen, i := map[string]bool{}, 0
	for v := range k.file.Root.Children() {
		i++
		name := "item " + strconv.Itoa(i)
		if !v.Is(doc.Map) {
			k.addError(v, "fctry-inbox", name+" is "+v.Kind().String(), "remove it: it may keep others from being read")
			continue
		}
		if id := textOf(v.Get("id")); id == "" || seen[id] {
			k.addError(v, "fctry-inbox", name+" has no id of its own", "write one like "+itemID)
		} else {
			seen[id] = true
		}
		k.schema().CheckObject(v, name, itemFields)
		if textOf(v.Get("content")) == "" {
			k.addError(v, "fctry-inbox", name+" has no content", "an item is an idea, a link or a wish")
		}
	}
}
