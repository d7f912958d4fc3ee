package tty

// What a terminal says, as far as it makes sense. The framework keeps what it can't decode yet for as long as more comes, and
// decodes it anew each time: a reply without an end, a paste without one, a sequence that is broken, would take all memory
// and all processors, and with them the keys. So it gets only what is whole:
//
//   - text in valid UTF-8, and control characters;
//   - control sequences (CSI, SS3) that are complete and of bounded length: keys, the mouse, the focus, modes. Sizes are
//     left out, for the system knows them better, and so are key events of Windows, one of which may say 65535 keys;
//   - a key with alt, which terminals write as ESC and the key, in the long form (CSI u): the short one could be the
//     beginning of something, so that the framework waits with it until nothing more is typed;
//   - of the replies only the background's colour, which is all that is asked for;
//   - a paste of bounded length, without control characters.

import (
	"bytes"
	"strconv"
	"unicode"
	"unicode/utf8"
)

const (
	// sequenceLimit is how long a control sequence may be, in bytes. The longest that makes sense are device attributes, of
	// some 50.
	sequenceLimit = 256
	// numbersLimit is how many numbers it may have.
	numbersLimit = 24
	// modifierLimit is how long the beginning of a key behind SS3 may be: O, and a number up to 256.
	modifierLimit = 4
	// replyLimit is how long a reply may be, in bytes: a colour takes less than 30.
	replyLimit = 64
	// pasteLimit is how much of one paste is let through, in bytes; the longest text that can be typed has 4000 characters.
	pasteLimit = 64 << 10
	// holdLimit is more than what is held back at any time.
	holdLimit = sequenceLimit + replyLimit
)

const (
	pasteBegin = "\x1b[200~" // before what is pasted (bracketed paste, mode 2004)
	pasteEnd   = "\x1b[201~"
	background = "11;" // begins the reply that says the background's colour (OSC 11)

	// Sequences that mean nothing, in the place of one that is left out when its ESC has gone through already: by itself it
	// would be the key.
	nothingCSI, nothingReply = "[}", "]0;-\x1b\\"
	// escapeKey is the key, behind its ESC.
	escapeKey = "[27u"
)

const ctrlC, bel, can, sub, esc, del = 0x03, 0x07, 0x18, 0x1A, 0x1B, 0x7F

// part says where in what a terminal says a byte is.
type part int

const (
	plain    part = iota
	escape        // behind ESC
	sequence      // behind CSI, up to the byte that ends it
	single        // behind SS3, up to its byte
	reply         // behind OSC, DCS, APC, PM or SOS, up to BEL or ST
	replyEsc      // behind ESC in one: ST, or the next thing
	pasted        // between pasteBegin and pasteEnd
	skipped       // bytes that belong to a sequence left out
)

// sieve lets through what makes sense. The zero value is ready.
type sieve struct {
	in   part
	out  []byte
	held []byte // of what is not complete, without its ESC
	sent bool   // its ESC has gone through already
	odd  bool   // it is a control sequence with its parts in a wrong order
	kind byte   // of a reply: the byte behind ESC
	left int    // bytes: to skip, or of a paste that may still go through
	end  int    // bytes of pasteEnd that came last, in a paste
	rune []byte // of a character that is not complete
	alt  bool   // it was typed with alt
}

// pass returns what goes through of what came. It is good until the next call.
func (s *sieve) pass(p []byte) []byte {
	s.out = s.out[:0]
	if s.in == pasted && len(p) == 1 && p[0] == ctrlC { // typed, for it came alone: the end of the paste is lost
		s.in, s.rune = plain, s.rune[:0]
		return append(append(s.out, pasteEnd...), ctrlC)
	}
	for _, b := range p {
		s.take(b)
	}
	if s.in == escape && !s.sent { // perhaps the key
		s.out, s.sent = append(s.out, esc), true
	}
	return s.out
}

// expire says that nothing has come for so long that what is incomplete stays so.
func (s *sieve) expire() {
	if s.in != pasted {
		s.in, s.alt, s.rune = plain, false, s.rune[:0]
	}
}

func (s *sieve) take(b byte) {
	switch s.in {
	case plain:
		s.plain(b)
	case escape:
		s.escape(b)
	case sequence:
		s.sequence(b)
	case single:
		s.single(b)
	case reply, replyEsc:
		s.reply(b)
	case pasted:
		s.pasted(b)
	case skipped:
		if s.left--; s.left <= 0 {
			s.in = plain
		}
	}
}

// plain takes text and control characters.
func (s *sieve) plain(b byte) {
	if b == esc {
		if s.alt { // with a character that is broken off
			s.leaveOut(nothingCSI)
		}
		s.in, s.sent, s.alt, s.rune = escape, false, false, s.rune[:0]
		return
	}
	s.character(b)
}

// character lets through what is, with the bytes before it, a character.
func (s *sieve) character(b byte) {
	if utf8.RuneStart(b) {
		s.rune = s.rune[:0]
	}
	s.rune = append(s.rune, b)
	if !utf8.FullRune(s.rune) {
		return
	}
	r, size := utf8.DecodeRune(s.rune)
	switch {
	case r == utf8.RuneError && size == 1:
		if s.alt {
			s.leaveOut(nothingCSI)
		}
	case s.alt:
		s.lead()
		s.out = appendAlt(s.out, r)
	default:
		s.out = append(s.out, s.rune...)
	}
	s.alt, s.rune = false, s.rune[:0]
}

