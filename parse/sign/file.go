package sign

import (
	"encoding/json"
	"fmt"
	"strings"

	"gatehouse/model"
)

// File is a signature in a separate file, for verification without the journal, such as in CI.
type File struct {
	Statement Statement `json:"statement"`
	Signature string    `json:"signature"`
}

// FileName returns the name of the signature file of a gate: the state file's with the gate behind it, "demo-state.json.gate-frame.sig".
func FileName(stateFile, node string) string {
	name := strings.Map(func(r rune) rune {
		if r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z' || r >= '0' && r <= '9' || r == '-' || r == '.' || r == '_' {
			return r
		}
		return '-'
	}, node)
	return stateFile + "." + name + ".sig"
}

// Encode returns the content of the file of a signed decision.
func Encode(d *model.Decision) string {
	text, err := json.MarshalIndent(File{Of(d), d.Signature.Text}, "", "  ")
	if err != nil { // texts and a time
		panic(err)
	}
	return string(text) + "\n"
}

// Decode reads such a file.
func Decode(text string) (f File, err error) {
	if err = json.Unmarshal([]byte(text), &f); err == nil && f.Statement.Schema != 1 {
		err = fmt.Errorf("version %d is not supported, only 1", f.Statement.Schema)
	}
	return f, err
}
