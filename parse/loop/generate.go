// A new state from a loop.json: README.md, "A new state".

package loop

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"gatehouse/model/line"
	"gatehouse/parse/disk/mirror"
	"gatehouse/parse/loop/rules"
	"gatehouse/parse/reader"
	"gatehouse/parse/text/jsondoc"
)

// Generate returns the state that a loop begins with, the name of the file that it belongs into, and for people what the
// definition left open, with the default that was taken. The definition is the content of a loop.json; now becomes
// started_at and last_updated, in UTC and seconds. It fails for what is no JSON object, has no id that can be part of a
// file's name, or no phases, and for two phases or gates of one name.
func Generate(content []byte, now time.Time) (text, file string, notes []string, err error) {
	d, err := parseDefinition(string(content))
	var place *mirror.Fault
	if errors.As(err, &place) {
		return "", "", nil, fmt.Errorf("line %d, column %d: %s", place.Line, max(place.Col, 1), place.Text)
	} else if err != nil {
		return "", "", nil, err
	}
	return d.generate(now)
}

// generate is Generate of a definition that was read.
func (d *definition) generate(now time.Time) (text, file string, notes []string, err error) {
	if err := d.generable(); err != nil {
		return "", "", nil, err
	}
	g := &generator{d: d}
	g.state(reader.Stamp(now))
	return g.b.String(), stateFileOf(d.ID), g.notes, nil
}

// stateFileOf returns the name of the file that a loop's state is kept in: its id without "-loop" and with "-state.json",
// but for the one loop that is older than this rule.
func stateFileOf(id string) string {
	if id == "engineering-loop" {
		return "loop-state.json"
	}
	return strings.TrimSuffix(id, "-loop") + "-state.json"
}

// generable returns why no state can be made.
func (d *definition) generable() error {
	switch kind := d.doc.Root.Kind(); {
	case kind != jsondoc.Object:
		return errors.New("line 1, column 1: this is no loop: " + kindWords[kind] + ", not an object")
	case d.ID == "":
		return errors.New("the loop has no id; give it one")
	case !rules.UsableInPath(d.ID):
		return fmt.Errorf("the loop's id is %q, which can't be part of a file's name; use letters, digits, - and _", d.ID)
	case len(d.phases) == 0:
		return errors.New("the loop has no phases; name one at least")
	}
	seen := map[string]bool{}
	for i := range d.phases {
		if name := d.phases[i].Name; seen[name] {
			return fmt.Errorf("two phases are called %q; rename one", name)
		}
		seen[d.phases[i].Name] = true
	}
	seen = map[string]bool{}
	for i := range d.written {
		g := &d.written[i]
		if g.text && g.nested() {
			continue // no more than a mention
		}
		if seen[g.ID] {
			return fmt.Errorf("two gates are called %q; rename one", g.ID)
		}
		seen[g.ID] = true
	}
	return nil
}

// generator writes a state, with two spaces a level, in the order of the schema.
type generator struct {
	d     *definition
	b     strings.Builder
	notes []string
}

func (g *generator) note(format string, args ...any) {
	g.notes = append(g.notes, line.Tidy(fmt.Sprintf(format, args...)))
}

func (g *generator) state(now string) {
	g.b.WriteString("{\n")
	g.line(1, "loop", quote(g.d.ID), true)
	if g.d.version == "" {
		g.note("the loop names no version: \"\"")
	}
	g.line(1, "version", quote(g.d.version), true)
	g.line(1, "mode", quote(g.mode()), true)
	g.line(1, "phase", quote(g.d.phases[0].Name), true)
	g.line(1, "status", `"active"`, true)
	g.gates()
	g.phases()
	g.line(1, "metrics", "{}", true)
	g.line(1, "started_at", quote(now), true)
	g.line(1, "last_updated", quote(now), false)
	g.b.WriteString("}\n")
}

// mode is the loop's default mode.
func (g *generator) mode() string {
	root := g.d.doc.Root
	if mode := root.Get("defaults", "mode").Text(); mode != "" {
		return mode
	}
	mode := g.d.mode
	if mode == "" {
		mode = "greenfield"
	}
	g.note("no default mode (J-C1): %s", mode)
	return mode
}

