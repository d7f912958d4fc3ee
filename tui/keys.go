package tui

// The one table of keys. Update, the footer, the help and docs/dashboard.md read it; nothing else knows a key.

import (
	"slices"
	"strconv"
	"strings"

	"charm.land/bubbles/v2/key"
	tea "charm.land/bubbletea/v2"

	"gatehouse/model"
	"gatehouse/tui/draw"
	"gatehouse/tui/pane"
)

// binding is one row of the table: some keys that mean the same.
type binding struct {
	name  string      // how the configuration calls it
	on    key.Binding // no key: only the palette offers it
	words string      // what it does, for help, palette and docs
	hint  string      // the same in a word or two, for the footer; "" keeps it out of there
	group string
	// writes marks what changes state files. A dashboard that is read only has no such rows.
	writes bool
	// inDialog marks a key that means something in dialogs only. Others mean there what they mean elsewhere, if anything.
	inDialog bool
	verbs    []model.Verb // what is decided by it, if anything
	do       func(*dashboard) tea.Cmd
	off      func(*dashboard) string // why it can't be used now, "" when it can; nil: it always can
}

// allowed returns the rows that a dashboard has.
func allowed(table []binding, readOnly bool) []binding {
	return slices.DeleteFunc(table, func(b binding) bool { return readOnly && b.writes })
}

// keys binds keys, as the framework spells them.
func keys(names ...string) key.Binding { return key.NewBinding(key.WithKeys(names...)) }

// pressed is a key by its name, as [key.Matches] takes it.
type pressed string

func (p pressed) String() string { return string(p) }

// doing makes a row's action of a method that has nothing to say.
func doing(f func(*dashboard)) func(*dashboard) tea.Cmd {
	return func(d *dashboard) tea.Cmd { f(d); return nil }
}

