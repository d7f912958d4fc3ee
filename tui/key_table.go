package tui

// The one table of keys for Update, the footer, the help and docs/dashboard.md.

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
	name  string      // its name in the configuration
	on    key.Binding // no key: only the palette offers it
	words string      // for help, palette and docs
	hint  string      // a word or two for the footer; "" keeps it out of there
	group string
	// writes marks what changes state files. A dashboard that is read only has no such rows.
	writes bool
	// inDialog marks a key with a meaning only in dialogs. Other keys keep their meaning there, if they have one.
	inDialog bool
	verbs    []model.Verb // the verbs of its decisions
	do       func(*dashboard) tea.Cmd
	off      func(*dashboard) string // why it can't be used now, "" when it can; nil: it always can
}

// filterRows returns the rows that a dashboard has, read-only or not.
func filterRows(table []binding, readOnly bool) []binding {
	return slices.DeleteFunc(table, func(b binding) bool { return readOnly && b.writes })
}

// bindKeys binds keys, as the framework spells them.
func bindKeys(names ...string) key.Binding { return key.NewBinding(key.WithKeys(names...)) }

// pressed is a key by its name, as [key.Matches] takes it.
type pressed string

func (p pressed) String() string { return string(p) }

// bindings returns the table in the order of the help and the footer: the most used rows first.
func bindings() []binding {
	const most, find, moves, views, inTree, files, program, rare = "Most used", "Find", "Move", "Views", "Tree", "Files", "Program", "Palette only"
	var table []binding
	group := most
	add := func(name, words, hint string, do func(*dashboard) tea.Cmd, off func(*dashboard) string, on ...string) {
		table = append(table, binding{group: group, name: name, on: bindKeys(on...), words: words, hint: hint, do: do, off: off})
	}
	plain := func(name, words, hint string, do func(*dashboard), off func(*dashboard) string, on ...string) {
		add(name, words, hint, func(d *dashboard) tea.Cmd { do(d); return nil }, off, on...)
	}
	move := func(name, words string, by func(*dashboard) int, on ...string) {
		plain(name, words, "", func(d *dashboard) { d.moveBy(by(d)) }, nil, on...)
	}
	tree := func(name, words, hint string, do func(*pane.Tree), off func(*dashboard) string, on ...string) {
		plain(name, words, hint, func(d *dashboard) { do(d.tree) }, off, on...)
	}
	decisions, rareDecisions := decideRows(most, rare)
	table = append(table, decisions[0])
	plain("next", "next thing that waits, has failed or is blocked; next hit of a filter", "next", func(d *dashboard) { d.selectNext(1) }, needs(needHit, needStop), "n")
	plain("previous", "the previous one", "", func(d *dashboard) { d.selectNext(-1) }, needs(needHit, needStop), "N")
	add("open", "open the question, the details or the row", "open", (*dashboard).openSelected, (*dashboard).whyNoEnter, "enter")
	plain("back", "one step back; never quits", "back", (*dashboard).goBack, (*dashboard).whyNoBack, "esc")
	table = append(table, decisions[1:]...)

	group = find
	plain("search", "filter by text", "search", (*dashboard).startSearch, needs(needBuild), "/")
	plain("filter", "filter by state", "filter", (*dashboard).startChoosing, needs(needBuild), "f")
	add("seen", "mark all changes as seen", "all seen", (*dashboard).seeAll, needs(needChange), ".")

	group = inTree
	tree("fold", "fold or unfold", "fold", (*pane.Tree).Toggle, needs(needBuild, needTree, needChild, needNoHits), "space")
	tree("out", "fold, or to the parent", "", (*pane.Tree).Out, needs(needBuild, needTree), "h", "left")
	tree("in", "unfold, or to the first below", "", (*pane.Tree).In, needs(needBuild, needTree, needChild), "l", "right")

	group = views
	plain("next-pane", "next pane", "pane", func(d *dashboard) { d.nextPane(1) }, needs(needBuild), "tab")
	plain("previous-pane", "previous pane", "", func(d *dashboard) { d.nextPane(-1) }, needs(needBuild), "shift+tab")
	for p, c := range pane.New() {
		plain(paneName(c), c.Words(), "", func(d *dashboard) { d.focusOn(pane.ID(p)) }, needs(needBuild), strconv.Itoa(p+1))
	}
	plain("zoom", "zoom the pane to the whole screen and back", "", (*dashboard).toggleZoom, needs(needBuild, needPanes), "z")
	add("preview", "preview on the right, at the bottom, or off", "", (*dashboard).nextPreview, needs(needBuild, needRoom), "p")

	group = files
	add("edit", "edit the file at the line, in $VISUAL or $EDITOR", "edit", (*dashboard).editFile, needs(needBuild, needFile), "e")
	add("open-file", "open a file of the row, in $PAGER or the editor", "", (*dashboard).openArtifact, needs(needBuild, needFiles), "o")
	add("copy", "copy the selection with its place", "copy", (*dashboard).copySelected, (*dashboard).whyNoCopy, "y")
	plain("next-file", "next file of the row", "", func(d *dashboard) { d.nextFile(1) }, needs(needBuild, needFile, needMoreFiles), "]")
	plain("previous-file", "previous file of the row", "", func(d *dashboard) { d.nextFile(-1) }, needs(needBuild, needFile, needMoreFiles), "[")
	plain("raw", "switch between source and rendered Markdown", "", func(d *dashboard) { d.bringFile(); d.file.ShowWritten() }, (*dashboard).whyNotRaw, "r")
	add("jump", "jump to the agent's own pane, or copy the command for it", "jump", (*dashboard).jumpToAgent, (*dashboard).whyNoAgent, "J")
	add("diff", "diff of the working tree since the agent's session began", "diff", (*dashboard).showDiff, (*dashboard).whyNoAgent, "D")
	group = moves
	move("down", "down", func(*dashboard) int { return 1 }, "j", "down")
	move("up", "up", func(*dashboard) int { return -1 }, "k", "up")
	move("half-page-down", "half a page down", func(d *dashboard) int { return d.pageHeight() / 2 }, "ctrl+d")
	move("half-page-up", "half a page up", func(d *dashboard) int { return -d.pageHeight() / 2 }, "ctrl+u")
	move("page-down", "a page down", (*dashboard).pageHeight, "pgdown")
	move("page-up", "a page up", func(d *dashboard) int { return -d.pageHeight() }, "pgup")
	move("first", "to the first; sorts the tree again", func(*dashboard) int { return -draw.FarAway }, "g", "home")
	move("last", "to the last; the timeline follows again", func(*dashboard) int { return draw.FarAway }, "G", "end")

	table = append(table, dialogRows("In dialogs")...)

	group = program
	plain("help", "show this help", "help", (*dashboard).showHelp, nil, "?")
	plain("palette", "find any command", "commands", (*dashboard).showPalette, nil, ":", "ctrl+p")
	add("quit", "quit", "quit", func(d *dashboard) tea.Cmd { return d.decisions.Quit() }, nil, "q", "ctrl+c")
	add("suspend", "suspend until fg", "", (*dashboard).suspendProgram, (*dashboard).whyNoShell, "ctrl+z")

	group = rare
	add("mouse", "switch the mouse off (to select text) or on", "", (*dashboard).toggleMouse, nil)
	return append(table, rareDecisions...)
}

// dialogRows returns the keys that have a meaning only in dialogs.
func dialogRows(group string) (rows []binding) {
	for _, r := range [...]struct{ name, key, words string }{
		{"yes", "y", "do it, allow it once, approve the plan; enter does what is marked"},
		{"decline", "d", "decline an agent's question or call, with a reason"},
		{"note", "t", "type an answer of your own, or the text again"},
		{"bytes", "tab", "show every byte that would be written"},
		{"failed", "f", "with deliverables missing: record the failed check"},
	} {
		rows = append(rows, binding{group: group, name: r.name, on: bindKeys(r.key), words: r.words, inDialog: true, writes: true})
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

// keyNames returns the keys of a row: "j ↓".
func (b binding) keyNames() string {
	names := slices.Clone(b.on.Keys())
	for i, k := range names {
		names[i] = draw.KeyName(k)
	}
	return strings.Join(names, " ")
}
