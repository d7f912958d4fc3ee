package codex

import (
	"os"
	"path/filepath"
	"strconv"

	"gatehouse/parse/disk/process"
)

// Terminal returns the terminal of the window of Codex in a directory, "" if there is none or more than one. Sessions of the app server run
// below the server, so their hooks and threads do not name it.
func Terminal(dir string) (terminal string) {
	entries, _ := filepath.Glob("/proc/[0-9]*/cwd")
	for _, entry := range entries {
		if at, err := os.Readlink(entry); err != nil || at != dir {
			continue
		}
		pid, _ := strconv.Atoi(filepath.Base(filepath.Dir(entry)))
		p, ok := process.System{}.Look(pid)
		if !ok || p.Name != "codex" || p.Terminal == "" || p.Terminal == terminal {
			continue
		}
		if terminal != "" {
			return ""
		}
		terminal = p.Terminal
	}
	return terminal
}
