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

// recordSession records the task in its session. If that is not the current session, it begins, and the current one is archived. A finished
// session goes on if the result is newer than the current session; an older result is added to it in the archive.
func (c *capture) recordSession(ctx context.Context) error {
	id, current, file := c.own.Session, c.currentSession(), core.SessionFile
	if current != nil && current.ID != "" && current.ID != id {
		_, isArchived := c.m.Stat(sessionArchive(id))
		isNewer := c.own.At > protocol.ParseTime(current.Updated).Unix() && c.rep.Session == id
		if !isArchived && c.rep.Session == "" && !c.isOver(current) {
			c.addNote("session %s of this result is over: %s stays as it is", id, core.SessionFile)
			return nil
		}
		if isArchived && !isNewer {
			file = sessionArchive(id)
		} else if err := c.moveSession(current.ID); err != nil {
			return err
		} else if isArchived {
			if err := c.moveFile(core.LogsDir, strings.TrimPrefix(sessionArchive(id), core.LogsDir+"/"), path.Base(core.SessionFile)); err != nil && !c.rep.DryRun {
				return err
			}
		}
	}
	if err := c.setUnreadableAside(file, whyNoSession); err != nil {
		return err
	}
	return c.writeFile(ctx, file, true, func(content string) (string, []model.Span, error) {
		s, _ := parseSession(content)
		if whyNoSession(content) != "" || file == core.SessionFile && s.ID != "" && s.ID != id {
			return c.newSession(id), nil, nil
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
	release, err := c.lockLogs(ctx)
	if err != nil {
		return nil, err
	}
	defer release()
	done := &Ended{}
	if s := c.currentSession(); s != nil {
		done.Session = s.ID
	}
	if c.HasState && (done.Session != "" || stopped != "") {
		err = c.writeFile(ctx, c.StateFile, false, inPlace(func(content string) (spans []model.Span) {
			if core.WhyUnwritable(content) != "" {
				return nil
			}
			activity := core.ParseState(content).Activity
			if _, text, ok := strings.Cut(activity, " - "); ok {
				activity = text
			}
			for _, f := range [][2]string{{"Last session", c.now.Format("2006-01-02 15:04")}, {"Stopped at", statemd.PlainText(cmp.Or(stopped, activity))}} {
				if f[1] != "" {
					more, _ := statemd.SetField(content, f[0], f[1])
					spans = append(spans, more...)
				}
			}
			return spans
		}))
	}
	if err == nil && done.Session != "" {
		err = c.moveSession(done.Session)
	}
	done.Files = c.Files
	return done, err
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
		attempts = max(attempts, countFailures(c.task.Logs))
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

// countFailures returns how often a task has failed since its last success.
func countFailures(logs []*core.Log) (n int) {
	for _, l := range logs {
		switch l.Status {
		case core.Success:
			n = 0
		case core.Failure:
			n++
		}
	}
	return n
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

// listOf formats a list of one entry for a session.
func listOf(entry []doc.Assignment) string { return "[\n    " + formatObject(entry, "    ") + "\n  ]" }

// newSession returns the text of a session that begins with the task.
func (c *capture) newSession(id string) string {
	_, entry := c.sessionEntry()
	return formatObject([]doc.Assignment{
		jsonValue("session_id", jsonText(id)), jsonValue("started_at", jsonText(protocol.FormatTime(c.at))), jsonValue("plan_id", jsonText(c.Plan)),
		jsonValue("tasks", listOf(entry)), jsonValue("last_updated", jsonText(protocol.FormatTime(c.at))),
	}, "") + "\n"
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
	list := tree.Root().Get("tasks")
	if list.IsEmpty() {
		top = append(top, jsonValue("tasks", listOf(entry)))
	} else {
		var err error
		if spans, err = c.inList(tree, list, s.Plan, last.Name, entry); err != nil {
			return "", err
		}
	}
	more, err := protocol.SetJSON(text, top)
	if err != nil {
		return "", err
	}
	return protocol.Apply(text, append(spans, more...))
}

// inList updates the entry of the task in the list of a session, or adds one at the end.
func (c *capture) inList(tree *doc.Tree, list doc.Value, plan, name string, entry []doc.Assignment) (spans []model.Span, err error) {
	for v := range list.Elements() {
		if !core.SameName(v.Get("task_name").Text(), name) || core.PlanKey(cmp.Or(v.Get("plan_id").Text(), plan)) != c.plan.Key {
			continue
		}
		spans, err = protocol.SetJSON(v.Raw(), entry)
		for i := range spans {
			spans[i].At += v.Offset()
		}
		return spans, err
	}
	if list.Len() == 0 {
		return []model.Span{{At: list.Offset(), Old: list.Raw(), New: listOf(entry)}}, nil
	}
	span, err := protocol.AddElement(tree, []string{"tasks"}, formatObject(entry, "    "))
	return []model.Span{span}, err
}
