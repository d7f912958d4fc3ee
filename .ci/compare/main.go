// Command compare runs two builds of the two programs on the same projects and prints where their answers differ, so that a
// rewrite can show that it changes nothing.
//
//	go run ./.ci/compare [flags] OLD NEW
//
// OLD and NEW are directories that hold gatehouse and statusline. The projects are the fixtures of the source
// tree, the conformance rows (of GATEHOUSE_CONFORMANCE or testdata), real projects (in GATEHOUSE_REAL), and random ones. In each
// project it runs the reading commands with --json, statusline, and with --dry-run every decision that a build or a gate offers,
// with -only also those that are refused.
//
// Answers are compared line by line, without sentences unless -text asks for them. Similar differences are one entry of the
// report. The exit code is 1 if there are any; the projects of the reported examples are kept.
package main

import (
	"bytes"
	"cmp"
	"encoding/json"
	"flag"
	"fmt"
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

	"github.com/aymanbagabas/go-udiff"
)

func main() {
	c := &comparison{kinds: map[string]*kind{}}
	flag.BoolVar(&c.text, "text", false, "compare sentences, too")
	flag.StringVar(&c.only, "only", "", "compare only builds of this `protocol`")
	random := flag.Int("random", 300, "how many random projects of each protocol")
	seed := flag.Uint64("seed", 1, "the first seed of the random projects")
	limit := flag.Duration("limit", time.Hour, "stop after this time, and report what was found")
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
			return
		}
		next <- p
	}}
	m.addAll(c.only, *random, *seed)
	close(next)
	group.Wait()
	c.printReport()
	fmt.Printf("%d projects, %d commands, %d kinds of differences; %d projects beyond the time limit\n", c.projects, c.commands, len(c.kinds), left)
	if len(c.kinds) > 0 {
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
	bins [2]string
	home string
	text bool
	only string

	mu       sync.Mutex
	projects int
	commands int
	kinds    map[string]*kind
}

// kind groups all differences with the same first changed lines.
type kind struct {
	projects map[string]bool
	examples []string // one per project
}

// node has the fields of a node in status --json that the comparison needs.
type node struct {
	ID, Kind, Status string
	Gate             *struct{ Can []string }
	Children         []node
}

// readingCommands are run in every project.
var readingCommands = []string{
	"gatehouse check --json", "gatehouse gates --all --json", "gatehouse resume --plan --json", "gatehouse inbox list --json",
	"statusline --shell plain --format full", "statusline --shell plain --format compact --alerts", "statusline --source all --alerts --json",
}

// compareProject compares all commands in one project. The directory stays if there are differences.
func (c *comparison) compareProject(p project) {
	differs := false
	run := func(args ...string) (answer string) {
		answer, found := c.compareCommand(p, args)
		differs = differs || found
		return answer
	}
	answer := run("gatehouse", "status", "--json")
	if c.only == "" || p.protocol == c.only || strings.Contains(answer, `"protocol": "`+c.only+`"`) {
		for _, command := range readingCommands {
			run(strings.Fields(command)...)
		}
		var status struct {
			Projects []struct {
				Builds []struct {
					ID    string
					Can   []string
					Nodes []node
				}
			}
		}
		_ = json.Unmarshal([]byte(answer), &status) // on an error there are no builds
		for _, project := range status.Projects {
			for _, b := range project.Builds {
				run("gatehouse", "metrics", "--json", "--build", b.ID)
				for _, args := range decisionArgs(b.Can, b.Nodes, c.only != "") {
					run(append([]string{"gatehouse", args[0], "--dry-run", "--json", "--build", b.ID}, args[1:]...)...)
				}
			}
		}
		c.mu.Lock()
		c.projects++
		c.mu.Unlock()
	}
	if !differs {
		mustSucceed(os.RemoveAll(p.dir))
	}
}

// buildDecisions are the arguments of all decisions about a build, by the verb with which the build offers them.
var buildDecisions = map[string]string{
	"pause": "pause", "resume": "resume", "retry-failed": "resume --retry-failed --yes", "abort": "abort --yes", "complete": "complete",
	"restart": "restart --yes", "fresh": "fresh --yes", "sync": "sync --yes",
}

// gateDecisions are the arguments of all decisions about a gate; the first is the verb with which the gate offers them.
var gateDecisions = []string{"approve", "approve --record-failed", "skip --text because-it-is-compared", "changes --text another-way", "retry --yes", "undo"}

// mostGates bounds the gates of a build that are decided, so that a large project does not take minutes.
const mostGates = 10

