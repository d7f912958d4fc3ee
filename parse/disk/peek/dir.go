package peek

// subdirLimit is how many entries HasSubdir looks at: a directory with millions of files must not hold up the prompt.
const subdirLimit = 4096

// HasSubdir reports whether the directory at path holds at least one sub-directory, as GSD tells a project in workstream
// mode. Links to directories do not count. It is false for anything that cannot be listed.
func HasSubdir(path string) (has bool) {
	Entries(path, nil, subdirLimit, func(name string) { has = has || isSubdir(path, name) })
	return has
}
