package index

// Rows: the lines of the tree.

import "gatehouse/model"

// Row is one line of the tree: a site, a node of it, or a run of nodes.
type Row struct {
	Site  *Site
	Node  *model.Node   // nil for the site itself, and for a run
	Run   []*model.Node // neighbors that are done; the row stands for all of them
	Depth int
	Hit   bool // the row passes the filter itself; false without a filter
}

// Row returns the row of a node, or of the build for "".
func (s *Site) Row(node string) Row { return Row{Site: s, Node: s.Nodes[node].Node} }

func (r Row) Place() Place {
	switch {
	case len(r.Run) > 0:
		at := r.Site.Place(r.Run[0].ID)
		at.Run = true
		return at
	case r.Node == nil:
		return r.Site.Place("")
	}
	return r.Site.Place(r.Node.ID)
}

// Children returns the nodes below the row, folded or not.
func (r Row) Children() []*model.Node {
	switch {
	case len(r.Run) > 0:
		return r.Run
	case r.Node != nil:
		return r.Node.Children
	case r.Site.Build != nil:
		return r.Site.Build.Nodes
	}
	return nil
}
