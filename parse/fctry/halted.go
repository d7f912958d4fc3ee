// What is said of a run that does not go on by itself, in the same words wherever it is said.

package fctry

import (
	"fmt"
	"slices"
	"strings"

	"gatehouse/model"
	"gatehouse/parse/fctry/rules"
)

// takenUp says what /fctry:execute does with a run whose agent is gone: only a running one with a completed chunk is offered to
// be resumed.
func (c *collector) takenUp() string {
	switch {
	case c.resume().Offered:
		return "goes on with it"
	case c.run.Status == rules.RunRunning:
		return "begins the run anew, for no chunk is done"
	}
	return "plans the run anew, for only a running one is resumed"
}

// onlyCounted reports whether nothing is known of the run but a count of its chunks.
func (c *collector) onlyCounted() bool { return len(c.nodes) == 0 && c.run.counted }

// takenUpAsCounted is takenUp for a run of which only a count is known.
const takenUpAsCounted = "/fctry:execute takes up what is left"

// dispute says how a run that says that it is completed contradicts its chunks.
func (c *collector) dispute() string {
	p := c.b.Progress.Chunks
	return fmt.Sprintf("buildRun.status says completed, and %d of %d chunks are not: see which of the two is true", p.Open(), p.Total)
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
	return c.run.Status == rules.RunRunning && s.Busy == 0 && s.Next < 0 && s.Failed+s.Held > 0
}

// unstick returns what to do about a run that is stuck, and why.
func (c *collector) unstick() (command, why string) {
	n := c.firstFailed()
	if n == nil {
		on := clean(listed(c.stood.BlockedOn))
		why = "nothing can begin: blocked on " + on
		for i, circle := range c.circled {
			if i == circlesNamed {
				why += fmt.Sprintf(", and %d more", len(c.circled)-i)
				break
			}
			why += "; " + circle.Text
		}
		return "unblock " + on, why
	}
	why = "chunk " + chunkName(n) + " failed"
	if c.stood.Failed > 1 {
		why = counted(c.stood.Failed, "chunk") + " failed"
	}
	return c.revise(), why + ", and nothing else can begin: revise with " + c.revise() + ", then /fctry:execute"
}

// circlesNamed is how many circles of chunks are named as the cause.
const circlesNamed = 3

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
