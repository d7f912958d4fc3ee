//go:build unix

package mirror

import (
	_ "embed"
	"io/fs"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"github.com/rogpeppe/go-internal/txtar"

	"gatehouse/parse/disk/peek"
	"gatehouse/parse/unprivileged"
)

//go:embed testdata/mirror.txtar
var scripts []byte

// TestScripts runs testdata/mirror.txtar. A line is one of these; ROOT is the project's directory:
//
//	put FILE = TEXT          write a file
//	alter FILE = TEXT        write it and keep its time
//	link NAME = TARGET       make a symbolic link
//	remove NAME              remove it, and all below it
//	chmod NAME MODE          change its permissions
//	trust [DIR]              begin anew, with a mirror that trusts this directory
//	touch [PATHS]            report a change
//	has FILE = TEXT          the file has this value, without any fault
//	holds FILE = TEXT: ERR   the last good value is shown because of an error
//	faulty FILE = TEXT: ERR  the file is shown with an error
//	missing FILE             there is no such file, and it has no text
//	lists DIR = NAMES[: ERR] the entries of a directory
//	is NAME = KIND           a file, directory, other, or nothing
//	outside = NAMES          the links that lead out
//	reads N                  so many files were read since the last such line
func TestScripts(t *testing.T) { runScripts(t, false) }

// TestWithoutPermission runs those of the scripts that a user without privileges must run.
func TestWithoutPermission(t *testing.T) {
	if unprivileged.IsBound(t) {
		runScripts(t, true)
	}
}

func runScripts(t *testing.T, bound bool) {
	for _, c := range txtar.Parse(scripts).Files {
		if strings.HasPrefix(c.Name, "permission: ") != bound {
			continue
		}
		t.Run(c.Name, func(t *testing.T) {
			root := filepath.Join(t.TempDir(), "p")
			must(t, os.Mkdir(root, 0o755))
			p := &project{T: t, Mirror: New(root)}
			before := 0
			for i, line := range strings.Split(strings.TrimSpace(string(c.Data)), "\n") {
				line, _, _ = strings.Cut(strings.ReplaceAll(line, "ROOT", p.Root()), "  #")
				word, rest, _ := strings.Cut(line, " ")
				if word == "reads" {
					now := p.Reads()
					if got := strconv.Itoa(now - before); got != rest {
						t.Errorf("line %d: %s files were read, not %s", i+1, got, rest)
					}
					before = now
					continue
				}
				if got, want := p.runLine(word, rest); got != want {
					t.Errorf("line %d, %s: %s", i+1, line, got)
				}
			}
		})
	}
}

// runLine runs a line, and returns what is shown and what is expected.
func (p *project) runLine(word, rest string) (got, want string) {
	p.Helper()
	name, want, _ := strings.Cut(rest, " =")
	want = strings.TrimPrefix(want, " ")
	switch word {
	case "put":
		text, err := strconv.Unquote(`"` + want + `"`)
		must(p.T, err)
		p.put(name, text)
	case "alter":
		info, err := os.Stat(p.absPath(name))
		must(p.T, err)
		p.put(name, want)
		stamp(p.T, p.absPath(name), info.ModTime())
	case "link":
		p.link(want, name)
	case "remove":
		p.remove(name)
	case "chmod":
		name, mode, _ := strings.Cut(name, " ")
		bits, err := strconv.ParseUint(mode, 8, 32)
		must(p.T, err)
		must(p.T, os.Chmod(p.absPath(name), fs.FileMode(bits)))
	case "trust":
		p.Mirror = New(p.Root(), strings.Fields(name)...)
	case "touch":
		p.Touch(strings.Fields(name)...)
	case "has", "holds", "faulty":
		r := p.read(name)
		if !r.Exists || r.Held != (word == "holds") {
			return "there " + strconv.FormatBool(r.Exists) + ", held " + strconv.FormatBool(r.Held), want
		}
		return withError(r.Value, r.Err), want
	case "missing":
		if r := p.read(name); r != (Result[string]{}) {
			return "it is there", ""
		}
		text, _ := p.Text(name)
		return text, ""
	case "lists":
		entries, err := p.List(name)
		var names []string
		for _, e := range entries {
			names = append(names, e.Name)
		}
		return withError(strings.Join(names, " "), err), want
	case "is":
		kind := ""
		switch e, ok := p.Stat(name); {
		case e.Dir:
			kind = "directory"
		case e.Regular:
			kind = "file"
		case ok:
			kind = "other"
		}
		if p.IsDir(name) != (kind == "directory" || name == ".") {
			kind += ", by IsDir another"
		}
		return kind, want
	case "outside":
		return strings.Join(p.Outside(), " "), strings.TrimSpace(strings.TrimPrefix(name, "="))
	default:
		p.Fatalf("no command %q", word)
	}
	return "", ""
}

// errorNames are the names of errors in the scripts.
var errorNames = map[error]string{
	peek.ErrOutside: "outside", peek.ErrPermission: "permission", peek.ErrLoop: "loop", errDangling: "dangling", errEmpty: "empty", errBinary: "binary",
}

// withError returns a text with the error that came with it.
func withError(text string, err error) string {
	if err == nil {
		return text
	}
	if name := errorNames[err]; name != "" {
		return text + ": " + name
	}
	return text + ": " + err.Error()
}
