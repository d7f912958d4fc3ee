package pane

import (
	"context"
	"errors"
	"reflect"
	"strings"
	"testing"
)

func TestOf(t *testing.T) {
	for _, c := range []struct {
		what, terminal string
		env            map[string]string
		want           Pane
	}{
		{"tmux", "/dev/pts/3",
			map[string]string{"TMUX": "/tmp/tmux-0/default,123,0", "TMUX_PANE": "%3"},
			Pane{Terminal: "/dev/pts/3", Tmux: "/tmp/tmux-0/default", TmuxPane: "%3"}},
		{"no terminal", "", map[string]string{"TMUX": "/tmp/tmux-0/default,123,0", "TMUX_PANE": "%3"}, Pane{}},
		{"a background session of Claude Code", "/dev/pts/12", map[string]string{"CLAUDE_JOB_DIR": "/home/ann/.claude/jobs/6b12ddc4", "TMUX": "/x,1,0", "TMUX_PANE": "%3"},
			Pane{Terminal: "/dev/pts/12", Attach: []string{"claude", "attach", "6b12ddc4"}}},
	} {
		if got := Of(func(name string) string { return c.env[name] }, c.terminal); !reflect.DeepEqual(got, c.want) {
			t.Errorf("%s: %+v", c.what, got)
		}
	}
}

// TestValid checks that nothing from a file becomes a flag, a control sequence or a command of its own.
func TestValid(t *testing.T) {
	for _, p := range []Pane{
		{Terminal: "pts/3", Tmux: "relative", TmuxPane: "%3"},
		{Terminal: "/dev/pts/3\x1b[2J"}, {TmuxPane: "%3"}, {Tmux: "/x\n", TmuxPane: "%1"},
		{Attach: []string{"rm", "-rf", "x"}}, {Attach: []string{"claude", "attach", "--help"}}, {Attach: []string{"claude attach", "x"}},
		{Attach: []string{"claude", "attach", "x;rm"}}, {Attach: []string{"claude", "attach", "x", "y"}}, {Attach: []string{"claude", "attach", ""}},
	} {
		if got := p.Valid(); !reflect.DeepEqual(got, Pane{}) {
			t.Errorf("%+v: %+v", p, got)
		}
	}
	for _, p := range []Pane{{Tmux: "/x", TmuxPane: "3"}, {Tmux: "/x", TmuxPane: "%-1"}} {
		if got := p.Valid(); got.TmuxPane != "" {
			t.Errorf("%+v: %+v", p, got)
		}
	}
}

// terminal simulates the commands of terminals.
type terminal struct {
	panes string // what tmux lists
	fails string // commands that hold this fail
	ran   []string
}

func (r *terminal) run(_ context.Context, name string, args ...string) (string, error) {
	command := name + " " + strings.Join(args, " ")
	if r.fails != "" && strings.Contains(command, r.fails) {
		return "", errors.New("no such command")
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
	select2, select5 := "select-window -t %2 ; select-pane -t %2", "select-window -t %5 ; select-pane -t %5"
	for _, c := range []struct {
		what     string
		to, here Pane
		fails    string
		ran      string
		way      Way
	}{
		{"in the same session", tmux("%2", "/dev/pts/2"), here, "", select2, Way{There: true, Said: "went to tmux %2"}},
		{"the user's own pane", here, here, "", "select-window -t %1 ; select-pane -t %1", Way{There: true, Said: "went to tmux %1"}},
		{"in another session", tmux("%5", ""), here, "", select5 + ", switch-client -t %5", Way{There: true, Said: "went to tmux %5 (agents)"}},
		{"from outside, on another terminal", tmux("%6", ""), Pane{}, "", "select-window -t %6 ; select-pane -t %6",
			Way{There: true, Said: "focused it in the terminal that shows the tmux session it's there"}},
		{"from outside, on no terminal", tmux("%5", ""), Pane{}, "", select5,
			Way{Said: "no terminal shows the tmux session agents", Type: "tmux -S /tmux attach -t '$1'"}},
		{"by its terminal", Pane{Terminal: "/dev/pts/5"}, here, "", select5 + ", switch-client -t %5", Way{There: true, Said: "went to tmux %5 (agents)"}},
		{"the pane has another number", tmux("%9", "/dev/pts/2"), here, "", select2, Way{There: true, Said: "went to tmux %2"}},
		{"gone", tmux("%9", "/dev/pts/9"), here, "", "", Way{Said: "its tmux pane %9 is gone"}},
		{"no server", tmux("%1", ""), Pane{}, "list-panes", "", Way{Said: "the tmux server at /tmux does not answer"}},
		{"a background session", Pane{Terminal: "/dev/pts/12", Attach: []string{"claude", "attach", "6b12ddc4"}}, here, "", "",
			Way{Said: "it runs in the background; attach to it", Type: "claude attach 6b12ddc4"}},
		{"another terminal", Pane{Terminal: "/dev/pts/9"}, here, "", "", Way{Said: "it runs at /dev/pts/9, which is not in tmux"}},
		{"nowhere", Pane{}, here, "", "", Way{Said: "its terminal is unknown"}},
	} {
		r := &terminal{panes: panes, fails: c.fails}
		way := c.to.Go(t.Context(), c.here, r.run)
		if ran := strings.Join(r.ran, ", "); ran != c.ran || way != c.way {
			t.Errorf("%s:\nran %q\n%+v", c.what, ran, way)
		}
		for _, command := range r.ran {
			if strings.Contains(command, "send-keys") || strings.Contains(command, "write") || strings.Contains(command, "display-message") {
				t.Errorf("%s: %s", c.what, command)
			}
		}
	}
}
