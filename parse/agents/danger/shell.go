package danger

import (
	"cmp"
	"slices"
	"strings"

	"mvdan.cc/sh/v3/syntax"
)

// maxParse is how many bytes of a command are parsed, nested scripts included. The parser recurses; this bounds its stack.
const maxParse = 32 << 10

const (
	shells       = "sh bash zsh dash ksh fish su"
	languages    = "python* node perl ruby php deno bun osascript"
	interpreters = shells + " " + languages
	// wrappers run the program behind their options. The letters are options that take a value.
	wrappers = "busybox: doas:uC env:uC exec:a git:Cc ionice:cnp nice:n nohup: setsid: stdbuf:ioe sudo:ugpCDhRrtTU " +
		"time:fo timeout:ks xargs:nPILEsda"
)

// rules are the reasons, the worst first, with the programs to look at, git's subcommands among them, and the arguments that matter: "" for any.
var rules = []struct{ why, programs, args string }{
	{"runs with the rights of another user", "sudo doas su pkexec runuser", ""},
	{"runs with the rights of another user", "docker podman", "--privileged"},
	{"answers or approves in your name", "gatehouse", "answer approve skip changes retry reply"},
	{runsUnseen, ". source $(curl* $(wget* `curl* `wget*", ""},
	{runsUnseen, languages, "-c -e eval --eval --command"},
	{runsUnseen, interpreters, "<(*"},
	{runsUnseen, "commit push merge rebase am", "--no-verify"},
	{unparsed, "", ""},
	{"deletes without asking", "rm rmdir", "-r -R -f --recursive --force"},
	{"deletes without asking", "find", "-delete rm"},
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

// scanner collects the parts of one command.
type scanner struct {
	dir    string
	budget int // bytes that may still be parsed
	found  []Part
}

func (s *scanner) addPart(why, text string) { s.found = append(s.found, Part{text, why}) }

// scanScript examines a text that a shell runs. A fault of the parser must not keep the call from being shown.
func (s *scanner) scanScript(src string) {
	isParsed := false
	defer func() {
		if recover() != nil || !isParsed {
			first, _, _ := strings.Cut(strings.TrimSpace(src), "\n")
			s.addPart(unparsed, first[:min(len(first), 200)])
		}
	}()
	if s.budget -= len(src); s.budget < 0 {
		return
	}
	file, err := syntax.NewParser().Parse(strings.NewReader(src), "")
	if err != nil {
		file, err = syntax.NewParser(syntax.Variant(syntax.LangZsh)).Parse(strings.NewReader(src), "")
	}
	if isParsed = err == nil; !isParsed {
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
}

// scanStatement examines a simple command, or the redirections of a compound one.
func (s *scanner) scanStatement(src string, n *syntax.Stmt) {
	words, text := wordsOf(src, n), strings.TrimSpace(src[n.Pos().Offset():cmp.Or(n.Semicolon, n.End()).Offset()])
	if slices.ContainsFunc(n.Redirs, func(r *syntax.Redirect) bool { return r.Hdoc != nil }) {
		text, _, _ = strings.Cut(text, "\n")
	}
	for _, r := range n.Redirs {
		target := literalText(src, r.Word.Parts)
		switch {
		case r.Hdoc != nil && isShell(innermost(words)):
			s.scanScript(sourceOf(src, r.Hdoc))
		case r.Op == syntax.RdrIn && IsSecret(target):
			s.addPart(secrets, text)
		case hasWord("> >> >| &> &>> <>", r.Op.String()) && !hasWord("/dev/null /dev/stderr /dev/stdout /dev/tty", target):
			s.checkWrite(target, text)
		}
	}
	if slices.ContainsFunc(words, IsSecret) {
		s.addPart(secrets, text)
	}
	for ; len(words) > 0; words = wrapped(words) {
		s.scanProgram(words, text)
	}
}

// scanProgram examines a program with its arguments. text is the source of the whole command.
func (s *scanner) scanProgram(words []string, text string) {
	name, args := baseName(words[0]), words[1:]
	matches := func(list string) bool {
		return slices.ContainsFunc(args, func(a string) bool { return hasWord(list, a) })
	}
	for _, r := range rules {
		if (hasWord(r.programs, name) || hasWord(r.programs, words[0])) && (r.args == "" || matches(r.args)) {
			s.addPart(r.why, text)
		}
	}
	code := "" // that a shell runs
	switch {
	case len(args) == 0:
	case hasWord("mv tee", name): // a moved file disappears from its old place
		for _, file := range args {
			s.checkWrite(file, text)
		}
	case hasWord("cp ln install", name):
		s.checkWrite(args[len(args)-1], text)
	case name == "eval":
		code = strings.Join(args, " ")
	case isShell(words) && matches("-c"):
		i := slices.IndexFunc(args, func(a string) bool { return hasWord("-c", a) })
		code = args[min(i+1, len(args)-1)]
	}
	if code != "" {
		s.scanScript(code)
	}
	if strings.IndexAny(code, "$`") == 0 || name == "eval" && strings.ContainsAny(code, "$`") {
		s.addPart(runsUnseen, text)
	}
}

// wrapped returns the words of the program that another one runs, none if it runs none: "xargs -n 1 rm -f".
func wrapped(words []string) []string {
	name, rest := baseName(words[0]), words[1:]
	if i := slices.IndexFunc(rest, func(w string) bool { return hasWord("-exec -execdir", w) }); name == "find" && i >= 0 {
		return rest[i+1:]
	}
	for w := range strings.FieldsSeq(wrappers) {
		wrapper, values, _ := strings.Cut(w, ":")
		if wrapper != name {
			continue
		}
		for len(rest) > 0 && (strings.IndexAny(rest[0], "-0123456789") == 0 || strings.Contains(rest[0], "=")) {
			takesValue := len(rest) > 1 && len(rest[0]) == 2 && strings.Contains(values, rest[0][1:])
			if rest = rest[1:]; takesValue {
				rest = rest[1:]
			}
		}
		return rest
	}
	return nil
}

// innermost returns the words of the program that a command runs in the end.
func innermost(words []string) []string {
	for next := words; len(next) > 0; next = wrapped(next) {
		words = next
	}
	return words
}

func isShell(words []string) bool { return len(words) > 0 && hasWord(shells, baseName(words[0])) }

// readsProgram reports whether a command executes its standard input.
func readsProgram(words []string) bool {
	words = innermost(words)
	isArgument := func(w string) bool { return !strings.HasPrefix(w, "-") }
	return len(words) > 0 && hasWord(interpreters, baseName(words[0])) && (slices.Contains(words, "-s") || !slices.ContainsFunc(words[1:], isArgument))
}

// wordsOf returns the words of a simple command without quotes, nil for another command.
func wordsOf(src string, n *syntax.Stmt) (words []string) {
	if call, ok := n.Cmd.(*syntax.CallExpr); ok {
		for _, w := range call.Args {
			words = append(words, literalText(src, w.Parts))
		}
	}
	return words
}

// unescape removes the backslashes that quote a character.
var unescape = strings.NewReplacer(`\\`, `\`, "\\\n", "", `\`, "")

// literalText returns a word without quotes. Expansions stay as they are written.
func literalText(src string, parts []syntax.WordPart) string {
	var b strings.Builder
	for _, part := range parts {
		switch p := part.(type) {
		case *syntax.Lit:
			b.WriteString(unescape.Replace(p.Value))
		case *syntax.SglQuoted:
			b.WriteString(p.Value)
		case *syntax.DblQuoted:
			b.WriteString(literalText(src, p.Parts))
		default:
			b.WriteString(sourceOf(src, part))
		}
	}
	return b.String()
}

// sourceOf returns the source text of a node.
func sourceOf(src string, n syntax.Node) string { return src[n.Pos().Offset():n.End().Offset()] }
