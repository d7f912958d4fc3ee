package tui

// User-defined keys: the rows of the key table by name, and the keys that a terminal can distinguish.

import (
	"fmt"
	"regexp"
	"slices"
	"strings"

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

// keyPattern matches the names of keys that a terminal can send.
var keyPattern = regexp.MustCompile(`^(?:(?:ctrl\+|alt\+)*[^\s\p{Lu}]|[^\s]|(?:(?:ctrl|alt|shift)\+)*(?:enter|esc|space|tab|backspace|delete|insert|home|end|pgup|pgdown|up|down|left|right|f[1-9]|f1[0-2]))$`)

// CheckKey returns an error if a key of the key table has a wrong name.
func CheckKey(row, name string) error {
	for of, k := range fixed {
		if name == k && row != of {
			return fmt.Errorf("%s is always the key of %s", name, of)
		}
	}
	if !keyPattern.MatchString(name) || name < " " || name == "ctrl+i" || name == "ctrl+m" || name == "ctrl+[" {
		return fmt.Errorf("there is no key %q", name)
	}
	return nil
}
