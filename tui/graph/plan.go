package graph

// The plan of a graph: the nodes of a build in layers. It is made once for each snapshot, in the command that received it. The edges
// are in route.go, the drawing in draw.go.

import (
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/charmbracelet/x/ansi"

	"gatehouse/model"
	"gatehouse/model/line"
	"gatehouse/tui/draw"
)

// Plan is the graph of a build. Nodes are named by their places in nodes.
type Plan struct {
	*model.Graph
	nodes    []*model.Node
	at       map[string]int // by ID
	layers   [][]int        // from top to bottom as they are drawn; the last one may hold the cycles
	layer    []int          // of each node
	order    []int          // all nodes, layer by layer
	stuck    bool           // the last layer holds cycles
	needed   [][]int        // the nodes that need each node
	critical []bool
	lines    []int // of the list: a node, or -1 before each layer
	notes    []note
	widths   []int // of the longest label of each layer
	path     []int // the longest path
	routes   routes
	rails    rails
	of       *Plan // the whole graph of a part, nil for a whole
	spans    []span
	times    []time.Time // times when something began or ended
	old      func(*model.Node) bool
}

// note is a line above the graph.
type note struct {
	status model.Status // whose color it has
	text   string
}

// NewPlan lays out the dependencies of a build: all nodes of the kinds that have dependencies. It returns nil if there are none. isOld
// reports whether a node has waited for so long that it is old; nil means that none has.
func NewPlan(b *model.Build, old func(*model.Node) bool) *Plan {
	nodes := nodesOf(b)
	if len(nodes) == 0 {
		return nil
	}
	p := newPlan(nodes)
	p.old = old
	p.addNotes(b)
	p.keepTimes(b)
	return p
}

// isOld reports whether a node waits, and is old.
func (p *Plan) isOld(n *model.Node) bool {
	return n.Status == model.Waiting && p.old != nil && p.old(n)
}

// statusOf returns the style, sign and word of a node's status.
func (p *Plan) statusOf(l *draw.Look, n *model.Node) (st draw.Style, sign, word string) {
	st, sign = l.StatusOf(n)
	if p.isOld(n) {
		return l.Theme.Dim, sign, model.OldWord
	}
	return st, sign, n.Word()
}

// newPlan lays out nodes, without notes.
func newPlan(nodes []*model.Node) *Plan {
	p := &Plan{Graph: model.NewGraph(nodes), nodes: nodes, at: make(map[string]int, len(nodes)), layer: make([]int, len(nodes)),
		needed: make([][]int, len(nodes)), critical: make([]bool, len(nodes))}
	for i := len(nodes) - 1; i >= 0; i-- {
		p.at[nodes[i].ID] = i
	}
	for i, needs := range p.Needs {
		for _, j := range needs {
			p.needed[j] = append(p.needed[j], i)
		}
	}
	layers, stuck := p.Layers()
	for _, layer := range layers {
		p.layers = append(p.layers, slices.Clone(layer))
	}
	if p.stuck = len(stuck) > 0; p.stuck {
		p.layers = append(p.layers, slices.Clone(stuck))
	}
	for k, layer := range p.layers {
		for _, i := range layer {
			p.layer[i] = k
		}
	}
	p.path = p.CriticalPath()
	for _, i := range p.path {
		p.critical[i] = len(p.path) > 1
	}
	less := p.reducedNeeds()
	p.routes = p.routeEdges(less)
	p.widths = make([]int, len(p.layers))
	for k, layer := range p.layers {
		slices.SortStableFunc(layer, func(a, b int) int { return p.routes.y[a] - p.routes.y[b] })
		p.order = append(p.order, layer...)
		p.lines = append(append(p.lines, -1), layer...)
		for _, i := range layer {
			p.widths[k] = max(p.widths[k], ansi.StringWidth(nameOf(nodes[i])))
		}
	}
	p.rails = p.layRails(less)
	return p
}

// nodesOf returns all nodes of the kinds that have dependencies. Archived nodes are included only if there are no others.
func nodesOf(b *model.Build) []*model.Node {
	kinds := map[model.Kind]bool{}
	open := false
	for _, n := range model.Walk(b.Nodes) {
		if len(n.DependsOn) > 0 {
			kinds[n.Kind] = true
			open = open || !n.IsArchived()
		}
	}
	var nodes []*model.Node
	for _, n := range model.Walk(b.Nodes) {
		if kinds[n.Kind] && n.IsArchived() != open {
			nodes = append(nodes, n)
		}
	}
	return nodes
}

// Has reports whether a node is in the graph.
func (p *Plan) Has(id string) bool {
	_, in := p.at[id]
	return in
}

// Start returns the ID of the node to select first: the current work, else the first open node.
func (p *Plan) Start(now string) string {
	if p.Has(now) {
		return now
	}
	for _, i := range p.order {
		if !p.nodes[i].Status.Closed() {
			return p.nodes[i].ID
		}
	}
	return p.nodes[p.order[0]].ID
}

// nameOf returns the short name of a node in the graph: "3 Schema".
func nameOf(n *model.Node) string { return draw.Join(" ", n.Number, n.Heading()) }

