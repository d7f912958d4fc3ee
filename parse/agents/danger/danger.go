// Package danger finds parts of a tool call that deserve a look before the call is allowed: parts that destroy data, reach beyond
// the project or this machine, or run unreviewed code. A call without such parts can still be unsafe.
package danger

import (
	"cmp"
	"path"
	"slices"
	"strings"

	"mvdan.cc/sh/v3/syntax"

	"gatehouse/model"
)

// Reasons that are also used outside the rules.
const (
	runsUnseen = "runs unreviewed code"
	unparsed   = "cannot be parsed as shell"
	secrets    = "touches secrets"
	outside    = "writes outside the project"
	runsLater  = "writes a file that runs by itself later"
	network    = "uses the network"
)

const (
	maxParts = 32       // parts returned for one command
	maxParse = 32 << 10 // bytes of a command that is parsed: the parser recurses
	maxInner = 8        // programs that run one another: sudo nice git push
)

const (
	shells       = "sh bash zsh dash ksh fish su"
	languages    = "python* node perl ruby php deno bun osascript"
	interpreters = shells + " " + languages
	// wrappers run the program behind their options.
	wrappers = "busybox doas env exec git ionice nice nohup setsid stdbuf sudo time timeout xargs"
)

// rules are the reasons, the worst first, with the programs to look at, git's subcommands among them, and the arguments that matter: "" for any.
var rules = []struct{ why, programs, args string }{
	{"runs with the rights of another user", "sudo doas su pkexec runuser", ""},
	{"runs with the rights of another user", "docker podman", "--privileged"},
	{"answers or approves in your name", "gatehouse", "answer approve skip changes retry reply"},
	{runsUnseen, "eval . source $(* `*", ""},
	{runsUnseen, languages, "-c -e --eval --command"},
	{runsUnseen, interpreters, "<(* $* `*"},
	{runsUnseen, "commit push merge rebase am", "--no-verify"},
	{unparsed, "", ""},
	{"deletes without asking", "rm rmdir", "-r -R -f --recursive --force"},
	{"deletes without asking", "find", "-delete"},
	{"deletes without asking", "psql mysql sqlite3 mariadb", "drop* DROP* truncate* TRUNCATE* delete* DELETE*"},
	{"deletes without asking", "dd fdisk parted wipefs shred truncate mkfs*", ""},
	{"discards work", "clean restore filter-branch", ""},
	{"discards work", "reset", "--hard"},
	{"discards work", "checkout", "-- . -f --force"},
	{"discards work", "branch stash worktree reflog", "-D drop clear remove expire"},
	{"overwrites shared history", "push", "-f -d --force --force-with-lease --mirror --delete +* :*"},
	{"changes something outside this machine", "push kubectl helm terraform pulumi aws gcloud az heroku fly flyctl vercel netlify ansible-playbook", ""},
	{"changes something outside this machine", "npm pnpm yarn cargo gem twine uv docker podman", "publish push upload yank unpublish"},
	{"changes something outside this machine", "gh", "merge delete create close comment edit api"},
	{secrets, "", ""},
	{outside, "docker podman", "/:* /etc* /var* ~* $HOME* --volume=/:* --volume=~* --volume=$HOME*"},
	{runsLater, "", ""},
	{"stops programs or changes the system", "shutdown reboot halt poweroff systemctl launchctl service crontab iptables mount umount", ""},
	{"stops programs or changes the system", "kill killall pkill useradd usermod passwd visudo", ""},
	{"stops programs or changes the system", "chmod chown", "-R --recursive 777 a+rwx a+w u+s +s"},
	{network, "ssh scp sftp rsync curl wget fetch http https aria2c", ""},
	{"deletes files", "rm rmdir unlink", ""},
}

// Paths of files, as patterns for [hasWord].
const (
	secretPaths = "*/.ssh/* *id_rsa* *id_ed25519* *.aws/credentials* */.netrc* */.gnupg* */etc/shadow* *.pem* */.kube/config* */.npmrc* */.pypirc* " +
		"*/.env/ */.env.*"
	laterPaths = "*/.git/hooks/* */.github/workflows/* */.claude/settings* */.codex/* */.vscode/tasks* */.husky/* */etc/* */LaunchAgents/* " +
		"*/.config/autostart/* */.config/systemd/* */.bashrc/ */.bash_profile/ */.zshrc/ */.zprofile/ */.zshenv/ */.profile/ */config.fish/ " +
		"*/.envrc/ */.gitconfig/ */.npmrc/"
)

// InCommand returns the risky parts of a shell command, the worst first. dir is its working directory.
func InCommand(line, dir string) []model.Danger {
	s := scanner{dir: dir}
	s.scanScript(line)
	return s.sortedParts()
}

// InPath returns the reasons to look before a file is written.
func InPath(file, dir string) []model.Danger {
	s := scanner{dir: dir}
	s.checkWrite(file, file)
	return s.sortedParts()
}

// InAddress returns the reason to look before a URL is opened.
func InAddress(url string) []model.Danger { return []model.Danger{{Part: url, Why: network}} }

// scanner collects the parts of one command.
type scanner struct {
	dir   string
	found []model.Danger
}

func (s *scanner) addPart(why, text string) {
	s.found = append(s.found, model.Danger{Part: text, Why: why})
}

// sortedParts returns the findings, each text once with its worst reason.
func (s *scanner) sortedParts() (kept []model.Danger) {
	for _, r := range rules {
		for _, p := range s.found {
			if p.Why == r.why && len(kept) < maxParts && !slices.ContainsFunc(kept, func(k model.Danger) bool { return k.Part == p.Part }) {
				kept = append(kept, p)
			}
		}
	}
	return kept
}

