package codex

import (
	"context"
	"slices"
	"time"

	"gatehouse/model"
	"gatehouse/model/line"
)

// Thread is a session of Codex that its app server runs. Its texts are clean and on one line.
type Thread struct {
	ID, Parent  string // Parent is the thread that started this one as a subagent
	Name        string // its title, from its user or from Codex
	Preview     string // its first prompt
	Dir, Branch string // Branch is from the time when the thread began
	Path        string // its rollout file
	Model       string
	State       model.SessionState
	Waits       string    // what it waits for
	Began       time.Time // when the thread was created
	Since       time.Time // when it came into its state, or when Codex last wrote it
}

// wireStatus is the state of a thread as the server describes it.
type wireStatus struct {
	Type  string   `json:"type"`
	Flags []string `json:"activeFlags"`
}

// state returns the state of a session, and what it waits for.
func (s wireStatus) state() (state model.SessionState, waits string) {
	switch {
	case s.Type == "systemError":
		return model.SessionFailed, ""
	case s.Type == "idle":
		return model.SessionIdle, ""
	case s.Type != "active":
		return model.SessionEnded, ""
	case slices.Contains(s.Flags, "waitingOnApproval"):
		return model.SessionWaiting, "permission"
	case slices.Contains(s.Flags, "waitingOnUserInput"):
		return model.SessionWaiting, "answers to its questions"
	}
	return model.SessionRunning, ""
}

// Threads returns the threads that the server runs, without those that Codex uses itself.
func (c *Client) Threads(ctx context.Context) (all []Thread, err error) {
	ids, err := c.loaded(ctx)
	for _, id := range ids {
		if t := c.thread(ctx, id); t != nil {
			all = append(all, *t)
		}
	}
	return all, err
}

// loaded returns the IDs of the threads that the server runs.
func (c *Client) loaded(ctx context.Context) ([]string, error) {
	var page struct {
		Data []string `json:"data"`
	}
	err := c.call(ctx, "thread/loaded/list", object{}, &page)
	return page.Data, err
}

// thread returns a thread; nil for one that was closed meanwhile or that Codex uses itself, for example to find a title.
func (c *Client) thread(ctx context.Context, id string) *Thread {
	var result struct {
		Thread struct {
			Parent    string     `json:"parentThreadId"`
			Name      string     `json:"name"`
			Preview   string     `json:"preview"`
			Dir       string     `json:"cwd"`
			Path      string     `json:"path"`
			Model     string     `json:"model"`
			Ephemeral bool       `json:"ephemeral"`
			Created   int64      `json:"createdAt"`
			Updated   int64      `json:"updatedAt"`
			Status    wireStatus `json:"status"`
			Git       struct {
				Branch string `json:"branch"`
			} `json:"gitInfo"`
		} `json:"thread"`
	}
	if c.call(ctx, "thread/read", object{"threadId": id}, &result) != nil || result.Thread.Ephemeral {
		return nil
	}
	w := &result.Thread
	t := &Thread{
		ID: id, Parent: w.Parent, Name: line.Clean(w.Name), Preview: line.Clean(w.Preview), Dir: w.Dir, Branch: line.Clean(w.Git.Branch),
		Path: w.Path, Model: line.Clean(w.Model), Began: time.Unix(w.Created, 0), Since: time.Unix(w.Updated, 0),
	}
	t.State, t.Waits = w.Status.state()
	return t
}
