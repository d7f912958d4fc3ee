// Command compare runs two builds of the two programs on the same projects and prints where their answers differ, so that a
// rewrite can show that it changes nothing.
//
//	go run ./.ci/compare [flags] OLD NEW
//
// OLD and NEW are directories that hold gatehouse and statusline. The projects are the fixtures of the source
// tree, the conformance rows (of GATEHOUSE_CONFORMANCE or testdata), real projects (in GATEHOUSE_REAL), and random ones. In each
// project it runs every reading command with --json, statusline, and with --dry-run every decision that a build or a gate offers;
// in a sample of the projects, or with -only in all, also those that are refused.
//
// Answers are compared line by line: statuses, ids, counts, positions, rules, edits, exit codes and the prompt's bytes.
// Sentences are left out, unless -text asks for them. Differences that are alike are one entry of the report. The exit code is 1 if
// there are any; the projects of its examples are kept.
package main

import (
	"bytes"
	"cmp"
	"encoding/json"
	"flag"
	"fmt"
	"hash/fnv"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"runtime"
	"slices"
	"strings"
	"sync"
	"time"
)

func main() {
	c := &comparison{kinds: map[string]*kind{}}
	flag.BoolVar(&c.text, "text", false, "compare sentences and standard error, too")
	flag.StringVar(&c.only, "only", "", "compare only builds of this `protocol`")
	random := flag.Int("random", 300, "how many random projects of each protocol")
	seed := flag.Uint64("seed", 1, "the first seed of the random projects")
	limit := flag.Duration("limit", time.Hour, "stop after this time, and report what was found")
	ignore := flag.String("ignore", "", "leave out kinds of differences that match this regular `expression`")
	flag.Parse()
	if flag.NArg() != 2 {
		fmt.Fprintln(os.Stderr, "usage: compare [flags] OLD NEW")
		flag.PrintDefaults()
		os.Exit(2)
	}
	for i := range c.bins {
		dir, err := filepath.Abs(flag.Arg(i))
		mustSucceed(err)
		c.bins[i] = dir
	}
	if *ignore != "" {
		c.ignore = regexp.MustCompile(*ignore)
	}
	work, err := os.MkdirTemp("", "compare")
	mustSucceed(err)
	c.home = filepath.Join(work, "home")
	mustSucceed(os.Mkdir(c.home, 0o700))
	var group sync.WaitGroup
	next := make(chan project)
	for range runtime.NumCPU() {
		group.Go(func() {
			for p := range next {
				c.compareProject(p)
			}
		})
	}
	end, left := time.Now().Add(*limit), 0
	m := &maker{filepath.Join(work, "p"), func(p project) {
		if time.Now().After(end) {
			left++
			mustSucceed(os.RemoveAll(p.dir))
			return
		}
		next <- p
	}}
	m.addAll(c.only, *random, *seed)
	close(next)
	group.Wait()
	different := c.printReport()
	if left > 0 {
		fmt.Printf("time limit: %d projects were not compared\n", left)
	}
	fmt.Printf("%d projects, %d commands, %d kinds of differences\n", c.projects, c.commands, different)
	if different > 0 {
		fmt.Println("the projects of the examples are in " + work)
		os.Exit(1)
	}
	mustSucceed(os.RemoveAll(work))
}

func mustSucceed(err error) {
	if err != nil {
		fmt.Fprintln(os.Stderr, "compare:", err)
		os.Exit(2)
	}
}

// comparison holds the two builds and the differences found so far.
type comparison struct {
	bins   [2]string
	home   string
	text   bool
	only   string
	ignore *regexp.Regexp

	mu       sync.Mutex
	projects int
	commands int
	kinds    map[string]*kind
}

// kind is all differences with the same path and the same change.
type kind struct {
	name     string
	projects map[string]bool
	times    int
	examples []string // of different projects
}

// status has the fields of status --json that the comparison needs.
type status struct {
	Projects []struct {
		Builds []struct {
			ID, Protocol string
			Can          []string
			Nodes        []node
		}
	}
}

type node struct {
	ID, Kind, Title, Status string
	Gate                    *struct{ Can []string }
	Children                []node
}

