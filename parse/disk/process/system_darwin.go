package process

import (
	"fmt"
	"os"

	"golang.org/x/sys/unix"
)

// bootID returns the kernel's ID of this boot.
func bootID() string {
	id, err := unix.Sysctl("kern.bootsessionuuid")
	if err != nil {
		return ""
	}
	return id
}

// ownPID returns the number of this process.
func ownPID() int { return os.Getpid() }

// pidSpace returns "": there is one space of process IDs.
func pidSpace() string { return "" }

// Constants from sys/proc.h and tty names: the state of a zombie process, and the device number for none.
const (
	zombie   = 5
	noDevice = -1
)

// lookupProcess returns the kernel's information.
func lookupProcess(pid int) (Info, bool) {
	k, err := unix.SysctlKinfoProc("kern.proc.pid", pid)
	if err != nil || int(k.Proc.P_pid) != pid {
		return processExists(pid)
	}
	if k.Proc.P_stat == zombie {
		return Info{}, false
	}
	info := Info{
		ID:     ID{PID: pid, Start: fmt.Sprintf("%d.%06d", k.Proc.P_starttime.Sec, k.Proc.P_starttime.Usec)},
		Parent: int(k.Eproc.Ppid), Name: unix.ByteSliceToString(k.Proc.P_comm[:]),
	}
	if sid, err := unix.Getsid(pid); err == nil {
		info.Leader = sid == pid
	}
	if device := k.Eproc.Tdev; device != noDevice {
		info.Terminal = fmt.Sprintf("/dev/ttys%03d", unix.Minor(uint64(uint32(device))))
	}
	return info, true
}
