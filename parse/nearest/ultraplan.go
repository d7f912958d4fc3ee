package nearest

import (
	"gatehouse/parse/disk/peek"
	"gatehouse/parse/ultraplan/core"
)

// planning is the .planning of a directory. GSD and ultraplan both ask for it.
type planning struct {
	dir       string // the directory asked about, "" for none yet
	path      string // of .planning
	here      bool
	state     string // path of STATE.md
	text      string // its content
	err       error  // why it was not read
	ultraplan bool   // it is ultraplan's
}

// planningIn looks at the .planning of a directory; ok is false without one.
func (p *Place) planningIn(dir string) (at *planning, ok bool) {
	at = &p.planning
	if at.dir == dir {
		return at, at.here
	}
	*at = planning{dir: dir, path: peek.Join(dir, planningDir)}
	if at.here = peek.Exists(at.path); !at.here { // most directories on the way up
		return at, false
	}
	at.state = peek.Join(at.path, "STATE.md")
	at.text, at.err = p.readText(at.state, dir)
	at.ultraplan = core.IsUltraplan(at.text, func() bool {
		return peek.Exists(peek.Join(dir, core.Home))
	})
	return at, true
}

// ultraplanIn looks for ultraplan's state in one directory.
func ultraplanIn(p *Place, dir string) (found Found, ok bool) {
	at, ok := p.planningIn(dir)
	if !ok || !at.ultraplan {
		return found, false
	}
	found.Path = at.state
	text := at.text
	if peek.Missing(at.err) { // ultraplan's templates put it into the project's own directory, too
		if beside := peek.Join(dir, "STATE.md"); peek.Exists(beside) {
			if other, err := p.readText(beside, dir); err == nil {
				found.Path, text = beside, other
			}
		}
	}
	src := core.Texts(func(file string) (string, bool) {
		if file == core.StateFile {
			return text, found.Path != "" && (found.Path != at.state || !peek.Missing(at.err))
		}
		text, err := p.readText(peek.Join(dir, file), dir)
		return text, !peek.Missing(err)
	}, func(dirName string, add func(name string)) bool {
		at := peek.Join(dir, dirName)
		return peek.Entries(at, entryLimit, func(name string, t peek.Type) {
			if _, isSummary, _ := core.ParsePlanFile(name); isSummary && t != peek.TypeFile {
				file := peek.Join(at, name)
				info, _ := peek.Stat(file)
				if link, _ := peek.Lstat(file); !info.IsRegular || link.IsLink && !peek.Inside(file, dir) {
					return // it closes no plan
				}
			}
			add(name)
		})
	})
	facts, what, file := core.Shallow(src, p.Alerts)
	found.Facts = &facts
	found.Compact, found.ConfigPath = p.isGSDCompact()
	scene, _ := facts.Scene()
	found.WaitsSaid = what == "" && facts.Paused && scene == 2
	switch {
	case found.WaitsSaid:
		found.Waits, found.WaitsPath = "resume", found.Path
	case file == core.StateFile:
		found.Waits, found.WaitsPath = what, found.Path
	case what != "":
		found.Waits, found.WaitsPath = what, peek.Join(dir, file)
	}
	return found, true
}
