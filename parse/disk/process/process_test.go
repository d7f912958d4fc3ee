package process

import (
	"os"
	"os/exec"
	"runtime"
	"testing"
)

// table is a system of a few processes.
type table struct {
	self ID
	all  map[int]Info
}

func (t table) Self() ID { return t.self }
func (t table) Look(pid int) (Info, bool) {
	info, ok := t.all[pid]
	return info, ok
}

// started returns a system in which each process was started by the one before it; the last one is the current process.
func started(names ...string) table {
	t := table{all: map[int]Info{}}
	for i, name := range names {
		pid := i + 1
		info := Info{ID: ID{PID: pid, Host: "host", Boot: "boot1", Start: "s" + name}, Parent: i, Name: name}
		if name == "zsh!" { // at a terminal
			info.Name, info.Leader, info.Terminal = "zsh", true, "/dev/pts/1"
		}
		t.all[pid], t.self = info, info.ID
	}
	return t
}

func TestOwner(t *testing.T) {
	for _, c := range []struct {
		names []string
		want  int
	}{
		{[]string{"init", "zsh!", "gatehouse"}, 3},
		{[]string{"init", "zsh!", "claude", "gatehouse"}, 3},
		{[]string{"init", "zsh!", "claude", "sh", "gatehouse"}, 3},
		{[]string{"init", "zsh!", "claude", "zsh", "bash", "gatehouse"}, 3},
		{[]string{"init", "zsh!", "bash", "gatehouse"}, 3},
		{[]string{"init", "zsh!", "make", "sh", "gatehouse"}, 3},
		{[]string{"init", "gatehouse"}, 2},
		{[]string{"init", "sh", "gatehouse"}, 2},
		{[]string{"gatehouse"}, 1},
	} {
		tab := started(c.names...)
		if got := Owner(tab, tab.self.PID); got.PID != c.want {
			t.Errorf("%v: %d, want %d", c.names, got.PID, c.want)
		}
	}
}

func TestLifeOf(t *testing.T) {
	tab := started("init", "claude")
	claude := tab.all[2].ID
	for _, c := range []struct {
		what string
		p    ID
		want Life
	}{
		{"it runs", claude, Runs},
		{"no process", ID{}, Unknown},
		{"no such PID", ID{9, "host", "boot1", "x"}, Gone},
		{"the PID was reused", ID{2, "host", "boot1", "before"}, Gone},
		{"before the host was rebooted", ID{2, "host", "boot0", "sclaude"}, Gone},
		{"only the PID is known", ID{PID: 2, Host: "host"}, Runs},
		{"another container", ID{9, "host pid:[7]", "boot1", "x"}, Unknown},
		{"another host", ID{9, "other", "boot7", "x"}, Unknown},
		{"an unknown host", ID{PID: 9, Start: "x"}, Unknown},
	} {
		if got := LifeOf(tab, c.p); got != c.want {
			t.Errorf("%s: %v, want %v", c.what, got, c.want)
		}
	}
	tab.all[2] = Info{ID: ID{PID: 2}} // its start time is hidden
	if got := LifeOf(tab, claude); got != Runs {
		t.Errorf("a process with hidden details: %v", got)
	}
}

func TestBelow(t *testing.T) {
	tab := started("init", "zsh!", "claude", "sh", "gatehouse")
	claude := tab.all[3].ID
	if !Below(tab, tab.self.PID, claude) || !Below(tab, 3, claude) {
		t.Error("the processes that claude started are not below it")
	}
	if Below(tab, 2, claude) {
		t.Error("the shell that started it is below it")
	}
	again := claude
	again.Start = "before"
	if Below(tab, tab.self.PID, again) || Below(tab, tab.self.PID, ID{}) || Below(tab, tab.self.PID, ID{3, "other", "boot2", "sclaude"}) ||
		Below(tab, tab.self.PID, ID{3, "host pid:[7]", "boot1", "sclaude"}) || Below(tab, tab.self.PID, ID{PID: 3, Host: "other"}) {
		t.Error("below another process with the same PID")
	}
	if !Below(tab, tab.self.PID, ID{3, "renamed", "boot1", "sclaude"}) {
		t.Error("a renamed host hides a process")
	}
	if shell := started("init", "make", "zsh!", "gatehouse"); BelowHere(shell, 4, shell.all[2].ID) || !BelowHere(shell, 4, shell.all[3].ID) || !BelowHere(tab, 4, claude) {
		t.Error("BelowHere goes beyond the shell of a terminal, or not as far")
	}
	// A table that changes during the walk can contain a cycle.
	tab.all[3] = Info{ID: claude, Parent: 4}
	tab.all[4] = Info{ID: tab.all[4].ID, Parent: 3}
	Below(tab, tab.self.PID, ID{99, "host", "boot1", ""})
}

func TestSystem(t *testing.T) {
	s := System{}
	me, ok := s.Look(os.Getpid())
	if !ok || me.ID != s.Self() || LifeOf(s, me.ID) != Runs {
		t.Errorf("%+v, %v", me, ok)
	}
	if known := runtime.GOOS == "linux" || runtime.GOOS == "darwin"; known && (me.Parent != os.Getppid() || me.Name == "" || me.Start == "" || me.Boot == "") {
		t.Errorf("%+v", me)
	}
	cmd := exec.Command("cat")
	in, err := cmd.StdinPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	child, ok := s.Look(cmd.Process.Pid)
	if !ok || me.Start != "" && (child.Parent != os.Getpid() || !Below(s, cmd.Process.Pid, me.ID)) {
		t.Errorf("%+v, %v", child, ok)
	}
	in.Close()
	cmd.Wait()
	if got := LifeOf(s, child.ID); got != Gone {
		t.Errorf("after its end: %v", got)
	}
}
