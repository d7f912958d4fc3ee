package randomtest

import (
	"encoding/json"
	"fmt"
	"maps"
	"math/rand/v2"
	"path"
	"slices"
	"strconv"
	"strings"

	"gatehouse/parse/respelltest"
)

// RandomLoop returns a project with a loop: its state, often its definition, and some of its deliverables. A third of the loops
// are standard. The others have oddities: unknown words and types, gates without a place, names that differ between state and
// definition, duplicate keys, files that are truncated, missing or of another loop.
func RandomLoop(rng *rand.Rand) map[string]string {
	o := source{rng}
	l := newLoop(o)
	files := l.stateFiles()
	dir := path.Dir(l.stateFile)
	maps.Copy(files, l.definitionFiles(dir))
	maps.Copy(files, l.deliverableFiles(dir))
	if o.IntN(10) == 0 {
		maps.Copy(files, l.otherLoop())
	}
	if l.isOdd(25) {
		engine := object("loopId", quote(l.id), "status", oneOf(o, `"active"`, `"completed"`), "currentPhase", `"A"`, "phases", `[{"phase": "A", "status": "active"}]`,
			"gates", `[{"gateId": "a-gate", "status": "`+oneOf(o, "pending", "approved", "rejected")+`", "enabled": `+oneOf(o, "true", "false")+`}]`)
		files[oneOf(o, "data/executions/7f/state.json", "other-state.json")] = engine
	}
	return files
}

// loop is a random loop. Its state and definition are written from it.
type loop struct {
	source
	oddity    int // how odd it is: 0 is standard
	id        string
	version   string
	stateFile string
	status    string
	at        int // the current phase, len(phases) when all are over
	phases    []loopPhase
	gates     []loopGate
}

// loopPhase is a phase. Values that hold JSON are left out of the file when they are "".
type loopPhase struct {
	name      string
	defined   string // the definition's keys that name it, as JSON members
	inState   string // its key in the state, "-" when the state lacks it
	required  string // JSON
	status    string // JSON
	order     int
	skills    []string
	delivered []string
}

// loopGate is a gate.
type loopGate struct {
	id, name     string
	inState      string // its key in the state, "-" when the state lacks it
	after        int    // the phase that it follows
	afterPhase   string // JSON
	places       []gatePlace
	byName       bool
	required     string // JSON
	approval     string // JSON
	deliverables []string
	written      string // the deliverables as JSON
	status       string // JSON
}

// gatePlace is the list that has a gate of a definition.
type gatePlace int

const (
	inList      gatePlace = iota // in the loop's gates
	inPhase                      // in the gates of its phase
	inNextPhase                  // in the gates of another phase
	mentioned                    // as a name in the gates of its phase
	asKey                        // as the "gate" of its phase
)

// isOdd reports whether to make something odd: in one of n cases for an odd loop, in three for a very odd one.
func (l *loop) isOdd(n int) bool { return l.oddity > 0 && l.IntN(n) < l.oddity }

func newLoop(o source) *loop {
	l := &loop{source: o, oddity: oneOf(o, 0, 1, 1, 3), id: oneOf(o, "kite-loop", "kite-loop", "kite", "engineering-loop", "x"), version: oneOf(o, "1.0.0", "2.1.0")}
	if l.isOdd(25) {
		l.id = oneOf(o, "", "a/b", "../x", "Kite Loop", "kité-loop", ".kite")
	}
	l.stateFile = oneOf(o, "kite-state.json", "kite-state.json", "kite-state.json", "memory/kite-state.json")
	if l.isOdd(8) {
		l.stateFile = oneOf(o, "state.json", "loop-state.json", "x-state.json", "memory/x-state.json", "memory/state.json")
	}
	l.addPhases()
	l.status = quote(oneOf(o, "active", "active", "active", "active", "active", "active", "active", "paused", "failed"))
	if l.at == len(l.phases) || o.IntN(15) == 0 { // the second is an overclaim
		l.status = oneOf(o, `"complete"`, `"complete"`, `"active"`)
	}
	if l.isOdd(10) {
		l.status = oneOf(o, `"completed"`, `"blocked"`, `"running"`, `"Active"`, `" active"`, `""`, `true`, `null`, `["active"]`, "")
	}
	for i := range l.phases {
		for range oneOf(o, 0, 1, 1, 1, 2, 3) * oneOf(o, 1, 1, 0) {
			l.addGate(i)
		}
	}
	if l.isOdd(8) && len(l.gates) > 1 { // two gates of one id
		l.gates[len(l.gates)-1].id = l.gates[0].id
	}
	return l
}

