package model

import "strconv"

// Pos is a place in a file.
type Pos struct {
	File string `json:"file,omitempty"` // relative to the project's root, "/"-separated
	Line int    `json:"line,omitempty"` // from 1; 0: the whole file
	Col  int    `json:"col,omitempty"`  // in bytes from 1; 0: the whole line
}

// String returns "file:line:col" without unknown parts.
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

// The severities. With a warning the data was still read; with an error some of it is missing.
const (
	Warning Severity = "warning"
	Error   Severity = "error"
)

// Problem is something in the files that is not as it should be.
type Problem struct {
	Pos
	Severity Severity `json:"severity"`
	Rule     string   `json:"rule,omitempty"` // the rule broken, for gatehouse check: "gsd-status"
	Text     string   `json:"text"`           // the problem, lower case, without the position
	Fix      string   `json:"fix,omitempty"`  // the remedy
}

// String returns the problem as one line: position, problem and remedy.
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
