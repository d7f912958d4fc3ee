// Package remote shows the builds of other machines and decides about them, through the documents and verbs that scripts use.
//
//	host:       model.Feed ─► Document of each project ─► hub (a JetStream KV bucket) or pipe (ssh)
//	dashboard:  documents ─► Fleet, a model.Feed ─► snapshot
//	            Fleet.Propose, Do, Answer, Text ─► Request ─► host: the same verbs as on its command line ─► Reply
//
// A project's document is what "gatehouse status --json" prints of it. It is published whole, packed, whenever it changes.
//
// Decisions are compare-and-set: each carries the hash of what was seen, and its host refuses it if that has changed. Repeating
// one changes nothing, so after a lost reply the same request is sent again. Nothing is queued. The files of the host
// and its journal are authoritative; a hub may lose everything at any time.
//
// All data from another machine is limited in size before it is parsed, and cleaned before it is shown.
package remote

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"reflect"
	"slices"
	"strings"
	"time"

	"gatehouse/model"
	"gatehouse/model/line"
	"gatehouse/parse/disk/statefile"
)

// Schema is the version of all JSON documents of the program. It increases when a field changes its meaning or is removed.
const Schema = 1

// Document is the output of "gatehouse status --json", and the message that a host publishes for each project.
type Document struct {
	Schema int `json:"schema"`
	*Origin
	Projects []Project `json:"projects"` // in the order of the arguments
}

// Origin says which host published a document.
type Origin struct {
	Host    string `json:"host,omitempty"`    // its name
	Session string `json:"session,omitempty"` // ID of its process: documents of earlier ones are out of date
	Number  uint64 `json:"number,omitempty"`  // of the document: of two the one with the higher number is newer
}

// Project is a [model.Project] as it is printed. Its lists are there even when they are empty, so that scripts can loop over them.
type Project struct {
	*model.Project
	Builds   []Build         `json:"builds"`   // builds that wait first, then by the last change
	Problems []model.Problem `json:"problems"` // those that belong to no build
	// Sessions are the live agents' sessions in its builds, for a dashboard on another machine.
	Sessions []model.Session `json:"sessions,omitempty"`
}

// Build is a [model.Build] with the texts of its two lines.
type Build struct {
	*model.Build
	IfSeen string `json:"if_seen,omitempty"` // value of --if-seen for a decision about the build; "" for a build on another machine
	// Decide has the values of --if-seen for the nodes that can be decided.
	Decide  []NodeSeen `json:"nodes_if_seen,omitempty"`
	Line    string     `json:"line"`    // the dashboard's header, corrected by the tree
	Claimed string     `json:"claimed"` // the line of statusline, from the state file alone
	*Drawn
}

// NodeSeen is the value of --if-seen for a node.
type NodeSeen struct {
	Node   string `json:"node"`    // ID
	IfSeen string `json:"if_seen"` // hash
}

// Drawn has the fields that only a dashboard on another machine needs, to draw a build.
type Drawn struct {
	Header  *line.Segmented `json:"header,omitempty"`  // the line in pieces
	Unread  string          `json:"unread,omitempty"`  // the part of its files that cannot be read
	Rounded bool            `json:"rounded,omitempty"` // see [model.Progress.Rounded]
	// Resume is the effect of resuming the build.
	Resume *model.Resume `json:"resume,omitempty"`
	Held   []string      `json:"held,omitempty"` // IDs of the nodes that are [model.Node.Held]
}

// NewProject returns the document of a project. seen returns the value of --if-seen for a build, or for one of its nodes.
func NewProject(p *model.Project, seen func(*model.Build, *model.Node) string) Project {
	doc := Project{Project: p, Builds: []Build{}, Problems: nonNil(p.Problems)}
	for _, b := range p.Builds {
		built := newBuild(b)
		if p.Host == nil {
			built.IfSeen = seen(b, nil)
			for _, n := range model.Walk(b.Nodes) {
				if (len(n.Can) > 0 || n.Gate != nil && n.Gate.Ask == nil && len(n.Gate.Can) > 0) && n.Session == nil {
					built.Decide = append(built.Decide, NodeSeen{n.ID, seen(b, n)})
				}
			}
		}
		doc.Builds = append(doc.Builds, built)
	}
	return doc
}

