// Package danger finds what deserves a look in a call of a tool before it is allowed: parts that destroy, that reach beyond the
// project or this machine, that run what nobody has seen. It helps whoever reads the call; what it does not find is not safe for that.
package danger

import (
	"cmp"
	"path"
	"slices"
	"strings"
)

// Part is a part of a call, and why it deserves a look.
type Part struct {
	Text string
	Why  string
	rank int // the lower the worse
}

// The reasons, worst first.
const (
	asOther = iota
	inYourName
	runsUnseen
	destroys
	losesWork
	overwrites
	reachesOut
	secrets
	outside
	laterRun
	stops
	network
	deletes
)

var reasons = map[int]string{
	asOther:    "runs with the rights of another user",
	inYourName: "answers or approves in your name",
	runsUnseen: "runs a text that nobody has seen",
	destroys:   "deletes without asking",
	losesWork:  "throws work away",
	overwrites: "replaces what others have",
	reachesOut: "changes something outside of this machine",
	secrets:    "touches secrets",
	outside:    "writes outside of the project",
	laterRun:   "writes what is run later by itself",
	stops:      "stops programs, or changes the system",
	network:    "reaches into the network",
	deletes:    "deletes files",
}

// mostParts is how many parts are found at most.
const mostParts = 32

// InCommand returns the parts of a shell's command line that deserve a look, the worst first. Dir is where it runs.
func InCommand(line, dir string) []Part {
	var found []Part
	if bomb := forks(line); bomb != "" {
		found = append(found, part(stops, bomb))
	}
	all := commands(line)
	for i, c := range all {
		found = append(found, c.parts(dir)...)
		if words := program(c.words); c.piped && i > 0 && len(words) > 0 && interprets(words) {
			if from := program(all[i-1].words); len(from) > 0 && downloads[base(from[0])] {
				found = append(found, part(runsUnseen, all[i-1].text+" | "+c.text))
			}
		}
	}
	return order(found)
}

// InPath returns why writing a file deserves a look, if it does.
func InPath(file, dir string) []Part {
	var found []Part
	if outsideOf(file, dir) {
		found = append(found, part(outside, file))
	}
	if secret(file) {
		found = append(found, part(secrets, file))
	}
	if runLater(file) {
		found = append(found, part(laterRun, file))
	}
	return order(found)
}

// InAddress returns why an address deserves a look.
func InAddress(url string) []Part { return []Part{part(network, url)} }

func part(rank int, text string) Part { return Part{Text: text, Why: reasons[rank], rank: rank} }

// order sorts parts, the worst first, each once.
func order(found []Part) []Part {
	slices.SortStableFunc(found, func(a, b Part) int { return cmp.Compare(a.rank, b.rank) })
	var kept []Part
	for _, p := range found {
		if !slices.ContainsFunc(kept, func(k Part) bool { return k.Text == p.Text }) && len(kept) < mostParts {
			kept = append(kept, p)
		}
	}
	return kept
}

var (
	downloads = set("curl wget fetch http https aria2c")
	machines  = set("ssh scp sftp rsync")
	remote    = set("kubectl helm terraform pulumi aws gcloud az heroku fly flyctl vercel netlify ansible-playbook")
	system    = set("shutdown reboot halt poweroff systemctl launchctl service crontab iptables mount umount kill killall pkill useradd usermod passwd visudo")
	disks     = set("dd fdisk parted wipefs shred truncate")
	gitLoses  = set("clean restore")
)

func set(words string) map[string]bool {
	m := map[string]bool{}
	for w := range strings.FieldsSeq(words) {
		m[w] = true
	}
	return m
}

