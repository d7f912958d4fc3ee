package core

import (
	"gatehouse/parse/doc"
	"gatehouse/parse/text/scan"
)

// DeclaredVersion returns the version of the current milestone by STATE.md: what its first line says that begins "milestone:", in
// the frontmatter or anywhere else, with its quotation marks; "" without one.
func DeclaredVersion(state string) string {
	const key = "milestone:"
	for i := scan.FindAtLineStart(state, key, 0); i >= 0; i = scan.FindAtLineStart(state, key, i+len(key)) {
		if v, ok := scan.RestOfLine(state, i+len(key)); ok {
			return v
		}
	}
	return ""
}

// meantVersion returns the version that a declared milestone means to a reader: without quotation marks, and without the name or the
// comment behind it. GSD looks for the milestone by the whole of what is declared, and finds none by `"v1.1"`; its counts are
// about every phase then, and yet no reader takes the phases of others for the current milestone's.
func meantVersion(declared string) string {
	if version := wholeVersion(declared); version != "" {
		return version
	}
	return scan.Unquote(declared)
}

// versionInProgress returns the first version that ROADMAP.md marks as in progress, with "🚧 **" or "🔄 **" before it.
func versionInProgress(roadmap string) string {
	for i := range len(roadmap) {
		sign := 0
		for _, s := range [...]string{"🚧", "🔄"} {
			if doc.HasPrefix(roadmap[i:], s) {
				sign = len(s)
			}
		}
		if sign == 0 {
			continue
		}
		at := scan.SkipSpace(roadmap, i+sign)
		if !doc.HasPrefix(roadmap[at:], "**v") {
			continue
		}
		at += len("**")
		if end := versionEnd(roadmap, at, false); end > 0 && scan.SpaceLen(roadmap[end:]) > 0 {
			return roadmap[at:end]
		}
	}
	return ""
}

// versionEnd returns the offset behind "v1.2" at offset i of s, 0 where there is none. anyCase takes "V1.2" as well.
func versionEnd(s string, i int, anyCase bool) int {
	if c := byteAt(s, i); c != 'v' && !(anyCase && c == 'V') {
		return 0
	}
	_, major := scan.Digits(s, i+1)
	if major == i+1 || byteAt(s, major) != '.' {
		return 0
	}
	_, minor := scan.Digits(s, major+1)
	if minor == major+1 {
		return 0
	}
	return minor
}

// hasVersion reports whether a text has a "v1.2" anywhere.
func hasVersion(text string) bool {
	for i := range len(text) {
		if versionEnd(text, i, true) > 0 {
			return true
		}
	}
	return false
}

// wholeVersion returns the first version of a heading with all that belongs to it: "v1.2.1", "v2.0-beta".
func wholeVersion(text string) string {
	for i := range len(text) {
		end := versionEnd(text, i, true)
		if end == 0 {
			continue
		}
		for byteAt(text, end) == '.' && isDigit(byteAt(text, end+1)) {
			_, end = scan.Digits(text, end+1)
		}
		for (byteAt(text, end) == '-' || byteAt(text, end) == '.') && isAlphanumeric(byteAt(text, end+1)) {
			for end++; isAlphanumeric(byteAt(text, end)); end++ {
			}
		}
		return text[i:end]
	}
	return ""
}

// mentions reports whether a text has the version with the end of a word behind it. "v1.0" is in "v1.0-alpha" and in
// "v1.0.1", and not in "v1.01".
func mentions(text, version string) bool {
	for i := 0; version != "" && i+len(version) <= len(text); i++ {
		if equalFold(text[i:i+len(version)], version) && isWord(version[len(version)-1]) != isWord(byteAt(text, i+len(version))) {
			return true
		}
	}
	return false
}
