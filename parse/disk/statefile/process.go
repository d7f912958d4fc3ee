// Who writes: what is left behind by a process that was killed says whose it is.

package statefile

import (
	"crypto/sha256"
	"encoding/hex"
)

// Process is a process of a host.
type Process struct {
	PID  int    `json:"pid"`
	Host string `json:"host"` // with its space of process IDs, where that is not the host's own; "" where it is not known
}

// Gone reports whether p is known to have ended, as far as another process can tell: one of the same host.
func (p Process) Gone(self Process) bool {
	return p.Host != "" && p.Host == self.Host && !alive(p.PID)
}

// hostMark returns what stands for a host in the names of files: eight hexadecimal digits.
func hostMark(host string) string {
	sum := sha256.Sum256([]byte(host))
	return hex.EncodeToString(sum[:4])
}
