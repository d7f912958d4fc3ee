package core

import (
	"gatehouse/parse/doc"
)

// DeclaredVersion returns the version of the current milestone by STATE.md: the rest of its first line that begins "milestone:", in
// the frontmatter or anywhere else, with its quotation marks; "" without one.
func DeclaredVersion(state string) string {
	for at := range offsetsAfter(state, "milestone:") {
		if v, ok := restOfLine(state, at); ok {
			return v
		}
	}
	return ""
}

// meantVersion returns the version that a declared milestone means to a reader: without quotation marks, and without
// the name or the comment after it. GSD searches for the milestone by the whole declared text, and finds none by
// `"v1.1"`.
func meantVersion(declared string) string {
	if version := wholeVersion(declared); version != "" {
		return version
	}
	return unquote(declared)
}

// versionInProgress returns the first version that ROADMAP.md marks as in progress, with "🚧 **" or "🔄 **" before it.
func versionInProgress(roadmap string) string {
	for i := range roadmap {
		if !hasAnyPrefix(roadmap[i:], "🚧", "🔄") {
			continue
		}
		at := skipSpace(roadmap, i+len("🚧")) + len("**")
		end := versionEnd(roadmap, at)
		_, minor, _ := doc.Cut(roadmap[min(at, end):end], ".")
		if end > 0 && roadmap[at-2:at+1] == "**v" && spaceLen(roadmap[end:]) > 0 && !doc.Contains(minor, ".") {
			return roadmap[at:end]
		}
	}
	return ""
}

// versionEnd returns the offset after "v1.2" or "V1.2.1" at offset i of s, 0 for other texts.
func versionEnd(s string, i int) int {
	if byteAt(s, i)|0x20 != 'v' {
		return 0
	}
	_, major := digitsAt(s, i+1)
	if end := skipDecimals(s, major); major > i+1 && end > major {
		return end
	}
	return 0
}

// hasVersion reports whether a text has a "v1.2" anywhere.
func hasVersion(text string) bool {
	for i := range text {
		if versionEnd(text, i) > 0 {
			return true
		}
	}
	return false
}

// wholeVersion returns the first version of a text with all that belongs to it: "v1.2.1", "v2.0-beta".
func wholeVersion(text string) string {
	version, _ := parseVersion(text)
	return version
}

// hasVersionIn reports whether a text has the version with the end of a word after it. "v1.0" is in "v1.0-alpha" and in "v1.0.1", and
// not in "v1.01".
func hasVersionIn(text, version string) bool {
	for version != "" {
		at := indexFold(text, version)
		if at < 0 {
			return false
		}
		if text = text[at+len(version):]; isWord(version[len(version)-1]) != isWord(byteAt(text, 0)) {
			return true
		}
	}
	return false
}

// parseVersion returns the first version in a text, "v1.2" or "v2.0.1-beta", and the name after it, up to a bracket or a dash.
func parseVersion(t string) (version, name string) {
	for i := range t {
		end := versionEnd(t, i)
		if end == 0 || t[i] != 'v' || i > 0 && (isAlphanumeric(t[i-1]) || t[i-1] == '/') {
			continue
		}
		end += preReleaseLength(t[end:])
		if byteAt(t, end) != '-' { // "v1.0-ROADMAP.md" has no name
			name = trim(cutAny(trimLeft(t[end:], " :—–-*"), "(", "—", "–", " - ", "**", "]"), " :*~")
		}
		return t[i:end], name
	}
	return "", ""
}

// isLaterVersion reports whether a version is later than another one, by its numbers.
func isLaterVersion(version, than string) bool {
	for version != "" || than != "" {
		a, endA := digitsAt(version, 0)
		b, endB := digitsAt(than, 0)
		if a, b := parseNumber(a), parseNumber(b); a != b {
			return a > b
		}
		version, than = version[min(endA+1, len(version)):], than[min(endB+1, len(than)):]
	}
	return false
}

// preReleaseLength returns the length of the suffix that distinguishes "v2.0-beta" from "v2.0", 0 for the names of
// GSD's own files.
func preReleaseLength(t string) int {
	n := 1
	for isAlphanumeric(byteAt(t, n)) || byteAt(t, n) == '.' && isDigit(byteAt(t, n+1)) {
		n++
	}
	if byteAt(t, 0) != '-' || !isLetter(byteAt(t, 1)) || byteAt(t, n) == '-' || isOneOf(doc.Lower(t[1:n]), "roadmap", "requirements", "phases", "milestone", "audit") {
		return 0
	}
	return n
}

// leadingVersion is parseVersion for a text that begins with its version, except for signs, brackets and the word "milestone".
func leadingVersion(text string) (version, name string) {
	t := trimSigns(text)
	if hasPrefixFold(t, "milestone") {
		t = trimSigns(t[len("milestone"):])
	}
	version, name = parseVersion(text)
	if next := byteAt(cutPrefix(t, version), 0); !doc.HasPrefix(t, version) || next == '-' || next == '_' || isAlphanumeric(next) {
		return "", ""
	}
	return version, name
}

// trimSigns removes everything before the first letter or digit.
func trimSigns(t string) string {
	for t != "" && !isAlphanumeric(t[0]) {
		t = t[1:]
	}
	return t
}
