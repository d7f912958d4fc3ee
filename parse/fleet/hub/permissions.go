// Package hub is how this machine takes part in fleets, and how a hub lets its members in: the file with the fleets, the keys,
// and the permissions as nats-server's configuration has them.
package hub

import (
	"fmt"
	"strings"

	"github.com/nats-io/nkeys"

	"gatehouse/model/line"
	"gatehouse/parse/fleet/wire"
)

// Role is what a member of a hub may do there.
type Role string

// The roles. A host says what is built on it, and answers; a viewer looks; an approver may ask hosts to do something, too, which each
// host still refuses to whom it does not list itself.
const (
	Host     Role = "host"
	Viewer   Role = "viewer"
	Approver Role = "approver"
)

// Member is a host or user with a key.
type Member struct {
	Role Role
	Name string
	Key  string // public: "U…"
}

// Check refuses what is no member.
func (m Member) Check() error {
	if m.Name == "" {
		return fmt.Errorf("a %s needs a name: --%s NAME=KEY", m.Role, m.Role)
	}
	if err := CheckName(m.Name); err != nil {
		return err
	}
	if !nkeys.IsValidPublicUserKey(m.Key) {
		return fmt.Errorf("%s: this is no public key of a user or host; gatehouse fleet keys prints it where it was made", line.Clean(m.Name+"="+m.Key))
	}
	return nil
}

// permissions are the subjects that a member may use.
type permissions struct {
	publish, subscribe []string
	answers            bool // whoever asks may be answered: a few times, for a request that comes twice uses up two
}

const stream = "KV_" + wire.Bucket

// permissions returns what a member may use. No host may reach JetStream's interface: it can be made to deliver a
// message anywhere. So the bucket is made by the first user who looks.
func (m Member) permissions() permissions {
	if m.Role == Host {
		key := wire.KeySubjects + wire.HostKey(m.Name)
		return permissions{
			publish: []string{key, key + ".>", wire.NameSubject(m.Name)},
			subscribe: []string{wire.Subject(wire.AskList, m.Name, 0, ""), wire.Subject(wire.AskDecide, m.Name, 0, ""), wire.NameSubject(m.Name), wire.Hello,
				wire.HostInbox(m.Name) + ".>"},
			answers: true,
		}
	}
	p := permissions{
		publish: []string{
			wire.Subject(wire.AskList, "", 0, m.Name), wire.Hello,
			"$JS.API.INFO", "$JS.API.STREAM.INFO." + stream, "$JS.API.STREAM.CREATE." + stream, "$JS.API.CONSUMER.CREATE." + stream + ".>",
			"$JS.API.CONSUMER.DELETE." + stream + ".*", "$JS.FC." + stream + ".>",
		},
		subscribe: []string{wire.KeySubjects + wire.Keys + ">", wire.Inbox(m.Name) + ".>"},
	}
	if m.Role == Approver {
		p.publish = append(p.publish, wire.Subject(wire.AskDecide, "", 0, m.Name))
	}
	return p
}

// Configuration returns the part of nats-server's configuration that lets members in, each with what it may do and no more.
func Configuration(members []Member) (string, error) {
	var b strings.Builder
	b.WriteString("authorization {\n  users: [\n")
	for _, m := range members {
		if err := m.Check(); err != nil {
			return "", err
		}
		p := m.permissions()
		fmt.Fprintf(&b, "    { # %s %s\n      nkey: %q\n      permissions: {\n", m.Role, line.Clean(m.Name), m.Key)
		fmt.Fprintf(&b, "        publish: { allow: [%s] }\n        subscribe: { allow: [%s] }\n", quoted(p.publish), quoted(p.subscribe))
		if p.answers {
			b.WriteString("        allow_responses: { max: 10, expires: \"2m\" }\n")
		}
		b.WriteString("      }\n    }\n")
	}
	b.WriteString("  ]\n}\n")
	return b.String(), nil
}

// quoted returns a list of subjects, whose tokens hold no quotes.
func quoted(subjects []string) string {
	all := make([]string, len(subjects))
	for i, s := range subjects {
		all[i] = `"` + s + `"`
	}
	return strings.Join(all, ", ")
}