// addPhases makes the phases, and chooses the current one.
func (l *loop) addPhases() {
	names := oneOf(l.source, []string{"INIT", "FRAME", "BUILD", "PROVE", "SHIP", "COMPLETE"}, []string{"Assess Champion", "Plan Close", "Agree", "Sign", "Hand Over", "Review"}, []string{"A", "B", "C", "D", "E", "F"})
	names = slices.Clone(names[:1+l.IntN(len(names))])
	l.at = l.IntN(len(names) + 1)
	for i, name := range names {
		if l.isOdd(25) {
			name = oneOf(l.source, "", "D é", "a/b", "a.b", `q"q`, "A\u200b", "\u001b[31mred", names[0])
		}
		p := loopPhase{name: name, inState: name, order: i, required: oneOf(l.source, "true", "true", "true", "false", ""), status: l.phaseStatus(i)}
		p.defined = member("name", quote(name)) + oneOf(l.source, "", ", "+member("id", quote(fmt.Sprintf("p%d", i+1))), ", "+member("id", quote(strings.ToUpper(name))))
		if l.isOdd(15) {
			p.defined = oneOf(l.source, member("id", quote(name)), member("name", "5")+`, "id": `+quote(name), member("name", "null")+`, "id": `+quote(name), member("Name", quote(name)), member("name", quote(name))+`, "id": 7`,
				member("name", quote(name))+`, "id": `+quote(names[0]), `"description": "no name"`)
		}
		if l.isOdd(25) {
			p.required = oneOf(l.source, "null", `"false"`, "0", `"no"`, "[]", "{}")
		}
		switch {
		case l.isOdd(25):
			p.inState = oneOf(l.source, "-", strings.ToLower(name), name+" ", "OTHER")
		case l.isOdd(30):
			p.inState = fmt.Sprintf("p%d", i+1)
		}
		for n := range l.IntN(3) {
			p.skills = append(p.skills, fmt.Sprintf("skill-%d", n+1))
		}
		if l.IntN(4) == 0 {
			p.delivered = []string{oneOf(l.source, "NOTES.md", "docs/notes.md", "a text")}
		}
		l.phases = append(l.phases, p)
	}
}

// phaseStatus returns the status of a phase, as JSON, for the progress of the loop.
func (l *loop) phaseStatus(i int) string {
	status := "pending"
	switch {
	case i < l.at:
		status = oneOf(l.source, "complete", "complete", "complete", "complete", "complete", "complete", "complete", "skipped")
	case i == l.at:
		status = oneOf(l.source, "active", "active", "active", "pending")
	}
	if l.isOdd(20) {
		status = oneOf(l.source, "pending", "active", "complete", "skipped", "in-progress", "in_progress", "completed", "failed", "done", "blocked", "", "Complete", " complete", "passed")
	}
	if l.isOdd(40) {
		return oneOf(l.source, "null", "5", "true", `["complete"]`, "{}", "")
	}
	return quote(status)
}

