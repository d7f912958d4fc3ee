package model

import (
	"strconv"
	"strings"
)

// Listed joins names for people, at most twenty of them: "build-7, build-8", "none".
func Listed(names []string) string {
	const most = 20
	switch more := len(names) - most; {
	case len(names) == 0:
		return "none"
	case more > 0:
		return strings.Join(names[:most], ", ") + " and " + strconv.Itoa(more) + " more"
	}
	return strings.Join(names, ", ")
}
