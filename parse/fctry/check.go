// The strict side of reading: every rule of fctry that a project's files break. "gatehouse check" shows them.

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
	"gatehouse/parse/fctry/rules"
	"gatehouse/parse/protocol"
)

// Check returns every rule that the build's files break, in the order of files and lines. Besides the rules, it holds what
// [Reader.Read] has to report.
func (r *Reader) Check(now time.Time) []model.Problem {
	c := r.read(now)
	k := &checker{Check: protocol.NewCheck(c.b), c: c, file: stateFile, doc: c.state}
	if c.stateIs.Value != nil {
		k.duplicates()
		k.state()
		k.run()
		k.events()
		k.workflow()
	}
	k.versions()
	k.inbox()
	return k.End("bring the two in line")
}

// checker collects what is wrong in one file after the other.
type checker struct {
	*protocol.Check
	c    *collector
	file string
	doc  *document
}

func (k *checker) at(v value) model.Pos { return k.doc.pos(k.file, v) }

// kindNames are the kinds of values for people.
var kindNames = map[doc.Kind]string{
	doc.Absent: "nothing", doc.Map: "an object", doc.List: "a list", doc.String: "a string", doc.Number: "a number", doc.Bool: "true or false",
}

// want reports a value that is there and of another kind than the document has it, and returns whether it is right.
func (k *checker) want(v value, kind doc.Kind, name string) bool {
	if v.kind() == doc.Absent || v.kind() == kind {
		return v.kind() == kind
	}
	k.Report(k.at(v), model.Error, "fctry-type", name+" is "+kindNames[v.kind()], "it should be "+kindNames[kind])
	return false
}

// element is want for what stands in a list, where null is no way to say that there is nothing.
func (k *checker) element(v value, kind doc.Kind, name string) bool {
	if v.kind() == doc.Absent {
		k.Report(k.at(v), model.Error, "fctry-type", name+" is null", "it should be "+kindNames[kind])
	}
	return k.want(v, kind, name)
}

// oneOf reports a text that is none of those that the document knows.
func (k *checker) oneOf(v value, name string, words ...string) {
	if k.want(v, doc.String, name) && !slices.Contains(words, v.Text()) {
		k.Report(k.at(v), model.Error, "fctry-word", fmt.Sprintf("%s is %q", name, line.Clean(v.Text())), "the document has "+strings.Join(words, ", "))
	}
}

// when reports a text that is no time.
func (k *checker) when(v value, name string) {
	if !k.want(v, doc.String, name) {
		return
	}
	if _, err := time.Parse(time.RFC3339Nano, v.text()); err != nil {
		k.Report(k.at(v), model.Error, "fctry-time", fmt.Sprintf("%s is %q, which is no ISO 8601 time", name, v.text()), `write it as 2026-02-12T15:23:45Z`)
	}
}

// texts reports elements of a list that are no strings.
func (k *checker) texts(v value, name string) {
	if !k.want(v, doc.List, name) {
		return
	}
	for i, e := range v.list() {
		k.element(e, doc.String, fmt.Sprintf("%s[%d]", name, i))
	}
}

// number reports what is no count: a whole number that is not negative.
func (k *checker) number(v value, name string) {
	if !k.want(v, doc.Number, name) {
		return
	}
	if _, err := strconv.ParseUint(rules.Number(v.raw()), 10, 31); err != nil {
		k.Report(k.at(v), model.Error, "fctry-number", name+" is "+line.Tidy(v.raw()), "it counts things: a whole number from 0 on")
	}
}

// The words of the document.
var (
	commandWords = []string{rules.CommandInit, rules.CommandEvolve, rules.CommandRef, rules.CommandReview, "execute"}
	// readinessWords are those of the document and of what follows it.
	readinessWords = []string{"aligned", "spec-ahead", "draft", "needs-spec-update", "undocumented", "ready-to-build", "ready-to-execute", "satisfied", "deferred", "partial"}
)

func stepWords() (words []string) {
	for _, s := range rules.Steps() {
		words = append(words, s.Name)
	}
	return words
}

