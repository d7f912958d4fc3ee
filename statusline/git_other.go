//go:build !(linux || darwin || freebsd || netbsd || openbsd)

package statusline

// gitRun would run git. This platform does not, so it never shows data that needs git.
type gitRun struct {
	path        string
	dir         string
	environment []string
	end         deadline
}

type deadline struct{}

func newDeadline(int64) deadline { return deadline{} }

func (r *gitRun) runGit([]string) (output string, code int, ok bool) { return "", 0, false }

func isRunnable(string) bool { return false }
