package tui

// Texts of files can't pass for texts of Gatehouse: every text of a build is replaced by one that tries to, and no row of any
// pane or dialog may look like one of ours.

import (
	"context"
	"fmt"
	"maps"
	"reflect"
	"slices"
	"strings"
	"testing"

	"gatehouse/model"
	"gatehouse/tui/index"
	"gatehouse/tui/tuitest"
)

// forger is an actor that returns only forged texts.
type forger struct{ model.Actor }

func (f forger) Propose(ctx context.Context, a model.Action) (*model.Proposal, error) {
	p, err := f.Actor.Propose(ctx, a)
	if p != nil {
		tuitest.Forge(reflect.ValueOf(p), "", tuitest.Forged())
	}
	return p, err
}

// TestForgedFrames checks every pane and dialog of every build, each at one of several sizes.
func TestForgedFrames(t *testing.T) {
	sizes := [...]struct{ width, height int }{{80, 24}, {120, 40}, {200, 60}, {40, 12}}
	keys := []string{
		"", "1 z", "2", "2 z", "3", "4", "5", "6", "7", "8", "9", "enter", "n", "n enter", "?", ":", "f", "/ z z", "p", "p p", "o", "y", ".",
		"n a", "n s", "n s a space l o n g space r e a s o n enter", "n c w h y ctrl+j n o t enter", "R", "u", "P", "S", "i w i s h enter", "9 x", ": a b o r t enter", ": f r e s h enter", "n a y",
	}
	all := tuitest.ForgedSnapshots()
	for turn, name := range slices.Sorted(maps.Keys(all)) {
		for i, k := range keys {
			size := sizes[(turn+i)%len(sizes)]
			where := fmt.Sprintf("%s, %dx%d, keys %q", name, size.width, size.height, k)
			opts := plainOptions()
			opts.Files, opts.TitlePath = files, tuitest.Forged()
			opts.Actor = forger{tuitest.NewActor()}
			if name == "chunks" {
				opts.Actor = forger{newReaderActor()}
			}
			frame := Frame(all[name], size.width, size.height, opts, strings.Fields(k)...)
			for row := range strings.SplitSeq(frame, "\n") {
				tuitest.NotForged(t, where, row)
			}
			if t.Failed() {
				t.Log(frame)
				t.FailNow()
			}
		}
	}
}

// TestForgedTitleAndNote checks the texts that reach the terminal's title and the desktop.
func TestForgedTitleAndNote(t *testing.T) {
	for name, snap := range tuitest.ForgedSnapshots() {
		opts := plainOptions()
		opts.Notify = NotifyOSC9
		d := dashboardOf(opts, snap, 80, 24)
		tuitest.NotForged(t, name+", title", d.windowTitle())
		if len(d.index.Waits) == 0 {
			continue
		}
		d.index.Began = d.index.Waits
		for i, s := range d.index.Sites {
			if i == 0 && len(s.Project.Decisions) > 0 {
				d.index.Losses = append(d.index.Losses, index.Loss{Decision: s.Project.Decisions[0], Site: s})
			}
		}
		cmd := d.notifyUser(d.index)
		tuitest.NotForged(t, name+", note", fmt.Sprint(cmd()))
	}
}
