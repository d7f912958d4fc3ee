// Finding an ultraplan project: the same .planning as GSD's, told apart by product.md §2, and a tree of plans that is
// counted by its names alone.

package nearest

import (
	"gatehouse/parse/disk/peek"
	"gatehouse/parse/text/scan"
)

// UltraplanHome is the directory of ultraplan's own files in a project.
const UltraplanHome = ".ultraplan"

// ultraplanPhases is how many phases the prompt looks into: each costs the listing of its directory.
const ultraplanPhases = 1000

// ultraplanEntries is how many entries of a directory of phases or plans the prompt looks at.
const ultraplanEntries = 4096

// IsUltraplan reports whether a .planning directory is ultraplan's and not GSD's: .ultraplan stands beside it, or the text
// of its STATE.md holds a current_task block, unless the frontmatter of that text names GSD's version. home says whether
// .ultraplan is there and is asked only when the text does not decide.
func IsUltraplan(text string, home func() bool) bool {
	if block, _, ok := scan.Frontmatter(text); ok {
		s := scan.Scalars{Block: block}
		for key, value, ok := s.Next(); ok; key, value, ok = s.Next() {
			if key == "gsd_state_version" && value != "" {
				return false
			}
		}
	}
	if _, ok := UltraplanTaskBlock(text); ok {
		return true
	}
	return home()
}

// planning is what is known of a directory's .planning: two protocols ask for it, and it is looked at once.
type planning struct {
	dir   string // the directory asked about, "" for none yet
	path  string // of .planning
	here  bool
	state string // path of STATE.md
	text  string // what it says
	err   error  // why it was not read
	// ultraplan says whose it is.
	ultraplan bool
}

// planningIn looks at the .planning of a directory; ok is false when there is none.
func (p *Place) planningIn(dir string) (at *planning, ok bool) {
	at = &p.planning
	if at.dir == dir {
		return at, at.here
	}
	*at = planning{dir: dir, path: peek.Join(dir, planningDir)}
	if at.here = peek.Exists(at.path); !at.here { // most directories on the way up: one question settles all
		p.Watch.Without(at.path)
		return at, false
	}
	at.state = peek.Join(at.path, "STATE.md")
	at.text, at.err = p.read(at.state, dir)
	at.ultraplan = IsUltraplan(at.text, func() bool {
		home := peek.Join(dir, UltraplanHome)
		if !peek.Exists(home) {
			p.Watch.Without(home)
			return false
		}
		p.Watch.Add(home)
		return true
	})
	return at, true
}

// ultraplanIn looks for ultraplan's state in one directory.
func ultraplanIn(p *Place, dir string) (Found, bool) {
	at, ok := p.planningIn(dir)
	if !ok || !at.ultraplan {
		return Found{}, false
	}
	path, text := at.state, at.text
	if peek.Missing(at.err) {
		// ultraplan's templates put STATE.md into the project's own directory, too.
		if beside := peek.Join(dir, "STATE.md"); p.watched(beside) {
			var err error
			if text, err = p.read(beside, dir); err == nil {
				path = beside
			}
		}
	}
	s := ParseUltraplan(text)
	phases := p.ultraplanTree(at.path)
	session, _ := p.read(peek.Join(peek.Join(peek.Join(dir, UltraplanHome), "logs"), "current-session.json"), dir)
	facts := UltraplanFacts(phases, &s, SessionPlans(session), func() []RoadmapPhase {
		roadmap, _ := p.read(peek.Join(at.path, "ROADMAP.md"), dir)
		return RoadmapPhases(roadmap)
	})
	found := Found{Facts: &facts, Path: path}
	found.Compact, found.ConfigPath = gsdCompact(p)
	if what := s.Task.stuck(); what != "" {
		found.Waits, found.WaitsPath = what, path
	}
	return found, true
}

// watched notes that the result depends on the file at path, and reports whether it is there.
func (p *Place) watched(path string) bool {
	if peek.Exists(path) {
		return true
	}
	p.Watch.Without(path)
	return false
}

