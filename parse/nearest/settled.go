package nearest

import (
	"gatehouse/parse/disk/peek"
	"gatehouse/parse/doc"
)

// Many writers empty a file before they write it, which takes microseconds, or milliseconds on a busy machine. So a
// file that ends too early is read again: settleAtOnce times at once, then every settlePause nanoseconds while it is at
// most settleAge seconds old.
const (
	settleReads  = 60
	settleAtOnce = 10
	settlePause  = 200_000
	settleAge    = 2
	settleLimit  = 256 << 10 // bytes of a file that is read again
)

// readSettled is read for a JSON file that may be being written: one that is not valid is read again.
func (p *Place) readSettled(path, root string) (text string, err error) {
	text, _, err = p.readJSON(path, root)
	return text, err
}

// readJSON is readSettled with the parsed document, nil if it is not valid.
func (p *Place) readJSON(path, root string) (text string, tree *doc.Tree, err error) {
	for reads := range settleReads {
		text, err = p.readText(path, root)
		if err != nil {
			return "", nil, err
		}
		var syntax *doc.SyntaxError
		if tree, syntax = doc.ParseJSON(text); syntax == nil || len(text) > settleLimit {
			break
		}
		if reads >= settleAtOnce {
			if now, changed := p.fileTimes(path); changed == 0 || max(now-changed, changed-now) > settleAge {
				break
			}
			peek.Pause(settlePause)
		}
	}
	return text, tree, nil
}

// fileTimes returns the time, and when a file was changed, in seconds since 1970; 0 is unknown.
func (p *Place) fileTimes(path string) (now, changed int64) {
	if p.Now != nil {
		now = p.Now()
		changed, _, _ = peek.Modified(path)
	}
	return now, changed
}
