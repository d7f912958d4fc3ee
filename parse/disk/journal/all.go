package journal

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"

	"gatehouse/parse/disk/statefile"
)

// All returns the journals in a directory, by name, on a system as in [Open]. A missing directory has none.
func All(system *statefile.System, dir string) ([]*Log, error) {
	entries, err := os.ReadDir(dir)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		err = fmt.Errorf("%s: the journals cannot be listed: %w; check the permissions of the directory", dir, statefile.Cause(err))
	}
	var all []*Log
	for _, e := range entries {
		if e.Type().IsRegular() && filepath.Ext(e.Name()) == ".jsonl" {
			all = append(all, &Log{system: system, dir: dir, name: e.Name()})
		}
	}
	return all, err
}
