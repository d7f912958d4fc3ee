// Finding the state that a fctry project's line is about, and reading no more files than the line needs.

package nearest

import (
	"gatehouse/parse/disk/peek"
	"gatehouse/parse/fctry/rules"
	"gatehouse/parse/text/scan"
)

const (
	fctryDir = ".fctry"
	// fctrySpecLimit is how much of a spec is read for a line: the table of contents of real ones ends before.
	fctrySpecLimit = 64 << 10
	// fctryLooks is how often a state.json that breaks off is looked at: its writers empty the file and then write it, which
	// takes microseconds as a rule, and milliseconds where the machine is busy. So some looks follow each other at once, and
	// then one each fctryPause, in nanoseconds, as long as the file is no older than fctryYoung, in seconds: one that has been
	// broken for longer is not waited for. One that is larger than fctryAgain is looked at once.
	fctryLooks  = 60
	fctryAtOnce = 10
	fctryPause  = 200_000
	fctryYoung  = 2
	fctryAgain  = 256 << 10
)

// fctryIn looks for the state of a fctry project in one directory: state.json, or a spec or an inbox that waits for one.
func fctryIn(p *Place, dir string) (Found, bool) {
	home := peek.Join(dir, fctryDir)
	if !peek.Exists(home) {
		p.Watch.Without(home)
		return Found{}, false
	}
	path := peek.Join(home, "state.json")
	spec := peek.Join(home, "spec.md")
	state, err := p.readSettled(path, dir)
	if peek.Missing(err) {
		inbox := peek.Join(home, "inbox.json")
		p.Watch.Add(spec)
		p.Watch.Add(inbox)
		if !peek.Exists(spec) && !peek.Exists(inbox) { // such as fctry's own directory in a user's home
			return Found{}, false
		}
		path = ""
	}
	config, _ := p.read(peek.Join(home, "config.json"), dir)
	d := rules.ReadState(state, config)
	f := &d.Facts
	f.Unreadable = f.Unreadable || err != nil && !peek.Missing(err) || err == nil && state == ""
	clock := p.clock(path)
	d.At(clock)
	found := Found{Facts: f, Path: path, Turns: d.Turns}
	switch {
	case found.Turns != 0:
		p.Watch.until(found.Turns)
	case clock.Now == 0 && f.Command != "" && f.Step != "" && !f.Run.There:
		p.Watch.unsure() // time decides, and nobody knows it
	}
	if p.Detail {
		limit := rules.SpecStatusWithin
		if d.WantsTitles() {
			limit = fctrySpecLimit
		}
		text, _ := p.readHead(spec, dir, limit)
		d.Titles(text)
		if f.Detail.Version == "" {
			f.Detail.Version = withoutV(NearestTag(*p, dir))
		}
	}
	if d.Advises() && (p.Detail || !f.Run.There) || p.Detail {
		inbox, _ := p.read(peek.Join(home, "inbox.json"), dir)
		d.Findings(inbox)
		d.Advise(f.Spec != "" || p.hasSpec(dir, spec))
	}
	if p.Alerts && f.Run.There && f.Run.Waiting {
		found.Waits, found.WaitsPath, found.WaitsSaid = f.Run.What(), path, f.Asks()
	} else if p.Alerts {
		found.Waits, found.WaitsSaid = f.Outstanding(), true
		if found.Waits != "" {
			found.WaitsPath = path
		}
	}
	return found, true
}

// readSettled is read for a file that may just be written: one that breaks off is looked at again.
func (p *Place) readSettled(path, root string) (text string, err error) {
	for look := range fctryLooks {
		text, err = p.read(path, root)
		if err != nil || len(text) > fctryAgain || scan.JSONFields(scan.WithoutMark(text), nil) {
			break
		}
		if look >= fctryAtOnce {
			if c := p.clock(path); c.Changed == 0 || max(c.Now-c.Changed, c.Changed-c.Now) > fctryYoung {
				break
			}
			peek.Pause(fctryPause)
		}
	}
	return text, err
}

// readHead is read for the beginning of a file, which may end inside a character.
func (p *Place) readHead(path, root string, limit int) (text string, err error) {
	text, _, err = peek.ReadFile(path, root, p.Buffer, limit)
	p.Watch.file(path, err)
	if err == nil {
		p.Buffer = p.Buffer[min(len(text), len(p.Buffer)):]
	}
	return text, err
}

// hasSpec reports whether a project has a spec: its own, or one under the name that older projects gave it.
func (p *Place) hasSpec(dir, spec string) bool {
	p.Watch.Add(spec)
	p.Watch.Add(dir)
	if peek.Exists(spec) {
		return true
	}
	found := false
	peek.Entries(dir, nil, entryLimit, func(name string) { found = found || rules.LegacySpec(name) })
	return found
}

// clock returns what time it is, and when a file was last changed. A file without a time, or a place without a clock, leaves it
// unknown.
func (p *Place) clock(path string) (c rules.Clock) {
	if p.Now != nil {
		c.Now = p.Now()
		c.Changed, _, _ = peek.Modified(path)
	}
	return c
}

// withoutV returns a version without one leading "v".
func withoutV(version string) string {
	if version != "" && version[0] == 'v' {
		return version[1:]
	}
	return version
}
