package process

import (
	"os"
	"sync"
)

// System is the processes of this system.
type System struct{}

// Self implements [Table].
func (System) Self() ID { return self() }

// self returns this process, once and for all.
var self = sync.OnceValue(func() ID {
	p := ID{PID: ownPID(), Boot: bootID()}
	p.Host, _ = os.Hostname() // without a name other hosts can't tell whether this process runs
	if p.Host != "" {
		p.Host += pidSpace()
	}
	if info, ok := lookupProcess(p.PID); ok {
		p.Start = info.Start
	}
	return p
})

// Look implements [Table].
func (System) Look(pid int) (Info, bool) {
	if pid <= 0 {
		return Info{}, false
	}
	info, ok := lookupProcess(pid)
	if ok {
		own := self()
		info.Host, info.Boot = own.Host, own.Boot
	}
	return info, ok
}
