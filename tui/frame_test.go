package tui

import (
	"context"
	"errors"
	"fmt"
	"reflect"
	"regexp"
	"strings"
	"testing"
	"unicode/utf8"

	tea "charm.land/bubbletea/v2"
	"github.com/charmbracelet/x/ansi"

	"gatehouse/model"
	"gatehouse/model/line"
	"gatehouse/tui/draw"
	"gatehouse/tui/index"
	"gatehouse/tui/tuitest"
)

var sgr = regexp.MustCompile(`\x1b\[[0-9;]*m`)

// Frame is [FrameAfter] without earlier snapshots.
func Frame(snap *model.Snapshot, width, height int, opts Options, keys ...string) string {
	return FrameAfter(nil, snap, width, height, opts, keys...)
}

// checked checks what holds for every frame: it is as high and as wide as the screen, and nothing in it moves the cursor. It holds the
// lines that were already checked, by their required width: many frames share lines.
type checked map[int]map[string]bool

// frame checks a frame.
func (c checked) frame(t *testing.T, frame string, width, height int) {
	t.Helper()
	seen := c[width]
	if seen == nil {
		seen = map[string]bool{}
		c[width] = seen
	}
	if height == 0 {
		if frame != "" {
			t.Fatalf("%q on a screen without rows", frame)
		}
		return
	}
	lines := strings.Split(frame, "\n")
	if len(lines) != height {
		t.Fatalf("%d lines at %dx%d", len(lines), width, height)
	}
	for i, text := range lines {
		if seen[text] {
			continue
		}
		seen[text] = true
		plain := sgr.ReplaceAllString(text, "")
		for _, r := range plain {
			if r < ' ' || r >= 0x7f && r < 0xa0 || r >= 0x202a && r <= 0x202e || r >= 0x2066 && r <= 0x2069 {
				t.Fatalf("line %d holds %U: %q", i+1, r, plain)
			}
		}
		if !utf8.ValidString(text) {
			t.Fatalf("line %d is not UTF-8: %q", i+1, text)
		}
		if w := ansi.StringWidth(plain); w != width {
			t.Fatalf("line %d is %d columns wide at %dx%d: %q", i+1, w, width, height, plain)
		}
		if w := ansi.StringWidthWc(plain); w != width {
			t.Fatalf("line %d is %d columns wide for a terminal that counts characters: %q", i+1, w, plain)
		}
		if w := line.Width(plain); w != width {
			t.Fatalf("line %d is %d columns wide by our own count: %q", i+1, w, plain)
		}
	}
}

// oneText is a project in which all files have the same content.
type oneText string

func (o oneText) Text(string, string) (string, error) { return string(o), nil }
func (o oneText) Path(string, string) (string, error) { return "/" + string(o), nil }

// hostileActor returns the same text everywhere; in the end its decision is overwritten.
type hostileActor struct{ s string }

func (h hostileActor) Propose(_ context.Context, a model.Action) (*model.Proposal, error) {
	s := h.s
	if a.Verb == model.VerbApprove && len(s)%3 == 0 {
		return nil, &model.Refusal{Text: s, Fix: s}
	}
	p := &model.Proposal{Action: a, Name: s, Asks: s, Effect: s, File: s, Edits: []model.Edit{{Label: s, Pos: model.Pos{File: s}, Old: s, New: s}, {Label: s, New: s}},
		Releases: []string{s}, Evidence: []model.Artifact{{Name: s, File: s, Exists: true}, {Name: s, File: s}}, Checks: []string{s}, Warnings: []string{s}}
	if a.Verb == model.VerbSkip {
		p.Wants = "reason"
	}
	if a.Verb == model.VerbChanges {
		p.Wants = "changes"
	}
	return p, nil
}

func (h hostileActor) Do(ctx context.Context, a model.Action) (*model.Outcome, error) {
	switch a.Verb {
	case model.VerbApprove:
		return nil, &model.Changed{Now: &model.Proposal{Action: model.Action{Shown: "another"}, Name: h.s, Asks: h.s, Missing: []string{h.s}}}
	case model.VerbSkip:
		return nil, errors.New(h.s)
	}
	p, _ := h.Propose(ctx, a)
	return &model.Outcome{Proposal: p, Decision: model.Decision{Was: h.s, Is: "x" + h.s}}, nil
}

