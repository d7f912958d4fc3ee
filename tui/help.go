package tui

// The help and the footer: two readings of the key table.

// helpWidth is how wide the help gets: two columns of words, not the whole of a wide screen.
const helpWidth = 62

// helpPage lays out the key table.
func helpPage(l *look, table []binding, width int) []string {
	p := l.page(width)
	p.labels = len("shift+tab") // all groups alike
	group := ""
	var facts []fact
	for i, b := range table {
		if b.group != group {
			group = b.group
			p.heading(group)
		}
		facts = append(facts, fact{label: b.names(), value: b.words})
		if i+1 == len(table) || table[i+1].group != group {
			p.facts(facts...)
			facts = nil
		}
	}
	p.heading("Signs")
	p.signs()
	return p.lines
}

// footer draws the last row: why the last key did nothing, else the keys that can be used now; at the right where in the
// tree one is.
func footer(d *dashboard, width int) string {
	l := d.look
	position := ""
	if !d.index.empty() && len(d.tree.rows) > 0 {
		position = itoa(d.tree.selected+1) + "/" + itoa(len(d.tree.rows)) + " "
	}
	r := l.ribbon(width - len(position))
	r.gap(1)
	if d.said != "" {
		r.add(l.theme.wait, d.said)
	} else {
		for _, b := range d.keys {
			if b.hint == "" || b.off != nil && b.off(d) != "" {
				continue
			}
			key := keyName(b.on.Keys()[0])
			if r.width+l.width(key)+1+len(b.hint)+2 > r.room {
				break
			}
			r.add(l.theme.strong, key)
			r.add(l.theme.dim, " "+b.hint)
			r.gap(2)
		}
	}
	end := l.ribbon(len(position))
	end.add(l.theme.dim, position)
	return r.line() + end.line()
}
