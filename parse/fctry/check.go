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
	if v.file.Value != nil {
		k.checkDuplicates()
		k.checkFields(v.Root, "", stateFields)
		k.checkState()
		k.checkRun()
	}
	if k.file = v.config; v.config.root.Exists() {
		k.checkDuplicates()
		k.checkFields(v.config.root, "", configFields)
	}
	if read := mirror.Read(v.m, inboxFile, parseInbox); read.Value != nil {
		k.file = read.Value.document
		k.checkDuplicates()
		k.checkInbox()
	}
	return k.End("make the two agree")
}

// checker collects what is wrong with one file after the other.
type checker struct {
	*protocol.Check
	*view
	file *document
}

func (k *checker) report(at doc.Value, s model.Severity, rule, text, fix string) {
	pos := k.file.pos(at)
	if at.Exists() {
		pos.Line, pos.Col = k.file.lines.Position(at.Offset())
	}
	k.Report(pos, s, rule, text, fix)
}

func (k *checker) warn(at doc.Value, rule, text, fix string) {
	k.report(at, model.Warning, rule, text, fix)
}

func (k *checker) fail(at doc.Value, rule, text, fix string) {
	k.report(at, model.Error, rule, text, fix)
}

// checkDuplicates reports keys that an object has twice.
func (k *checker) checkDuplicates() {
	for _, p := range k.file.problems {
		pos := model.Pos{File: k.file.file}
		pos.Line, pos.Col = k.file.lines.Position(p.At)
		k.Report(pos, model.Error, "fctry-duplicate-key", p.Text, p.Fix)
	}
}

// form is what a field may hold.
type form uint8

const (
	text   form = iota
	words       // one of some words
	moment      // an ISO 8601 time
	count       // a whole number from 0 on
	flag
	texts // a list of texts
	object
	objects // a list of objects
	list
)

var formKinds = map[form]doc.Kind{text: doc.String, words: doc.String, moment: doc.String, count: doc.Number, flag: doc.Bool, texts: doc.List, object: doc.Map, objects: doc.List, list: doc.List}

