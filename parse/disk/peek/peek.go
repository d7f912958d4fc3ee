// Package peek reads files without trusting them: neither their type, nor their size, nor where their links lead.
//
// State files are written by agents and lie in directories that anyone may have prepared. Reading one must not hang on a
// FIFO, must not follow a link out of the project, must not fill the memory, and must cost the prompt next to nothing. So
// a file is opened without blocking, its type is checked on the descriptor that is then read (never on the path, which
// can change in between), and at most a given number of bytes is taken.
//
// Where the operating system allows it the package needs only syscall: the prompt binary pays for each import
// at every prompt.
package peek

// Limit is the largest number of bytes of one state file that prompt and dashboard read: 8 MiB. Real files are below
// 100 KiB; what is larger is read up to here and reported as truncated.
const Limit = 8 << 20

// Error is a reason for not reading a file. The text continues a path: "x/STATE.md: is not a regular …". The values are
// constants, to be compared with == or errors.Is.
type Error string

// Error returns the reason in words for the user, without the path, which the caller knows in the form it shows.
func (e Error) Error() string { return string(e) }

const (
	// ErrNotRegular means that the path is a directory, FIFO, socket or device instead of a file. Nothing was read from
	// it.
	ErrNotRegular Error = "is not a regular file; remove what stands there"
	// ErrOutside means a symbolic link with a real target that is outside the project or unknown.
	ErrOutside Error = "is a link that leads out of the project; put the file itself there"
	// ErrNotExist means that the file does not exist, that one of its directories is not a directory, or that a link is
	// broken.
	ErrNotExist Error = "does not exist"
	// ErrPermission means the operating system forbids reading the file or entering one of its directories.
	ErrPermission Error = "may not be read; check its permissions"
	// ErrLoop means a chain of symbolic links without an end.
	ErrLoop Error = "is a link that leads back to itself; replace it by the file"
)

// Failure is any other error of the operating system while a file is opened or read.
type Failure struct {
	Op  string // the failed operation: "open", "stat" or "read"
	Err error  // as the operating system reported it
}

// Error returns the failed operation and the operating system's error, without the path.
func (f *Failure) Error() string { return "cannot " + f.Op + " it: " + f.Err.Error() }

// Unwrap returns the operating system's error.
func (f *Failure) Unwrap() error { return f.Err }

// Missing reports whether err means that there is no such file at all, also after following links; any other entry at
// the path, readable or not, is not missing.
func Missing(err error) bool { return err == ErrNotExist || err == ErrLoop }

// PathLimit is the longest path in bytes that is shown or opened: Linux's limit.
const PathLimit = 4096

// Type is the type of a directory entry.
type Type uint8

// The types. Unknown entries are links, devices, or of a file system that does not tell.
const (
	TypeUnknown Type = iota
	TypeFile
	TypeDir
)

// ReadFile returns the content of the regular file at path, at most limit bytes of it; truncated reports whether there
// was more, and the text may then end inside a character.
//
// root limits symbolic links at path itself. With root "" they are followed freely. Else the real target of a link has
// to be in the directory root; this check is slow and is done only for links. Directories on the way may be links:
// linking a whole directory into a project is intentional.
//
// The error is one of the package's Error constants or a *Failure.
func ReadFile(path, root string, limit int) (text string, truncated bool, err error) {
	return readFile(path, root, limit)
}

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

// Inside reports whether path is below the directory root, both real, absolute and clean; root itself does not count.
func Inside(path, root string) bool {
	n := len(root)
	if n > 0 && IsSeparator(root[n-1]) {
		n--
	}
	return len(path) > n+1 && path[:n] == root[:n] && IsSeparator(path[n])
}

// RealPath returns the absolute path of the file or directory at path with all links resolved, and whether it is known.
func RealPath(path string) (real string, ok bool) { return realPath(path) }

// Resolve returns the real path of a file or directory, or path itself if that is unknown.
func Resolve(path string) string {
	if real, ok := realPath(path); ok {
		return real
	}
	return path
}
