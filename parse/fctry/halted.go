// What is said of a run that does not go on by itself, in the same words wherever it is said.

package fctry

import (
	"fmt"
	"slices"
	"strings"

	"gatehouse/model"
	"gatehouse/model/line"
	"gatehouse/parse/doc"
	"gatehouse/parse/fctry/rules"
)

// takenUp says what /fctry:execute does with a run whose agent is gone: only a running one with a completed chunk is offered to
// be resumed.
func (c *collector) takenUp() string {
	switch {
	case c.resume().Offered:
		return "goes on with it"
	case c.run.GoesOn():
		return "begins the run anew, for no chunk is done"
	}
	return "plans the run anew, for only a running one is resumed"
}

// onlyCounted reports whether nothing is known of the run but a count of its chunks.
func (c *collector) onlyCounted() bool { return len(c.nodes) == 0 && c.run.counted }

// takenUpAsCounted is takenUp for a run of which only a count is known.
const takenUpAsCounted = "/fctry:execute takes up what is left"

// unclosed is what is said of a run all of whose chunks are done.
const unclosed = "all chunks are done, and nobody has closed the run"

// allDone reports whether all chunks of a run are done that says that it goes on.
func (c *collector) allDone() bool {
	r := &c.line.Facts.Run
	return r.Status != rules.RunCompleted && r.Status != rules.RunPartial && r.Total > 0 && r.Done == r.Total && !r.Running
}

// unlisted is what is said of a run whose plan has more chunks than are listed, all of which are done.
const unlisted = "the others of the plan are not listed: /fctry:execute plans what is left"

// allListedDone reports whether all chunks are done that are listed, and the plan has more.
func (c *collector) allListedDone() bool {
	s := c.stood
	return s.Done > 0 && s.Done == len(c.nodes) && s.Total > s.Done
}

// odd says what nobody can tell a run's course by, "" where its status is one that is known.
func (c *collector) odd() string {
	switch {
	case !c.run.Odd():
		return ""
	case c.run.Status == "":
		return "buildRun has no status"
	}
	return fmt.Sprintf("buildRun.status is %q", line.Clean(c.run.Status))
}

// oddWhy is odd with what it means.
func (c *collector) oddWhy() string { return c.odd() + ": nobody knows whether the run goes on" }

// unread says what it is that can't be read as a run, or as the chunks of one.
func (c *collector) unread() string {
	if is := c.run.unreadAt.kind(); is != c.unreadKind() {
		return c.run.Unread + " is " + kindNames[is]
	}
	return c.run.Unread + " lists nothing that is a chunk"
}

// unreadKind is what that should be, and unreadWhy says so.
func (c *collector) unreadKind() doc.Kind {
	if strings.HasSuffix(c.run.Unread, ".chunks") {
		return doc.List
	}
	return doc.Map
}

func (c *collector) unreadWhy() string {
	should := kindNames[c.unreadKind()]
	if c.unreadKind() == doc.List {
		should += " of objects"
	}
	return c.unread() + ", and should be " + should
}

// misshapen notes what is wrong with a run as a whole, in the words of the check.
func (c *collector) misshapen() {
	p := model.Problem{Pos: c.state.pos(stateFile, c.run.raw), Severity: model.Error}
	switch {
	case c.last || !c.run.there:
		return
	case c.run.Unread != "":
		p.Pos = c.state.pos(stateFile, c.run.unreadAt)
		p.Rule, p.Text, p.Fix = "fctry-type", c.unread(), "it should be "+kindNames[c.unreadKind()]
	case c.odd() == "":
		return
	case c.run.Status == "":
		p.Rule, p.Text, p.Fix = "fctry-field", c.odd(), runWords
	default:
		p.Pos = c.state.pos(stateFile, c.run.object.get("status"))
		p.Rule, p.Text, p.Fix = "fctry-word", c.odd(), runWords
	}
	c.b.Problems = append(c.b.Problems, p)
}

// runWords is what to do about a run whose status is no word of the document.
const runWords = "write running, completed or partial"

// dispute says how a run that says that it is completed contradicts its chunks.
func (c *collector) dispute() string {
	r := &c.line.Facts.Run
	return fmt.Sprintf("buildRun.status says completed, and %d of %d chunks are not: see which of the two is true", r.Total-r.Done, r.Total)
}