// field is a member that an object should have.
type field struct {
	key   string
	form  form
	words []string
	// fix, if it is not "", is what to do about an object that lacks the field; it is an error if the rules depend on it.
	fix     string
	isError bool
	fields  []field // of an object, or of the objects of a list
	shape   *regexp.Regexp
	example string // of a text with a shape
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
	stateFields = []field{
		{key: "activeSection"}, {key: "activeSectionNumber"}, {key: "nextStep"}, {key: "specVersion"}, {key: "lastUpdated", form: moment},
		{key: "currentCommand", form: words, words: core.Commands}, {key: "workflowStep", form: words, words: stepWords()}, {key: "completedSteps", form: texts, words: stepWords()},
		{key: "scenarioScore", form: object, fields: []field{
			{key: "satisfied", form: count, fix: "write both satisfied and total", isError: true}, {key: "total", form: count, fix: "write both satisfied and total", isError: true}}},
		{key: "readinessSummary", form: object},
		{key: "untrackedChanges", form: objects, fields: []field{
			{key: "file", fix: changeFix, isError: true}, {key: "section", fix: changeFix, isError: true}, {key: "sectionNumber", fix: changeFix, isError: true}, {key: "timestamp", form: moment, fix: changeFix, isError: true}}},
		{key: "agentOutputs", form: object},
		{key: "buildRun", form: object, fields: []field{
			{key: "runId", fix: "write one like " + runID, shape: regexp.MustCompile(`^run-\d+$`), example: runID},
			{key: "status", form: words, words: []string{core.Running, core.Completed, core.Partial}, fix: runWordsFix, isError: true},
			{key: "startedAt", form: moment, fix: plannedAt}, {key: "lastCheckpoint", form: moment}, {key: "convergencePhase"}, {key: "chunks", form: objects},
			{key: "plan", form: object, fix: plannedAt, fields: []field{
				{key: "totalChunks", form: count, fix: plannedAt}, {key: "priorities", form: texts}, {key: "specVersion"},
				{key: "prioritySource", form: words, words: []string{"global", "project", "user-prompt"}}}}}},
		{key: "buildEvents", form: objects},
	}
	progressFields = []field{{key: "current", form: count, fix: "write both current and total", isError: true}, {key: "total", form: count, fix: "write both current and total", isError: true}}
	outputFields   = []field{{key: "summary"}, {key: "relevanceManifest", form: texts}}
	chunkFields    = []field{
		{key: "id", form: count, fix: "number the chunks from 1", isError: true}, {key: "name", fix: "say in a few words what it builds", isError: true},
		{key: "status", form: words, words: []string{"planned", "active", "retrying", "completed", "failed"}, fix: chunkFix, isError: true},
		{key: "sections", form: texts}, {key: "scenarios", form: texts}, {key: "dependsOn", form: list}, {key: "specVersionAtBuild"}, {key: "attempt", form: count},
		{key: "startedAt", form: moment}, {key: "completedAt", form: moment}, {key: "failedAt", form: moment},
	}
	eventFields        = []field{{key: "kind"}, {key: "chunk"}, {key: "summary"}, {key: "timestamp", form: moment}}
	verificationFields = []field{
		{key: "screenshot"}, {key: "mode", form: words, words: []string{"full", "reduced", "minimal"}},
		{key: "checks", form: objects, fields: []field{
			{key: "name", fix: checkFix}, {key: "result", form: words, words: []string{"pass", "fail"}, fix: checkFix}, {key: "retried", form: flag}}},
	}
	itemFields = []field{
		{key: "id", shape: regexp.MustCompile(`^(inbox-\d+-[0-9a-z]+|discover-\d+-\d+)$`), example: itemID}, {key: "content"},
		{key: "type", form: words, words: ItemTypes, fix: itemFix, isError: true}, {key: "timestamp", form: moment, fix: itemFix, isError: true},
		{key: "status", form: words, words: []string{pending, "processing", "processed", "error"}, fix: itemFix, isError: true},
	}
	versionFields = []field{{key: "current"}}
	configFields  = []field{{key: "versions", form: object, fields: []field{{key: "spec", form: object, fields: versionFields}, {key: "external", form: object, fields: versionFields}}}}
	// readinessWords are those of the specification and its successors.
	readinessWords = []string{"aligned", "spec-ahead", "draft", "needs-spec-update", "undocumented", "ready-to-build", "ready-to-execute", "satisfied", "deferred", "partial"}
)

func stepWords() (all []string) {
	for _, s := range core.Steps {
		all = append(all, s.Name)
	}
	return all
}

// checkFields reports the fields of an object that are missing, or hold something else than they may.
func (k *checker) checkFields(o doc.Value, name string, fields []field) {
	for i := range fields {
		f := &fields[i]
		v, full := o.Get(f.key), join(name, f.key)
		if f.fix != "" && (v.IsEmpty() || v.Is(doc.String) && textOf(v) == "") {
			severity, subject := model.Warning, name
			if f.isError {
				severity = model.Error
			}
			k.report(o, severity, "fctry-field", subject+" has no "+f.key, f.fix)
		}
		if k.isKind(v, formKinds[f.form], full) {
			k.checkForm(v, full, f)
		}
	}
}

// join joins the name of an object with a key. Chunks and items have names with a blank: "chunk 3: id".
func join(name, key string) string {
	switch {
	case name == "":
		return key
	case strings.Contains(name, " "):
		return name + ": " + key
	}
	return name + "." + key
}

// isKind reports a value of another kind than it should be, and returns whether it is right. Null is absent.
func (k *checker) isKind(v doc.Value, kind doc.Kind, name string) bool {
	if !v.IsEmpty() && !v.Is(kind) {
		k.fail(v, "fctry-type", name+" is "+v.Kind().String(), "it should be "+kind.String())
	}
	return v.Is(kind)
}

// isElement is isKind for an element of a list, which can't be null.
func (k *checker) isElement(v doc.Value, kind doc.Kind, name string) bool {
	if v.Is(doc.Null) {
		k.fail(v, "fctry-type", name+" is null", "it should be "+kind.String())
	}
	return k.isKind(v, kind, name)
}

