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

// Error is one of the reasons for which a file is not read. The text continues a path: "x/STATE.md: is not a regular …".
// The values are constants, to be compared with == or errors.Is.
type Error string

// Error returns the reason in words for the user, without the path, which the caller knows in the form it shows.
func (e Error) Error() string { return string(e) }

const (
	// ErrNotRegular means a directory, FIFO, socket or device stands where a file is expected. Nothing was read from it.
	ErrNotRegular Error = "is not a regular file; remove what stands there"
	// ErrOutside means a symbolic link whose real target lies outside the project, or cannot be told.
	ErrOutside Error = "is a link that leads out of the project; put the file itself there"
	// ErrNotExist means there is nothing of that name, or one of its directories is none, or a link leads nowhere.
	ErrNotExist Error = "does not exist"
	// ErrPermission means the operating system forbids reading the file or entering one of its directories.
	ErrPermission Error = "may not be read; check its permissions"
	// ErrLoop means a chain of symbolic links without an end.
	ErrLoop Error = "is a link that leads back to itself; replace it by the file"
)

// Failure is any other error of the operating system while a file is opened or read.
type Failure struct {
	Op  string // what was tried: "open", "stat" or "read"
	Err error  // as the operating system reported it
}

// Error returns what failed and the operating system's word for it, without the path.
func (f *Failure) Error() string { return "cannot " + f.Op + " it: " + f.Err.Error() }

// Unwrap returns the operating system's error.
func (f *Failure) Unwrap() error { return f.Err }

// Missing reports whether err says that there is no such file at all, also after following links; anything else that
// stands at the path, readable or not, is not missing.
func Missing(err error) bool { return err == ErrNotExist || err == ErrLoop }

// PathLimit is the longest path in bytes that is shown or asked for: what Linux takes.
const PathLimit = 4096

// Type is what a directory says about an entry.
type Type uint8

// The types. Unknown entries are links, devices, or of a file system that does not tell.
const (
	TypeUnknown Type = iota
	TypeFile
	TypeDir
)
