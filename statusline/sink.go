// Sinks: the places that can show a line, each with the processing that its reader applies before the user sees the
// text. The line is already clean.

package statusline

import "gatehouse/model/line"

// Sink is a place that shows the line: a value of --shell. The zero value is the default sink.
type Sink struct {
	name string
	// add appends text, cleaned and on one line, to dst so that the place shows just that.
	add func(dst, text []byte) []byte
	// paint is the color encoding of the place, nil if it gets no colors.
	paint *paint
	// colored reports whether there are colors by default: the place is a prompt, although the program writes into a
	// pipe.
	colored bool
}

// sinks are all that exist, the default first.
var sinks = [...]Sink{
	{name: "defang", add: defangText},
	{name: "plain", add: escapePlain, paint: &terminal},
	{name: "bash", add: escapePlain, paint: &bashVariable, colored: true},
	{name: "bash-ps1", add: bashPS1, paint: &bashLiteral, colored: true},
	{name: "zsh", add: escapeZsh, paint: &zshPrompt, colored: true},
	{name: "zsh-subst", add: zshSubst, paint: &zshPrompt, colored: true},
	{name: "fish", add: escapePlain, paint: &terminal, colored: true},
	{name: "tmux", add: escapeTmux, paint: &tmuxStyle, colored: true},
	{name: "tmux-opt", add: tmuxOption, paint: &tmuxStyle, colored: true},
	{name: "starship", add: defangText},
	{name: "claude", add: escapePlain, paint: &terminal, colored: true},
}

// SinkNamed returns the sink of that name; "" names the default. ok is false without one.
func SinkNamed(name string) (sink Sink, ok bool) {
	for _, sink := range sinks {
		if name == "" || name == sink.name {
			return sink, true
		}
	}
	return Sink{}, false
}

// Sinks returns the names of all sinks.
func Sinks() (names []string) {
	for _, sink := range sinks {
		names = append(names, sink.name)
	}
	return names
}

// Name returns the sink's name, as --shell takes it.
func (s Sink) Name() string {
	if s.add == nil {
		s = sinks[0]
	}
	return s.name
}

// escapeText appends text to dst as the sink needs it.
func (s Sink) escapeText(dst, text []byte) []byte {
	if s.add == nil {
		s = sinks[0]
	}
	return s.add(dst, text)
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
