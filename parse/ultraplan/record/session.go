// The session, logs/current-session.json: one entry for each task that has reported. Data of other programs in it stays.

package record

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"io/fs"
	"path"
	"strconv"
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
			content = formatObject([]doc.Assignment{
				jsonValue("session_id", jsonText(id)), jsonValue("started_at", jsonText(protocol.FormatTime(c.at))),
				jsonValue("plan_id", jsonText(c.Plan)), jsonValue("tasks", "[]"), jsonValue("last_updated", jsonText("")),
			}, "") + "\n"
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
			if err := c.writeFile(ctx, c.StateFile, false, inPlace(func(content string) []model.Span { return c.endSpans(content, stopped) })); err != nil {
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
	name := path.Base(sessionArchive(id))
	for n := 2; ; n++ {
		to := path.Join("sessions", name)
		err := c.moveFile(core.LogsDir, path.Base(core.SessionFile), to)
		if err == nil {
			c.Files = append(c.Files, FileChange{File: path.Join(core.LogsDir, to), Made: true, Edits: []model.Edit{}})
		}
		if !errors.Is(err, fs.ErrExist) {
			return err
		}
		name = strings.TrimSuffix(path.Base(sessionArchive(id)), ".json") + "-" + strconv.Itoa(n) + ".json"
	}
}

// sessionEntry returns the values of the task in its session, by its newest log.
func (c *capture) sessionEntry() (last *core.Log, values []doc.Assignment) {
	last = c.task.LastLog()
	attempts := cmp.Or(last.Attempt, len(c.task.Logs))
	if last.Status == core.Failure { // by this value the prompt knows that all attempts are spent
		attempts = max(attempts, c.task.CountFailures())
	}
	values = []doc.Assignment{
		jsonValue("task_name", jsonText(last.Name)), jsonValue("status", jsonText(last.Status)),
		jsonValue("attempts", strconv.Itoa(attempts)), jsonValue("completed_at", jsonText(timeText(last.At))),
	}
	if last.Timed {
		values = append(values, jsonValue("duration_ms", strconv.FormatInt(last.TookMS, 10)))
	}
	return last, values
}

func timeText(seconds int64) string { return protocol.FormatTime(time.Unix(seconds, 0)) }

// jsonValue is a member of an object, its value as JSON.
func jsonValue(key, value string) doc.Assignment {
	return doc.Assignment{Path: []string{key}, JSON: value}
}

func jsonText(s string) string {
	var b strings.Builder
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	_ = e.Encode(s) // encoding a string can't fail
	return strings.TrimSuffix(b.String(), "\n")
}

// formatObject writes values as an object, its members indented by indent.
func formatObject(values []doc.Assignment, indent string) string {
	var members []string
	for _, v := range values {
		members = append(members, indent+"  "+jsonText(v.Path[0])+": "+v.JSON)
	}
	return "{\n" + strings.Join(members, ",\n") + "\n" + indent + "}"
}

// inSession adds or updates the task in the text of a session that [whyNoSession] accepts, and changes nothing else. If the plan of the task
// is not the session's, the entry names it.
func (c *capture) inSession(text string) (string, error) {
	tree, _ := doc.ParseJSON(text)
	s, _ := core.ParseSession(text)
	last, entry := c.sessionEntry()
	if core.PlanKey(s.Plan) != c.plan.Key {
		entry = append(entry, jsonValue("plan_id", jsonText(c.Plan)))
	}
	top := []doc.Assignment{}
	if last.At > protocol.ParseTime(s.Updated).Unix() {
		top = append(top, jsonValue("last_updated", jsonText(timeText(last.At))))
	}
	var spans []model.Span
	var err error
	list, isIn := tree.Root().Get("tasks"), false
	for v := range list.Elements() {
		plan := cmp.Or(v.Get("plan_id").Text(), s.Plan)
		if isIn || !core.SameName(v.Get("task_name").Text(), last.Name) || core.PlanKey(plan) != c.plan.Key {
			continue
		}
		if spans, err = protocol.SetJSON(v.Raw(), entry); err != nil {
			return "", err
		}
		for i := range spans {
			spans[i].At += v.Offset()
		}
		isIn = true
	}
	switch first := "[\n    " + formatObject(entry, "    ") + "\n  ]"; {
	case isIn:
	case list.IsEmpty():
		top = append(top, jsonValue("tasks", first))
	case list.Len() == 0:
		spans = []model.Span{{At: list.Offset(), Old: list.Raw(), New: first}}
	default:
		span, err := protocol.AddElement(tree, []string{"tasks"}, formatObject(entry, "    "))
		if err != nil {
			return "", err
		}
		spans = []model.Span{span}
	}
	more, err := protocol.SetJSON(text, top)
	if err != nil {
		return "", err
	}
	return protocol.Apply(text, append(spans, more...))
}
