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
