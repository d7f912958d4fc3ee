// Pipes through ssh: the command and its errors.

package remote

import (
	"context"
	"errors"
	"fmt"
	"net"
	"net/url"
	"os"
	"os/exec"
	"strconv"
	"strings"

	"gatehouse/model/line"
	"gatehouse/parse/text/shell"
)

// NewSSH returns the way to a machine through ssh. Target is the part after ssh:// (see [ParseDestination]); program runs there.
func NewSSH(name, target, program string, dirs []string) (Way, error) {
	to, err := ParseDestination(target)
	if err != nil {
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
	}
	args = append(append(args, to.sshArgs()...), strings.Join(words, " "))
	p := newPipe(name, "ssh "+target, func(ctx context.Context) *exec.Cmd {
		cmd := exec.CommandContext(ctx, "ssh", args...)
		// ProxyJump starts another ssh without BatchMode. It must not find a terminal at which to ask for a password.
		cmd.SysProcAttr = ownSession()
		cmd.Env = append(os.Environ(), "SSH_ASKPASS_REQUIRE=never")
		return cmd
	})
	p.login = to.Login()
	p.explainExit = to.explainExit
	return p, nil
}

// Destination is a machine that ssh can reach.
type Destination struct {
	User string // "" for the user in ssh's configuration
	Host string // a name from ssh's configuration, a host name, or an address
	Port int    // 0 for the port in ssh's configuration
}

// ParseDestination parses the part after ssh://, [USER@]HOST[:PORT]. An IPv6 address before a port needs brackets; %40 in a user's name
// is an @.
func ParseDestination(target string) (d Destination, err error) {
	bad := func(why string) (Destination, error) {
		return d, fmt.Errorf("ssh://%s: %s", line.Clean(target), why)
	}
	if strings.HasPrefix(target, "-") || strings.ContainsAny(target, " \t\r\n\x00") {
		return bad("this is no machine for ssh")
	}
	i := strings.LastIndexByte(target, '@')
	host, port := target[i+1:], ""
	if i >= 0 {
		if d.User, err = url.PathUnescape(target[:i]); err != nil || d.User == "" || strings.HasPrefix(d.User, "-") || strings.ContainsAny(d.User, "\r\n\x00") {
			return bad("this is no user's name; write it as ssh://me@build-8")
		}
	}
	address, bracketed := strings.CutPrefix(host, "[")
	switch {
	case bracketed:
		var rest string
		if address, rest, bracketed = strings.Cut(address, "]"); !bracketed || rest != "" && rest[0] != ':' || net.ParseIP(withoutZone(address)) == nil {
			return bad("in brackets there is an IPv6 address, as in ssh://me@[2001:db8::8]:2222")
		}
		d.Host, port = address, rest
	case strings.Count(host, ":") == 1:
		d.Host, port = host[:strings.IndexByte(host, ':')], host[strings.IndexByte(host, ':'):]
	default:
		d.Host = host
	}
	switch {
	case strings.Contains(d.Host, "/"):
		return bad("directories there are named by --dir")
	case d.Host == "" || strings.HasPrefix(d.Host, "-") || strings.Contains(d.Host, ":") && net.ParseIP(withoutZone(d.Host)) == nil:
		return bad("this is no machine for ssh")
	}
	if port != "" {
		if d.Port, err = strconv.Atoi(port[1:]); err != nil || d.Port < 1 || d.Port > 65535 {
			return bad("the port is a number, as in ssh://build-8:2222")
		}
	}
	return d, nil
}

// withoutZone returns an address without the name of a network interface: "fe80::1" of "fe80::1%eth0".
func withoutZone(address string) string {
	address, _, _ = strings.Cut(address, "%")
	return address
}

// sshArgs returns the arguments of ssh for the destination.
func (d Destination) sshArgs() (args []string) {
	if d.Port != 0 {
		args = append(args, "-p", strconv.Itoa(d.Port))
	}
	to := d.Host
	if d.User != "" {
		to = d.User + "@" + d.Host
	}
	return append(args, "--", to)
}

// Login returns the command line for a login at the destination.
func (d Destination) Login() string {
	words := []string{"ssh"}
	for _, a := range d.sshArgs() {
		if a != "--" {
			words = append(words, shell.Word(a))
		}
	}
	return strings.Join(words, " ")
}

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

// explainExit returns why ssh ended, and the fix; nil if ssh's own last line is best. said is its standard error.
func (d Destination) explainExit(said string, exit int) error {
	last := lastLine(said)
	switch {
	case strings.Contains(said, "REMOTE HOST IDENTIFICATION HAS CHANGED"):
		return errors.New("its host key is not the one that was known here. Find out why; a login by hand says which line of known_hosts is the old one: " + d.Login())
	case strings.Contains(said, "Host key verification failed"):
		return errors.New("its host key is not known here; log in once by hand, and look at it: " + d.Login())
	case strings.Contains(said, "Permission denied ("):
		return fmt.Errorf("%s; nobody is asked for a password here: ssh-copy-id gives that machine your key, ssh-add unlocks it", strings.TrimSuffix(lineWith(said, "Permission denied ("), "."))
	case exit == sshFailed && last == "":
		return errors.New("the connection is lost")
	case exit == notFound || exit == cannotBeRun:
		return fmt.Errorf("gatehouse can't be run there: %s; name the program by gatehouse remote add HOST --program PATH", last)
	case strings.Contains(said, `unknown command "join"`):
		return errors.New("gatehouse there is too old; update it")
	case exit == 0 && last == "":
		return errors.New("it ended before it said anything; try by hand: " + d.Login() + " gatehouse --version")
	}
	return nil
}

// lastLine returns the last line of a text, cleaned.
func lastLine(text string) string {
	text = strings.TrimSpace(text)
	return line.Clean(text[strings.LastIndexByte(text, '\n')+1:])
}

// lineWith returns the last line of a text that contains something, cleaned.
func lineWith(text, what string) (found string) {
	for l := range strings.Lines(text) {
		if strings.Contains(l, what) {
			found = line.Clean(strings.TrimSpace(l))
		}
	}
	return found
}
