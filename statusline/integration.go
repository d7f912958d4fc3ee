// The output of "statusline init": the code that puts the line into a place. This file has the table, and how the
// program's path is quoted for each; the texts are in files of their own.
//
// All of them keep these rules. The line is never part of the text that the place expands: it is in a variable, a psvar
// or the output of a job. Reading the code twice has no further effect. $? is preserved. The program gets GOMAXPROCS=1,
// which saves it starting threads that one line does not need.

package statusline

import (
	"gatehouse/model/line"
	"gatehouse/parse/doc"
)

// integration is one place that init knows.
type integration struct {
	name string
	// quote spells the program's path so that the text reads it as one word in place of PROGRAM.
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

// placeholder marks the position of the program's path in an integration.
const placeholder = "@PROGRAM@"

// Integration returns the integration of that name for the program at path, which is absolute, "" without one.
func Integration(name, path string) string {
	for _, in := range integrations {
		if in.name == name {
			return doc.ReplaceAll(in.text, placeholder, in.quote(path))
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
func quoteForShell(s string) string { return "'" + doc.ReplaceAll(s, "'", `'\''`) + "'" }

// quoteForFish spells s as one word of fish.
func quoteForFish(s string) string {
	return "'" + doc.ReplaceAll(doc.ReplaceAll(s, `\`, `\\`), "'", `\'`) + "'"
}

// quoteForTmux spells s as one word of the shell that runs a job, inside a #(…) of a string between double quotes:
// tmux's own parser reads it, then its formats, and then sh. A job ends at the balancing parenthesis, regardless of
// quotes, so sh has to produce the parentheses.
func quoteForTmux(s string) string {
	s = quoteForShell(s)
	s = doc.ReplaceAll(doc.ReplaceAll(s, "(", "'`printf '\\050'`'"), ")", "'`printf '\\051'`'")
	s = doc.ReplaceAll(doc.ReplaceAll(s, "#", "##"), "%", "%%")
	return doc.ReplaceAll(doc.ReplaceAll(doc.ReplaceAll(s, `\`, `\\`), `"`, `\"`), "$", `\$`)
}

// quoteForJSON spells s as one word of sh inside a string of JSON or TOML.
func quoteForJSON(s string) string {
	text := line.AppendJSONString(nil, quoteForShell(s))
	return string(text[1 : len(text)-1])
}
