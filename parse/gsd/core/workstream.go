package core

import (
	"cmp"

	"gatehouse/parse/disk/peek"
	"gatehouse/parse/doc"
)

const (
	// WorkstreamsDir is the directory in .planning with a directory for each workstream.
	WorkstreamsDir = "workstreams"
	pointerLimit   = 4 << 10 // bytes of a pointer file, which holds one name
	tokenLimit     = 160     // bytes of a session's token, as GSD cuts it
)

// sessionVariables are the environment variables that identify the session of a terminal or an agent, in GSD's order.
var sessionVariables = [...]string{
	"GSD_SESSION_KEY", "CODEX_THREAD_ID", "CLAUDE_SESSION_ID", "CLAUDE_CODE_SSE_PORT", "OPENCODE_SESSION_ID", "GEMINI_SESSION_ID",
	"CURSOR_SESSION_ID", "WINDSURF_SESSION_ID", "TERM_SESSION_ID", "WT_SESSION", "TMUX_PANE", "ZELLIJ_SESSION_NAME",
}

// Session is the environment's information about a terminal's or an agent's session: its current workstream.
type Session struct {
	Env      func(name string) string // the value of an environment variable, "" when it is not set
	Terminal func() string            // the path of the terminal on standard input, "" for none; nil means none
	TempDir  string                   // the directory of temporary files with the pointers of sessions
}

// ActiveWorkstream returns the name of the workstream that is active in the .planning directory planning: from the
// environment, else from the pointer of this session, else, only if no session is known, from the pointer in the
// project. ok is false if none is active, the name is not allowed, or a pointer names a missing directory.
func (s *Session) ActiveWorkstream(planning string) (name string, ok bool) {
	if name = trimSpace(s.Env("GSD_WORKSTREAM")); name != "" {
		return name, validWorkstream(name)
	}
	path := peek.Join(planning, "active-workstream")
	if key := s.pointerKey(); key != "" {
		path = s.pointerPath(planning, key)
	}
	text, _, err := peek.ReadFile(path, "", pointerLimit)
	name = trimSpace(text)
	if err != nil || !validWorkstream(name) {
		return "", false
	}
	return name, peek.Exists(peek.Join(peek.Join(planning, WorkstreamsDir), name))
}

// WorkstreamState returns the path of the STATE.md of a workstream. GSD_PROJECT puts a directory between; ok is false
// when that could lead out of the project.
func (s *Session) WorkstreamState(planning, name string) (path string, ok bool) {
	if project := s.Env("GSD_PROJECT"); project != "" {
		if containsAny(project, "/", "\\", "..") {
			return "", false
		}
		planning = peek.Join(planning, project)
	}
	return peek.Join(peek.Join(peek.Join(planning, WorkstreamsDir), name), "STATE.md"), true
}

// validWorkstream reports whether name is ASCII letters, digits, ".", "_" and "-", begins with a letter or digit, and has
// no two dots in a row.
func validWorkstream(name string) bool {
	return name != "" && isAlphanumeric(name[0]) && !doc.Contains(name, "..") && cleanToken(name) == name
}

// pointerKey returns the name of this session's pointer file, "" if the session is unknown.
func (s *Session) pointerKey() string {
	for _, name := range sessionVariables {
		if token := sessionToken(s.Env(name)); token != "" {
			return replaceByte(doc.Lower(name), '_', '-') + "-" + token
		}
	}
	terminal := cmp.Or(s.Env("TTY"), s.Env("SSH_TTY"))
	if terminal == "" && s.Terminal != nil {
		terminal = s.Terminal()
	}
	if token := cutPrefix(sessionToken(terminal), "dev_"); token != "" {
		return "tty-" + token
	}
	return ""
}

// sessionToken returns value as part of a file name: clean, without underscores at the ends, and cut if it is longer.
func sessionToken(value string) string {
	token := trim(cleanToken(trimSpace(value)), "_")
	return token[:min(len(token), tokenLimit)]
}

// cleanToken returns value with one "_" for each run of characters that are not ASCII letters, digits, ".", "_" or "-".
func cleanToken(value string) string {
	var token []byte
	isClean := true
	for i := range len(value) {
		wasClean := isClean
		if isClean = isWord(value[i]) || value[i] == '.' || value[i] == '-'; isClean {
			token = append(token, value[i])
		} else if wasClean {
			token = append(token, '_')
		}
	}
	return string(token)
}

// pointerPath returns the path of the pointer file that a session has for the project whose .planning is planning.
func (s *Session) pointerPath(planning, key string) string {
	real, ok := peek.RealPath(planning)
	if !ok {
		real = planning
	}
	return peek.Join(peek.Join(peek.Join(s.TempDir, "gsd-workstream-sessions"), sha1Sum(real)[:16]), key)
}
