package demo

// This file is the only one that touches the disk. Every path is taken within
// the build's directory and cannot leave it, links included (os.Root).

import (
	"errors"
	"io/fs"
	"os"
	"path"
	"time"
)

const planning = ".planning"

// when is the moment that what is written now belongs to.
func (b *Build) when() time.Time { return b.opts.Now().Add(-b.ago) }

// write replaces a file under .planning in one go, dated [Build.when].
func (b *Build) write(name, text string) error { return b.writeFile(path.Join(planning, name), text) }

// writeFile is write for any file of the project.
func (b *Build) writeFile(file, text string) error {
	return b.inside(func(root *os.Root) error {
		if err := root.MkdirAll(path.Dir(file), 0o755); err != nil {
			return err
		}
		temp := file + ".tmp.demo"
		if err := root.WriteFile(temp, []byte(text), 0o644); err != nil {
			return err
		}
		if err := root.Chtimes(temp, b.when(), b.when()); err != nil {
			return err
		}
		if err := root.Rename(temp, file); err != nil {
			// Windows does not replace a file that a reader has open.
			if err := errors.Join(root.WriteFile(file, []byte(text), 0o644), root.Remove(temp)); err != nil {
				return err
			}
		}
		// A folder should look as old as its youngest file, not as this demo;
		// a system that can't do it shows a wrong age and nothing worse.
		_ = root.Chtimes(path.Dir(file), b.when(), b.when())
		return nil
	})
}

// tear leaves a file half written, as a reader finds it who comes while
// somebody saves it.
func (b *Build) tear(name, text string) error {
	return b.overwrite(path.Join(planning, name), text[:len(text)/6])
}

// overwrite writes into a file of the project as it is, dated [Build.when]: for a moment it is empty, or not whole.
func (b *Build) overwrite(file, text string) error {
	return b.inside(func(root *os.Root) error {
		if err := root.WriteFile(file, []byte(text), 0o644); err != nil {
			return err
		}
		return root.Chtimes(file, b.when(), b.when())
	})
}

// date gives a file of the project the time [Build.when].
func (b *Build) date(file string) error {
	return b.inside(func(root *os.Root) error {
		if err := root.Chtimes(file, b.when(), b.when()); !errors.Is(err, fs.ErrNotExist) {
			return err
		}
		return nil // the next step has put it away
	})
}

// removeAll deletes a directory of the project with all that is in it.
func (b *Build) removeAll(dir string) error {
	return b.inside(func(root *os.Root) error { return root.RemoveAll(dir) })
}

// remove deletes a file under .planning; one that is gone already is fine,
// since the user may have been faster.
func (b *Build) remove(name string) error { return b.removeFile(path.Join(planning, name)) }

// removeFile is remove for any file of the project.
func (b *Build) removeFile(file string) error {
	return b.inside(func(root *os.Root) error {
		err := root.Remove(file)
		if errors.Is(err, fs.ErrNotExist) {
			return nil
		}
		return err
	})
}

// read returns a file under .planning.
func (b *Build) read(name string) (text string, err error) {
	return b.readFile(path.Join(planning, name))
}

// readFile is read for any file of the project.
func (b *Build) readFile(file string) (text string, err error) {
	err = b.inside(func(root *os.Root) error {
		data, err := root.ReadFile(file)
		text = string(data)
		return err
	})
	return text, err
}

// removeOthers deletes every file under .planning but those to keep, and the
// folders that are then empty.
func (b *Build) removeOthers(keep map[string]bool) error {
	return b.inside(func(root *os.Root) error {
		var dirs []string
		err := fs.WalkDir(root.FS(), planning, func(name string, d fs.DirEntry, err error) error {
			switch {
			case err != nil:
				return err
			case d.IsDir():
				dirs = append(dirs, name)
				return nil
			case keep[name]:
				return nil
			}
			return root.Remove(name)
		})
		for i := len(dirs) - 1; i >= 0; i-- {
			_ = root.Remove(dirs[i]) // refuses the ones that still hold something
		}
		return err
	})
}

func (b *Build) inside(do func(root *os.Root) error) error {
	root, err := os.OpenRoot(b.dir)
	if err != nil {
		return err
	}
	defer root.Close()
	return do(root)
}