// decisionArgs returns the arguments of the decisions that a build and its first gates offer, with refused also of others.
func decisionArgs(can []string, nodes []node, refused bool) (all [][]string) {
	for _, verb := range slices.Sorted(maps.Keys(buildDecisions)) {
		if refused || slices.Contains(can, verb) {
			all = append(all, strings.Fields(buildDecisions[verb]))
		}
	}
	gates := 0
	var walk func(nodes []node)
	walk = func(nodes []node) {
		for _, n := range nodes {
			if n.Gate != nil && gates < mostGates {
				gates++
				for _, decision := range gateDecisions {
					if args := strings.Fields(decision); refused || slices.Contains(n.Gate.Can, args[0]) {
						all = append(all, append(args, "--", n.ID))
					}
				}
			}
			walk(n.Children)
		}
	}
	walk(nodes)
	return all
}

// compareCommand runs a command of both builds, and returns what the first printed and whether they differ. Differences that do not occur
// in a second run come from the clock.
func (c *comparison) compareCommand(p project, args []string) (answer string, differs bool) {
	var answers [2]string
	for range 2 {
		for i := range answers {
			answers[i] = c.runCommand(i, p.dir, args)
		}
		if differs = c.comparable(answers[0]) != c.comparable(answers[1]); !differs {
			break
		}
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	c.commands++
	if differs {
		c.addDifferences(p, args, c.comparable(answers[0]), c.comparable(answers[1]))
	}
	answer, _, _ = strings.Cut(answers[0], exitLine)
	return answer, differs
}

// exitLine precedes the exit code in an answer.
const exitLine = "\nexit code "

// runCommand runs one command in a directory, in an environment that holds nothing else, and returns its output and exit code.
func (c *comparison) runCommand(bin int, dir string, args []string) string {
	cmd := exec.Command(filepath.Join(c.bins[bin], args[0]), args[1:]...)
	cmd.Dir = dir
	cmd.Env = []string{"HOME=" + c.home, "PATH=" + os.Getenv("PATH"), "LANG=C.UTF-8", "USER=ada", "GOMAXPROCS=1"}
	out, err := cmd.Output()
	if _, exited := err.(*exec.ExitError); err != nil && !exited {
		mustSucceed(fmt.Errorf("%s in %s: %w", cmd, dir, err))
	}
	return fmt.Sprintf("%s%s%d\n", out, exitLine, cmd.ProcessState.ExitCode())
}

var (
	// prose matches the JSON fields with sentences for people.
	prose = regexp.MustCompile(`(?m)^ *"(why|text|fix|mend|asks|expects|reason|remark|note|effect|description|claim|truth|trouble|remedy|place|over|next_why)": ".*\n`)
	// stamp matches times of this run.
	stamp = regexp.MustCompile(`\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?(Z|[+-]\d\d:\d\d)`)
	class = regexp.MustCompile(`"[^"]*[^"A-Za-z_-][^"]*"(,?)$|\d+`)
)

// comparable returns an answer with a value a line, without what is not compared.
func (c *comparison) comparable(answer string) string {
	if out, code, _ := strings.Cut(answer, exitLine); strings.HasPrefix(out, "{") {
		var b bytes.Buffer
		if json.Indent(&b, []byte(out), "", "  ") == nil {
			answer = b.String() + exitLine + code
		}
	}
	if !c.text {
		answer = prose.ReplaceAllString(answer, "")
	}
	return stamp.ReplaceAllStringFunc(answer, func(s string) string {
		if t, err := time.Parse(time.RFC3339Nano, s); err == nil && time.Since(t).Abs() < time.Minute {
			return "NOW"
		}
		return s
	})
}

// addDifferences counts the differences of two answers. The lock is held.
func (c *comparison) addDifferences(p project, args []string, before, after string) {
	text, err := udiff.ToUnified("", "", before, udiff.Lines(before, after), 0)
	mustSucceed(err)
	for _, hunk := range strings.Split(text, "\n@@ ")[1:] {
		_, changed, _ := strings.Cut(hunk, "\n")
		first, _, _ := strings.Cut(changed, "\n")
		name := args[0] + " " + args[1] + ": " + class.ReplaceAllString(strings.Join(strings.Fields(first), " "), "…")
		if c.kinds[name] == nil {
			c.kinds[name] = &kind{projects: map[string]bool{}}
		}
		if k := c.kinds[name]; !k.projects[p.dir] {
			k.projects[p.dir] = true
			k.examples = append(k.examples, fmt.Sprintf("    %s\n        %s\n%.600s", p.dir, strings.Join(args, " "), changed))
		}
	}
}

// printReport prints the kinds of differences, the most frequent first, with two examples each.
func (c *comparison) printReport() {
	names := slices.SortedFunc(maps.Keys(c.kinds), func(a, b string) int {
		return cmp.Or(len(c.kinds[b].projects)-len(c.kinds[a].projects), strings.Compare(a, b))
	})
	for _, name := range names {
		k := c.kinds[name]
		fmt.Printf("%s\n    %d projects\n%s\n", name, len(k.projects), strings.Join(k.examples[:min(len(k.examples), 2)], "\n"))
	}
}
