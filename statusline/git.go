// Running git for --git=dirty and for the age of STATE.md: the only code here that runs a program. The repository may
// be hostile, and git runs programs that a repository's configuration names in many places. These can run during "git
// status", with their countermeasures:
//
//   - core.fsmonitor, a program asked for changed files, or a daemon: set to false on the command line, which overrides
//     every file.
//   - hooks, such as post-index-change, which runs when the index is rewritten: GIT_OPTIONAL_LOCKS=0 keeps git from
//     writing it, and core.hooksPath=/dev/null leaves no hook to run.
//   - filters (filter.NAME.clean and .process), which .gitattributes or info/attributes name for files whose content
//     has to be compared: git has no option to disable all of them, so the program reads their names from git's
//     configuration and switches each off. This includes the user's own: "git lfs", for one, runs commands from the
//     repository's configuration. The price: a filtered file with a new time but unchanged content may count as
//     changed.
//   - fetching objects that a partial clone lacks, through core.sshCommand, remote.NAME.uploadpack, remote.NAME.vcs or
//     "ext::" addresses: GIT_NO_LAZY_FETCH=1, and for an older git GIT_ALLOW_PROTOCOL, which then allows none.
//   - submodules, because git would run another git with their configuration: --ignore-submodules=all. They are
//     not counted.
//   - a pager: git uses none for a pipe, and --no-pager makes sure.
//
// Aliases, external diffs and text conversions are not used by "git status --porcelain" and "git rev-list". A
// repository can still make git slow, by a FIFO or by its size: after a deadline git is killed with all its children,
// and nothing is shown.

package statusline

import (
	"gatehouse/model/line"
	"gatehouse/parse/disk/peek"
	"gatehouse/parse/doc"
	"gatehouse/parse/gsd/core"
	"gatehouse/parse/nearest"
)

const (
	// statusTimeout is how many milliseconds git may take for --git=dirty altogether.
	statusTimeout = 200
	// ageTimeout is how many milliseconds git may take to count commits.
	ageTimeout = 500
	// maxFilters is how many filters are switched off at most; a repository with more is not asked.
	maxFilters = 64
	// maxGitOutput limits the bytes read from git's output; GSD has the same limit.
	maxGitOutput = 8 << 20
)

// safeGitArgs are the arguments with which git runs nothing else, filters apart.
var safeGitArgs = [...]string{
	"git", "--no-pager", "--no-optional-locks", "-c", "core.fsmonitor=false", "-c", "core.hooksPath=/dev/null", "-c", "status.submoduleSummary=false",
	"-c", "submodule.recurse=false",
}

// safeGitEnvironment are the variables with which git runs nothing else.
var safeGitEnvironment = [...]string{
	"GIT_OPTIONAL_LOCKS=0", "GIT_NO_LAZY_FETCH=1", "GIT_ALLOW_PROTOCOL=none", "GIT_TERMINAL_PROMPT=0", "GIT_ASKPASS=", "SSH_ASKPASS=", "GIT_PAGER=cat",
}

// gitStatus counts the entries of "git status", as GSD's status line does.
type gitStatus struct {
	branch string // "(detached)" without one, "" if the output does not say
	commit string // its first seven digits, "" before the first commit

	staged    int // entries that differ between HEAD and index
	unstaged  int // entries that differ between index and work tree, and those with conflicts
	untracked int // entries that git does not know
	ahead     int // commits that the upstream branch lacks
	behind    int // commits that only the upstream branch has
}

// isClean reports whether nothing differs.
func (s *gitStatus) isClean() bool { return s.staged+s.unstaged+s.untracked+s.ahead+s.behind == 0 }

// readGitStatus runs git in the directory dir and returns the status of the work tree. environment is the program's
// environment as "NAME=value"; git is looked up in its PATH. ok is false if there is no git or work tree, if git fails
// or takes too long, or if it cannot be kept from running programs that the repository names.
func readGitStatus(dir string, environment []string) (status gitStatus, ok bool) {
	git := newGit(dir, environment, statusTimeout)
	const keys = `^filter\..*\.(clean|process)$`
	names, code, ok := git.runGit([]string{"config", "-z", "--name-only", "--get-regexp", keys})
	if !ok || code > 1 { // 1 means that there are none
		return status, false
	}
	args, ok := filterArgs(names)
	if !ok {
		return status, false
	}
	output, code, ok := git.runGit(append(args, "status", "--porcelain=v2", "--branch", "--ignore-submodules=all"))
	status = parseGitStatus(output)
	return status, ok && code == 0 && status.branch != ""
}