func (g *generator) gates() {
	var own []*definedGate
	for i := range g.d.gates {
		if d := &g.d.gates[i]; d.nested() {
			g.note("gate %s stands in its phase (J-C2): it is not part of the state", d.ID)
		} else {
			own = append(own, d)
		}
	}
	slices.SortStableFunc(own, func(a, b *definedGate) int { return a.Element - b.Element })
	if !g.d.doc.Root.Get("gates").Is(jsondoc.Array) {
		g.note("the loop has no gates of its own (J-C2): none")
	}
	g.object("gates", len(own), func(i int) string { return own[i].ID }, func(i int) {
		d := own[i]
		approval := d.approval
		if approval == "" {
			approval = "human"
			g.note("gate %s has no approvalType (J-C4): human", d.ID)
		}
		if !d.hasDeliverables {
			g.note("gate %s has no deliverables (J-C5): none", d.ID)
		}
		if d.once.ByID {
			g.note("gate %s names the phase it stands behind by its id (J-C8): %s", d.ID, g.d.phases[d.once.After].Name)
		}
		g.line(3, "status", `"pending"`, true)
		g.line(3, "required", g.required("gate "+d.ID, "J-C3", d.Required), true)
		g.line(3, "approvalType", quote(approval), true)
		g.list("deliverables", d.deliverables)
		g.line(3, "passedAt", "null", true)
		g.line(3, "skippedReason", "null", false)
	})
}

func (g *generator) phases() {
	g.object("phases", len(g.d.phases), func(i int) string { return g.d.phases[i].Name }, func(i int) {
		p := &g.d.phases[i]
		status := `"pending"`
		if i == 0 {
			status = `"active"`
		}
		if p.objects {
			g.note("the skills of phase %s are objects (J-C7): their names", p.Name)
		}
		g.line(3, "status", status, true)
		g.line(3, "required", g.required("phase "+p.Name, "J-C6", p.Required), true)
		g.list("skills", p.skills)
		g.list("deliverables", nil)
		g.line(3, "startedAt", "null", true)
		g.line(3, "completedAt", "null", false)
	})
}

// required says whether something is required; what does not say so is.
func (g *generator) required(what, rule, said string) string {
	if said != "true" && said != "false" {
		g.note("%s does not say whether it is required (%s): true", what, rule)
		return "true"
	}
	return said
}

// object writes an object of n objects, of which members writes what is in one.
func (g *generator) object(key string, n int, name func(i int) string, members func(i int)) {
	if n == 0 {
		g.line(1, key, "{}", true)
		return
	}
	g.b.WriteString("  " + quote(key) + ": {\n")
	for i := range n {
		g.b.WriteString("    " + quote(name(i)) + ": {\n")
		members(i)
		g.b.WriteString("    }" + comma(i < n-1))
	}
	g.b.WriteString("  }" + comma(true))
}

// list writes a list of texts, one a line.
func (g *generator) list(key string, texts []string) {
	if len(texts) == 0 {
		g.line(3, key, "[]", true)
		return
	}
	g.b.WriteString("      " + quote(key) + ": [\n")
	for i, text := range texts {
		g.b.WriteString("        " + quote(text) + comma(i < len(texts)-1))
	}
	g.b.WriteString("      ]" + comma(true))
}

// line writes a member on a line of its own.
func (g *generator) line(level int, key, value string, more bool) {
	g.b.WriteString(strings.Repeat("  ", level) + quote(key) + ": " + value + comma(more))
}

func comma(more bool) string {
	if more {
		return ",\n"
	}
	return "\n"
}

// quote returns a text as a JSON string that escapes what has to be, and nothing else.
func quote(text string) string {
	b := append(make([]byte, 0, len(text)+2), '"')
	for _, r := range text {
		switch short := strings.IndexRune("\"\\\n\r\t\b\f", r); {
		case short >= 0:
			b = append(b, '\\', `"\nrtbf`[short])
		case r < 0x20:
			b = fmt.Appendf(b, `\u%04x`, r)
		default:
			b = append(b, string(r)...)
		}
	}
	return string(append(b, '"'))
}
