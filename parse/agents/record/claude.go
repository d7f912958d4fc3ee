package record

import (
	"cmp"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"time"

	"gatehouse/model"
	"gatehouse/parse/agents/ask"
	"gatehouse/parse/agents/pane"
	"gatehouse/parse/agents/waiting"
	"gatehouse/parse/disk/peek"
	"gatehouse/parse/disk/process"
)

const (
	statusLineDir = "statusline" // of the store: the JSON that Claude Code gives its status line, a file a session
	crashedFor    = 24 * time.Hour
	hostProcesses = "pid:[4026531836]" // the process space of a Linux host outside of containers
)

// claudeFile has the fields of Claude Code's small files. JSON names are matched without regard to case.
type claudeFile struct {
	// The registry: a file for each process, with times in milliseconds.
	PID                                       int
	SessionID, Cwd, ProcStart, PidDomain      string
	Kind, Entrypoint, Name, NameSource, JobID string
	Status, WaitingFor, MessagingSocketPath   string
	StartedAt, UpdatedAt, StatusUpdatedAt     int64

	// The JSON for the status line.
	SessionName string `json:"session_name"`
	Model       struct {
		Name string `json:"display_name"`
	}
	Cost     map[string]float64
	Window   map[string]float64 `json:"context_window"`
	Worktree struct{ Branch string }
}

// claudeStates are the words of the registry. In "shell" a command continues in the background.
var claudeStates = map[string]model.SessionState{
	"busy": model.SessionRunning, "waiting": model.SessionWaiting, "idle": model.SessionIdle, "shell": model.SessionIdle,
}

// ClaudeDir returns the directory of Claude Code's files.
func ClaudeDir(home string, env func(name string) string) string {
	if dir := env("CLAUDE_CONFIG_DIR"); filepath.IsAbs(dir) {
		return dir
	}
	return filepath.Join(home, ".claude")
}

// ClaudeState returns the session of a running process of Claude Code and its state, "" if the registry does not have it.
func ClaudeState(home string, env func(name string) string, pid int) (session string, state model.SessionState) {
	var f claudeFile
	text, _, err := peek.ReadFile(filepath.Join(ClaudeDir(home, env), "sessions", strconv.Itoa(pid)+".json"), "", fileLimit)
	if err != nil || !decodeJSON(text, &f) {
		return "", ""
	}
	return f.SessionID, claudeStates[f.Status]
}

// readRegistry returns the sessions of running Claude Code processes by ID, and sessions that crashed within the last day. If a headless
// process resumes a session that has a window, the window counts.
func (r *Reader) readRegistry() map[string]*ask.Session {
	all := map[string]*ask.Session{}
	dir := filepath.Join(r.claude, "sessions")
	peek.Entries(dir, entryLimit, func(name string, _ peek.Type) {
		pid, ok := strings.CutSuffix(name, ".json")
		if !ok || strings.Trim(pid, "0123456789") != "" || len(all) == sessionLimit {
			return // a key, or a file that is being written
		}
		g := r.loadFile(dir, name)
		if g == nil || strconv.Itoa(g.PID) != pid || !isName(g.SessionID) || strings.HasPrefix(g.Kind, "daemon") {
			return
		}
		s := r.sessionOf(&g.claudeFile)
		other := all[s.ID]
		if s.Alive && (other == nil || !other.Alive || other.Kind == "headless") || other == nil && r.store.Now().Sub(s.Since) <= crashedFor {
			all[s.ID] = s
		}
	})
	return all
}

// sessionOf converts a file of the registry.
func (r *Reader) sessionOf(g *claudeFile) *ask.Session {
	s := &ask.Session{Socket: g.MessagingSocketPath, Session: model.Session{
		Agent: "claude", ID: g.SessionID, Dir: g.Cwd, State: claudeStates[g.Status], Waits: oneLine(g.WaitingFor),
		Began: time.UnixMilli(g.StartedAt), Since: time.UnixMilli(cmp.Or(g.StatusUpdatedAt, g.UpdatedAt, g.StartedAt)),
	}}
	if isName(g.JobID) {
		s.Job, s.Window = g.JobID, pane.Pane{Attach: []string{"claude", "attach", g.JobID}}.Valid()
	}
	if g.NameSource == "user" {
		s.Title = oneLine(g.Name)
	}
	if g.Kind == "bg" {
		s.Kind = "background"
	} else if g.Entrypoint == "sdk-cli" {
		s.Kind = "headless"
	}
	if r.findProcess(g, s); !s.Alive {
		s.State, s.Waits, s.Since = model.SessionCrashed, "", time.UnixMilli(g.UpdatedAt)
	}
	return s
}

