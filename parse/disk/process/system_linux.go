package process

import (
	"os"
	"strconv"
	"strings"

	"gatehouse/parse/disk/peek"
)

// bootID returns the kernel's ID of this boot.
func bootID() string {
	id, err := os.ReadFile("/proc/sys/kernel/random/boot_id")
	if err != nil {
		return ""
	}
	return strings.TrimSpace(string(id))
}

// ownSpace is the space of process IDs that a host has from the start.
const ownSpace = "pid:[4026531836]"

// ownPID returns the ID of this process in /proc, which may belong to another PID namespace (unshare -p).
func ownPID() int {
	link, _ := os.Readlink("/proc/self")
	if pid, err := strconv.Atoi(link); err == nil {
		return pid
	}
	return os.Getpid()
}

// pidSpace returns the PID namespace if it is not the host's own.
func pidSpace() string {
	name, err := os.Readlink("/proc/self/ns/pid")
	if err != nil || name == ownSpace {
		return ""
	}
	return " " + name
}

// The fields of /proc/PID/stat that are read, counted from the one behind the name: proc(5).
const (
	statState    = 0
	statParent   = 1
	statSession  = 3
	statTerminal = 4
	statStart    = 19

	statSize = 4096 // more than it ever has
)

// lookupProcess returns the kernel's information, or just that a process runs if /proc is missing or hides the processes of
// other users.
func lookupProcess(pid int) (Info, bool) {
	stat, _, err := peek.ReadFile("/proc/"+strconv.Itoa(pid)+"/stat", "", statSize)
	if err != nil {
		return processExists(pid)
	}
	return parseStat(pid, stat)
}

// parseStat parses the text of /proc/PID/stat. The name in it is in parentheses and may contain anything, including
// parentheses.
func parseStat(pid int, stat string) (Info, bool) {
	open, end := strings.IndexByte(stat, '('), strings.LastIndexByte(stat, ')')
	if open < 0 || end < open {
		return Info{}, false
	}
	fields := strings.Fields(stat[end+1:])
	if len(fields) <= statStart || fields[statState] == "Z" || fields[statState] == "X" {
		return Info{}, false
	}
	number := func(i int) int { n, _ := strconv.Atoi(fields[i]); return n }
	return Info{
		ID:     ID{PID: pid, Start: fields[statStart]},
		Parent: number(statParent), Name: stat[open+1 : end], Leader: number(statSession) == pid, Terminal: terminalPath(number(statTerminal)),
	}, true
}

// terminalPath returns the path of a terminal by its number, "" for none: the kernel's fixed majors (admin-guide/devices.txt).
func terminalPath(device int) string {
	major, minor := device>>8&0xfff, device&0xff|device>>12&0xfff00
	switch {
	case major >= 136 && major <= 143:
		return "/dev/pts/" + strconv.Itoa((major-136)<<8|minor)
	case major == 4 && minor < 64:
		return "/dev/tty" + strconv.Itoa(minor)
	}
	return ""
}
