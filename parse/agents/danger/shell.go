package danger

// A command line of a shell, taken apart as far as is needed to see which programs it runs. It is no parser: what it does not
// understand stays a word, and a part too many is better than one too few.

import (
	"strings"
)

// command is one simple command, with how it is joined to the one before it.
type command struct {
	words  []string // without quotes
	writes []string // where its output goes: "> FILE"
	text   string   // as it stands in the line
	piped  bool     // it reads what the one before prints
}

// nestLimit bounds commands within commands: $(…), sh -c '…'.
const nestLimit = 8

// commands returns the simple commands of a line, those within it, as $(…) and sh -c '…', behind the one they stand in.
func commands(line string) []command {
	l := lexer{rest: line}
	l.run(0)
	return l.found
}

type lexer struct {
	rest  string
	found []command
}

// separators end a simple command.
const separators = ";&|\n(){}"

// run collects the commands up to the end.
func (l *lexer) run(depth int) {
	var now command
	var word strings.Builder
	started, redirect := false, false // a word has begun, and it is where output goes
	start := l.rest
	endWord := func() {
		if started && redirect {
			now.writes = append(now.writes, word.String())
		} else if started {
			now.words = append(now.words, word.String())
		}
		redirect = redirect && !started
		word.Reset()
		started = false
	}
	endCommand := func(piped bool) {
		endWord()
		now.text = strings.TrimSpace(start[:len(start)-len(l.rest)])
		if len(now.words) > 0 || len(now.writes) > 0 {
			l.found = append(l.found, now)
			l.inner(now, depth)
		}
		now, redirect = command{piped: piped}, false
	}
	for l.rest != "" {
		c := l.rest[0]
		switch {
		case c == '\\' && len(l.rest) > 1:
			if l.rest[1] != '\n' {
				word.WriteByte(l.rest[1])
				started = true
			}
			l.rest = l.rest[2:]
		case c == '\'':
			text, rest, _ := strings.Cut(l.rest[1:], "'")
			word.WriteString(text)
			started, l.rest = true, rest
		case c == '"':
			l.quoted(&word, depth)
			started = true
		case c == '`':
			text, rest, _ := strings.Cut(l.rest[1:], "`")
			l.within(text, depth)
			word.WriteString("`" + text + "`")
			started, l.rest = true, rest
		case strings.HasPrefix(l.rest, "$("), strings.HasPrefix(l.rest, "<("), strings.HasPrefix(l.rest, ">("):
			text := l.parenthesis()
			l.within(text, depth)
			word.WriteString("$(" + text + ")")
			started = true
		case c == '#' && !started: // a comment
			_, after, found := strings.Cut(l.rest, "\n")
			l.rest = after
			if found {
				l.rest = "\n" + after
			}
		case c == '>':
			if word.String() == "2" || word.String() == "1" || word.String() == "&" {
				word.Reset()
				started = false
			}
			endWord()
			l.rest = strings.TrimLeft(l.rest, ">|")
			l.rest = strings.TrimPrefix(l.rest, "&") // >&2 goes to no file
			redirect = true
		case c == ' ' || c == '\t' || c == '\r':
			endWord()
			l.rest = l.rest[1:]
		case c == '&' && strings.HasPrefix(l.rest, "&>"):
			endWord()
			l.rest = l.rest[1:]
		case strings.IndexByte(separators, c) >= 0 && !(started && (c == '{' || c == '}')):
			piped := c == '|' && !strings.HasPrefix(l.rest, "||")
			endCommand(piped)
			l.rest = strings.TrimLeft(l.rest, separators+" \t\r")
			start = l.rest
		default:
			word.WriteByte(c)
			started, l.rest = true, l.rest[1:]
		}
	}
	endCommand(false)
}

// quoted reads a text in double quotes.
func (l *lexer) quoted(word *strings.Builder, depth int) {
	for l.rest = l.rest[1:]; l.rest != ""; {
		switch c := l.rest[0]; {
		case c == '"':
			l.rest = l.rest[1:]
			return
		case c == '\\' && len(l.rest) > 1:
			word.WriteByte(l.rest[1])
			l.rest = l.rest[2:]
		case strings.HasPrefix(l.rest, "$("):
			text := l.parenthesis()
			l.within(text, depth)
			word.WriteString("$(" + text + ")")
		case c == '`':
			text, rest, _ := strings.Cut(l.rest[1:], "`")
			l.within(text, depth)
			word.WriteString("`" + text + "`")
			l.rest = rest
		default:
			word.WriteByte(c)
			l.rest = l.rest[1:]
		}
	}
}

// parenthesis takes "$(…)" off and returns what is in it.
func (l *lexer) parenthesis() string {
	open := 0
	for i := 1; i < len(l.rest); i++ {
		switch l.rest[i] {
		case '(':
			open++
		case ')':
			if open--; open == 0 {
				text := l.rest[2:i]
				l.rest = l.rest[i+1:]
				return text
			}
		}
	}
	text := l.rest[2:]
	l.rest = ""
	return text
}

// within collects the commands of a text that stands in the line.
func (l *lexer) within(text string, depth int) {
	if depth < nestLimit {
		in := lexer{rest: text}
		in.run(depth + 1)
		l.found = append(l.found, in.found...)
	}
}

// inner collects the commands that a command is given as a text to run.
func (l *lexer) inner(c command, depth int) {
	words := program(c.words)
	if len(words) == 0 {
		return
	}
	switch name := base(words[0]); {
	case name == "eval":
		l.within(strings.Join(words[1:], " "), depth)
	case shells[name]:
		for i, w := range words[1:] {
			if strings.HasPrefix(w, "-") && strings.HasSuffix(w, "c") && i+2 < len(words) {
				l.within(words[i+2], depth)
				return
			}
		}
	}
}

var shells = map[string]bool{"sh": true, "bash": true, "zsh": true, "dash": true, "ksh": true, "fish": true}

// wrappers run the program that follows them.
var wrappers = map[string]bool{"env": true, "nohup": true, "time": true, "command": true, "exec": true, "nice": true, "xargs": true, "sudo": true, "doas": true,
	"setsid": true, "timeout": true, "then": true, "do": true, "else": true, "if": true, "while": true, "!": true, "builtin": true}

// program returns the words from the program that a command really runs: without assignments before it, and without what only runs
// another one, with its options.
func program(words []string) []string {
	for len(words) > 0 {
		name := base(words[0])
		if i := strings.IndexByte(words[0], '='); i > 0 && !strings.ContainsAny(words[0][:i], "/-.") {
			words = words[1:]
			continue
		}
		if !wrappers[name] || len(words) == 1 {
			return words
		}
		words = words[1:]
		for len(words) > 1 && (strings.HasPrefix(words[0], "-") || name == "timeout" && words[0] != "" && words[0][0] >= '0' && words[0][0] <= '9') {
			words = words[1:]
		}
	}
	return words
}

// base returns the name of a program without its directory.
func base(path string) string { return path[strings.LastIndexByte(path, '/')+1:] }
