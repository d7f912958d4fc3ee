package model

// Files gives a dashboard the content of a project's files, to show it or to pass it to a program. Both methods open
// files and must not be called from a loop that handles keys.
type Files interface {
	// Text returns the current text of a file. The project is named by its root; the path is relative to it and
	// "/"-separated. It is an error if the file is not regular, is binary, or lies outside the project. If the file is
	// too large, Text returns its beginning and an error.
	Text(project, file string) (string, error)
	// Path returns the absolute path of a regular file of the project, with links
	// resolved, for a program that will open it. It fails like Text.
	Path(project, file string) (string, error)
}
