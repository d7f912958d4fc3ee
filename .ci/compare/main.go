// Command compare runs two builds of the two binaries on the same projects and says where what they print for scripts is
// different: a redesign of the inside changes nothing outside.
//
//	go run ./.ci/compare [-real DIR] OLD NEW
//
// OLD and NEW are directories that hold gatehouse and statusline. The projects are the fixtures of the command tests, the
// rows of the conformance files (those of testdata, or of GATEHOUSE_CONFORMANCE), and with -real every directory in one. Of
// each it compares, with the exit code:
//
//	status, gates --all, check, resume --plan, inbox list, metrics    with --json
//	statusline                                                        with --source all --alerts, plain and --json
//	every decision about every gate and every build                   with -n --json
//
// Times that lie within an hour of now are when something was asked, and are taken for equal. It exits 1 where anything is
// different.
package main

import (
	"bytes"
	"encoding/base64"
	"encoding/json"
	"flag"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"runtime"
	"slices"
	"strings"
	"sync"
	"time"

	"golang.org/x/tools/txtar"
)

// old is the time of every file of a project: nothing in what is printed follows from when the comparison runs.
var old = time.Date(2026, 1, 2, 3, 4, 5, 0, time.UTC)

func main() {
	real := flag.String("real", "", "a directory of projects to compare on, too; they are copied first")
	most := flag.Int("show", 20, "how many differences are shown")
	flag.Parse()
	if flag.NArg() != 2 {
		fmt.Fprintln(os.Stderr, "usage: compare [-real DIR] OLD NEW")
		os.Exit(2)
	}
	c := &comparison{bins: [2]string{flag.Arg(0), flag.Arg(1)}}
	work, err := os.MkdirTemp("", "compare")
	check(err)
	defer os.RemoveAll(work)
	c.home = filepath.Join(work, "home")
	check(os.Mkdir(c.home, 0o700))
	dirs := projects(filepath.Join(work, "p"), *real)
	var group sync.WaitGroup
	next := make(chan string)
	for range runtime.NumCPU() {
		group.Go(func() {
			for dir := range next {
				c.project(dir)
			}
		})
	}
	for _, dir := range dirs {
		next <- dir
	}
	close(next)
	group.Wait()
	slices.Sort(c.different)
	for _, d := range c.different[:min(*most, len(c.different))] {
		fmt.Println(d)
	}
	fmt.Printf("%d projects, %d commands, %d different\n", len(dirs), c.commands, len(c.different))
	if len(c.different) > 0 {
		os.RemoveAll(work)
		os.Exit(1)
	}
}

func check(err error) {
	if err != nil {
		fmt.Fprintln(os.Stderr, "compare:", err)
		os.Exit(2)
	}
}

// comparison is what has been compared so far.
type comparison struct {
	bins [2]string
	home string

	mu        sync.Mutex
	commands  int
	different []string
}

// project compares all commands in one project.
func (c *comparison) project(dir string) {
	for _, args := range [][]string{
		{"status", "--json"}, {"check", "--json"}, {"resume", "--plan", "--json"}, {"inbox", "list", "--json"}, {"metrics", "--json"},
	} {
		c.both("gatehouse", dir, args...)
	}
	c.both("statusline", dir, "--source", "all", "--alerts", "--json")
	c.both("statusline", dir, "--source", "all", "--alerts", "--shell", "plain")
	c.both("statusline", dir, "--format", "compact")
	gates := c.both("gatehouse", dir, "gates", "--all", "--json")
	var all struct {
		Gates []struct{ Build, Node, Name string }
	}
	_ = json.Unmarshal([]byte(gates), &all) // what can't be read has no gates
	for _, g := range all.Gates {
		for _, args := range [][]string{
			{"approve"}, {"approve", "--record-failed"}, {"skip", "--reason", "because it is compared"}, {"changes", "--text", "another way"}, {"retry", "--yes"}, {"undo"},
		} {
			name := g.Name
			if name == "" {
				name = g.Node
			}
			c.both("gatehouse", dir, append(args, "-n", "--json", "--build", g.Build, "--", name)...)
		}
	}
	for _, args := range [][]string{{"pause"}, {"resume"}, {"abort", "--yes"}, {"resume", "--retry-failed", "--yes"}, {"fresh", "--yes"}, {"sync"}, {"inbox", "add", "an idea"}} {
		c.both("gatehouse", dir, append(args, "-n", "--json")...)
	}
}

