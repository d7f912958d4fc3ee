package config

// Nearest returns the word that is most similar to a mistyped one, "" if none is similar.
func Nearest(typed string, words []string) (best string) {
	least := 3 // fewer letters than this may differ
	for _, w := range words {
		if d := editDistance(typed, w); d < least && d < max(len(w)-1, 1) {
			best, least = w, d
		}
	}
	return best
}

// editDistance returns how many letters have to be inserted, deleted or changed to turn one word into the other (Levenshtein).
func editDistance(a, b string) int {
	if len(a) > 64 {
		return len(a) // no known word is that long
	}
	row := make([]int, len(b)+1)
	for j := range row {
		row[j] = j
	}
	for i := range len(a) {
		before := row[0]
		row[0] = i + 1
		for j := range len(b) {
			change := before
			if a[i] != b[j] {
				change++
			}
			before = row[j+1]
			row[j+1] = min(change, row[j]+1, row[j+1]+1)
		}
	}
	return row[len(b)]
}