func (h hostileActor) Settle(context.Context, *model.Outcome) error {
	return &model.Overwritten{File: h.s, Lost: []string{h.s}}
}

// nasty are texts that a file may contain.
var nasty = []string{
	"plain", "", "\x1b[2J\x1b[H", "\x1b]0;owned\x07", "\x1b]52;c;aGk=\x07", "a\r\nb\n✓ faked row", "\u202eright to left\u202c",
	"日本語のとても長い題名", "e\u0301\u0301\u0301\u0301\u0301", "👨‍👩‍👧🇩🇪", "⚠️", "\xff\xfe\x80", "\u0085\u2028\u2029\u009b31m", "\u1100\u1161\u11a8", "a\u200bb\ufeff",
	"\u0e33\u0eb3", "ำ", "\u0903", "\u0d4e",
	"# \x1b[2J\x1b]0;title\x07a\n[x](https://a\x1b]8;;b) \x1b[31m\n|a\x1b[H|b|\n|-|-|\n|\r\x0b|\u202ec|\n```\n\x1bc\n```\n",
}

// walks are key sequences that bring every place into view where a file can put a text. Each is a list of keys;
// ^ pastes the text, and the frame is checked at each | and at the end.
var walks = []string{
	"| n | enter | 3 G | r | z", "4 y | 5 j | 6 k", "p | z | esc esc G", "/ | ^ | enter", "f w | enter", ": a | ^", "7 G | 1 esc g",
	"n a | y y G | esc", "n s enter ^ enter | t left up alt+b ^ | enter y", "n c ^ | enter y y | esc esc",
	"8 | 6 g enter", "6 f 1 | 2 x enter", "9 f 1 enter | x y | esc", "i tab ^ | esc", "v | G l h k | z",
}

// walked are the sizes at which walks are taken.
var walked = [...]struct{ width, height int }{{80, 24}, {45, 12}, {61, 18}, {100, 30}, {39, 9}, {120, 40}, {200, 60}, {25, 12}}

// TestNothingFromAFileEscapes takes every walk with every text, cycling through the sizes.
func TestNothingFromAFileEscapes(t *testing.T) {
	at, lines := 0, checked{}
	for _, s := range append(nasty, strings.Repeat("x", 500), strings.Repeat("日本", 300)) {
		for _, walk := range walks {
			size := walked[at%len(walked)]
			at++
			escapesNothing(t, lines, s, walk, size.width, size.height, at%5 == 0)
		}
	}
}

// FuzzNothingFromAFileEscapes puts a text, repeated or not, into every place where a file can put one.
func FuzzNothingFromAFileEscapes(f *testing.F) {
	for i, s := range nasty {
		f.Add(s, uint8(i), uint8(i), uint8(i%3), i%5 == 0)
	}
	f.Fuzz(func(t *testing.T, s string, walk, size, more uint8, ascii bool) {
		if len(s) > 24 { // longer texts take too long to minimize, and consist of shorter ones
			return
		}
		at := walked[size%uint8(len(walked))]
		escapesNothing(t, checked{}, strings.Repeat(s, 1+int(more)%20), walks[int(walk)%len(walks)], at.width-int(more)%7, at.height-int(more)%3, ascii)
	})
}

// escapesNothing takes a walk through a dashboard that shows the text everywhere.
func escapesNothing(t *testing.T, lines checked, s, walk string, width, height int, ascii bool) {
	t.Helper()
	opts := testOptions(draw.ThemeDark)
	opts.Notify = NotifyOSC9
	opts.ASCII, opts.TitlePath, opts.Files = ascii, s, oneText(s)
	opts.Actor = hostileActor{s}
	d := dashboardOf(opts, tuitest.Shop(), width, height)
	d.showSnapshot(index.New(shopOf(s), d.index))
	for key := range strings.FieldsSeq(walk) {
		switch key {
		case "|":
			lines.frame(t, d.renderFrame(), width, height)
		case "^":
			d.pasteText(s)
		default:
			d.enterKeys(key)
		}
	}
	lines.frame(t, d.renderFrame(), width, height)
	if called := d.notifyUser(d.index); called != nil {
		text := fmt.Sprint(called().(tea.RawMsg).Msg)
		notes := strings.SplitAfter(strings.TrimSuffix(text, "\a"), "\x1b\\")
		for _, note := range notes[:len(notes)-1] {
			inner := strings.TrimSuffix(strings.TrimPrefix(note, "\x1b]9;"), "\x1b\\")
			if strings.ContainsFunc(inner, func(r rune) bool { return r < ' ' || r >= 0x7f && r < 0xa0 }) {
				t.Fatalf("notification %q", text)
			}
		}
		if last := notes[len(notes)-1]; last != "" || len(notes) > mostNotices+1 {
			t.Fatalf("notification %q", text)
		}
	}
	if title := d.windowTitle(); strings.ContainsFunc(title, func(r rune) bool { return r < ' ' || r >= 0x7f && r < 0xa0 }) {
		t.Fatalf("window title %q", title)
	}
	if t.Failed() {
		t.Fatalf("%q on the walk %q at %dx%d", s, walk, width, height)
	}
}

