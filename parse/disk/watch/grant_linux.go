// This file asks Linux how many directories may be watched.

package watch

import (
	"os"
	"strconv"
	"strings"
)

// watchesGranted returns how many directories may get a file watch: half of what the system grants this user for all programs.
func watchesGranted() int {
	text, err := os.ReadFile("/proc/sys/fs/inotify/max_user_watches")
	granted, wrong := strconv.Atoi(strings.TrimSpace(string(text)))
	if err != nil || wrong != nil {
		return leastWatches
	}
	return max(leastWatches, min(granted/2, mostWatches))
}
