package parse

import (
	"fmt"
	"strconv"
	"strings"
)

// oddLoop makes the state of a loop and often its definition: with gates that stand nowhere, twice or in a phase, words and
// types that the protocol does not know, keys that stand twice, and names that differ.
func oddLoop(o odd) map[string]string {
	names := []string{"A", "B", "C", "D é", "", "a/b"}[:1+o.IntN(6)]
	gates := []string{"g1", "g2", "g3", "g 4", "g#5"}[:o.IntN(6)]
	files := map[string]string{}
	state := "x-state.json"
	if o.IntN(8) == 0 {
		state = oneOf(o, "state.json", "memory/x-state.json", "loop-state.json")
	}
	files[state] = o.sometimes(12, oneOf(o, "", "{", "null", "[]", " {} ", "\x00", `{"loop": "x", "phases": []}`, `{"phases": [], "gates": {}}`, `{"lights": "on"}`), oddLoopState(o, names, gates))
	dir := strings.TrimSuffix(state, state[strings.LastIndex(state, "/")+1:])
	if o.IntN(8) > 0 {
		files[dir+oneOf(o, "loop.json", "loop.json", "loop.json", "x.json", "loops/x/loop.json", "loops/x.json")] = oddLoopDefinition(o, names, gates)
	}
	if o.IntN(6) == 0 {
		files["y-state.json"] = oddLoopState(o, names, gates)
	}
	return files
}

func oddLoopState(o odd, names, gates []string) string {
	var phases, held []string
	for _, name := range oddNames(o, names) {
		phases = append(phases, strconv.Quote(name)+": "+oddItem(o, "complete", "complete", "active", "pending", "pending", "skipped", "completed", "in_progress", "failed", "done", "", "passed"))
	}
	for _, id := range oddNames(o, gates) {
		held = append(held, strconv.Quote(id)+": "+oddItem(o, "pending", "pending", "passed", "skipped", "failed", "approved", "rejected", "requested", "", "complete"))
	}
	members := []string{
		`"loop": ` + o.sometimes(12, oneOf(o, `5`, `""`, `null`), `"x"`),
		`"status": ` + o.sometimes(4, oneOf(o, `"paused"`, `"failed"`, `"complete"`, `"completed"`, `"running"`, `""`, `true`, `null`), `"active"`),
		`"phase": ` + o.sometimes(10, `7`, strconv.Quote(oneOf(o, append(names, "none")...))),
		`"phases": ` + o.sometimes(25, oneOf(o, `[]`, `{}`, `null`), "{"+strings.Join(phases, ", ")+"}"),
		`"gates": ` + o.sometimes(25, oneOf(o, `[]`, `null`, `"none"`), "{"+strings.Join(held, ",\n")+"}"),
	}
	for _, rare := range []string{`"version": "1.0"`, `"status": "active"`, `"systemId": "x", "stages": {}`, `"orchestratorId": "o"`, `"loopId": "x"`} {
		if o.IntN(20) == 0 {
			members = append(members, rare)
		}
	}
	o.Shuffle(len(members), func(i, j int) { members[i], members[j] = members[j], members[i] })
	text := "{\n" + strings.Join(members, ",\n") + "\n}"
	return o.sometimes(20, "\ufeff"+text, o.sometimes(40, text[:o.IntN(len(text))], text))
}

// oddNames returns names in another order, some left out, some twice.
func oddNames(o odd, names []string) (some []string) {
	for _, name := range names {
		if o.IntN(10) > 0 {
			some = append(some, name)
		}
		if o.IntN(15) == 0 {
			some = append(some, name)
		}
	}
	if o.IntN(6) == 0 {
		o.Shuffle(len(some), func(i, j int) { some[i], some[j] = some[j], some[i] })
	}
	return append(some, []string{"other"}[:o.IntN(8)/7]...)
}

// oddItem is a phase or a gate of a state.
func oddItem(o odd, words ...string) string {
	if o.IntN(25) == 0 {
		return oneOf(o, `null`, `"complete"`, `7`, `[]`, `{}`)
	}
	item := `{"status": ` + o.sometimes(20, oneOf(o, `null`, `5`, `true`, `["passed"]`, `{}`), strconv.Quote(oneOf(o, words...)))
	if o.IntN(3) > 0 {
		item += `, "required": ` + oneOf(o, `true`, `true`, `false`, `null`, `"no"`, `0`)
	}
	if o.IntN(30) == 0 {
		item += `, "status": ` + strconv.Quote(oneOf(o, words...))
	}
	return item + "}"
}

func oddLoopDefinition(o odd, names, gates []string) string {
	nested := map[int][]string{}
	var own []string
	for _, id := range oddNames(o, gates) {
		gate := fmt.Sprintf(`{"%s": %q`, o.sometimes(15, "name", "id"), id)
		if o.IntN(8) > 0 {
			gate += `, "afterPhase": ` + o.sometimes(8, oneOf(o, `"Nope"`, `""`, `null`, `3`, `"p1"`, `"p2"`), strconv.Quote(oneOf(o, names...)))
		}
		if o.IntN(3) == 0 {
			gate += `, "required": ` + oneOf(o, `true`, `false`, `null`, `"false"`)
		}
		gate = o.sometimes(25, oneOf(o, strconv.Quote(id), `null`, `{}`, `[]`), gate+"}")
		if o.IntN(4) == 0 {
			i := o.IntN(len(names))
			nested[i] = append(nested[i], gate)
			continue
		}
		own = append(own, gate)
	}
	var phases []string
	for i, name := range oddNames(o, names) {
		phase := fmt.Sprintf(`{"name": %q, "id": "p%d"`, name, o.IntN(4))
		if o.IntN(10) == 0 {
			phase = fmt.Sprintf(`{"id": %q`, name)
		}
		if o.IntN(4) == 0 {
			phase += `, "required": false`
		}
		phase += `, "gates": [` + strings.Join(nested[i], ", ") + `]}`
		phases = append(phases, o.sometimes(30, oneOf(o, strconv.Quote(name), `null`, `{}`, `{"name": 5, "id": "A"}`), phase))
	}
	text := `{"id": ` + o.sometimes(12, oneOf(o, `"y"`, `null`, `5`), `"x"`) + `, "phases": ` + o.sometimes(30, oneOf(o, `{}`, `[]`), "["+strings.Join(phases, ",\n")+"]") +
		`, "gates": ` + o.sometimes(20, oneOf(o, `{}`, `null`), "["+strings.Join(own, ",\n")+"]") + "}"
	return o.sometimes(40, text[:o.IntN(len(text))], text)
}