// compareProject compares all commands in one project. The directory stays if there are differences.
func (c *comparison) compareProject(p project) {
	var found []difference
	run := func(program string, args ...string) [2][]byte {
		answers, more := c.compareCommand(p, program, args...)
		found = append(found, more...)
		return answers
	}
	answers := run("gatehouse", "status", "--json")
	var s status
	_ = json.Unmarshal(answers[0], &s) // if this fails there are no builds
	if c.only != "" && p.protocol != c.only && !strings.Contains(string(answers[0])+string(answers[1]), `"protocol": "`+c.only+`"`) {
		mustSucceed(os.RemoveAll(p.dir))
		return
	}
	for _, format := range []string{"full", "compact"} {
		run("statusline", "--shell", "plain", "--format", format)
		run("statusline", "--shell", "plain", "--format", format, "--alerts", "--source", cmp.Or(c.only, "all"))
	}
	run("statusline", "--source", "all", "--alerts", "--json")
	var gates struct {
		Gates []struct{ Build, Node, Name string }
	}
	_ = json.Unmarshal(run("gatehouse", "gates", "--all", "--json")[0], &gates) // if this fails there are no gates
	names := map[string]string{}
	for _, g := range gates.Gates {
		names[g.Build+" "+g.Node] = g.Name
	}
	run("gatehouse", "check", "--json")
	run("gatehouse", "resume", "--plan", "--json")
	run("gatehouse", "inbox", "list", "--json")
	hash := fnv.New32()
	hash.Write([]byte(filepath.Base(p.dir)))
	refused := c.only != "" || hash.Sum32()%6 == 0 // refused decisions are tried in a sample of the projects, or in all of one protocol
	for _, project := range s.Projects {
		for _, b := range project.Builds {
			run("gatehouse", "metrics", "--json", "--build", b.ID)
			for _, args := range decisionArgs(b.Can, b.Nodes, refused, func(n node) string { return cmp.Or(names[b.ID+" "+n.ID], strings.TrimPrefix(n.ID, "gate/")) }) {
				run("gatehouse", append([]string{args[0], "--dry-run", "--json", "--build", b.ID}, args[1:]...)...)
			}
		}
	}
	if refused {
		run("gatehouse", "decision", "--dry-run", "--json", "an idea")
		run("gatehouse", "inbox", "add", "--dry-run", "--json", "an idea")
	}
	c.mu.Lock()
	c.projects++
	c.addDifferences(p, found)
	c.mu.Unlock()
	if len(found) == 0 {
		mustSucceed(os.RemoveAll(p.dir))
	}
}

// mostGates bounds the gates of a build that are decided, so that a large project does not take minutes.
const mostGates = 10

// buildDecisions are the arguments of all decisions about a build, by the verb with which the build offers them.
var buildDecisions = []struct {
	verb string
	args []string
}{
	{"pause", []string{"pause"}}, {"resume", []string{"resume"}}, {"resume", []string{"resume", "--discard"}}, {"retry-failed", []string{"resume", "--retry-failed", "--yes"}}, {"abort", []string{"abort", "--yes"}},
	{"complete", []string{"complete"}}, {"restart", []string{"restart", "--yes"}}, {"fresh", []string{"fresh", "--yes"}}, {"sync", []string{"sync", "--yes"}},
}

// gateDecisions are the arguments of all decisions about a gate; the first is the verb with which the gate offers them.
var gateDecisions = [][]string{
	{"approve"}, {"approve", "--record-failed"}, {"skip", "--reason", "because it is compared"}, {"changes", "--text", "another way"}, {"retry", "--yes"}, {"undo"},
}

