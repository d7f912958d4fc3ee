package remote

// A host as a dashboard knows it: its presence, its documents, and whether it is live.

import (
	"bytes"
	"cmp"
	"errors"
	"fmt"
	"maps"
	"reflect"
	"slices"
	"strings"
	"sync/atomic"
	"time"

	"gatehouse/model"
	"gatehouse/model/line"
)

// Limits of a host that may be hostile.
const (
	maxHosts     = 10_000   // of a hub
	maxDocuments = 10_000   // of a host
	maxKept      = 64 << 20 // bytes of the documents of a host, unpacked
	maxTroubles  = 16
)

// clockMatters is the smallest clock difference that is corrected.
const clockMatters = 2 * time.Second

// source is a way and the hosts that were seen on it. It implements [listener].
type source struct {
	view     *View
	way      Way
	isUp     bool
	isListed bool             // everything that the way keeps has been received
	since    time.Time        // when it came up, or went down
	why      error            // why it is down; nil before anything is known
	listErr  error            // why the list is not complete
	hosts    map[string]*host // by token
}

// host is a host on one way.
type host struct {
	source   *source
	name     hostName // its name here
	presence Presence
	lastSeen time.Time     // when its last message came, by our clock
	ahead    time.Duration // how far its clock was ahead of ours at the first presence of its process; less than two seconds is 0
	live     bool
	docs     map[string]*document // by key
	bytes    int                  // size of the documents
	troubles map[string]string    // messages that cannot be read, by key
	shown    []*document          // by key, with the project as it is shown now; nil: to be rebuilt
	about    *model.Host
}

// document is the document of a project.
type document struct {
	host     *host
	data     []byte // packed
	size     int    // packed or unpacked, whichever is larger
	session  string
	number   uint64
	project  *model.Project // with the host's own names
	sessions []model.Session
	shown    *model.Project // as it is named and shown here
}

func (s *source) up() {
	s.view.mu.Lock()
	defer s.view.mu.Unlock()
	s.isUp, s.isListed, s.why, s.listErr, s.since = true, false, nil, nil, s.view.Now()
	s.view.changed()
}

func (s *source) down(why error) {
	s.view.mu.Lock()
	defer s.view.mu.Unlock()
	switch {
	case s.isUp || s.why == nil:
		s.since = s.view.Now()
	case s.why.Error() == why.Error():
		return
	}
	s.isUp, s.why = false, why
	for _, h := range s.hosts {
		h.updateLive()
		h.shown = nil // it shows the reason
	}
	s.view.changed()
}

func (s *source) listed(err error) {
	s.view.mu.Lock()
	defer s.view.mu.Unlock()
	s.isListed, s.listErr = true, err
	s.view.changed()
}

func (s *source) received(key string, data []byte, at time.Time) {
	token, isHost := strings.CutPrefix(key, keys)
	token, _, isProject := strings.Cut(token, ".")
	if !isHost || token == "" {
		return
	}
	if s.way.only() != "" { // a single host, whatever its name
		token = ""
	}
	s.view.mu.Lock()
	defer s.view.mu.Unlock()
	if at.IsZero() {
		at = s.view.Now()
	}
	h := s.hosts[token]
	if h == nil {
		if data == nil || len(s.hosts) >= maxHosts {
			return
		}
		h = &host{source: s, docs: map[string]*document{}, troubles: map[string]string{}, lastSeen: at}
		h.name.set(cmp.Or(s.way.only(), token))
		s.hosts[token] = h
	}
	var err error
	isChange := true
	switch {
	case isProject && data == nil:
		h.dropDocument(key)
	case isProject && h.docs[key] != nil && bytes.Equal(h.docs[key].data, data):
		return
	case isProject:
		err = h.takeDocument(key, data)
	case data != nil:
		isChange, err = h.takePresence(key, data, at)
	}
	if h.troubles[key] != "" || err != nil {
		isChange = true
	}
	if h.presence.Schema == 0 { // no readable presence has come yet
		h.lastSeen = at
	}
	if delete(h.troubles, key); err != nil && len(h.troubles) < maxTroubles {
		h.troubles[key] = "something it says can't be read: " + err.Error()
	}
	if isChange {
		h.changed()
	}
}

// describeFault describes the fault of a way in one line, "" if there is none.
func (s *source) describeFault() string {
	switch {
	case !s.isUp && s.why != nil:
		return line.Clean(fmt.Sprintf("%s can't be reached since %s: %v", s.way.name(), model.ClockTime(s.since, s.view.Now()), s.why))
	case s.listErr != nil:
		return line.Clean(fmt.Sprintf("%s: %v; hosts that are not there now are missing", s.way.name(), s.listErr))
	}
	return ""
}

// changed makes the view rebuild the host.
func (h *host) changed() {
	h.shown = nil
	h.source.view.changed()
}

// isUnreadable reports whether the host sends messages, but none that can be read.
func (h *host) isUnreadable() bool {
	v := h.source.view
	return h.source.isUp && h.presence.Schema == 0 && len(h.docs) == 0 && len(h.troubles) > 0 && v.Now().Sub(h.lastSeen) <= v.SilentAfter
}

// firstTrouble returns the error of the first of its messages that can't be read.
func (h *host) firstTrouble() string {
	for _, key := range slices.Sorted(maps.Keys(h.troubles)) {
		return h.troubles[key]
	}
	return ""
}