// parts returns what deserves a look in one command.
func (c command) parts(dir string) (found []Part) {
	add := func(rank int) { found = append(found, part(rank, c.text)) }
	for _, w := range c.words {
		if name := base(w); name == "sudo" || name == "doas" || name == "su" {
			add(asOther)
			break
		}
	}
	words := program(c.words)
	if len(words) > 0 {
		name, args := base(words[0]), words[1:]
		has := func(options ...string) bool {
			return slices.ContainsFunc(args, func(a string) bool { return slices.Contains(options, a) })
		}
		switch name {
		case "tee", "mv": // what is moved is gone from where it was
			c.writes = append(c.writes, args...)
		case "cp":
			c.writes = append(c.writes, args[max(0, len(args)-1):]...)
		}
		switch {
		case fetches(words[0]) || interprets(words) && slices.ContainsFunc(args, fetches):
			add(runsUnseen)
		case name == "gatehouse" && has("answer", "approve"):
			add(inYourName)
		case name == "rm" || name == "rmdir" || name == "unlink":
			if short(args, "rRf") || has("--recursive", "--force") {
				add(destroys)
			} else {
				add(deletes)
			}
		case disks[name] || strings.HasPrefix(name, "mkfs"), name == "find" && (has("-delete") || has("rm")):
			add(destroys)
		case name == "git":
			c.git(args, has, add)
		case name == "eval" || interprets(words) && (short(args, "ce") || has("--eval", "--command")):
			if !shells[name] || strings.ContainsAny(strings.Join(args, " "), "$`") {
				add(runsUnseen)
			}
		case name == "." || name == "source":
			add(runsUnseen)
		case remote[name]:
			add(reachesOut)
		case (name == "npm" || name == "pnpm" || name == "yarn" || name == "cargo" || name == "gem" || name == "twine" || name == "uv") && has("publish", "push", "upload", "yank", "unpublish"),
			(name == "docker" || name == "podman") && has("push"), name == "gh" && has("merge", "delete", "create", "close", "comment", "edit", "api"):
			add(reachesOut)
		case machines[name], downloads[name]:
			add(network)
		case (name == "docker" || name == "podman") && has("run", "create", "exec", "up"):
			c.container(args, dir, add)
		case system[name]:
			add(stops)
		case (name == "chmod" || name == "chown") && (short(args, "R") || has("--recursive", "777", "a+rwx", "a+w", "u+s", "+s")):
			add(stops)
		case (name == "psql" || name == "mysql" || name == "sqlite3" || name == "mariadb") && dropsData(args):
			add(destroys)
		}
	}
	c.writes = slices.DeleteFunc(c.writes, func(w string) bool { return w == "/dev/null" || w == "/dev/stderr" || w == "/dev/stdout" })
	printsNothing := len(words) == 0 || len(words) == 1 && (words[0] == ":" || words[0] == "true")
	if printsNothing && len(c.writes) > 0 && !strings.Contains(c.text, ">>") { // what was there is gone
		add(losesWork)
	}
	for _, w := range c.writes {
		for _, p := range InPath(w, dir) {
			found = append(found, part(p.rank, c.text))
		}
	}
	if slices.ContainsFunc(c.words, secret) {
		add(secrets)
	}
	return found
}

// container adds why starting a container deserves a look: it gets a directory of this machine, or its rights.
func (c command) container(args []string, dir string, add func(int)) {
	for i, a := range args {
		name, value, given := strings.Cut(a, "=")
		if !given && i+1 < len(args) {
			value = args[i+1]
		}
		switch name {
		case "--privileged":
			add(asOther)
		case "-v", "--volume":
			from, _, _ := strings.Cut(value, ":")
			if (strings.ContainsAny(from, "/~$") || from == "..") && outsideOf(from, dir) {
				add(outside)
			}
		case "--mount":
			for field := range strings.SplitSeq(value, ",") {
				if key, from, _ := strings.Cut(field, "="); (key == "source" || key == "src") && strings.Contains(from, "/") && outsideOf(from, dir) {
					add(outside)
				}
			}
		}
	}
}

// forks returns a function of a shell that runs itself twice, without an end, "" for none: ":(){ :|:& }".
func forks(line string) string {
	for from := 0; ; {
		i := strings.Index(line[from:], "()")
		if i < 0 {
			return ""
		}
		at := from + i
		from = at + len("()")
		before := strings.TrimRight(line[:at], " \t")
		name := before[strings.LastIndexAny(before, " \t\n;&|(){}")+1:]
		body, _, whole := strings.Cut(line[from:], "}")
		if piped := strings.Join(strings.Fields(body), ""); name != "" && whole && strings.Contains(piped, name+"|"+name) {
			return strings.TrimSpace(line[len(before)-len(name) : from+len(body)+1])
		}
	}
}