// ultraplanTree lists the phases below .planning, in their order, by the names of their files.
func (p *Place) ultraplanTree(planning string) []UltraplanPhase {
	root := peek.Join(planning, "phases")
	p.Watch.Add(root)
	var names []string
	peek.Entries(root, p.Buffer, ultraplanEntries, func(name string) {
		if _, _, ok := UltraplanDir(name); ok && len(names) < ultraplanPhases {
			names = append(names, string([]byte(name)))
		}
	})
	var phases []UltraplanPhase
	for _, dir := range names {
		path := peek.Join(root, dir)
		var files []string
		listed := peek.Entries(path, p.Buffer, ultraplanEntries, func(name string) {
			if _, _, ok := UltraplanFile(name); ok {
				files = append(files, string([]byte(name)))
			}
		})
		if !listed {
			continue
		}
		p.Watch.Add(path)
		if phase, _, ok := NewUltraplanPhase(dir, files); ok {
			phases = append(phases, phase)
		}
	}
	SortUltraplan(phases)
	return phases
}

// SessionPlans returns the plans that the text of a current-session.json names as running: those of its tasks that are in
// progress, each of the session's plan unless it names one itself.
func SessionPlans(text string) []string {
	fields := [...]scan.JSONField{{Path: []string{"plan_id"}}, {Path: []string{"tasks"}}}
	if text == "" || !scan.JSONFields(text, fields[:]) {
		return nil
	}
	plan, _ := scan.JSONText(fields[0].Value)
	var plans []string
	tasks := scan.JSONArray{Rest: fields[1].Value}
	for task, ok := tasks.Next(); ok; task, ok = tasks.Next() {
		if status, _ := scan.JSONValue(task, "status"); !scan.JSONStringIs(status, "in_progress") {
			continue
		}
		own, of := jsonText(task, "plan_id"), plan
		if own != "" {
			of = own
		}
		if of != "" {
			plans = appendNew(plans, of)
		}
	}
	return plans
}

// RoadmapPhases returns the phases that the text of a ROADMAP.md names in its list or its headings, in the order of the
// text, each number once: "- [x] **Phase 3: Name** - what", "### Phase 3: Name".
func RoadmapPhases(text string) []RoadmapPhase {
	var phases []RoadmapPhase
	fenced := false
	for at, no := 0, 1; at < len(text) && len(phases) < ultraplanPhases; no++ {
		var l string
		l, at = nextText(text, at)
		l = scan.TrimSpace(l)
		if hasPrefixAt(l, "```", 0) || hasPrefixAt(l, "~~~", 0) {
			fenced = !fenced
		}
		if fenced {
			continue
		}
		if ph, ok := roadmapPhase(l); ok && !known(phases, ph.Number) {
			ph.Line = no
			phases = append(phases, ph)
		}
	}
	return phases
}

func known(phases []RoadmapPhase, number string) bool {
	for i := range phases {
		if CompareNumbers(phases[i].Number, number) == 0 {
			return true
		}
	}
	return false
}

// roadmapPhase reads one line, trimmed, as a phase of the roadmap.
func roadmapPhase(l string) (ph RoadmapPhase, ok bool) {
	rest := l
	switch {
	case l == "":
		return ph, false
	case l[0] == '#':
		for rest != "" && rest[0] == '#' {
			rest = rest[1:]
		}
	case (l[0] == '-' || l[0] == '*') && hasPrefixAt(l, " [", 1) && hasPrefixAt(l, "]", 4):
		ph.Checked = l[3] == 'x' || l[3] == 'X'
		rest = l[5:]
	default:
		return ph, false
	}
	i := 0
	for i < len(rest) && (rest[i] == ' ' || rest[i] == '*' || rest[i] == '~') {
		ph.Skipped = ph.Skipped || rest[i] == '~'
		i++
	}
	const word = "Phase "
	if !hasPrefixAt(rest, word, i) {
		return ph, false
	}
	number, i := dotted(rest, i+len(word))
	for i < len(rest) && rest[i] != ':' {
		if c := rest[i]; c != ' ' && c != '(' && c != ')' && (c|0x20 < 'a' || c|0x20 > 'z') {
			return ph, false
		}
		i++ // "Phase 2.1 (INSERTED): name"
	}
	if number == "" || i == len(rest) {
		return ph, false
	}
	rest = rest[i+1:]
	for i = 0; i < len(rest) && rest[i] != '*' && rest[i] != '~'; i++ {
	}
	ph.Number, ph.Name = number, scan.TrimSpace(rest[:i])
	ph.Skipped = ph.Skipped || contains(rest, "SKIPPED")
	return ph, true
}

// contains reports whether part stands anywhere in s.
func contains(s, part string) bool {
	for i := range len(s) {
		if hasPrefixAt(s, part, i) {
			return true
		}
	}
	return false
}