// newBuild returns the document of a build. It does not change the build.
func newBuild(read *model.Build) Build {
	b := *read
	b.Nodes, b.Waits, b.Blockers = nonNil(b.Nodes), nonNil(b.Waits), nonNil(b.Blockers)
	b.Divergences, b.Problems = nonNil(b.Divergences), nonNil(b.Problems)
	doc := Build{Build: &b}
	if b.Header != nil {
		doc.Line = line.Shown(b.Header, false)
	}
	if b.Claimed != nil {
		doc.Claimed = line.Full(b.Claimed)
	}
	return doc
}

func nonNil[T any](s []T) []T {
	if s == nil {
		return []T{}
	}
	return s
}

// Limits of a published document, in entries of a list.
const (
	maxActivities = 2000 // the newest entries of the log
	maxDecisions  = 20
	maxProblems   = 20 // of the project
	maxSessions   = 50
	maxWaits      = 100 // of a build that is too large to be sent
)

// newDocument returns the document that a host publishes for a project, plain and packed. It always fits into a message: one that is too
// large has only what waits, and problems name what was left out.
func newDocument(p *model.Project, sessions []model.Session, o *Origin) (*Document, []byte) {
	about := &model.Project{Root: p.Root, Name: p.Name, Decisions: slices.Clone(p.Decisions[:min(len(p.Decisions), maxDecisions)])}
	for i := range about.Decisions {
		about.Decisions[i].Spans = nil
	}
	project := Project{Project: about, Problems: nonNil(p.Problems[:min(len(p.Problems), maxProblems)]), Sessions: sessions[:min(len(sessions), maxSessions)]}
	doc := &Document{Schema: Schema, Origin: o}
	waits := 0
	for _, reduce := range []func(*Build){func(*Build) {}, (*Build).keepWaiting} {
		waits, project.Builds = 0, make([]Build, len(p.Builds))
		for j, b := range p.Builds {
			waits += len(b.Waits)
			project.Builds[j] = newRemoteBuild(b)
			reduce(&project.Builds[j])
		}
		doc.Projects = []Project{project}
		if packed, ok := packDocument(doc); ok {
			return doc, packed
		}
	}
	about.Decisions = nil
	doc.Projects = []Project{{Project: about, Builds: []Build{}, Problems: []model.Problem{{Severity: model.Warning,
		Text: fmt.Sprintf("%d builds with %d waits are not shown here: they are too large to be sent", len(p.Builds), waits), Fix: "look at them on the host"}}}}
	packed, _ := packDocument(doc)
	return doc, packed
}

// packDocument returns a packed document, and reports whether it fits into a message.
func packDocument(doc *Document) (packed []byte, ok bool) {
	data := encodeJSON(doc)
	if len(data) > documentLimit || checkShape(data) != nil {
		return nil, false
	}
	packed = packMessage(data)
	return packed, len(packed) <= packedLimit
}

// newRemoteBuild returns a build with everything that a dashboard on another machine needs to show it.
func newRemoteBuild(b *model.Build) Build {
	doc := newBuild(b)
	doc.Activity = b.Activity[max(0, len(b.Activity)-maxActivities):]
	doc.omitEntries("entries of the log", len(b.Activity)-len(doc.Activity))
	doc.Drawn = &Drawn{Unread: b.Unread, Rounded: b.Progress.Rounded, Resume: b.Resume}
	if b.Header != nil {
		doc.Drawn.Header = line.SplitFacts(b.Header)
	}
	for _, n := range model.Walk(b.Nodes) {
		if n.Held {
			doc.Held = append(doc.Held, n.ID)
		}
	}
	return doc
}

// keepWaiting omits the log, and all rows but the first that wait.
func (doc *Build) keepWaiting() {
	doc.omitEntries("entries of the log", len(doc.Activity))
	doc.omitEntries("waits", len(doc.Waits)-maxWaits)
	doc.Waits = doc.Waits[:min(len(doc.Waits), maxWaits)]
	waits := map[string]bool{}
	for _, w := range doc.Waits {
		waits[w.Node] = true
	}
	omitted, nodes := 0, []*model.Node{}
	for _, n := range model.Walk(doc.Nodes) {
		if waits[n.ID] {
			gate := *n
			gate.Children, gate.DependsOn, gate.BlockedBy, gate.Facts, gate.Artifacts = nil, nil, nil, nil, nil
			nodes = append(nodes, &gate)
		} else {
			omitted++
		}
	}
	doc.omitEntries("rows", omitted)
	doc.Nodes, doc.Held = nodes, slices.DeleteFunc(doc.Held, func(id string) bool { return !waits[id] })
	doc.Activity, doc.Measured, doc.Blockers, doc.Divergences = nil, nil, []model.Blocker{}, []model.Divergence{}
	doc.Expired, doc.Lags, doc.Metrics, doc.Notes, doc.History = nil, nil, nil, nil, nil
}

