package peek

// newestLimit is how many entries of a directory Newest looks at: a directory prepared with millions of files must not hold
// up the prompt.
const newestLimit = 30_000

// Newest returns the name of the most recently changed entry of the directory dir whose name wanted accepts, "" if
// there is none or dir cannot be listed. Links are followed; broken ones do not count. It looks at
// 30,000 names at most.
func Newest(dir string, wanted func(name string) bool) (name string) {
	var best newest
	Entries(dir, nil, newestLimit, func(name string) {
		if !wanted(name) {
			return
		}
		if seconds, nanoseconds, ok := Modified(Join(dir, name)); ok {
			best.considerFile(name, seconds, nanoseconds)
		}
	})
	return best.name
}

// newest keeps the name of the file changed last among those that it is shown.
type newest struct {
	name   string
	millis int64
}

// considerFile takes a file into account. Times are compared in milliseconds, and of equally new files the one whose name comes
// first stays, as Node.js has it, which sorts the names of a directory and rounds their times.
func (n *newest) considerFile(name string, seconds, nanoseconds int64) {
	millis := seconds*1000 + (nanoseconds+500_000)/1_000_000
	if n.name == "" || millis > n.millis || millis == n.millis && name < n.name {
		n.name, n.millis = name, millis
	}
}
