// How many of something there are, in words.

package reader

import "strconv"

// Counted says how many of something there are: "1 plan", "2 plans".
func Counted(n int, what string) string {
	if n == 1 {
		return "1 " + what
	}
	return strconv.Itoa(n) + " " + what + "s"
}