// ended returns what to do about a run that has ended in part, and why.
func (c *collector) ended() (command, why string) {
	s := c.stood
	switch left := s.Total - s.Done; {
	case s.Failed > 0:
		return c.revise(), "the build has ended with " + counted(s.Failed, "chunk") + " that failed: revise with " + c.revise() + ", then /fctry:execute"
	case len(c.nodes) == 0:
		return "/fctry:execute", "the build has ended in part, and lists no chunks: /fctry:execute plans what is left anew"
	case left > 0:
		return "/fctry:execute", "the build has ended in part, " + counted(left, "chunk") + " left and none failed: /fctry:execute plans what is left anew"
	}
	return "/fctry:review", "the build has ended in part, and all its chunks are done: /fctry:review tells what is missing"
}

// stuck reports whether no chunk is worked on and none can begin, while some are left.
func (c *collector) stuck() bool {
	s := c.stood
	return c.run.GoesOn() && s.Busy == 0 && s.Next < 0 && s.Failed+s.Held > 0
}

// unstick returns what to do about a run that is stuck, and why: about chunks that failed, and about what else the others hang on,
// which revising the spec does not help.
func (c *collector) unstick() (command, why string) {
	var other []line.FctryCause
	for _, cause := range c.stood.BlockedOn {
		if i, ok := c.places[cause.IDs[0]]; cause.Circle || !ok || c.nodes[i].Status != model.Failed {
			other = append(other, cause)
		}
	}
	n := c.firstFailed()
	if n == nil {
		on := listed(causes(other))
		return c.unblock(other), "nothing can begin: blocked on " + on + c.remedy(other)
	}
	why = "chunk " + chunkName(n) + " failed"
	if c.stood.Failed > 1 {
		why = counted(c.stood.Failed, "chunk") + " failed"
	}
	why += ", and nothing else can begin: revise with " + c.revise() + ", then /fctry:execute"
	if len(other) > 0 {
		why += "; others are blocked on " + listed(causes(other)) + c.remedy(other)
	}
	return c.revise(), why
}

// unblock returns what to do about causes that are no failures.
func (c *collector) unblock(all []line.FctryCause) string {
	if inPlan := slices.ContainsFunc(all, func(x line.FctryCause) bool { return x.Circle || x.Missing }); inPlan {
		return "mend the plan's dependencies"
	}
	return "unblock " + listed(causes(all))
}

// remedy says how dependencies are mended that can never be met.
func (c *collector) remedy(all []line.FctryCause) string {
	circle := slices.ContainsFunc(all, func(x line.FctryCause) bool { return x.Circle })
	missing := slices.ContainsFunc(all, func(x line.FctryCause) bool { return x.Missing })
	switch {
	case circle && missing:
		return "; take a dependency out of each circle, and name chunks by their ids"
	case circle:
		return "; take a dependency out of each circle"
	case missing:
		return "; name chunks by their ids"
	}
	return ""
}

// causes returns what chunks hang on as people call it.
func causes(all []line.FctryCause) (texts []string) {
	for i := range all {
		texts = append(texts, line.Tidy(string(all[i].Append(nil))))
	}
	return texts
}

// revise returns the command that revises the sections of the chunks that failed, each named once.
func (c *collector) revise() string {
	command := "/fctry:evolve"
	var all []string
	for i, n := range c.nodes {
		if n.Status != model.Failed {
			continue
		}
		for _, s := range c.run.chunks[i].get("sections").texts() {
			if !slices.Contains(all, s) {
				all = append(all, s)
			}
		}
	}
	if len(all) > 0 {
		command += " " + strings.Join(all, " ")
	}
	return command
}

// firstFailed returns the first chunk that failed, nil for none.
func (c *collector) firstFailed() *model.Node {
	for _, n := range c.nodes {
		if n.Status == model.Failed {
			return n
		}
	}
	return nil
}

// failedID returns the row of the first chunk that failed, "" for none.
func (c *collector) failedID() string {
	if n := c.firstFailed(); n != nil {
		return n.ID
	}
	return ""
}

// counted returns a number of things: "1 chunk", "2 chunks".
func counted(n int, what string) string {
	if n == 1 {
		return "1 " + what
	}
	return fmt.Sprintf("%d %ss", n, what)
}
