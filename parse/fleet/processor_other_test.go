//go:build !unix

package fleet_test

import "time"

// processor is not measured here.
func processor() time.Duration { return 0 }
