package remote

// The file with the remotes, and the keys.

import (
	"bytes"
	"cmp"
	"context"
	"crypto/rand"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/nats-io/nkeys"

	"gatehouse/model"
	"gatehouse/model/line"
	"gatehouse/parse/disk/statefile"
)

// Config holds the remotes that this machine knows, as fleet.json stores them.
type Config struct {
	dir     string
	remotes map[string]*Remote
}

// Remote is a hub, or machines reached through ssh, or both.
type Remote struct {
	Hub      []string  `json:"hub,omitempty"`      // addresses of its servers
	CA       string    `json:"ca,omitempty"`       // file with the certificates that sign the servers' certificates
	Replicas int       `json:"replicas,omitempty"` // number of servers of a cluster that keep documents
	Host     *Identity `json:"host,omitempty"`     // the host as which this machine joins
	User     *Identity `json:"user,omitempty"`     // the user as which this machine shows and decides
	SSH      []Machine `json:"ssh,omitempty"`
	Allow    []Rule    `json:"allow,omitempty"` // who may decide about this machine's projects from another machine
}

// Identity is a name with its key.
type Identity struct {
	Name string `json:"name"`
	Key  string `json:"key,omitempty"` // file with the nkey's seed, relative to the file of the remotes; "" for a hub without keys
}

// Machine is a machine that is reached through ssh.
type Machine struct {
	Target  string   `json:"target"`            // the destination for ssh: "alice@build-8"
	Name    string   `json:"name,omitempty"`    // its name here; "" for the target
	Program string   `json:"program,omitempty"` // path of gatehouse there; "" to use the remote shell's PATH
	Dirs    []string `json:"dirs,omitempty"`    // remote directories that are shown; none for all of the user's
}

// Called returns the name of the machine here.
func (m Machine) Called() string { return cmp.Or(m.Name, m.Target) }

// Rule lets a user of another machine decide here.
type Rule struct {
	User     string       `json:"user"`               // "*" for every user of the hub
	Verbs    []model.Verb `json:"verbs,omitempty"`    // none for all
	Projects []string     `json:"projects,omitempty"` // names or roots; none for all
}

const (
	fileName  = "fleet.json"
	keysDir   = "fleet-keys"
	sizeLimit = 1 << 20
)

// AddMachine adds a machine that is reached through ssh, or changes the one with this target. Its name is its host, with a number if that is
// taken.
func (x *Remote) AddMachine(m Machine) error {
	if err := CheckTarget(m.Target); err != nil {
		return err
	}
	if i := slices.IndexFunc(x.SSH, func(o Machine) bool { return o.Target == m.Target }); i >= 0 {
		before := &x.SSH[i]
		before.Program = cmp.Or(m.Program, before.Program)
		if len(m.Dirs) > 0 {
			before.Dirs = m.Dirs
		}
		return nil
	}
	host := strings.ReplaceAll(machineOf(m.Target), ":", "-") // a colon ends the name of a machine: build-8:shop
	m.Name = host
	for i := 2; slices.ContainsFunc(x.SSH, func(o Machine) bool { return o.Called() == m.Name }); i++ {
		m.Name = fmt.Sprintf("%s-%d", host, i)
	}
	x.SSH = append(x.SSH, m)
	return CheckName(m.Name)
}

// RemoveMachine removes the ssh machine with this target or name, and reports whether there was one.
func (x *Remote) RemoveMachine(target string) bool {
	before := len(x.SSH)
	x.SSH = slices.DeleteFunc(x.SSH, func(m Machine) bool { return m.Target == target || m.Name == target })
	return len(x.SSH) < before
}

