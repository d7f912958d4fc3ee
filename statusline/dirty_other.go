//go:build !(linux || darwin || freebsd || netbsd || openbsd)

package statusline

// gitRun would run git. That is not done here, so what differs is never shown.
type gitRun struct {
	path        string
	dir         string
	environment []string
	end         deadline
}

type deadline struct{}

func newDeadline(int64) deadline { return deadline{} }

func (r *gitRun) git([]string, func([]byte) bool) (code int, ok bool) { return 0, false }

func runnable(string) bool { return false }
