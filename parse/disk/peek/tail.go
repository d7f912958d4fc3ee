package peek

// ReadTail returns the last bytes of the regular file at path, as many as fit into buf; links are followed. It is for
// files that grow without end, such as transcripts: the cost does not depend on their size. The text may begin inside a
// character. The bytes are read into buf.
//
// The error is one of the package's Error constants or a *Failure.
func ReadTail(path string, buf []byte) (text string, err error) {
	return readPart(path, atEnd, buf)
}

// ReadAt returns the bytes of the regular file at path from an offset on, as many as fit into buf, none beyond its end; links are
// followed. The bytes are read into buf.
//
// The error is one of the package's Error constants or a *Failure.
func ReadAt(path string, at int64, buf []byte) (text string, err error) {
	return readPart(path, max(at, 0), buf)
}

// atEnd means the first offset whose rest of the file fits.
const atEnd = -1
