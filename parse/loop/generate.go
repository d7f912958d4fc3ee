package loop

import (
	"errors"
	"fmt"
	"strings"
	"time"

	"gatehouse/model/line"
	"gatehouse/parse/disk/mirror"
	"gatehouse/parse/doc"
	"gatehouse/parse/loop/core"
	"gatehouse/parse/protocol"
)

// Note is a default that [Generate] took where the definition leaves something open.
type Note struct {
	Code string // J-C1 to J-C8, see README.md
	Text string
}

// Generate returns the state that a new loop begins with, by the content of its loop.json, and the name of its file. now becomes
// started_at and last_updated. The error says where and why no state can be made.
func Generate(content []byte, now time.Time) (text, file string, notes []Note, err error) {
	f, err := parseDefinition(string(content))
	var fault *mirror.Fault
	if errors.As(err, &fault) {
		return "", "", nil, fmt.Errorf("line %d, column %d: %s", fault.Line, max(fault.Col, 1), fault.Text)
	}
	at := f.Tree.Root()
	if !at.Is(doc.Map) {
		return "", "", nil, fmt.Errorf("line 1, column 1: this is %s, not a loop", at.Kind())
	}
	refused := f.Repeated
	for i := range f.Gates {
		if g := &f.Gates[i]; g.After < 0 && !g.Values[0].Get("afterPhase").IsEmpty() {
			refused = append(refused, doc.Problem{At: g.Values[0].Get("afterPhase").Offset(), Text: protocol.Quote(g.ID) + " " + f.Unplaced(g), Fix: "name a phase of the loop"})
		}
	}
	if len(refused) > 0 {
		row, col := f.lines.Position(refused[0].At)
		return "", "", nil, fmt.Errorf("line %d, column %d: %s; %s", row, col, line.Tidy(refused[0].Text), refused[0].Fix)
	}
	return generate(f.Definition, now)
}

func generate(d *core.Definition, now time.Time) (text, file string, notes []Note, err error) {
	switch {
	case d.ID == "":
		return "", "", nil, errors.New("the loop has no id; give it one")
	case !core.IsFileName(d.ID):
		return "", "", nil, fmt.Errorf("the id %q can't be part of a file name; use letters, digits, - and _", d.ID)
	case len(d.Phases) == 0:
		return "", "", nil, errors.New("the loop has no phases; name at least one")
	case len(d.Repeated) > 0:
		return "", "", nil, errors.New(line.Tidy(d.Repeated[0].Text))
	}
	g := &generator{d: d}
	for _, p := range d.Problems {
		g.note("", "%s", p.Text)
	}
	g.writeState(protocol.FormatTime(now))
	if file = strings.TrimSuffix(d.ID, "-loop") + "-state.json"; d.ID == "engineering-loop" { // older than the rule
		file = "loop-state.json"
	}
	return g.b.String(), file, g.notes, nil
}

// generator writes a state with two spaces a level, in the order of the protocol.
type generator struct {
	d     *core.Definition
	b     strings.Builder
	notes []Note
}

func (g *generator) note(code, format string, args ...any) {
	g.notes = append(g.notes, Note{code, line.Tidy(fmt.Sprintf(format, args...))})
}

func (g *generator) writeState(now string) {
	root := g.d.Tree.Root()
	mode := root.Get("defaults", "mode").Text()
	if mode == "" {
		if mode = root.Get("defaultMode").Text(); mode == "" {
			mode = "greenfield"
		}
		g.note("J-C1", "no default mode; %s is used", mode)
	}
	version := root.Get("version").Text()
	if version == "" {
		g.note("", `no version; "" is used`)
	}
	g.b.WriteString("{\n")
	g.writeMember(1, "loop", doc.QuoteJSON(g.d.ID), true)
	g.writeMember(1, "version", doc.QuoteJSON(version), true)
	g.writeMember(1, "mode", doc.QuoteJSON(mode), true)
	g.writeMember(1, "phase", doc.QuoteJSON(g.d.Phases[0].Name), true)
	g.writeMember(1, "status", `"active"`, true)
	g.writeGates(root)
	g.writePhases()
	g.writeMember(1, "metrics", "{}", true)
	g.writeMember(1, "started_at", doc.QuoteJSON(now), true)
	g.writeMember(1, "last_updated", doc.QuoteJSON(now), false)
	g.b.WriteString("}\n")
}

