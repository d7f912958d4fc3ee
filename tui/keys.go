package tui

// The one table of keys. Update, the footer, the help and the README read it; nothing else knows a key.

import (
	"slices"
	"strings"

	"charm.land/bubbles/v2/key"
	tea "charm.land/bubbletea/v2"
)

// binding is one row of the table: some keys that mean the same.
type binding struct {
	on    key.Binding
	words string // what it does, for help and README
	hint  string // the same in a word or two, for the footer; "" keeps it out of there
	group string
	do    func(*dashboard) tea.Cmd
	off   func(*dashboard) string // why it can't be used now, "" when it can; nil: it always can
}

// keys binds keys, as the framework spells them.
func keys(names ...string) key.Binding { return key.NewBinding(key.WithKeys(names...)) }

// pressed is a key by its name, as [key.Matches] takes it.
type pressed string

func (p pressed) String() string { return string(p) }

// bindings returns the table. Its order is that of the help, and of the footer.
func bindings() []binding {
	move := func(by func(*dashboard) int) func(*dashboard) tea.Cmd {
		return func(d *dashboard) tea.Cmd { d.move(by(d)); return nil }
	}
	onTree := func(f func(*tree)) func(*dashboard) tea.Cmd {
		return func(d *dashboard) tea.Cmd { f(&d.tree); return nil }
	}
	return []binding{
		{group: "Anywhere", on: keys("?"), words: "show or close this help", hint: "help",
			do: func(d *dashboard) tea.Cmd { d.toggleHelp(); return nil }},
		{group: "Anywhere", on: keys("q", "ctrl+c"), words: "quit", hint: "quit",
			do: func(*dashboard) tea.Cmd { return tea.Quit }},
		{group: "Anywhere", on: keys("enter"), words: "open the details", hint: "open",
			do: func(d *dashboard) tea.Cmd { d.focusOn(paneDetail); return nil }, off: (*dashboard).whyNoOpen},
		{group: "Anywhere", on: keys("esc"), words: "one step back; never quits", hint: "back",
			do: func(d *dashboard) tea.Cmd { d.back(); return nil }, off: (*dashboard).whyNoBack},
		{group: "Anywhere", on: keys("n"), words: "next thing that waits for you", hint: "next wait",
			do: func(d *dashboard) tea.Cmd { d.nextWait(1); return nil }, off: (*dashboard).whyNoWait},
		{group: "Anywhere", on: keys("N"), words: "previous thing that waits for you",
			do: func(d *dashboard) tea.Cmd { d.nextWait(-1); return nil }, off: (*dashboard).whyNoWait},
		{group: "Anywhere", on: keys("tab"), words: "next pane", hint: "pane",
			do: func(d *dashboard) tea.Cmd { d.nextPane(1); return nil }, off: (*dashboard).whyNoPane},
		{group: "Anywhere", on: keys("shift+tab"), words: "previous pane",
			do: func(d *dashboard) tea.Cmd { d.nextPane(-1); return nil }, off: (*dashboard).whyNoPane},

		{group: "Move", on: keys("j", "down"), words: "down", do: move(func(*dashboard) int { return 1 })},
		{group: "Move", on: keys("k", "up"), words: "up", do: move(func(*dashboard) int { return -1 })},
		{group: "Move", on: keys("ctrl+d"), words: "half a page down", do: move(func(d *dashboard) int { return d.pageHeight() / 2 })},
		{group: "Move", on: keys("ctrl+u"), words: "half a page up", do: move(func(d *dashboard) int { return -d.pageHeight() / 2 })},
		{group: "Move", on: keys("pgdown"), words: "a page down", do: move((*dashboard).pageHeight)},
		{group: "Move", on: keys("pgup"), words: "a page up", do: move(func(d *dashboard) int { return -d.pageHeight() })},
		{group: "Move", on: keys("g", "home"), words: "to the first", do: move(func(*dashboard) int { return -farAway })},
		{group: "Move", on: keys("G", "end"), words: "to the last", do: move(func(*dashboard) int { return farAway })},

		{group: "Tree", on: keys("space"), words: "fold or unfold", hint: "fold",
			do: onTree((*tree).toggle), off: (*dashboard).whyNoFold},
		{group: "Tree", on: keys("h", "left"), words: "fold, or to the parent", do: onTree((*tree).out), off: (*dashboard).whyNoTree},
		{group: "Tree", on: keys("l", "right"), words: "unfold, or to the first below", do: onTree((*tree).in), off: (*dashboard).whyNoFold},
	}
}

// farAway is further than any list is long.
const farAway = 1 << 30

// The reasons why keys can't be used. Help open is a screen of its own: it only scrolls and closes.

func (d *dashboard) whyNoTree() string {
	switch {
	case d.helping:
		return "close the help first"
	case len(d.tree.rows) == 0 || d.index.empty():
		return "there is no build here"
	case d.focus != paneTree:
		return "only in the tree"
	}
	return ""
}

func (d *dashboard) whyNoFold() string {
	if why := d.whyNoTree(); why != "" {
		return why
	}
	if r, ok := d.tree.at(); ok && len(r.children()) == 0 {
		return "there is nothing below this row"
	}
	return ""
}

func (d *dashboard) whyNoOpen() string {
	if d.focus == paneDetail && !d.helping {
		return "the details are open"
	}
	return d.whyNoTree()
}

func (d *dashboard) whyNoBack() string {
	if !d.helping && d.focus == paneTree {
		return "this is the first screen; q quits"
	}
	return ""
}

func (d *dashboard) whyNoWait() string {
	switch {
	case d.helping:
		return "close the help first"
	case len(d.index.waits) == 0:
		return "nothing waits for you"
	}
	return ""
}

func (d *dashboard) whyNoPane() string {
	switch {
	case d.helping:
		return "close the help first"
	case d.index.empty():
		return "there is no build here"
	}
	return ""
}

// keyName returns a key as people read it.
func keyName(key string) string {
	switch key {
	case "down":
		return "↓"
	case "up":
		return "↑"
	case "left":
		return "←"
	case "right":
		return "→"
	}
	return key
}

// names returns the keys of a row: "j ↓".
func (b binding) names() string {
	names := slices.Clone(b.on.Keys())
	for i, k := range names {
		names[i] = keyName(k)
	}
	return strings.Join(names, " ")
}

// KeyTable returns all keys as a Markdown table, for the README.
func KeyTable() string {
	var b strings.Builder
	b.WriteString("| | key | does |\n|---|---|---|\n")
	group := ""
	for _, row := range bindings() {
		heading := ""
		if row.group != group {
			group, heading = row.group, row.group
		}
		b.WriteString("| " + heading + " | `" + strings.ReplaceAll(row.names(), " ", "` `") + "` | " + row.words + " |\n")
	}
	return b.String()
}
