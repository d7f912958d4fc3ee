// The line of a build of a spec-driven format: Spec Kit, Kiro, OpenSpec, BMAD, task-master, or one that the user defines.

package line

// Spec holds the content of the files of such a build.
type Spec struct {
	Name        string // of the build
	Unread      string // the unreadable part, "" if all can be read
	Done, Total int    // tasks
	IsComplete  bool
	IsActive    bool   // a task is named as the current one
	State       string // "failed" or another word for a build that does not go on by itself, "" for others
	Phase, Task string // the current ones
	Next        string // the next step
}

// Scene returns which of the four scenes the full form shows, and why.
func (s *Spec) Scene() (n int, why string) {
	switch {
	case s.Unread != "":
		return 4, "a file can't be read"
	case s.State != "":
		return 4, "it is " + s.State
	case s.IsComplete:
		return 3, "all tasks are done and nothing waits"
	case s.IsActive:
		return 1, "a task is current"
	case s.Next != "":
		return 2, "no task is current, and a next step is known"
	case s.Name == "":
		return 0, "nothing is known"
	}
	return 4, "no next step is known"
}

// Compose adds the full or the compact form to t, in pieces.
func (s *Spec) Compose(t *Text, compact bool) {
	if s.Name != "" {
		t.part(RankPlace, short(s.Name))
	}
	switch {
	case s.Total == 0 || s.IsComplete || s.Unread != "":
	case compact:
		t.part(RankPercent, count(s.Done), own("/"), count(s.Total))
	default:
		t.Bar(s.Done*100/s.Total, s.Name == "")
	}
	switch n, _ := s.Scene(); {
	case s.Unread != "":
		t.part(Keep, short(s.Unread).as(Blocked))
	case s.State != "":
		t.part(RankStatus, status(s.State))
	case n == 3:
		t.part(RankStatus, own("complete"))
	case n == 1:
		if s.Phase != "" && !compact {
			t.part(RankDetail, short(s.Phase))
		}
		t.part(Keep, short(s.Task))
	case s.Next != "":
		t.part(Keep, own("next "), short(s.Next))
	}
}
