package tui

// User stories about searching, following, reading and handing over.

import (
	"errors"
	"strings"
	"testing"

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

func TestEveryCommandIsInThePalette(t *testing.T) {
	u := atKeyboard(t, tuitest.Shop(), 120, 60)
	u.d.showPalette()
	if n := len(u.d.topDialog().(*palette).commands); n != len(u.d.keys)-len(dialogRows("")) {
		t.Errorf("%d commands of %d", n, len(u.d.keys))
	}
	u.d.dialogs = nil
	u.press("/", ":").sees("/:▏") // letters are typed, not pressed
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
