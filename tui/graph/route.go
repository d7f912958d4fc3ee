package graph

// The positions of nodes and edges: layers are columns, with a gutter between two of them. An edge leaves its node to the right, runs
// up or down on a track of the gutter, and continues to the right; a longer one passes other columns in rows of its own. Edges implied by
// other paths are left out.

import (
	"cmp"
	"slices"

	"gatehouse/tui/draw"
)

// The limits of the layout. Beyond them no eye can follow a line.
const (
	mostReduced  = 4_000  // nodes of a graph whose implied edges are left out
	mostSegments = 40_000 // pieces of edges
	mostTracks   = 8      // of a gutter; more share the last
	mostOrdered  = 300    // edges of a gutter whose tracks are put into an order
)

// stop is a place that edges go through: a node, or a passage through a column.
type stop struct {
	layer, y int
	node     int // -1: a passage
	in       int // the piece that comes into a passage
	from, to []int
}

// segment is a piece of an edge from a stop to one in the next layer.
type segment struct {
	from, to int
	class    draw.EdgeClass
}

// routes are the stops and the gutters after each layer.
type routes struct {
	stops   []stop
	columns [][]int // stops of each layer, from top to bottom
	gutters []gutter
	y       []int // of each node
	rows    int
}

// gutter is the space after a layer.
type gutter struct {
	bundles []bundle // by the row that they leave
	tracks  int
}

// bundle is all edges that leave one stop: one line that branches.
type bundle struct {
	from  int   // row
	to    []int // rows
	class []draw.EdgeClass
	track int
	low   int // the rows between which it runs
	high  int
}

// strongestClass returns the class of the shared part.
func (b *bundle) strongestClass() draw.EdgeClass { return slices.Max(b.class) }

// routeEdges lays out the stops and the edges between them.
func (p *Plan) routeEdges(less [][]int) routes {
	w := &router{p: p, passages: make(map[[2]int]int)}
	for i := range p.nodes {
		w.r.stops = append(w.r.stops, stop{layer: p.layer[i], node: i, in: -1})
	}
	w.r.columns = make([][]int, len(p.layers))
	for k, layer := range p.layers {
		w.r.columns[k] = slices.Clone(layer)
	}
	for i, needs := range less {
		for _, j := range needs {
			w.connectNodes(j, i, p.classOf(j, i))
		}
	}
	for _, s := range w.segments {
		w.r.stops[s.from].to = append(w.r.stops[s.from].to, s.to)
		w.r.stops[s.to].from = append(w.r.stops[s.to].from, s.from)
	}
	w.sortColumns()
	w.placeStops()
	w.bundleEdges()
	return w.r
}

// classOf returns how the edge from a node to one that needs it is drawn.
func (p *Plan) classOf(from, to int) draw.EdgeClass {
	switch {
	case p.nodes[from].Status.Closed():
		return draw.EdgeDone
	case p.critical[from] && p.critical[to] && slices.Index(p.path, to) == slices.Index(p.path, from)+1:
		return draw.EdgeCritical
	}
	return draw.EdgeOpen
}

// reducedNeeds returns the needs of each node without those implied by its other needs.
func (p *Plan) reducedNeeds() [][]int {
	n := len(p.nodes)
	if n > mostReduced {
		return p.Needs
	}
	words := (n + 63) / 64
	reach := make([]uint64, n*words)
	of := func(i int) []uint64 { return reach[i*words : (i+1)*words] }
	less := make([][]int, n)
	layers, stuck := p.Layers()
	for _, layer := range layers {
		for _, i := range layer {
			all := of(i)
			for _, j := range p.Needs[i] {
				for k, w := range of(j) {
					all[k] |= w
				}
			}
			for _, j := range p.Needs[i] {
				if all[j/64]&(1<<(j%64)) == 0 {
					less[i] = append(less[i], j)
				}
			}
			for _, j := range p.Needs[i] {
				all[j/64] |= 1 << (j % 64)
			}
		}
	}
	for _, i := range stuck {
		less[i] = p.Needs[i]
	}
	return less
}

// router makes routes.
type router struct {
	p        *Plan
	r        routes
	segments []segment
	passages map[[2]int]int // by node and layer
}

// connectNodes adds an edge from a node to one that needs it. All edges of a node share their path for as long as they can.
func (w *router) connectNodes(from, to int, class draw.EdgeClass) {
	p := w.p
	if p.layer[from] >= p.layer[to] || len(w.segments) >= mostSegments { // within a cycle
		return
	}
	at := from
	for k := p.layer[from] + 1; k < p.layer[to]; k++ {
		next, there := w.passages[[2]int{from, k}]
		if !there {
			next = len(w.r.stops)
			w.passages[[2]int{from, k}] = next
			w.r.stops = append(w.r.stops, stop{layer: k, node: -1, in: len(w.segments)})
			w.r.columns[k] = append(w.r.columns[k], next)
			w.segments = append(w.segments, segment{at, next, class})
		}
		s := &w.segments[w.r.stops[next].in]
		s.class = max(s.class, class)
		at = next
	}
	w.segments = append(w.segments, segment{at, to, class})
}

