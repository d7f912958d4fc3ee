// Requests that have come to a host and are not answered yet.

package link

import "gatehouse/parse/fleet/wire"

const (
	// readsAtOnce is how many requests that change nothing a host answers at a time.
	readsAtOnce = 8
	// placesEach is how many requests of a sort may have come and not be answered.
	placesEach = 256
)

// places are those of requests, for each sort its own. What changes something may take its time, and so may saying what became of that: neither
// keeps anybody from looking, nor the second from deciding.
type places struct {
	reads, deeds, fates chan struct{} // one for each request that has come
	reading             chan struct{} // one for each read that is being answered
}

func newPlaces() places {
	return places{reads: make(chan struct{}, placesEach), deeds: make(chan struct{}, placesEach), fates: make(chan struct{}, placesEach), reading: make(chan struct{}, readsAtOnce)}
}

// take has a request answered, where there is a place for it: who hears nothing asks again. A decision is begun as soon as it has come. If it waited
// for others instead, nothing would be known of it, and asking what became of it would withdraw it.
func (p *places) take(changes bool, request []byte, answer func()) {
	place := p.reads
	switch {
	case changes && wire.Decides(request):
		place = p.deeds
	case changes:
		place = p.fates
	}
	select {
	case place <- struct{}{}:
	default:
		return
	}
	go func() {
		defer func() { <-place }()
		if place == p.reads {
			p.reading <- struct{}{}
			defer func() { <-p.reading }()
		}
		answer()
	}()
}

// drain waits until all that have come are answered, and takes no others.
func (p *places) drain() {
	for _, place := range []chan struct{}{p.reads, p.deeds, p.fates} {
		for range placesEach {
			place <- struct{}{}
		}
	}
}
