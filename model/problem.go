package model

import "strconv"

// Pos is a place in a file.
type Pos struct {
	File string `json:"file,omitempty"` // relative to the project's root, "/"-separated
	Line int    `json:"line,omitempty"` // from 1; 0: the whole file
	Col  int    `json:"col,omitempty"`  // in bytes from 1; 0: the whole line
}

// String returns "file:line:col" with what is not known left out.
func (p Pos) String() string {
	s := p.File
	if p.Line > 0 {
		s += ":" + strconv.Itoa(p.Line)
		if p.Col > 0 {
			s += ":" + strconv.Itoa(p.Col)
		}
	}
	return s
}

// Severity says how bad a problem is.
type Severity string

// The severities. A warning is about something that was read all the same;
// with an error something is missing from what is shown.
const (
	Warning Severity = "warning"
	Error   Severity = "error"
)

// Problem is something in the files that is not as it should be.
type Problem struct {
	Pos
	Severity Severity `json:"severity"`
	Rule     string   `json:"rule,omitempty"` // the rule broken, for gatehouse check: "gsd-status"
	Text     string   `json:"text"`           // what is wrong, lower case, without the place
	Fix      string   `json:"fix,omitempty"`  // what to do about it
}

// String returns the problem as one line: place, what, and what to do.
func (p Problem) String() string {
	s := p.Text
	if at := p.Pos.String(); at != "" {
		s = at + ": " + s
	}
	if p.Fix != "" {
		s += "; " + p.Fix
	}
	return s
}
