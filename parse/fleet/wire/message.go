// What a host publishes.

package wire

import (
	"encoding/json"
	"errors"
	"fmt"
	"reflect"
	"slices"
	"strings"
	"time"

	"gatehouse/model"
)

// Kinds of messages.
const (
	KindPresence = "host"
	KindProject  = "project"
	KindBuild    = "build"
	KindGone     = "gone"
)

// Limits of a project's message, in entries.
const (
	maxDecisions = 20 // the newest
	maxProblems  = 20
	maxBuilds    = 1000
	maxSessions  = 50
)

// Head is what all messages of a host begin with.
type Head struct {
	V    int    `json:"v"`
	Kind string `json:"kind"`
	Host string `json:"host"`
	// Boot grows with each start of the host's process, Seq with each message of it. Together they order messages.
	Boot uint64    `json:"boot"`
	Seq  uint64    `json:"seq"`
	At   time.Time `json:"at"` // by the host's clock
}

// After reports whether a message was sent after another of the same host.
func (h Head) After(o Head) bool { return h.Boot > o.Boot || h.Boot == o.Boot && h.Seq > o.Seq }

// Sender returns the name of the host, which its keys don't tell where it is long: see [Untoken].
func (h Head) Sender() string { return h.Host }

// Presence says that a host is there.
type Presence struct {
	Head
	// Machine tells the user's account on this machine from others, so that nobody is shown twice what is his own.
	Machine string `json:"machine,omitempty"`
	Version string `json:"version,omitempty"` // of gatehouse
	// Ready says that all projects were published since the process has begun: what is older than that is gone.
	Ready   bool   `json:"ready"`
	Entries int    `json:"entries"` // how many keys are current, and which: see [Digest]
	Digest  string `json:"digest"`
	Left    bool   `json:"left,omitempty"`  // it goes
	Watch   string `json:"watch,omitempty"` // why changes may come late, "" where they don't
}

// Project is a directory of a host.
type Project struct {
	Head
	Root      string           `json:"root"`
	Name      string           `json:"name"`
	Builds    []string         `json:"builds"` // IDs, in their order
	Decisions []model.Decision `json:"decisions,omitempty"`
	Problems  []model.Problem  `json:"problems,omitempty"`
	// Sessions are those of live agents that its builds show.
	Sessions []model.Session `json:"sessions,omitempty"`
}

// Build is one build of a project.
type Build struct {
	Head
	Root  string `json:"root"`           // of its project
	Name  string `json:"name"`           // and that one's name
	Tree  string `json:"tree,omitempty"` // hash of the build with its tree: another tree, another hash
	Build *Body  `json:"build"`
	taken bool   // Build was made into the model, and is used up
}

// Gone stands in the place of what is no more.
type Gone struct{ Head }

// EncodeProject returns the message about a project, but for its head, with the sessions of live agents that belong to it. Whatever the project is,
// it fits into a message: texts are cut, and of what is still too much less is said.
func EncodeProject(p *model.Project, sessions []model.Session) *Project {
	for decisions, problems, shown, builds := maxDecisions, maxProblems, maxSessions, maxBuilds; ; decisions, problems, shown = decisions/2, problems/2, shown/2 {
		m := &Project{
			Root: p.Root, Name: p.Name, Decisions: slices.Clone(p.Decisions[:min(len(p.Decisions), decisions)]),
			Problems: slices.Clone(p.Problems[:min(len(p.Problems), problems)]), Sessions: slices.Clone(sessions[:min(len(sessions), shown)]),
		}
		for _, b := range p.Builds[:min(len(p.Builds), builds)] {
			m.Builds = append(m.Builds, b.ID)
		}
		for i := range m.Decisions { // the files have them whole
			m.Decisions[i] = withoutBytes(m.Decisions[i])
		}
		for _, list := range []any{m.Decisions, m.Problems, m.Sessions} { // each a copy
			shorten(reflect.ValueOf(list), "")
		}
		if len(pack(m)) <= summaryRoom || len(m.Builds) == 0 {
			return m
		}
		if shown == 0 { // the names of builds alone are too long
			builds = len(m.Builds) / 2
		}
	}
}

// withoutBytes returns a decision without the bytes that were replaced.
func withoutBytes(d model.Decision) model.Decision {
	d.Spans = nil
	return d
}

