package tui

// The one table of keys for Update, the footer, the help and docs/dashboard.md.

import (
	"fmt"
	"regexp"
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

// bindKeys binds keys, as the framework spells them.
func bindKeys(names ...string) key.Binding { return key.NewBinding(key.WithKeys(names...)) }

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
		plain(name, words, "", func(d *dashboard) { d.panes[d.focus].Move(by(d)) }, nil, on...)
	}
	tree := func(name, words, hint string, do func(*pane.Tree), off func(*dashboard) string, on ...string) {
		plain(name, words, hint, func(d *dashboard) { do(d.tree) }, off, on...)
	}
	decide := func(name, words, hint, key string, verbs ...model.Verb) {
		b := binding{group: group, name: name, words: words, hint: hint, writes: true, verbs: verbs, do: func(d *dashboard) tea.Cmd { return d.askFor(verbs...) }}
		b.off = func(d *dashboard) string {
			_, _, why := d.chooseVerb(verbs...)
			return why
		}
		if key != "" {
			b.on = bindKeys(key)
		}
		table = append(table, b)
	}
	decide("approve", "answer what the banner asks, then what waits next; esc leaves", "approve", "a", model.VerbAnswer, model.VerbApprove, model.VerbRetry)
	table[0].do = (*dashboard).openQueue
	plain("next", "next thing that waits, has failed or is blocked; next hit of a filter", "next", func(d *dashboard) { d.selectNext(1) }, needs(needHit, needStop), "n")
	plain("previous", "the previous one", "", func(d *dashboard) { d.selectNext(-1) }, needs(needHit, needStop), "N")
	add("open", "open the question, the details or the row", "open", (*dashboard).openSelected, (*dashboard).whyNoEnter, "enter")
	plain("back", "one step back; never quits", "back", (*dashboard).goBack, (*dashboard).whyNoBack, "esc")
	decide("skip", "skip the gate, with a reason", "skip", "s", model.VerbSkip)
	decide("changes", "ask for changes, in your words", "changes", "c", model.VerbChanges)
	decide("retry", "retry a failed gate", "retry", "R", model.VerbRetry)
	decide("undo", "undo the last decision on the gate", "undo", "u", model.VerbUndo)
	decide("pause", "pause or resume the build; take up a failed one again", "pause/resume", "P", model.VerbPause, model.VerbResume, model.VerbRetryFailed)
	decide("sync", "sync the state file with the tree", "sync", "S", model.VerbSync)
	decide("add", "add an idea, a wish or a link to the inbox", "inbox", "i", model.VerbAdd)
	decide("dismiss", "dismiss the selected item of the inbox", "dismiss", "x", model.VerbDismiss)

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
		name := strings.ReplaceAll(strings.ToLower(c.Base().Name), " ", "-")
		plain(name, c.Base().Words, "", func(d *dashboard) { d.focusOn(pane.ID(p)) }, needs(needBuild), strconv.Itoa(p+1))
	}
	plain("zoom", "zoom the pane to the whole screen and back", "", (*dashboard).toggleZoom, needs(needBuild, needPanes), "z")
	add("preview", "preview on the right, at the bottom, or off", "", (*dashboard).nextPreview, needs(needBuild, needRoom), "p")

	group = files
	add("edit", "edit the file at the line, in $VISUAL or $EDITOR", "edit", (*dashboard).editFile, needs(needBuild, needFile), "e")
	add("open-file", "open a file of the row, in $PAGER or the editor", "", (*dashboard).openArtifact, needs(needBuild, needFiles), "o")
	add("copy", "copy the selection with its place", "copy", (*dashboard).copySelected, (*dashboard).whyNoCopy, "y")
	plain("next-file", "next file of the row", "", func(d *dashboard) { d.nextFile(1) }, needs(needBuild, needFile, needMoreFiles), "]")
	plain("previous-file", "previous file of the row", "", func(d *dashboard) { d.nextFile(-1) }, needs(needBuild, needFile, needMoreFiles), "[")
	plain("raw", "switch between source and rendered Markdown", "", func(d *dashboard) { d.bringFile(); d.file.AsWritten = !d.file.AsWritten }, (*dashboard).whyNotRaw, "r")
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

	for _, r := range [...]struct{ name, key, words string }{ // keys that have a meaning only in dialogs
		{"yes", "y", "do it, allow it once, approve the plan; enter does what is marked"},
		{"decline", "d", "decline an agent's question or call, with a reason"},
		{"note", "t", "type an answer of your own, or the text again"},
		{"bytes", "tab", "show every byte that would be written"},
		{"failed", "f", "with deliverables missing: record the failed check"},
	} {
		table = append(table, binding{group: "In dialogs", name: r.name, on: bindKeys(r.key), words: r.words, inDialog: true, writes: true})
	}

	group = program
	plain("help", "show this help", "help", (*dashboard).showHelp, nil, "?")
	plain("palette", "find any command", "commands", (*dashboard).showPalette, nil, ":", "ctrl+p")
	add("quit", "quit", "quit", func(d *dashboard) tea.Cmd { return d.decisions.Quit() }, nil, "q", "ctrl+c")
	add("suspend", "suspend until fg", "", (*dashboard).suspendProgram, (*dashboard).whyNoShell, "ctrl+z")

	group = rare
	add("mouse", "switch the mouse off (to select text) or on", "", (*dashboard).toggleMouse, nil)
	decide("abort", "abort the build", "", "", model.VerbAbort)
	decide("complete", "complete the loop", "", "", model.VerbComplete)
	decide("skip-phase", "skip the selected phase if it is optional", "", "", model.VerbSkipPhase)
	decide("restart", "restart the loop; its state is archived", "", "", model.VerbRestart)
	decide("fresh", "start fresh: clear the run", "", "", model.VerbFresh)
	return table
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