// scanScript examines a text that a shell runs. A fault of the parser must not keep the call from being shown.
func (s *scanner) scanScript(src string) {
	isParsed := false
	defer func() {
		if recover() != nil || !isParsed {
			first, _, _ := strings.Cut(strings.TrimSpace(src), "\n")
			s.addPart(unparsed, first[:min(len(first), 200)])
		}
	}()
	if len(src) > maxParse {
		return
	}
	file, err := syntax.NewParser().Parse(strings.NewReader(src), "")
	if err != nil {
		return
	}
	syntax.Walk(file, func(node syntax.Node) bool {
		switch n := node.(type) {
		case *syntax.Stmt:
			s.scanStatement(src, n)
		case *syntax.BinaryCmd:
			if n.Op >= syntax.Pipe && readsProgram(wordsOf(src, n.Y)) {
				s.addPart(runsUnseen, sourceOf(src, n))
			}
		}
		return true
	})
	isParsed = true
}

// scanStatement examines a simple command, or the redirections of a compound one.
func (s *scanner) scanStatement(src string, n *syntax.Stmt) {
	words, text := wordsOf(src, n), strings.TrimSpace(src[n.Pos().Offset():cmp.Or(n.Semicolon, n.End()).Offset()])
	if slices.ContainsFunc(n.Redirs, func(r *syntax.Redirect) bool { return r.Hdoc != nil }) {
		if text, _, _ = strings.Cut(text, "\n"); readsProgram(words) {
			s.addPart(runsUnseen, text)
		}
	}
	for _, r := range n.Redirs {
		target := unquote(sourceOf(src, r.Word))
		switch {
		case r.Op == syntax.RdrIn && IsSecret(target):
			s.addPart(secrets, text)
		case hasWord("> >> >| &> &>> <>", r.Op.String()) && !hasWord("/dev/null /dev/stderr /dev/stdout /dev/tty", target):
			s.checkWrite(target, text)
		}
	}
	if slices.ContainsFunc(words, IsSecret) {
		s.addPart(secrets, text)
	}
	commands := runCommands(words)
	for _, command := range commands {
		s.scanProgram(command, text)
	}
	if len(commands) == maxInner {
		s.addPart(unparsed, text)
	}
}

// scanProgram examines a program with its arguments. text is the source of the whole command.
func (s *scanner) scanProgram(words []string, text string) {
	name, args := baseName(words[0]), words[1:]
	for _, r := range rules {
		hasArg := r.args == "" || slices.ContainsFunc(args, func(a string) bool { return hasWord(r.args, a) })
		if hasArg && (hasWord(r.programs, name) || hasWord(r.programs, words[0])) {
			s.addPart(r.why, text)
		}
	}
	script := slices.IndexFunc(args, func(a string) bool { return hasWord("-c", a) }) + 1
	switch {
	case len(args) == 0:
	case hasWord(shells, name) && script > 0 && script < len(args):
		s.scanScript(args[script])
	case hasWord("mv tee", name): // a moved file disappears from its old place
		for _, file := range args {
			s.checkWrite(file, text)
		}
	case hasWord("cp ln install", name):
		s.checkWrite(args[len(args)-1], text)
	}
}

// runCommands returns a command and those that it may run: behind the options of a wrapper, or behind -exec of find. The word behind a
// short option may be its value, so the command behind that word counts, too.
func runCommands(words []string) (all [][]string) {
	starts := []int{0}
	for n := 0; n < len(starts) && n < maxInner && len(words) > 0; n++ {
		command := words[starts[n]:]
		all = append(all, command)
		i := slices.IndexFunc(command, func(w string) bool { return hasWord("-exec -execdir", w) })
		if baseName(command[0]) == "find" && i >= 0 && i+1 < len(command) {
			starts = append(starts, starts[n]+i+1)
		}
		if !hasWord(wrappers, baseName(command[0])) {
			continue
		}
		isValue := false
		for i, w := range command[1:] {
			if strings.HasPrefix(w, "-") {
				isValue = len(w) == 2
			} else if w != "" && !strings.Contains("0123456789", w[:1]) && !strings.Contains(w, "=") {
				starts = append(starts, starts[n]+i+1)
				if !isValue {
					break
				}
				isValue = false
			}
		}
	}
	return all
}

// readsProgram reports whether a command executes its standard input.
func readsProgram(words []string) bool {
	return slices.ContainsFunc(runCommands(words), func(command []string) bool {
		hasFile := slices.ContainsFunc(command[1:], func(w string) bool { return !strings.HasPrefix(w, "-") })
		return hasWord(interpreters, baseName(command[0])) && (!hasFile || slices.Contains(command, "-s"))
	})
}

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

// wordsOf returns the words of a simple command without quotes, nil for another command.
func wordsOf(src string, n *syntax.Stmt) (words []string) {
	if call, ok := n.Cmd.(*syntax.CallExpr); ok {
		for _, w := range call.Args {
			words = append(words, unquote(sourceOf(src, w)))
		}
	}
	return words
}

// unquote removes quotes and backslashes from a word. Expansions stay as they are written.
func unquote(word string) string { return strings.NewReplacer(`\`, "", `'`, "", `"`, "").Replace(word) }

// sourceOf returns the source text of a node.
func sourceOf(src string, n syntax.Node) string { return src[n.Pos().Offset():n.End().Offset()] }