// appendAlt appends a key with alt in the form of the Kitty keyboard protocol, without ESC.
func appendAlt(dst []byte, key rune) []byte {
	const alt, shift, ctrl = 1 + 2, 1, 4 // modifiers are counted from 1
	mod := alt
	switch {
	case key == 0:
		key, mod = ' ', alt+ctrl
	case key == '\t', key == '\r':
	case key <= 26:
		key, mod = key+'a'-1, alt+ctrl
	case key < ' ':
		key, mod = key+'@', alt+ctrl
	case key < utf8.RuneSelf && unicode.IsUpper(key):
		key, mod = unicode.ToLower(key), alt+shift
	}
	dst = strconv.AppendInt(append(dst, '['), int64(key), 10)
	dst = strconv.AppendInt(append(dst, ';'), int64(mod), 10)
	return append(dst, 'u')
}

// escape takes the byte that says what an ESC begins.
func (s *sieve) escape(b byte) {
	s.held = append(s.held[:0], b)
	switch b {
	case '[':
		s.in, s.odd = sequence, false
	case 'O':
		s.in = single
	case ']', 'P', '_', '^', 'X':
		s.in, s.kind, s.held = reply, b, s.held[:0]
	case esc: // the key, and the next thing
		s.lead()
		s.out, s.sent = append(s.out, escapeKey...), false
	default:
		s.in, s.alt = plain, true
		s.character(b)
	}
}

// lead lets the ESC through before something, unless it has gone.
func (s *sieve) lead() {
	if !s.sent {
		s.out = append(s.out, esc)
	}
	s.sent = true
}

// through lets through what was held.
func (s *sieve) through() {
	s.lead()
	s.out = append(s.out, s.held...)
	s.in = plain
}

// leaveOut leaves out what was held, and takes for it, where its ESC has gone, what means nothing.
func (s *sieve) leaveOut(nothing string) {
	if s.sent {
		s.out = append(s.out, nothing...)
	}
	s.in = plain
}

func (s *sieve) sequence(b byte) {
	switch {
	case b < ' ' || b >= del: // broken off
		s.leaveOut(nothingCSI)
		s.take(b)
	case b < '@':
		if s.odd = s.odd || b >= '0' && s.held[len(s.held)-1] < '0'; len(s.held) < sequenceLimit {
			s.held = append(s.held, b)
		}
	default:
		s.held = append(s.held, b)
		s.completed(b)
	}
}

// completed lets a control sequence through, or not.
func (s *sieve) completed(final byte) {
	switch {
	case s.odd, len(s.held) > sequenceLimit, numbers(s.held) > numbersLimit, final == 't', final == '_':
		s.leaveOut(nothingCSI)
	case string(s.held) == pasteBegin[1:]:
		s.through()
		s.in, s.left, s.end, s.rune = pasted, pasteLimit, 0, s.rune[:0]
	case final == '~' && string(s.held) != pasteEnd[1:] && digits(s.held) > 2: // a paste in a form that no terminal writes
		s.leaveOut(nothingCSI)
	case final == 'M' && len(s.held) == 2: // a mouse report of the oldest form, with three bytes behind
		s.leaveOut(nothingCSI)
		s.in, s.left = skipped, 3
	default:
		s.through()
	}
}

// digits counts those of a control sequence's first number.
func digits(held []byte) (n int) {
	for _, b := range held[1:] {
		switch {
		case b == ';' || b == ':':
			return n
		case b >= '0' && b <= '9':
			n++
		}
	}
	return n
}

// numbers counts those of a control sequence.
func numbers(held []byte) int {
	return 1 + bytes.Count(held, []byte(";")) + bytes.Count(held, []byte(":"))
}

func (s *sieve) single(b byte) {
	switch {
	case b >= '0' && b <= '9' && len(s.held) < modifierLimit: // a modifier, of some terminals
		s.held = append(s.held, b)
	case b > ' ' && b < del && (b < '0' || b > '9'):
		s.held = append(s.held, b)
		s.through()
	default:
		s.leaveOut(nothingCSI)
		s.take(b)
	}
}

func (s *sieve) reply(b byte) {
	switch {
	case s.in == replyEsc && b == '\\', b == bel && s.kind == ']', b == can, b == sub:
		s.replied(b != can && b != sub)
	case s.in == replyEsc: // broken off
		s.leaveOut(nothingReply)
		s.in, s.sent = escape, false
		s.take(b)
	case b == esc:
		s.in = replyEsc
	case b >= ' ' && b < del && len(s.held) < replyLimit:
		s.held = append(s.held, b)
	default:
		s.held = append(s.held[:0], 0) // none that is let through
	}
}

// replied lets the reply through that is asked for.
func (s *sieve) replied(whole bool) {
	if !whole || s.kind != ']' || !bytes.HasPrefix(s.held, []byte(background)) || len(s.held) == len(background) {
		s.leaveOut(nothingReply)
		return
	}
	s.lead()
	s.out = append(append(append(s.out, s.kind), s.held...), esc, '\\')
	s.in = plain
}

func (s *sieve) pasted(b byte) {
	switch {
	case b == pasteEnd[s.end]:
		if s.end++; s.end < len(pasteEnd) {
			return
		}
		s.out = append(s.out, pasteEnd...)
		s.in = plain
		return
	case s.end > 0: // something else after all; of which the ESC is left out
		was := pasteEnd[1:s.end]
		s.end = 0
		for i := range len(was) {
			s.paste(was[i])
		}
		s.pasted(b)
		return
	}
	s.paste(b)
}

// paste lets a byte of a paste through.
func (s *sieve) paste(b byte) {
	if s.left <= 0 || b == del || b < ' ' && b != '\t' && b != '\n' && b != '\r' {
		s.rune = s.rune[:0]
		return
	}
	before := len(s.out)
	s.character(b)
	s.left -= len(s.out) - before
}