// both runs one command of both builds, and returns what the old one printed.
func (c *comparison) both(program, dir string, args ...string) string {
	before, after := c.run(0, program, dir, args), c.run(1, program, dir, args)
	c.mu.Lock()
	defer c.mu.Unlock()
	c.commands++
	if b, a := recent(before.text), recent(after.text); b != a || before.code != after.code {
		c.different = append(c.different, fmt.Sprintf("--- %s: %s %s (%d, %d)\n%s", filepath.Base(dir), program, strings.Join(args, " "), before.code, after.code, lines(b, a)))
	}
	return before.text
}

type result struct {
	text string
	code int
}

// run runs one command in a directory, in an environment that holds nothing else.
func (c *comparison) run(bin int, program, dir string, args []string) result {
	cmd := exec.Command(filepath.Join(c.bins[bin], program), args...)
	var out bytes.Buffer
	cmd.Dir, cmd.Stdout = dir, &out
	cmd.Env = []string{"HOME=" + c.home, "PATH=" + os.Getenv("PATH"), "LANG=C.UTF-8", "USER=ada"}
	err := cmd.Run()
	if exit, failed := err.(*exec.ExitError); err != nil && (!failed || exit.ExitCode() < 0) {
		check(fmt.Errorf("%s in %s: %w", cmd, dir, err))
	}
	return result{out.String(), cmd.ProcessState.ExitCode()}
}

var stamp = regexp.MustCompile(`\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?(Z|[+-]\d\d:\d\d)`)

// recent returns a text without the times at which it was made.
func recent(text string) string {
	return stamp.ReplaceAllStringFunc(text, func(s string) string {
		if t, err := time.Parse(time.RFC3339Nano, s); err == nil && time.Since(t).Abs() < time.Hour {
			return "NOW"
		}
		return s
	})
}

// lines returns the lines of two texts that only one of them has, a few of them.
func lines(before, after string) string {
	var b strings.Builder
	only := func(sign, text, other string) {
		has := map[string]bool{}
		for _, l := range strings.Split(other, "\n") {
			has[l] = true
		}
		n := 0
		for _, l := range strings.Split(text, "\n") {
			if !has[l] && n < 12 {
				fmt.Fprintf(&b, "  %s %s\n", sign, l)
				n++
			}
		}
	}
	only("-", before, after)
	only("+", after, before)
	return b.String()
}

// projects makes the projects below a directory and returns where they are.
func projects(work, real string) (dirs []string) {
	write := func(name string, files map[string][]byte) {
		dir := filepath.Join(work, name)
		check(os.MkdirAll(dir, 0o700))
		for _, file := range slices.Sorted(maps.Keys(files)) {
			// What this system can't have, such as a file and a directory of one name, is left out.
			if path := filepath.Join(dir, file); filepath.IsLocal(file) && os.MkdirAll(filepath.Dir(path), 0o700) == nil {
				_ = os.WriteFile(path, files[file], 0o600)
			}
		}
		dirs = append(dirs, dir)
	}
	scripts, err := filepath.Glob("cmd/gatehouse/testdata/*.txtar")
	check(err)
	more, err := filepath.Glob("cmd/gatehouse/testdata/projects/*.txtar")
	check(err)
	for _, script := range append(scripts, more...) {
		archive, err := txtar.ParseFile(script)
		check(err)
		trees := map[string]map[string][]byte{}
		for _, f := range archive.Files { // a project is what stands below one directory, and the files beside them
			top, rest, below := strings.Cut(f.Name, "/")
			if !below || strings.HasPrefix(top, ".") {
				top, rest = ".", f.Name
			}
			if trees[top] == nil {
				trees[top] = map[string][]byte{}
			}
			trees[top][rest] = f.Data
		}
		for top, files := range trees {
			write("script-"+strings.TrimSuffix(filepath.Base(script), ".txtar")+"-"+strings.ReplaceAll(top, ".", "top"), files)
		}
	}
	rows(write)
	check(filepath.WalkDir(work, func(path string, _ fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		return os.Chtimes(path, old, old)
	}))
	if real != "" {
		entries, err := os.ReadDir(real)
		check(err)
		for _, e := range entries {
			dir := filepath.Join(work, "real-"+e.Name())
			check(os.CopyFS(dir, os.DirFS(filepath.Join(real, e.Name()))))
			check(filepath.WalkDir(dir, func(path string, _ fs.DirEntry, err error) error {
				if err != nil {
					return err
				}
				return os.Chtimes(path, old, old)
			}))
			dirs = append(dirs, dir)
		}
	}
	return dirs
}