// bindings returns the table. Its order is that of the help, and of the footer.
func bindings() []binding {
	move := func(by func(*dashboard) int) func(*dashboard) tea.Cmd {
		return doing(func(d *dashboard) { d.move(by(d)) })
	}
	onTree := func(f func(*pane.Tree)) func(*dashboard) tea.Cmd {
		return doing(func(d *dashboard) { f(d.tree) })
	}
	const anywhere, decide, views, moves, inTree, hands, rare = "Anywhere", "Decide", "Views", "Move", "Tree", "Files", "Palette only"
	decisions, rareDecisions := decideRows(decide, rare)
	table := []binding{
		{group: anywhere, name: "help", on: keys("?"), words: "show this help", hint: "help", do: doing((*dashboard).showHelp)},
		{group: anywhere, name: "palette", on: keys(":", "ctrl+p"), words: "palette: find any command", do: doing((*dashboard).showPalette)},
		{group: anywhere, name: "quit", on: keys("q", "ctrl+c"), words: "quit", hint: "quit", do: func(d *dashboard) tea.Cmd { return d.decisions.Quit() }},
		{group: anywhere, name: "open", on: keys("enter"), words: "open: what an agent asks or said last, the details, the row", hint: "open",
			do: (*dashboard).enter, off: (*dashboard).whyNoEnter},
		{group: anywhere, name: "back", on: keys("esc"), words: "one step back; never quits", hint: "back",
			do: doing((*dashboard).back), off: (*dashboard).whyNoBack},
		{group: anywhere, name: "next", on: keys("n"), hint: "next",
			words: "next thing that waits, then finished turns, then what failed, then what is blocked; next hit of a search",
			do:    doing(func(d *dashboard) { d.next(1) }), off: (*dashboard).whyNoNext},
		{group: anywhere, name: "previous", on: keys("N"), words: "the previous one of these",
			do: doing(func(d *dashboard) { d.next(-1) }), off: (*dashboard).whyNoNext},
		{group: anywhere, name: "search", on: keys("/"), words: "search the pane; the tree, the timeline and the inbox show only what is found", hint: "search",
			do: (*dashboard).startSearch, off: (*dashboard).whyNoBuild},
		{group: anywhere, name: "filter", on: keys("f"), words: "filter by state, and by what it is about", hint: "states",
			do: (*dashboard).startChoosing, off: (*dashboard).whyNoBuild},
		{group: anywhere, name: "seen", on: keys("."), words: "mark all that changed as seen", hint: "all seen",
			do: (*dashboard).seeAll, off: (*dashboard).whyNoneUnseen},
		{group: anywhere, name: "suspend", on: keys("ctrl+z"), words: "suspend: the shell has the terminal until fg", do: (*dashboard).suspend, off: (*dashboard).whyNoShell},
	}
	table = append(table, decisions...)
	table = append(table, []binding{
		{group: views, name: "next-pane", on: keys("tab"), words: "next pane", hint: "pane",
			do: doing(func(d *dashboard) { d.nextPane(1) }), off: (*dashboard).whyNoBuild},
		{group: views, name: "previous-pane", on: keys("shift+tab"), words: "previous pane",
			do: doing(func(d *dashboard) { d.nextPane(-1) }), off: (*dashboard).whyNoBuild},
	}...)
	for p, c := range pane.New() {
		table = append(table, binding{group: views, name: paneName(c), on: keys(strconv.Itoa(p + 1)), words: c.Words(),
			do: doing(func(d *dashboard) { d.focusOn(pane.ID(p)) }), off: (*dashboard).whyNoBuild})
	}
	table = append(table, []binding{
		{group: views, name: "graph", on: keys("v"), words: "the build as a graph of what needs what, or as a tree", hint: "graph",
			do: doing((*dashboard).toggleGraph), off: (*dashboard).whyNoGraph},
		{group: views, name: "zoom", on: keys("z"), words: "zoom: give the pane the whole screen, or no more",
			do: doing((*dashboard).zoom), off: (*dashboard).whyNoZoom},
		{group: views, name: "preview", on: keys("p"), words: "preview right, at the bottom, or off",
			do: (*dashboard).nextPreview, off: (*dashboard).whyNoPreview},
		{group: views, name: "wider", on: keys(">"), words: "make the tree wider; a border can be dragged, too", do: doing(func(d *dashboard) { d.divide(sizeStep, 0) }), off: (*dashboard).whyNoDivision},
		{group: views, name: "narrower", on: keys("<"), words: "make the tree narrower", do: doing(func(d *dashboard) { d.divide(-sizeStep, 0) }), off: (*dashboard).whyNoDivision},
		{group: views, name: "taller", on: keys(")"), words: "make what is below the tree taller", do: doing(func(d *dashboard) { d.divide(0, 1) }), off: (*dashboard).whyNoDivision},
		{group: views, name: "flatter", on: keys("("), words: "make what is below the tree flatter", do: doing(func(d *dashboard) { d.divide(0, -1) }), off: (*dashboard).whyNoDivision},

		{group: moves, name: "down", on: keys("j", "down"), words: "down", do: move(func(*dashboard) int { return 1 })},
		{group: moves, name: "up", on: keys("k", "up"), words: "up", do: move(func(*dashboard) int { return -1 })},
		{group: moves, name: "half-page-down", on: keys("ctrl+d"), words: "half a page down", do: move(func(d *dashboard) int { return d.pageHeight() / 2 })},
		{group: moves, name: "half-page-up", on: keys("ctrl+u"), words: "half a page up", do: move(func(d *dashboard) int { return -d.pageHeight() / 2 })},
		{group: moves, name: "page-down", on: keys("pgdown"), words: "a page down", do: move((*dashboard).pageHeight)},
		{group: moves, name: "page-up", on: keys("pgup"), words: "a page up", do: move(func(d *dashboard) int { return -d.pageHeight() })},
		{group: moves, name: "first", on: keys("g", "home"), words: "to the first; the tree is sorted again", do: move(func(*dashboard) int { return -draw.FarAway })},
		{group: moves, name: "last", on: keys("G", "end"), words: "to the last; the timeline follows again", do: move(func(*dashboard) int { return draw.FarAway })},

		{group: inTree, name: "fold", on: keys("space"), words: "fold or unfold; in the graph what is near, or all", hint: "fold",
			do: onTree((*pane.Tree).Toggle), off: (*dashboard).whyNoFold},
		{group: inTree, name: "out", on: keys("h", "left"), words: "fold, or to the parent; in the graph to what it needs", do: onTree((*pane.Tree).Out), off: (*dashboard).whyNoTree},
		{group: inTree, name: "fold-all", on: keys("-"), words: "fold all", do: onTree(func(t *pane.Tree) { t.FoldAll(true) }), off: (*dashboard).whyNoFoldAll},
		{group: inTree, name: "unfold-all", on: keys("+", "="), words: "unfold all", do: onTree(func(t *pane.Tree) { t.FoldAll(false) }), off: (*dashboard).whyNoFoldAll},
		{group: inTree, name: "next-project", on: keys("}"), words: "next build or project", do: onTree(func(t *pane.Tree) { t.NextSite(1) }), off: (*dashboard).whyNoOtherSite},
		{group: inTree, name: "previous-project", on: keys("{"), words: "previous build or project", do: onTree(func(t *pane.Tree) { t.NextSite(-1) }), off: (*dashboard).whyNoOtherSite},
		{group: inTree, name: "in", on: keys("l", "right"), words: "unfold, or to the first below; in the graph to what needs it", do: onTree((*pane.Tree).In), off: (*dashboard).whyNoChild},

		{group: hands, name: "next-file", on: keys("]"), words: "next file of the row, the evidence behind its status being the first; in the graph one step on in time",
			do: doing(func(d *dashboard) { d.nextFile(1) }), off: func(d *dashboard) string { return d.whyNoStep(1) }},
		{group: hands, name: "previous-file", on: keys("["), words: "previous file of the row; in the graph one step back in time",
			do: doing(func(d *dashboard) { d.nextFile(-1) }), off: func(d *dashboard) string { return d.whyNoStep(-1) }},
		{group: hands, name: "raw", on: keys("r"), words: "raw: the file as it is written, or as it is meant",
			do: doing(func(d *dashboard) { d.bringFile(); d.file.ShowWritten() }), off: (*dashboard).whyNotRaw},
		{group: hands, name: "difference", on: keys("d"), words: "difference: what changed in the file since you last looked, or all of it",
			do: doing(func(d *dashboard) { d.bringFile(); d.file.ShowChanges() }), off: (*dashboard).whyNoDifference},
		{group: hands, name: "edit", on: keys("e"), words: "edit the file at the line, in $VISUAL or $EDITOR", hint: "edit",
			do: (*dashboard).edit, off: (*dashboard).whyNoFile},
		{group: hands, name: "open-file", on: keys("o"), words: "open a file of the row, in $PAGER or the editor",
			do: (*dashboard).openArtifact, off: (*dashboard).whyNoArtifact},
		{group: hands, name: "copy", on: keys("y"), words: "copy what is selected, with its place", hint: "copy",
			do: (*dashboard).copySelected, off: (*dashboard).whyNoBuild},
		{group: hands, name: "copy-id", on: keys("Y"), words: "copy the ID of what is selected, as the commands take it", do: (*dashboard).copyID, off: (*dashboard).whyNoBuild},
		{group: hands, name: "jump", on: keys("J"), words: "jump to the agent's own pane, or copy the command that leads there", hint: "jump",
			do: (*dashboard).jump, off: (*dashboard).whyNoAgent},
		{group: hands, name: "diff", on: keys("D"), words: "diff of the working tree since the agent's session began", hint: "diff",
			do: (*dashboard).showDiff, off: (*dashboard).whyNoAgent},

		{group: rare, name: "copy-place", words: "copy only the place: file and line", do: (*dashboard).copyPlace, off: (*dashboard).whyNoFile},
		{group: rare, name: "mouse", words: "switch the mouse off, to select text, or on", do: (*dashboard).toggleMouse},
	}...)
	return append(append(table, rareDecisions...), dialogRows("In dialogs")...)
}