// shopOf returns a build with the text in every place.
func shopOf(s string) *model.Snapshot {
	snap, measured := tuitest.Shop(), tuitest.Measured().Projects[0].Builds[0]
	p := snap.Projects[0]
	b := p.Builds[0]
	b.Header = tuitest.FixedLine{Full: "x", Compact: "y"}
	b.Pause, b.Metrics, b.Measured, b.History = &model.Pause{}, make([]model.Fact, 2), measured.Measured, measured.History
	b.History.Forecast = &model.Forecast{None: s}
	b.Activity = []model.Activity{{Alert: true, Details: []model.Fact{{}}}, {At: tuitest.Noon, Family: model.FamilyChunks, Node: "plan/05-03"}}
	b.Nodes = append(b.Nodes, &model.Node{ID: "group/inbox", Kind: model.KindGroup, Children: []*model.Node{tuitest.InboxRow("a", s, s, model.Pending, s, 0)}})
	p.Decisions = []model.Decision{{Build: "gsd", Node: "gate/03/uat/3", Verb: model.Verb(s)}}
	for _, n := range model.Walk(b.Nodes) {
		n.Facts, n.Artifacts = make([]model.Fact, 1), []model.Artifact{{Exists: true}}
		n.DependsOn = append(n.DependsOn, s)
		if n.Gate != nil {
			n.Gate.Options, n.Gate.Approval, n.Gate.Request = make([]string, 1), model.Approval(s), &model.Decision{}
			n.Gate.Can = []model.Verb{model.VerbApprove, model.VerbSkip, model.VerbChanges}
		}
	}
	tuitest.Forge(reflect.ValueOf(p), "", s)
	p.Root, snap.Watch, b.History.Of, b.History.PieceTime.Node = s, s, s, s
	return snap
}