// row is a row of a conformance file, as far as a project can be made of it.
type row struct {
	ID    string
	Files json.RawMessage
	Dirs  []string
	Root  string
	State json.RawMessage
	// Loop is a definition, or the name of the file that holds one.
	Loop     json.RawMessage
	LoopJSON json.RawMessage `json:"loop_json"`
	Input    string
	Before   string `json:"before_b64"`
	Plan     string `json:"plan_b64"`
}

// rows makes a project of every row that holds the files of one.
func rows(write func(name string, files map[string][]byte)) {
	dir := os.Getenv("GATEHOUSE_CONFORMANCE")
	var files []string
	if dir != "" {
		found, err := filepath.Glob(filepath.Join(dir, "*.jsonl"))
		check(err)
		files = found
	} else {
		check(filepath.WalkDir(".", func(path string, e fs.DirEntry, err error) error {
			if err == nil && strings.HasSuffix(path, ".jsonl") {
				files = append(files, path)
			}
			return err
		}))
	}
	for _, file := range files {
		data, err := os.ReadFile(file)
		check(err)
		for i, text := range bytes.Split(data, []byte("\n")) {
			var r row
			if json.Unmarshal(text, &r) != nil {
				continue
			}
			if tree := r.tree(file); len(tree) > 0 {
				name := fmt.Sprintf("%s-%d-%s", strings.TrimSuffix(filepath.Base(file), ".jsonl"), i+1, r.ID)
				write(strings.Map(func(c rune) rune {
					if c == '/' || c == ' ' {
						return '_'
					}
					return c
				}, name), tree)
			}
		}
	}
}

// tree returns the files of a row.
func (r *row) tree(file string) map[string][]byte {
	tree := map[string][]byte{}
	var named map[string]json.RawMessage
	var listed []string
	switch {
	case json.Unmarshal(r.Files, &named) == nil:
		for name, data := range named {
			var text string
			var binary struct{ B64 string }
			if json.Unmarshal(data, &text) == nil {
				tree[name] = []byte(text)
			} else if json.Unmarshal(data, &binary) == nil {
				tree[name], _ = base64.StdEncoding.DecodeString(binary.B64)
			}
		}
	case json.Unmarshal(r.Files, &listed) == nil && len(r.Files) > 0:
		for _, name := range listed {
			tree[name] = []byte("# " + name + "\n")
		}
		tree[".ultraplan/.keep"] = nil
	case len(r.State) > 0 && r.State[0] == '{':
		tree["sample-state.json"] = r.State
		switch name := ""; {
		case len(r.LoopJSON) > 0 && r.LoopJSON[0] == '{':
			tree["loop.json"] = r.LoopJSON
		case json.Unmarshal(r.Loop, &name) == nil && name != "":
			if data, err := os.ReadFile(filepath.Join(filepath.Dir(file), "loops", name)); err == nil {
				tree["loop.json"] = data
			}
		}
	case r.Input != "":
		tree[".planning/STATE.md"] = []byte(r.Input)
	case r.Before != "":
		tree[".planning/STATE.md"], _ = base64.StdEncoding.DecodeString(r.Before)
		tree[".ultraplan/.keep"] = nil
	case r.Plan != "":
		tree[".planning/phases/01-sample/01-01-PLAN.md"], _ = base64.StdEncoding.DecodeString(r.Plan)
		tree[".ultraplan/.keep"] = nil
	}
	return tree
}
