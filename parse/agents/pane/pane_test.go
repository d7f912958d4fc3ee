package pane

import (
	"context"
	"errors"
	"strings"
	"testing"
)

func TestOf(t *testing.T) {
	env := map[string]string{"TMUX": "/tmp/tmux-0/default,123,0", "TMUX_PANE": "%3", "KITTY_WINDOW_ID": "4", "WEZTERM_PANE": "x"}
	get := func(name string) string { return env[name] }
	if got, want := Of(get, "/dev/pts/3"), (Pane{Terminal: "/dev/pts/3", Tmux: "/tmp/tmux-0/default", TmuxPane: "%3"}); got != want {
		t.Errorf("%+v", got)
	}
	if got := Of(get, ""); got != (Pane{}) {
		t.Errorf("without a terminal: %+v", got)
	}
}

func TestValid(t *testing.T) {
	evil := Pane{
		Terminal: "pts/3", Tmux: "relative", TmuxPane: "%3", Wezterm: "1; rm", WeztermSocket: "/x", Kitty: "1", KittyAddress: "fd:3",
	}
	if got := evil.Valid(); got != (Pane{}) {
		t.Errorf("%+v", got)
	}
	for _, p := range []Pane{{Terminal: "/dev/pts/3\x1b[2J"}, {Tmux: "/x", TmuxPane: "3"}, {Tmux: "/x", TmuxPane: "%-1"}, {Tmux: "/x\n", TmuxPane: "%1"}} {
		if got := p.Valid(); got.Terminal != "" || got.TmuxPane != "" {
			t.Errorf("%+v: %+v", p, got)
		}
	}
}

// terminal stands in for the commands of terminals.
type terminal struct {
	panes string // what tmux lists
	fails string // commands that hold this fail
	ran   []string
}

func (r *terminal) run(_ context.Context, name string, args ...string) (string, error) {
	command := name + " " + strings.Join(args, " ")
	if r.fails != "" && strings.Contains(command, r.fails) {
		return "", errors.New("it fails")
	}
	if strings.Contains(command, "list-panes") {
		return r.panes, nil
	}
	r.ran = append(r.ran, strings.TrimPrefix(command, "tmux -S /tmux "))
	return "", nil
}

func TestGo(t *testing.T) {
	const panes = "%1\t/dev/pts/1\t$0\t1\tmain\n%2\t/dev/pts/2\t$0\t1\tmain\n%5\t/dev/pts/5\t$1\t0\tagents\n%6\t/dev/pts/6\t$2\t1\tit's there\n"
	tmux := func(id, tty string) Pane { return Pane{Tmux: "/tmux", TmuxPane: id, Terminal: tty} }
	here := tmux("%1", "/dev/pts/1")
	for _, c := range []struct {
		what     string
		to, here Pane
		fails    string
		ran      string
		way      Way
	}{
		{"in the same session", tmux("%2", "/dev/pts/2"), here, "", "select-window -t %2, select-pane -t %2", Way{There: true, Said: "went to tmux %2"}},
		{"where one is", here, here, "", "select-window -t %1, select-pane -t %1", Way{There: true, Said: "went to tmux %1"}},
		{"in another session", tmux("%5", ""), here, "", "select-window -t %5, select-pane -t %5, switch-client -t %5", Way{There: true, Said: "went to tmux %5 (agents)"}},
		{"from outside, shown elsewhere", tmux("%6", ""), Pane{}, "", "select-window -t %6, select-pane -t %6", Way{There: true, Said: "shown in the terminal where the tmux session it's there is"}},
		{"from outside, shown nowhere", tmux("%5", ""), Pane{}, "", "select-window -t %5, select-pane -t %5",
			Way{Said: "the tmux session agents is shown in no terminal", Type: "tmux -S /tmux attach -t '$1'"}},
		{"by its terminal", Pane{Terminal: "/dev/pts/5"}, here, "", "select-window -t %5, select-pane -t %5, switch-client -t %5", Way{There: true, Said: "went to tmux %5 (agents)"}},
		{"the pane has another number", tmux("%9", "/dev/pts/2"), here, "", "select-window -t %2, select-pane -t %2", Way{There: true, Said: "went to tmux %2"}},
		{"gone", tmux("%9", "/dev/pts/9"), here, "", "", Way{Said: "its pane %9 of tmux is gone"}},
		{"no server", tmux("%1", ""), Pane{}, "list-panes", "", Way{Said: "the tmux server at /tmux does not answer"}},
		{"wezterm", Pane{Wezterm: "7"}, Pane{}, "", "wezterm cli activate-pane --pane-id 7", Way{There: true, Said: "went to wezterm 7"}},
		{"wezterm that does not answer", Pane{Wezterm: "7"}, Pane{}, "wezterm", "", Way{Said: "wezterm does not answer", Type: "wezterm cli activate-pane --pane-id 7"}},
		{"kitty", Pane{Kitty: "4", KittyAddress: "unix:/tmp/k"}, Pane{}, "", "kitten @ --to unix:/tmp/k focus-window --match id:4", Way{There: true, Said: "went to kitty 4"}},
		{"another terminal", Pane{Terminal: "/dev/pts/9"}, here, "", "", Way{Said: "it runs at /dev/pts/9, in a terminal that has no command to show it"}},
		{"nowhere", Pane{}, here, "", "", Way{Said: "it is not known in which terminal it runs"}},
	} {
		r := &terminal{panes: panes, fails: c.fails}
		way := c.to.Go(t.Context(), c.here, r.run)
		if ran := strings.Join(r.ran, ", "); ran != c.ran || way != c.way {
			t.Errorf("%s:\nran %q\n%+v", c.what, ran, way)
		}
		for _, command := range r.ran {
			if strings.Contains(command, "send-keys") || strings.Contains(command, "display-message") {
				t.Errorf("%s: %s", c.what, command)
			}
		}
	}
}
