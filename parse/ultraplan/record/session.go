// The session, logs/current-session.json: one entry for each task that has reported. Data of other programs in it stays.

package record

import (
	"cmp"
	"context"
	"encoding/json"
	"path"
	"slices"
	"strings"
	"time"

	"gatehouse/model"
	"gatehouse/parse/doc"
	"gatehouse/parse/protocol"
	"gatehouse/parse/ultraplan/core"
	"gatehouse/parse/ultraplan/statemd"
)

const sessionsDir = core.LogsDir + "/sessions"

// sessionIdle is how long a session may be idle before the next capture begins another one.
const sessionIdle = 24 * time.Hour

// parseSession parses a session for [protocol.ReadFile].
func parseSession(text string) (*core.Session, error) {
	s, syntax := core.ParseSession(text)
	if syntax != nil {
		return nil, protocol.SyntaxFault(text, syntax)
	}
	return s, nil
}

// currentSession returns the current session as it is now, nil if there is none or it can't be read.
func (c *capture) currentSession() *core.Session {
	text, err := c.r.store.Read(c.r.targetOf(core.SessionFile))
	if err != nil {
		return nil
	}
	s, _ := parseSession(text)
	return s
}

// sessionID returns the session of a new result: the named one, else the current one, else a new one named after the capture.
func (c *capture) sessionID() string {
	current := ""
	if s := c.currentSession(); s != nil && !c.isOver(s) {
		current = s.ID
	}
	return cmp.Or(c.rep.Session, current, "sess-"+strings.TrimPrefix(c.id, "sha256:")[:8])
}

// isOver reports whether a session has been idle for so long that it is over.
func (c *capture) isOver(s *core.Session) bool {
	updated := protocol.ParseTime(s.Updated)
	return !updated.IsZero() && c.at.Sub(updated) > sessionIdle
}

// sessionArchive returns the file of a session that is over.
func sessionArchive(id string) string {
	return path.Join(sessionsDir, "session-"+strings.TrimPrefix(plainName(id), "sess-")+".json")
}

// recordSession records the task in its session. If that is not the current session, it begins, and the current one is archived. A session
// that another program has begun meanwhile stays, and so does a newer one if an old capture is repeated.
func (c *capture) recordSession(ctx context.Context) error {
	id, current, file := c.own.Session, c.currentSession(), core.SessionFile
	if current != nil && current.ID != "" && current.ID != id {
		_, isOver := c.m.Stat(sessionArchive(id))
		isOlder := isOver && c.Already && c.own.At <= protocol.ParseTime(current.Updated).Unix()
		if isOlder || c.rep.Session != id && !c.isOver(current) {
			c.addNote("session %s of this result is over: %s stays as it is", id, file)
			return nil
		}
		if err := c.moveSession(current.ID); err != nil {
			return err
		}
	}
	if err := c.setUnreadableAside(file, whyNoSession); err != nil {
		return err
	}
	return c.writeFile(ctx, file, true, func(content string) (string, []model.Span, error) {
		s, _ := parseSession(content)
		if whyNoSession(content) != "" || s.ID != "" && s.ID != id {
			content = encodeJSON(sessionFile{ID: id, Started: protocol.FormatTime(c.at), Plan: c.Plan, Tasks: []sessionEntry{}}, "  ")
		}
		after, err := c.inSession(content)
		return after, nil, err
	})
}

// whyNoSession returns why the text of a session can't be extended, "" if it can.
func whyNoSession(text string) string {
	tree, syntax := doc.ParseJSON(text)
	switch tasks := tree.Root().Get("tasks"); {
	case syntax != nil:
		return syntax.Reason
	case !tree.Root().Is(doc.Map):
		return "it is no object"
	case !tasks.IsEmpty() && !tasks.Is(doc.List):
		return "its tasks are no list"
	}
	return ""
}

// Ended is the result of ending a session.
type Ended struct {
	Session string
	Files   []FileChange
}

// EndSession writes into STATE.md when the current session ended and where the work stopped, then archives the session. stopped is the last
// thing done; "" stands for the last activity. Without a session only that is written.
func (r *Recorder) EndSession(ctx context.Context, stopped string, dryRun bool) (*Ended, error) {
	c, err := r.openProject(Report{DryRun: dryRun})
	if err != nil {
		return nil, err
	}
	done := &Ended{}
	err = c.lockLogs(ctx, func() error {
		if s := c.currentSession(); s != nil {
			done.Session = s.ID
		}
		if c.HasState && (done.Session != "" || stopped != "") {
			if err := c.writeFile(ctx, c.StateFile, false, inPlace(func(content string) ([]model.Span, error) { return c.endSpans(content, stopped), nil })); err != nil {
				return err
			}
		}
		if done.Session == "" {
			return nil
		}
		return c.moveSession(done.Session)
	})
	done.Files = c.Files
	return done, err
}

// endSpans returns the edits in STATE.md for the end of a session.
func (c *capture) endSpans(content, stopped string) (spans []model.Span) {
	if core.WhyUnwritable(content) != "" {
		return nil
	}
	activity := core.ParseState(content).Activity
	if _, text, ok := strings.Cut(activity, " - "); ok {
		activity = text
	}
	spans, _ = statemd.SetField(content, "Last session", c.now.Format("2006-01-02 15:04"))
	if at := statemd.PlainText(cmp.Or(stopped, activity)); at != "" {
		more, _ := statemd.SetField(content, "Stopped at", at)
		spans = append(spans, more...)
	}
	return spans
}

