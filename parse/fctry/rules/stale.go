// How long a state that says that something runs is believed.

package rules

import "gatehouse/parse/text/scan"

// StaleAfter is how many seconds nothing may change while a state says that a run or a command goes on, before that is no
// longer believed: the longest that a chunk takes without a word is well below.
const StaleAfter = 3600

// Clock is what time it is, and when state.json was last written: in seconds since 1970, 0 for unknown.
type Clock struct{ Now, Changed int64 }

// At sets what depends on time: Facts.Fresh, Facts.Run.Stale, and Turns.
func (d *State) At(c Clock) {
	if c.Now == 0 || c.Changed == 0 {
		return
	}
	f := &d.Facts
	turns := c.Changed + StaleAfter
	if c.Now >= turns { // seldom: the file is as a rule as new as all that it says
		turns = d.LastSign(c) + StaleAfter
	}
	f.Fresh = c.Now < turns
	f.Run.Stale = !f.Fresh && f.Run.GoesOn()
	if f.Fresh && (f.Step != "" || f.Run.GoesOn()) {
		d.Turns = turns
	}
}

// LastSign returns when the state last gave a sign of life: the newest of the time of the file and of the times in it, of
// the run, its chunks and its events. A time that is yet to come is not believed.
func (d *State) LastSign(c Clock) int64 {
	last := c.Changed
	look := func(value string) {
		text, _ := scan.JSONText(value)
		if at, ok := scan.Seconds(text); ok && at <= c.Now {
			last = max(last, at)
		}
	}
	members := func(object string) {
		for m := (scan.JSONMembers{Rest: object}); ; {
			_, value, ok := m.Next()
			if !ok {
				return
			}
			look(value)
		}
	}
	list := func(array string) {
		for a := (scan.JSONArray{Rest: array}); ; {
			object, ok := a.Next()
			if !ok {
				return
			}
			members(object)
		}
	}
	look(d.updated)
	members(d.run)
	list(d.chunks)
	list(d.events)
	return last
}
