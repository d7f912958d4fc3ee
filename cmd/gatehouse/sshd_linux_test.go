package main

// Servers for ssh, one for each test.

import (
	"fmt"
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

// SSHServer is a server for ssh, at which the user of the test logs in.
type SSHServer struct {
	User string
	Port string
	Key  string // file with the accepted key; the server's own key is the same

	mu       sync.Mutex
	sessions []*exec.Cmd
	shut     bool
}

// StartSSH starts a server with these further lines in its configuration.
func StartSSH(t *testing.T, more ...string) *SSHServer {
	t.Helper()
	for _, tool := range []string{"ssh", "ssh-keygen", "sshd"} {
		if _, err := exec.LookPath(tool); err != nil {
			t.Skip(tool + " is not installed")
		}
	}
	if _, err := os.Stat("/run/sshd"); err != nil && os.Geteuid() == 0 {
		t.Skip("sshd is not set up: there is no /run/sshd")
	}
	me, err := user.Current()
	if err != nil {
		t.Skip(err)
	}
	dir := t.TempDir()
	s := &SSHServer{User: me.Username, Key: filepath.Join(dir, "key")}
	if output, err := exec.Command("ssh-keygen", "-q", "-t", "ed25519", "-N", "", "-f", s.Key).CombinedOutput(); err != nil {
		t.Fatalf("%v: %s", err, output)
	}
	config := filepath.Join(dir, "config")
	lines := append([]string{"HostKey " + s.Key, "AuthorizedKeysFile " + s.Key + ".pub", "StrictModes no", "PidFile none", "UsePAM no", "PermitRootLogin yes"}, more...)
	if err := os.WriteFile(config, []byte(strings.Join(lines, "\n")+"\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	path, _ := exec.LookPath("sshd") // sshd insists on an absolute path
	s.serve(t, func(socket *os.File) *exec.Cmd {
		server := exec.Command(path, "-i", "-f", config)
		server.Stdin, server.Stdout, server.SysProcAttr = socket, socket, &syscall.SysProcAttr{Setsid: true}
		return server
	})
	return s
}

// serve listens on a port, which stays taken, and starts a server for each connection to it, as inetd does.
func (s *SSHServer) serve(t *testing.T, server func(socket *os.File) *exec.Cmd) {
	t.Helper()
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Skip(err)
	}
	s.Port = strconv.Itoa(listener.Addr().(*net.TCPAddr).Port)
	var servers sync.WaitGroup
	t.Cleanup(func() {
		listener.Close()
		s.Cut(true)
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
}

// Cut ends all connections. If shut is true, it also refuses new ones.
func (s *SSHServer) Cut(shut bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, cmd := range s.sessions {
		cmd.Process.Kill()
	}
	s.sessions, s.shut = nil, shut
}

// knownAs returns the server's line for known_hosts.
func (s *SSHServer) knownAs(t *testing.T) string {
	t.Helper()
	public, err := os.ReadFile(s.Key + ".pub")
	if err != nil {
		t.Fatal(err)
	}
	return fmt.Sprintf("[127.0.0.1]:%s %s", s.Port, public)
}
