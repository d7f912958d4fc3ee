// What "statusline init" prints: the code that puts the line into a place. This file has the table, and how the program's
// path is quoted for each; the texts stand in files of their own.
//
// All of them keep these rules. The line is never part of what the place expands: it stands in a variable, a psvar or the
// output of a job. Nothing is done twice when the code is read twice. $? stays what it was. The program gets
// GOMAXPROCS=1, which saves it starting threads that one line does not need.

package statusline

import (
	"gatehouse/model/line"
	"gatehouse/parse/doc"
)

// integration is one place that init knows.
type integration struct {
	name string
	// quote spells the program's path so that text, where it stands for PROGRAM, reads it as one word.
	quote func(path string) string
	text  string
}

// integrations are all there are.
var integrations = [...]integration{
	{"bash", quoteForShell, bashIntegration},
	{"zsh", quoteForShell, zshIntegration},
	{"fish", quoteForFish, fishIntegration},
	{"tmux", quoteForTmux, tmuxIntegration},
	{"starship", quoteForJSON, starshipIntegration},
	{"p10k", quoteForShell, p10kIntegration},
	{"claude", quoteForJSON, claudeIntegration},
}

// placeholder stands in an integration where the program's path belongs.
const placeholder = "@PROGRAM@"

// Integration returns the integration of that name for the program at path, which is absolute, "" without one.
func Integration(name, path string) string {
	for _, in := range integrations {
		if in.name == name {
			return replaceAll(in.text, placeholder, in.quote(path))
		}
	}
	return ""
}

// Integrations returns the names of all integrations.
func Integrations() (names []string) {
	for _, in := range integrations {
		names = append(names, in.name)
	}
	return names
}

// quoteForShell spells s as one word of sh, bash and zsh.
func quoteForShell(s string) string { return "'" + replaceAll(s, "'", `'\''`) + "'" }

// quoteForFish spells s as one word of fish.
func quoteForFish(s string) string {
	return "'" + replaceAll(replaceAll(s, `\`, `\\`), "'", `\'`) + "'"
}

// quoteForTmux spells s as one word of the shell that runs a job, inside a #(…) of a string between double quotes: it is
// read by tmux's own parser, then by its formats, and then by sh. The end of a job is where its parentheses are balanced,
// whatever they are quoted with, so they are left to sh to make.
func quoteForTmux(s string) string {
	s = quoteForShell(s)
	s = replaceAll(replaceAll(s, "(", "'`printf '\\050'`'"), ")", "'`printf '\\051'`'")
	s = replaceAll(replaceAll(s, "#", "##"), "%", "%%")
	return replaceAll(replaceAll(replaceAll(s, `\`, `\\`), `"`, `\"`), "$", `\$`)
}

// quoteForJSON spells s as one word of sh inside a string of JSON or TOML.
func quoteForJSON(s string) string {
	text := line.AppendJSONString(nil, quoteForShell(s))
	return string(text[1 : len(text)-1])
}

// replaceAll returns s with every old, which is not empty, replaced.
func replaceAll(s, old, new string) (out string) {
	for {
		before, after, found := doc.Cut(s, old)
		if out += before; !found {
			return out
		}
		out, s = out+new, after
	}
}
