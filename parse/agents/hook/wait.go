package hook

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"time"

	"gatehouse/model"
	"gatehouse/parse/agents/ask"
	"gatehouse/parse/agents/record"
	"gatehouse/parse/disk/process"
)

// finishTurn shows the last words of a turn until they are reviewed or replied to, or the agent continues. If a hook
// can hand over a reply, it waits for one.
func (r *run) finishTurn(ctx context.Context) error {
	if r.background {
		return r.updateSession(model.SessionRunning)
	}
	if s := r.Store.Session(r.name, r.session); s != nil && r.kind == turnFinished && s.State == model.SessionInterrupted {
		return nil // opencode reports the end of an interrupted turn, too
	}
	if r.message == "" && r.kind == turnFailed {
		r.message = "The turn failed: " + r.why
	}
	if strings.TrimSpace(r.message) == "" {
		return r.updateSession(r.kind.state)
	}
	turn, failed := r.Store.Ask(r.newAsk(ask.Ask{Ask: model.Ask{Kind: ask.Turn, Text: ask.LastLine(r.message), Message: r.message}}))
	err := r.updateSession(r.kind.state) // after the turn, so that the session is never seen idle before
	if failed != nil {
		return errors.Join(err, failed)
	}
	defer turn.Close()
	if r.kind != turnFinished || r.encodeReply == nil {
		return err
	}
	end, stays := turn.Await(ctx, r.goneReason(ctx))
	if stays != nil || end.State != ask.Answered {
		return err
	}
	if err := r.deliverAnswer(turn, r.encodeReply(end.Answer.Text)); err != nil {
		return err
	}
	return r.updateSession(model.SessionRunning)
}

// awaitAnswer opens the ask, waits for its end and prints the answer.
func (r *run) awaitAnswer(ctx context.Context) error {
	if r.holds && (!r.Store.Attended() || r.Daemon != nil && r.name == codex.name && r.Daemon(r.session)) {
		return r.updateSession(model.SessionWaiting) // its own prompt comes now
	}
	if !r.second {
		r.Store.WithdrawTurns(r.name, r.session, ask.ReasonWentOn)
	}
	asked, err := r.Store.Ask(r.newAsk(*r.ask))
	if err != nil {
		return errors.Join(err, r.updateSession(model.SessionWaiting))
	}
	defer asked.Close()
	updated := r.updateSession(model.SessionRunning)
	end, err := asked.Await(ctx, r.goneReason(ctx))
	if err != nil || end.State != ask.Answered {
		if end != nil && strings.HasPrefix(end.Reason, noDashboard) {
			updated = r.updateSession(model.SessionWaiting)
		}
		return errors.Join(err, updated)
	}
	return r.deliverAnswer(asked, r.print(end.Answer))
}

// deliverAnswer prints the output for an answer.
func (r *run) deliverAnswer(asked *ask.Asked, output []byte) error {
	if output == nil {
		return nil
	}
	if err := r.Print(output); err != nil {
		return fmt.Errorf("the answer did not reach %s: %w", r.name, err)
	}
	return r.Store.Delivered(asked.Ask.ID)
}

// noDashboard is why a hook ends that waits only for dashboards.
const noDashboard = "no dashboard is open any more"

// goneReason returns a function that returns why the client no longer waits for the hook, "" while it does.
func (r *run) goneReason(ctx context.Context) func() string {
	self := r.Store.Table.Self().PID
	parent, _ := r.Store.Table.Look(self)
	began := time.Now()
	// A sign has to be missing for some looks in a row, a second apart: for a moment between two prompts none is open.
	var unattended, closed int
	isMissing := func(count *int, isThere bool, limit int) bool {
		if *count++; isThere {
			*count = 0
		}
		return *count >= limit
	}
	wasOpen := false
	return func() (why string) {
		defer func() {
			if ctx.Err() != nil { // a signal: answered there, interrupted, or the deadline of the hook
				why = fmt.Sprintf("%s stopped waiting after %s", r.name, time.Since(began).Round(time.Second))
			}
		}()
		now := parent
		if r.client.PID == 0 {
			now, _ = r.Store.Table.Look(self)
		}
		switch {
		case r.client.PID > 0 && process.LifeOf(r.Store.Table, r.client) == process.Gone:
			return r.name + " has ended"
		case now.Parent != parent.Parent:
			return "the process that ran the hook has ended"
		case r.holds && isMissing(&unattended, r.Store.Attended(), 2):
			return noDashboard + ": " + r.name + " asks in its own prompt"
		case r.holds || r.ask == nil || r.name != claude.name:
			return ""
		}
		session, state := record.ClaudeState(r.Home, r.Env, r.client.PID)
		known, open := session == r.session && state != "", state == model.SessionWaiting
		wasOpen = wasOpen || known && open
		if isMissing(&closed, open || !known || !wasOpen, 3) {
			return ask.ReasonTerminal
		}
		return ""
	}
}