// checkForm reports a field that has the right kind and holds something else than it may.
func (k *checker) checkForm(v doc.Value, name string, f *field) {
	switch f.form {
	case text:
		if s := textOf(v); f.shape != nil && s != "" && !f.shape.MatchString(s) {
			k.warn(v, "fctry-id", name+" is "+strconv.Quote(s), "write one like "+f.example)
		}
	case words:
		k.checkWord(v, name, f.words)
	case moment:
		if s := textOf(v); !isTime(s) {
			k.fail(v, "fctry-time", fmt.Sprintf("%s is %q, which is not an ISO 8601 time", name, s), "write it like 2026-02-12T15:23:45Z")
		}
	case count:
		if _, err := strconv.ParseUint(core.Number(v), 10, 31); err != nil {
			k.fail(v, "fctry-number", name+" is "+v.Raw(), "write a whole number from 0 on")
		}
	case object:
		k.checkFields(v, name, f.fields)
	case texts, objects:
		i := 0
		for e := range v.Children() {
			full := fmt.Sprintf("%s[%d]", name, i)
			switch i++; {
			case f.form == objects && k.isElement(e, doc.Map, full):
				k.checkFields(e, full, f.fields)
			case f.form == texts && k.isElement(e, doc.String, full) && f.words != nil:
				k.checkWord(e, full, f.words)
			}
		}
	}
}

func (k *checker) checkWord(v doc.Value, name string, words []string) {
	if !slices.Contains(words, v.Text()) {
		k.fail(v, "fctry-word", name+" is "+strconv.Quote(line.Clean(v.Text())), "the specification has "+strings.Join(words, ", "))
	}
}

func isTime(s string) bool {
	_, err := time.Parse(time.RFC3339Nano, s)
	return err == nil
}

