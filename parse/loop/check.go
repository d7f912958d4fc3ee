// The strict side: the eleven rules of a state (README.md, "The eleven rules"), and whatever reading had to pass over.

package loop

import (
	"fmt"
	"regexp"
	"slices"
	"strings"
	"time"

	"gatehouse/model"
	"gatehouse/parse/loop/rules"
	"gatehouse/parse/reader"
	"gatehouse/parse/text/jsondoc"
)

// Rules that are not among the eleven, besides those of every check.
const (
	ruleVersion    = "loop-version"    // state and definition are of different versions
	ruleDefinition = "loop-definition" // there is none to check against
	ruleRequired   = "loop-required"   // state and definition differ in whether something is required
	ruleApproval   = "loop-approval"   // and in who opens a gate
)

// breach is a rule that is broken by something.
type breach struct {
	rule    int    // of the eleven, in the order of the document; 0 for another
	other   string // the ID of a rule that is none of the eleven
	weaker  bool   // the state is weaker by it than the definition
	subject string // the phase, the gate or the field
	at      int    // where in the state
	text    string
	fix     string
}

// Check returns every rule that the state breaks, in the order of files and lines. The rules about a state that was just
// made are asked of one that nothing has moved in. Where state and definition are of different versions, what is not the
// same in them is a warning.
func (r *Reader) Check(now time.Time) []model.Problem {
	v := r.read(now)
	if v.s.kind == "" && v.s.doc != nil {
		var d *definition
		if v.d != nil {
			d = v.d.definition
		} else if v.other == "" && v.undefinable == nil {
			v.problem(model.Pos{File: r.file}, fault{rule: ruleDefinition,
				text: "no loop.json of " + v.name() + " was found; whether names and lists agree with it was not checked",
				fix:  "put it beside the state, or name its directory in GATEHOUSE_LOOPS"})
		}
		for _, b := range broken(v.s, d, fresh(v.s)) {
			if !b.weaker { // those are reported whoever looks
				v.breach(b)
			}
		}
		if d != nil {
			c := &checker{s: v.s, d: d}
			c.terms()
			for _, b := range c.broken {
				if !b.weaker {
					v.breach(b)
				}
			}
			v.definitionConforms()
		}
		v.conforms()
	}
	return reader.NewCheck(v.b).End("have the agents bring the file in line with itself")
}

// fresh reports whether a state is as it was made, by its own times: it was written once.
func fresh(s *state) bool { return s.started != "" && s.started == s.updated }

// moved reports whether anything in a state has.
func moved(s *state) bool {
	return slices.ContainsFunc(s.gates, func(g stateGate) bool {
		return slices.Contains([]string{rules.Passed, rules.Skipped, rules.Failed}, rules.GateWord(g.Status))
	}) || slices.ContainsFunc(s.phases, func(p statePhase) bool { return p.finished() })
}

// finished reports whether a phase is over.
func (p *statePhase) finished() bool { return (&rules.Phase{Status: p.Status}).Finished() }

// checker gathers the rules that a state breaks.
type checker struct {
	s      *state
	d      *definition
	broken []breach
}

func (c *checker) report(rule int, subject string, at int, text, fix string) {
	c.broken = append(c.broken, breach{rule: rule, subject: subject, at: at, text: text, fix: fix})
}

// broken returns the rules that a state breaks against a definition; without one, those that need none. initial says that
// it has to be as it was made.
func broken(s *state, d *definition, initial bool) []breach {
	c := &checker{s: s, d: d}
	if d != nil {
		c.names()
		c.lists()
	}
	c.times()
	if initial {
		c.initial()
	}
	slices.SortStableFunc(c.broken, func(a, b breach) int { return a.rule - b.rule })
	return c.broken
}

// names are the rules 1 to 4: the same phases and gates, spelled the same. A name in another case is a misspelt one, not a
// missing one; one that the definition does not have is misspelt, too.
func (c *checker) names() {
	root := c.s.doc.Root
	var defined, held []string
	for i := range c.d.phases {
		defined = append(defined, c.d.phases[i].Name)
	}
	for i := range c.s.phases {
		held = append(held, c.s.phases[i].Name)
	}
	c.same(1, "phase", defined, held, root.Get("phases"))
	defined, held = nil, nil
	for i := range c.d.gates {
		if c.d.gates[i].once.Asked { // the others are of no generated state
			defined = append(defined, c.idIn(&c.d.gates[i]))
		}
	}
	for i := range c.s.gates {
		if g := c.d.gateCalled(c.s.gates[i].Name); g == nil || g.once.Asked {
			held = append(held, c.s.gates[i].Name)
		}
	}
	c.same(2, "gate", defined, held, root.Get("gates"))
}

