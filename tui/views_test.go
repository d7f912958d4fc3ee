package tui

// User stories about searching, following, reading and handing over.

import (
	"testing"

	"gatehouse/tui/tuitest"
)

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
