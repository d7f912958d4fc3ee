// Pipes through ssh: the command and its errors.

package remote

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"strings"

	"gatehouse/model/line"
	"gatehouse/parse/text/shell"
)

// NewSSH returns the way to a machine through ssh. target is what ssh connects to: see [CheckTarget]. program runs there.
func NewSSH(name, target, program string, dirs []string) (Way, error) {
	if err := CheckTarget(target); err != nil {
		return nil, err
	}
	words := []string{quoteRemote(program), "join", "--stdio", "--"}
	for _, d := range dirs {
		words = append(words, quoteRemote(d))
	}
	args := []string{
		"-T", // no remote terminal
		// ssh must not ask questions, and must end a connection that hangs.
		"-o", "BatchMode=yes", "-o", "ConnectTimeout=10", "-o", "ServerAliveInterval=5", "-o", "ServerAliveCountMax=2",
		// Override user settings for interactive sessions: no banner among the errors, no port forwarding, no other command.
		"-o", "LogLevel=ERROR", "-o", "ClearAllForwardings=yes", "-o", "RemoteCommand=none",
		"--", destination(target), strings.Join(words, " "),
	}
	p := newPipe(name, "ssh "+target, func(ctx context.Context) *exec.Cmd {
		cmd := exec.CommandContext(ctx, "ssh", args...)
		// ProxyJump starts another ssh without BatchMode. It must not find a terminal at which to ask for a password.
		cmd.SysProcAttr = ownSession()
		cmd.Env = append(os.Environ(), "SSH_ASKPASS_REQUIRE=never")
		return cmd
	})
	p.login = LoginCommand(target)
	return p, nil
}

// CheckTarget refuses a text that is no machine for ssh: [USER@]HOST[:PORT], with brackets around an IPv6 address before a port.
func CheckTarget(target string) error {
	host := machineOf(target)
	if host == "" || strings.HasPrefix(host, "-") || strings.HasPrefix(target, "-") || strings.ContainsAny(target, "/ \t\r\n\x00") {
		return fmt.Errorf("ssh://%s: this is no machine for ssh; write it as me@build-8, or ssh://me@build-8:2222", line.Clean(target))
	}
	return nil
}

// machineOf returns the host in a target.
func machineOf(target string) string {
	host := target[strings.LastIndexByte(target, '@')+1:]
	if inside, ok := strings.CutPrefix(host, "["); ok {
		host, _, _ = strings.Cut(inside, "]")
	} else if strings.Count(host, ":") == 1 {
		host, _, _ = strings.Cut(host, ":")
	}
	return host
}

// destination returns a target in the form that ssh takes.
func destination(target string) string {
	if machineOf(target) != target[strings.LastIndexByte(target, '@')+1:] { // it has a port or brackets
		return "ssh://" + target
	}
	return target
}

// LoginCommand returns the command line for a login at a target.
func LoginCommand(target string) string { return "ssh " + shell.Word(destination(target)) }

// quoteRemote quotes a word for the shell of the other machine, whichever that is. "~/" stays unquoted, so that the shell expands it.
func quoteRemote(word string) string {
	if rest, ok := strings.CutPrefix(word, "~/"); ok {
		return "~/" + shell.Word(rest)
	}
	return shell.Word(word)
}

// Exit codes of ssh's own errors, and of a shell that can't run a command.
const (
	sshFailed   = 255
	cannotBeRun = 126
	notFound    = 127
)

// explainExit returns why the program ended, and what to do. said is its last line.
func (p *pipeViewer) explainExit(said string, exit int) error {
	switch {
	case exit == notFound || exit == cannotBeRun:
		return fmt.Errorf("gatehouse can't be run there: %s; name the program by gatehouse remote add HOST --program PATH", said)
	case exit == sshFailed && p.login != "":
		return fmt.Errorf("%s; log in once by hand: %s", cmp.Or(said, "the connection is lost"), p.login)
	case said == "":
		return errors.New("it has ended")
	}
	return errors.New(said)
}

// lastLine returns the last line of a text, cleaned.
func lastLine(text string) string {
	text = strings.TrimSpace(text)
	return line.Clean(text[strings.LastIndexByte(text, '\n')+1:])
}
