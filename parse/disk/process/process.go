// Package process identifies runs of programs, even if process IDs are reused, and their parents. It is used to release
// resources of a dead process, and to keep agents from answering themselves.
package process

import (
	"strings"
)

// ID identifies one run of a program. The zero value means none.
type ID struct {
	PID int `json:"pid,omitempty"`
	// Host is the name of the host, with the PID namespace if it is not the host's own: a container may have the host's
	// name and cannot see its processes. "" if unknown.
	Host string `json:"host,omitempty"`
	// Boot identifies the boot of the host, "" if the system does not provide it.
	Boot string `json:"boot,omitempty"`
	// Start is the system's own start time of the process, in whatever unit: a reused number has another one. "" if the
	// system does not provide it.
	Start string `json:"start,omitempty"`
}

// Info is the system's information about a running process.
type Info struct {
	ID
	Parent   int    // PID, 0 if there is none or it is not visible
	Name     string // of its program, without directory, as the system keeps it: Linux cuts it at 15 bytes
	Leader   bool   // it leads a session, as the shell of a terminal does
	Terminal string // path of its controlling terminal, "" without one
}

// Table is the process table of a system. [System] is the current one.
type Table interface {
	// Self returns this process.
	Self() ID
	// Look returns the information about a process; ok is false if no process with that number runs. A zombie does not
	// run.
	Look(pid int) (info Info, ok bool)
}

// Life is whether a process runs.
type Life int

// The lives.
const (
	Unknown Life = iota // it is on another host or container, or its host is unknown
	Runs
	Gone
)

// LifeOf returns whether a process runs, and has not been followed by another of the same number.
func LifeOf(t Table, p ID) Life {
	self := t.Self()
	switch {
	case p.PID <= 0 || p.Host == "" || p.Host != self.Host:
		return Unknown
	case p.Boot != "" && self.Boot != "" && p.Boot != self.Boot:
		return Gone
	}
	info, ok := t.Look(p.PID)
	if !ok || p.Start != "" && info.Start != "" && info.Start != p.Start {
		return Gone
	}
	return Runs
}

// mostAncestors bounds the walk up, because a table that changes during it could contain a cycle.
const mostAncestors = 64

// Ancestors yields a process and then its ancestors, up to the first; nothing for a process that does not exist.
func Ancestors(t Table, pid int) func(yield func(Info) bool) {
	return func(yield func(Info) bool) {
		for range mostAncestors {
			info, ok := t.Look(pid)
			if !ok || !yield(info) || info.Parent <= 0 || info.Parent == pid {
				return
			}
			pid = info.Parent
		}
	}
}

// Owner returns the process on whose behalf pid runs: the first ancestor that is not a shell, since programs often
// start others through a shell (sh -c). A shell at a terminal, used by a human, owns nothing: a program started there
// owns itself.
//
//	claude ─ sh -c ─ gatehouse hook    owned by claude
//	zsh (at a terminal) ─ make ─ sh -c ─ gatehouse ask    owned by make
//	zsh (at a terminal) ─ bash deploy.sh ─ gatehouse ask    owned by bash
//	zsh (at a terminal) ─ gatehouse ask    owns itself
func Owner(t Table, pid int) ID {
	var owner ID
	for p := range Ancestors(t, pid) {
		if p.PID != pid && (p.isTerminalShell() || p.PID == 1) {
			break
		}
		owner = p.ID
		if p.PID != pid && !IsShell(p.Name) {
			break
		}
	}
	return owner
}

// Below reports whether pid was started, however indirectly, by a process, or is that process.
func Below(t Table, pid int, owner ID) bool {
	for p := range Ancestors(t, pid) {
		if IsSame(p.ID, owner) {
			return true
		}
	}
	return false
}

// BelowHere is [Below] up to the nearest shell at a terminal: commands typed into such a shell do not run on behalf of
// its ancestors.
func BelowHere(t Table, pid int, owner ID) bool {
	for p := range Ancestors(t, pid) {
		if IsSame(p.ID, owner) {
			return true
		}
		if p.isTerminalShell() {
			return false
		}
	}
	return false
}

// IsSame reports whether two IDs are of the same run of a program. The name of the host may change while it runs (unshare -u); a known
// boot and start identify it then, in the same space of process IDs.
func IsSame(a, b ID) bool {
	if a.PID <= 0 || a.PID != b.PID || a.Start != b.Start || a.Boot != b.Boot {
		return false
	}
	return a.Host == b.Host || a.Boot != "" && a.Start != "" && spaceOf(a.Host) == spaceOf(b.Host)
}

// spaceOf returns the space of process IDs in the name of a host, "" for the host's own.
func spaceOf(host string) string {
	_, space, _ := strings.Cut(host, " ")
	return space
}

// isTerminalShell reports whether a process is the shell of a terminal.
func (p *Info) isTerminalShell() bool { return IsShell(p.Name) && p.Leader && p.Terminal != "" }

// IsShell reports whether a program of this name is a shell.
func IsShell(name string) bool {
	switch strings.TrimPrefix(name, "-") { // "-zsh" is a login shell
	case "sh", "bash", "zsh", "fish", "dash", "ash", "ksh", "mksh", "tcsh", "csh", "nu", "elvish", "pwsh", "busybox":
		return true
	}
	return false
}