// Decode returns the project without its builds, and its sessions.
func (m *Project) Decode(ahead time.Duration) (*model.Project, []model.Session, error) {
	d := &decoder{ahead: ahead}
	copied := Project{Root: m.Root, Name: m.Name, Builds: slices.Clone(m.Builds), Decisions: slices.Clone(m.Decisions), Problems: slices.Clone(m.Problems), Sessions: slices.Clone(m.Sessions)}
	d.clean(reflect.ValueOf(&copied))
	p := &model.Project{Root: copied.Root, Name: copied.Name, Decisions: copied.Decisions, Problems: copied.Problems}
	for i := range p.Decisions {
		p.Decisions[i].Project = p.Root
	}
	return p, copied.Sessions, d.err
}

// Decode returns the build that was sent. For another time than the first it needs the bytes of its message again: what one gets is one's own.
func (m *Build) Decode(data []byte, ahead time.Duration) (*model.Build, error) {
	body := m.Build
	if m.taken {
		var again Build
		if err := unpack(data, SummaryLimit, &again); err != nil {
			return nil, err
		}
		body = again.Build
	}
	if body == nil || body.Build == nil {
		return nil, errEmpty
	}
	m.taken, m.Build = true, &Body{Build: &model.Build{ID: body.ID}}
	body.Partial = true
	return body.decode(ahead)
}

// Encode returns a message of this package as it is sent.
func Encode(message any) []byte { return pack(message) }

// ParseMessage reads what was published under a key: a [*Presence], [*Project], [*Build] or [*Gone], or nil for a kind that is not known
// yet. It fails for what does not belong there.
func ParseMessage(key string, data []byte) (any, error) {
	var m Build // what most messages are
	if err := unpack(data, SummaryLimit, &m); err != nil {
		return nil, err
	}
	if err := m.check(); err != nil {
		return nil, err
	}
	var parsed any
	var place string // where it belongs
	switch m.Kind {
	case KindPresence:
		p := &Presence{}
		if err := json.Unmarshal(data, p); err != nil {
			return nil, unfit(err)
		}
		p.Machine, p.Version, p.Watch = text(p.Machine), text(p.Version), text(p.Watch)
		parsed, place = p, HostKey(m.Host)
	case KindProject:
		p := &Project{}
		if err := json.Unmarshal(data, p); err != nil {
			return nil, unfit(err)
		}
		if len(p.Builds) > maxBuilds {
			return nil, fmt.Errorf("it has %d builds, %d are the most", len(p.Builds), maxBuilds)
		}
		parsed, place = p, ProjectKey(m.Host, p.Root, p.Name)
	case KindBuild:
		if m.Build == nil || m.Build.Build == nil {
			return nil, errEmpty
		}
		parsed, place = &m, ProjectKey(m.Host, m.Root, m.Name, m.Build.ID)
	case KindGone:
		parsed, place = &Gone{m.Head}, key
		if !strings.HasPrefix(key, HostKey(m.Host)+".") {
			place = ""
		}
	default:
		return nil, nil // of a kind that is not known yet
	}
	if place != key {
		return nil, fmt.Errorf("it calls itself %s", text(place))
	}
	return parsed, nil
}

// ParseHead reads what a message begins with that was published under a key and can't be read as a whole, or is of a kind that is not known yet. It
// reports whether that tells which message it is.
func ParseHead(key string, data []byte) (h Head, ok bool) {
	ok = json.Unmarshal(data, &h) == nil && h.check() == nil && strings.HasPrefix(key, HostKey(h.Host)+".")
	return h, ok
}

// check refuses a head that says nothing to go by.
func (h *Head) check() error {
	switch {
	case h.V > Version:
		return ErrNewer
	case h.V < 1 || h.Kind == "" || h.Host == "" || h.Boot == 0 || h.Seq == 0 || h.At.Before(earliest) || h.At.After(latest):
		return errors.New("it lacks what each message begins with")
	}
	_, err := name(h.Host)
	return err
}

// listed is one message of a list, as it was published.
type listed struct {
	Key     string          `json:"key"`
	Message json.RawMessage `json:"message"`
}

// list is how a list is sent.
type list struct {
	Messages []listed `json:"messages"`
}

// EncodeList returns a list of published messages, by their keys.
func EncodeList(messages map[string][]byte) []byte {
	var l list
	for key, data := range messages {
		l.Messages = append(l.Messages, listed{key, data})
	}
	return pack(l)
}

// ParseList returns the messages of a list, by their keys: each is to be parsed by [ParseMessage].
func ParseList(data []byte) (map[string][]byte, error) {
	var l list
	if err := unpack(data, WholeLimit, &l); err != nil {
		return nil, err
	}
	messages := map[string][]byte{}
	for _, m := range l.Messages {
		messages[m.Key] = m.Message
	}
	return messages, nil
}
