// Sinks: the places that can show a line, each with the processing that its reader applies before the user sees the
// text. The line is already clean.

package statusline

import "gatehouse/model/line"

// Sink is a place that shows the line: a value of --shell. The zero value is the default sink.
type Sink struct {
	name string
	// escapes are the characters that the place would not show as they are.
	escapes escapes
	// paint is the color encoding of the place, nil if no sequence is safe there: then the text is defanged, and gets no colors.
	paint *paint
	// colored reports whether there are colors by default: the place is a prompt, although the program writes into a
	// pipe.
	colored bool
}

// sinks are all that exist, the default first.
var sinks = [...]Sink{
	{name: "defang"},
	{name: "plain", paint: &terminal},
	{name: "bash", paint: &bashVariable, colored: true},
	{name: "bash-ps1", escapes: bashPS1, paint: &bashLiteral, colored: true},
	{name: "zsh", escapes: zsh, paint: &zshPrompt, colored: true},
	{name: "zsh-subst", escapes: zshSubst, paint: &zshPrompt, colored: true},
	{name: "fish", paint: &terminal, colored: true},
	{name: "tmux", escapes: tmux, paint: &tmuxStyle, colored: true},
	{name: "tmux-opt", escapes: tmuxOption, paint: &tmuxStyle, colored: true},
	{name: "starship"},
	{name: agentSink, paint: &terminal, colored: true},
}

// Sinks returns the names of all sinks.
func Sinks() (names []string) {
	for _, sink := range sinks {
		names = append(names, sink.name)
	}
	return names
}

// escapeText appends text to dst as the sink needs it. Without a paint, nothing is known about the place.
func (s Sink) escapeText(dst, text []byte) []byte {
	if s.paint == nil {
		return defangText(dst, text)
	}
	return s.escapes.appendTo(dst, text)
}

// writeText appends t to dst in the form that the sink needs, with colors if they are wanted and the sink has them. Without
// colors the text is escaped as a whole: the end of one piece and the start of the next may be harmless separately but
// not together.
func (s Sink) writeText(dst []byte, t *line.Text, colored bool) []byte {
	if !colored || s.paint == nil {
		return s.escapeText(dst, t.Bytes())
	}
	now := line.Plain
	for i := range t.Len() {
		text, role := t.Piece(i)
		if len(text) == 0 {
			continue
		}
		if role != now {
			dst = s.paint.set(dst, s.paint.off[now])
			dst = s.paint.set(dst, s.paint.on[role])
			now = role
		}
		dst = s.escapeText(dst, text)
	}
	return s.paint.set(dst, s.paint.off[now])
}