// addGate adds a gate after a phase.
func (l *loop) addGate(after int) {
	n := len(l.gates) + 1
	word := strings.Fields(l.phases[after].name + " gate")[0]
	g := loopGate{after: after, id: strings.ToLower(word) + "-gate", name: word + " Approval", required: oneOf(l.source, "true", "true", "true", "true", "false", ""),
		approval: oneOf(l.source, `"human"`, `"human"`, `"human"`, `"auto"`, `"conditional"`, ""), status: l.gateStatus(after)}
	if slices.ContainsFunc(l.gates, func(other loopGate) bool { return other.id == g.id }) || l.IntN(8) == 0 {
		g.id = fmt.Sprintf("%s-gate-%d", strings.ToLower(word), n)
	}
	if l.isOdd(20) {
		g.id = oneOf(l.source, "g 4", "g#5", "", "a/b", "gaté", "7", "g\u0430te", "GATE", "gate/x", "-n", "\u001b]0;x\a")
	}
	g.inState = g.id
	if l.isOdd(12) {
		g.byName = true
		g.name = oneOf(l.source, "Seed Gate", "seed gate", "SEED", g.name)
		g.inState = oneOf(l.source, strings.ReplaceAll(strings.ToLower(g.name), " ", "-"), g.name, g.id)
	}
	if l.isOdd(20) {
		g.inState = oneOf(l.source, "-", "-", strings.ToUpper(g.id), g.name, g.id+"-2")
	}
	if l.isOdd(20) {
		g.required = oneOf(l.source, "null", `"false"`, `"true"`, "0", "[]")
	}
	if l.isOdd(20) {
		g.approval = oneOf(l.source, `"manual"`, `"automated"`, `"Human"`, `""`, "3", "null", "[]")
	}
	g.places = []gatePlace{inList}
	if l.oddity > 0 {
		g.places = oneOf(l.source, []gatePlace{inList}, []gatePlace{inList}, []gatePlace{inList}, []gatePlace{inPhase}, []gatePlace{inList, mentioned}, []gatePlace{mentioned}, []gatePlace{inPhase, inList}, []gatePlace{inNextPhase},
			[]gatePlace{asKey}, []gatePlace{asKey, inList}, []gatePlace{inList, inList}, nil)
	}
	g.afterPhase = l.afterPhase(after)
	l.addDeliverables(&g)
	l.gates = append(l.gates, g)
}

// afterPhase returns how a definition names the phase before a gate, as JSON.
func (l *loop) afterPhase(after int) string {
	p := l.phases[after]
	if l.isOdd(12) {
		return oneOf(l.source, quote("Nope"), quote(""), "null", "3", "", `["A"]`, quote(strings.ToLower(p.name)), quote(p.name+" "), quote(l.phases[0].name))
	}
	if strings.Contains(p.defined, `"id"`) && l.IntN(3) == 0 {
		var keys struct{ ID string }
		if json.Unmarshal([]byte("{"+p.defined+"}"), &keys) == nil {
			return quote(keys.ID)
		}
	}
	return quote(p.name)
}

// gateStatus returns the status of a gate after a phase, as JSON, for the progress of the loop.
func (l *loop) gateStatus(after int) string {
	status := "pending"
	switch {
	case after < l.at-1:
		status = oneOf(l.source, "passed", "passed", "passed", "passed", "passed", "passed", "skipped", "pending")
	case after == l.at-1:
		status = oneOf(l.source, "pending", "pending", "passed", "passed", "passed", "failed", "skipped")
	}
	if l.isOdd(20) {
		status = oneOf(l.source, "pending", "passed", "skipped", "failed", "approved", "rejected", "requested", "not-applicable", "waiting", "PASSED", "passed ", "complete", "")
	}
	if l.isOdd(40) {
		return oneOf(l.source, "null", "5", "true", `["passed"]`, "{}", "")
	}
	return quote(status)
}

// addDeliverables gives a gate the files that it asks for.
func (l *loop) addDeliverables(g *loopGate) {
	for range l.IntN(3) {
		g.deliverables = append(g.deliverables, oneOf(l.source, "GOALS.md", "OUTLINE.md", "SHAPE.md", "docs/PLAN.md", "champion assessment", "report.json"))
	}
	var items []string
	for _, name := range g.deliverables {
		items = append(items, l.sometimesOdd(30, oneOf(l.source, object("file", quote(name)), object("name", quote(name), "required", "true"), "null", "7", `""`, `"../out.md"`, `"/etc/hosts"`, `"docs\\PLAN.md"`, "[]", "{}"), quote(name)))
	}
	g.written = l.sometimesOdd(25, oneOf(l.source, "null", `"GOALS.md"`, "5", "{}", `{"a": "GOALS.md"}`, ""), "["+strings.Join(items, ", ")+"]")
}

// sometimesOdd returns other if isOdd is true, else text.
func (l *loop) sometimesOdd(n int, other, text string) string {
	if l.isOdd(n) {
		return other
	}
	return text
}

