package tty

import (
	"bytes"
	"regexp"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"
)

// The framework keeps an incomplete sequence for as long as more comes, and decodes it again each time. A reply or a paste without an end
// would take all memory, all processors, and with them the keys.
const (
	sequenceLimit = 256      // of a control sequence, in bytes; device attributes are the longest that make sense, with some 50
	numbersLimit  = 24       // of a control sequence
	modifierLimit = 3        // after SS3
	replyLimit    = 64       // of a reply, in bytes; a color takes less than 30
	pasteLimit    = 64 << 10 // of one paste, in bytes; the longest text that can be typed has 4000 characters
	holdLimit     = sequenceLimit + replyLimit
)

const (
	pasteBegin = "\x1b[200~" // bracketed paste, mode 2004
	pasteEnd   = "\x1b[201~"
	background = "]11;" // the reply with the color of the background (OSC 11), after ESC

	// Meaningless sequences that replace a dropped one after its ESC has been passed on: an ESC by itself is a key.
	nothingCSI, nothingReply = "[}", "]0;-\x1b\\"
	escapeKey                = "[27u" // the key, after its ESC
)

// passedSequences are the control sequences that may be passed on. A long number before "~" is a paste in a form that no terminal writes;
// "t" ends a report of the size, "_" a key event of Windows.
var passedSequences = regexp.MustCompile(`^\[(?:[<=>?]?[0-9;:]*[ -/]*[@-^\x60-su-}]|\d{0,2}(?:[;:][0-9;:]*)?~|201~)$`)

const ctrlC, bel, can, sub, esc, del = 0x03, 0x07, 0x18, 0x1A, 0x1B, 0x7F

// inputFilter passes on the input that the framework can decode at once and in bounded memory:
//
//   - text in valid UTF-8, and control characters;
//   - complete control sequences (CSI, SS3) of bounded length, without reports of the size, which the system knows better, and without
//     the key events of Windows, one of which may claim 65535 keys;
//   - a key with alt in its long form (CSI u): the short one, ESC and the key, could be the beginning of another sequence;
//   - the reply with the color of the background, the only one that is requested;
//   - pastes of bounded length, without control characters.
//
// The zero value is ready for use.
type inputFilter struct {
	held    []byte // the beginning of something incomplete
	sent    bool   // held begins with an ESC that has been passed on: it may be the key
	pasting bool
	room    int // bytes of the paste that may still be passed on
	skip    int // bytes to drop
	out     []byte
}

// pass returns the part of p, and of what was held before, that can be passed on. The result is valid until the next call.
func (f *inputFilter) pass(p []byte) []byte {
	f.out = f.out[:0]
	if f.pasting && len(p) == 1 && p[0] == ctrlC { // typed, because it arrived alone: the end of the paste is lost
		f.pasting, f.held = false, f.held[:0]
		return append(append(f.out, pasteEnd...), ctrlC)
	}
	for _, b := range p {
		if f.skip > 0 {
			f.skip--
			continue
		}
		f.held = append(f.held, b)
		f.takeByte()
	}
	if len(f.held) == 1 && f.held[0] == esc && !f.sent && !f.pasting {
		f.out, f.sent = append(f.out, esc), true
	}
	return f.out
}

// expire drops an incomplete sequence, because nothing has followed for some time.
func (f *inputFilter) expire() {
	if !f.pasting {
		f.held, f.sent = f.held[:0], false
	}
}

// takeByte handles the last byte of held.
func (f *inputFilter) takeByte() {
	last := f.held[len(f.held)-1]
	switch {
	case f.pasting:
		f.takePaste()
	case f.held[0] != esc:
		f.takeText()
	case len(f.held) == 1:
	case f.held[1] == '[':
		f.takeSequence(last)
	case f.held[1] == 'O':
		f.takeSingle(last)
	case strings.IndexByte("]P_^X", f.held[1]) >= 0:
		f.takeReply(last)
	case f.held[1] == esc: // the key, and the beginning of another sequence
		f.accept(escapeKey)
		f.held = append(f.held, esc)
	default:
		f.takeRune(f.held[1:], nothingCSI, func(r rune) { f.accept(altKey(r)) })
	}
}

// accept passes on a sequence, given without its ESC.
func (f *inputFilter) accept(rest string) {
	if !f.sent {
		f.out = append(f.out, esc)
	}
	f.out = append(f.out, rest...)
	f.held, f.sent = f.held[:0], false
}

// reject drops the held bytes.
func (f *inputFilter) reject(nothing string) {
	if f.sent {
		f.out = append(f.out, nothing...)
	}
	f.held, f.sent = f.held[:0], false
}

