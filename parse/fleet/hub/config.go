package hub

import (
	"bytes"
	"cmp"
	"context"
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

	"gatehouse/model/line"
	"gatehouse/parse/disk/statefile"
	"gatehouse/parse/fleet/link"
	"gatehouse/parse/fleet/wire"
)

// Fleets are the fleets that this machine knows, as fleet.json holds them.
type Fleets struct {
	dir    string
	fleets map[string]*Fleet
}

// Fleet is a hub, or machines reached through ssh, or both.
type Fleet struct {
	Hub      []string  `json:"hub,omitempty"`      // addresses of its servers
	CA       string    `json:"ca,omitempty"`       // file with the certificates that the servers' are signed by
	Replicas int       `json:"replicas,omitempty"` // on how many servers of a cluster it keeps what was said
	Host     *Identity `json:"host,omitempty"`     // as what this machine joins
	User     *Identity `json:"user,omitempty"`     // as whom somebody on this machine looks
	SSH      []Machine `json:"ssh,omitempty"`
	Allow    []Rule    `json:"allow,omitempty"` // who may decide about this machine's projects from elsewhere
}

// Identity is a name with its key.
type Identity struct {
	Name string `json:"name"`
	Key  string `json:"key,omitempty"` // file with the nkey's seed, relative to the one of the fleets; "" for a hub that asks for none
}

// Machine is one that is reached through ssh.
type Machine struct {
	Target  string   `json:"target"`            // as ssh takes it: "alice@build-8"
	Name    string   `json:"name,omitempty"`    // as it is called here: what its projects' names begin with; "" for the target
	Program string   `json:"program,omitempty"` // where gatehouse is there; "" for where ssh's commands find it
	Dirs    []string `json:"dirs,omitempty"`    // directories there that are shown; none for the one that ssh begins in
}

// Called returns how the machine is called here.
func (m Machine) Called() string { return cmp.Or(m.Name, m.Target) }

// Command returns what is run there.
func (m Machine) Command() string { return cmp.Or(m.Program, "gatehouse") }

// Reach adds a machine that is reached through ssh, in the place of the one with this target, of which stays what is not given anew. It is called by its host, as one on a hub
// is, or where another is called so, by its user and host, or with a number.
func (x *Fleet) Reach(m Machine) error {
	to, err := link.ParseDestination(m.Target)
	if err != nil {
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
	host := to.Host
	if strings.Contains(host, ":") { // a colon ends a machine's name: build-8:shop
		host = "ip6-" + strings.ReplaceAll(host, ":", "-")
	}
	names := []string{host}
	if to.User != "" {
		names = append(names, to.User+"@"+host)
	}
	for i := 2; i <= len(x.SSH)+2; i++ {
		names = append(names, fmt.Sprintf("%s-%d", host, i))
	}
	for _, name := range names {
		taken := slices.ContainsFunc(x.SSH, func(o Machine) bool { return o.Called() == name })
		if err = CheckName(name); err == nil && !taken {
			m.Name = name
			x.SSH = append(x.SSH, m)
			return nil
		}
	}
	return err
}

// Leave removes the machine that is reached through ssh with this target, and reports whether there was one.
func (x *Fleet) Leave(target string) bool {
	before := len(x.SSH)
	x.SSH = slices.DeleteFunc(x.SSH, func(m Machine) bool { return m.Target == target })
	return len(x.SSH) < before
}

// Rule says who may decide what from elsewhere.
type Rule struct {
	User     string   `json:"user"`               // "*" for all that the hub lets
	Verbs    []string `json:"verbs,omitempty"`    // none for all
	Projects []string `json:"projects,omitempty"` // names or directories; none for all
}

const (
	fileName  = "fleet.json"
	keysDir   = "fleet-keys"
	sizeLimit = 1 << 20
)

// Load reads the fleets of a directory, absolute; where there is no file there are none.
func Load(dir string) (*Fleets, error) {
	f := &Fleets{dir: dir, fleets: map[string]*Fleet{}}
	if dir == "" {
		return f, nil
	}
	data, err := os.ReadFile(f.File())
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return f, nil
	case err != nil:
		return nil, fmt.Errorf("%s: it cannot be read: %w; check its permissions", f.File(), errors.Unwrap(err))
	case len(data) > sizeLimit:
		return nil, fmt.Errorf("%s: it is larger than a megabyte; mend it", f.File())
	}
	var file struct {
		Fleets map[string]*Fleet `json:"fleets"`
	}
	d := json.NewDecoder(bytes.NewReader(data))
	d.DisallowUnknownFields() // a misspelt rule would be none
	if err := d.Decode(&file); err != nil {
		at := min(int(d.InputOffset()), len(data))
		return nil, fmt.Errorf("%s:%d: %s; mend it", f.File(), 1+bytes.Count(data[:at], []byte("\n")), line.Clean(err.Error()))
	}
	for name, x := range file.Fleets {
		if x == nil {
			continue
		}
		if err := errors.Join(CheckName(name), x.checkNames()); err != nil {
			return nil, fmt.Errorf("%s: %w; mend it", f.File(), err)
		}
		f.fleets[name] = x
	}
	return f, nil
}

// CheckName refuses a name that can't be printed as it is, so that it can be typed and copied.
func CheckName(name string) error {
	switch {
	case line.Foreign(name) != name:
		return fmt.Errorf("the name %q has characters that can't be shown as they are; take letters and digits", line.Foreign(name))
	case strings.HasPrefix(name, "-"):
		return fmt.Errorf("the name %q looks like a flag; let it begin with a letter", name)
	case strings.ContainsAny(name, ":/"): // build-8:/src/shop
		return fmt.Errorf("the name %q has a colon or a slash, which end the name of a machine elsewhere; take another", name)
	}
	return nil
}

