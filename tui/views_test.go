package tui

// User stories about searching, following, reading and handing over.

import (
	"errors"
	"strings"
	"testing"

	"github.com/charmbracelet/x/exp/golden"

	"gatehouse/model"
	"gatehouse/tui/tuitest"
)

// shelf holds the files of a project in memory.
type shelf map[string]string

func (s shelf) Text(project, file string) (string, error) {
	text, ok := s[project+"/"+file]
	if !ok {
		return "", errors.New("no such file or directory")
	}
	return text, nil
}

func (s shelf) Path(project, file string) (string, error) {
	if _, err := s.Text(project, file); err != nil {
		return "", err
	}
	return project + "/" + file, nil
}

var files = shelf{
	"/src/shop/.planning/phases/03-cart/03-UAT.md": "---\nstatus: testing\n---\n" + strings.Repeat("a line that is here\tto be scrolled over\r\n", 37) +
		"result: pending\n" + strings.Repeat("more\n", 30),
	"/src/shop/.planning/STATE.md":                "status: executing\n",
	"/src/shop/.planning/phases/05/05-02-PLAN.md": "---\nplan: 02\n---\n",
}

func viewOptions() Options {
	o := plainOptions()
	o.Files = files
	return o
}

func TestViews(t *testing.T) {
	for _, v := range []struct {
		name          string
		before, snap  *model.Snapshot
		width, height int
		keys          string
	}{
		{"filter_text", nil, tuitest.Shop(), 80, 24, "/ r e f u n"},
		{"filter_states", nil, tuitest.Shop(), 120, 40, "f w x"},
		{"filter_sidebar", nil, tuitest.Shop(), 40, 20, "f b"},
		{"filter_nothing", nil, tuitest.Shop(), 80, 24, "/ z z z enter"},
		{"timeline", tuitest.Shop(), tuitest.Later(2), 80, 24, "6"},
		{"timeline_filtered", tuitest.Shop(), tuitest.Later(2), 120, 40, "6 / p l a n enter f r enter"},
		{"changed", tuitest.Shop(), tuitest.Later(2), 120, 40, ""},
		{"everything", tuitest.Shop(), tuitest.Later(2), 200, 60, "n"},
		{"waits", nil, tuitest.Shops(), 80, 24, "4"},
		{"blockers", nil, tuitest.Shops(), 80, 24, "5 j"},
		{"file", nil, tuitest.Shop(), 120, 40, "n 3"},
		{"palette", nil, tuitest.Shop(), 80, 24, ": c o p"},
		{"palette_wide", nil, tuitest.Shop(), 200, 60, ":"},
		{"choose_file", nil, tuitest.Shop(), 80, 24, "/ i n d e x enter o"},
		{"zoom", nil, tuitest.Shop(), 120, 40, "2 z"},
		{"preview_bottom", nil, tuitest.Shop(), 120, 40, "p"},
		{"preview_bottom_wide", nil, tuitest.Shop(), 200, 60, "p"},
		{"preview_off", nil, tuitest.Shop(), 120, 40, "p p"},
		{"tall", nil, tuitest.Shop(), 80, 50, ""},
		{"projects", nil, tuitest.Shops(), 120, 40, ""},
	} {
		t.Run(v.name, func(t *testing.T) {
			var before []*model.Snapshot
			if v.before != nil {
				before = append(before, v.before)
			}
			frame := FrameAfter(before, v.snap, v.width, v.height, viewOptions(), strings.Fields(v.keys)...)
			checkFrame(t, frame, v.width, v.height)
			golden.RequireEqual(t, frame)
		})
	}
}

func TestEveryCommandIsInThePalette(t *testing.T) {
	u := atKeyboard(t, tuitest.Shop(), 120, 60)
	u.d.showPalette()
	if n := len(u.d.topDialog().(*palette).commands); n != len(u.d.keys)-len(dialogRows("")) {
		t.Errorf("%d commands of %d", n, len(u.d.keys))
	}
	u.d.dialogs = nil
	u.press("/", ":").sees("/:▏") // letters are typed, not pressed
}

func TestCopiesWhatIsSelected(t *testing.T) {
	u := atKeyboard(t, tuitest.Shop(), 120, 24)
	u.press("n", "y").sees("copied: 3 Cart survives a reload (.planning/phases/03-cart/03-UAT.md:41:1)")
	u.press("5", "y").sees("copied: No sandbox key for the payment provider (.planning/STATE.md:61)")
	u.reloads(func(b *model.Build) { b.Blockers[0].Text = "a\x1b]52;c;aGk=\x07\n" + strings.Repeat("x", 9000) })
	u.press("y")
	if text := u.d.toast.text; strings.ContainsAny(text, "\x1b\x07\n") || len(text) > copyLimit+20 {
		t.Errorf("%d bytes copied: %.80q", len(text), text)
	}
}

func TestAToastGoes(t *testing.T) {
	u := atKeyboard(t, tuitest.Shop(), 80, 24)
	u.press("y").sees("copied:")
	old := toastGoneMsg(u.d.toast.id)
	u.press("y")
	u.gets(old)
	u.sees("copied:") // it is another toast
	u.gets(toastGoneMsg(u.d.toast.id))
	u.seesNo("copied:").sees("? help")

	if u.d.Say("one", true) == nil || u.d.Say("two", true) != nil {
		t.Error("of many toasts not one command waits for the end")
	}
}
