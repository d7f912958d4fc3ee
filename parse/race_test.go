//go:build race

package parse

// raceDetector reports that the race detector is on. It counts allocations of its own, and makes sync.Pool drop items, so that regular
// expressions allocate again.
const raceDetector = true