// LoadConfig reads the remotes of a directory; without a file there are none.
func LoadConfig(dir string) (*Config, error) {
	c := &Config{dir: dir, remotes: map[string]*Remote{}}
	if dir == "" {
		return c, nil
	}
	data, err := os.ReadFile(c.File())
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return c, nil
	case err != nil:
		return nil, fmt.Errorf("%s: it cannot be read: %w; check its permissions", c.File(), errors.Unwrap(err))
	case len(data) > sizeLimit:
		return nil, fmt.Errorf("%s: it is larger than a megabyte; correct it", c.File())
	}
	var file struct {
		Fleets map[string]*Remote `json:"fleets"`
	}
	d := json.NewDecoder(bytes.NewReader(data))
	d.DisallowUnknownFields() // a misspelled rule would be ignored
	if err := d.Decode(&file); err != nil {
		at := min(int(d.InputOffset()), len(data))
		return nil, fmt.Errorf("%s:%d: %s; correct it", c.File(), 1+bytes.Count(data[:at], []byte("\n")), line.Clean(err.Error()))
	}
	for name, x := range file.Fleets {
		if x == nil {
			continue
		}
		err := CheckName(name)
		for _, id := range []*Identity{x.Host, x.User} {
			if id != nil {
				err = errors.Join(err, CheckName(id.Name))
			}
		}
		for _, m := range x.SSH {
			err = errors.Join(err, CheckName(m.Name))
		}
		if err != nil {
			return nil, fmt.Errorf("%s: %w; correct it", c.File(), err)
		}
		c.remotes[name] = x
	}
	return c, nil
}

// CheckName refuses a name that can't be printed as it is, so that every name can be typed and copied.
func CheckName(name string) error {
	switch {
	case line.Foreign(name) != name:
		return fmt.Errorf("the name %q has characters that can't be shown as they are; use letters and digits", line.Foreign(name))
	case strings.HasPrefix(name, "-"):
		return fmt.Errorf("the name %q looks like a flag; let it begin with a letter", name)
	case strings.ContainsAny(name, ":/"): // build-8:/src/shop
		return fmt.Errorf("the name %q has a colon or a slash, which end the name of a machine elsewhere; use another", name)
	}
	return nil
}

// File returns the path of the file with the remotes, whether it exists or not.
func (c *Config) File() string { return filepath.Join(c.dir, fileName) }

// Names returns the remotes in alphabetical order.
func (c *Config) Names() []string { return slices.Sorted(maps.Keys(c.remotes)) }

// Named returns the remote with a name, or for "" the only one.
func (c *Config) Named(name string) (string, *Remote, error) {
	all := c.Names()
	switch {
	case len(all) == 0:
		return "", nil, errors.New("there is no remote yet; gatehouse remote add HOST, or gatehouse remote add tls://HUB:4222")
	case name == "" && len(all) == 1:
		name = all[0]
	case name == "":
		return "", nil, fmt.Errorf("there are several remotes: %s; name one", strings.Join(all, ", "))
	}
	x := c.remotes[name]
	if x == nil {
		return "", nil, fmt.Errorf("%s: there is no such remote; there is %s", line.Clean(name), strings.Join(all, ", "))
	}
	return name, x, nil
}

// ChangeConfig reads the remotes of a directory, changes them and writes them back, under a lock. If change fails, nothing is written.
func ChangeConfig(ctx context.Context, dir string, change func(*Config) error) (*Config, error) {
	if dir == "" {
		return nil, errors.New("there is no place for the remotes; set HOME or XDG_CONFIG_HOME")
	}
	if err := os.MkdirAll(dir, 0o700); err != nil {
		return nil, err
	}
	release, err := statefile.NewStore(nil).Hold(ctx, statefile.Target{Path: filepath.Join(dir, fileName), Within: []string{dir}})
	if err != nil {
		return nil, err
	}
	defer release()
	c, err := LoadConfig(dir)
	if err == nil {
		err = change(c)
	}
	if err != nil {
		return nil, err
	}
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetIndent("", "  ")
	e.SetEscapeHTML(false)
	if err := e.Encode(map[string]any{"fleets": c.remotes}); err != nil {
		return nil, err
	}
	file := c.File()
	if real, err := filepath.EvalSymlinks(file); err == nil { // settings are often links into a repository
		file = real
	}
	return c, statefile.ReplaceOwn(file, b.Bytes())
}