// stateFiles returns the state, and other files that may be taken for it.
func (l *loop) stateFiles() map[string]string {
	text := l.state()
	if l.isOdd(40) {
		text = oneOf(l.source, "", "{", "null", "[]", " {} ", "\x00", `{"loop": "kite-loop", "phases": []}`, `{"phases": [], "gates": {}}`, `{"lights": "on"}`, "<<<<<<< HEAD\n"+text)
	}
	files := map[string]string{l.stateFile: text}
	if l.isOdd(12) { // another state of the same loop
		second := *l
		second.at, second.phases = l.IntN(len(l.phases)+1), slices.Clone(l.phases)
		for i := range second.phases {
			second.phases[i].status = second.phaseStatus(i)
		}
		files[oneOf(l.source, "memory/kite-state.json", "kite-2-state.json", "state.json")] = second.state()
	}
	if l.isOdd(40) {
		files[oneOf(l.source, "broken-state.json", "memory/broken-state.json")] = oneOf(l.source, "", "{", `{"loop": "kite-loop", "phases": {"A": {`, "[]")
	}
	if l.isOdd(60) {
		files["dir-state.json/"] = ""
	}
	if l.IntN(10) == 0 && !strings.HasPrefix(l.stateFile, "memory/") {
		files["memory/notes.md"] = "# Notes\n"
	}
	return files
}

// otherLoop returns a second loop of the same project.
func (l *loop) otherLoop() map[string]string {
	other := newLoop(l.source)
	other.id, other.stateFile = "wind-loop", "wind-state.json"
	files := map[string]string{other.stateFile: other.state()}
	if l.IntN(2) == 0 {
		files[oneOf(l.source, "wind-loop.json", "loops/wind-loop/loop.json", "loops/wind-loop.json")] = other.layout(other.definition())
	}
	return files
}

// state returns the text of the state.
func (l *loop) state() string {
	var phases, gates []string
	current := "none"
	for i, p := range l.phases {
		if i == l.at || i == 0 {
			current = p.name
		}
		if p.inState != "-" {
			phases = append(phases, member(p.inState, l.phaseItem(p)))
		}
	}
	for _, g := range l.gates {
		if g.inState != "-" {
			gates = append(gates, member(g.inState, l.gateItem(g)))
		}
	}
	if l.isOdd(25) {
		phases = append(phases, member("EXTRA", object("status", oneOf(l.source, `"pending"`, `"complete"`, `"active"`))))
	}
	if l.isOdd(25) {
		gates = append(gates, member("extra-gate", object("status", `"pending"`, "required", oneOf(l.source, "true", "false"))))
	}
	for _, items := range []*[]string{&phases, &gates} {
		if l.isOdd(20) {
			l.Shuffle(len(*items), func(i, j int) { (*items)[i], (*items)[j] = (*items)[j], (*items)[i] })
		}
		if l.isOdd(30) && len(*items) > 0 {
			*items = append(*items, (*items)[l.IntN(len(*items))])
		}
	}
	started := oneOf(l.source, "2026-01-02T03:04:05Z", "2026-01-02T03:04:05.678Z", "2026-01-02T05:04:05+02:00")
	members := []string{
		member("loop", l.sometimesOdd(15, oneOf(l.source, "5", `""`, "null", `"other-loop"`, `"Kite-Loop"`), quote(l.id))),
		member("version", l.sometimesOdd(10, oneOf(l.source, `"3.0.0"`, "1", "null"), quote(l.version))),
		member("mode", l.sometimesOdd(20, oneOf(l.source, "null", "5"), oneOf(l.source, `"greenfield"`, `"brownfield"`))),
		member("phase", l.sometimesOdd(12, oneOf(l.source, "7", "null", `"NOPE"`, `""`, `"p1"`), quote(current))),
		member("gates", l.sometimesOdd(40, oneOf(l.source, "[]", "null", `"none"`, "["+strings.Join(quoteAll(l.gateNames()), ", ")+"]"), "{"+strings.Join(gates, ", ")+"}")),
		member("phases", l.sometimesOdd(50, oneOf(l.source, "[]", "{}", "null"), "{"+strings.Join(phases, ", ")+"}")),
		member("metrics", l.sometimesOdd(30, oneOf(l.source, "[]", "null", `{"a": {"b": 1}, "c": "d"}`), oneOf(l.source, "{}", `{"systems_built": 2, "coverage_percent": 80}`))),
		member("started_at", l.sometimesOdd(20, oneOf(l.source, "null", `"yesterday"`, `"2026-01-02"`, `"2026-01-02 03:04:05"`, "5", `"2099-01-01T00:00:00Z"`), quote(started))),
		member("last_updated", l.sometimesOdd(20, oneOf(l.source, "null", `"yesterday"`, `"2025-12-31T00:00:00Z"`, `"2026-01-03T00:00:00"`, `"2099-01-01T00:00:00Z"`), oneOf(l.source, quote(started), `"2026-01-03T00:00:00Z"`))),
	}
	if l.status != "" {
		members = append(members, member("status", l.status))
	}
	members = slices.DeleteFunc(members, func(string) bool { return l.isOdd(40) })
	for _, extra := range []string{`"status": "active"`, `"status": "paused"`, `"phases": {}`, `"gates": null`, `"systemId": "x", "stages": {}`, `"orchestratorId": "o"`, `"loopId": "x"`, `"context": {"deep": [1, {"status": "failed"}]}`} {
		if l.isOdd(60) {
			members = append(members, extra)
		}
	}
	if l.isOdd(5) {
		l.Shuffle(len(members), func(i, j int) { members[i], members[j] = members[j], members[i] })
	}
	return l.layout("{" + strings.Join(members, ", ") + "}")
}

