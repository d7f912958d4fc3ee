package model

// Files gives a dashboard what a project's files hold, where it shows them as
// they are or hands them to a program. Both methods open files and belong into
// no loop that answers keys.
type Files interface {
	// Text returns the text of a file as it is now. The project is named by
	// its root; the path is relative to it and "/"-separated. What is no
	// regular file, is binary, or lies outside of the project is an error; of
	// what is too large the beginning comes beside the error.
	Text(project, file string) (string, error)
	// Path returns the absolute path of a regular file of the project, links
	// resolved, for a program that is to open it. It fails like Text.
	Path(project, file string) (string, error)
}
