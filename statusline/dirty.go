// Asking git what differs in a work tree, for --git=dirty: the only thing here that runs a program. The repository may be
// hostile, and git runs what a repository's configuration names in more places than one thinks of. What can run during
// "git status", and what keeps it from that:
//
//   - core.fsmonitor, a program asked for changed files, or a daemon: set to false on the command line, which goes before
//     every file.
//   - hooks, of which post-index-change runs when the index is written again: GIT_OPTIONAL_LOCKS=0 keeps git from writing
//     it, and core.hooksPath=/dev/null leaves no hook to run.
//   - filters (filter.NAME.clean and .process), which .gitattributes or info/attributes name for files whose content has to
//     be compared: git cannot be told to use none, so its configuration is asked for their names first and each is switched
//     off. That of the user too: "git lfs", for one, runs what the repository's configuration says. The price: a file under
//     a filter whose time changed, but not its content, may count as changed.
//   - fetching objects that a partial clone lacks, through core.sshCommand, remote.NAME.uploadpack, remote.NAME.vcs or
//     "ext::" addresses: GIT_NO_LAZY_FETCH=1, and for a git older than that GIT_ALLOW_PROTOCOL, which then allows none.
//   - submodules, in which git would run a git of its own with their configuration: --ignore-submodules=all. They are not
//     counted.
//   - a pager: none is used for a pipe, and --no-pager says it again.
//
// Aliases, external diffs and text conversions take no part in "git status --porcelain". A repository can still make git
// slow, by a FIFO or by its size: after 200 milliseconds git is killed with all that it started, and nothing is shown.

package statusline

import (
	"gatehouse/parse/disk/peek"
	"gatehouse/parse/nearest"
)

const (
	// gitWait is how many milliseconds git may take altogether.
	gitWait = 200
	// filtersLimit is how many filters are switched off at most; a repository with more is not asked.
	filtersLimit = 64
	// gitOutputLimit is how many bytes of git's output are read, what GSD reads too.
	gitOutputLimit = 8 << 20
)

// gitSafely are the arguments with which git runs nothing else, filters apart.
var gitSafely = [...]string{
	"git", "--no-pager", "--no-optional-locks", "-c", "core.fsmonitor=false", "-c", "core.hooksPath=/dev/null", "-c", "status.submoduleSummary=false",
	"-c", "submodule.recurse=false",
}

// gitEnvironment are the variables with which git runs nothing else.
var gitEnvironment = [...]string{
	"GIT_OPTIONAL_LOCKS=0", "GIT_NO_LAZY_FETCH=1", "GIT_ALLOW_PROTOCOL=none", "GIT_TERMINAL_PROMPT=0", "GIT_ASKPASS=", "SSH_ASKPASS=", "GIT_PAGER=cat",
}

// askGit runs git in the directory dir and returns what it says about the work tree. environment is that of the program,
// as "NAME=value"; git is looked for in its PATH. ok is false when there is no git, no work tree, when git fails or takes
// too long, or when it cannot be kept from running what the repository names.
func askGit(dir string, environment []string) (status nearest.GitStatus, ok bool) {
	path := findGit(variableIn(environment, "PATH"))
	if path == "" {
		return status, false
	}
	run := gitRun{path: path, dir: dir, environment: cleanEnvironment(environment), end: newDeadline(gitWait)}
	var filters filterNames
	const keys = `^filter\..*\.(clean|process)$`
	code, ok := run.git([]string{"config", "-z", "--name-only", "--get-regexp", keys}, filters.feed)
	if !ok || filters.bad || filters.n > 0 || code != 0 && code != 1 { // 1 says that there is none
		return status, false
	}
	args := append(filters.off, "status", "--porcelain=v2", "--branch", "--ignore-submodules=all")
	code, ok = run.git(args, func(output []byte) bool {
		status.Feed(output)
		return true
	})
	status.End()
	return status, ok && code == 0 && status.Branch != ""
}

// filterNames collects the arguments that switch off the filters whose keys git prints, each with a NUL behind it.
type filterNames struct {
	off []string
	bad bool // there is one that cannot be switched off
	key [1024]byte
	n   int
}

func (f *filterNames) feed(output []byte) (more bool) {
	for _, c := range output {
		switch {
		case c == 0:
			f.add(string(f.key[:f.n]))
			f.n = 0
		case f.n == len(f.key):
			f.bad = true
		default:
			f.key[f.n] = c
			f.n++
		}
	}
	return !f.bad
}

// add switches off the filter with the key "filter.NAME.clean" or "filter.NAME.process".
func (f *filterNames) add(key string) {
	end := len(key)
	for end > 0 && key[end-1] != '.' {
		end--
	}
	const section = "filter."
	if end <= len(section) || key[:len(section)] != section {
		f.bad = true
		return
	}
	filter := key[:end]
	for i := range len(filter) {
		if filter[i] == '=' || filter[i] == '\n' { // cannot be said on a command line
			f.bad = true
			return
		}
	}
	for i := 1; i < len(f.off); i += 6 {
		if f.off[i] == filter+"clean=" {
			return
		}
	}
	if len(f.off) >= 6*filtersLimit {
		f.bad = true
		return
	}
	f.off = append(f.off, "-c", filter+"clean=", "-c", filter+"process=", "-c", filter+"required=false")
}

// findGit returns the path of git in the directories that list names as PATH does, "" when there is none. Only absolute
// ones count: an empty or relative one means the present directory, where the repository could have put a program.
func findGit(list string) string {
	for list != "" {
		end := 0
		for end < len(list) && list[end] != ':' {
			end++
		}
		if dir := list[:end]; dir != "" && peek.IsSeparator(dir[0]) {
			if path := peek.Join(dir, "git"); runnable(path) {
				return path
			}
		}
		list = list[min(end+1, len(list)):]
	}
	return ""
}

// cleanEnvironment returns environment for git: without variables that lead it to another repository or have it write
// traces, with those that keep it from running anything. What configures git for the user stays.
func cleanEnvironment(environment []string) []string {
	clean := make([]string, 0, len(environment)+len(gitEnvironment))
	for _, entry := range environment {
		git := hasPrefix(entry, "GIT_") && !hasPrefix(entry, "GIT_EXEC_PATH=")
		user := hasPrefix(entry, "GIT_CONFIG_") && !hasPrefix(entry, "GIT_CONFIG_PARAMETERS=")
		if (!git || user) && !hasPrefix(entry, "SSH_ASKPASS=") {
			clean = append(clean, entry)
		}
	}
	return append(clean, gitEnvironment[:]...)
}

// variableIn returns the value of a variable in environment, "" when it is not set.
func variableIn(environment []string, name string) string {
	for _, entry := range environment {
		if hasPrefix(entry, name) && hasPrefix(entry[len(name):], "=") {
			return entry[len(name)+1:]
		}
	}
	return ""
}

func hasPrefix(s, prefix string) bool { return len(s) >= len(prefix) && s[:len(prefix)] == prefix }
