//go:build linux || darwin || freebsd || netbsd || openbsd

package statusline

import "syscall"

// gitRun is how git is run: plainly forked, since os/exec alone costs more than the whole line.
type gitRun struct {
	path        string
	dir         string
	environment []string
	end         deadline
}

// runGit runs git with safeGitArgs and args, and returns its output and exit code. ok is false if it could not be run to its end
// in time, or prints too much; then it is killed, with its children.
func (r *gitRun) runGit(args []string) (output string, code int, ok bool) {
	if r.path == "" {
		return "", 0, false
	}
	pid, pipe, err := r.startGit(append(safeGitArgs[:len(safeGitArgs):len(safeGitArgs)], args...))
	if err != nil {
		return "", 0, false
	}
	defer syscall.Close(pipe)
	buf := make([]byte, 0, 16<<10)
	for len(buf) < maxGitOutput && r.end.waitReadable(pipe) {
		if cap(buf)-len(buf) < 4<<10 {
			buf = append(make([]byte, 0, 2*cap(buf)), buf...)
		}
		n, err := syscall.Read(pipe, buf[len(buf):cap(buf)])
		if err == syscall.EINTR {
			continue
		}
		if n <= 0 || err != nil { // the output has ended; so will git
			code, ok = r.waitGit(pid)
			return string(buf), code, ok
		}
		buf = buf[:len(buf)+n]
	}
	killGroup(pid)
	return "", 0, false
}

// startGit starts git in a process group of its own, without input and with its error output discarded.
func (r *gitRun) startGit(args []string) (pid, output int, err error) {
	null, err := syscall.Open("/dev/null", syscall.O_RDWR|syscall.O_CLOEXEC, 0)
	if err != nil {
		return 0, -1, err
	}
	defer syscall.Close(null)
	var pipe [2]int
	syscall.ForkLock.RLock()
	if err = syscall.Pipe(pipe[:]); err == nil {
		syscall.CloseOnExec(pipe[0])
		syscall.CloseOnExec(pipe[1])
	}
	syscall.ForkLock.RUnlock()
	if err != nil {
		return 0, -1, err
	}
	defer syscall.Close(pipe[1])
	pid, err = syscall.ForkExec(r.path, args, &syscall.ProcAttr{
		Dir:   r.dir,
		Env:   r.environment,
		Files: []uintptr{uintptr(null), uintptr(pipe[1]), uintptr(null)},
		Sys:   &syscall.SysProcAttr{Setpgid: true},
	})
	if err != nil {
		syscall.Close(pipe[0])
		return 0, -1, err
	}
	return pid, pipe[0], nil
}

// waitGit waits for git, which has closed its output, and returns its exit code; ok is false when it does not end in time or
// was killed.
func (r *gitRun) waitGit(pid int) (code int, ok bool) {
	for {
		var status syscall.WaitStatus
		got, err := syscall.Wait4(pid, &status, syscall.WNOHANG, nil)
		switch {
		case err == syscall.EINTR:
			continue
		case err != nil:
			return 0, false
		case got == pid:
			return status.ExitStatus(), status.Exited()
		case r.end.timeLeft() == 0:
			killGroup(pid)
			return 0, false
		}
		pauseBriefly()
	}
}

// killGroup kills git and its children. It waits only as long as a killed process usually takes to end: one that hangs
// in the kernel must not hold up the line.
func killGroup(pid int) {
	syscall.Kill(-pid, syscall.SIGKILL)
	for range 50 {
		if got, err := syscall.Wait4(pid, nil, syscall.WNOHANG, nil); got == pid || err != nil && err != syscall.EINTR {
			return
		}
		pauseBriefly()
	}
}

// pauseBriefly waits for a fifth of a millisecond.
func pauseBriefly() {
	tv := syscall.NsecToTimeval(200_000)
	var none syscall.FdSet
	selectRead(-1, &none, &tv)
}

// isRunnable reports whether path is an executable program.
func isRunnable(path string) bool {
	const execute = 1
	var st syscall.Stat_t
	return syscall.Stat(path, &st) == nil && st.Mode&syscall.S_IFMT == syscall.S_IFREG && syscall.Access(path, execute) == nil
}
