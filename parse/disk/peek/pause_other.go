//go:build !(linux || darwin)

package peek

import "time"

// Pause waits for so many nanoseconds.
func Pause(nanoseconds int64) { time.Sleep(time.Duration(nanoseconds)) }