// state checks the fields of the state but for the run.
func (k *checker) state() {
	top := k.doc.top
	k.want(top.get("activeSection"), doc.String, "activeSection")
	k.want(top.get("activeSectionNumber"), doc.String, "activeSectionNumber")
	for _, pair := range [...][2]string{{"activeSection", "activeSectionNumber"}, {"activeSectionNumber", "activeSection"}} {
		if v := top.get(pair[0]); !v.none() && top.get(pair[1]).none() {
			k.Report(k.at(v), model.Warning, "fctry-section-pair", pair[0]+" stands without "+pair[1], "set and clear them together")
		}
	}
	k.oneOf(top.get("currentCommand"), "currentCommand", commandWords...)
	k.oneOf(top.get("workflowStep"), "workflowStep", stepWords()...)
	if list := top.get("completedSteps"); k.want(list, doc.List, "completedSteps") {
		for i, v := range list.list() {
			if name := fmt.Sprintf("completedSteps[%d]", i); k.element(v, doc.String, name) {
				k.oneOf(v, name, stepWords()...)
			}
		}
	}
	k.want(top.get("nextStep"), doc.String, "nextStep")
	k.pair(top.get("scenarioScore"), "scenarioScore", "satisfied")
	if progress := top.get("chunkProgress"); progress.get("chunks").none() {
		k.pair(progress, "chunkProgress", "current")
	}
	for _, name := range [...]string{"pendingQuestion", "experienceQuestion"} {
		k.question(top.get(name), name)
	}
	if beside := top.get("pendingQuestion"); rules.Question(beside.raw()) != "" {
		k.Report(k.at(beside), model.Warning, "fctry-place", "pendingQuestion stands beside buildRun", "write it into the run, as buildRun.pendingQuestion")
	}
	k.readiness(top.get("readinessSummary"))
	k.changes(top.get("untrackedChanges"))
	k.want(top.get("specVersion"), doc.String, "specVersion")
	if told, now := top.get("specVersion"), k.c.config.version("spec"); told.text() != "" && now != "" && told.text() != now {
		k.Report(k.at(told), model.Warning, "fctry-spec-version", fmt.Sprintf("specVersion is %q, and config.json has %q", told.text(), now), "config.json is the source of truth; copy its value")
	}
	if outputs := top.get("agentOutputs"); k.want(outputs, doc.Map, "agentOutputs") {
		for _, m := range outputs.members() {
			name := "agentOutputs." + line.Tidy(m.key)
			if !k.want(m.value, doc.Map, name) {
				continue
			}
			k.want(m.value.get("summary"), doc.String, name+".summary")
			if m.value.get("summary").text() == "" {
				k.Report(k.at(m.value), model.Warning, "fctry-summary", name+" has no summary", "an agent leaves a paragraph on what it found")
			}
			k.texts(m.value.get("relevanceManifest"), name+".relevanceManifest")
		}
	}
	if step := top.get("workflowStep"); step.text() != "" && slices.Contains(top.get("completedSteps").texts(), step.text()) {
		k.Report(k.at(step), model.Warning, "fctry-step", "workflowStep is "+step.text()+", which completedSteps has, too", "clear it when the step is completed")
	}
	k.when(top.get("lastUpdated"), "lastUpdated")
	if len(top.members()) > 0 && top.get("lastUpdated").none() {
		k.Report(model.Pos{File: k.file, Line: 1}, model.Warning, "fctry-last-updated", "lastUpdated is missing", "every writer sets it")
	}
}

// duplicates reports keys that an object of the file has twice.
func (k *checker) duplicates() {
	for _, twice := range k.doc.twice {
		pos := model.Pos{File: k.file}
		pos.Line, pos.Col = k.doc.lines.Position(twice.At)
		k.Report(pos, model.Error, "fctry-duplicate-key", twice.Text, twice.Fix)
	}
}

// needed reports members of an object that are missing or say nothing.
func (k *checker) needed(v value, at value, s model.Severity, name, fix string, keys ...string) {
	for _, key := range keys {
		if text := v.get(key); text.none() || text.Is(doc.String) && text.text() == "" {
			k.Report(k.at(at), s, "fctry-field", name+" has no "+key, fix)
		}
	}
}

// made reports an identifier that is not made as the document has it: a word, a number, and where there is more, that behind it.
func (k *checker) made(v value, name, example string, shapes ...*regexp.Regexp) {
	if text := v.text(); text != "" && !slices.ContainsFunc(shapes, func(shape *regexp.Regexp) bool { return shape.MatchString(text) }) {
		k.Report(k.at(v), model.Warning, "fctry-id", fmt.Sprintf("%s is %q", name, text), "write one as "+example)
	}
}