// parseGitStatus reads the output of "git status --porcelain=v2 --branch".
func parseGitStatus(output string) (s gitStatus) {
	const head, oid, counts = "# branch.head ", "# branch.oid ", "# branch.ab +"
	for text := ""; output != ""; {
		text, output, _ = doc.Cut(output, "\n")
		switch {
		case doc.HasPrefix(text, head):
			s.branch = text[len(head):]
		case doc.HasPrefix(text, oid) && len(text) >= len(oid)+40: // not "(initial)"
			s.commit = text[len(oid) : len(oid)+7]
		case doc.HasPrefix(text, counts):
			ahead, behind, _ := doc.Cut(text[len(counts):], " -")
			if a, ok := parseCount(ahead); ok { // the user's configuration may say "?"
				if b, ok := parseCount(behind); ok {
					s.ahead, s.behind = a, b
				}
			}
		case doc.HasPrefix(text, "1 "), doc.HasPrefix(text, "2 "):
			if len(text) < 4 || text[2] != '.' {
				s.staged++
			}
			if len(text) < 4 || text[3] != '.' {
				s.unstaged++
			}
		case doc.HasPrefix(text, "u "):
			s.unstaged++
		case doc.HasPrefix(text, "? "):
			s.untracked++
		}
	}
	return s
}

// parseCount returns the number that digits spell, at most a billion.
func parseCount(digits string) (n int, ok bool) {
	for i := range len(digits) {
		if digits[i] < '0' || digits[i] > '9' {
			return 0, false
		}
		n = min(n*10+int(digits[i]-'0'), 1e9)
	}
	return n, digits != ""
}

// readAge fills in how many commits HEAD is ahead of the STATE.md of a GSD project, if the project asks for it: its
// root must be the root of a repository, and the commit of STATE.md must be an ancestor of HEAD.
func readAge(place *nearest.Place, found *nearest.Found, environment []string) {
	facts, ok := found.Facts.(*line.GSD)
	if !ok || facts.StateHead == "" {
		return
	}
	text, _, _ := peek.ReadFile(found.ConfigPath, peek.Parent(peek.Parent(found.ConfigPath)), peek.Limit)
	config, _ := core.ParseConfig(text)
	stamp := config.FreshnessStamp(facts.StateHead)
	if stamp == "" {
		return
	}
	if !peek.Exists(peek.Join(found.Dir, ".git")) {
		return
	}
	git := newGit(found.Dir, environment, ageTimeout)
	git.environment = append(git.environment, "GIT_CEILING_DIRECTORIES="+peek.Parent(found.Dir)) // in case .git is not a repository
	output, code, ok := git.runGit([]string{"rev-list", "--left-right", "--count", stamp + "...HEAD", "--"})
	if side, ahead, _ := doc.Cut(doc.Trim(output), "\t"); ok && code == 0 && side == "0" {
		facts.CommitsBehind, _ = parseCount(ahead)
	}
}

// filterArgs returns the arguments that switch off filters, from their keys "filter.NAME.clean" or "filter.NAME.process", each
// with a NUL after it. ok is false if one cannot be switched off.
func filterArgs(keys string) (args []string, ok bool) {
	for key := ""; keys != ""; {
		key, keys, _ = doc.Cut(keys, "\x00")
		end := doc.LastIndex(key, ".") + 1
		filter := key[:end]
		if !doc.HasPrefix(filter, "filter.") || doc.Contains(filter, "=") || doc.Contains(filter, "\n") || len(filter) > 1000 || len(args) >= 6*maxFilters {
			return nil, false
		}
		known := false
		for i := 1; i < len(args); i += 6 {
			known = known || args[i] == filter+"clean="
		}
		if !known {
			args = append(args, "-c", filter+"clean=", "-c", filter+"process=", "-c", filter+"required=false")
		}
	}
	return args, true
}

// newGit returns a git runner for a directory, with a deadline for all runs together.
func newGit(dir string, environment []string, timeout int64) *gitRun {
	return &gitRun{path: findGit(variableIn(environment, "PATH")), dir: dir, environment: cleanEnvironment(environment), end: newDeadline(timeout)}
}

// findGit returns the path of git in the directories of list, which has the form of PATH; "" if not found. Only
// absolute directories count: an empty or relative one means the current directory, where the repository could have
// put a program.
func findGit(list string) string {
	for dir := ""; list != ""; {
		dir, list, _ = doc.Cut(list, ":")
		if path := peek.Join(dir, "git"); dir != "" && peek.IsSeparator(dir[0]) && isRunnable(path) {
			return path
		}
	}
	return ""
}

// cleanEnvironment returns an environment for git: without variables that lead it to another repository or make it
// write traces, and with those that keep it from running programs. The user's git configuration is kept.
func cleanEnvironment(environment []string) []string {
	clean := make([]string, 0, len(environment)+len(safeGitEnvironment))
	for _, entry := range environment {
		git := doc.HasPrefix(entry, "GIT_") && !doc.HasPrefix(entry, "GIT_EXEC_PATH=")
		user := doc.HasPrefix(entry, "GIT_CONFIG_") && !doc.HasPrefix(entry, "GIT_CONFIG_PARAMETERS=")
		if (!git || user) && !doc.HasPrefix(entry, "SSH_ASKPASS=") {
			clean = append(clean, entry)
		}
	}
	return append(clean, safeGitEnvironment[:]...)
}

// variableIn returns the value of a variable in environment, "" if it is not set.
func variableIn(environment []string, name string) string {
	for _, entry := range environment {
		if doc.HasPrefix(entry, name+"=") {
			return entry[len(name)+1:]
		}
	}
	return ""
}
