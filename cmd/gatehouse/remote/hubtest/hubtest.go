// Package hubtest starts hubs for tests: stock NATS servers within the process, one or a cluster of three, on the loopback.
// Only tests may import it.
package hubtest

import (
	"net"
	"os"
	"path/filepath"
	"strconv"
	"testing"
	"time"

	"github.com/nats-io/nats-server/v2/server"
	"github.com/nats-io/nkeys"

	"gatehouse/cmd/gatehouse/remote"
)

// readyWithin is how long a server may take to listen.
const readyWithin = 20 * time.Second

// Keys creates keys for the members of a test's hub, and remembers their files.
type Keys struct {
	t       testing.TB
	dir     string
	Members []remote.Member
	files   map[string]string
}

// NewKeys returns a set without keys.
func NewKeys(t testing.TB) *Keys { return &Keys{t: t, dir: t.TempDir(), files: map[string]string{}} }

// Add creates a key for a member.
func (k *Keys) Add(role remote.Role, name string) {
	k.t.Helper()
	pair, err := nkeys.CreateUser()
	must(k.t, err)
	seed, err := pair.Seed()
	must(k.t, err)
	public, err := pair.PublicKey()
	must(k.t, err)
	file := filepath.Join(k.dir, strconv.Itoa(len(k.Members)))
	must(k.t, os.WriteFile(file, seed, 0o600))
	k.Members = append(k.Members, remote.Member{Role: role, Name: name, Key: public})
	k.files[name] = file
}

// File returns the file with the key of a member; "" if the member has none.
func (k *Keys) File(name string) string { return k.files[name] }

// Server is a hub of one server.
type Server struct {
	t       testing.TB
	options *server.Options
	*server.Server
}

// Start starts a hub that admits the members, or everybody if there are no keys.
func Start(t testing.TB, keys *Keys) *Server {
	t.Helper()
	return start(t, config(t, keys))
}

// StartWith starts a hub with the output of gatehouse remote keys in its configuration.
func StartWith(t testing.TB, members string) *Server {
	t.Helper()
	return start(t, parsed(t, members))
}

func start(t testing.TB, options *server.Options) *Server {
	options.StoreDir = t.TempDir()
	s := &Server{t: t, options: options}
	s.Restart()
	t.Cleanup(func() { s.Stop() })
	return s
}

// config returns the options of a server that admits the members.
func config(t testing.TB, keys *Keys) *server.Options {
	t.Helper()
	users := ""
	if keys != nil {
		var err error
		users, err = remote.ServerConfig(keys.Members)
		must(t, err)
	}
	return parsed(t, users)
}

// parsed returns the options of a server that reads its members from its configuration.
func parsed(t testing.TB, members string) *server.Options {
	t.Helper()
	text := "jetstream: {}\n" + members
	file := filepath.Join(t.TempDir(), "nats-server.conf")
	must(t, os.WriteFile(file, []byte(text), 0o600))
	options, err := server.ProcessConfigFile(file)
	must(t, err)
	options.Host, options.Port = "127.0.0.1", server.RANDOM_PORT
	options.NoLog, options.NoSigs = true, true
	options.JetStreamMaxMemory, options.JetStreamMaxStore = 256<<20, 1<<30
	options.SyncInterval = 2 * time.Minute
	return options
}

// Restart starts the server again, with its data and at the same address.
func (s *Server) Restart() {
	s.t.Helper()
	o := *s.options // a server modifies its options
	started, err := server.NewServer(&o)
	must(s.t, err)
	go started.Start()
	if !started.ReadyForConnections(readyWithin) {
		s.t.Fatal("the hub does not start")
	}
	s.Server = started
	if addr, ok := started.Addr().(*net.TCPAddr); ok {
		s.options.Port = addr.Port
	}
}

// Stop stops the server and releases its files.
func (s *Server) Stop() {
	if s.Server != nil {
		s.Shutdown()
		s.WaitForShutdown()
		s.Server = nil
	}
}

// Forget deletes the data of the stopped server.
func (s *Server) Forget() {
	s.t.Helper()
	must(s.t, os.RemoveAll(s.options.StoreDir))
}

// URL returns the address of the server.
func (s *Server) URL() string {
	return "nats://" + net.JoinHostPort("127.0.0.1", strconv.Itoa(s.options.Port))
}

// Hub returns how a member connects.
func (s *Server) Hub(keys *Keys, name string) remote.Hub {
	h := remote.Hub{Remote: "test", URLs: []string{s.URL()}, Name: name}
	if keys != nil {
		h.Key = keys.File(name)
	}
	return h
}

func must(t testing.TB, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}