// gateNames returns the ids of the gates.
func (l *loop) gateNames() (all []string) {
	for _, g := range l.gates {
		all = append(all, g.id)
	}
	return all
}

// phaseItem returns a phase of the state.
func (l *loop) phaseItem(p loopPhase) string {
	if l.isOdd(40) {
		return oneOf(l.source, "null", `"complete"`, "7", "[]", "{}")
	}
	started, completed := "null", "null"
	if p.order <= l.at && l.IntN(4) > 0 {
		started = quote(fmt.Sprintf("2026-01-02T%02d:00:00Z", 4+p.order))
	}
	if strings.Contains(p.status, "complete") && l.IntN(6) > 0 {
		completed = quote(fmt.Sprintf("2026-01-02T%02d:30:00Z", 4+p.order))
	}
	return object("status", p.status, "required", l.sometimesOdd(12, oneOf(l.source, "true", "false", "null", `"no"`), p.required), "skills", "["+strings.Join(quoteAll(p.skills), ", ")+"]",
		"deliverables", "["+strings.Join(quoteAll(p.delivered), ", ")+"]", "startedAt", started, "completedAt", completed, "status", l.sometimesOdd(60, `"skipped"`, ""))
}

// gateItem returns a gate of the state.
func (l *loop) gateItem(g loopGate) string {
	if l.isOdd(40) {
		return oneOf(l.source, "null", `"passed"`, `"pending"`, "7", "[]", "{}")
	}
	passed, reason := "null", "null"
	if g.status == `"passed"` {
		passed = oneOf(l.source, `"2026-01-02T05:00:00Z"`, `"2026-01-02T05:00:00Z"`, "null")
	}
	if g.status == `"skipped"` {
		reason = oneOf(l.source, `"the customer decided so"`, `"the customer decided so"`, `"short"`, "null")
	}
	return object("status", g.status, "required", l.sometimesOdd(8, oneOf(l.source, "true", "false", "null", ""), g.required), "approvalType", l.sometimesOdd(8, oneOf(l.source, `"human"`, `"auto"`, ""), g.approval),
		"deliverables", l.sometimesOdd(8, oneOf(l.source, "[]", `["MORE.md"]`, "null", ""), g.written), "passedAt", l.sometimesOdd(30, oneOf(l.source, `"soon"`, "5", ""), passed), "skippedReason", l.sometimesOdd(30, oneOf(l.source, "5", `""`, ""), reason),
		"status", l.sometimesOdd(60, oneOf(l.source, `"passed"`, `"pending"`), ""))
}

