package model

import (
	"math"
	"slices"
)

// Pace says whether later pieces took longer than earlier ones.
type Pace struct {
	Says   PaceWord `json:"says"`      // the conclusion
	Before Millis   `json:"before_ms"` // the median of the former half
	After  Millis   `json:"after_ms"`  // and of the later one
}

// PaceWord is the word for a pace.
type PaceWord string

// The paces. Steady means a difference within chance.
const (
	Faster PaceWord = "faster"
	Slower PaceWord = "slower"
	Steady PaceWord = "steady"
)

// PaceFrom is the minimum number of durations for a pace.
const PaceFrom = 8

// beyondChance is the minimum distance between the ranks of the two halves, in standard deviations: chance alone exceeds it one
// time in ten.
const beyondChance = 1.645

// paceOf compares the later half of the pieces with the earlier one, counting only pieces with a known time and duration, the oldest
// first; nil if there are too few. The halves differ if their ranks do (Mann and Whitney's test): a single very long piece changes nothing.
func paceOf(pieces []Piece) *Pace {
	var took []Millis
	for i := range pieces {
		if x := &pieces[i]; x.Done && x.Took > 0 && !x.Ended.IsZero() {
			took = append(took, x.Took)
		}
	}
	if len(took) < PaceFrom {
		return nil
	}
	half := len(took) / 2
	former, later := slices.Clone(took[:half]), slices.Clone(took[len(took)-half:])
	slices.Sort(former)
	slices.Sort(later)
	p := &Pace{Steady, Median(former), Median(later)}
	longer := 0.0 // pairs whose later piece took longer; ties count half
	below, upTo := 0, 0
	for _, x := range later {
		for below < half && former[below] < x {
			below++
		}
		for upTo < half && former[upTo] <= x {
			upTo++
		}
		longer += float64(below) + float64(upTo-below)/2
	}
	n := float64(half)
	z := (longer - n*n/2) / math.Sqrt(n*n*(2*n+1)/12)
	switch {
	case z > beyondChance && p.After > p.Before:
		p.Says = Slower
	case z < -beyondChance && p.After < p.Before:
		p.Says = Faster
	}
	return p
}
