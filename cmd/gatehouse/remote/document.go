// Package remote shows the builds of other machines and decides about them, through the documents and verbs that scripts use.
//
//	host:       model.Feed ─► Document of each project ─► hub (a JetStream KV bucket) or pipe (ssh)
//	dashboard:  documents ─► Fleet, a model.Feed ─► snapshot
//	            Fleet.Propose, Do, Answer, Text ─► Request ─► host: the same verbs as on its command line ─► Reply
//
// A project's document is what "gatehouse status --json" prints of it, with the nodes that wait and without the tree. The tree
// is the same document whole, and is requested when somebody may look at it.
//
// Decisions are compare-and-set: each carries the hash of what was seen, and its host refuses it if that has changed. Repeating
// one does nothing, so a lost reply needs no protocol: the same request is sent again. Nothing is queued. The files of the host
// and its journal are the truth; a hub may lose everything at any time.
//
// Everything that comes from another machine is bounded before it is parsed, and cleaned before it is shown.
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

// Schema is the version of all JSON documents of the program. It grows when a field changes its meaning or goes.
const Schema = 1

// Document is what "gatehouse status --json" prints, and what a host publishes of each project.
type Document struct {
	Schema int `json:"schema"`
	*Origin
	Projects []Project `json:"projects"` // in the order in which they were named
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
	Builds   []Build         `json:"builds"`   // what waits for somebody first, then what changed last
	Problems []model.Problem `json:"problems"` // those that belong to no build
	// Sessions are those of live agents that its builds show, for a dashboard on another machine.
	Sessions []model.Session `json:"sessions,omitempty"`
}

// Build is a [model.Build] with the texts of its two lines.
type Build struct {
	*model.Build
	IfSeen string `json:"if_seen,omitempty"` // what --if-seen takes for what is decided about the build; "" for one on another machine
	// Decide is what --if-seen takes for the nodes that something can be decided about.
	Decide  []NodeSeen `json:"nodes_if_seen,omitempty"`
	Line    string     `json:"line"`    // as the dashboard's header has it, corrected by the tree
	Claimed string     `json:"claimed"` // as statusline prints it, by the state file alone
	*Drawn
}

// NodeSeen is what --if-seen takes for a node.
type NodeSeen struct {
	Node   string `json:"node"`    // ID
	IfSeen string `json:"if_seen"` // hash
}

// Drawn is what a dashboard on another machine needs besides to draw a build.
type Drawn struct {
	Header  *line.Told `json:"header,omitempty"`  // the line in pieces
	Unread  string     `json:"unread,omitempty"`  // what of its files cannot be read
	Rounded bool       `json:"rounded,omitempty"` // see [model.Progress.Rounded]
	// Resume is what taking the build up again would come to.
	Resume *model.Resume `json:"resume,omitempty"`
	Held   []string      `json:"held,omitempty"` // IDs of the nodes that are [model.Node.Held]
	// Partial says that the nodes are those that wait or can be decided, and Tree is the hash of the document with all of them.
	Partial bool   `json:"partial,omitempty"`
	Tree    string `json:"tree,omitempty"`
}

// NewProject returns the document of a project. Seen returns what --if-seen takes for a build, or for one of its nodes.
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

// newBuild returns the document of a build. The build itself stays as it is.
func newBuild(read *model.Build) Build {
	b := *read
	b.Nodes, b.Waits, b.Blockers = nonNil(b.Nodes), nonNil(b.Waits), nonNil(b.Blockers)
	b.Divergences, b.Problems = nonNil(b.Divergences), nonNil(b.Problems)
	doc := Build{Build: &b}
	if b.Header != nil {
		doc.Line = line.Shown(b.Header, false)
	}
	if b.Claimed != nil {
		doc.Claimed = string(b.Claimed.AppendFull(nil))
	}
	return doc
}

func nonNil[T any](s []T) []T {
	if s == nil {
		return []T{}
	}
	return s
}

// Limits of a summary, in entries of each list.
const (
	summaryWaits     = 100
	summaryOther     = 20
	summaryDeciders  = 100 // gates that do not wait and can be decided
	summarySessions  = 50
	summaryDecisions = 20
	summaryText      = 1 << 10 // bytes of a text, if longer ones do not fit
	maxActivities    = 2000    // of a tree: the newest
)