// idIn returns the ID that a gate of the definition has in the state: one that it calls by a name alone has that of its own there.
func (c *checker) idIn(g *definedGate) string {
	for i := range c.s.gates {
		if id := c.s.gates[i].Name; g.Is(id) && c.d.gateCalled(id) == g {
			return id
		}
	}
	return g.ID
}

// same compares names: rule is that of the missing, the rule two further on that of the misspelt.
func (c *checker) same(rule int, what string, defined, held []string, in *jsondoc.Value) {
	folded, known := map[string]bool{}, map[string]bool{}
	for _, name := range held {
		folded[strings.ToLower(name)] = true
	}
	spelled := map[string]string{}
	for _, name := range defined {
		known[name], spelled[strings.ToLower(name)] = true, name
		if !folded[strings.ToLower(name)] {
			c.report(rule, name, in.Place(0), fmt.Sprintf("the %s %s of the definition is missing", what, reader.Quoted(name)), fmt.Sprintf("add it to %ss", what))
			c.broken[len(c.broken)-1].weaker = true
		}
	}
	for _, name := range held {
		if known[name] {
			continue
		}
		fix := fmt.Sprintf("add the %s to the definition, or write it as the definition does", what)
		if right := spelled[strings.ToLower(name)]; right != "" {
			fix = "write it as the definition does: " + right
		}
		c.report(rule+2, name, c.member(in, name), fmt.Sprintf("the definition has no %s %s", what, reader.Quoted(name)), fix)
	}
}

// member returns where a member of an object begins.
func (c *checker) member(in *jsondoc.Value, key string) int {
	if m := in.Member(key); m != nil {
		return m.KeyAt
	}
	return in.Place(0)
}

// lists are the rules 5 and 6: the same deliverables and skills, in the same order.
func (c *checker) lists() {
	for i := range c.s.gates {
		g := &c.s.gates[i]
		if d := c.d.gateCalled(g.Name); d != nil {
			c.list(5, g.Name, "deliverables", g.value, g.at, d.deliverables)
		}
	}
	for i := range c.s.phases {
		p := &c.s.phases[i]
		if d := c.d.phaseNamed(p.Name); d != nil {
			c.list(6, p.Name, "skills", p.value, p.at, d.skills)
		}
	}
}

func (c *checker) list(rule int, subject, key string, in *jsondoc.Value, at int, want []string) {
	v := in.Get(key)
	got, whole := texts(v, skillKeys...)
	if whole && slices.Equal(got, want) {
		return
	}
	text := fmt.Sprintf("the %s of %s are not those of the definition", key, reader.Quoted(subject))
	if v == nil {
		text = fmt.Sprintf("the %s of %s are missing", key, reader.Quoted(subject))
	}
	fix := "write [" + list(want) + "], in this order"
	if more := slices.DeleteFunc(slices.Clone(got), func(name string) bool { return slices.Contains(want, name) }); rule == 5 && len(more) > 0 {
		text += ", and what either names is asked for" // so no advice takes one away
		fix = "name all of them in both, in the same order: [" + list(append(slices.Clone(want), more...)) + "]"
	}
	c.report(rule, subject, v.Place(at), text, fix)
	if rule == 5 {
		c.broken[len(c.broken)-1].weaker = slices.ContainsFunc(want, func(name string) bool { return !slices.Contains(got, name) })
	}
}

// iso8601 is a time with date, time and zone, in the extended form or in the basic one.
var iso8601 = regexp.MustCompile(`^(?:(\d{4})-(\d\d)-(\d\d)[Tt](\d\d):(\d\d)(?::(\d\d)(?:[.,]\d+)?)?|` +
	`(\d{4})(\d\d)(\d\d)[Tt](\d\d)(\d\d)(?:(\d\d)(?:[.,]\d+)?)?)(?:[Zz]|[+-](\d\d)(?::?(\d\d))?)$`)

// isTime reports whether a text is a time by ISO 8601, and a real one.
func isTime(s string) bool {
	part := iso8601.FindStringSubmatch(s)
	if part == nil {
		return false
	}
	at := 1
	if part[at] == "" {
		at = 7
	}
	if _, err := time.Parse("20060102T1504", strings.Join(part[at:at+3], "")+"T"+part[at+3]+part[at+4]); err != nil {
		return false
	}
	return part[at+5] <= "60" && part[13] <= "23" && part[14] <= "59" // a second may be a leap second
}