// omitEntries adds the problem that entries of a list were left out.
func (doc *Build) omitEntries(list string, n int) {
	if n > 0 {
		doc.Build.Problems = append(slices.Clip(doc.Build.Problems),
			model.Problem{Severity: model.Warning, Text: fmt.Sprintf("%d %s are not shown here: there are too many to send", n, list), Fix: "look at them on the host"})
	}
}

// encodeJSON returns a document as JSON on one line.
func encodeJSON(v any) []byte {
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	if err := e.Encode(v); err != nil { // it can't fail: documents consist of texts, numbers and times
		panic(err)
	}
	return bytes.TrimSuffix(b.Bytes(), []byte("\n"))
}

// decodeDocument parses and cleans a document, and fills in the builds of its projects. ahead is how far the clock of the host is ahead
// of this machine's. size is the length of the document, packed or unpacked, whichever is larger.
func decodeDocument(data []byte, ahead time.Duration) (doc *Document, size int, err error) {
	doc = &Document{}
	if size, err = parseMessage(data, documentLimit, doc); err != nil {
		return nil, 0, err
	}
	if err := checkVersion(doc.Schema, Schema); err != nil {
		return nil, 0, err
	}
	d := decoder{ahead: ahead}
	if d.cleanValue(reflect.ValueOf(doc).Elem()); d.err != nil {
		return nil, 0, d.err
	}
	for i := range doc.Projects {
		p := &doc.Projects[i]
		if p.Project == nil || p.Root == "" {
			return nil, 0, errors.New("a project in it has no root")
		}
		p.Project.Problems, p.Project.Builds = p.Problems, nil
		for j := range p.Decisions {
			p.Decisions[j].Project = p.Root
		}
		seen := map[string]bool{}
		for j := range p.Builds {
			b, err := d.decodeBuild(&p.Builds[j])
			if err != nil {
				return nil, 0, err
			}
			if seen[b.ID] {
				return nil, 0, errors.New("two of its builds have one ID")
			}
			seen[b.ID] = true
			p.Project.Builds = append(p.Project.Builds, b)
		}
	}
	return doc, size, d.err
}

// decodeBuild returns the build of a document.
func (d *decoder) decodeBuild(doc *Build) (*model.Build, error) {
	b := doc.Build
	if b == nil || b.ID == "" {
		return nil, errors.New("a build in it has no ID")
	}
	d.checkNodes(b.Nodes, 0, map[string]bool{})
	if b.Claimed = nil; doc.Claimed != "" {
		b.Claimed = &line.Segmented{Full: []line.Segment{{Part: true, Text: []line.Stretch{{Text: doc.Claimed}}}}}
	}
	b.Progress.Percent = min(b.Progress.Percent, 100)
	if m := b.Measured; m != nil {
		m.Recent = m.Recent[:min(len(m.Recent), model.TrendWindow)]
	}
	if x := doc.Drawn; x != nil {
		if x.Header != nil {
			b.Header = x.Header
		}
		b.Unread, b.Resume, b.Progress.Rounded = x.Unread, x.Resume, x.Rounded
		held := map[string]bool{}
		for _, id := range x.Held {
			held[id] = true
		}
		for _, n := range model.Walk(b.Nodes) {
			n.Held = held[n.ID]
		}
	}
	model.SortWaits(b.Waits)
	return b, nil
}

// checkNodes fails if two nodes have one ID, or one has none, or if they are nested too deeply.
func (d *decoder) checkNodes(nodes []*model.Node, depth int, seen map[string]bool) {
	if depth > maxDepth {
		d.setError("its nodes are nested too deeply")
		return
	}
	for _, n := range nodes {
		if n.ID == "" || seen[n.ID] {
			d.setError("two of its nodes have one ID, or one has none")
		}
		seen[n.ID] = true
		d.checkNodes(n.Children, depth+1, seen)
	}
}

// keyOf returns the key under which a host publishes a project: its name, for people, and the hash of its root.
func keyOf(host, root, name string) string {
	hash, _ := strings.CutPrefix(statefile.Hash(root), "sha256:")
	return hostKey(host) + "." + subjectToken(name) + "-" + hash[:16]
}
