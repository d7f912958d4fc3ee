// When a server of a hub is left for another.

package link

import (
	"sync"
	"time"
)

// leaveRarely bounds how rarely: 51 minutes.
const leaveRarely = 10

// patience is that with a server that does not do what is asked of it. It may be cut off from the others: so each of them is tried soon. But where
// none does it, as before anybody has looked and a hub has no place to keep anything, each change ends what is under way for nothing: so then they
// get rarer, each time after twice as long.
type patience struct {
	servers int // how many there are

	mu    sync.Mutex
	left  int       // how many were left since one did what was asked
	since time.Time // when the present one did not; zero: it does
}

// anew says that there is a new connection, and well that its server has done what was asked.
func (p *patience) anew() {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.since = time.Time{}
}

func (p *patience) well() {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.left, p.since = 0, time.Time{}
}

// ill says that it has not, and since when at least. It returns since when it has not in all, and whether it is to be left now.
func (p *patience) ill(now, since time.Time) (ago time.Duration, leave bool) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.since.IsZero() {
		p.since = since
	}
	ago = now.Sub(p.since)
	if p.servers < 2 || ago < ackWithin<<min(max(0, p.left+2-p.servers), leaveRarely) {
		return ago, false
	}
	p.left, p.since = p.left+1, time.Time{}
	return ago, true
}
