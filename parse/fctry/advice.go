package fctry

import (
	"slices"
	"strconv"
	"strings"

	"gatehouse/model"
	"gatehouse/model/line"
	"gatehouse/parse/doc"
	"gatehouse/parse/fctry/core"
	"gatehouse/parse/protocol"
)

// advice is a recommended action for a run, with the reason. Line, next step, waits and resume take their sentences
// from here.
type advice struct {
	command, why string
	node         string    // row that it is about, "" for none
	at           doc.Value // its place
}

// The sentences that several situations share.
const (
	allDoneWhy   = "all chunks are done, but the run is not closed"
	unlistedWhy  = "the plan has more chunks than are listed: /fctry:execute plans the rest"
	countedWhy   = "/fctry:execute goes on with the rest"
	partialWhy   = "the build has ended in part"
	runWordsFix  = "write running, completed or partial"
	busyWhy      = " is marked as being worked on: let its agent finish, or continue with it once no agent works on it"
	unknownBuild = ", so what is built is unknown"
)

// adviseRun returns the recommended action for a run; ok is false if there is none.
func (v *view) adviseRun() (a advice, ok bool) {
	f, r := &v.Facts.Run, v.run
	status := r.Value.Get("status")
	switch {
	case r.IsWaiting():
		a = advice{command: v.answerCommand()}
		_, a.why = v.resumeWaits()
	case r.Unread != "":
		a = advice{"fix " + r.Unread, v.unreadWhy() + unknownBuild, "", r.UnreadAt}
	case f.Disputed():
		a = advice{"make buildRun.status and the chunks agree", v.disputeText(), "", status}
	case r.Status == core.Partial:
		a = v.adviseEnded()
	case f.Stale && f.Running && r.IsCounted:
		a = advice{"/fctry:execute", "no agent seems to work on chunk " + r.Progress.PositionText() + " any longer: " + countedWhy, "", r.CountedAt}
	case f.Stale && r.Running >= 0:
		a = advice{"/fctry:execute", "no agent seems to work on chunk " + v.chunkName(r.Running) + " any longer: /fctry:execute " + v.takeUpText(), v.nodeID(r.Running), doc.Value{}}
	case r.IsOdd() && f.Total > 0:
		a = advice{"set buildRun.status", v.oddWhy() + "; " + runWordsFix, "", r.Value}
	case v.isStalled():
		a = v.adviseStalled()
	case v.isAllDone():
		a = advice{"close the run", allDoneWhy, "", r.Value}
	case r.IsCounted && r.Status != core.Completed:
		a = advice{"/fctry:execute", v.countedText(), "", r.CountedAt}
	case r.IsActive() && v.isAllListedDone():
		a = advice{"/fctry:execute", unlistedWhy, "", r.Value}
	case f.Stale && r.Next >= 0:
		a = advice{"/fctry:execute", "no agent has begun " + v.chunkName(r.Next) + ": /fctry:execute " + v.takeUpText(), v.nodeID(r.Next), doc.Value{}}
	case r.Running >= 0 && r.Next < 0:
		a = advice{"/fctry:execute", v.chunkName(r.Running) + busyWhy, v.nodeID(r.Running), doc.Value{}}
	case r.Next >= 0:
		a = advice{"/fctry:execute", "chunk " + strconv.Itoa(r.Next+1) + "/" + strconv.Itoa(r.Total) + " " + v.nodes[r.Next].Title + " can begin", v.nodeID(r.Next), doc.Value{}}
	default:
		return a, false
	}
	return a, true
}

// answerCommand returns the recommended action for a run that waits for its user.
func (v *view) answerCommand() string {
	switch {
	case v.run.Question.Text != "":
		return "answer the run's question"
	case v.run.Status == core.Paused:
		return "say whether the paused run goes on"
	}
	return "decide what the run waits for"
}

// takeUpText describes how /fctry:execute treats a run whose agent is gone: the protocol resumes only running ones with
// a completed chunk.
func (v *view) takeUpText() string {
	switch {
	case v.isOffered():
		return "goes on with it"
	case v.run.IsActive():
		return "starts the run over, because no chunk is done"
	}
	return "plans a new run, because only running ones are resumed"
}

// isOffered reports whether the protocol offers to resume the run.
func (v *view) isOffered() bool { return v.run.IsActive() && v.run.Done > 0 }

// isAllDone reports whether all chunks of a run that is not closed are done.
func (v *view) isAllDone() bool {
	f := &v.Facts.Run
	return f.Status != core.Completed && f.Status != core.Partial && f.Total > 0 && f.Done == f.Total && !f.Running
}

// isAllListedDone reports whether all chunks that are listed are done, and the plan has more.
func (v *view) isAllListedDone() bool {
	r := v.run
	return r.Done > 0 && r.Done == len(r.Chunks) && r.Total > r.Done
}

// isStalled reports whether chunks of an active run are left, but none is worked on and none can begin.
func (v *view) isStalled() bool {
	r := v.run
	return r.IsActive() && r.Busy == 0 && r.Next < 0 && r.Failed+r.Held > 0
}

