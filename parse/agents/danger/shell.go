package danger

import (
	"cmp"
	"regexp"
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
	wrappers = "builtin: busybox: command: doas:uC env:uC exec:a git:Cc ionice:cnp nice:n nohup: setsid: stdbuf:ioe sudo:ugpCDhRrtTU " +
		"time:fo timeout:ks xargs:nPILEsda"
)

// rules are the programs to look at, git's subcommands among them, and with which arguments: "" for any, "-r" for a letter among
// short options, "+*" for a prefix.
var rules = []struct{ programs, args, why string }{
	{"sudo doas su pkexec runuser", "", asOther},
	{"docker podman", "--privileged", asOther},
	{"gatehouse", "answer approve skip changes retry reply", inYourName},
	{". source", "", runsUnseen},
	{languages, "-c -e eval --eval --command", runsUnseen},
	{interpreters, "<(*", runsUnseen},
	{"commit push merge rebase am", "--no-verify", runsUnseen},
	{"rm rmdir unlink", "", deletes},
	{"rm rmdir", "-r -R -f --recursive --force", destroys},
	{"find", "-delete rm", destroys},
	{"dd fdisk parted wipefs shred truncate mkfs*", "", destroys},
	{"clean restore filter-branch", "", losesWork},
	{"reset", "--hard", losesWork},
	{"checkout", "-- . -f --force", losesWork},
	{"branch stash worktree reflog", "-D drop clear remove expire", losesWork},
	{"push", "-f -d --force --force-with-lease --mirror --delete +* :*", overwrites},
	{"push kubectl helm terraform pulumi aws gcloud az heroku fly flyctl vercel netlify ansible-playbook", "", reachesOut},
	{"npm pnpm yarn cargo gem twine uv docker podman", "publish push upload yank unpublish", reachesOut},
	{"gh", "merge delete create close comment edit api", reachesOut},
	{"ssh scp sftp rsync curl wget fetch http https aria2c", "", network},
	{"shutdown reboot halt poweroff systemctl launchctl service crontab iptables mount umount", "", system},
	{"kill killall pkill useradd usermod passwd visudo", "", system},
	{"chmod chown", "-R --recursive 777 a+rwx a+w u+s +s", system},
}

// matches reports whether a word matches a pattern of a rule.
func matches(word, pattern string) bool {
	if prefix, ok := strings.CutSuffix(pattern, "*"); ok {
		return strings.HasPrefix(word, prefix)
	}
	if len(pattern) == 2 && pattern[0] == '-' && pattern[1] != '-' {
		return len(word) > 1 && word[0] == '-' && word[1] != '-' && strings.Contains(word, pattern[1:])
	}
	option, _, _ := strings.Cut(word, "=")
	return option == pattern
}

// scanner collects the parts of one command.
type scanner struct {
	dir    string
	budget int // bytes that may still be parsed
	found  []Part
}

func (s *scanner) add(why, text string) { s.found = append(s.found, Part{text, why}) }

// script examines a text that a shell runs.
func (s *scanner) script(src string) {
	var stmts []*syntax.Stmt
	ok := false
	if s.budget -= len(src); s.budget >= 0 {
		if stmts, ok = parse(src, syntax.LangBash); !ok {
			stmts, ok = parse(src, syntax.LangZsh)
		}
	}
	if !ok {
		first, _, _ := strings.Cut(strings.TrimSpace(src), "\n")
		s.add(unparsed, first[:min(len(first), 200)])
	}
	for _, stmt := range stmts {
		anyNode(stmt, func(node syntax.Node) bool {
			switch n := node.(type) {
			case *syntax.Stmt:
				s.statement(src, n)
			case *syntax.BinaryCmd:
				if n.Op >= syntax.Pipe && readsProgram(innermost(wordsOf(src, n.Y))) {
					s.add(runsUnseen, src[n.X.Pos().Offset():n.Y.End().Offset()])
				}
			case *syntax.FuncDecl: // ":(){ :|:& }"
				calls := func(s *syntax.Stmt) bool {
					return n.Name != nil && slices.Equal(wordsOf(src, s), []string{n.Name.Value})
				}
				if anyNode(n, func(node syntax.Node) bool { b, ok := node.(*syntax.BinaryCmd); return ok && calls(b.X) && calls(b.Y) }) {
					s.add(system, slice(src, n))
				}
			}
			return false
		})
	}
}

