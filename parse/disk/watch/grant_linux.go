// This file asks Linux how many directories may be watched.

package watch

import (
	"os"
	"strconv"
	"strings"
)

// watchesGranted returns the limit of watched directories: half of the system's limit for this user.
func watchesGranted() int {
	text, err := os.ReadFile("/proc/sys/fs/inotify/max_user_watches")
	granted, wrong := strconv.Atoi(strings.TrimSpace(string(text)))
	if err != nil || wrong != nil {
		return leastWatches
	}
	return max(leastWatches, min(granted/2, mostWatches))
}
