// The contract of standard input in the layout of an agent. The agent writes one JSON object and, as a rule, closes the
// pipe. Any other input must not delay the line.

package statusline

import "gatehouse/parse/doc"

const (
	// inputLimit is the maximum input in bytes. Agents send 1 to 2 KiB; larger input is not theirs.
	inputLimit = 64 << 10

	// inputWait is how many milliseconds the input may take altogether until it ends or is a whole JSON object.
	inputWait = 200
)

// isWholeObject reports whether input is a complete JSON object, after which there is nothing to wait for: some agents leave
// the pipe open.
func isWholeObject(input []byte) bool {
	if !doc.HasSuffix(doc.Trim(string(input)), "}") {
		return false
	}
	_, err := doc.ParseJSON(string(input))
	return err == nil
}
