package core

import (
	"gatehouse/model/line"
	"gatehouse/parse/doc"
)

// The statuses of a task's gate. PENDING is read but never written.
const (
	GatePending   = "PENDING"
	GateExecuting = "EXECUTING"
	GateVerifying = "VERIFYING"
	GateReviewing = "REVIEWING"
	GateApproved  = "APPROVED"
	GateFailed    = "FAILED"
	GateBlocked   = "BLOCKED"
	GateSkipped   = "SKIPPED"
)

var gateWords = [...]string{GatePending, GateExecuting, GateVerifying, GateReviewing, GateApproved, GateFailed, GateBlocked, GateSkipped}

// GateStatus returns the status for a word in any case, "" for other words. REJECTED means FAILED.
func GateStatus(word string) string {
	for _, s := range gateWords {
		if EqualFold(word, s) {
			return s
		}
	}
	if EqualFold(word, "rejected") {
		return GateFailed
	}
	return ""
}

// MaxAttempts is the maximum number of attempts unless a gate names another one.
const MaxAttempts = 3

// Gate is the block current_task of a STATE.md: the gate of the current task.
type Gate struct {
	Name, Plan, Phase           string
	Raw                         string // gate_status as it is written
	Status                      string // see [GateStatus]; "" for other words
	Step                        string
	Executor, Verify, Architect string
	Started, Last               string // times, as they are written
	Attempt, Max                int    // 0: not named
	Unclear                     bool   // attempt or max_attempts exists, but is no valid number
	IsBroken                    bool   // a part of it can't be read
	SkipReason, By, SkippedAt   string
	Line                        int // of gate_status, else of the block
	At, End                     int // offsets of the block
}

func parseGate(text string, b *Block) *Gate {
	lines := doc.LineCounter{Text: text}
	v := b.Value
	g := &Gate{
		Name: looseText(text, v.Get("name")), Plan: v.Get("plan").Scalar(), Phase: v.Get("phase").Scalar(), Raw: looseText(text, v.Get("gate_status")),
		Step: v.Get("gate_step").Scalar(), Executor: v.Get("executor_status").Scalar(), Verify: v.Get("verify_status").Scalar(), Architect: v.Get("architect_status").Scalar(),
		Started: v.Get("started_at").Scalar(), Last: v.Get("last_step_at").Scalar(), SkipReason: v.Get("skip_reason").Scalar(), By: v.Get("skipped_by").Scalar(), SkippedAt: v.Get("skipped_at").Scalar(),
		Line: lines.Line(b.At), At: b.At, End: b.End,
	}
	if status := v.Get("gate_status"); status.Exists() {
		g.Line = lines.Line(status.KeyOffset())
	}
	g.Status = GateStatus(g.Raw)
	g.readAttempts(v)
	for _, p := range b.Problems {
		if !doc.HasSuffix(p.Text, "appears twice") && (!v.Is(doc.Map) || g.Raw == "") {
			g.IsBroken = true
		}
	}
	return g
}

// readAttempts reads the number of the attempt, and the maximum number of attempts.
func (g *Gate) readAttempts(v doc.Value) {
	read := func(key string) (n int, isNamed bool) {
		value := v.Get(key)
		text := doc.Trim(value.Scalar())
		switch {
		case value.IsEmpty() || text == "~" || text == "null":
			return 0, false
		case text == "" || doc.CountDigits(text) < len(text):
			g.Unclear = true
			return 0, false
		}
		if n = ParseCount(text); n == 0 && TrimZeros(text) != "0" {
			n = MaxCount
		}
		return n, true
	}
	isNamed := false
	g.Attempt, _ = read("attempt")
	if g.Max, isNamed = read("max_attempts"); isNamed && g.Max == 0 {
		g.Max = none
	}
}

// none is the maximum of a task that must not be tried again.
const none = -1

// looseText returns a scalar. If it is not valid YAML, it returns the rest of its line, because agents write names with a colon in them.
func looseText(text string, v doc.Value) string {
	if !v.Is(doc.Unsupported) && !v.Is(doc.Map) && !v.Is(doc.List) {
		return v.Scalar()
	}
	rest := text[v.Offset():]
	if end := doc.Index(rest, "\n"); end >= 0 {
		rest = rest[:end]
	}
	return doc.Trim(rest)
}

// Key returns the task that the gate is about, by the number in its name.
func (g *Gate) Key() TaskKey {
	number, _, _ := doc.ParseTaskNumber(doc.Trim(g.Name))
	return TaskKey{Plan: PlanKeyIn(g.Plan, g.Phase), Task: number}
}

// AttemptLimit returns the maximum number of attempts.
func (g *Gate) AttemptLimit() int {
	switch g.Max {
	case 0:
		return MaxAttempts
	case none:
		return 0
	}
	return g.Max
}

// IsUncounted reports whether the number of attempts is unknown although it matters. Attempts count from 1.
func (g *Gate) IsUncounted() bool { return g.Unclear || g.Attempt == 0 }

// IsSpent reports whether no attempt is left, or that is unknown. When a gate fails, its attempt is increased to the next one.
func (g *Gate) IsSpent() bool {
	return g.IsUncounted() || g.Attempt > g.AttemptLimit()
}

// DeniedBy returns the step that contradicts an approved gate, or one without a status; "" without one.
func (g *Gate) DeniedBy() string {
	switch {
	case g.Status != GateApproved && g.Raw != "":
	case EqualFold(g.Executor, "failure"), EqualFold(g.Executor, "blocked"):
		return "executor"
	case EqualFold(g.Verify, "failed"):
		return "verify command"
	case EqualFold(g.Architect, "rejected"):
		return "architect"
	}
	return ""
}

// IsWrong reports whether the gate contradicts itself or can't be read, so that a human has to decide it.
func (g *Gate) IsWrong() bool {
	return g.IsBroken || g.Raw != "" && g.Status == "" || g.DeniedBy() != ""
}

// isOpen reports whether the gate has neither passed nor failed.
func (g *Gate) isOpen() bool {
	return g.Status == GatePending || g.Status == GateExecuting || g.Status == GateVerifying || g.Status == GateReviewing
}

// Stuck says why the gate waits for a human's decision, "" if it does not.
func (g *Gate) Stuck() string {
	switch {
	case g.IsWrong():
		return "has a gate that " + g.whyWrong()
	case g.Status == GateBlocked:
		return "is blocked"
	case g.Status == GateFailed && g.IsUncounted():
		return "failed, and how often can't be read"
	case g.Status == GateFailed && g.IsSpent():
		return TimesFailed(g.AttemptLimit())
	}
	return ""
}

// TimesFailed returns a text that says how often something failed.
func TimesFailed(times int) string {
	switch {
	case times <= 0:
		return "failed"
	case times == 1:
		return "failed once"
	}
	return "failed " + line.Decimal(times) + " times"
}

// The decisions about a gate.
const (
	Retry = "retry"
	Skip  = "skip"
)

// CanDecide reports whether a human can apply a verb, retry or skip, to a gate with a status. Both are possible if the gate is wrong.
func CanDecide(status, decision string, isWrong bool) bool {
	switch status {
	case GateFailed, GateBlocked:
		return true
	case GateSkipped:
		return false
	case GateApproved:
		return isWrong
	}
	return isWrong || decision == Skip
}