// definitionFiles returns the definition in one of its places, or another file in its place.
func (l *loop) definitionFiles(dir string) map[string]string {
	places := []string{path.Join(dir, "loop.json")}
	if l.id != "" && !strings.HasPrefix(l.id, ".") { // nothing is written outside the project
		places = append(places, path.Join(dir, l.id+".json"), path.Join(dir, "loops", l.id, "loop.json"), path.Join(dir, "loops", l.id+".json"))
	}
	if dir == "memory" {
		places = append(places, "loop.json", "loops/loop.json")
	}
	file := places[0]
	if l.IntN(4) == 0 {
		file = oneOf(l.source, places...)
	}
	files := map[string]string{}
	switch l.IntN(12) {
	case 0, 1:
		return files
	case 2: // an unusable one comes first or is the only one
		if l.oddity > 0 {
			other := oneOf(l.source, "", "{", "// by hand\n"+l.definition(), strings.Replace(l.definition(), "]", ",]", 1), `{"id": "other-loop", "phases": [{"name": "A"}], "gates": []}`, `{"id": "`+l.id+`"}`, "[]", "null", `{"id": "kite-loop", "phases": {}}`,
				"<<<<<<< HEAD\n"+l.definition())
			if l.IntN(6) == 0 {
				files[places[0]+"/"] = ""
			} else {
				files[places[0]] = other
			}
			if file == places[0] {
				return files
			}
		}
	}
	files[file] = l.layout(l.definition())
	return files
}

// definition returns the text of the definition.
func (l *loop) definition() string {
	var phases, gates []string
	nested := map[int][]string{}
	keys := map[int]string{}
	for _, g := range l.gates {
		for _, place := range g.places {
			switch place {
			case inList:
				gates = append(gates, l.definedGate(g, g.afterPhase))
			case inPhase:
				nested[g.after] = append(nested[g.after], l.definedGate(g, oneOf(l.source, "", "", g.afterPhase)))
			case inNextPhase:
				next := l.IntN(len(l.phases))
				nested[next] = append(nested[next], l.definedGate(g, oneOf(l.source, "", g.afterPhase)))
			case mentioned:
				nested[g.after] = append(nested[g.after], oneOf(l.source, quote(g.id), quote(g.id), object("id", quote(g.id))))
			case asKey:
				keys[g.after] = oneOf(l.source, quote(g.id), quote(g.id), object("id", quote(g.id), "required", g.required), "false", "null")
			}
		}
	}
	if l.isOdd(20) {
		gates = append(gates, oneOf(l.source, quote("bare-gate"), "null", "{}", "[]", "5", `{"id": 5}`, `{"id": 5, "required": false}`, `{"required": true}`, object("id", quote("bare-gate"), "afterPhase", quote(l.phases[0].name))))
	}
	for i, p := range l.phases {
		phases = append(phases, l.definedPhase(p, nested[i], keys[i]))
	}
	for _, items := range []*[]string{&phases, &gates} {
		if l.isOdd(30) {
			l.Shuffle(len(*items), func(i, j int) { (*items)[i], (*items)[j] = (*items)[j], (*items)[i] })
		}
		if l.isOdd(40) && len(*items) > 0 {
			*items = append((*items)[1:], oneOf(l.source, (*items)...))
		}
	}
	return object("id", l.sometimesOdd(20, oneOf(l.source, `"other-loop"`, "null", "5", ""), quote(l.id)), "name", quote("Kite "+oneOf(l.source, "Loop", "é", "\u202egnol")), "version", l.sometimesOdd(12, oneOf(l.source, `"9.0.0"`, "2", "null", ""), quote(l.version)),
		"description", `"Makes kites."`, "phases", l.sometimesOdd(50, oneOf(l.source, "{}", "[]", "null", `"A"`), "["+strings.Join(phases, ", ")+"]"),
		"gates", l.sometimesOdd(40, oneOf(l.source, "{}", "null", "", `"none"`), "["+strings.Join(gates, ", ")+"]"), "defaults", oneOf(l.source, `{"mode": "greenfield", "autonomy": "supervised"}`, `{"mode": "brownfield"}`, "null", ""),
		"id", l.sometimesOdd(80, `"other-loop"`, ""))
}

