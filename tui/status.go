package tui

// The program status, which some terminals show beside a tab (OSC 7501): waiting, working, done or failed. Others ignore the sequence.

import (
	"strconv"

	tea "charm.land/bubbletea/v2"
	"github.com/charmbracelet/x/ansi"

	"gatehouse/model"
	"gatehouse/tui/draw"
	"gatehouse/tui/index"
)

// statusName identifies the program to the terminal, and leaves the records of other programs alone.
const statusName = "gatehouse"

// clearStatus takes the status back.
var clearStatus = ansi.ClearProgramStatusID(statusName)

// statusOf returns the sequence that says how all that is shown stands.
func statusOf(ix *index.Index) string {
	s := ansi.ProgramStatus{ID: statusName, App: statusName, State: ansi.ProgramStateIdle}
	sums := &ix.Sums
	switch {
	case sums.Waits > 0:
		w := ix.Waits[0]
		s.State, s.Kind, s.Message = ansi.ProgramStateBlocked, ansi.ProgramStatusKindQuestion, draw.Foreign(w.Text)
		if sums.Turns > 0 {
			s.Message += draw.Plain(draw.PartJoint) + turnCount(sums.Turns)
		}
		if kind := noticeOf(w).Kind; kind == string(model.AskPermission) || kind == string(model.AskPlan) {
			s.Kind = ansi.ProgramStatusKindPermission
		}
	case sums.Turns > 0:
		s.State, s.Message = ansi.ProgramStateDone, turnCount(sums.Turns)
	case countBuilds(ix, model.Failed) > 0:
		s.State = ansi.ProgramStateError
	case sums.Running+countBuilds(ix, model.Active) > 0:
		s.State = ansi.ProgramStateWorking
	case len(ix.Sites) > 0 && countBuilds(ix, model.Done) == len(ix.Sites):
		s.State = ansi.ProgramStateDone
	}
	return ansi.SetProgramStatus(s)
}

// turnCount counts finished turns in words.
func turnCount(n int) string { return strconv.Itoa(n) + " " + string(model.SessionTurn) }

// countBuilds counts the builds of a status.
func countBuilds(ix *index.Index, status model.Status) (n int) {
	for _, s := range ix.Sites {
		if s.Build != nil && s.Build.Status == status {
			n++
		}
	}
	return n
}

// tellStatus returns the command that sends the status to the terminal; nil if it has not changed.
func (d *dashboard) tellStatus() tea.Cmd {
	status := statusOf(d.index)
	if status == d.status {
		return nil
	}
	d.status = status
	return tea.Raw(status)
}