// parse returns the statements of a script. If ok is false, they are those before the error.
func parse(src string, lang syntax.LangVariant) (stmts []*syntax.Stmt, ok bool) {
	defer func() { ok = recover() == nil && ok }() // a fault of the parser must not keep the call from being shown
	for stmt, err := range syntax.NewParser(syntax.Variant(lang)).StmtsSeq(strings.NewReader(src)) {
		if err != nil {
			return stmts, false
		}
		stmts = append(stmts, stmt)
	}
	return stmts, true
}

// statement examines a simple command, or the redirections of a compound one.
func (s *scanner) statement(src string, n *syntax.Stmt) {
	words, text := wordsOf(src, n), ""
	if len(words)+len(n.Redirs) > 0 {
		text = src[n.Pos().Offset():cmp.Or(n.Semicolon, n.End()).Offset()]
	}
	if slices.ContainsFunc(n.Redirs, func(r *syntax.Redirect) bool { return r.Hdoc != nil }) {
		text, _, _ = strings.Cut(text, "\n")
	}
	text = strings.TrimSpace(text)
	for _, r := range n.Redirs {
		target := literal(src, r.Word)
		switch r.Op {
		case syntax.WordHdoc, syntax.Hdoc, syntax.DashHdoc:
			if r.Hdoc != nil {
				target = slice(src, r.Hdoc)
			}
			if isShell(innermost(words)) {
				s.script(target)
			}
		case syntax.RdrIn, syntax.DplIn:
			words = append(words, target)
		default:
			if has("/dev/null /dev/stderr /dev/stdout /dev/tty -", target, equal) || r.Op == syntax.DplOut && strings.Trim(target, "0123456789") == "" {
				continue
			}
			s.write(target, text)
			if r.Op != syntax.AppOut && (n.Cmd == nil || len(words) == 1 && has(": true", words[0], equal)) {
				s.add(losesWork, text)
			}
		}
	}
	if slices.ContainsFunc(words, IsSecret) {
		s.add(secrets, text)
	}
	words = wordsOf(src, n)
	// The whole command, then what each action of find runs.
	for from, to := 0, len(words); from < len(words); {
		for inner := words[from:to]; len(inner) > 0; inner = wrapped(inner) {
			s.program(inner, n.Cmd.(*syntax.CallExpr).Args[:to], text)
		}
		for from++; from < len(words) && !isFindAction(words[from-1]); from++ {
		}
		for to = from; to < len(words) && !isFindAction(words[to]); to++ {
		}
	}
}

// program examines a program with its arguments. args are those of the whole command, of which text is the source.
func (s *scanner) program(words []string, args []*syntax.Word, text string) {
	name, rest := base(words[0]), words[1:]
	args = args[len(args)-len(rest):]
	for _, r := range rules {
		if has(r.programs, name, matches) && (r.args == "" || slices.ContainsFunc(rest, func(a string) bool { return has(r.args, a, matches) })) {
			s.add(r.why, text)
		}
	}
	var code []*syntax.Word // that a shell runs
	switch {
	case has("$(curl* $(wget* `curl* `wget*", words[0], matches):
		s.add(runsUnseen, text)
	case has("tee mv cp ln install", name, equal):
		for i, file := range rest {
			if i == len(rest)-1 || has("tee mv", name, equal) { // what is moved is gone from where it was
				s.write(file, text)
			}
		}
	case name == "eval":
		code = args
		s.script(strings.Join(rest, " "))
	case isShell(words):
		if i := slices.IndexFunc(rest, func(a string) bool { return matches(a, "-c") }) + 1; i > 0 && i < len(rest) {
			code = args[i : i+1]
			s.script(rest[i])
		}
	case has("docker podman", name, equal):
		mount := regexp.MustCompile(`^(?:-v|--volume=)?([/~$.][^:]*):|\b(?:src|source)=([^,]*/[^,]*)`)
		for _, a := range rest {
			if m := mount.FindStringSubmatch(a); m != nil && isOutside(m[1]+m[2], s.dir) {
				s.add(outside, text)
			}
		}
	case has("psql mysql sqlite3 mariadb", name, equal):
		if regexp.MustCompile(`(?i)\b(drop|truncate|delete from)\s`).MatchString(strings.Join(rest, " ")) {
			s.add(destroys, text)
		}
	}
	if slices.ContainsFunc(code, expands) {
		s.add(runsUnseen, text)
	}
}

