package tui

// What files say can't be taken for what we say: every text of a build is replaced by one that tries it, and no row of any
// pane or dialog may be believed to be ours.

import (
	"context"
	"fmt"
	"maps"
	"reflect"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/charmbracelet/x/ansi"

	"gatehouse/model"
	"gatehouse/tui/index"
	"gatehouse/tui/tuitest"
)

// forged is what every text of a build says: words that tell where it wraps, signs, blanks of several kinds, joints.
func forged() string {
	words := []string{"zz01", "◆zs┃zs", "✓zs", "●zs─zs", "zs█zs", "≠zs", "▲zs", "▎zs", "za      zb", "za\u00a0\u3000\u2003zb", "za\t\t \u200b zb"}
	for i := 2; i < 40; i++ {
		words = append(words, fmt.Sprintf("zz%02d", i))
	}
	return strings.Join(words, " ")
}

// Fields that are no text: names by which rows, files and builds are found, and words that are ours.
var noText = map[string]bool{
	"ID": true, "Node": true, "Build": true, "Project": true, "Root": true, "Protocol": true, "DependsOn": true, "BlockedBy": true, "Opens": true,
	"Wants": true, "Confirm": true, "Seen": true, "Shown": true, "Date": true, "Code": true, "Header": true, "Claimed": true, "Dir": true, "Of": true,
}

// forge replaces every text that can be reached from v.
func forge(v reflect.Value, field, text string) {
	switch v.Kind() {
	case reflect.Pointer, reflect.Interface:
		if !v.IsNil() {
			forge(v.Elem(), field, text)
		}
	case reflect.Struct:
		for i := range v.NumField() {
			if f := v.Type().Field(i); f.IsExported() && !noText[f.Name] {
				forge(v.Field(i), f.Name, text)
			}
		}
	case reflect.Slice:
		for i := range v.Len() {
			forge(v.Index(i), field, text)
		}
	case reflect.String:
		if v.CanSet() && v.Type() == reflect.TypeFor[string]() {
			v.SetString(text)
		}
	}
}

// forger is an actor all of whose texts are forged.
type forger struct{ model.Actor }

func (f forger) Propose(ctx context.Context, a model.Action) (*model.Proposal, error) {
	p, err := f.Actor.Propose(ctx, a)
	if p != nil {
		forge(reflect.ValueOf(p), "", forged())
	}
	return p, err
}

// What a forged text may not come to on the screen: a sign of ours, or blanks that move the rest to where something else
// begins; and at the beginning of a row anything but its own beginning.
var (
	forgedSign  = regexp.MustCompile(`[^\x00-\x7F▫…│╭╮╰╯]zs|zs[^\x00-\x7F▫…│╭╮╰╯]`) // but for the edges of boxes, which may stand beside any text
	forgedBlank = regexp.MustCompile(`za(\s{2,}|[^\x00-\x7F]+)zb`)
	forgedRow   = regexp.MustCompile(`^\s*(zz(0[2-9]|[1-9]\d)|z[ab])`)
)

func notForged(t *testing.T, where, row string) {
	t.Helper()
	row = ansi.Strip(row)
	for _, forbidden := range [...]*regexp.Regexp{forgedSign, forgedBlank} {
		if found := forbidden.FindString(row); found != "" {
			t.Errorf("%s: %q in %q", where, found, row)
		}
	}
}

// forgedSnapshots are builds of several kinds, all forged.
func forgedSnapshots() map[string]*model.Snapshot {
	a := newActor()
	a.requests["frame-gate"] = "Name the limits.\nAnd who pays?"
	all := map[string]*model.Snapshot{"gsd": tuitest.Shop(), "loop": a.snapshot(1), "chunks": tuitest.Reader(), "measured": tuitest.Measured()}
	for _, snap := range all {
		forge(reflect.ValueOf(&snap.Projects), "", forged())
		for _, p := range snap.Projects {
			for i := range p.Decisions {
				p.Decisions[i].Text = forged() + "\n" + forged()
			}
			for _, b := range p.Builds {
				for _, n := range model.Walk(b.Nodes) {
					if n.Gate != nil && n.Gate.Request != nil {
						n.Gate.Request.Text = forged() + "\n" + forged()
					}
				}
			}
		}
	}
	return all
}

