package statusline

import (
	"slices"
	"strings"
	"testing"

	"gatehouse/model/line"
	"gatehouse/parse/conformance"
	"gatehouse/parse/nearest"
)

// The fuzz targets below read the output of a sink as its place reads it: every active sequence must be ours, and the rest is the text.

// hostileSeeds are texts that some place runs or expands.
var hostileSeeds = []string{
	"$(x) `y` ${z} $((a[$(x)])) $[1]", `\044(x) \\$(x) \u \[ \!`, "!! !x", "%n %{x%} %F{$(x)} 50%", "#(x) #{y} #[fg=red] ## ### ##[ #", "(x) $", "日本 e\u0301",
}

// fuzzSink fuzzes one sink, with and without colors, against a reader of the place: the reader returns the text that the place shows,
// and what is wrong with it, "" if nothing.
func fuzzSink(f *testing.F, name string, read func(string) (shown, problem string)) {
	for _, seed := range hostileSeeds {
		f.Add(seed, "x", uint8(20))
	}
	f.Add("#", "##[", uint8(0))
	f.Add("\\", "\\", uint8(0))
	f.Add("$", "(x)", uint8(0))
	f.Add("%", "{x%}", uint8(0))
	sink := sinkNamed(f, name)
	f.Fuzz(func(t *testing.T, first, second string, cols uint8) {
		facts := &line.GSD{Milestone: first, MilestoneName: second, Percent: "40", ActivePhase: second, Status: "blocked by " + first}
		for _, colored := range []bool{false, true} {
			plainly := string(Render([]nearest.Found{{Facts: facts, Compact: false}}, Options{Sink: sinkNamed(t, "plain"), Cols: int(cols)}))
			written := string(Render([]nearest.Found{{Facts: facts, Compact: false}}, Options{Sink: sink, Colored: colored, Cols: int(cols)}))
			got, problem := read(strings.TrimSuffix(written, "\n"))
			if want := shownBy(name, strings.TrimSuffix(plainly, "\n")); problem != "" || got != want {
				t.Fatalf("%s: %q is shown as %q, want %q", problem, written, got, want)
			}
		}
	})
}

// shownBy returns the part of a text that the place of a sink can show.
func shownBy(sink, text string) string {
	if !strings.HasPrefix(sink, "tmux") {
		return text
	}
	for strings.Contains(text, "##") { // tmux shows a run as one
		text = strings.ReplaceAll(text, "##", "#")
	}
	return text
}

// colors returns all color sequences that a line may have, between the marks that a place needs around them.
func colors(before, after string) []string {
	var all []string
	for _, code := range []string{"2", "22", "31", "33", "36", "39"} {
		all = append(all, before+"\x1b["+code+"m"+after)
	}
	return all
}

// without removes our own sequences from a text. No file's text can look like one.
func without(sequences []string, text string) string {
	for _, sequence := range sequences {
		text = strings.ReplaceAll(text, sequence, "")
	}
	return text
}

func FuzzPlain(f *testing.F)  { fuzzSink(f, "plain", readTerminal) }
func FuzzFish(f *testing.F)   { fuzzSink(f, "fish", readTerminal) }
func FuzzClaude(f *testing.F) { fuzzSink(f, "claude", readTerminal) }

func readTerminal(text string) (shown, problem string) {
	return noControls(without(colors("", ""), text))
}

func FuzzBash(f *testing.F) {
	fuzzSink(f, "bash", func(text string) (shown, problem string) {
		return noControls(without(colors("\x01", "\x02"), text))
	})
}

// noControls reports characters that would act on the terminal.
func noControls(text string) (shown, problem string) {
	if strings.ContainsFunc(text, func(r rune) bool { return r < 0x20 || r >= 0x7f && r < 0xa0 }) {
		return text, "a control character"
	}
	return text, ""
}