// takePresence takes a presence of the host, and reports whether anything but the time has changed. The first one of a process shows how
// far the clocks differ.
func (h *host) takePresence(key string, data []byte, at time.Time) (isChange bool, err error) {
	var p Presence
	if _, err := parseMessage(data, presenceLimit, &p); err != nil {
		return false, err
	}
	if err := checkVersion(p.Schema, Wire); err != nil {
		return false, err
	}
	if hostKey(p.Host) != key {
		return false, errors.New("it calls itself " + cleanText(p.Host))
	}
	p.Machine, p.Version, p.Watch, p.Session = cleanText(p.Machine), cleanText(p.Version), cleanText(p.Watch), cutText(p.Session, maxName)
	for i, dir := range p.Dirs {
		p.Dirs[i] = cleanText(dir)
	}
	before := h.presence
	if p.Session == before.Session && p.At.Before(before.At) && before.At.Sub(p.At) < SilentAfter {
		return false, nil // a newer presence has overtaken it
	}
	h.presence = p
	h.name.set(cmp.Or(h.source.way.only(), p.Host))
	if at.After(h.lastSeen) || at.Before(h.lastSeen.Add(-clockMatters)) { // or our clock was set
		h.lastSeen = at
	}
	if before.Session != p.Session {
		h.ahead, isChange = p.At.Sub(at), true
		if h.ahead.Abs() < clockMatters {
			h.ahead = 0
		}
		for key, d := range h.docs {
			h.dropDocument(key)
			h.takeDocument(key, d.data)
		}
	}
	if p.Ready { // documents of earlier processes are out of date
		for key, d := range h.docs {
			if d.session != p.Session {
				h.dropDocument(key)
				isChange = true
			}
		}
	}
	before.At = p.At
	return h.updateLive() || isChange || !reflect.DeepEqual(before, p), nil
}

// takeDocument takes the document of a project.
func (h *host) takeDocument(key string, data []byte) error {
	doc, size, err := decodeDocument(data, h.ahead)
	switch {
	case err != nil:
		return err
	case doc.Origin == nil || len(doc.Projects) != 1 || keyOf(doc.Host, doc.Projects[0].Root, doc.Projects[0].Project.Name) != key:
		return errors.New("it is not the document of its key")
	}
	old := h.docs[key]
	if old != nil && old.session == doc.Session && doc.Number <= old.number { // on two ways, documents may come out of order
		return nil
	}
	kept := h.bytes + size
	if old != nil {
		kept -= old.size
	}
	if kept > maxKept || old == nil && len(h.docs) >= maxDocuments {
		return errors.New("there is more of it than is looked at here")
	}
	h.bytes = kept
	p := &doc.Projects[0]
	for _, b := range p.Project.Builds {
		h.qualifyAsks(b)
	}
	h.docs[key] = &document{host: h, data: data, size: size, session: doc.Session, number: doc.Number, project: p.Project, sessions: p.Sessions}
	return nil
}

func (h *host) dropDocument(key string) {
	if d := h.docs[key]; d != nil {
		h.bytes -= d.size
		delete(h.docs, key)
	}
	delete(h.troubles, key)
}

// hostName is the name of a host. It is also read without the lock.
type hostName struct{ text atomic.Pointer[string] }

func (n *hostName) set(text string) { n.text.Store(&text) }

func (n *hostName) get() string {
	if text := n.text.Load(); text != nil {
		return *text
	}
	return ""
}

// updateLive determines whether the host is live, and reports whether that has changed.
func (h *host) updateLive() (isChange bool) {
	v := h.source.view
	live := h.source.isUp && h.presence.Schema != 0 && !h.presence.Left && v.Now().Sub(h.lastSeen) <= v.SilentAfter
	isChange = live != h.live
	h.live = live
	return isChange
}

// title returns the host's name for the screen.
func (h *host) title() string { return line.Clean(h.name.get()) }

// describeHost returns the host as it is shown now.
func (h *host) describeHost() *model.Host {
	v := h.source.view
	about := &model.Host{Name: h.title(), Fleet: v.Name, State: model.HostLive, ClockAhead: int(h.ahead.Round(time.Second) / time.Second)}
	if h.live {
		return about
	}
	reason := ""
	switch about.AsOf = h.lastSeen; {
	case !h.source.isUp:
		about.State, reason = model.HostCutOff, ": "+line.Clean(h.source.way.name())+" can't be reached"
	case h.presence.Left:
		about.State, reason = model.HostLeft, ": it has left"
	default:
		about.State = model.HostSilent
	}
	about.Why = about.Stands(v.Now()) + reason
	return about
}

// documents returns the documents of a host, each as it is shown.
func (h *host) documents() []*document {
	if h.shown != nil {
		return h.shown
	}
	h.about, h.shown = h.describeHost(), []*document{}
	var problems []model.Problem
	if trouble := h.firstTrouble(); trouble != "" {
		problems = append(problems, model.Problem{Severity: model.Warning, Text: h.title() + ": " + trouble, Fix: "an earlier message is shown"})
	}
	if h.presence.Watch != "" {
		problems = append(problems, model.Problem{Severity: model.Warning, Text: h.title() + " sees changes late: " + h.presence.Watch})
	}
	for _, key := range slices.Sorted(maps.Keys(h.docs)) {
		d := h.docs[key]
		shown := *d.project
		shown.Root, shown.Host = Root(h.name.get(), d.project.Root), h.about
		shown.Decisions, shown.Problems = slices.Clone(shown.Decisions), slices.Concat(shown.Problems, problems)
		for i := range shown.Decisions {
			shown.Decisions[i].Project = shown.Root
		}
		d.shown = &shown
		h.shown = append(h.shown, d)
	}
	return h.shown
}

// agents returns the build of the live agents of a project, nil if it has none.
func (d *document) agents() *model.Build {
	for _, b := range d.project.Builds {
		if b.ID == model.AgentsBuild {
			return b
		}
	}
	return nil
}
