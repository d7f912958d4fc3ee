package peek

// subdirLimit is how many entries HasSubdir looks at: a directory with millions of files must not hold up the prompt.
const subdirLimit = 4096

// HasSubdir reports whether the directory at path has at least one subdirectory, which is how GSD recognizes a project
// in workstream mode. Links to directories do not count. It is false if the path cannot be listed.
func HasSubdir(path string) (has bool) {
	Entries(path, nil, subdirLimit, func(name string) { has = has || isSubdir(path, name) })
	return has
}