// findProcess sets Process, Window and Alive. A process in another container is invisible here and counts as alive for a day.
func (r *Reader) findProcess(g *claudeFile, s *ask.Session) {
	self := r.store.Table.Self()
	_, space, _ := strings.Cut(self.Host, " ")
	if i := strings.LastIndex(g.PidDomain, "pid:["); i >= 0 && g.PidDomain[i:] != cmp.Or(space, hostProcesses) {
		s.Alive = r.store.Now().Sub(time.UnixMilli(g.UpdatedAt)) < crashedFor
		return
	}
	info, ok := r.store.Table.Look(g.PID)
	sameUnit := g.ProcStart != "" && info.Start != "" && strings.Trim(g.ProcStart+info.Start, "0123456789") == ""
	if s.Alive = ok && (!sameUnit || info.Start == g.ProcStart); !s.Alive {
		s.Process = process.ID{PID: g.PID, Host: self.Host, Boot: self.Boot, Start: g.ProcStart}
		return
	}
	s.Process = info.ID
	if s.Kind != "background" { // its terminal is hidden
		s.Window = pane.Pane{Terminal: info.Terminal}.Valid()
	}
}

// lateLines is how much later than its status the last lines of a turn may reach the transcript.
const lateLines = 500 * time.Millisecond

// addClaude adds transcript and status line to a session. It returns false if the session has no record at all.
func (r *Reader) addClaude(s *ask.Session) bool {
	registered := !s.Began.IsZero()
	t := r.findTranscript(s)
	if t == nil && !registered {
		return false
	} else if t == nil {
		t = &transcript{}
	}
	s.Title, s.Dir, s.Branch, s.Tool, s.Model = cmp.Or(s.Title, t.Title), cmp.Or(s.Dir, t.Dir), t.Branch, t.Tool, t.Model
	s.Message, s.MessageID, s.Turn, s.Steps, s.Tokens = t.Message, t.MessageID, t.Turn, slices.Clone(t.Steps), t.Tokens
	stopped := t.State == model.SessionInterrupted || t.State == model.SessionFailed
	switch {
	case s.State == model.SessionRunning && t.attempts > 1:
		s.State, s.Since, s.Why = model.SessionRetrying, t.retried, "the model's API fails; attempt "+strconv.Itoa(t.attempts)
	case s.State == model.SessionIdle && r.ran[s.ID] && (t.State == "" || t.State == model.SessionRunning) && r.store.Now().Sub(s.Since) < lateLines:
		s.State = model.SessionRunning // how the turn ended is not written yet
	case s.State == model.SessionIdle && stopped:
		s.State, s.Why = t.State, t.Why
	case s.State == model.SessionIdle && t.Message != "":
		s.State = model.SessionTurn
	case !registered && t.State != model.SessionRunning: // without its process, running would be a guess
		s.State, s.Since, s.Why = t.State, t.Since, t.Why
	}
	if l := r.loadFile(r.store.Dir, statusLineDir, waiting.Key("claude "+s.ID)+".json"); l != nil {
		s.Title, s.Model = cmp.Or(oneLine(l.SessionName), s.Title), cmp.Or(oneLine(l.Model.Name), s.Model)
		s.Branch, s.Cost = cmp.Or(oneLine(l.Worktree.Branch), s.Branch), l.Cost["total_cost_usd"]
		s.Added, s.Removed = int(l.Cost["total_lines_added"]), int(l.Cost["total_lines_removed"])
		s.Context, s.Tokens = int(max(0, min(100, l.Window["used_percentage"]))), cmp.Or(s.Tokens, int(l.Window["total_input_tokens"]))
	}
	return true
}

// notInSlug matches the characters that Claude Code replaces in the path of a directory to name the directory with its
// transcripts.
var notInSlug = regexp.MustCompile(`[^a-zA-Z0-9]`)

// findTranscript follows the transcript of a session: the known one, else the one of its directory, else the first with
// its name. It returns nil if there is none.
func (r *Reader) findTranscript(s *ask.Session) (t *transcript) {
	projects, name := filepath.Join(r.claude, "projects"), s.ID+".jsonl"
	follow := func(path string) {
		if t == nil && filepath.IsAbs(path) && filepath.Base(path) == name {
			s.Transcript, t = path, r.followTranscript(path)
		}
	}
	follow(s.Transcript)
	follow(filepath.Join(projects, notInSlug.ReplaceAllString(s.Dir, "-"), name))
	if t == nil { // its directory has changed since
		peek.Entries(projects, entryLimit, func(project string, _ peek.Type) { follow(filepath.Join(projects, project, name)) })
	}
	if t == nil {
		s.Transcript = ""
	}
	return t
}
