// Sinks: the places where a line can be shown, each with what its reader does to text before the user sees it. Cleaning
// was done before, when the line was made.

package statusline

import "gatehouse/model/line"

// Sink is a place where the line is shown: a value of --shell. The zero value is the default sink.
type Sink struct {
	name string
	// add appends text, cleaned and on one line, to dst so that the place shows just that.
	add func(dst, text []byte) []byte
	// paint is how colors are told to the place, nil when it gets none.
	paint *paint
	// colored says that there are colors unless something asks for none: the place is a prompt, although the program
	// writes into a pipe.
	colored bool
}

// sinks are all that exist, the default first.
var sinks = [...]Sink{
	{name: "defang", add: defang},
	{name: "plain", add: plain, paint: &terminal},
	{name: "bash", add: plain, paint: &bashVariable, colored: true},
	{name: "bash-ps1", add: bashPS1, paint: &bashLiteral, colored: true},
	{name: "zsh", add: zsh, paint: &zshPrompt, colored: true},
	{name: "zsh-subst", add: zshSubst, paint: &zshPrompt, colored: true},
	{name: "fish", add: plain, paint: &terminal, colored: true},
	{name: "tmux", add: tmux, paint: &tmuxStyle, colored: true},
	{name: "tmux-opt", add: tmuxOption, paint: &tmuxStyle, colored: true},
	{name: "starship", add: defang},
	{name: "claude", add: plain, paint: &terminal, colored: true},
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

// escape appends text to dst as the sink needs it.
func (s Sink) escape(dst, text []byte) []byte {
	if s.add == nil {
		s = sinks[0]
	}
	return s.add(dst, text)
}

// write appends t to dst as the sink needs it, with colors where they are wanted and the sink has them. Without colors
// the text is escaped in one go: what is harmless at the end of one piece and at the start of the next need not be so in
// one.
func (s Sink) write(dst []byte, t *line.Text, colored bool) []byte {
	if !colored || s.paint == nil {
		return s.escape(dst, t.Bytes())
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
		dst = s.escape(dst, text)
	}
	return s.paint.set(dst, s.paint.off[now])
}
