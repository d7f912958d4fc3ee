package nearest

import (
	"gatehouse/parse/disk/peek"
	"gatehouse/parse/doc"
)

// Many writers empty a file before they write it, which takes microseconds, or milliseconds on a busy machine. So a
// file that ends too early is read again, every settlePause nanoseconds, while it is at most settleAge seconds old.
const (
	settleReads = 50
	settlePause = 200_000
	settleAge   = 2
	settleLimit = 256 << 10 // bytes of a file that is read again
)

// readJSON is readText for a JSON file that may be being written: one that is not valid is read again. The tree is nil if
// it is not valid.
func (p *Place) readJSON(path, root string) (text string, tree *doc.Tree, err error) {
	for range settleReads {
		if text, err = p.readText(path, root); err != nil {
			return "", nil, err
		}
		var syntax *doc.SyntaxError
		if tree, syntax = doc.ParseJSON(text); syntax == nil || len(text) > settleLimit {
			break
		}
		if now, changed := p.fileTimes(path); changed == 0 || max(now-changed, changed-now) > settleAge {
			break
		}
		peek.Pause(settlePause)
	}
	return text, tree, nil
}

// fileTimes returns the time, and when a file was changed, in seconds since 1970; 0 is unknown.
func (p *Place) fileTimes(path string) (now, changed int64) {
	if p.Now != nil {
		now = p.Now()
		info, _ := peek.Stat(path)
		changed = info.Modified / 1e9
	}
	return now, changed
}
