package tui

// User-defined keys: the rows of the key table by name, and the keys that a terminal can distinguish.

import (
	"fmt"
	"regexp"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"charm.land/bubbles/v2/key"

	"gatehouse/tui/pane"
)

// KeyRow is a configurable row of the key table.
type KeyRow struct {
	Name  string   // "next-file"
	Words string   // what it does
	Keys  []string // as the framework names them; none for a row of the palette
}

// KeyRows returns the rows of the key table.
func KeyRows() []KeyRow {
	var rows []KeyRow
	for _, b := range bindings() {
		rows = append(rows, KeyRow{b.name, b.words, b.on.Keys()})
	}
	return rows
}

// paneName is the name of a pane in the configuration.
func paneName(p pane.Pane) string { return strings.ReplaceAll(strings.ToLower(p.Name()), " ", "-") }

// fixed are the keys with the same meaning in every dialog. They cannot be rebound, so that every dialog can be left.
var fixed = map[string]string{"quit": "ctrl+c", "open": "enter", "back": "esc"}

// rebindRows returns the table with the user's keys, by the names of rows. A key bound to one row is removed from all others; dialogs
// have keys of their own.
func rebindRows(table []binding, wished map[string][]string) []binding {
	if len(wished) == 0 {
		return table
	}
	taken := map[bool]map[string]bool{false: {}, true: {}}
	for _, b := range table {
		for _, k := range wished[b.name] {
			taken[b.inDialog][k] = true
		}
	}
	table = slices.Clone(table)
	for i := range table {
		b := &table[i]
		own, is := wished[b.name]
		if !is {
			own = slices.DeleteFunc(slices.Clone(b.on.Keys()), func(k string) bool { return taken[b.inDialog][k] })
		}
		if k := fixed[b.name]; k != "" && !slices.Contains(own, k) {
			own = append(slices.Clone(own), k)
		}
		b.on = key.NewBinding(key.WithKeys(own...))
	}
	return table
}

// keyPattern matches key names that are not a single character.
var keyPattern = regexp.MustCompile(`^((?:ctrl\+)?(?:alt\+)?(?:shift\+)?)(.+)$`)

// namedKeys are the keys with a name.
var namedKeys = []string{"enter", "esc", "space", "tab", "backspace", "delete", "insert", "home", "end", "pgup", "pgdown", "up", "down", "left", "right",
	"f1", "f2", "f3", "f4", "f5", "f6", "f7", "f8", "f9", "f10", "f11", "f12"}

// sameKeys are keys that most terminals send as another key.
var sameKeys = map[string]string{"ctrl+i": "tab", "ctrl+m": "enter", "ctrl+[": "esc", " ": "space", "return": "enter", "escape": "esc", "del": "delete", "pageup": "pgup", "pagedown": "pgdown"}

// CheckKey returns an error if a key of the key table has a wrong name, with the correct name.
func CheckKey(row, name string) error {
	if same := sameKeys[strings.ToLower(name)]; same != "" {
		return fmt.Errorf("write %s for the key %q", same, name)
	}
	for of, k := range fixed {
		if name == k && row != of {
			return fmt.Errorf("%s is always the key of %s", name, of)
		}
	}
	m := keyPattern.FindStringSubmatch(name)
	if m == nil {
		return fmt.Errorf("the name of a key is empty")
	}
	modifiers, plain := m[1], m[2]
	if r, n := utf8.DecodeRuneInString(plain); n == len(plain) && unicode.IsGraphic(r) {
		switch {
		case modifiers != "" && unicode.IsUpper(r):
			return fmt.Errorf("%q: with ctrl and alt, letters are written small", name)
		case strings.Contains(modifiers, "shift+"):
			return fmt.Errorf("%q: write the character itself, such as A", name)
		}
		return nil
	}
	if !slices.Contains(namedKeys, plain) {
		return fmt.Errorf("there is no key %q", name)
	}
	return nil
}