// checkState checks the rules between the fields of a state.
func (k *checker) checkState() {
	root := k.Root
	for _, pair := range [...][2]string{{"activeSection", "activeSectionNumber"}, {"activeSectionNumber", "activeSection"}} {
		if v := root.Get(pair[0]); !v.IsEmpty() && root.Get(pair[1]).IsEmpty() {
			k.warn(v, "fctry-section-pair", pair[0]+" is set without "+pair[1], "set and clear them together")
		}
	}
	k.checkSection(root.Get("activeSection"), "activeSection")
	k.checkTotal(root.Get("scenarioScore"), "scenarioScore", "satisfied")
	if progress := root.Get("chunkProgress"); progress.Get("chunks").IsEmpty() && k.isKind(progress, doc.Map, "chunkProgress") {
		k.checkFields(progress, "chunkProgress", progressFields)
		k.checkTotal(progress, "chunkProgress", "current")
	}
	k.checkQuestion(root, "")
	if beside := root.Get("pendingQuestion"); core.ParseQuestion(beside).Text != "" {
		k.warn(beside, "fctry-place", "pendingQuestion is beside buildRun", "write it into the run, as buildRun.pendingQuestion")
	}
	for member := range core.Members(root.Get("readinessSummary")) {
		name := "readinessSummary." + line.Tidy(member.Key())
		if !slices.Contains(readinessWords, member.Key()) {
			k.warn(member, "fctry-readiness", name+" is an unknown readiness, and is not counted", "the summary maps readiness to counts, and nothing else")
		} else if k.isKind(member, doc.Number, name) {
			k.checkForm(member, name, &field{form: count})
		}
	}
	if copied, now := root.Get("specVersion"), textOf(k.Config.Get("versions", "spec", "current")); textOf(copied) != "" && now != "" && textOf(copied) != now {
		k.warn(copied, "fctry-spec-version", fmt.Sprintf("specVersion is %q, but config.json has %q", textOf(copied), now), "config.json is the source of truth; copy its value")
	}
	for output := range core.Members(root.Get("agentOutputs")) {
		k.checkOutput(output)
	}
	i := 0
	for event := range core.Elements(root.Get("buildEvents")) {
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
		k.warn(current, "fctry-step", "workflowStep is "+step+", which completedSteps has, too", "clear it when the step is completed")
	}
	seen := map[string]bool{}
	for step := range core.Elements(done) {
		if name := textOf(step); seen[name] && name != "" {
			k.warn(step, "fctry-step", "completedSteps has "+name+" twice", "append a step once")
		} else {
			seen[name] = true
		}
	}
	for _, s := range k.steps() {
		if len(s.missing) > 0 {
			k.warn(s.at, "fctry-prerequisite", s.name+" has begun without "+s.missingText()+" (skipped?)", s.options())
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
		k.warn(updated, "fctry-time", "lastUpdated is in the future", "write the time of the write, in UTC")
	}
}

// checkOutput checks what an agent has left.
func (k *checker) checkOutput(output doc.Value) {
	agent := line.Tidy(output.Key())
	name := "agentOutputs." + agent
	if !slices.ContainsFunc(core.Steps, func(s core.Step) bool { return s.Name == agent || slug(s.Agent) == agent }) && agent != "observer" {
		pos := model.Pos{File: k.file.file}
		pos.Line, pos.Col = k.file.lines.Position(output.KeyOffset())
		k.Report(pos, model.Warning, "fctry-word", name+" is the output of an unknown step", "use the name of a step or of its agent")
	}
	if !k.isKind(output, doc.Map, name) {
		return
	}
	k.checkFields(output, name, outputFields)
	if textOf(output.Get("summary")) == "" {
		k.warn(output, "fctry-summary", name+" has no summary", "an agent leaves a paragraph on what it found")
	}
}

// checkSection reports a section that the specification does not list.
func (k *checker) checkSection(v doc.Value, name string) {
	word, _, _ := strings.Cut(textOf(v), " ")
	if _, isListed := k.spec.Find(word); word != "" && !isListed && len(k.spec.Sections) > 0 {
		k.warn(v, "fctry-section", name+" is "+word+", which the specification does not list", "use the alias of a section")
	}
}

// checkTotal reports a part that is more than the total.
func (k *checker) checkTotal(o doc.Value, name, part string) {
	n, ok := core.Count(o.Get(part))
	if total, isKnown := core.Count(o.Get("total")); ok && isKnown && n > total {
		k.fail(o.Get(part), "fctry-over", fmt.Sprintf("%s.%s is %d of %d", name, part, n, total), "it can't be more than the total")
	}
}

// checkQuestion reports questions that are neither a text nor an object with one.
func (k *checker) checkQuestion(o doc.Value, name string) {
	for _, key := range [...]string{"pendingQuestion", "experienceQuestion"} {
		v := o.Get(key)
		if core.ParseQuestion(v).Text != "" && !v.Is(doc.String) && v.Get("text").Text() == "" {
			k.fail(v, "fctry-question", join(name, key)+" has no text of its own", "write it as {text, blockedChunks, timestamp}")
		}
	}
}

// checkEvent checks what an agent has recorded.
func (k *checker) checkEvent(event doc.Value, name string) {
	k.checkFields(event, name, eventFields)
	kind := textOf(event.Get("kind"))
	switch family := families[kind]; {
	case kind == "":
		k.fail(event, "fctry-event", name+" has no kind", eventFix)
	case family == "":
		k.warn(event.Get("kind"), "fctry-event", name+" has the unknown kind "+kind, "it is shown among the events of chunks")
	case family == model.FamilyVerification:
		k.checkFields(event, name, verificationFields)
	}
	if event.Get("timestamp").IsEmpty() {
		k.warn(event, "fctry-event", name+" has no timestamp", "it is shown behind the event before it")
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
			k.warn(event, "fctry-field", name+" has no "+key, eventFix)
		}
	}
}

// checkInbox checks the items of the inbox.
func (k *checker) checkInbox() {
	seen, i := map[string]bool{}, 0
	for v := range k.file.root.Children() {
		i++
		name := "item " + strconv.Itoa(i)
		if !v.Is(doc.Map) {
			k.fail(v, "fctry-inbox", name+" is "+v.Kind().String(), "remove it: it may keep others from being read")
			continue
		}
		if id := textOf(v.Get("id")); id == "" || seen[id] {
			k.fail(v, "fctry-inbox", name+" has no id of its own", "write one like "+itemID)
		} else {
			seen[id] = true
		}
		k.checkFields(v, name, itemFields)
		if textOf(v.Get("content")) == "" {
			k.fail(v, "fctry-inbox", name+" has no content", "an item is an idea, a link or a wish")
		}
	}
}
