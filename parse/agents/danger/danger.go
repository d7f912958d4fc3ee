// Package danger finds parts of a tool call that deserve a look before the call is allowed: parts that destroy data, reach beyond
// the project or this machine, or run unreviewed code. A call without such parts can still be unsafe.
package danger

import (
	"path"
	"slices"
	"strings"
)

// Part is a part of a call and the reason to look at it.
type Part struct {
	Text string
	Why  string
}

// Reasons that are also used outside the rules.
const (
	runsUnseen = "runs unreviewed code"
	unparsed   = "cannot be parsed as shell"
	secrets    = "touches secrets"
	outside    = "writes outside the project"
	runsLater  = "writes a file that runs by itself later"
	network    = "uses the network"
)

// maxParts is the number of parts returned for one command.
const maxParts = 32

// InCommand returns the risky parts of a shell command, the worst first. dir is its working directory.
func InCommand(line, dir string) []Part {
	s := scanner{dir: dir, budget: maxParse}
	s.scanScript(line)
	return s.sortedParts()
}

// InPath returns the reasons to look before a file is written.
func InPath(file, dir string) []Part {
	s := scanner{dir: dir}
	s.checkWrite(file, file)
	return s.sortedParts()
}

// InAddress returns the reason to look before a URL is opened.
func InAddress(url string) []Part { return []Part{{url, network}} }

// sortedParts returns the findings, each text once with its worst reason.
func (s *scanner) sortedParts() (kept []Part) {
	for _, r := range rules {
		for _, p := range s.found {
			if p.Why == r.why && len(kept) < maxParts && !slices.ContainsFunc(kept, func(k Part) bool { return k.Text == p.Text }) {
				kept = append(kept, p)
			}
		}
	}
	return kept
}

// Paths of files, as patterns for [has].
const (
	secretPaths = "*/.ssh/* *id_rsa* *id_ed25519* *.aws/credentials* */.netrc* */.gnupg* */etc/shadow* *.pem* */.kube/config* */.npmrc* */.pypirc* " +
		"*/.env/ */.env.*"
	laterPaths = "*/.git/hooks/* */.github/workflows/* */.claude/settings* */.codex/* */.vscode/tasks* */.husky/* */etc/* */LaunchAgents/* " +
		"*/.config/autostart/* */.config/systemd/* */.bashrc/ */.bash_profile/ */.zshrc/ */.zprofile/ */.zshenv/ */.profile/ */config.fish/ " +
		"*/.envrc/ */.gitconfig/ */.npmrc/"
)

// checkWrite examines the path of a file that text writes.
func (s *scanner) checkWrite(file, text string) {
	if isOutside(file, s.dir) {
		s.addPart(outside, text)
	}
	if IsSecret(file) {
		s.addPart(secrets, text)
	}
	if hasWord(laterPaths, "/"+file+"/") {
		s.addPart(runsLater, text)
	}
}

// isOutside reports whether a path, by its text, leads out of a directory. Temporary files do not count.
func isOutside(file, dir string) bool {
	clean := path.Clean(file) + "/"
	if !path.IsAbs(file) {
		return hasWord("~* $HOME* ${HOME}* ../*", clean)
	}
	return dir != "" && !strings.HasPrefix(clean, strings.TrimSuffix(dir, "/")+"/") && !strings.HasPrefix(clean, "/tmp/")
}

// IsSecret reports whether a word names a file that usually holds secrets.
func IsSecret(word string) bool {
	return hasWord(secretPaths, "/"+word+"/") && !strings.HasSuffix(word, ".example")
}

// hasWord reports whether a word matches a pattern of a list: "a" and "a=b" match "a", "abc" matches "a*" and "*b*", and "-fr" matches "-r".
func hasWord(list, word string) bool {
	option, _, _ := strings.Cut(word, "=")
	for pattern := range strings.FieldsSeq(list) {
		prefix, isPrefix := strings.CutSuffix(pattern, "*")
		inner, isInner := strings.CutPrefix(prefix, "*")
		isLetter := len(pattern) == 2 && pattern[0] == '-' && pattern[1] != '-' && len(word) > 1 && word[0] == '-' && word[1] != '-'
		if option == pattern || isInner && strings.Contains(word, inner) || isPrefix && !isInner && strings.HasPrefix(word, prefix) ||
			isLetter && strings.Contains(word, pattern[1:]) {
			return true
		}
	}
	return false
}

// baseName returns the name of a program or file without its directory.
func baseName(file string) string { return file[strings.LastIndexByte(file, '/')+1:] }
