//go:build race

package parse

// raceDetector tells that the race detector counts and keeps more than the program takes: sync.Pool drops what it holds, so that
// regular expressions are made anew.
const raceDetector = true
