package tui

import (
	"errors"
	"slices"
	"strings"
	"testing"

	tea "charm.land/bubbletea/v2"

	"gatehouse/tui/input"
	"gatehouse/tui/tuitest"
)

func TestAtLine(t *testing.T) {
	const file = "/src/shop/a b.md"
	for program, want := range map[string][]string{
		"vi": {"+7", file}, "/usr/bin/nvim": {"+7", file}, "emacsclient": {"+7", file}, "nano": {"+7", file}, "less": {"+7", file},
		"code": {"--goto", file + ":7"}, "hx": {file + ":7"}, "subl": {file + ":7"},
		"my-editor": {file}, "vim.exe": {"+7", file},
	} {
		if got := atLine(program, file, 7); !slices.Equal(got, want) {
			t.Errorf("%s: %q, want %q", program, got, want)
		}
	}
	if got := atLine("vi", file, 0); !slices.Equal(got, []string{file}) {
		t.Errorf("without a line: %q", got)
	}
}

func TestEditorCommand(t *testing.T) {
	for _, c := range []struct {
		env, want string
	}{
		{"VISUAL=code -w|EDITOR=vi", "code -w"}, {"EDITOR=nano|VISUAL=", "nano"}, {"EDITOR=nano", "nano"},
	} {
		opts := plainOptions()
		opts.Env = strings.Split(c.env, "|")
		if got := strings.Join(newDashboard(opts, nil).editorCommand(), " "); got != c.want {
			t.Errorf("%s: %q, want %q", c.env, got, c.want)
		}
	}
}

// opened presses keys and returns the file that would be opened.
func (u user) opened(keys ...string) pathMsg {
	u.Helper()
	var cmd tea.Cmd
	for _, k := range keys {
		cmd = u.d.pressKey(input.StrokeOf(k))
	}
	if cmd == nil {
		u.Fatalf("%q starts nothing:\n%s", keys, u.screen())
	}
	started := cmd()
	if all, several := started.(tea.BatchMsg); several {
		started = all[0]()
	}
	msg, ok := started.(pathMsg)
	if !ok {
		u.Fatalf("%q starts nothing", keys)
	}
	return msg
}

func TestOpensTheEditorAtTheLine(t *testing.T) {
	u := atKeyboard(t, tuitest.Shop(), 120, 40)
	u.d.opts.Files, u.d.opts.Env = files, []string{"EDITOR=vi", "LANG=C.UTF-8"}
	u.press("n")
	if got := u.opened("e"); got.path != "/src/shop/.planning/phases/03-cart/03-UAT.md" || got.line != 41 || got.err != nil || got.program[0] != "vi" {
		t.Errorf("opened %+v", got)
	}
	if got := u.opened("5", "e"); got.line != 61 || !strings.HasSuffix(got.path, "STATE.md") {
		t.Errorf("a blocker opens %+v", got)
	}
	u.gets(u.opened("j", "j", "e")) // a problem in a file that does not exist
	u.sees("no such file or directory")
	u.gets(programEndedMsg{"vi", errors.New("exit status 1")})
	u.sees("vi: exit status 1; $VISUAL, $EDITOR and $PAGER say what to use")
}
