// Package record is replaced by the real one.
package record

import (
	"time"

	"gatehouse/model"
	"gatehouse/parse/agents/pane"
	"gatehouse/parse/disk/process"
)

type Session struct {
	Agent, ID  string
	State      model.SessionState
	Why, Waits string
	Title      string
	Message    string
	MessageID  string
	Dir        string
	Branch     string
	Kind       string
	Job        string
	Socket     string
	Transcript string
	Tool       string
	Model      string
	Context    int
	Tokens     int
	Cost       float64
	Added      int
	Removed    int
	Process    process.ID
	Pane       pane.Pane
	Began      time.Time
	Since      time.Time
	Turn       time.Time
	Steps      []model.Step
	Agents     []model.Subagent
	Alive      bool
}

type Options struct {
	Home  string
	Env   func(name string) string
	Store string
	Table process.Table
	Now   func() time.Time
}

type Reader struct{}

func NewReader(Options) *Reader                  { return &Reader{} }
func (*Reader) Read(map[string]string) []Session { return nil }
func (*Reader) Dirs() []string                   { return nil }
