package link

import (
	"testing"
	"time"
)

// On a cluster where nobody has looked yet no server keeps anything.
func TestServersAreLeftEverMoreRarely(t *testing.T) {
	const servers = 3
	p, start := &patience{servers: servers}, time.Now()
	lefts := func(from, to time.Duration) (n int) {
		for at := from; at < to; at += time.Second {
			if _, leave := p.ill(start.Add(at), start.Add(at)); leave {
				p.anew()
				n++
			}
		}
		return n
	}
	if n := lefts(0, 3*ackWithin); n != servers-1 {
		t.Errorf("%d servers were left at first: one that is cut off is left soon, and so is the next", n)
	}
	if n := lefts(3*ackWithin, 24*time.Hour); n > 40 {
		t.Errorf("%d servers were left in a day, where none keeps anything", n)
	}
	p.well()
	if n := lefts(48*time.Hour, 48*time.Hour+2*ackWithin); n == 0 {
		t.Error("one that was cut off after it kept something was not left")
	}
	p = &patience{servers: 1}
	if lefts(0, time.Hour) != 0 {
		t.Error("the only server was left")
	}
}