// decisionArgs returns the arguments of the decisions about a build that it offers. With refused, it adds those that are to be
// refused: about the build, and about the first gate of each status.
func decisionArgs(can []string, nodes []node, refused bool, nameOf func(node) string) (all [][]string) {
	for _, d := range buildDecisions {
		if refused || slices.Contains(can, d.verb) {
			all = append(all, d.args)
		}
	}
	gates, phases := 0, 0
	tried := map[string]bool{}
	var walk func(nodes []node)
	walk = func(nodes []node) {
		for _, n := range nodes {
			if n.Kind == "phase" && n.Status != "done" && phases < 3 && (refused || slices.Contains(can, "skip-phase")) {
				phases++
				all = append(all, []string{"skip-phase", "--", n.Title})
			}
			if n.Gate != nil && gates < mostGates {
				gates++
				position := fmt.Sprint(n.Kind, n.Status, n.Gate.Can)
				for _, args := range gateDecisions {
					if slices.Contains(n.Gate.Can, args[0]) || refused && !tried[position] {
						all = append(all, slices.Concat(args, []string{"--", nameOf(n)}))
					}
				}
				tried[position] = true
			}
			walk(n.Children)
		}
	}
	walk(nodes)
	return all
}

// compareCommand runs a command of both builds and returns what they printed, and the differences. Differences that a second run does
// not repeat come from the clock.
func (c *comparison) compareCommand(p project, program string, args ...string) ([2][]byte, []difference) {
	name := program
	if program == "gatehouse" {
		name = args[0]
	}
	var before, after result
	var found []difference
	for range 2 {
		before, after = c.runCommand(0, p.dir, program, args), c.runCommand(1, p.dir, program, args)
		found = compareAnswers(name, before.out, after.out, slices.Contains(args, "--json"), c.text)
		if before.code != after.code {
			codes := fmt.Sprintf("%d → %d", before.code, after.code)
			found = append(found, difference{kind: name + " exit: " + codes, detail: codes})
		}
		if c.text {
			found = append(found, compareAnswers(name+" stderr", before.err, after.err, false, true)...)
		}
		if len(found) == 0 {
			break
		}
	}
	for i := range found {
		found[i].command = program + " " + strings.Join(args, " ")
	}
	c.mu.Lock()
	c.commands++
	c.mu.Unlock()
	return [2][]byte{before.out, after.out}, found
}

type result struct {
	out, err []byte
	code     int
}

// runCommand runs one command in a directory, in an environment that holds nothing else.
func (c *comparison) runCommand(bin int, dir, program string, args []string) result {
	cmd := exec.Command(filepath.Join(c.bins[bin], program), args...)
	var out, stderr bytes.Buffer
	cmd.Dir, cmd.Stdout, cmd.Stderr = dir, &out, &stderr
	cmd.Env = []string{"HOME=" + c.home, "PATH=" + os.Getenv("PATH"), "LANG=C.UTF-8", "USER=ada", "GOMAXPROCS=1"}
	err := cmd.Run()
	if _, exited := err.(*exec.ExitError); err != nil && !exited {
		mustSucceed(fmt.Errorf("%s in %s: %w", cmd, dir, err))
	}
	return result{out.Bytes(), stderr.Bytes(), cmd.ProcessState.ExitCode()}
}

// addDifferences counts the differences of a project.
func (c *comparison) addDifferences(p project, found []difference) {
	for _, d := range found {
		k := c.kinds[d.kind]
		if k == nil {
			k = &kind{name: d.kind, projects: map[string]bool{}}
			c.kinds[d.kind] = k
		}
		k.times++
		if !k.projects[p.dir] && len(k.examples) < 2 {
			k.examples = append(k.examples, fmt.Sprintf("%s\n        %s\n        %s", p.dir, d.command, d.detail))
		}
		k.projects[p.dir] = true
	}
}

// printReport prints the kinds of differences, the most frequent first, and returns how many there are.
func (c *comparison) printReport() (n int) {
	all := make([]*kind, 0, len(c.kinds))
	for _, k := range c.kinds {
		all = append(all, k)
	}
	slices.SortFunc(all, func(a, b *kind) int {
		return cmp.Or(cmp.Compare(len(b.projects), len(a.projects)), strings.Compare(a.name, b.name))
	})
	ignored := 0
	for _, k := range all {
		if c.ignore != nil && c.ignore.MatchString(k.name) {
			ignored++
			continue
		}
		n++
		fmt.Printf("%s\n    %d projects, %d times\n", k.name, len(k.projects), k.times)
		for _, example := range k.examples {
			fmt.Println("    " + example)
		}
	}
	if ignored > 0 {
		fmt.Printf("%d kinds ignored\n", ignored)
	}
	return n
}