func FuzzBashPS1(f *testing.F) {
	fuzzSink(f, "bash-ps1", func(text string) (shown, problem string) {
		text = without(colors(`\[`, `\]`), text)
		decoded := ""
		for i := 0; i < len(text); i++ { // the prompt's own escapes
			switch {
			case text[i] == '!':
				return text, "history expansion"
			case text[i] != '\\':
				decoded += text[i : i+1]
			case strings.HasPrefix(text[i:], `\\`):
				decoded += `\`
				i++
			case strings.HasPrefix(text[i:], `\041`):
				decoded += "!"
				i += 3
			default:
				return text, "a prompt escape"
			}
		}
		return readQuoted(decoded)
	})
}

// readQuoted reads text as a shell reads it between double quotes, where it must not expand anything.
func readQuoted(text string) (shown, problem string) {
	for i := 0; i < len(text); i++ {
		switch text[i] {
		case '$', '`':
			return text, "an expansion"
		case '\\':
			if i++; i == len(text) || !strings.ContainsRune("\\$`", rune(text[i])) {
				return text, "a backslash that hides nothing"
			}
		}
		shown += text[i : i+1]
	}
	return shown, ""
}

func FuzzZsh(f *testing.F) { fuzzSink(f, "zsh", readZsh) }

func FuzzZshSubst(f *testing.F) {
	fuzzSink(f, "zsh-subst", func(text string) (shown, problem string) {
		if text, problem = readQuoted(text); problem != "" {
			return text, problem
		}
		return readZsh(text)
	})
}

// readZsh reads zsh's percent escapes.
func readZsh(text string) (shown, problem string) {
	return readDoubled(without(colors("%{", "%}"), text), "%")
}

// readDoubled reads text in which a doubled special character stands for itself.
func readDoubled(text, special string) (shown, problem string) {
	if strings.Contains(strings.ReplaceAll(text, special+special, ""), special) {
		return text, "a single " + special
	}
	return strings.ReplaceAll(text, special+special, special), ""
}

func FuzzTmux(f *testing.F) { fuzzSink(f, "tmux", readTmux) }

func FuzzTmuxOption(f *testing.F) {
	fuzzSink(f, "tmux-opt", func(text string) (shown, problem string) {
		if text, problem = readDoubled(text, "%"); problem != "" {
			return text, problem
		}
		return readTmux(text)
	})
}

// readTmux reads tmux's formats and styles: only our own styles may occur.
func readTmux(text string) (shown, problem string) {
	styles := []string{"#[dim]", "#[nodim]", "#[fg=cyan]", "#[fg=yellow]", "#[fg=red]", "#[fg=default]"}
	for i := 0; i < len(text); i++ {
		if text[i] != '#' {
			shown += text[i : i+1]
			continue
		}
		style := slices.IndexFunc(styles, func(s string) bool { return strings.HasPrefix(text[i:], s) })
		switch {
		case strings.HasPrefix(text[i:], "##"):
			shown += "#"
			i++
		case style >= 0:
			i += len(styles[style]) - 1
		default:
			return text, "a single #"
		}
	}
	return shownBy("tmux", shown), ""
}

func TestColored(t *testing.T) {
	conformance.OwnRows(t, "colored.jsonl", func(t *testing.T, c struct {
		Sink string
		Mode ColorMode
		Env  string
		Want bool
	}) {
		colored := sinkNamed(t, c.Sink).Colored(c.Mode, func(name string) string {
			for _, entry := range strings.Fields(c.Env) {
				if value, ok := strings.CutPrefix(entry, name+"="); ok {
					return value
				}
			}
			return ""
		})
		if colored != c.Want {
			t.Errorf("%s, mode %d, %s: %v", c.Sink, c.Mode, c.Env, colored)
		}
	})
}

// TestPathsAreQuoted checks that the program's path, whatever characters it has, stays one word in each integration.
func TestPathsAreQuoted(t *testing.T) {
	const path = "/it's \"a\" $(x) `y` \\z #(w) %n)/sl"
	conformance.OwnRows(t, "pathsarequoted.jsonl", func(t *testing.T, c struct {
		ID, Want string
	}) {
		if got := Integration(c.ID, path); !strings.Contains(got, c.Want) || strings.Contains(got, placeholder) {
			t.Errorf("%s has no %s:\n%s", c.ID, c.Want, got)
		}
	})
	if got := Integration("tmux", path); strings.Count(got, "(") != strings.Count(got, ")") {
		t.Errorf("the end of tmux's job is not where it seems:\n%s", got)
	}
	if Integration("csh", path) != "" {
		t.Error("there is an integration for csh")
	}
}