// TestForgedFrames looks at every pane and dialog of every build, each at one of several sizes.
func TestForgedFrames(t *testing.T) {
	sizes := [...]struct{ width, height int }{{80, 24}, {120, 40}, {200, 60}, {40, 12}}
	keys := []string{
		"", "1 z", "2", "2 z", "3", "4", "5", "6", "7", "8", "9", "enter", "n", "n enter", "v", "v j j", "?", ":", "f", "/ z z", "p", "p p", "o", "y", ".",
		"n a", "n s", "n s a space l o n g space r e a s o n enter", "n c w h y ctrl+j n o t enter", "R", "u", "P", "S", "i w i s h enter", "9 x", ": a b o r t enter", ": f r e s h enter", "n a y",
	}
	all := forgedSnapshots()
	for turn, name := range slices.Sorted(maps.Keys(all)) {
		for i, k := range keys {
			size := sizes[(turn+i)%len(sizes)]
			where := fmt.Sprintf("%s, %dx%d, keys %q", name, size.width, size.height, k)
			opts := plainOptions()
			opts.Files, opts.TitlePath = files, forged()
			opts.Actor = forger{newActor()}
			if name == "chunks" {
				opts.Actor = forger{newReaderActor()}
			}
			frame := Frame(all[name], size.width, size.height, opts, strings.Fields(k)...)
			for row := range strings.SplitSeq(frame, "\n") {
				notForged(t, where, row)
			}
			if t.Failed() {
				t.Log(frame)
				t.FailNow()
			}
		}
	}
}

// TestForgedPages looks at what each page has at the beginning of its rows: of a text from a file only its first row may be
// without the sign that it goes on.
func TestForgedPages(t *testing.T) {
	for name, snap := range forgedSnapshots() {
		for _, ascii := range []bool{false, true} {
			for _, width := range []int{36, 88} {
				if ascii && width == 88 {
					continue
				}
				opts := plainOptions()
				opts.ASCII = ascii
				l, ix := newDashboard(opts, nil).look, index.New(snap, nil)
				pages := map[string]*page{
					"waits": waitsPage(l, ix, ix.Sites[0], width), "blockers": blockersPage(l, ix, width), "decisions": decisionsPage(l, ix, width),
				}
				for _, s := range ix.Sites {
					pages["overview"] = overviewPage(l, ix, s, width, panesInView{}, nil)
					pages["metrics"] = metricsPage(l, s, width)
					for i := range s.Build.Activity {
						pages[fmt.Sprint("activity ", i)] = activityPage(l, s, &s.Build.Activity[i], width)
					}
					for _, n := range model.Walk(s.Build.Nodes) {
						pages["details of "+n.ID] = detailPage(l, ix, s, n, width, nil)
					}
				}
				var in inbox
				in.Load(ix)
				pages["inbox"] = in.page(l, ix, width)
				p := newActor().propose(model.Action{Verb: model.VerbApprove, Node: "gate/frame-gate"})
				forge(reflect.ValueOf(p), "", forged())
				asks := &question{shown: p, stage: asking, action: model.Action{Verb: model.VerbChanges, Text: forged() + "\n" + forged()}}
				before := *p
				before.Asks, before.Effect, before.Missing, before.Edits = "x", "y", nil, nil
				asks.changed(&before)
				pages["question"] = questionPage(l, asks, width)
				for what, p := range pages {
					where := fmt.Sprintf("%s, %s, %d columns, ascii %v", name, what, width, ascii)
					for _, row := range p.Lines {
						if plain := ansi.Strip(row); forgedRow.MatchString(plain) {
							t.Errorf("%s: this row could be ours: %q", where, plain)
						}
						if !ascii {
							notForged(t, where, row)
						}
					}
				}
				if t.Failed() {
					t.FailNow()
				}
			}
		}
	}
}

// TestForgedAsks holds that the dialog marks each row of what is asked, the first too, without colours and in ASCII.
func TestForgedAsks(t *testing.T) {
	for _, ascii := range []bool{false, true} {
		opts := plainOptions()
		opts.ASCII = ascii
		l := newDashboard(opts, nil).look
		p := newActor().propose(model.Action{Verb: model.VerbApprove, Node: "gate/frame-gate"})
		p.Asks = "Evidence" + strings.Repeat(" ", 84) + "✓ SECURITY-AUDIT.md" + strings.Repeat(" ", 60) + "12 KiB"
		page := questionPage(l, &question{shown: p, stage: asking, action: model.Action{Verb: model.VerbApprove}}, 88)
		mark := map[bool]string{false: "│ ", true: "| "}[ascii]
		if got := strings.TrimRight(ansi.Strip(page.Lines[0]), " "); !strings.HasPrefix(got, mark+"Evidence ") || strings.ContainsAny(got[len(mark):], "✓") || strings.Contains(got, "  ") {
			t.Errorf("ascii %v: %q", ascii, got)
		}
	}
}

// TestForgedTitleAndNote holds what reaches the terminal's own title and the desktop.
func TestForgedTitleAndNote(t *testing.T) {
	for name, snap := range forgedSnapshots() {
		opts := plainOptions()
		opts.Notify = NotifyOSC9
		d := newDashboard(opts, nil)
		d.resize(80, 24)
		d.show(index.New(snap, nil))
		notForged(t, name+", title", d.windowTitle())
		if len(d.index.Waits) == 0 {
			continue
		}
		cmd := d.notify(d.index.Waits)
		notForged(t, name+", note", fmt.Sprint(cmd()))
	}
}