// sweeps is how often the order in the columns is improved, once in each direction.
const sweeps = 4

// sortColumns orders the columns so that few edges cross: each stop as near as possible to the middle of its neighbors.
func (w *router) sortColumns() {
	position := make([]int, len(w.r.stops))
	number := func(column []int) {
		for i, s := range column {
			position[s] = i
		}
	}
	for _, column := range w.r.columns {
		number(column)
	}
	middle := make([]float64, len(w.r.stops))
	arrange := func(column []int, beside func(*stop) []int) { // stops without neighbors keep their places
		var places, hanging []int
		for i, s := range column {
			all := beside(&w.r.stops[s])
			if len(all) == 0 {
				continue
			}
			sum := 0
			for _, other := range all {
				sum += position[other]
			}
			middle[s] = float64(sum) / float64(len(all))
			places, hanging = append(places, i), append(hanging, s)
		}
		slices.SortStableFunc(hanging, func(a, b int) int { return cmp.Compare(middle[a], middle[b]) })
		for k, s := range hanging {
			column[places[k]] = s
		}
		number(column)
	}
	for range sweeps {
		for _, column := range w.r.columns {
			arrange(column, func(s *stop) []int { return s.from })
		}
		for _, column := range slices.Backward(w.r.columns) {
			arrange(column, func(s *stop) []int { return s.to })
		}
	}
}

// placeStops gives every stop its row, in the order of the columns: the row of its neighbors if that is free.
func (w *router) placeStops() {
	stops := w.r.stops
	median := func(all []int) int {
		rows := make([]int, len(all))
		for i, s := range all {
			rows[i] = stops[s].y
		}
		slices.Sort(rows)
		return rows[(len(rows)-1)/2]
	}
	for _, column := range w.r.columns {
		free := 0
		for _, s := range column {
			y := free
			if len(stops[s].from) > 0 {
				y = max(y, median(stops[s].from))
			}
			stops[s].y, free = y, y+1
		}
	}
	for _, column := range slices.Backward(w.r.columns) { // move stops back to their neighbors if they were pushed away needlessly
		for i, s := range slices.Backward(column) {
			most := 1 << 30
			if i+1 < len(column) {
				most = stops[column[i+1]].y - 1
			}
			if len(stops[s].to) > 0 {
				stops[s].y = min(max(stops[s].y, median(stops[s].to)), most)
			}
		}
	}
	w.r.y = make([]int, len(w.p.nodes))
	for i := range stops {
		if s := &stops[i]; s.node >= 0 {
			w.r.y[s.node] = s.y
		}
		w.r.rows = max(w.r.rows, stops[i].y+1)
	}
}

// bundleEdges assigns the edges of each stop to a track in the gutter.
func (w *router) bundleEdges() {
	w.r.gutters = make([]gutter, len(w.r.columns))
	of := make(map[int]int) // the bundle of a stop
	for _, s := range w.segments {
		from, to := &w.r.stops[s.from], &w.r.stops[s.to]
		g := &w.r.gutters[from.layer]
		n, there := of[s.from]
		if !there {
			n = len(g.bundles)
			of[s.from] = n
			g.bundles = append(g.bundles, bundle{from: from.y, low: from.y, high: from.y})
		}
		b := &g.bundles[n]
		b.to, b.class = append(b.to, to.y), append(b.class, s.class)
		b.low, b.high = min(b.low, to.y), max(b.high, to.y)
	}
	for k := range w.r.gutters {
		w.r.gutters[k].assignTracks()
	}
}

// assignTracks finds a track for every bundle that runs up or down. Two bundles that share rows have different tracks. A bundle that
// leaves a row stands left of those that enter it, so that they can be distinguished.
func (g *gutter) assignTracks() {
	slices.SortFunc(g.bundles, func(a, b bundle) int { return a.from - b.from })
	leaves := make(map[int]int, len(g.bundles))
	for i := range g.bundles {
		leaves[g.bundles[i].from] = i
	}
	state := make([]uint8, len(g.bundles)) // 1: being placed, 2: placed
	taken := [mostTracks][][2]int{}
	var put func(i int) int
	put = func(i int) int {
		b := &g.bundles[i]
		if state[i] > 0 {
			return b.track
		}
		state[i] = 1
		if b.low == b.high { // straight on
			return 0
		}
		track := 0
		if len(g.bundles) <= mostOrdered {
			for _, y := range b.to {
				if j, ok := leaves[y]; ok && j != i && g.bundles[j].low != g.bundles[j].high && state[j] != 1 {
					track = max(track, put(j)+1)
				}
			}
		}
		overlaps := func(t int) bool {
			return slices.ContainsFunc(taken[t], func(s [2]int) bool { return s[0] <= b.high && b.low <= s[1] })
		}
		for track = min(track, mostTracks-1); track < mostTracks-1 && overlaps(track); {
			track++
		}
		taken[track] = append(taken[track], [2]int{b.low, b.high})
		b.track, state[i] = track, 2
		g.tracks = max(g.tracks, track+1)
		return track
	}
	for i := range g.bundles {
		put(i)
	}
}