// times is rule 7.
func (c *checker) times() {
	at := func(v *jsondoc.Value, subject string, at int, needed bool) {
		switch {
		case v.Is(jsondoc.String) && isTime(v.Text()), !needed && (v == nil || v.Is(jsondoc.Null)):
			return
		case v == nil:
			c.report(7, subject, at, subject+" is missing", "write a time like 2026-06-01T12:34:56Z")
		default:
			c.report(7, subject, v.At, subject+" is no ISO 8601 time with date, time and zone", "write it like 2026-06-01T12:34:56Z")
		}
	}
	root := c.s.doc.Root
	at(root.Get("started_at"), "started_at", root.At, true)
	at(root.Get("last_updated"), "last_updated", root.At, true)
	for i := range c.s.gates {
		g := &c.s.gates[i]
		at(g.value.Get("passedAt"), g.Name+".passedAt", g.at, false)
	}
	for i := range c.s.phases {
		p := &c.s.phases[i]
		at(p.value.Get("startedAt"), p.Name+".startedAt", p.at, false)
		at(p.value.Get("completedAt"), p.Name+".completedAt", p.at, false)
	}
}

// initial are the rules 8 to 11, about a state that was just made.
func (c *checker) initial() {
	root, first := c.s.doc.Root, ""
	if c.d != nil && len(c.d.phases) > 0 {
		first = c.d.phases[0].Name
	}
	made := " of a new state is "
	if moved(c.s) {
		made = ", by its times (started_at is last_updated) of a new state, is "
	}
	if c.s.Status != rules.Active {
		c.report(8, "status", root.Get("status").Place(root.At), "a new state is "+word(c.s.Status)+", not active", "write active")
	}
	if first != "" && c.s.Phase != first {
		c.report(9, "phase", root.Get("phase").Place(root.At), "a new state is in phase "+reader.Quoted(c.s.Phase)+", not in the first", "write "+first)
	}
	for i := range c.s.gates {
		if g := &c.s.gates[i]; g.Status != rules.Pending {
			c.report(10, g.Name, g.statusAt, "the gate "+reader.Quoted(g.Name)+made+word(g.Status)+", not pending", "write pending, or into last_updated when it was changed")
		}
	}
	for i := range c.s.phases {
		p, want := &c.s.phases[i], rules.Pending
		if p.Name == first {
			want = rules.Active
		}
		if p.Status != want && (first != "" || p.Status != rules.Active) {
			c.report(11, p.Name, p.statusAt, "the phase "+reader.Quoted(p.Name)+made+word(p.Status)+", not "+want, "write "+want+", or into last_updated when it was changed")
		}
	}
}

// breach reports a rule that is broken. Where state and definition are of different versions, what is not the same in them is a
// warning.
func (v *view) breach(b breach) {
	f := fault{rule: b.other, text: b.text, fix: b.fix, severe: b.rule >= 7 || v.d == nil || v.s.version == v.d.version}
	if b.other == "" {
		f.rule = fmt.Sprintf("loop-%02d", b.rule)
	}
	v.problem(v.pos(b.at), f)
}

// weakened reports where the state is weaker than its definition. The stricter of both counts, and somebody has to say which is
// meant.
func (v *view) weakened() {
	if v.d == nil {
		return
	}
	c := &checker{s: v.s, d: v.d.definition}
	c.names()
	c.lists()
	c.terms()
	for _, b := range c.broken {
		if b.weaker {
			v.breach(b)
		}
	}
}

// terms are no rule of the eleven: what a state says of whether something is required, and of who opens a gate, is what its
// definition does.
func (c *checker) terms() {
	// stricter is how much stricter the state is than the definition; then no advice proposes the weaker.
	say := func(rule, subject string, v *jsondoc.Value, stricter int, has, want string) {
		b := breach{other: rule, subject: subject, at: v.Place(0), weaker: stricter < 0, fix: "write " + want,
			text: reader.Quoted(subject) + " is " + has + " by the state and " + want + " by the definition; the stricter counts"}
		if stricter > 0 {
			b.fix = "write into the definition what the state says, too"
		}
		c.broken = append(c.broken, b)
	}
	need := func(subject string, v *jsondoc.Value, defined bool) {
		if v = v.Get("required"); !v.Is(jsondoc.Bool) || rules.Optional(v.Raw) != defined {
			return
		}
		if rules.Optional(v.Raw) {
			say(ruleRequired, subject, v, -1, "not required", "required")
		} else {
			say(ruleRequired, subject, v, 1, "required", "not required")
		}
	}
	for i := range c.s.phases {
		p := &c.s.phases[i]
		if d := c.d.phaseNamed(p.Name); d != nil {
			need(p.Name, p.value, !rules.Optional(d.Required))
		}
	}
	for i := range c.s.gates {
		g := &c.s.gates[i]
		d := c.d.gateCalled(g.Name)
		if d == nil {
			continue
		}
		need(g.Name, g.value, d.once.Required)
		has, odd := approval(g.approval)
		want := approvalKind(d.approval)
		if g.approval != "" && (has != want || odd != "" && g.approval != d.approval) {
			say(ruleApproval, g.Name, g.value.Get("approvalType"), strictness[has]-strictness[want], reader.Quoted(g.approval), string(want))
		}
	}
}