// dialogRows are the keys of the dialog, besides those that it shares with the rest.
func dialogRows(group string) (rows []binding) {
	for _, r := range [...]struct{ name, key, words string }{
		{"yes", "y", "do it, allow it once, approve the plan; enter does what is marked"},
		{"decline", "d", "an agent's question or call: decline it, and say why"},
		{"note", "t", "type: a note, words of your own, the text once more"},
		{"view", "v", "view the deliverables one after the other, with what changed since you looked"},
		{"bytes", "tab", "show every byte that would be written; a plan or a call as it is written"},
		{"failed", "f", "with deliverables missing: record the failed check"},
	} {
		rows = append(rows, binding{group: group, name: r.name, on: keys(r.key), words: r.words, inDialog: true, writes: true})
	}
	return rows
}

// KeysOf implements [dialog.Host].
func (d *dashboard) KeysOf(row string) []string {
	for _, b := range d.keys {
		if b.name == row {
			return b.on.Keys()
		}
	}
	return nil
}

// names returns the keys of a row: "j ↓".
func (b binding) names() string {
	names := slices.Clone(b.on.Keys())
	for i, k := range names {
		names[i] = draw.KeyName(k)
	}
	return strings.Join(names, " ")
}

// KeyTable returns all keys as a Markdown table, for docs/dashboard.md.
func KeyTable() string {
	var b strings.Builder
	b.WriteString("| | key | does |\n|---|---|---|\n")
	group := ""
	for _, row := range bindings() {
		heading := ""
		if row.group != group {
			group, heading = row.group, row.group
		}
		names := ""
		if row.names() != "" {
			names = "`" + strings.ReplaceAll(row.names(), " ", "` `") + "`"
		}
		b.WriteString("| " + heading + " | " + names + " | " + row.words + " |\n")
	}
	return b.String()
}