// fetches reports whether a word is what a program prints that downloads: "$(curl …)".
func fetches(word string) bool {
	inner, ok := strings.CutPrefix(word, "$(")
	words := strings.Fields(inner)
	return ok && len(words) > 0 && downloads[base(words[0])]
}

// git adds why a command of git deserves a look.
func (c command) git(args []string, has func(...string) bool, add func(int)) {
	for len(args) > 1 && strings.HasPrefix(args[0], "-") { // git -C DIR push
		args = args[min(2, len(args)):]
	}
	if len(args) == 0 {
		return
	}
	switch verb := args[0]; {
	case verb == "push" && (short(args, "f") || has("--force", "--force-with-lease", "--mirror", "--delete", "-d") || slices.ContainsFunc(args[1:], func(a string) bool { return strings.HasPrefix(a, "+") || strings.HasPrefix(a, ":") })):
		add(overwrites)
	case verb == "push":
		add(reachesOut)
	case verb == "reset" && has("--hard"), gitLoses[verb], verb == "checkout" && has("--", ".", "-f", "--force"), verb == "branch" && has("-D"),
		verb == "stash" && has("drop", "clear"), verb == "worktree" && has("remove"), verb == "filter-branch", verb == "reflog" && has("expire"):
		add(losesWork)
	case has("--no-verify"):
		add(runsUnseen)
	}
}

// short reports whether one of some letters is among the short options.
func short(args []string, letters string) bool {
	return slices.ContainsFunc(args, func(a string) bool {
		return len(a) > 1 && a[0] == '-' && a[1] != '-' && strings.ContainsAny(a[1:], letters)
	})
}

// interprets reports whether a program runs a text that it is given.
func interprets(words []string) bool {
	name := base(words[0])
	return shells[name] || strings.HasPrefix(name, "python") || name == "node" || name == "perl" || name == "ruby" || name == "php" || name == "deno" || name == "bun" || name == "osascript"
}

// dropsData reports whether a text for a database takes data away.
func dropsData(args []string) bool {
	text := strings.ToUpper(strings.Join(args, " "))
	return strings.Contains(text, "DROP ") || strings.Contains(text, "TRUNCATE ") || strings.Contains(text, "DELETE FROM")
}

// outsideOf reports whether a path leads out of a directory, by its text.
func outsideOf(file, dir string) bool {
	if strings.HasPrefix(file, "~") || strings.HasPrefix(file, "$HOME") {
		return true
	}
	if !path.IsAbs(file) {
		return strings.HasPrefix(path.Clean(file), "..")
	}
	clean := path.Clean(file)
	return dir != "" && clean != dir && !strings.HasPrefix(clean, strings.TrimSuffix(dir, "/")+"/") && !strings.HasPrefix(clean, "/tmp/") && clean != "/dev/null"
}

// secret reports whether a word names a file that holds secrets, by its usual names.
func secret(word string) bool {
	for _, mark := range []string{"/.ssh/", "id_rsa", "id_ed25519", ".aws/credentials", "/.netrc", "/.gnupg", "/etc/shadow", ".pem", "/.kube/config", "/.npmrc", "/.pypirc"} {
		if strings.Contains(word, mark) || strings.HasPrefix(word, strings.TrimPrefix(mark, "/")) {
			return true
		}
	}
	name := base(word)
	return name == ".env" || strings.HasPrefix(name, ".env.") && !strings.HasSuffix(name, ".example")
}

// runLater reports whether a file is one that something runs by itself later.
func runLater(file string) bool {
	for _, mark := range []string{"/.git/hooks/", "/.github/workflows/", "/.claude/settings", "/.codex/", "/.vscode/tasks", "/.husky/", "/etc/", "/LaunchAgents/", "/.config/autostart/", "/.config/systemd/"} {
		if strings.Contains("/"+strings.TrimPrefix(file, "/"), mark) {
			return true
		}
	}
	switch base(file) {
	case ".bashrc", ".bash_profile", ".zshrc", ".zprofile", ".zshenv", ".profile", "config.fish", ".envrc", ".gitconfig", ".npmrc":
		return true
	}
	return false
}
