package core

import (
	"gatehouse/parse/disk/peek"
	"gatehouse/parse/text/scan"
)

const (
	// WorkstreamsDir is the directory in .planning with a directory for each workstream.
	WorkstreamsDir = "workstreams"
	pointerLimit   = 4 << 10 // bytes of a pointer file, which holds one name
	tokenLimit     = 160     // bytes of a session's token, as GSD cuts it
)

// sessionVariables are the environment variables that identify the session of a terminal or an agent, in GSD's order, with
// the prefix that the name of a session's pointer file has for each.
var sessionVariables = [...]struct{ name, prefix string }{
	{"GSD_SESSION_KEY", "gsd-session-key-"},
	{"CODEX_THREAD_ID", "codex-thread-id-"},
	{"CLAUDE_SESSION_ID", "claude-session-id-"},
	{"CLAUDE_CODE_SSE_PORT", "claude-code-sse-port-"},
	{"OPENCODE_SESSION_ID", "opencode-session-id-"},
	{"GEMINI_SESSION_ID", "gemini-session-id-"},
	{"CURSOR_SESSION_ID", "cursor-session-id-"},
	{"WINDSURF_SESSION_ID", "windsurf-session-id-"},
	{"TERM_SESSION_ID", "term-session-id-"},
	{"WT_SESSION", "wt-session-"},
	{"TMUX_PANE", "tmux-pane-"},
	{"ZELLIJ_SESSION_NAME", "zellij-session-name-"},
}

// Session is what the surroundings say of a terminal's or an agent's session: which workstream it is at work on.
type Session struct {
	Env      func(name string) string // the value of an environment variable, "" when it is not set
	Terminal func() string            // the path of the terminal on standard input, "" for none; nil means none
	TempDir  string                   // the directory of temporary files, where pointers of sessions are kept
}

// ActiveWorkstream returns the name of the workstream that is active in the .planning directory planning: what the
// environment says, else what the pointer of this session says, else, only where no session is known, the pointer in the
// project. ok is false when none is active, the name is not allowed, or a pointer names a directory that is not there.
func (s *Session) ActiveWorkstream(planning string) (name string, ok bool) {
	if name = scan.TrimSpace(s.Env("GSD_WORKSTREAM")); name != "" {
		return name, validWorkstream(name)
	}
	path := peek.Join(planning, "active-workstream")
	if key := s.key(); key != "" {
		path = s.pointer(planning, key)
	}
	text, _, err := peek.ReadFile(path, "", nil, pointerLimit)
	name = scan.TrimSpace(text)
	if err != nil || !validWorkstream(name) {
		return "", false
	}
	return name, peek.Exists(peek.Join(peek.Join(planning, WorkstreamsDir), name))
}

// WorkstreamState returns the path of the STATE.md of a workstream. GSD_PROJECT puts a directory between; ok is false
// when that could lead out of the project.
func (s *Session) WorkstreamState(planning, name string) (path string, ok bool) {
	if project := s.Env("GSD_PROJECT"); project != "" {
		for i := range len(project) {
			if project[i] == '/' || project[i] == '\\' || scan.HasPrefixAt(project, "..", i) {
				return "", false
			}
		}
		planning = peek.Join(planning, project)
	}
	return peek.Join(peek.Join(peek.Join(planning, WorkstreamsDir), name), "STATE.md"), true
}

// validWorkstream reports whether name is ASCII letters, digits, ".", "_" and "-", begins with a letter or digit, and has
// no two dots in a row.
func validWorkstream(name string) bool {
	for i := range len(name) {
		if !tokenByte(name[i]) || i == 0 && (name[0] == '.' || name[0] == '_' || name[0] == '-') || scan.HasPrefixAt(name, "..", i) {
			return false
		}
	}
	return name != ""
}

// key returns the name of this session's pointer file, "" when no session is known.
func (s *Session) key() string {
	for _, v := range sessionVariables {
		if token := sessionToken(s.Env(v.name)); token != "" {
			return v.prefix + token
		}
	}
	for _, name := range [...]string{"TTY", "SSH_TTY"} {
		if token := sessionToken(s.Env(name)); token != "" {
			if scan.HasPrefixAt(token, "dev_", 0) {
				token = token[len("dev_"):]
			}
			return "tty-" + token
		}
	}
	if s.Terminal == nil {
		return ""
	}
	terminal := s.Terminal()
	if scan.HasPrefixAt(terminal, "/dev/", 0) {
		terminal = terminal[len("/dev/"):]
	}
	if token := sessionToken(terminal); token != "" {
		return "tty-" + token
	}
	return ""
}

// sessionToken returns value as part of a file name: each run of other characters than ASCII letters, digits, ".", "_" and
// "-" becomes one "_", underscores at the ends go, and what is longer is cut.
func sessionToken(value string) string {
	value = scan.TrimSpace(value)
	token := make([]byte, 0, len(value))
	for i := 0; i < len(value); i++ {
		if tokenByte(value[i]) {
			token = append(token, value[i])
		} else if i == 0 || tokenByte(value[i-1]) {
			token = append(token, '_')
		}
	}
	for len(token) > 0 && token[0] == '_' {
		token = token[1:]
	}
	for len(token) > 0 && token[len(token)-1] == '_' {
		token = token[:len(token)-1]
	}
	return string(token[:min(len(token), tokenLimit)])
}

// tokenByte reports whether c is an ASCII letter, a digit, ".", "_" or "-".
func tokenByte(c byte) bool {
	return c >= '0' && c <= '9' || c|0x20 >= 'a' && c|0x20 <= 'z' || c == '.' || c == '_' || c == '-'
}

// pointer returns the path of the pointer file that a session has for the project whose .planning is planning.
func (s *Session) pointer(planning, key string) string {
	real, ok := peek.RealPath(planning)
	if !ok {
		real = planning
	}
	return peek.Join(peek.Join(peek.Join(s.TempDir, "gsd-workstream-sessions"), sha1Sum(real)[:16]), key)
}