// mostCircles is how many cycles have a line of their own.
const mostCircles = 4

// addNotes makes the lines above the graph: the progress, the longest path, and nodes that can never begin.
func (p *Plan) addNotes(b *model.Build) {
	unknown := p.unknownNeeds(b)
	p.notes = append(p.notes, note{model.Unknown, p.summaryText()})
	if len(p.path) > 1 {
		p.notes = append(p.notes, note{model.Active, "longest way " + strconv.Itoa(len(p.path)) + ": " + p.joinNames(p.path, draw.ChangeJoint, 12)})
	}
	circles := p.Circles()
	for i, circle := range circles {
		if i == mostCircles {
			p.notes = append(p.notes, note{model.Blocked, "and " + strconv.Itoa(len(circles)-i) + " more circles; Blockers names them"})
			break
		}
		way := p.Around(circle)
		text := p.joinNames(way, draw.ChangeJoint, 8) + draw.ChangeJoint + line.Foreign(shortName(p.nodes[way[0]]))
		if len(way) < len(circle) {
			text += ", in it " + p.joinNames(circle, ", ", 8)
		}
		status := model.Blocked
		if slices.ContainsFunc(circle, func(i int) bool { s := p.nodes[i].Status; return s != model.Blocked && s != model.Pending }) {
			status = model.Unknown
			text += ", one of which has begun all the same"
		}
		p.notes = append(p.notes, note{status, "in a circle: " + text})
	}
	var missing []string
	for i, ids := range unknown {
		for _, id := range ids {
			missing = append(missing, line.Foreign(shortName(p.nodes[i]))+" needs "+line.Foreign(id))
		}
	}
	if len(missing) > 0 {
		text := strings.Join(missing[:min(len(missing), mostReasons)], ", ")
		if n := len(missing) - mostReasons; n > 0 {
			text += ", " + strconv.Itoa(n) + " more"
		}
		p.notes = append(p.notes, note{model.Blocked, "not there: " + text})
	}
}

// unknownNeeds returns the dependencies of each node that are missing in the build, each by the end of its ID.
func (p *Plan) unknownNeeds(b *model.Build) [][]string {
	known := make(map[string]bool, len(p.nodes))
	for _, n := range p.nodes {
		for _, id := range n.DependsOn {
			known[id] = false
		}
	}
	for _, n := range model.Walk(b.Nodes) {
		if _, asked := known[n.ID]; asked {
			known[n.ID] = true
		}
	}
	unknown := make([][]string, len(p.nodes))
	for i, n := range p.nodes {
		for _, id := range n.DependsOn {
			if !known[id] {
				unknown[i] = append(unknown[i], id[strings.LastIndexByte(id, '/')+1:])
			}
		}
	}
	return unknown
}

// shortName names a node by its number, else by its title.
func shortName(n *model.Node) string { return draw.OrElse(n.Number, n.Heading()) }

// joinNames joins the short names of nodes, up to a limit.
func (p *Plan) joinNames(list []int, separator string, most int) string {
	names := make([]string, 0, most)
	for k, i := range list {
		if k == most {
			names = append(names, strconv.Itoa(len(list)-k)+" more")
			break
		}
		names = append(names, line.Foreign(shortName(p.nodes[i])))
	}
	return strings.Join(names, separator)
}

// mostReasons is how many nodes are looked up that block others, or that one waits for: more are never named.
const mostReasons = 9

// summaryText says how much is done, and which open nodes block others although nothing blocks them: "12 of 23 done, held up by 6, 7". The
// states of the others are counted in the header alone.
func (p *Plan) summaryText() string {
	done := 0
	var by []int
	for i, n := range p.nodes {
		switch holds := func(j int) bool { return !p.nodes[j].Status.Closed() }; {
		case n.Status.Closed():
			done++
		case len(p.WaitsFor(i)) == 0 && slices.ContainsFunc(p.needed[i], holds):
			by = append(by, i)
		}
	}
	held := ""
	if len(by) > 0 {
		held = "held up by " + p.joinNames(by, ", ", mostReasons)
	}
	return draw.Join(", ", strconv.Itoa(done)+" of "+strconv.Itoa(len(p.nodes))+" done", held)
}

// waitText names the nodes that a node waits for. It is "" if the node has everything it needs, or is done.
func (p *Plan) waitText(i int) string {
	n := p.nodes[i]
	if n.Status != model.Pending && n.Status != model.Blocked {
		return ""
	}
	if p.of != nil { // the nodes outside of a part count, too
		return p.of.waitText(p.of.at[n.ID])
	}
	if strings.HasPrefix(n.Why, "waits for ") || strings.HasPrefix(n.Why, "needs itself") { // the reader knows about nodes that are missing in the tree
		return n.Why
	}
	var names []string
	for _, j := range p.WaitsFor(i) {
		if len(names) < mostReasons {
			names = append(names, nameOf(p.nodes[j]))
		}
	}
	for _, id := range n.DependsOn {
		if _, known := p.at[id]; !known && len(names) < mostReasons {
			names = append(names, id)
		}
	}
	if len(names) == 0 {
		return ""
	}
	return "waits for " + strings.Join(names, ", ")
}