// checkNames refuses the names of a fleet's members that [CheckName] does.
func (x *Fleet) checkNames() error {
	for _, id := range []*Identity{x.Host, x.User} {
		if id == nil {
			continue
		}
		if err := CheckName(id.Name); err != nil {
			return err
		}
	}
	for _, m := range x.SSH {
		if err := CheckName(m.Name); err != nil {
			return err
		}
	}
	return nil
}

// File returns the path of the file with the fleets, whether it exists or not.
func (f *Fleets) File() string { return filepath.Join(f.dir, fileName) }

// Names returns the fleets in alphabetical order.
func (f *Fleets) Names() []string { return slices.Sorted(maps.Keys(f.fleets)) }

// Named returns a fleet by its name, or the only one there is for "".
func (f *Fleets) Named(name string) (string, *Fleet, error) {
	all := f.Names()
	switch {
	case len(all) == 0:
		return "", nil, errors.New("there is no fleet yet; gatehouse fleet add NAME tls://HUB:4222, or gatehouse fleet add NAME ssh://HOST")
	case name == "" && len(all) == 1:
		name = all[0]
	case name == "":
		return "", nil, fmt.Errorf("there are several fleets: %s; name one", strings.Join(all, ", "))
	}
	x := f.fleets[name]
	if x == nil {
		return "", nil, fmt.Errorf("%s: there is no such fleet; there is %s", line.Clean(name), strings.Join(all, ", "))
	}
	return name, x, nil
}

// Change reads the fleets of a directory, has them changed and writes them down, alone among all who do. Where change fails nothing is written.
func Change(ctx context.Context, dir string, change func(*Fleets) error) (*Fleets, error) {
	if dir == "" {
		return nil, errors.New("there is no place for the fleets; set HOME or XDG_CONFIG_HOME")
	}
	if err := os.MkdirAll(dir, 0o700); err != nil {
		return nil, err
	}
	release, err := statefile.NewStore(nil).Hold(ctx, statefile.Target{Path: filepath.Join(dir, fileName), Within: []string{dir}})
	if err != nil {
		return nil, err
	}
	defer release()
	f, err := Load(dir)
	if err != nil {
		return nil, err
	}
	if err := change(f); err != nil {
		return nil, err
	}
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetIndent("", "  ")
	e.SetEscapeHTML(false)
	if err := e.Encode(map[string]any{"fleets": f.fleets}); err != nil {
		return nil, err
	}
	file := f.File()
	if real, err := filepath.EvalSymlinks(file); err == nil { // settings often live in a repository of their own
		file = real
	}
	return f, statefile.ReplaceOwn(file, b.Bytes())
}

// Add returns a fleet by its name: one that is new where there is none of it.
func (f *Fleets) Add(name string) *Fleet {
	if f.fleets[name] == nil {
		f.fleets[name] = &Fleet{}
	}
	return f.fleets[name]
}

// Remove forgets a fleet.
func (f *Fleets) Remove(name string) { delete(f.fleets, name) }

// MakeKey returns an identity with a new key, which is written where only this user may read it. Where the fleet has a key
// for that name, it is kept.
func (f *Fleets) MakeKey(fleet string, role Role, name string) (*Identity, error) {
	id := &Identity{Name: name, Key: filepath.Join(keysDir, keyName(fleet, role, name))}
	file := f.KeyFile(id)
	if _, err := os.Lstat(file); err == nil {
		_, err := f.Public(id)
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

// KeyFile returns the file with the key of an identity, "" where it has none.
func (f *Fleets) KeyFile(id *Identity) string {
	switch {
	case id == nil || id.Key == "":
		return ""
	case filepath.IsAbs(id.Key):
		return id.Key
	}
	return filepath.Join(f.dir, id.Key)
}

// keyName returns the name of the file with a key. A name of a host or user may be none of a file's.
func keyName(fleet string, role Role, name string) string {
	return wire.Token(fleet) + "." + string(role) + "." + wire.Token(name) + ".nk"
}

// Public returns the public key of an identity. It fails where others may read the key.
func (f *Fleets) Public(id *Identity) (string, error) {
	file := f.KeyFile(id)
	if err := private(file); err != nil {
		return "", err
	}
	seed, err := os.ReadFile(file)
	if err != nil {
		return "", err
	}
	pair, err := nkeys.FromSeed(bytes.TrimSpace(seed))
	if err != nil {
		return "", fmt.Errorf("%s: this is no key: %w; remove it and add the fleet again", file, err)
	}
	defer pair.Wipe()
	return pair.PublicKey()
}

// Members returns what this machine is in a fleet, with its public keys; a user may be entered as an approver or as a viewer.
func (f *Fleets) Members(x *Fleet) (members []Member, err error) {
	for role, id := range map[Role]*Identity{Host: x.Host, Approver: x.User} {
		if id == nil || id.Key == "" {
			continue
		}
		key, err := f.Public(id)
		if err != nil {
			return nil, err
		}
		members = append(members, Member{Role: role, Name: id.Name, Key: key})
	}
	slices.SortFunc(members, func(a, b Member) int { return strings.Compare(string(a.Role), string(b.Role)) })
	return members, nil
}

// Link returns how this machine connects to the hub of a fleet, as its host or as its user.
func (f *Fleets) Link(name string, x *Fleet, as *Identity) (link.Hub, error) {
	h := link.Hub{Fleet: name, URLs: x.Hub, Name: as.Name, CA: x.CA, Replicas: x.Replicas, Key: f.KeyFile(as)}
	if h.Key != "" {
		if err := private(h.Key); err != nil {
			return h, err
		}
	}
	return h, h.Check()
}
