// Package danger finds parts of a tool call that deserve a look before the call is allowed: parts that destroy data, reach beyond
// the project or this machine, or run unreviewed code. A call without such parts is not therefore safe.
package danger

import (
	"cmp"
	"path"
	"slices"
	"strings"
)

// Part is a part of a call and the reason to look at it.
type Part struct {
	Text string
	Why  string
}

// The reasons.
const (
	asOther    = "runs with the rights of another user"
	inYourName = "answers or approves in your name"
	runsUnseen = "runs unreviewed code"
	unparsed   = "cannot be parsed as shell"
	destroys   = "deletes without asking"
	losesWork  = "discards work"
	overwrites = "overwrites shared history"
	reachesOut = "changes something outside this machine"
	secrets    = "touches secrets"
	outside    = "writes outside the project"
	runsLater  = "writes a file that runs by itself later"
	system     = "stops programs or changes the system"
	network    = "uses the network"
	deletes    = "deletes files"
)

// worstFirst is the order in which parts are returned.
var worstFirst = []string{asOther, inYourName, runsUnseen, unparsed, destroys, losesWork, overwrites, reachesOut, secrets, outside, runsLater,
	system, network, deletes}

// maxParts is the number of parts returned for one command.
const maxParts = 32

// InCommand returns the parts of a shell command that deserve a look, the worst first. dir is the directory in which it runs.
func InCommand(line, dir string) []Part {
	s := scanner{dir: dir, budget: maxParse}
	s.script(line)
	return s.parts()
}

// InPath returns the reasons to look before a file is written.
func InPath(file, dir string) []Part {
	s := scanner{dir: dir}
	s.write(file, file)
	return s.parts()
}

// InAddress returns the reason to look before a URL is opened.
func InAddress(url string) []Part { return []Part{{url, network}} }

// parts returns what was found, each text once with its worst reason.
func (s *scanner) parts() (kept []Part) {
	rank := func(p Part) int { return slices.Index(worstFirst, p.Why) }
	slices.SortStableFunc(s.found, func(a, b Part) int { return cmp.Compare(rank(a), rank(b)) })
	for _, p := range s.found {
		if len(kept) < maxParts && !slices.ContainsFunc(kept, func(k Part) bool { return k.Text == p.Text }) {
			kept = append(kept, p)
		}
	}
	return kept
}

const (
	secretPaths = "/.ssh/ id_rsa id_ed25519 .aws/credentials /.netrc /.gnupg /etc/shadow .pem /.kube/config /.npmrc /.pypirc"
	laterPaths  = "/.git/hooks/ /.github/workflows/ /.claude/settings /.codex/ /.vscode/tasks /.husky/ /etc/ /LaunchAgents/ " +
		"/.config/autostart/ /.config/systemd/"
	laterFiles = ".bashrc .bash_profile .zshrc .zprofile .zshenv .profile config.fish .envrc .gitconfig .npmrc"
)

// write examines the path of a file that text writes.
func (s *scanner) write(file, text string) {
	if isOutside(file, s.dir) {
		s.add(outside, text)
	}
	if IsSecret(file) {
		s.add(secrets, text)
	}
	if has(laterFiles, base(file), equal) || has(laterPaths, "/"+strings.TrimPrefix(file, "/"), strings.Contains) {
		s.add(runsLater, text)
	}
}

// isOutside reports whether a path, by its text, leads out of a directory. Temporary files do not count.
func isOutside(file, dir string) bool {
	clean := path.Clean(file) + "/"
	if !path.IsAbs(file) {
		return has("~ $HOME ${HOME} ../", clean, strings.HasPrefix)
	}
	return dir != "" && !strings.HasPrefix(clean, strings.TrimSuffix(dir, "/")+"/") && !strings.HasPrefix(clean, "/tmp/")
}

// IsSecret reports whether a word names a file that usually holds secrets.
func IsSecret(word string) bool {
	return has(secretPaths, "/"+word, strings.Contains) || strings.HasPrefix(base(word), ".env") && !strings.HasSuffix(word, ".example") &&
		(base(word) == ".env" || strings.HasPrefix(base(word), ".env."))
}

// has reports whether a text matches one of the words of a list.
func has(list, text string, match func(text, word string) bool) bool {
	for w := range strings.FieldsSeq(list) {
		if match(text, w) {
			return true
		}
	}
	return false
}

func equal(text, word string) bool { return text == word }

// base returns the name of a program or file without its directory.
func base(file string) string { return file[strings.LastIndexByte(file, '/')+1:] }