// restart drops the held bytes except the last, which begins another sequence.
func (f *inputFilter) restart(nothing string) {
	last := f.held[len(f.held)-1]
	f.reject(nothing)
	f.held = append(f.held, last)
	f.takeByte()
}

// takeText passes on a complete character.
func (f *inputFilter) takeText() {
	f.takeRune(f.held, "", func(rune) {
		f.out = append(f.out, f.held...)
		f.held = f.held[:0]
	})
}

// takeRune passes on the character that the last held bytes are, when it is complete. Bytes that are none are dropped.
func (f *inputFilter) takeRune(key []byte, nothing string, pass func(rune)) {
	last := key[len(key)-1]
	switch r, size := utf8.DecodeRune(key); {
	case !utf8.FullRune(key):
	case r != utf8.RuneError || size > 1:
		pass(r)
	case len(key) > 1 && (last == esc || utf8.RuneStart(last)):
		f.restart(nothing)
	default:
		f.reject(nothing)
	}
}

// altKey returns a key with alt in the form of the Kitty keyboard protocol, without ESC.
func altKey(key rune) string {
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
	return "[" + strconv.Itoa(int(key)) + ";" + strconv.Itoa(mod) + "u"
}

// takeSequence handles a byte of a control sequence (CSI).
func (f *inputFilter) takeSequence(b byte) {
	held := string(f.held[1:])
	switch {
	case held == "[":
	case b < ' ' || b >= del: // broken off
		f.restart(nothingCSI)
	case b < '@':
		if len(held) > sequenceLimit {
			f.held = append(f.held[:2], "$0"...) // parts in the wrong order: left out at its end
		}
	case held == pasteBegin[1:]:
		f.accept(held)
		f.pasting, f.room = true, pasteLimit
	case held == "[M": // a mouse report of the oldest form
		f.reject(nothingCSI)
		f.skip = 3
	case !passedSequences.MatchString(held), strings.Count(held, ";")+strings.Count(held, ":") >= numbersLimit:
		f.reject(nothingCSI)
	default:
		f.accept(held)
	}
}

// takeSingle handles a byte of a key after SS3, before which some terminals write a modifier.
func (f *inputFilter) takeSingle(b byte) {
	isDigit := b >= '0' && b <= '9'
	switch {
	case len(f.held) == 2, isDigit && len(f.held) <= 2+modifierLimit:
	case b > ' ' && b < del && !isDigit:
		f.accept(string(f.held[1:]))
	default:
		f.restart(nothingCSI)
	}
}

// takeReply handles a byte of a reply (OSC, DCS, APC, PM, SOS), up to BEL or ST.
func (f *inputFilter) takeReply(b byte) {
	isOSC, afterESC := f.held[1] == ']', len(f.held) > 2 && f.held[len(f.held)-2] == esc
	switch {
	case b == bel && isOSC, afterESC && b == '\\':
		text := bytes.TrimSuffix(f.held[1:len(f.held)-1], []byte{esc})
		if bytes.HasPrefix(text, []byte(background)) && len(text) > len(background) {
			f.accept(string(text) + "\x1b\\")
		} else {
			f.reject(nothingReply)
		}
	case b == can, b == sub:
		f.reject(nothingReply)
	case afterESC: // broken off
		f.reject(nothingReply)
		f.held = append(f.held, esc, b)
		f.takeByte()
	case b == esc, len(f.held) == 2:
	case b < ' ' || b >= del || len(f.held) > replyLimit:
		f.held = f.held[:2] // left out at its end
	}
}

// takePaste handles a byte of a paste. Control characters are dropped; the end of the paste is not.
func (f *inputFilter) takePaste() {
	last := f.held[len(f.held)-1]
	switch {
	case string(f.held) == pasteEnd:
		f.pasting = false
		f.out = append(f.out, pasteEnd...)
		f.held = f.held[:0]
	case f.held[0] == esc && strings.HasPrefix(pasteEnd, string(f.held)):
	case f.held[0] == esc: // another sequence
		rest := bytes.Clone(f.held[1:])
		f.held = f.held[:0]
		for _, b := range rest {
			f.held = append(f.held, b)
			f.takeByte()
		}
	case last == esc && len(f.held) > 1:
		f.held = append(f.held[:0], esc)
	case f.room <= 0 || last == del || last < ' ' && last != '\t' && last != '\n' && last != '\r':
		f.held = f.held[:0]
	default:
		before := len(f.out)
		f.takeText()
		f.room -= len(f.out) - before
	}
}
