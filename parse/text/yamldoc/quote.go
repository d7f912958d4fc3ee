// Writing a text as YAML.

package yamldoc

import (
	"strconv"
	"strings"
)

// Quote writes a text as YAML in double quotation marks.
func Quote(s string) string { return strconv.Quote(strings.ToValidUTF8(s, "\uFFFD")) }