// adviseStalled returns the recommended action for a stalled run: for failed chunks, and for other causes, which a
// revised specification does not fix.
func (v *view) adviseStalled() advice {
	failed := v.firstFailed()
	others := slices.DeleteFunc(slices.Clone(v.run.BlockedOn), func(c line.FctryCause) bool {
		at := v.run.PlaceOf(c.IDs[0])
		return !c.Circle && at >= 0 && v.run.Chunks[at].State == core.Failed
	})
	hasCircle := slices.ContainsFunc(others, func(c line.FctryCause) bool { return c.Circle })
	hasMissing := slices.ContainsFunc(others, func(c line.FctryCause) bool { return c.Missing })
	blocked := "blocked on " + protocol.ListNames(causeNames(others))
	if hasCircle {
		blocked += "; remove a dependency from each circle"
	}
	if hasMissing {
		blocked += "; name chunks by their ids"
	}
	switch {
	case failed < 0 && (hasCircle || hasMissing):
		return advice{"fix the plan's dependencies", "nothing can begin: " + blocked, "", v.run.Value}
	case failed < 0:
		return advice{"unblock " + protocol.ListNames(causeNames(others)), "nothing can begin: " + blocked, "", v.run.Value}
	}
	a := advice{command: v.reviseCommand(), why: "chunk " + v.chunkName(failed) + " failed", node: v.nodeID(failed)}
	if v.run.Failed > 1 {
		a.why = protocol.Count(v.run.Failed, "chunk") + " failed"
	}
	a.why += ", and nothing else can begin: revise with " + a.command + ", then /fctry:execute"
	if len(others) > 0 {
		a.why += "; others are " + blocked
	}
	return a
}

// causeNames returns the display names of the causes that block chunks.
func causeNames(causes []line.FctryCause) (all []string) {
	for i := range causes {
		all = append(all, line.Tidy(string(causes[i].Append(nil))))
	}
	return all
}

// adviseEnded returns the recommended action for a run that has ended in part.
func (v *view) adviseEnded() advice {
	r := v.run
	a := advice{command: "/fctry:execute", node: v.nodeID(v.firstFailed()), at: r.Value.Get("status")}
	switch left := r.Total - r.Done; {
	case r.Failed > 0:
		a.command = v.reviseCommand()
		a.why = "the build has ended with " + protocol.Count(r.Failed, "failed chunk") + ": revise with " + a.command + ", then /fctry:execute"
	case len(r.Chunks) == 0:
		a.why = partialWhy + " and lists no chunks: /fctry:execute plans what is left"
	case left > 0:
		a.why = partialWhy + ", " + protocol.Count(left, "chunk") + " left and none failed: /fctry:execute plans what is left"
	default:
		a.command, a.why = "/fctry:review", partialWhy+", but all its chunks are done: /fctry:review finds what is missing"
	}
	return a
}

// reviseCommand returns the command that revises the sections of the chunks that failed.
func (v *view) reviseCommand() string {
	words := []string{"/fctry:evolve"}
	for i := range v.run.Chunks {
		if c := &v.run.Chunks[i]; c.State == core.Failed {
			words = append(words, textsOf(c.Value.Get("sections"))...)
		}
	}
	return strings.Join(protocol.Unique(words), " ")
}

// disputeText describes how a run that claims completion contradicts its chunks.
func (v *view) disputeText() string {
	f := &v.Facts.Run
	return "buildRun.status says completed, but " + ofChunks(f.Total-f.Done, f.Total) + " are not: correct the one that is wrong"
}

// oddText explains why the status leaves open whether the run is in progress, "" if it does not.
func (v *view) oddText() string {
	switch {
	case !v.run.IsOdd():
		return ""
	case v.run.Status == "":
		return "buildRun has no status"
	}
	return "buildRun.status is " + strconv.Quote(line.Clean(v.run.Status))
}

// oddWhy is oddText with its consequence.
func (v *view) oddWhy() string { return v.oddText() + ", so whether the run goes on is unknown" }

// unreadText describes the unreadable value in place of a run or of its chunks.
func (v *view) unreadText() string {
	if v.run.UnreadAt.Kind() != v.unreadKind() {
		return v.run.Unread + " is " + v.run.UnreadAt.Kind().String()
	}
	return v.run.Unread + " lists no chunks"
}

// unreadKind returns the kind of value that should be there.
func (v *view) unreadKind() doc.Kind {
	if strings.HasSuffix(v.run.Unread, ".chunks") {
		return doc.List
	}
	return doc.Map
}

func (v *view) unreadWhy() string {
	want := v.unreadKind().String()
	if v.unreadKind() == doc.List {
		want += " of objects"
	}
	return v.unreadText() + "; it should be " + want
}

// reportRun reports problems of the run as a whole.
func (v *view) reportRun() {
	p := model.Problem{Pos: v.runFile.At(v.run.Value), Severity: model.Error, Rule: "fctry-word", Text: v.oddText(), Fix: runWordsFix}
	switch {
	case !v.hasRun():
		return
	case v.run.Unread != "":
		p.Pos = v.runFile.At(v.run.UnreadAt)
		p.Rule, p.Text, p.Fix = "fctry-type", v.unreadText(), "it should be "+v.unreadKind().String()
	case p.Text == "":
		return
	case v.run.Status == "":
		p.Rule = "fctry-field"
	default:
		p.Pos = v.runFile.At(v.run.Value.Get("status"))
	}
	v.b.Problems = append(v.b.Problems, p)
}
