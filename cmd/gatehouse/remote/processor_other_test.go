//go:build !unix

package remote_test

import "time"

// processor returns 0: processor time is not measured on this system.
func processor() time.Duration { return 0 }