// pair checks a part and a total of which it is one.
func (k *checker) pair(v value, name, part string) {
	if !k.want(v, doc.Map, name) {
		return
	}
	for _, key := range [...]string{part, "total"} {
		if v.get(key).none() {
			k.Report(k.at(v), model.Error, "fctry-field", name+" has no "+key, "write both "+part+" and total")
		}
		k.number(v.get(key), name+"."+key)
	}
	some, ok := v.get(part).count()
	if total, known := v.get("total").count(); ok && known && some > total {
		k.Report(k.at(v.get(part)), model.Error, "fctry-over", fmt.Sprintf("%s.%s is %d of %d", name, part, some, total), "it can't be more than all")
	}
}

// readiness checks the summary: labels and counts.
func (k *checker) readiness(v value) {
	if !k.want(v, doc.Map, "readinessSummary") {
		return
	}
	for _, m := range v.members() {
		name := "readinessSummary." + line.Tidy(m.key)
		if !slices.Contains(readinessWords, m.key) {
			k.Report(k.at(m.value), model.Warning, "fctry-readiness", name+" is no readiness that is known, and is not counted", "the summary maps readiness to counts, and nothing else")
			continue
		}
		k.number(m.value, name)
	}
}

// changes checks the list of what was changed outside of commands.
func (k *checker) changes(v value) {
	if !k.want(v, doc.List, "untrackedChanges") {
		return
	}
	for i, e := range v.list() {
		name := fmt.Sprintf("untrackedChanges[%d]", i)
		if !k.element(e, doc.Map, name) {
			continue
		}
		for _, key := range [...]string{"file", "section", "sectionNumber"} {
			k.want(e.get(key), doc.String, name+"."+key)
		}
		k.needed(e, e, model.Error, name, "an entry is {file, section, sectionNumber, timestamp}", "file", "section", "sectionNumber", "timestamp")
		k.when(e.get("timestamp"), name+".timestamp")
	}
}

// workflow reports what has begun without its prerequisites, with the choices that the document gives.
func (k *checker) workflow() {
	for _, s := range k.c.steps() {
		if len(s.missing) > 0 {
			k.Report(k.at(s.at), model.Warning, "fctry-prerequisite", s.name+" has begun without "+strings.Join(s.missing, " and ")+", unless somebody chose to skip it",
				"(1) run it now (recommended), (2) go on without, (3) stop the command")
		}
	}
}

// versions checks the registry of versions.
func (k *checker) versions() {
	if !k.c.config.top.Exists() {
		return
	}
	k.file, k.doc = configFile, k.c.config
	k.duplicates()
	versions := k.doc.top.get("versions")
	if !k.want(versions, doc.Map, "versions") {
		return
	}
	for _, kind := range [...]string{"spec", "external"} {
		if v := versions.get(kind); k.want(v, doc.Map, "versions."+kind) {
			k.want(v.get("current"), doc.String, "versions."+kind+".current")
		}
	}
}

// itemIDs are how the identifiers of items are made: by fctry's viewer, and by its search for sources.
var itemIDs = []*regexp.Regexp{regexp.MustCompile(`^inbox-\d+-[0-9a-z]+$`), regexp.MustCompile(`^discover-\d+-\d+$`)}

// inbox checks the items of the inbox.
func (k *checker) inbox() {
	r := mirror.Read(k.c.m, inboxFile, parseInbox)
	if r.Value == nil {
		return
	}
	k.file, k.doc = inboxFile, r.Value.document
	k.duplicates()
	seen := map[string]bool{}
	for i, v := range k.doc.top.list() {
		name := fmt.Sprintf("item %d", i+1)
		if v.kind() != doc.Map {
			k.Report(k.at(v), model.Error, "fctry-inbox", name+" is "+kindNames[v.kind()], "take it out: it may keep others from being read")
			continue
		}
		const example = "inbox-1708012345678-a1b2c3"
		k.want(v.get("id"), doc.String, name+": id")
		id := v.get("id").text()
		if id == "" || seen[id] {
			k.Report(k.at(v), model.Error, "fctry-inbox", name+" has no id of its own", "write one as "+example)
		}
		seen[id] = true
		k.made(v.get("id"), name+": id", example, itemIDs...)
		k.needed(v, v, model.Error, name, "an item is {id, type, content, timestamp, status}", "type", "status", "timestamp")
		k.want(v.get("content"), doc.String, name+": content")
		k.oneOf(v.get("type"), name+": type", "evolve", "reference", "feature")
		k.oneOf(v.get("status"), name+": status", "pending", "processing", "processed", "error")
		if v.get("content").text() == "" {
			k.Report(k.at(v), model.Error, "fctry-inbox", name+" has no content", "an item is an idea, a link or a wish")
		}
		k.when(v.get("timestamp"), name+": timestamp")
	}
}