func (g *generator) writeGates(root doc.Value) {
	var gates []*core.DefinedGate
	for i := range g.d.Gates {
		if gate := &g.d.Gates[i]; gate.Nested {
			g.note("J-C2", "gate %s is defined in its phase; the state leaves it out", gate.ID)
		} else {
			gates = append(gates, gate)
		}
	}
	if !root.Get("gates").Is(doc.List) {
		g.note("J-C2", "the loop has no gates of its own")
	}
	g.writeObject("gates", len(gates), func(i int) string { return gates[i].ID }, func(i int) {
		value := gates[i].Values[0]
		approval := value.Get("approvalType").Text()
		if approval == "" {
			approval = "human"
			g.note("J-C4", "gate %s has no approvalType; human is used", gates[i].ID)
		}
		if !value.Get("deliverables").Is(doc.List) {
			g.note("J-C5", "gate %s has no deliverables", gates[i].ID)
		}
		if gates[i].ByID {
			g.note("J-C8", "gate %s names its phase by id; its name is %s", gates[i].ID, g.d.Phases[gates[i].After].Name)
		}
		g.writeMember(3, "status", `"pending"`, true)
		g.writeRequired("gate "+gates[i].ID, "J-C3", value)
		g.writeMember(3, "approvalType", doc.QuoteJSON(approval), true)
		g.writeList("deliverables", requiredNames(value.Get("deliverables")))
		g.writeMember(3, "passedAt", "null", true)
		g.writeMember(3, "skippedReason", "null", false)
	})
}

func (g *generator) writePhases() {
	g.writeObject("phases", len(g.d.Phases), func(i int) string { return g.d.Phases[i].Name }, func(i int) {
		value, status := g.d.Phases[i].Value, `"pending"`
		if i == 0 {
			status = `"active"`
		}
		skills, _ := names(value.Get("skills"), nameKeys...)
		for skill := range value.Get("skills").Children() {
			if skill.Is(doc.Map) {
				g.note("J-C7", "the skills of phase %s are objects; their names are used", g.d.Phases[i].Name)
				break
			}
		}
		g.writeMember(3, "status", status, true)
		g.writeRequired("phase "+g.d.Phases[i].Name, "J-C6", value)
		g.writeList("skills", skills)
		g.writeList("deliverables", nil)
		g.writeMember(3, "startedAt", "null", true)
		g.writeMember(3, "completedAt", "null", false)
	})
}

// writeRequired writes whether something is required. The default is yes.
func (g *generator) writeRequired(what, code string, value doc.Value) {
	is, ok := value.Get("required").Bool()
	if !ok {
		g.note(code, "%s does not say whether it is required; true is used", what)
	}
	g.writeMember(3, "required", fmt.Sprint(is || !ok), true)
}

// writeObject writes an object of n objects; members writes the members of one.
func (g *generator) writeObject(key string, n int, name func(i int) string, members func(i int)) {
	if n == 0 {
		g.writeMember(1, key, "{}", true)
		return
	}
	g.b.WriteString("  " + doc.QuoteJSON(key) + ": {\n")
	for i := range n {
		g.b.WriteString("    " + doc.QuoteJSON(name(i)) + ": {\n")
		members(i)
		g.b.WriteString("    }" + lineEnd(i < n-1))
	}
	g.b.WriteString("  }" + lineEnd(true))
}

// writeList writes a list of texts, one a line.
func (g *generator) writeList(key string, texts []string) {
	if len(texts) == 0 {
		g.writeMember(3, key, "[]", true)
		return
	}
	g.b.WriteString("      " + doc.QuoteJSON(key) + ": [\n")
	for i, text := range texts {
		g.b.WriteString("        " + doc.QuoteJSON(text) + lineEnd(i < len(texts)-1))
	}
	g.b.WriteString("      ]" + lineEnd(true))
}

func (g *generator) writeMember(level int, key, value string, hasMore bool) {
	g.b.WriteString(strings.Repeat("  ", level) + doc.QuoteJSON(key) + ": " + value + lineEnd(hasMore))
}

func lineEnd(hasMore bool) string {
	if hasMore {
		return ",\n"
	}
	return "\n"
}
