package model

// Count is how many of some things are finished.
type Count struct {
	Done  int `json:"done"`
	Total int `json:"total"`
}

// Open returns how many are not finished.
func (c Count) Open() int { return c.Total - c.Done }

// Floor returns the finished share in percent, rounded down, between 0 and
// 100; so 100 means all of them. Without a total it returns 0.
func (c Count) Floor() int {
	if c.Total <= 0 {
		return 0
	}
	return min(100, max(0, c.Done*100/c.Total))
}

// Round returns the finished share in percent, rounded half up as JavaScript's
// Math.round does it (GSD's tools), between 0 and 100. Without a total it
// returns 0.
func (c Count) Round() int {
	if c.Total <= 0 {
		return 0
	}
	return min(100, max(0, (200*c.Done+c.Total)/(2*c.Total)))
}

// Progress is how far a build is.
type Progress struct {
	// Known is false where there is nothing to count: Percent then means
	// nothing, and nothing must be shown for it.
	Known bool `json:"known"`
	// Percent is the headline, 0 to 100: the careful one where a protocol has
	// several ways to count.
	Percent int `json:"percent"`
	// Phases and Plans count what the tree holds; a phase is finished here
	// when its work is, verified or not. Closed counts the phases of which
	// nothing is left to do.
	Phases Count `json:"phases"`
	Plans  Count `json:"plans"`
	Closed Count `json:"closed"`
}
