// Colors: their encoding for each sink, and when they are used.
//
// They are restrained: separators and the frame of the bar are dim, its filled part has an accent, waits are yellow,
// blocked parts red; everything else keeps the color of its place. Each role is switched on and off separately, so that
// a background or a bold face around the line stays. The sequences are ours: none ever comes from a file.

package statusline

import "gatehouse/model/line"

// paint is the color encoding of a place: a code with a prefix and a suffix. on and off are indexed by line.Role; the
// code of a role without a color is "".
type paint struct {
	before, after string
	on, off       [line.Blocked + 1]string
}

// The 16 colors of the terminal's own theme. Dim is a face and no grey: bright black is invisible in some themes.
var (
	sgrOn  = [line.Blocked + 1]string{line.Dim: "2", line.Accent: "36", line.Wait: "33", line.Blocked: "31"}
	sgrOff = [line.Blocked + 1]string{line.Dim: "22", line.Accent: "39", line.Wait: "39", line.Blocked: "39"}
)

var (
	terminal = paint{"\x1b[", "m", sgrOn, sgrOff}
	// bash counts the columns of a prompt and needs marks around zero-width text. In a variable that PS1 names they are
	// these two bytes, since "\[" would be shown literally there.
	bashVariable = paint{"\x01\x1b[", "m\x02", sgrOn, sgrOff}
	bashLiteral  = paint{"\\[\x1b[", "m\\]", sgrOn, sgrOff}
	zshPrompt    = paint{"%{\x1b[", "m%}", sgrOn, sgrOff}
	// tmux drops control sequences and has styles instead.
	tmuxStyle = paint{
		"#[", "]",
		[line.Blocked + 1]string{line.Dim: "dim", line.Accent: "fg=cyan", line.Wait: "fg=yellow", line.Blocked: "fg=red"},
		[line.Blocked + 1]string{line.Dim: "nodim", line.Accent: "fg=default", line.Wait: "fg=default", line.Blocked: "fg=default"},
	}
)

// set appends a code, nothing for none.
func (p *paint) set(dst []byte, code string) []byte {
	if code == "" {
		return dst
	}
	dst = append(dst, p.before...)
	dst = append(dst, code...)
	return append(dst, p.after...)
}

// ColorMode is the value of --color.
type ColorMode uint8

const (
	// ColorAuto leaves it to the environment and the sink.
	ColorAuto ColorMode = iota
	// ColorAlways wants colors if the sink has them.
	ColorAlways
	// ColorNever wants none.
	ColorNever
)

// Colored reports whether a line for the sink gets colors. First comes mode, then NO_COLOR (anything but empty), then
// CLICOLOR_FORCE and FORCE_COLOR (anything but empty and 0), then the default of the sink; but a terminal with TERM unset
// or "dumb" gets none unless they are asked for. env returns the value of an environment variable, "" if it is not set.
func (s Sink) Colored(mode ColorMode, env func(name string) string) bool {
	switch {
	case s.paint == nil, mode == ColorNever: // without a paint, no sequence is safe there
		return false
	case mode == ColorAlways:
		return true
	case env("NO_COLOR") != "":
		return false
	case isForced(env("CLICOLOR_FORCE")), isForced(env("FORCE_COLOR")):
		return true
	case s.paint == &tmuxStyle, s.name == agentSink: // they go to tmux or the agent, regardless of the terminal
		return s.colored
	}
	return s.colored && env("TERM") != "" && env("TERM") != "dumb"
}

func isForced(value string) bool { return value != "" && value != "0" }
