package core

import (
	"gatehouse/model/line"
	"gatehouse/parse/doc"
)

// Progress is a count of chunks without the chunks.
type Progress struct {
	Done, Failed, Total int
	Current             int // the chunk that is worked on, from 1; 0: none is named
	// HasCurrent reports whether Current is in the file, 0 for a chunk that has not begun, so the run is in progress.
	HasCurrent bool
}

// ParseProgress parses a chunkProgress in one of its forms: the chunk that is worked on and the total, the numbers of completed and of all
// chunks, both as one text "7/7", or an empty list of chunks and the total. ok is false without a total.
func ParseProgress(v doc.Value) (p Progress, ok bool) {
	if v.Is(doc.String) {
		done, total, _ := doc.Cut(v.Text(), "/")
		n, isNumber := doc.ParseNumber(done)
		all, ok := doc.ParseNumber(total)
		p.Total = int(min(maxAmount, max(0, all)))
		p.Done = min(int(min(maxAmount, max(0, n))), p.Total)
		return p, isNumber && ok && p.Total > 0
	}
	if p.Total, ok = Count(v.Get("total")); !ok || p.Total == 0 {
		return p, false
	}
	p.Failed, _ = Count(v.Get("failed"))
	if done, ok := Count(v.Get("completed")); ok {
		p.Done = min(done, p.Total)
		return p, true
	}
	if v.Get("chunks").Is(doc.List) {
		return p, true // the list counts: none is done
	}
	p.Current, ok = Count(v.Get("current"))
	p.HasCurrent, p.Current = ok, min(p.Current, p.Total)
	p.Done = max(0, p.Current-1)
	return p, ok
}

// Next returns the chunk to continue with, from 1.
func (p *Progress) Next() int {
	if p.Current > 0 {
		return p.Current
	}
	return min(p.Done+p.Failed+1, p.Total)
}

// setFacts sets the facts of a run whose chunks are only counted.
func (p *Progress) setFacts(f *line.FctryRun) {
	f.Stated, f.HasCurrent = true, p.HasCurrent
	f.Done, f.Total, f.Failed, f.Open = p.Done, p.Total, p.Failed, max(0, p.Total-p.Done-p.Failed)
	switch {
	case p.Current > 0:
		f.Running, f.Busy, f.Place = true, 1, p.Current
	case f.Open > 0:
		f.Ready, f.Place = true, p.Next()
	}
}
