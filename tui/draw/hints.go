package draw

// Names of keys for people.

// FarAway is further than any list is long.
const FarAway = 1 << 30

// KeyName returns the name of a key for people.
func KeyName(key string) string {
	switch key {
	case "down":
		return "↓"
	case "up":
		return "↑"
	case "left":
		return "←"
	case "right":
		return "→"
	}
	return key
}

// Hint is a key and its effect in a word or two; one without words belongs to the next.
type Hint struct{ Key, Words string }