// definedPhase returns a phase of the definition.
func (l *loop) definedPhase(p loopPhase, nested []string, key string) string {
	if l.isOdd(40) {
		return oneOf(l.source, quote(p.name), quote(p.name), "null", "{}", "[]", "5", `{"name": 5, "id": "A"}`)
	}
	skills := quoteAll(p.skills)
	if l.IntN(6) == 0 {
		for i, skill := range skills {
			skills[i] = object("skillId", skill, "required", oneOf(l.source, "true", "false"))
		}
	}
	gates := ""
	if len(nested) > 0 || l.IntN(6) == 0 {
		gates = "[" + strings.Join(nested, ", ") + "]"
	}
	rest := object("skills", "["+strings.Join(skills, ", ")+"]", "required", l.sometimesOdd(12, oneOf(l.source, "true", "false", "null", ""), p.required), "notes", oneOf(l.source, "", `"Careful."`),
		oneOf(l.source, "deliverables", "requiredDeliverables"), oneOf(l.source, "", `["NOTES.md"]`), "gates", l.sometimesOdd(40, oneOf(l.source, "{}", "null", `"x-gate"`), gates), "gate", key)
	return "{" + p.defined + ", " + rest[1:]
}

// definedGate returns a gate of the definition.
func (l *loop) definedGate(g loopGate, afterPhase string) string {
	id, name := quote(g.id), quote(g.name)
	if g.byName {
		id = ""
	}
	return object("id", l.sometimesOdd(40, oneOf(l.source, "null", "5", `""`), id), "name", l.sometimesOdd(40, oneOf(l.source, "null", "5"), name), "afterPhase", afterPhase, "required", g.required, "approvalType", g.approval,
		"deliverables", g.written, "autoCheck", oneOf(l.source, "", "", `"build passes"`), "condition", oneOf(l.source, "", "", "", `"nothing is to be shipped"`), "type", oneOf(l.source, "", "", "", `"manual"`),
		oneOf(l.source, "criteria", "guarantees"), oneOf(l.source, "", "", `["it flies", {"description": "it lands"}]`))
}

// deliverableFiles returns some of the deliverables as files in the directory of the state.
func (l *loop) deliverableFiles(dir string) map[string]string {
	files := map[string]string{}
	for _, name := range []string{"GOALS.md", "OUTLINE.md", "SHAPE.md", "docs/PLAN.md", "report.json", "NOTES.md", "docs/notes.md"} {
		name = path.Join(dir, name)
		switch l.IntN(20) {
		case 0:
			files[name+"/"] = ""
		case 1, 2, 3:
			files[name] = ""
		case 4, 5, 6, 7:
		default:
			files[name] = "# Title\n\n## Section\n\nText.\n"
		}
	}
	return files
}

// layout returns a JSON text in one of its layouts, now and then broken.
func (l *loop) layout(text string) string {
	all := respelltest.JSON(text)
	if len(all) == 0 {
		return text
	}
	two := slices.IndexFunc(all, func(v respelltest.Variation) bool { return v.Name == "two blanks" })
	text = all[two].Text
	if l.oddity > 0 && l.IntN(3) == 0 {
		text = oneOf(l.source, all...).Text
	}
	if l.isOdd(60) {
		text = oneOf(l.source, text[:l.IntN(len(text))], text+"}", strings.Replace(text, ",", ",,", 1), strings.TrimSuffix(strings.TrimSpace(text), "}"))
	}
	return text
}

// object returns a JSON object of keys and values. A value of "" leaves its key out.
func object(keysAndValues ...string) string {
	var members []string
	for i := 0; i < len(keysAndValues); i += 2 {
		if keysAndValues[i+1] != "" {
			members = append(members, member(keysAndValues[i], keysAndValues[i+1]))
		}
	}
	return "{" + strings.Join(members, ", ") + "}"
}

// member returns a member of a JSON object.
func member(key, value string) string { return quote(key) + ": " + value }

// quote returns a text as JSON.
func quote(text string) string {
	data, err := json.Marshal(text)
	if err != nil {
		return strconv.Quote(text)
	}
	return string(data)
}

// quoteAll returns texts as JSON.
func quoteAll(texts []string) []string {
	all := make([]string, len(texts))
	for i, text := range texts {
		all[i] = quote(text)
	}
	return all
}