// moveSession moves the current session into the archive.
func (c *capture) moveSession(id string) error {
	if err := c.makeDir(sessionsDir); err != nil {
		return err
	}
	stem := strings.TrimSuffix(strings.TrimPrefix(sessionArchive(id), core.LogsDir+"/"), ".json")
	to, err := c.moveFile(core.LogsDir, path.Base(core.SessionFile), stem, ".json")
	if err == nil {
		c.Files = append(c.Files, FileChange{File: path.Join(core.LogsDir, to), Made: true, Edits: []model.Edit{}})
	}
	return err
}

// sessionFile and sessionEntry are the session, and a task in it, as JSON.
type (
	sessionFile struct {
		ID      string         `json:"session_id"`
		Started string         `json:"started_at"`
		Plan    string         `json:"plan_id"`
		Tasks   []sessionEntry `json:"tasks"`
		Updated string         `json:"last_updated"`
	}
	sessionEntry struct {
		Name       string `json:"task_name"`
		Status     string `json:"status"`
		Attempts   int    `json:"attempts"`
		Completed  string `json:"completed_at"`
		DurationMS *int64 `json:"duration_ms,omitempty"`
		Plan       string `json:"plan_id,omitempty"` // if it is not the session's
	}
)

// newSessionEntry returns the entry of the task in its session, by its newest log.
func (c *capture) newSessionEntry(last *core.Log) sessionEntry {
	e := sessionEntry{Name: last.Name, Status: last.Status, Attempts: cmp.Or(last.Attempt, len(c.task.Logs)), Completed: timeText(last.At)}
	if last.Status == core.Failure { // by this value the prompt knows that all attempts are spent
		e.Attempts = max(e.Attempts, c.task.CountFailures())
	}
	if last.Timed {
		e.DurationMS = &last.TookMS
	}
	return e
}

func timeText(seconds int64) string { return protocol.FormatTime(time.Unix(seconds, 0)) }

// inSession adds or updates the task in the text of a session that [whyNoSession] accepts, and changes nothing else. If the plan of the task
// is not the session's, the entry names it.
func (c *capture) inSession(text string) (string, error) {
	tree, _ := doc.ParseJSON(text)
	s, _ := core.ParseSession(text)
	last := c.task.LastLog()
	entry := c.newSessionEntry(last)
	if core.PlanKey(s.Plan) != c.plan.Key {
		entry.Plan = c.Plan
	}
	var span model.Span
	for v := range tree.Root().Get("tasks").Elements() {
		plan := cmp.Or(v.Get("plan_id").Text(), s.Plan)
		if core.SameName(v.Get("task_name").Text(), last.Name) && core.PlanKey(plan) == c.plan.Key {
			now, err := updateJSON(v.Raw(), entry)
			if err != nil {
				return "", err
			}
			span = model.Span{At: v.Offset(), Old: v.Raw(), New: now}
			break
		}
	}
	if span.Old == "" {
		var err error
		if span, err = protocol.AddElement(tree, []string{"tasks"}, strings.TrimSpace(encodeJSON(entry, ""))); err != nil {
			return "", err
		}
	}
	spans := []model.Span{span}
	if last.At > protocol.ParseTime(s.Updated).Unix() {
		updated, err := protocol.SetJSON(text, []doc.Assignment{doc.AssignText(timeText(last.At), "last_updated")})
		if err != nil {
			return "", err
		}
		spans = append(spans, updated...)
	}
	return protocol.Apply(text, spans)
}

// encodeJSON returns a value as a text of JSON that ends with a line end.
func encodeJSON(value any, indent string) string {
	var b strings.Builder
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	e.SetIndent("", indent)
	_ = e.Encode(value) // texts and numbers can't fail
	return b.String()
}

// updateJSON sets the members of an object in a text. Members of other programs stay, also in the objects inside.
func updateJSON(text string, value any) (string, error) {
	tree, syntax := doc.ParseJSON(text)
	if syntax != nil {
		return "", protocol.SyntaxFault(text, syntax)
	}
	now, _ := doc.ParseJSON(encodeJSON(value, "  "))
	all := assignMembers(nil, tree.Root(), now.Root())
	slices.SortStableFunc(all, func(a, b doc.Assignment) int { return slices.Compare(a.Path, b.Path) })
	spans, err := protocol.SetJSON(text, all)
	if err != nil {
		return "", err
	}
	return protocol.Apply(text, spans)
}

// assignMembers returns the assignments that set the members of an object at a path.
func assignMembers(path []string, old, now doc.Value) (all []doc.Assignment) {
	for v := range now.Members() {
		at := append(slices.Clone(path), v.Key())
		if was := old.Get(v.Key()); was.Is(doc.Map) && v.Is(doc.Map) {
			all = append(all, assignMembers(at, was, v)...)
		} else {
			all = append(all, doc.Assignment{Path: at, JSON: v.Raw()})
		}
	}
	return all
}
