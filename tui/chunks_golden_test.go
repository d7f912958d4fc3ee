package tui

// Builds of chunks and of logged plans on the screen, at every size and in every look.

import (
	"fmt"
	"strings"
	"testing"

	"github.com/charmbracelet/x/exp/golden"

	"gatehouse/model"
	"gatehouse/tui/draw"
	"gatehouse/tui/tuitest"
)

var chunkViews = []struct {
	name string
	snap func() *model.Snapshot
	keys string
}{
	{"build", tuitest.Reader, ""},
	{"timeline", tuitest.Reader, "6"},
	{"timeline_filtered", tuitest.Reader, "6 f x"},
	{"metrics", tuitest.Measured, "8"},
	{"burn_up_plans", func() *model.Snapshot { return tuitest.Plans(42) }, "8 z"},
	{"burn_up_phases", tuitest.Phases, "8 z"},
	{"burn_up_chunks", tuitest.Chunks, "8 z"},
	{"left", func() *model.Snapshot { return tuitest.Plans(42) }, "2"},
	{"own_metrics", tuitest.Reader, "8"},
	{"no_metrics", tuitest.Shop, "8"},
	{"inbox", tuitest.Reader, "9 j j"},
	{"inbox_filtered", tuitest.Reader, "9 / r e f e r e n c e enter"},
	{"add", tuitest.Reader, "i R e a d space a l o u d tab"},
	{"add_link", tuitest.Reader, "i h t t p s : / / x . o r g enter"},
	{"dismiss", tuitest.Reader, "9 j j x"},
	{"sync", tuitest.Reader, "S"},
	{"fresh", tuitest.Reader, ": s t a r t space f r enter f r e"},
}

func TestChunkViews(t *testing.T) {
	for _, v := range chunkViews {
		for _, size := range []struct{ width, height int }{{80, 24}, {120, 40}, {200, 60}} {
			for _, look := range looks {
				if look.name == "light" {
					continue // TestFrames checks the colors of the light theme
				}
				t.Run(fmt.Sprintf("%s/%dx%d/%s", v.name, size.width, size.height, look.name), func(t *testing.T) {
					opts := testOptions(look.theme)
					opts.ASCII, opts.Actor, opts.Files = look.ascii, newReaderActor(), files
					snap := v.snap()
					if b := snap.Projects[0].Builds[0]; len(b.Can) > 0 {
						b.Can = append(b.Can, model.VerbFresh)
					}
					frame := Frame(snap, size.width, size.height, opts, strings.Fields(v.keys)...)
					checkFrame(t, frame, size.width, size.height)
					if i := strings.IndexFunc(frame, func(r rune) bool { return r >= 0x7f }); look.ascii && i >= 0 {
						t.Errorf("not ASCII: %.20q", frame[i:])
					}
					golden.RequireEqual(t, frame)
				})
			}
		}
	}
}

func TestChunkViewsFitEverySize(t *testing.T) {
	lines := checked{}
	for _, v := range chunkViews {
		snap := v.snap()
		for width := 40; width <= 240; width += 1 + width/7 {
			for _, height := range []int{10, 13, 24, 61} {
				opts := testOptions(draw.ThemeDark)
				opts.ASCII, opts.Actor = width%2 == 0, newReaderActor()
				visit := NewVisit(width, height, opts)
				visit.Show(snap)
				visit.Press(strings.Fields(v.keys)...)
				lines.frame(t, visit.Frame(), width, height)
				visit.Press("z", "G", "k", "h")
				lines.frame(t, visit.Frame(), width, height)
			}
		}
	}
}