// summarize returns the document of a project without its trees. It fits into [summaryLimit], whatever the project is.
func summarize(p *model.Project, sessions []model.Session, o *Origin) []byte {
	trees := make([]string, len(p.Builds))
	for i, b := range p.Builds {
		if whole, err := encodeTree(p, b); err == nil {
			trees[i] = statefile.Hash(string(whole))
		}
	}
	for waits, other, builds := summaryWaits, summaryOther, len(p.Builds); ; waits, other = waits/2, other/2 {
		about := &model.Project{Root: p.Root, Name: p.Name, Decisions: slices.Clone(p.Decisions[:min(len(p.Decisions), other, summaryDecisions)])}
		for i := range about.Decisions {
			about.Decisions[i].Spans = nil
		}
		doc := Project{Project: about, Builds: []Build{}, Problems: nonNil(p.Problems[:min(len(p.Problems), other)]), Sessions: sessions[:min(len(sessions), waits, summarySessions)]}
		for i, b := range p.Builds[:builds] {
			doc.Builds = append(doc.Builds, summary(b, trees[i], waits, other))
		}
		if left := len(p.Builds) - builds; left > 0 {
			doc.Problems = append(slices.Clip(doc.Problems), tooMany(left, "builds"))
		}
		data := encode(&Document{Schema: Schema, Origin: o, Projects: []Project{doc}})
		if len(data) > summaryLimit { // cut texts, in a copy
			var copied Document
			if json.Unmarshal(data, &copied) == nil {
				shorten(reflect.ValueOf(&copied), "")
				data = encode(&copied)
			}
		}
		switch {
		case len(data) <= summaryLimit || builds == 0:
			return data
		case other == 0:
			builds /= 2
		}
	}
}

// summary returns a build without its tree: of the nodes the gates that wait or can be decided.
func summary(b *model.Build, tree string, waits, other int) Build {
	doc := newBuild(b)
	doc.Drawn = &Drawn{Partial: true, Tree: tree}
	doc.Activity, doc.Measured, doc.Metrics, doc.Notes, doc.History = nil, nil, nil, nil, nil
	problems := doc.Build.Problems
	doc.Build.Problems = slices.Clone(problems[:min(len(problems), other)])
	doc.leave("problems", len(problems)-other)
	doc.Waits = first(&doc, "waits", doc.Waits, waits)
	doc.Expired = first(&doc, "past waits", doc.Expired, other)
	doc.Blockers = first(&doc, "blockers", doc.Blockers, other)
	doc.Divergences = first(&doc, "divergences", doc.Divergences, other)
	doc.Lags = first(&doc, "lags", doc.Lags, other)
	doc.Nodes = decidable(b, waits)
	doc.draw(b)
	return doc
}

// draw sets what a dashboard needs to draw a build.
func (doc *Build) draw(b *model.Build) {
	d := doc.Drawn
	if b.Header != nil {
		d.Header = line.Tell(b.Header)
	}
	d.Unread, d.Rounded, d.Resume = b.Unread, b.Progress.Rounded, b.Resume
	for _, n := range model.Walk(doc.Nodes) {
		if n.Held {
			d.Held = append(d.Held, n.ID)
		}
	}
}

// first keeps the first n of a list.
func first[T any](doc *Build, name string, list []T, n int) []T {
	doc.leave(name, len(list)-n)
	return list[:min(n, len(list))]
}

// leave notes that entries of a list are left out.
func (doc *Build) leave(list string, n int) {
	if n > 0 {
		doc.Build.Problems = append(slices.Clip(doc.Build.Problems), tooMany(n, list))
	}
}

// decidable returns the gates of the first waits, and others that can be decided, without what is below them.
func decidable(b *model.Build, limit int) []*model.Node {
	waits := map[string]bool{}
	for _, w := range b.Waits[:min(len(b.Waits), limit)] {
		waits[w.Node] = true
	}
	gates, others := []*model.Node{}, 0
	for _, n := range model.Walk(b.Nodes) {
		if !waits[n.ID] {
			if n.IsArchived() || (n.Gate == nil || len(n.Gate.Can) == 0) && len(n.Can) == 0 || others >= min(limit, summaryDeciders) {
				continue
			}
			others++
		}
		g := *n
		g.Children, g.DependsOn, g.BlockedBy = nil, nil, nil // nodes that are not here
		gates = append(gates, &g)
	}
	return gates
}

// shorten cuts every long text below a value, except names.
func shorten(v reflect.Value, name string) {
	switch v.Kind() {
	case reflect.Pointer:
		if !v.IsNil() {
			shorten(v.Elem(), name)
		}
	case reflect.Slice:
		for i := range v.Len() {
			shorten(v.Index(i), name)
		}
	case reflect.Struct:
		for i := range v.NumField() {
			if v.Field(i).CanSet() {
				shorten(v.Field(i), v.Type().Field(i).Name)
			}
		}
	case reflect.String:
		if v.Len() > summaryText && !exact[name] {
			v.SetString(cut(v.String(), summaryText) + line.Ellipsis)
		}
	}
}

