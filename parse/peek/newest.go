package peek

// newest keeps the name of the file changed last among those that it is shown.
type newest struct {
	name   string
	millis int64
}

// consider takes a file into account. Times are compared in milliseconds, and of equally new files the one whose name comes
// first stays, as Node.js has it, which sorts the names of a directory and rounds their times.
func (n *newest) consider(name string, seconds, nanoseconds int64) {
	millis := seconds*1000 + (nanoseconds+500_000)/1_000_000
	if n.name == "" || millis > n.millis || millis == n.millis && name < n.name {
		n.name, n.millis = name, millis
	}
}
