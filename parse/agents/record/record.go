// Package record reads the records that Claude Code keeps about its own sessions: its registry of processes, the ends of
// its transcripts, and what it gave its status line. None of these files is documented, so every field is optional. The
// package writes nothing, and does not open files with keys and tokens.
package record

import (
	"encoding/json"
	"errors"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"gatehouse/model"
	"gatehouse/model/line"
	"gatehouse/parse/agents/ask"
	"gatehouse/parse/disk/peek"
	"gatehouse/parse/disk/statefile"
)

const (
	sessionLimit = 512       // sessions that are returned
	entryLimit   = 8192      // names that are looked at in a directory
	fileLimit    = 256 << 10 // bytes of a file that is read whole
	textLimit    = 300       // runes of a text of one line
)

// Reader reads records. It reads only the new end of a transcript, and keeps the last state of the small files. It is for one goroutine.
type Reader struct {
	store  *ask.Store
	claude string // Claude Code's directory
	round  int    // counts calls of Read
	files  map[string]*file
	tails  map[string]*transcript
	ran    map[string]bool // the sessions of Claude Code that ran in the previous call, by ID
	buffer []byte
}

// NewReader returns a reader of a user's records that has read nothing yet.
func NewReader(store *ask.Store, home string, env func(name string) string) *Reader {
	return &Reader{store: store, claude: ClaudeDir(home, env), files: map[string]*file{}, tails: map[string]*transcript{}, buffer: make([]byte, tailLimit)}
}

// Read returns the sessions that Claude Code records, and those of it that hooks know if their transcripts can be read. A turn that ended
// with words has the state [model.SessionTurn], even if a human has seen them. Lines are counted by the client.
func (r *Reader) Read(known []ask.Session) (sessions []ask.Session) {
	r.round++
	all := r.readRegistry()
	for i := range known {
		k := &known[i]
		if k.Agent != "claude" || !isName(k.ID) {
			continue
		}
		if all[k.ID] == nil && len(all) < sessionLimit {
			all[k.ID] = &ask.Session{Session: model.Session{Agent: k.Agent, ID: k.ID}}
		}
		if s := all[k.ID]; s != nil {
			s.Transcript = k.Transcript
		}
	}
	ran := map[string]bool{}
	for _, id := range slices.Sorted(maps.Keys(all)) {
		if s := all[id]; r.addClaude(s) {
			sessions = append(sessions, *s)
			ran[id] = s.State.IsRunning()
		}
	}
	r.ran = ran
	maps.DeleteFunc(r.files, func(_ string, f *file) bool { return f.round != r.round })
	maps.DeleteFunc(r.tails, func(_ string, t *transcript) bool { return t.round != r.round })
	return sessions
}

// Dirs returns the directories to watch, existing or not: a change in one of them may change the result of [Reader.Read]. Transcripts
// are elsewhere; each Read checks their size.
func (r *Reader) Dirs() []string {
	return []string{filepath.Join(r.claude, "sessions"), filepath.Join(r.store.Dir, statusLineDir)}
}

// file is a small JSON file of Claude Code as it was read last.
type file struct {
	claudeFile
	round int // of the last call for it
}

// loadFile returns a JSON file, nil if it is missing, unreadable or another user's. Fields of the wrong type stay zero. While a file is half
// written, loadFile returns its previous content.
func (r *Reader) loadFile(path ...string) *file {
	name := filepath.Join(path...)
	info, err := os.Lstat(name)
	if err != nil || !info.Mode().IsRegular() || info.Size() > fileLimit || !statefile.IsOwn(info) {
		return nil
	}
	now := &file{}
	if text, _, err := peek.ReadFile(name, "", fileLimit); err == nil && decodeJSON(text, &now.claudeFile) {
		r.files[name] = now
	}
	if f := r.files[name]; f != nil {
		f.round = r.round
	}
	return r.files[name]
}

// decodeJSON reads JSON and leaves out fields of the wrong type.
func decodeJSON(text string, into any) bool {
	var wrong *json.UnmarshalTypeError
	err := json.Unmarshal([]byte(text), into)
	return err == nil || errors.As(err, &wrong)
}

// isName reports whether an ID can be part of a path.
func isName(id string) bool {
	return id != "" && len(id) <= 128 && !strings.ContainsAny(id, "./\\:\x00")
}

// oneLine returns a text as one clean line of bounded length.
func oneLine(text string) string {
	runes := []rune(line.Tidy(strings.ToValidUTF8(text[:min(len(text), 4*textLimit)], "")))
	return string(runes[:min(len(runes), textLimit)])
}