// encodeTree returns the document of one build with its tree. What would make it too large is left out: the log, then the
// details of the rows. It fails if the rows alone are too many.
func encodeTree(p *model.Project, b *model.Build) ([]byte, error) {
	doc := newBuild(b)
	doc.Drawn = &Drawn{}
	doc.draw(b)
	doc.Activity = b.Activity[max(0, len(b.Activity)-maxActivities):]
	doc.leave("entries of the log", len(b.Activity)-len(doc.Activity))
	for _, reduce := range []func(){
		func() {},
		func() { doc.leave("entries of the log", len(doc.Activity)); doc.Activity, doc.Measured = nil, nil },
		func() {
			n := 0
			doc.Nodes = bare(doc.Nodes, &n)
			doc.leave("details of rows", n)
		},
	} {
		reduce()
		about := Project{Project: &model.Project{Root: p.Root, Name: p.Name}, Builds: []Build{doc}, Problems: []model.Problem{}}
		if data := encode(&Document{Schema: Schema, Projects: []Project{about}}); len(data) <= treeLimit && scan(data) == nil {
			return data, nil
		}
	}
	return nil, fmt.Errorf("the tree of %s is too large to be sent; look at it on the host", line.Clean(b.ID))
}

// bare returns nodes without their details, and counts those.
func bare(nodes []*model.Node, count *int) []*model.Node {
	all := make([]*model.Node, len(nodes))
	for i, n := range nodes {
		*count += len(n.Facts) + len(n.Artifacts)
		plain := *n
		plain.Facts, plain.Artifacts, plain.Children = nil, nil, bare(n.Children, count)
		all[i] = &plain
	}
	return all
}

// encode returns a document as it is sent, on one line.
func encode(v any) []byte {
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	if err := e.Encode(v); err != nil { // documents are made of texts, numbers and times
		panic(err)
	}
	return bytes.TrimSuffix(b.Bytes(), []byte("\n"))
}

// decodeDocument parses a document of a host, cleans it and makes its builds those of the model. Ahead is how far the clock of the host is
// ahead of this machine's.
func decodeDocument(data []byte, limit int, ahead time.Duration) (*Document, error) {
	var doc Document
	if err := unpack(data, limit, &doc); err != nil {
		return nil, err
	}
	if doc.Schema != Schema {
		return nil, errNewer
	}
	d := decoder{ahead: ahead}
	d.clean(reflect.ValueOf(&doc).Elem())
	for i := range doc.Projects {
		p := &doc.Projects[i]
		if p.Project == nil || p.Root == "" {
			return nil, errors.New("a project in it has no root")
		}
		p.Project.Problems, p.Project.Builds = p.Problems, nil
		for j := range p.Decisions {
			p.Decisions[j].Project = p.Root
		}
		seen := map[string]bool{}
		for j := range p.Builds {
			b, err := d.build(&p.Builds[j])
			if err != nil {
				return nil, err
			}
			if seen[b.ID] {
				return nil, errors.New("two of its builds have one ID")
			}
			seen[b.ID] = true
			p.Project.Builds = append(p.Project.Builds, b)
		}
	}
	return &doc, d.err
}

// build returns the build of a document.
func (d *decoder) build(doc *Build) (*model.Build, error) {
	b := doc.Build
	if b == nil || b.ID == "" {
		return nil, errors.New("a build in it has no ID")
	}
	d.checkIDs(b.Nodes, map[string]bool{})
	if b.Claimed = nil; doc.Claimed != "" {
		b.Claimed = &line.Told{Full: []line.Segment{{Part: true, Text: []line.Stretch{{Text: doc.Claimed}}}}}
	}
	b.Progress.Percent = min(b.Progress.Percent, 100)
	if m := b.Measured; m != nil {
		m.Recent = m.Recent[:min(len(m.Recent), model.TrendWindow)]
	}
	if x := doc.Drawn; x != nil {
		if x.Header != nil {
			b.Header = x.Header
		}
		b.Unread, b.Resume, b.Progress.Rounded, b.Partial = x.Unread, x.Resume, x.Rounded, x.Partial
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

// tooMany is the problem of what is left out of a document.
func tooMany(n int, list string) model.Problem {
	return model.Problem{Severity: model.Warning, Text: fmt.Sprintf("%d %s are not shown here: there are too many to send", n, list), Fix: "look at them on the host"}
}

// checkIDs fails if two nodes have one ID, or one has none.
func (d *decoder) checkIDs(nodes []*model.Node, seen map[string]bool) {
	for _, n := range nodes {
		if n.ID == "" || seen[n.ID] {
			d.fail("two of its nodes have one ID, or one has none")
		}
		seen[n.ID] = true
		d.checkIDs(n.Children, seen)
	}
}

// keyOf returns the key under which a host publishes a project: its name, for people, and the hash of its root.
func keyOf(host, root, name string) string {
	hash, _ := strings.CutPrefix(statefile.Hash(root), "sha256:")
	return hostKey(host) + "." + token(name) + "-" + hash[:16]
}