// Add returns the remote with a name, and adds it if there is none.
func (c *Config) Add(name string) *Remote {
	if c.remotes[name] == nil {
		c.remotes[name] = &Remote{}
	}
	return c.remotes[name]
}

// Remove removes a remote.
func (c *Config) Remove(name string) { delete(c.remotes, name) }

// MakeKey returns an identity in a remote, as a user or a host, with a new key that only this user may read. An existing key for that name is kept.
func (c *Config) MakeKey(remote, as, name string) (*Identity, error) {
	id := &Identity{Name: name, Key: filepath.Join(keysDir, subjectToken(remote)+"."+as+"."+subjectToken(name)+".nk")}
	file := c.KeyFile(id)
	if _, err := os.Lstat(file); err == nil {
		_, err := c.Public(id)
		return id, err
	}
	pair, err := nkeys.CreateUser()
	if err != nil {
		return nil, err
	}
	defer pair.Wipe()
	seed, err := pair.Seed()
	if err != nil {
		return nil, err
	}
	return id, statefile.ReplaceOwn(file, append(seed, '\n'))
}

// KeyFile returns the file with the key of an identity, "" if it has none.
func (c *Config) KeyFile(id *Identity) string {
	switch {
	case id == nil || id.Key == "":
		return ""
	case filepath.IsAbs(id.Key):
		return id.Key
	}
	return filepath.Join(c.dir, id.Key)
}

// Public returns the public key of an identity. It fails if others may read the key.
func (c *Config) Public(id *Identity) (string, error) {
	file := c.KeyFile(id)
	if err := checkPrivate(file); err != nil {
		return "", err
	}
	seed, err := os.ReadFile(file)
	if err != nil {
		return "", err
	}
	pair, err := nkeys.FromSeed(bytes.TrimSpace(seed))
	if err != nil {
		return "", fmt.Errorf("%s: this is no key: %w; remove it and add the remote again", file, err)
	}
	defer pair.Wipe()
	return pair.PublicKey()
}

// Members returns this machine's identities in a remote, with their public keys. A user can also be entered as a viewer.
func (c *Config) Members(name string) ([]Member, error) {
	members := []Member{}
	name, x, err := c.Named(name)
	if err != nil {
		return nil, err
	}
	for _, m := range []struct {
		role Role
		id   *Identity
	}{{RoleApprover, x.User}, {RoleHost, x.Host}} {
		if m.id == nil || m.id.Key == "" {
			continue
		}
		key, err := c.Public(m.id)
		if err != nil {
			return nil, err
		}
		members = append(members, Member{name, m.role, m.id.Name, key})
	}
	return members, nil
}

// HubOf returns how this machine connects to the hub of a remote, as its host or as its user.
func (c *Config) HubOf(name string, x *Remote, as *Identity) (Hub, error) {
	h := Hub{Remote: name, URLs: x.Hub, Name: as.Name, CA: x.CA, Replicas: x.Replicas, Key: c.KeyFile(as)}
	if h.Key != "" {
		if err := checkPrivate(h.Key); err != nil {
			return h, err
		}
	}
	return h, h.Check()
}

// Role is the set of rights of a member of a hub.
type Role string

// The roles. A host publishes and answers, a viewer reads, and an approver may also send decisions. Each host still refuses users that
// it does not list.
const (
	RoleHost     Role = "host"
	RoleViewer   Role = "viewer"
	RoleApprover Role = "approver"
)

// Member is a host or user with a key.
type Member struct {
	Remote string `json:"remote,omitempty"` // name of the remote here; "" for members that flags name
	Role   Role   `json:"role"`
	Name   string `json:"name"` // at the hub
	Key    string `json:"key"`  // public: "U…"
}