func must(t testing.TB, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

// replay is a feed of given snapshots.
type replay struct{ snaps []*model.Snapshot }

var errOver = errors.New("over")

func (r *replay) Next(context.Context, uint64) (*model.Snapshot, error) {
	if len(r.snaps) == 0 {
		return nil, errOver
	}
	snap := r.snaps[0]
	r.snaps = r.snaps[1:]
	return snap, nil
}

// TestPlainPrintsWhatHappensLineByLine: first what waits, then one line of text for each event, none of them twice.
func TestPlainPrintsWhatHappensLineByLine(t *testing.T) {
	var out strings.Builder
	err := Plain(t.Context(), &replay{[]*model.Snapshot{tuitest.Shop(), tuitest.Later(2), tuitest.Later(3)}}, &out, plainOptions())
	if !errors.Is(err, errOver) {
		t.Fatal(err)
	}
	want := `11:46 shop: waiting: Phase 03: Cart survives a reload
09:00 shop: waiting: Phase 02: Look at the product pages on a phone: do pictures load, can one zoom?
12:00 shop: done: Plan 04.5-02 Refunds through the ledger
12:00 shop: running: Plan 04.5-03 Partial refunds
`
	if got := out.String(); got != want {
		t.Errorf("%s\nwant\n%s", got, want)
	}
}

// TestEachCountIsTheHitsOfItsFilter checks that one number has one meaning everywhere: in the header, in the filter bar and in the rows that
// a filter shows.
func TestEachCountIsTheHitsOfItsFilter(t *testing.T) {
	snaps := map[string]*model.Snapshot{"shop": tuitest.Shop(), "shops": tuitest.Shops(), "sessions": tuitest.Sessions(), "loop": tuitest.NewActor().Snapshot(1), "reader": tuitest.Reader(),
		"asks": tuitest.NewAnswerer().Snapshot(1, "one00000", "plan0000", "turn0000"), "fleet": tuitest.Fleet(), "phases": tuitest.Phases(), "chunks": tuitest.Chunks(), "measured": tuitest.Measured(),
		"web": tuitest.Web(40), "forest": tuitest.Forest(12), "many": tuitest.ManyProjects(12), "later": tuitest.Later(2)}
	failed := tuitest.NewActor()
	failed.States["frame-gate"] = "failed"
	snaps["failed gate"] = failed.Snapshot(1)
	for name, snap := range tuitest.ForgedSnapshots() {
		snaps["forged "+name] = snap
	}
	for name, snap := range snaps {
		d := dashboardOf(plainOptions(), snap, 200, 60)
		for i, st := range index.States {
			f := &d.tree.Filter
			*f = index.Filter{}
			f.States = 1 << i
			d.tree.Refilter()
			sums := d.index.Sums
			if n, counted := map[model.Status]int{model.Waiting: sums.Waits, model.Blocked: sums.Blocked, model.Active: sums.Running, model.Failed: sums.Failed}[st.Status]; counted && n != d.tree.Hits {
				t.Errorf("%s: %d %s, and its filter has %d hits", name, n, st.Word(), d.tree.Hits)
			}
		}
		b := d.newBanner()
		if b.number > d.index.Sums.Waits {
			t.Errorf("%s: the banner says %d of %d", name, b.number, d.index.Sums.Waits)
		}
	}
	// A failed task that asks what to do is one wait and one failure, and its notes are no blockers.
	ix := index.New(snaps["failed gate"], nil)
	if s := ix.Sums; s.Waits != 1 || s.Failed != 1 || s.Blocked+s.Blockers != 0 {
		t.Errorf("a failed gate is %+v", s)
	}
}

// TestHeaderKeepsWords: as the header narrows, the line of a build first drops what its number says anyway, then all but the short form. It is
// cut only where the cut loses little.
func TestHeaderKeepsWords(t *testing.T) {
	l := &draw.Look{Theme: draw.NewStyles(draw.ThemeMono), Glyphs: draw.NewGlyphs(false)}
	facts := &line.GSD{Milestone: "v1.2", MilestoneName: "Agents", Percent: "100", PercentOf: "plans", CompletedPhases: "2", TotalPhases: "2"}
	for room, want := range map[int]string{
		80: "v1.2 Agents [██████████] 100% of plans · milestone complete",
		50: "v1.2 Agents [██████████] 100% · milestone complete",
		49: "v1.2 Agents 100% · milestone complete",
		37: "v1.2 Agents 100% · milestone complete",
		36: "v1.2 · complete",
		12: "v1.2 Agents [██████████] 100% · milestone complete", // to be cut
	} {
		if got := fitFacts(l, facts, room); got != want {
			t.Errorf("in %d columns %q, want %q", room, got, want)
		}
	}
}

// TestHeaderDrawsTheBar: the bar of a build's line is drawn as a thin line in every row with room for it, and left out otherwise.
func TestHeaderDrawsTheBar(t *testing.T) {
	l := &draw.Look{Theme: draw.NewStyles(draw.ThemeMono), Glyphs: draw.NewGlyphs(false)}
	for _, c := range []struct {
		text string
		room int
		want string
	}{
		{"spiel-loop [███████░░░] 70% · Phase tuning active", 49, "spiel-loop ━━━━━━━─── 70% · Phase tuning active"},
		{"spiel-loop [███████░░░] 70% · Phase tuning active", 21, "spiel-loop ━━━━━━━───"},
		{"spiel-loop [███████░░░] 70% · Phase tuning active", 20, "spiel-loop 70% · Ph…"},
		{"Körbe-für-alle [███████░░░]", 25, "Körbe-für-alle ━━━━━━━───"},
		{"[WIP] loop [███████░░░] 70%", 27, "[WIP] loop ━━━━━━━─── 70%"},
		{"[WIP] loop", 27, "[WIP] loop"},
	} {
		r := l.Ribbon(c.room)
		drawFacts(&r, c.text, c.room)
		if got := ansi.Strip(r.Cut()); got != c.want {
			t.Errorf("%q in %d columns: %q, want %q", c.text, c.room, got, c.want)
		}
	}
}