// The reasons why keys do not work now.

// need is something that a key needs, and the reason why the key does not work without it.
type need struct {
	met func(d *dashboard) bool
	why string
}

// needs returns the function that says why a key does not work: the first need that is not met, "" if all are.
func needs(all ...need) func(*dashboard) string {
	return func(d *dashboard) string {
		for _, n := range all {
			if !n.met(d) {
				return n.why
			}
		}
		return ""
	}
}

// ofSubject is a need that the selection meets.
func ofSubject(met func(s pane.Subject) bool, why string) need {
	return need{func(d *dashboard) bool {
		s, ok := d.selectedSubject()
		return ok && met(s)
	}, why}
}

var (
	needBuild  = need{func(d *dashboard) bool { return !d.index.Empty() }, "there is no build here"}
	needTree   = need{func(d *dashboard) bool { return d.focus == pane.TreeID }, "only on a row of the tree"}
	needNoHits = need{func(d *dashboard) bool { return !d.tree.Filter.Active() }, "nothing folds while a filter is on; esc clears it"}
	needHit    = need{func(d *dashboard) bool { return !d.tree.Filter.Active() || d.tree.Hits > 0 }, "nothing was found"}
	needStop   = need{func(d *dashboard) bool { return d.tree.Filter.Active() || len(d.index.Stops) > 0 }, "nothing waits for you, has failed or is blocked"}
	needChange = need{func(d *dashboard) bool { return d.seen.Count > 0 }, "nothing has changed since you looked"}
	needPanes  = need{func(d *dashboard) bool { return d.layout.zoom || d.screen.split }, "the pane has the whole screen already"}
	needRoom   = need{func(d *dashboard) bool {
		return !d.layout.zoom && (d.screen.kind > single || d.screen.body.Height >= belowFrom)
	}, "there is no room for a preview"}
	needChild = need{func(d *dashboard) bool {
		r, ok := d.tree.At()
		return ok && len(r.Children()) > 0
	}, "there is nothing below this row"}
	needFile      = ofSubject(func(s pane.Subject) bool { return s.Source.File != "" }, "no file is known for this row")
	needFiles     = ofSubject(func(s pane.Subject) bool { return len(s.Files()) > 0 }, "this row has no files")
	needMoreFiles = ofSubject(func(s pane.Subject) bool { return len(s.Files()) > 1 }, "this row has no other file")
)

func (d *dashboard) whyNoEnter() string {
	if never := d.panes[d.focus].Enter().Never; never != "" {
		return never
	}
	return needs(needBuild)(d)
}

func (d *dashboard) whyNoBack() string {
	if d.filteredPane().Base().Filter.Active() || d.layout.zoom || d.focus != pane.TreeID {
		return ""
	}
	return "this is the first screen; " + d.keyOf("quit") + " quits"
}

func (d *dashboard) whyNotRaw() string {
	return needs(needBuild, needFile, need{func(d *dashboard) bool { return d.inView(pane.FileID) && d.file.Markdown() }, "no Markdown is in view; " + d.keyOf("file") + " shows the file"})(d)
}

func (d *dashboard) whyNoCopy() string {
	if d.focus == pane.FileID {
		return needs(needBuild, needFile)(d)
	}
	return needs(needBuild)(d)
}

// User-defined keys: the rows of the key table by name, and the keys that a terminal can distinguish.

// KeyRow is a configurable row of the key table.
type KeyRow struct {
	Name  string   // "next-file"
	Words string   // what it does
	Keys  []string // as the framework names them; none for a row of the palette
}

// KeyRows returns the rows of the key table.
func KeyRows() []KeyRow {
	var rows []KeyRow
	for _, b := range bindings() {
		rows = append(rows, KeyRow{b.name, b.words, b.on.Keys()})
	}
	return rows
}

// fixed are the keys with the same meaning in every dialog. They cannot be rebound, so that every dialog can be left.
var fixed = map[string]string{"quit": "ctrl+c", "open": "enter", "back": "esc"}

// rebindRows returns the table with the user's keys, by the names of rows. A key bound to one row is removed from all others; dialogs
// have keys of their own.
func rebindRows(table []binding, wished map[string][]string) []binding {
	if len(wished) == 0 {
		return table
	}
	taken := map[bool]map[string]bool{false: {}, true: {}}
	for _, b := range table {
		for _, k := range wished[b.name] {
			taken[b.inDialog][k] = true
		}
	}
	table = slices.Clone(table)
	for i := range table {
		b := &table[i]
		own, is := wished[b.name]
		if !is {
			own = slices.DeleteFunc(slices.Clone(b.on.Keys()), func(k string) bool { return taken[b.inDialog][k] })
		}
		if k := fixed[b.name]; k != "" && !slices.Contains(own, k) {
			own = append(slices.Clone(own), k)
		}
		b.on = key.NewBinding(key.WithKeys(own...))
	}
	return table
}

// keyPattern matches the names of keys that a terminal can send.
var keyPattern = regexp.MustCompile(`^(?:(?:ctrl\+|alt\+)*[^\s\p{Lu}]|[^\s]|(?:(?:ctrl|alt|shift)\+)*(?:enter|esc|space|tab|backspace|delete|insert|home|end|pgup|pgdown|up|down|left|right|f[1-9]|f1[0-2]))$`)

// CheckKey returns an error if a key of the key table has a wrong name.
func CheckKey(row, name string) error {
	for of, k := range fixed {
		if name == k && row != of {
			return fmt.Errorf("%s is always the key of %s", name, of)
		}
	}
	if !keyPattern.MatchString(name) || name < " " || name == "ctrl+i" || name == "ctrl+m" || name == "ctrl+[" {
		return fmt.Errorf("there is no key %q", name)
	}
	return nil
}