// Check refuses an invalid member.
func (m Member) Check() error {
	if m.Name == "" {
		return fmt.Errorf("a %s needs a name: --%s NAME=KEY", m.Role, m.Role)
	}
	if err := CheckName(m.Name); err != nil {
		return err
	}
	if !nkeys.IsValidPublicUserKey(m.Key) {
		return fmt.Errorf("%s: this is no public key of a user or host; gatehouse remote keys prints it where it was made", line.Clean(m.Name+"="+m.Key))
	}
	return nil
}

// allowedSubjects returns the subjects that a member may publish and subscribe to. No host may use JetStream's interface: it can be made to
// deliver a message anywhere. So the first user who connects creates the bucket, and trees are requested rather than put into an object
// store.
func (m Member) allowedSubjects() (publish, subscribe []string) {
	const stream = "KV_" + bucket
	if m.Role == RoleHost {
		key, name := keySubjects+hostKey(m.Name), nameSubject+subjectToken(m.Name)
		return []string{key, key + ".>", name}, []string{
			subjectFor(false, m.Name, ""), subjectFor(true, m.Name, ""), name, "$SRV.>", hostInbox + subjectToken(m.Name) + ".>",
		}
	}
	publish = []string{
		subjectFor(false, "", m.Name), "$SRV.PING.>", "$SRV.INFO.>", "$JS.API.INFO",
		"$JS.API.STREAM.INFO." + stream, "$JS.API.STREAM.CREATE." + stream,
		"$JS.API.CONSUMER.CREATE." + stream + ".>", "$JS.API.CONSUMER.INFO." + stream + ".>", "$JS.API.CONSUMER.DELETE." + stream + ".*", "$JS.FC." + stream + ".>",
	}
	if m.Role == RoleApprover {
		publish = append(publish, subjectFor(true, "", m.Name))
	}
	return publish, []string{keySubjects + keys + ">", userInbox + subjectToken(m.Name) + ".>"}
}

// ServerConfig returns the part of nats-server's configuration that admits members, each with its rights.
func ServerConfig(members []Member) (string, error) {
	var b strings.Builder
	b.WriteString("authorization {\n  users: [\n")
	for _, m := range members {
		if err := m.Check(); err != nil {
			return "", err
		}
		publish, subscribe := m.allowedSubjects()
		fmt.Fprintf(&b, "    { # %s %s\n      nkey: %q\n      permissions: {\n", m.Role, line.Clean(m.Name), m.Key)
		fmt.Fprintf(&b, "        publish: { allow: [\"%s\"] }\n        subscribe: { allow: [\"%s\"] }\n", strings.Join(publish, `", "`), strings.Join(subscribe, `", "`))
		if m.Role == RoleHost {
			b.WriteString("        allow_responses: { max: 10, expires: \"2m\" }\n")
		}
		b.WriteString("      }\n    }\n")
	}
	b.WriteString("  ]\n}\n")
	return b.String(), nil
}

// MachineID identifies this user's account on this machine until the next boot. A part of the ID is stored in dir. It is "" if it is
// unknown; then no project counts as this account's own.
func MachineID(dir string) string {
	name, err := os.Hostname()
	if dir == "" || err != nil {
		return ""
	}
	file := filepath.Join(dir, "machine")
	id, err := os.ReadFile(file)
	if errors.Is(err, fs.ErrNotExist) {
		if err = statefile.CreateOwn(file, []byte(strings.ToLower(rand.Text())+"\n")); err == nil || errors.Is(err, fs.ErrExist) {
			id, err = os.ReadFile(file)
		}
	}
	if err != nil || len(id) > 100 {
		return ""
	}
	boot, _ := os.ReadFile("/proc/sys/kernel/random/boot_id") // Linux only
	return strings.TrimSpace(string(id)) + "-" + statefile.Hash(name + "\x00" + string(boot))[:16]
}
