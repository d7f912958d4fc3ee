package fctry

import (
	"strconv"
	"strings"

	"gatehouse/model"
	"gatehouse/model/line"
	"gatehouse/parse/doc"
	"gatehouse/parse/fctry/core"
	"gatehouse/parse/protocol"
)

// advice says what to do about a run, and why: next step, waits and resume take their sentences from it.
type advice struct {
	action  string // of [model.Resume]
	command string // "" if nothing is recommended
	why     string
	node    string    // row that it is about, "" for none
	at      doc.Value // its place
}

const (
	runWordsFix  = "write running, completed or partial"
	unknownBuild = ", so what is built is unknown"
)

// adviseRun returns the advice for a run.
func (v *view) adviseRun() advice {
	f, r := &v.Facts.Run, v.run
	status := r.Value.Get("status")
	switch {
	case r.IsWaiting():
		a := advice{resumeWaits, "answer the run", "the run waits for you", "", status}
		if len(v.b.Waits) > 0 {
			a.why += ": " + v.b.Waits[0].Text
		}
		return a
	case r.Unread != "":
		return advice{model.ResumeError, "fix " + r.Unread, v.unreadText() + unknownBuild, "", r.UnreadAt}
	case f.Disputed():
		text := "buildRun.status says completed, but " + ofChunks(f.Total-f.Done, f.Total) + " are not: correct the one that is wrong"
		return advice{model.ResumeError, "make buildRun.status and the chunks agree", text, "", status}
	case r.Status == core.Completed:
		return advice{action: resumeOver, why: "the run is completed"}
	case r.Status == core.Partial:
		return v.adviseEnded()
	case r.IsOdd():
		return advice{model.ResumeError, "set buildRun.status", v.oddText() + "; " + runWordsFix, "", r.Value}
	case f.Total == 0:
		return advice{action: model.ResumeError, why: "the run lists no chunks", at: r.Value}
	case f.Done == f.Total && !f.Running:
		return advice{model.OfferComplete, "close the run", "all chunks are done, but the run is not closed", "", r.Value}
	case !r.IsCounted && r.Busy == 0 && r.Next < 0 && r.Failed+r.Held > 0:
		return v.adviseStalled()
	}
	return v.adviseOn()
}

// adviseOn returns the advice for a run that goes on, or that an executor may take up.
func (v *view) adviseOn() advice {
	f, r := &v.Facts.Run, v.run
	a := advice{action: resumeOffer, command: "/fctry:execute", at: r.Value}
	at := v.resumePlace()
	switch {
	case r.IsCounted:
		a.why, a.at = ofChunks(r.Progress.Done, r.Progress.Total)+" are done according to chunkProgress, which lists none", r.CountedAt
	case at < 0:
		a.why = "the plan has more chunks than are listed: /fctry:execute plans the rest"
	case at == r.Running && f.Stale:
		a.why = "no agent seems to work on " + v.chunkName(at) + " any longer"
	case at == r.Running:
		a.why = v.chunkName(at) + " is marked as being worked on: let its agent finish, or continue with it once no agent works on it"
	default:
		a.why = "chunk " + strconv.Itoa(at+1) + "/" + strconv.Itoa(r.Total) + " " + v.nodes[at].Title + " can begin"
	}
	if a.node = v.nodeID(at); f.Done == 0 {
		a.action = resumeAnew
	}
	return a
}

// adviseEnded returns the advice for a run that has ended in part.
func (v *view) adviseEnded() advice {
	a := advice{resumeRevise, "/fctry:execute", "the build has ended in part", v.nodeID(v.firstFailed()), v.run.Value.Get("status")}
	if v.run.Failed == 0 {
		a.why += ": /fctry:execute plans what is left"
		return a
	}
	a.command = v.reviseCommand()
	a.why += ", with " + protocol.Count(v.run.Failed, "failed chunk") + ": revise with " + a.command + ", then /fctry:execute"
	return a
}

// adviseStalled returns the advice for an active run in which no chunk is worked on, and none can begin.
func (v *view) adviseStalled() advice {
	a := advice{action: resumeBlocked, why: "nothing can begin", node: v.nodeID(v.firstFailed()), at: v.run.Value}
	if v.run.Done == 0 {
		a.action = resumeAnew
	}
	causes := protocol.ListNames(causeNames(v.run.BlockedOn))
	if causes != "" {
		a.why += ": blocked on " + causes
	}
	if v.run.Failed == 0 {
		a.command = "unblock " + causes
		return a
	}
	a.command = v.reviseCommand()
	a.why += "; " + protocol.Count(v.run.Failed, "chunk") + " failed: revise with " + a.command + ", then /fctry:execute"
	return a
}

// causeNames returns the display names of the causes that block chunks.
func causeNames(causes []line.FctryCause) (all []string) {
	for i := range causes {
		all = append(all, line.Tidy(string(causes[i].Append(nil))))
	}
	return all
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

// oddText explains why the status leaves open whether the run is in progress, "" if it does not.
func (v *view) oddText() string {
	switch {
	case !v.run.IsOdd():
		return ""
	case v.run.Status == "":
		return "buildRun has no status, so whether the run goes on is unknown"
	}
	return "buildRun.status is " + strconv.Quote(line.Clean(v.run.Status)) + ", so whether the run goes on is unknown"
}

// unreadText describes the unreadable value in place of a run or of its chunks.
func (v *view) unreadText() string {
	if strings.HasSuffix(v.run.Unread, ".chunks") {
		return v.run.Unread + " is not a list of objects"
	}
	return v.run.Unread + " is not an object"
}

// reportRun reports problems of the run as a whole.
func (v *view) reportRun() {
	at := v.run.Value.Get("status")
	switch {
	case !v.hasRun():
	case v.run.Unread != "":
		protocol.Report(v.b, v.state.At(v.run.UnreadAt), model.Error, "fctry-type", v.unreadText(), "write it as the specification has it")
	case v.oddText() != "":
		if at.IsEmpty() {
			at = v.run.Value
		}
		protocol.Report(v.b, v.state.At(at), model.Error, "fctry-word", v.oddText(), runWordsFix)
	}
}
