// The session's file, logs/current-session.json: one entry for each task that has reported. What others have put into it
// stays.

package record

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"path"
	"slices"
	"strconv"
	"strings"

	"gatehouse/model"
	"gatehouse/parse/disk/mirror"
	"gatehouse/parse/disk/statefile"
	"gatehouse/parse/doc"
	"gatehouse/parse/protocol"
	"gatehouse/parse/text/scan"
	"gatehouse/parse/ultraplan/facts"
)

const sessionsDir = facts.LogsDir + "/sessions"

// sessionID returns the session that a result is logged under: the one named, else the current one, else a new one, whose
// name follows from the capture.
func (c *capture) sessionID() string {
	current := ""
	if s := c.currentSession(); s != nil {
		current = s.ID
	}
	return cmp.Or(c.rep.Session, current, "sess-"+strings.TrimPrefix(c.id, "sha256:")[:8])
}

// sessionArchive returns the name that a session has once it is over.
func sessionArchive(id string) string {
	return path.Join(sessionsDir, "session-"+plainName(id)+".json")
}

// recordSession puts the task into its session. Another session than the current one is begun, and the current one put away;
// one that is over is taken up again by a newer result, and gets an older one where it lies.
func (c *capture) recordSession(ctx context.Context) error {
	id := c.own.Session
	current := c.currentSession()
	file := facts.SessionFile
	switch _, over := c.Mirror.Stat(sessionArchive(id)); {
	case current == nil, current.ID == id, current.ID == "":
	case over && c.rep.Session == id && c.own.At.After(protocol.ParseTime(current.Updated)): // it is taken up again
		if err := c.takeUpSession(ctx, id, current); err != nil {
			return err
		}
	case over:
		file = sessionArchive(id)
	case c.rep.Session == "":
		c.note("session %s, which the result was logged in, is over: %s is left as it is", id, facts.SessionFile)
		return nil
	default:
		if err := c.putAway(ctx, current); err != nil {
			return err
		}
	}
	logs := c.ofTask()
	var broken error
	err := c.write(ctx, file, true, func(content string) (string, []model.Span, error) {
		broken = nil
		if s, err := facts.ParseSession(content); content == "" || file == facts.SessionFile && err == nil && s.ID != "" && s.ID != id {
			return newSession(id, c, logs), nil, nil
		}
		after, err := c.inSession(content, logs)
		if err != nil {
			broken = err
			return "", nil, statefile.ErrNothing
		}
		return after, nil, nil
	})
	if broken == nil || err != nil {
		return err
	}
	to, err := c.setAside(file, ".unreadable")
	if err != nil {
		return err
	}
	c.note("%s can't be read (%v): it is kept as %s, and begun anew", file, broken, to)
	if c.rep.DryRun {
		return nil
	}
	return c.write(ctx, file, true, func(content string) (string, []model.Span, error) {
		if content != "" { // somebody has begun it meanwhile
			return "", nil, statefile.ErrNothing
		}
		return newSession(id, c, logs), nil, nil
	})
}

// currentSession returns the current session as it is now, nil where there is none or it can't be read.
func (c *capture) currentSession() *facts.Session {
	c.Mirror.Touch(facts.SessionFile, sessionsDir)
	return protocol.ReadFile(c.Mirror, c.Build, facts.SessionFile, facts.ParseSession).Value
}

// takeUpSession has a session that was over take the place of the current one, which is put away.
func (c *capture) takeUpSession(ctx context.Context, id string, current *facts.Session) error {
	was, err := c.r.store.Read(c.r.target(sessionArchive(id)))
	if err == nil {
		_, err = facts.ParseSession(was)
	}
	if err != nil {
		return nil // it is begun anew, with the task
	}
	if err := c.putAway(ctx, current); err != nil {
		return err
	}
	return c.write(ctx, facts.SessionFile, true, func(string) (string, []model.Span, error) { return was, nil, nil })
}

// putAway keeps the current session under its own name, before another takes its place.
func (c *capture) putAway(ctx context.Context, s *facts.Session) error {
	if err := c.makeDir(sessionsDir); err != nil {
		return err
	}
	return c.write(ctx, sessionArchive(s.ID), true, func(string) (string, []model.Span, error) { return s.Text, nil, nil })
}

