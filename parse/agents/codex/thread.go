package codex

import (
	"cmp"
	"context"
	"slices"
	"time"

	"gatehouse/model"
	"gatehouse/model/line"
)

// Thread is a session of Codex that its app server runs. Its texts are clean and on one line. Its title is from its user, from Codex, or
// the first prompt; its branch is from the time when it began.
type Thread struct {
	model.Session
	Parent string // the thread that started this one as a subagent
	Path   string // its rollout file
}

// states are the states of threads that the server runs.
var states = map[string]model.SessionState{"active": model.SessionRunning, "idle": model.SessionIdle, "systemError": model.SessionFailed}

// readThread returns a thread that the server runs; nil for one that Codex uses itself, for example to find a title.
func (c *Client) readThread(ctx context.Context, id string) *Thread {
	var result struct {
		Thread struct {
			ParentThreadID, Name, Preview, Cwd, Path, Model string
			Ephemeral                                       bool
			CreatedAt, UpdatedAt                            int64
			GitInfo                                         struct{ Branch string }
			Status                                          struct {
				Type        string
				ActiveFlags []string
			}
		}
	}
	err := c.callMethod(ctx, "thread/read", object{"threadId": id}, &result)
	w := &result.Thread
	if err != nil || w.Ephemeral || states[w.Status.Type] == "" {
		return nil
	}
	t := &Thread{Parent: w.ParentThreadID, Path: w.Path, Session: model.Session{
		Agent: "codex", ID: id, Title: cmp.Or(line.Clean(w.Name), line.Clean(w.Preview)), Dir: w.Cwd, Branch: line.Clean(w.GitInfo.Branch),
		Model: line.Clean(w.Model), State: states[w.Status.Type], Began: time.Unix(w.CreatedAt, 0), Since: time.Unix(w.UpdatedAt, 0),
	}}
	for flag, waits := range map[string]string{"waitingOnUserInput": "answers to its questions", "waitingOnApproval": "permission"} {
		if slices.Contains(w.Status.ActiveFlags, flag) {
			t.State, t.Waits = model.SessionWaiting, waits
		}
	}
	return t
}
