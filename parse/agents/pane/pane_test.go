package pane

import (
	"context"
	"errors"
	"reflect"
	"strings"
	"testing"

	"gatehouse/parse/conformance"
)

func TestOf(t *testing.T) {
	conformance.OwnRows(t, "panes.jsonl", func(t *testing.T, c struct {
		ID, Terminal string
		Env          map[string]string
		Want         Pane
	}) {
		if got := Of(func(name string) string { return c.Env[name] }, c.Terminal); !reflect.DeepEqual(got, c.Want) {
			t.Errorf("%s: %+v", c.ID, got)
		}
	})
}

// TestValid checks that nothing from a file becomes a flag, a control sequence or a command of its own.
func TestValid(t *testing.T) {
	for _, p := range []Pane{
		{Terminal: "pts/3", Tmux: "relative", TmuxPane: "%3"}, {Tmux: "/x", TmuxPane: "3"}, {Tmux: "/x", TmuxPane: "%-1"},
		{Terminal: "/dev/pts/3\x1b[2J"}, {TmuxPane: "%3"}, {Tmux: "/x\n", TmuxPane: "%1"},
		{Attach: []string{"rm", "-rf", "x"}}, {Attach: []string{"claude", "attach", "--help"}}, {Attach: []string{"claude attach", "x"}},
		{Attach: []string{"claude", "attach", "x;rm"}}, {Attach: []string{"claude", "attach", "x", "y"}}, {Attach: []string{"claude", "attach", ""}},
	} {
		got := p.Valid()
		if got.Tmux == "/x" {
			got.Tmux = ""
		}
		if !reflect.DeepEqual(got, Pane{}) {
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
	conformance.OwnRows(t, "ways.jsonl", func(t *testing.T, c struct {
		ID, Fails, Ran string
		To, Here       Pane
		Way            Way
	}) {
		r := &terminal{panes: panes, fails: c.Fails}
		way := c.To.Go(t.Context(), c.Here, r.run)
		if ran := strings.Join(r.ran, ", "); ran != c.Ran || way != c.Way {
			t.Errorf("%s:\nran %q\n%+v", c.ID, ran, way)
		}
		for _, command := range r.ran {
			if strings.Contains(command, "send-keys") || strings.Contains(command, "write") || strings.Contains(command, "display-message") {
				t.Errorf("%s: %s", c.ID, command)
			}
		}
	})
}