// expands reports whether a part of a word is known only when the command runs.
func expands(w *syntax.Word) bool {
	return anyNode(w, func(node syntax.Node) bool {
		switch node.(type) {
		case *syntax.ParamExp, *syntax.CmdSubst:
			return true
		}
		return false
	})
}

// wrapped returns the words of the program that another one runs, none if it runs none: "xargs -n 1 rm -f".
func wrapped(words []string) []string {
	if len(words) == 0 {
		return nil
	}
	name, rest := base(words[0]), words[1:]
	for w := range strings.FieldsSeq(wrappers) {
		wrapper, values, _ := strings.Cut(w, ":")
		if wrapper != name || name == "command" && len(rest) > 0 && has("-v -V", rest[0], equal) {
			continue
		}
		for len(rest) > 0 && !isFindAction(rest[0]) && (strings.IndexAny(rest[0], "-0123456789") == 0 || strings.Contains(rest[0], "=")) {
			takesValue := len(rest[0]) == 2 && strings.Contains(values, rest[0][1:]) && len(rest) > 1
			rest = rest[1:]
			if takesValue {
				rest = rest[1:]
			}
		}
		return rest
	}
	return nil
}

// innermost returns the words of the program that a command runs in the end.
func innermost(words []string) []string {
	for next := wrapped(words); len(next) > 0; next = wrapped(next) {
		words = next
	}
	return words
}

func isFindAction(word string) bool { return has("-exec -execdir -ok -okdir", word, equal) }

func isShell(words []string) bool { return len(words) > 0 && has(shells, base(words[0]), equal) }

// readsProgram reports whether a command runs what it reads from its standard input.
func readsProgram(words []string) bool {
	return len(words) > 0 && has(interpreters, base(words[0]), matches) &&
		(!slices.ContainsFunc(words[1:], func(a string) bool { return a == "" || a[0] != '-' }) || slices.Contains(words, "-s"))
}

// wordsOf returns the words of a simple command without quotes, nil for another command.
func wordsOf(src string, n *syntax.Stmt) (words []string) {
	if call, ok := n.Cmd.(*syntax.CallExpr); ok {
		for _, w := range call.Args {
			words = append(words, literal(src, w))
		}
	}
	return words
}

// unescape removes the backslashes that quote a character.
var unescape = strings.NewReplacer(`\\`, `\`, "\\\n", "", `\`, "")

// literal returns a word without quotes. Expansions stay as they are written.
func literal(src string, w *syntax.Word) string {
	var b strings.Builder
	var add func(parts []syntax.WordPart)
	add = func(parts []syntax.WordPart) {
		for _, part := range parts {
			switch p := part.(type) {
			case *syntax.Lit:
				b.WriteString(unescape.Replace(p.Value))
			case *syntax.SglQuoted:
				b.WriteString(p.Value)
			case *syntax.DblQuoted:
				add(p.Parts)
			default:
				b.WriteString(slice(src, part))
			}
		}
	}
	add(w.Parts)
	return b.String()
}

// slice returns a node as it is written.
func slice(src string, n syntax.Node) string { return src[n.Pos().Offset():n.End().Offset()] }

// anyNode reports whether a node or one below it matches.
func anyNode(node syntax.Node, match func(n syntax.Node) bool) (found bool) {
	syntax.Walk(node, func(n syntax.Node) bool {
		found = found || n != nil && match(n)
		return !found
	})
	return found
}
