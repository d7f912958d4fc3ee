package protocol

import (
	"gatehouse/model"
	"gatehouse/parse/disk/mirror"
)

// SideLimit is the maximum size in bytes of a JSON file in a state's directory. Real ones have some KiB, and each byte may cost
// fifty in memory.
const SideLimit = 1 << 20

// ReadFile reads a file of the project, and adds its problems to the build.
func ReadFile[T any](m *mirror.Mirror, b *model.Build, file string, parse func(string) (T, error)) mirror.Result[T] {
	r := mirror.Read(m, file, parse)
	r.Note(b, file)
	return r
}

// ListDir lists a directory, and adds its problem to the build; ok is false if it has one.
func ListDir(m *mirror.Mirror, b *model.Build, dir string) (entries []mirror.Entry, ok bool) {
	entries, err := m.List(dir)
	if err != nil {
		Report(b, model.Pos{File: dir}, model.Error, "", err.Error(), "not all of its files are shown")
	}
	return entries, err == nil
}
