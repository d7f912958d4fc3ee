//go:build unix

package main

// Servers for ssh, for the scripts in testdata/live.

import (
	"net"
	"os"
	"os/exec"
	"os/user"
	"path/filepath"
	"strconv"
	"strings"
	"sync"
	"syscall"
	"testing"
)

// sshServer is a server for ssh, at which the user of the test logs in.
type sshServer struct {
	mu       sync.Mutex
	sessions []*exec.Cmd
	shut     bool
}

// startSSH is the command sshd [LINE...]: it starts a server with these further lines in its configuration (~ is the home), and sets SSH_USER, SSH_PORT,
// SSH_KEY and SSH_KNOWN, its line for known_hosts.
func (s *liveScript) startSSH(more []string) {
	for _, tool := range []string{"ssh", "ssh-keygen", "sshd"} {
		if _, err := exec.LookPath(tool); err != nil {
			s.t.Skip(tool + " is not installed")
		}
	}
	if _, err := os.Stat("/run/sshd"); err != nil && os.Geteuid() == 0 {
		s.t.Skip("sshd is not set up: there is no /run/sshd")
	}
	me, err := user.Current()
	if err != nil {
		s.t.Skip(err)
	}
	dir := s.t.TempDir()
	key, config := filepath.Join(dir, "key"), filepath.Join(dir, "config")
	if output, err := exec.Command("ssh-keygen", "-q", "-t", "ed25519", "-N", "", "-f", key).CombinedOutput(); err != nil {
		s.t.Fatalf("%v: %s", err, output)
	}
	lines := append([]string{"HostKey " + key, "AuthorizedKeysFile " + key + ".pub", "StrictModes no", "PidFile none", "UsePAM no", "PermitRootLogin yes"}, more...)
	for i := range lines {
		lines[i] = strings.ReplaceAll(lines[i], "~", s.home)
	}
	s.must0(os.WriteFile(config, []byte(strings.Join(lines, "\n")+"\n"), 0o600))
	path, _ := exec.LookPath("sshd") // sshd insists on an absolute path
	s.ssh = &sshServer{}
	port := s.ssh.serve(s.t, func(socket *os.File) *exec.Cmd {
		server := exec.Command(path, "-i", "-f", config)
		server.Stdin, server.Stdout, server.SysProcAttr = socket, socket, &syscall.SysProcAttr{Setsid: true}
		return server
	})
	public, err := os.ReadFile(key + ".pub")
	s.must0(err)
	s.env = append(s.env, "SSH_USER="+me.Username, "SSH_KEY="+key, "SSH_PORT="+port, "SSH_KNOWN=[127.0.0.1]:"+port+" "+strings.TrimSpace(string(public)))
}

// serve listens on a port, which stays taken, and starts a server for each connection to it, as inetd does.
func (s *sshServer) serve(t *testing.T, server func(socket *os.File) *exec.Cmd) (port string) {
	t.Helper()
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Skip(err)
	}
	var servers sync.WaitGroup
	t.Cleanup(func() {
		listener.Close()
		s.cut(true)
		servers.Wait()
	})
	servers.Go(func() {
		for {
			c, err := listener.Accept()
			if err != nil {
				return // the test has ended
			}
			socket, err := c.(*net.TCPConn).File()
			c.Close()
			if err != nil {
				t.Error(err)
				return
			}
			cmd := server(socket)
			s.mu.Lock()
			shut := s.shut
			if !shut {
				err = cmd.Start()
				s.sessions = append(s.sessions, cmd)
			}
			s.mu.Unlock()
			socket.Close()
			if shut {
				continue
			}
			if err != nil {
				t.Error(err)
				return
			}
			servers.Go(func() { cmd.Wait() })
		}
	})
	return strconv.Itoa(listener.Addr().(*net.TCPAddr).Port)
}

// cut ends all connections. If shut is true, it also refuses new ones.
func (s *sshServer) cut(shut bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, cmd := range s.sessions {
		cmd.Process.Kill()
	}
	s.sessions, s.shut = nil, shut
}
