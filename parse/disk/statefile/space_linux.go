package statefile

import "os"

// ownSpace is the space of process IDs that a host has from the start.
const ownSpace = "pid:[4026531836]"

// pidSpace names the space of process IDs where it is not the host's own: a container may have the host's name and cannot
// see its processes.
func pidSpace() string {
	space, err := os.Readlink("/proc/self/ns/pid")
	if err != nil || space == ownSpace {
		return ""
	}
	return " " + space
}
