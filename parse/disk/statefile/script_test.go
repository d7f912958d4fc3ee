//go:build unix

package statefile_test

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"github.com/rogpeppe/go-internal/txtar"

	"gatehouse/parse/disk/peek"
	. "gatehouse/parse/disk/statefile"
)

// TestScripts runs testdata/store.txtar. A line is one of these; an error is named, or is a part of the text, or several of both:
//
//	put FILE = TEXT, huge FILE, mkdir DIR, link NAME = TARGET, hard NAME = FILE, remove NAME, chmod NAME MODE
//	has FILE = TEXT               what is in a file
//	names DIR = NAMES             all entries of a directory; links end in "@"
//	within DIRS                   where the store may write from here on, at first "."
//	read FILE = TEXT              by the store, as are all below
//	replace FILE[: ERR]           make its text upper case
//	create FILE = TEXT[: ERR]
//	makedir DIR[: ERR], clear DIR
//	move FILE = NAME[: ERR]
func TestScripts(t *testing.T) {
	all, err := txtar.ParseFile(filepath.Join("testdata", "store.txtar"))
	must(t, err)
	for _, c := range all.Files {
		t.Run(c.Name, func(t *testing.T) {
			real, err := filepath.EvalSymlinks(t.TempDir())
			must(t, err)
			s := &script{project: project{T: t, dir: filepath.Join(real, "p")}}
			must(t, os.Mkdir(s.dir, 0o755))
			s.within = []string{s.dir}
			for i, line := range strings.Split(strings.TrimSpace(string(c.Data)), "\n") {
				word, rest, _ := strings.Cut(line, " ")
				rest, wanted, fails := strings.Cut(rest, ": ")
				name, text, _ := strings.Cut(rest, " =")
				text, err := strconv.Unquote(`"` + strings.TrimPrefix(text, " ") + `"`)
				must(t, err)
				err = s.run(word, name, text)
				if fails {
					s.fails(err, nil)
					for _, part := range strings.Split(wanted, ", ") {
						if is := errorNames[part]; err != nil && !errors.Is(err, is) && (is != nil || !strings.Contains(err.Error(), part)) {
							t.Errorf("line %d, %s: %v", i+1, line, err)
						}
					}
				} else if err != nil {
					t.Errorf("line %d, %s: %v", i+1, line, err)
				}
			}
		})
	}
}

var errorNames = map[string]error{
	"missing": fs.ErrNotExist, "exists": fs.ErrExist, "permission": fs.ErrPermission, "outside": peek.ErrOutside, "not regular": peek.ErrNotRegular, "not text": ErrNotText,
}

type script struct {
	project
	within []string
}

// at returns a path as it is written: the store must not rely on a clean one.
func (s *script) at(name string) string { return s.dir + "/" + name }

// run runs a line.
func (s *script) run(word, name, text string) error {
	store, target := NewStore(nil), Target{s.at(name), s.within}
	is := func(got string) error {
		if got != text {
			return errors.New("it is " + strconv.Quote(got))
		}
		return nil
	}
	switch word {
	case "put":
		return errors.Join(os.MkdirAll(filepath.Dir(s.at(name)), 0o755), os.WriteFile(s.at(name), []byte(text), 0o644))
	case "huge":
		return errors.Join(os.WriteFile(s.at(name), nil, 0o644), os.Truncate(s.at(name), 1<<40))
	case "mkdir":
		return os.Mkdir(s.at(name), 0o755)
	case "link":
		return os.Symlink(text, s.at(name))
	case "hard":
		return os.Link(s.at(text), s.at(name))
	case "remove":
		return os.Remove(s.at(name))
	case "chmod":
		name, mode, _ := strings.Cut(name, " ")
		bits, _ := strconv.ParseUint(mode, 8, 32)
		return os.Chmod(s.at(name), fs.FileMode(bits))
	case "has":
		content, err := os.ReadFile(s.at(name))
		return errors.Join(err, is(string(content)))
	case "names":
		entries, err := os.ReadDir(s.at(name))
		var names []string
		for _, e := range entries {
			mark := ""
			if e.Type() == fs.ModeSymlink {
				mark = "@"
			}
			names = append(names, e.Name()+mark)
		}
		return errors.Join(err, is(strings.Join(names, " ")))
	case "within":
		s.within = nil
		for _, dir := range strings.Fields(name) {
			s.within = append(s.within, filepath.Join(s.dir, dir))
		}
	case "read":
		content, err := store.Read(target)
		if err == nil {
			err = is(content)
		}
		return err
	case "replace":
		_, err := store.Replace(s.Context(), target, upper)
		return err
	case "create":
		return store.Create(s.Context(), target, text)
	case "makedir":
		return store.MakeDir(target)
	case "clear":
		store.Clear(target)
	case "move":
		return store.Move(Target{s.dir, s.within}, name, text)
	default:
		s.Fatalf("no command %q", word)
	}
	return nil
}