// sessionEntry returns the values of the task in its session: as the newest of its logs has it.
func (c *capture) sessionEntry(logs []*facts.Log) (name string, values []doc.Assignment) {
	last := logs[len(logs)-1]
	attempts := cmp.Or(last.Attempt, len(logs))
	if last.Status == model.OutcomeFailure { // the prompt reads here that it has failed as often as it may
		attempts = max(attempts, facts.Failures(logs))
	}
	values = []doc.Assignment{
		jsonValue("task_name", jsonText(last.Name)), jsonValue("status", jsonText(last.Status)),
		jsonValue("attempts", strconv.Itoa(attempts)), jsonValue("completed_at", jsonText(protocol.FormatTime(last.At))),
	}
	if last.Timed {
		values = append(values, jsonValue("duration_ms", strconv.FormatInt(int64(last.Took), 10)))
	}
	return last.Name, values
}

// jsonValue is a member of an object, its value as JSON.
func jsonValue(key, value string) doc.Assignment {
	return doc.Assignment{Path: []string{key}, JSON: value}
}

func jsonText(s string) string {
	var b strings.Builder
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	_ = e.Encode(s) // a text can be encoded
	return strings.TrimSuffix(b.String(), "\n")
}

// object writes values as an object, its members indented by indent.
func object(values []doc.Assignment, indent string) string {
	var members []string
	for _, v := range values {
		members = append(members, indent+"  "+jsonText(v.Path[0])+": "+v.JSON)
	}
	return "{\n" + strings.Join(members, ",\n") + "\n" + indent + "}"
}

// listOf writes a list of one entry, as it stands in a session.
func listOf(entry []doc.Assignment) string { return "[\n    " + object(entry, "    ") + "\n  ]" }

// newSession returns the text of a session that begins with the task.
func newSession(id string, c *capture, logs []*facts.Log) string {
	_, entry := c.sessionEntry(logs)
	return object([]doc.Assignment{
		jsonValue("session_id", jsonText(id)), jsonValue("started_at", jsonText(protocol.FormatTime(c.at))), jsonValue("plan_id", jsonText(c.Plan)),
		jsonValue("tasks", listOf(entry)), jsonValue("last_updated", jsonText(protocol.FormatTime(c.at))),
	}, "") + "\n"
}

// inSession puts the task into the text of a session, and changes nothing else in it. A session of several plans keeps the
// plan of each task that is not its own in the task.
func (c *capture) inSession(text string, logs []*facts.Log) (string, error) {
	s, err := facts.ParseSession(text)
	var fault *mirror.Fault
	if err != nil && (!errors.As(err, &fault) || !fault.Minor) { // a value of a wrong type costs that value
		return "", err
	}
	name, entry := c.sessionEntry(logs)
	if facts.PlanKey(s.Plan) != c.plan.Key {
		entry = append(entry, jsonValue("plan_id", jsonText(c.Plan)))
	}
	i := slices.IndexFunc(s.Tasks, func(t facts.SessionTask) bool {
		return facts.SameName(t.Name, name) && facts.PlanKey(cmp.Or(t.Plan, s.Plan)) == c.plan.Key
	})
	top := []doc.Assignment{}
	if newest := logs[len(logs)-1].At; newest.After(protocol.ParseTime(s.Updated)) {
		top = append(top, jsonValue("last_updated", jsonText(protocol.FormatTime(newest))))
	}
	var spans []model.Span
	switch list, _ := scan.JSONValue(strings.TrimPrefix(text, "\uFEFF"), "tasks"); {
	case list == "" || list == "null":
		top = append(top, jsonValue("tasks", listOf(entry)))
	case list[0] != '[':
		return "", fmt.Errorf("its tasks are no list")
	default:
		if spans, err = inList(list, i, entry); err != nil {
			return "", err
		}
		for k := range spans {
			spans[k].At += scan.Offset(text, list)
		}
	}
	more, err := protocol.SetJSON(text, top)
	if err != nil {
		return "", err
	}
	return protocol.Apply(text, append(spans, more...))
}

// inList changes the entry at i of a list of tasks, or adds one at its end where there is none at i.
func inList(list string, i int, entry []doc.Assignment) ([]model.Span, error) {
	elements := scan.JSONArray{Rest: list}
	end, gap := 0, ""
	for k := 0; ; k++ {
		before := end
		element, ok := elements.Next()
		if !ok {
			break
		}
		end = len(list) - len(elements.Rest)
		start := end - len(element)
		if k == i {
			spans, err := protocol.SetJSON(element, entry)
			for k := range spans {
				spans[k].At += start
			}
			return spans, err
		}
		// Before an element stand a bracket or comma, and white space: the same white space goes before the new one.
		gap = list[before:start]
		gap = gap[strings.IndexAny(gap, "[,")+1:]
	}
	if end == 0 {
		return []model.Span{{Old: list, New: listOf(entry)}}, nil
	}
	return []model.Span{{At: end, New: "," + gap + object(entry, gap[strings.LastIndexByte(gap, '\n')+1:])}}, nil
}
